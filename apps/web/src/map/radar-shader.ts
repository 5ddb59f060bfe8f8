import {
  CLASS_NO_DATA,
  CUMUL_CLASS_COLORS,
  CUMUL_CLASS_COLORS_DARK,
  INTENSITY_CLASSES,
} from '@radx/contracts/constants'
import type { Scheme } from './basemap.ts'
import { PROBABILITY_COLORS } from './probability.ts'
import { QUALITY_COLORS } from './quality.ts'

export const VERTEX_SHADER = `#version 300 es
in vec2 a_uv;
uniform vec4 u_clip;
out vec2 v_uv;
void main() {
  v_uv = a_uv;
  gl_Position = vec4(mix(u_clip.xy, u_clip.zw, a_uv), 0.0, 1.0);
}`

/** Draws one layer: the cell is found from the Mercator position (see rowPolynomial), never filtered. */
export const FRAGMENT_SHADER = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2DArray;
uniform usampler2DArray u_frames;
uniform int u_layer;
uniform int u_steps;
uniform int u_width;
uniform vec4 u_rows;
uniform vec4 u_palette[16];
uniform float u_opacity;
uniform float u_hatch;
uniform vec4 u_edge;
uniform float u_forecast;
in vec2 v_uv;
out vec4 color;
uint codeAt(vec2 uv) {
  float t = uv.y;
  float s = 2.0 * t - 1.0;
  float row = t + t * (1.0 - t) * (u_rows.x + s * (u_rows.y + s * (u_rows.z + s * u_rows.w)));
  ivec2 cell = clamp(ivec2(floor(vec2(uv.x, row) * float(u_steps))), ivec2(0), ivec2(u_steps - 1));
  int index = cell.y * u_steps + cell.x;
  int at = index >> 1;
  uint pair = texelFetch(u_frames, ivec3(at % u_width, at / u_width, u_layer), 0).r;
  return (index & 1) == 0 ? pair >> 4 : pair & 15u;
}
bool isDry(uint code) {
  return u_palette[code].a == 0.0;
}
void main() {
  uint code = codeAt(v_uv);
  vec4 c = u_palette[code];
  if (code == ${CLASS_NO_DATA}u) {
    float stripe = fract((gl_FragCoord.x + gl_FragCoord.y) / u_hatch);
    c.a *= stripe < 0.18 ? 1.0 : 0.25;
    color = vec4(c.rgb * c.a, c.a);
    return;
  }
  float alpha = c.a * u_opacity;
  // Forecast rain is a weave: stripes across those of missing data let the ground through.
  if (u_forecast > 0.0 && fract((gl_FragCoord.x - gl_FragCoord.y) / u_hatch) < 0.3) alpha *= 0.35;
  if (c.a > 0.0) {
    // A hairline inside the rain's edge, a screen pixel wide at every zoom.
    vec2 px = vec2(dFdx(v_uv.x), dFdy(v_uv.y));
    bool edge = isDry(codeAt(v_uv + vec2(px.x, 0.0))) || isDry(codeAt(v_uv - vec2(px.x, 0.0)))
      || isDry(codeAt(v_uv + vec2(0.0, px.y))) || isDry(codeAt(v_uv - vec2(0.0, px.y)));
    if (edge) c.rgb = mix(c.rgb, u_edge.rgb, u_edge.a);
  }
  color = vec4(c.rgb * alpha, alpha);
}`

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)

/** What the class codes of a frame stand for. */
export type PaletteKind = 'intensity' | 'accumulation' | 'probability' | 'quality'

const INTENSITIES = [null, ...INTENSITY_CLASSES.map((row) => row.color)]

/** Colours by class code; null, and what is not named, is transparent. */
const COLORS: Record<Scheme, Record<PaletteKind, readonly (string | null)[]>> = {
  light: {
    intensity: INTENSITIES,
    accumulation: CUMUL_CLASS_COLORS,
    probability: [null, ...PROBABILITY_COLORS.light],
    quality: [null, ...QUALITY_COLORS.light],
  },
  dark: {
    intensity: INTENSITIES,
    accumulation: CUMUL_CLASS_COLORS_DARK,
    probability: [null, ...PROBABILITY_COLORS.dark],
    quality: [null, ...QUALITY_COLORS.dark],
  },
}

/** The line at the edge of rain: against the ground, so that pale and deep classes both stand out. */
export const EDGE: Record<Scheme, readonly [number, number, number, number]> = {
  light: [0.07, 0.12, 0.14, 0.45],
  dark: [0.92, 0.96, 0.97, 0.4],
}

/** Colour table `[code * 4 + channel]`, not premultiplied; 15 is the veil of cells without data. */
export function palette(
  kind: PaletteKind,
  scheme: Scheme,
  noData: { color: string; alpha: number },
): Float32Array {
  const table = new Float32Array(16 * 4)
  COLORS[scheme][kind].forEach((color, code) => {
    if (color !== null) table.set([...channels(color), 1], code * 4)
  })
  table.set([...channels(noData.color), noData.alpha], CLASS_NO_DATA * 4)
  return table
}
