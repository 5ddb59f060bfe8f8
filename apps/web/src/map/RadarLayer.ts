import type { CustomLayerInterface, CustomRenderMethodInput, Map as MapLibreMap } from 'maplibre-gl'
import type { Scheme } from './basemap.ts'
import type { FrameCache } from './frames/FrameCache.ts'
import { rowPolynomial, toMercator } from './mercator.ts'
import { RadarTextures } from './RadarTextures.ts'
import { EDGE, FRAGMENT_SHADER, type PaletteKind, palette, VERTEX_SHADER } from './radar-shader.ts'
import { shaderProgram } from './shader-program.ts'

const UNIFORMS = [
  'u_clip',
  'u_frames',
  'u_layer',
  'u_steps',
  'u_width',
  'u_rows',
  'u_palette',
  'u_opacity',
  'u_hatch',
  'u_edge',
  'u_forecast',
] as const
type Uniform = (typeof UNIFORMS)[number]

/** Frames uploaded ahead of the one on the screen, so that playing never waits. */
const LOOK_AHEAD = 8

/**
 * The radar frame on the map. It outlives the graphics context: after a loss, the map adds it again and
 * everything is built anew from the store.
 */
export class RadarLayer implements CustomLayerInterface {
  readonly id = 'radx-radar'
  readonly type = 'custom'
  readonly renderingMode = '2d'
  private map: MapLibreMap | null = null
  private program: WebGLProgram | null = null
  private quad: WebGLBuffer | null = null
  private uniforms = new Map<Uniform, WebGLUniformLocation | null>()
  private textures: RadarTextures | null = null
  private store: FrameCache | null = null
  private unsubscribe: (() => void) | null = null
  /** Instants in play order, the frame asked for, and the frame last drawn. */
  private times: readonly string[] = []
  private wanted: string | null = null
  private drawn: string | null = null
  private opacity = 1
  private noData = { color: '#808080', alpha: 0.12 }
  private forecast = false
  private kind: PaletteKind = 'intensity'
  private scheme: Scheme = 'light'
  private palette = palette(this.kind, this.scheme, this.noData)

  /** Instant of the frame on the screen. */
  get shown(): string | null {
    return this.drawn
  }

  setStore(store: FrameCache | null): void {
    if (store === this.store) return
    this.unsubscribe?.()
    this.textures?.dispose()
    this.textures = null
    this.drawn = null
    this.store = store
    this.unsubscribe = store?.subscribe((times) => this.arrived(times)) ?? null
    this.map?.triggerRepaint()
  }

  /** A picture of the whole map for every frame of a day that comes in would cost more than reading them. */
  private arrived(times: readonly string[]): void {
    const soon = new Set(this.soon().map(Date.parse))
    if (times.some((time) => soon.has(Date.parse(time)))) this.map?.triggerRepaint()
  }

  /** The frame asked for and those that come next when it plays. */
  private soon(): string[] {
    const from = this.wanted === null ? -1 : this.times.indexOf(this.wanted)
    if (from < 0) return this.wanted === null ? [] : [this.wanted]
    const count = Math.min(LOOK_AHEAD + 1, this.times.length)
    return Array.from({ length: count }, (_, step) => this.times[(from + step) % this.times.length])
  }

  /** Asks for a frame; the one before stays until this one is here. null shows none. */
  setFrame(time: string | null, times: readonly string[]): void {
    this.times = times
    this.wanted = time
    if (time === null) this.drawn = null
    this.map?.triggerRepaint()
  }

  /** @param opacity 0 to 1 */
  setOpacity(opacity: number): void {
    this.opacity = opacity
    this.map?.triggerRepaint()
  }

  /** Draws what was not seen but forecast, in a texture of its own. */
  setForecast(forecast: boolean): void {
    this.forecast = forecast
    this.map?.triggerRepaint()
  }

  setScheme(scheme: Scheme, noData: { color: string; alpha: number }): void {
    this.scheme = scheme
    this.noData = noData
    this.recolour()
  }

  /** What the frames' codes stand for. */
  setPalette(kind: PaletteKind): void {
    this.kind = kind
    this.recolour()
  }

  private recolour(): void {
    this.palette = palette(this.kind, this.scheme, this.noData)
    this.map?.triggerRepaint()
  }

  onAdd(map: MapLibreMap, gl: WebGL2RenderingContext): void {
    this.map = map
    this.textures = null
    this.program = shaderProgram(gl, 'radar', VERTEX_SHADER, FRAGMENT_SHADER)
    for (const name of UNIFORMS) this.uniforms.set(name, gl.getUniformLocation(this.program, name))
    this.quad = gl.createBuffer()
    gl.bindBuffer(gl.ARRAY_BUFFER, this.quad)
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW)
  }

  onRemove(_map: MapLibreMap, gl: WebGL2RenderingContext): void {
    this.textures?.dispose()
    this.textures = null
    gl.deleteProgram(this.program)
    gl.deleteBuffer(this.quad)
    this.map = null
  }

  /** Lets go of the store as well; the layer is of no use afterwards. */
  destroy(): void {
    this.unsubscribe?.()
    this.unsubscribe = null
    this.store = null
  }

  render(gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const store = this.store
    if (store === null || this.program === null) return
    this.textures ??= new RadarTextures(gl, store)
    const layer = this.pick(this.textures)
    if (layer === null) return
    this.draw(gl, input, store, this.textures, layer)
    this.uploadAhead(this.textures)
  }

  private pick(textures: RadarTextures): number | null {
    if (this.wanted === null) return null
    const layer = textures.layerOf(this.wanted)
    if (layer !== null) {
      this.drawn = this.wanted
      return layer
    }
    return this.drawn === null ? null : textures.layerOf(this.drawn)
  }

  private draw(
    gl: WebGL2RenderingContext,
    input: CustomRenderMethodInput,
    store: FrameCache,
    textures: RadarTextures,
    layer: number,
  ): void {
    const { bounds, steps } = store.grid
    const at = (name: Uniform) => this.uniforms.get(name) ?? null
    const matrix = input.defaultProjectionData.mainMatrix
    // biome-ignore lint/correctness/useHookAtTopLevel: WebGL's, not React's
    gl.useProgram(this.program)
    gl.uniform4f(at('u_clip'), ...clip(matrix, toMercator(bounds.ul)), ...clip(matrix, toMercator(bounds.lr)))
    gl.uniform1i(at('u_frames'), 0)
    gl.uniform1i(at('u_layer'), layer)
    gl.uniform1i(at('u_steps'), steps)
    gl.uniform1i(at('u_width'), textures.width)
    gl.uniform4fv(at('u_rows'), rowPolynomial(bounds))
    gl.uniform4fv(at('u_palette'), this.palette)
    gl.uniform1f(at('u_opacity'), this.opacity)
    gl.uniform1f(at('u_hatch'), 8 * (this.map?.getPixelRatio() ?? 1))
    gl.uniform4fv(at('u_edge'), EDGE[this.scheme])
    gl.uniform1f(at('u_forecast'), this.forecast ? 1 : 0)
    gl.activeTexture(gl.TEXTURE0)
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, textures.texture)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.quad)
    const position = gl.getAttribLocation(this.program as WebGLProgram, 'a_uv')
    gl.enableVertexAttribArray(position)
    gl.vertexAttribPointer(position, 2, gl.FLOAT, false, 0, 0)
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4)
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, null)
  }

  /** One upload a drawn picture keeps each picture short. */
  private uploadAhead(textures: RadarTextures): void {
    for (const time of this.soon().slice(1)) {
      if (textures.isResident(time) || !this.store?.has(time)) continue
      textures.layerOf(time)
      this.map?.triggerRepaint()
      return
    }
  }
}

/** Clip coordinates of a point of the unit square; the map is never tilted, so w is common to all. */
function clip(matrix: ArrayLike<number>, { x, y }: { x: number; y: number }): [number, number] {
  const w = matrix[3] * x + matrix[7] * y + matrix[15]
  return [(matrix[0] * x + matrix[4] * y + matrix[12]) / w, (matrix[1] * x + matrix[5] * y + matrix[13]) / w]
}
