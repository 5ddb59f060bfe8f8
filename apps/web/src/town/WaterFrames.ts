import type { GridPlace } from '@radx/contracts/flood'
import { DEPTH_FRAME_NO_DATA } from '@radx/contracts/flood-constants'
import type { CustomLayerInterface, CustomRenderMethodInput, Map as MapLibreMap } from 'maplibre-gl'
import { toMercator } from '../map/mercator.ts'
import { shaderProgram } from '../map/shader-program.ts'
import { rgbOf } from './water-classes.ts'

/** A colour from a code of the frames on, up to that of the next: mm of depth, or what else they count. */
export interface CodeClass {
  from: number
  color: string
}

/** Colours by code; what is higher has that of the last. */
export const PALETTE_SIZE = 4096

/** Colours by code, four bytes each; what is below the first class is clear. */
export function paletteOf(classes: readonly CodeClass[]): Uint8Array<ArrayBuffer> {
  const palette = new Uint8Array(4 * PALETTE_SIZE)
  for (const { from, color } of classes)
    for (let code = Math.round(from); code < PALETTE_SIZE; code++)
      palette.set([...rgbOf(color), 255], 4 * code)
  return palette
}

const VERTEX = `#version 300 es
in vec2 a_clip;
in vec2 a_uv;
out vec2 v_uv;
void main() {
  v_uv = a_uv;
  gl_Position = vec4(a_clip, 0.0, 1.0);
}`

const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
precision highp sampler2D;
uniform usampler2D u_before;
uniform usampler2D u_after;
uniform ivec2 u_size;
uniform float u_share;
uniform sampler2D u_palette;
uniform float u_opacity;
in vec2 v_uv;
out vec4 color;
void main() {
  ivec2 cell = clamp(ivec2(v_uv * vec2(u_size)), ivec2(0), u_size - 1);
  uint before = texelFetch(u_before, cell, 0).r;
  uint after = texelFetch(u_after, cell, 0).r;
  if (before == ${DEPTH_FRAME_NO_DATA}u || after == ${DEPTH_FRAME_NO_DATA}u) discard;
  float mm = mix(float(before), float(after), u_share);
  vec4 found = texelFetch(u_palette, ivec2(min(int(mm), ${PALETTE_SIZE - 1}), 0), 0);
  if (found.a == 0.0) discard;
  color = vec4(found.rgb * u_opacity, u_opacity);
}`

const UNIFORMS = ['u_before', 'u_after', 'u_size', 'u_share', 'u_palette', 'u_opacity'] as const

/**
 * Water over time on the map, between two computed frames in proportion. The graphics card mixes and colours, so that a
 * moment costs one picture of the map and no work by cell here.
 */
export class WaterFrames implements CustomLayerInterface {
  readonly id = 'radx-water'
  readonly type = 'custom'
  readonly renderingMode = '2d'
  private readonly place: GridPlace
  private map: MapLibreMap | null = null
  private program: WebGLProgram | null = null
  private buffer: WebGLBuffer | null = null
  private uniforms = new Map<string, WebGLUniformLocation | null>()
  /** Textures of two frames, and what lies in them. */
  private textures: (WebGLTexture | null)[] = [null, null]
  private held: (Uint16Array | null)[] = [null, null]
  private wanted: readonly [Uint16Array, Uint16Array] | null = null
  private share = 0
  private palette = new Uint8Array(4 * PALETTE_SIZE)
  private paletteTexture: WebGLTexture | null = null
  private paletteChanged = true
  private readonly opacity: number

  constructor(place: GridPlace, opacity = 0.9) {
    this.place = place
    this.opacity = opacity
  }

  /** @param before codes, such as depths in mm, `[row * ncols + col]`, 65535 outside @param share from the first to the second, 0 to 1 */
  show(before: Uint16Array, after: Uint16Array, share: number): void {
    this.wanted = [before, after]
    this.share = share
    this.map?.triggerRepaint()
  }

  setClasses(classes: readonly CodeClass[]): void {
    this.palette = paletteOf(classes)
    this.paletteChanged = true
    this.map?.triggerRepaint()
  }

  onAdd(map: MapLibreMap, gl: WebGL2RenderingContext): void {
    this.map = map
    this.held = [null, null]
    this.program = shaderProgram(gl, 'water', VERTEX, FRAGMENT)
    for (const name of UNIFORMS) this.uniforms.set(name, gl.getUniformLocation(this.program, name))
    this.buffer = gl.createBuffer()
    this.textures = [gl.createTexture(), gl.createTexture()]
    this.paletteTexture = gl.createTexture()
    this.paletteChanged = true
  }

  onRemove(_map: MapLibreMap, gl: WebGL2RenderingContext): void {
    for (const texture of [...this.textures, this.paletteTexture]) gl.deleteTexture(texture)
    gl.deleteProgram(this.program)
    gl.deleteBuffer(this.buffer)
    this.textures = [null, null]
    this.map = null
  }

  render(gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    if (this.wanted === null || this.program === null) return
    const [before, after] = this.wanted
    // What comes after a frame is before the next: it is on the card already.
    if (this.held[1] === before && this.held[0] !== before) {
      this.textures.reverse()
      this.held.reverse()
    }
    this.uploadPalette(gl)
    this.upload(gl, 0, before)
    this.upload(gl, 1, after)
    this.draw(gl, input)
  }

  private uploadPalette(gl: WebGL2RenderingContext): void {
    if (!this.paletteChanged) return
    this.paletteChanged = false
    gl.bindTexture(gl.TEXTURE_2D, this.paletteTexture)
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false)
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, PALETTE_SIZE, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, this.palette)
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
    gl.bindTexture(gl.TEXTURE_2D, null)
  }

  private upload(gl: WebGL2RenderingContext, slot: number, depths: Uint16Array): void {
    if (this.held[slot] === depths) return
    const { ncols, nrows } = this.place
    gl.bindTexture(gl.TEXTURE_2D, this.textures[slot])
    // The map leaves its own unpacking state behind.
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 2)
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false)
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16UI, ncols, nrows, 0, gl.RED_INTEGER, gl.UNSIGNED_SHORT, depths)
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4)
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
    gl.bindTexture(gl.TEXTURE_2D, null)
    this.held[slot] = depths
  }

  private draw(gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const { nrows, ncols, corners } = this.place
    const at = (name: (typeof UNIFORMS)[number]) => this.uniforms.get(name) ?? null
    const clip = clipOf(input.defaultProjectionData.mainMatrix)
    const corner = (of: keyof typeof corners, u: number, v: number) => [
      ...clip({ lng: corners[of][0], lat: corners[of][1] }),
      u,
      v,
    ]
    const quad = [corner('nw', 0, 0), corner('ne', 1, 0), corner('sw', 0, 1), corner('se', 1, 1)].flat()
    // biome-ignore lint/correctness/useHookAtTopLevel: WebGL's, not React's
    gl.useProgram(this.program)
    gl.uniform2i(at('u_size'), ncols, nrows)
    gl.uniform1f(at('u_share'), this.share)
    gl.uniform1i(at('u_palette'), 2)
    gl.uniform1f(at('u_opacity'), this.opacity)
    gl.uniform1i(at('u_before'), 0)
    gl.uniform1i(at('u_after'), 1)
    const bound = [...this.textures, this.paletteTexture]
    bound.forEach((texture, k) => {
      gl.activeTexture(gl.TEXTURE0 + k)
      gl.bindTexture(gl.TEXTURE_2D, texture)
    })
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer)
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(quad), gl.DYNAMIC_DRAW)
    for (const [name, offset] of [
      ['a_clip', 0],
      ['a_uv', 8],
    ] as const) {
      const place = gl.getAttribLocation(this.program as WebGLProgram, name)
      gl.enableVertexAttribArray(place)
      gl.vertexAttribPointer(place, 2, gl.FLOAT, false, 16, offset)
    }
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4)
    for (const k of [2, 1, 0]) {
      gl.activeTexture(gl.TEXTURE0 + k)
      gl.bindTexture(gl.TEXTURE_2D, null)
    }
  }
}

/** Clip coordinates of a place; the map is never tilted, so w is common to all. */
function clipOf(matrix: ArrayLike<number>) {
  return (lngLat: { lng: number; lat: number }): [number, number] => {
    const { x, y } = toMercator(lngLat)
    const w = matrix[3] * x + matrix[7] * y + matrix[15]
    return [
      (matrix[0] * x + matrix[4] * y + matrix[12]) / w,
      (matrix[1] * x + matrix[5] * y + matrix[13]) / w,
    ]
  }
}
