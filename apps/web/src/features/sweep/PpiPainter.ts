import { EARTH_RADIUS_M } from '@radx/rainfall/grid'
import type { DecodedSweep } from '@radx/rainfall/sweep-bundle'
import { rayFinder } from '@radx/rainfall/sweep-bundle'
import { shaderProgram } from '../../map/shader-program.ts'
import type { PlanePoint } from './gates.ts'

/** Where the picture looks. */
export interface PpiView {
  centre: PlanePoint
  /** Metres a pixel of the page. */
  metresPerPixel: number
}

const VERTEX = `#version 300 es
void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  gl_Position = vec4(4.0 * corner - 1.0, 0.0, 1.0);
}`

/** Azimuth and distance of each pixel, then the gate there, then its colour: nothing is drawn but what was measured. */
const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
uniform highp usampler2D codes;
uniform highp usampler2D rays;
uniform sampler2D colors;
uniform vec2 size;
uniform vec2 centre;
uniform float metresPerPixel;
uniform float elevation;
uniform float radius;
uniform float rangeStart;
uniform float rangeStep;
uniform int bins;
uniform int width;
uniform int slots;
out vec4 color;
void main() {
  vec2 place = centre + (gl_FragCoord.xy - 0.5 * size) * metresPerPixel;
  float angle = length(place) / radius;
  float range = radius * sin(angle) / cos(angle + elevation);
  int bin = int(floor((range - rangeStart) / rangeStep));
  if (bin < 0 || bin >= bins) discard;
  float turn = atan(place.x, place.y) / 6.283185307179586;
  int slot = int(floor(fract(turn + 1.0) * float(slots)));
  uint ray = texelFetch(rays, ivec2(clamp(slot, 0, slots - 1), 0), 0).r;
  if (ray == 65535u) discard;
  int k = int(ray) * bins + bin;
  uint code = texelFetch(codes, ivec2(k % width, k / width), 0).r;
  color = texelFetch(colors, ivec2(int(code & 255u), int(code >> 8u)), 0);
  if (color.a == 0.0) discard;
}`

const NO_RAY = 65_535
/** Slots of azimuth: finer than any antenna turns, few enough for any graphics card. */
const SLOTS = 2048
/** Gates a row of the texture. */
const WIDTH = 2048
const EFFECTIVE_RADIUS_M = (4 / 3) * EARTH_RADIUS_M

/** Draws a sweep as it lies: the graphics card finds the gate of each pixel. */
export class PpiPainter {
  private readonly canvas: HTMLCanvasElement
  private readonly gl: WebGL2RenderingContext
  private readonly program: WebGLProgram
  private readonly textures: Record<'codes' | 'rays' | 'colors', WebGLTexture>
  private sweep: DecodedSweep | null = null

  /** @throws where there is no WebGL 2 */
  constructor(canvas: HTMLCanvasElement) {
    const gl = canvas.getContext('webgl2', { antialias: false, premultipliedAlpha: false })
    if (!gl) throw new Error('no WebGL 2')
    this.canvas = canvas
    this.gl = gl
    this.program = shaderProgram(gl, 'sweep', VERTEX, FRAGMENT)
    this.textures = { codes: gl.createTexture(), rays: gl.createTexture(), colors: gl.createTexture() }
  }

  /** @param colors of each code, four bytes each */
  setSweep(sweep: DecodedSweep | null, colors: Uint8Array | null): void {
    this.sweep = sweep
    if (!sweep || !colors) return
    const { codes, header } = sweep
    const rows = Math.ceil(codes.length / WIDTH)
    const padded = new Uint16Array(WIDTH * rows)
    padded.set(codes)
    this.upload('codes', [WIDTH, rows], padded)
    const rayAt = rayFinder(header.azimuthDeg)
    const rays = Uint16Array.from({ length: SLOTS }, (_, slot) => {
      const ray = rayAt(((slot + 0.5) * 360) / SLOTS)
      return ray < 0 ? NO_RAY : ray
    })
    this.upload('rays', [SLOTS, 1], rays)
    this.upload('colors', [256, 256], colors)
  }

  draw({ centre, metresPerPixel }: PpiView): void {
    const { gl, canvas, program, sweep } = this
    // biome-ignore lint/correctness/useHookAtTopLevel: WebGL's name for it, no hook
    gl.useProgram(program)
    const ratio = window.devicePixelRatio || 1
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.round(side * ratio))
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    gl.viewport(0, 0, width, height)
    gl.clearColor(0, 0, 0, 0)
    gl.clear(gl.COLOR_BUFFER_BIT)
    if (!sweep || width === 0 || height === 0) return
    const { elevationDeg, rangeStartM, rangeStepM, nbins } = sweep.header
    const at = (name: string) => gl.getUniformLocation(program, name)
    for (const [unit, name] of (['codes', 'rays', 'colors'] as const).entries()) {
      gl.activeTexture(gl.TEXTURE0 + unit)
      gl.bindTexture(gl.TEXTURE_2D, this.textures[name])
      gl.uniform1i(at(name), unit)
    }
    gl.uniform2f(at('size'), width, height)
    gl.uniform2f(at('centre'), centre.eastM, centre.northM)
    gl.uniform1f(at('metresPerPixel'), metresPerPixel / ratio)
    gl.uniform1f(at('elevation'), (elevationDeg * Math.PI) / 180)
    gl.uniform1f(at('radius'), EFFECTIVE_RADIUS_M)
    gl.uniform1f(at('rangeStart'), rangeStartM)
    gl.uniform1f(at('rangeStep'), rangeStepM)
    gl.uniform1i(at('bins'), nbins)
    gl.uniform1i(at('width'), WIDTH)
    gl.uniform1i(at('slots'), SLOTS)
    gl.drawArrays(gl.TRIANGLES, 0, 3)
  }

  destroy(): void {
    const { gl } = this
    for (const texture of Object.values(this.textures)) gl.deleteTexture(texture)
    gl.deleteProgram(this.program)
  }

  /** Whole numbers of 16 bits, or colours of four bytes. */
  private upload(
    name: 'codes' | 'rays' | 'colors',
    [width, height]: [number, number],
    data: Uint16Array | Uint8Array,
  ): void {
    const { gl } = this
    const [internal, format, type] =
      data instanceof Uint16Array
        ? [gl.R16UI, gl.RED_INTEGER, gl.UNSIGNED_SHORT]
        : [gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE]
    gl.bindTexture(gl.TEXTURE_2D, this.textures[name])
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1)
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, type, data)
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST)
  }
}
