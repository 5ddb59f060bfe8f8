import { DEPTH_FRAME_NO_DATA } from '@radx/contracts/flood-constants'
import { PALETTE_SIZE } from '../WaterFrames.ts'

const PRECISION = `
precision highp float;
precision highp int;
precision highp usampler2D;
precision highp sampler2D;`

/** Water of a cell at the moment, mm; 0 outside. */
const WATER = `
uniform usampler2D u_before;
uniform usampler2D u_after;
uniform float u_share;
uniform ivec2 u_size;
uniform bool u_wet;
float waterMm(ivec2 cell) {
  if (!u_wet) return 0.0;
  uint before = texelFetch(u_before, cell, 0).r;
  uint after = texelFetch(u_after, cell, 0).r;
  if (before == ${DEPTH_FRAME_NO_DATA}u || after == ${DEPTH_FRAME_NO_DATA}u) return 0.0;
  return mix(float(before), float(after), u_share);
}`

/** A tile of the ground, its water on it. `a_quad`: place in quads of the finest level, 1 on the skirt. */
export const GROUND_VERTEX = `${PRECISION}
uniform mat4 projectionMatrix;
uniform mat4 modelViewMatrix;
uniform sampler2D u_heights;
uniform float u_cell;
uniform float u_stride;
uniform float u_base;
uniform float u_relief;
uniform float u_skirt;
uniform float u_fromMm;
in vec3 a_quad;
in vec2 a_tile;
out vec2 v_cell;
${WATER}
void main() {
  vec2 at = a_tile + a_quad.xy * u_stride;
  ivec2 cell = min(ivec2(at), u_size - 1);
  v_cell = clamp(at + 0.5 * step(0.5, at), vec2(0.0), vec2(u_size));
  float mm = waterMm(cell);
  float level = texelFetch(u_heights, cell, 0).r + (mm >= u_fromMm ? 0.001 * mm : 0.0);
  vec2 flat_m = (v_cell - 0.5 * vec2(u_size)) * u_cell;
  float up = (level - u_base) * u_relief - a_quad.z * u_skirt;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(flat_m.x, up, flat_m.y, 1.0);
}`

/**
 * Colours cell by cell, however coarse the ground's own quads are. Water that is seen from near has a grain that drifts
 * the way its level falls.
 */
export const GROUND_FRAGMENT = `${PRECISION}
uniform sampler2D u_land;
uniform sampler2D u_layer;
uniform sampler2D u_palette;
uniform sampler2D u_heights;
uniform bool u_layered;
uniform float u_opacity;
uniform float u_fromMm;
uniform float u_cell;
uniform float u_time;
in vec2 v_cell;
out vec4 color;
${WATER}
float levelOf(ivec2 cell, float here) {
  ivec2 inside = clamp(cell, ivec2(0), u_size - 1);
  float mm = waterMm(inside);
  return mm < u_fromMm ? here : texelFetch(u_heights, inside, 0).r + 0.001 * mm;
}
float grain(ivec2 cell, float mm) {
  float near = 1.0 - smoothstep(0.05, 0.3, max(fwidth(v_cell.x), fwidth(v_cell.y)));
  if (near <= 0.0) return 0.0;
  float here = texelFetch(u_heights, cell, 0).r + 0.001 * mm;
  vec2 fall = vec2(
    levelOf(cell - ivec2(1, 0), here) - levelOf(cell + ivec2(1, 0), here),
    levelOf(cell - ivec2(0, 1), here) - levelOf(cell + ivec2(0, 1), here)) / (2.0 * u_cell);
  float steep = length(fall);
  vec2 along = steep > 1e-5 ? fall / steep : vec2(0.0);
  float wave = sin(12.566 * dot(v_cell, along) - 0.1 * u_time);
  return 0.05 * near * smoothstep(0.0, 0.004, steep) * wave;
}
void main() {
  ivec2 cell = clamp(ivec2(floor(v_cell)), ivec2(0), u_size - 1);
  vec4 land = texelFetch(u_land, cell, 0);
  float mm = waterMm(cell);
  vec4 water = texelFetch(u_palette, ivec2(min(int(mm), ${PALETTE_SIZE - 1}), 0), 0);
  vec4 over = u_layered ? texelFetch(u_layer, cell, 0) : vec4(0.0);
  float shine = water.a > 0.0 ? grain(cell, mm) : 0.0;
  if (land.a < 0.5) discard;
  vec3 shown = mix(land.rgb, over.rgb, over.a * u_opacity);
  shown = mix(shown, water.rgb, water.a * u_opacity) + shine;
  color = vec4(shown, 1.0);
}`

/** A box on the ground: `a_rect` its west and north edge and size in cells, `a_rise` ground and ridge. */
export const HOUSE_VERTEX = `${PRECISION}
uniform mat4 projectionMatrix;
uniform mat4 modelViewMatrix;
uniform ivec2 u_size;
uniform float u_cell;
uniform float u_base;
uniform float u_relief;
in vec3 position;
in float a_shade;
in vec4 a_rect;
in vec2 a_rise;
out float v_shade;
void main() {
  vec2 flat_m = (a_rect.xy + position.xz * a_rect.zw - 0.5 * vec2(u_size)) * u_cell;
  float up = (mix(a_rise.x, a_rise.y, position.y) - u_base) * u_relief;
  v_shade = a_shade;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(flat_m.x, up, flat_m.y, 1.0);
}`

export const HOUSE_FRAGMENT = `${PRECISION}
uniform vec3 u_color;
in float v_shade;
out vec4 color;
void main() {
  color = vec4(u_color * v_shade, 1.0);
}`
