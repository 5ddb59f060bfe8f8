import type { FrameCache } from './frames/FrameCache.ts'

/** Layers kept on the graphics card at most; 512 frames of 400 x 400 cells take 41 MB. */
const MAX_LAYERS = 512
const GROWTH = 64

/**
 * Frames of one product as layers of a texture array of bytes, two cells each. When there are more frames
 * than layers, the one that was used longest ago gives way.
 */
export class RadarTextures {
  private readonly gl: WebGL2RenderingContext
  private readonly store: FrameCache
  readonly width: number
  private readonly height: number
  private readonly scratch: Uint8Array
  private array: WebGLTexture | null = null
  private layers = 0
  /** Instant to layer; the order of insertion is the order of use. */
  private resident = new Map<string, number>()

  constructor(gl: WebGL2RenderingContext, store: FrameCache) {
    this.gl = gl
    this.store = store
    const { steps } = store.grid
    this.width = steps
    this.height = Math.ceil(Math.ceil((steps * steps) / 2) / steps)
    this.scratch = new Uint8Array(this.width * this.height)
  }

  get texture(): WebGLTexture | null {
    return this.array
  }

  /** Makes room for that many frames, as far as the driver allows. */
  reserve(frames: number): void {
    const gl = this.gl
    const most = Math.min(MAX_LAYERS, gl.getParameter(gl.MAX_ARRAY_TEXTURE_LAYERS) as number)
    const wanted = Math.min(most, Math.ceil(Math.max(1, frames) / GROWTH) * GROWTH)
    if (wanted <= this.layers) return
    gl.deleteTexture(this.array)
    this.array = gl.createTexture()
    this.resident.clear()
    this.layers = wanted
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, this.array)
    gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, gl.R8UI, this.width, this.height, wanted)
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D_ARRAY, name, gl.NEAREST)
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, null)
  }

  /** Layer that holds the frame, uploading it first when needed; null when the store has no such frame. */
  layerOf(time: string): number | null {
    const known = this.resident.get(time)
    if (known !== undefined) {
      this.resident.delete(time)
      this.resident.set(time, known)
      return known
    }
    if (!this.store.has(time)) return null
    this.reserve(this.store.size)
    const layer = this.free()
    this.store.read(time, this.scratch)
    const gl = this.gl
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, this.array)
    // The map leaves its own unpacking state behind.
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1)
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false)
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false)
    gl.texSubImage3D(
      gl.TEXTURE_2D_ARRAY,
      0,
      0,
      0,
      layer,
      this.width,
      this.height,
      1,
      gl.RED_INTEGER,
      gl.UNSIGNED_BYTE,
      this.scratch,
    )
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4)
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, null)
    this.resident.set(time, layer)
    return layer
  }

  isResident(time: string): boolean {
    return this.resident.has(time)
  }

  dispose(): void {
    this.gl.deleteTexture(this.array)
    this.array = null
    this.layers = 0
    this.resident.clear()
  }

  private free(): number {
    if (this.resident.size < this.layers) return this.unused()
    const [oldest, layer] = this.resident.entries().next().value as [string, number]
    this.resident.delete(oldest)
    return layer
  }

  private unused(): number {
    const used = new Set(this.resident.values())
    for (let layer = 0; layer < this.layers; layer++) if (!used.has(layer)) return layer
    throw new Error('no free layer although fewer frames than layers are resident')
  }
}
