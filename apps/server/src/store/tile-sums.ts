import { type Accumulation, RATE_NO_DATA } from '@radx/rainfall'
import { openCodes } from './frame-codec.ts'
import { inflateJoined } from './inflate-all.ts'
import { tilesAcross } from './tile-file.ts'

/**
 * Sums of codes times seconds of frames that come as tiles, read without frames of codes between: these take three times as
 * long over a month.
 */
export class TileSums {
  private readonly size: number
  /** Where the cells of each tile begin when tiles stand one after another, and one more. */
  private readonly firsts: Int32Array
  /** Cells, `row * steps + col`, in that order. */
  private readonly cells: Int32Array
  private readonly isWhole: boolean
  readonly sum: Float64Array
  readonly missing: Float64Array

  constructor(steps: number, size: number) {
    this.size = size
    this.isWhole = steps % size === 0
    const across = tilesAcross(steps, size)
    this.firsts = new Int32Array(across * across + 1)
    this.cells = new Int32Array(steps * steps)
    let at = 0
    for (let tile = 0; tile < across * across; tile++) {
      const [row, col] = [Math.floor(tile / across) * size, (tile % across) * size]
      for (let r = row; r < Math.min(steps, row + size); r++)
        for (let c = col; c < Math.min(steps, col + size); c++) this.cells[at++] = r * steps + c
      this.firsts[tile + 1] = at
    }
    this.sum = new Float64Array(steps * steps)
    this.missing = new Float64Array(steps * steps)
  }

  /**
   * @param tiles of a frame as `packCodes`, one after another; an empty one is zeros
   * @param ends where each ends, row by row
   * @param seconds that the frame stands for
   * @throws StoreCorruptError for bytes that are torn or altered
   */
  add(tiles: Uint8Array, ends: readonly number[], seconds: number): void {
    const { firsts } = this
    const startOf = (tile: number) => (tile > 0 ? ends[tile - 1] : 0)
    const wet = [...ends.keys()].filter((tile) => ends[tile] > startOf(tile))
    const raw = this.isWhole ? inflateJoined(tiles, wet.length, 2 * this.size ** 2) : null
    if (raw && this.size % 4 === 0 && raw.byteOffset % 4 === 0) this.addWords(wet, raw, seconds)
    else
      for (const tile of wet) {
        const count = firsts[tile + 1] - firsts[tile]
        this.addTile(firsts[tile], openCodes(tiles.subarray(startOf(tile), ends[tile]), count), seconds)
      }
  }

  /** @param bytes low bytes of the codes of a tile, then their high bytes */
  private addTile(first: number, bytes: Uint8Array, seconds: number): void {
    const { sum, missing } = this
    const count = bytes.length >> 1
    for (let i = 0; i < count; i++) {
      const code = bytes[i] | (bytes[count + i] << 8)
      if (code === RATE_NO_DATA) missing[first + i] += seconds
      else sum[first + i] += code * seconds
    }
  }

  /** The same of whole tiles that stand one after another, four codes at a time: most are dry, or without data, together. */
  private addWords(wet: readonly number[], raw: Uint8Array, seconds: number): void {
    const { firsts, sum, missing } = this
    const words = new Int32Array(raw.buffer, raw.byteOffset, raw.length >> 2)
    const count = (this.size ** 2) >> 2
    let at = 0
    for (const tile of wet) {
      let cell = firsts[tile]
      for (let k = 0; k < count; k++, at++, cell += 4) {
        const low = words[at]
        const high = words[at + count]
        if ((low | high) === 0) continue
        if ((low & high) === -1) {
          for (let j = cell; j < cell + 4; j++) missing[j] += seconds
          continue
        }
        const a = (low & 0xff) | ((high & 0xff) << 8)
        const b = ((low >>> 8) & 0xff) | (high & 0xff00)
        const c = ((low >>> 16) & 0xff) | ((high >>> 8) & 0xff00)
        const d = (low >>> 24) | ((high >>> 16) & 0xff00)
        if (a === RATE_NO_DATA) missing[cell] += seconds
        else sum[cell] += a * seconds
        if (b === RATE_NO_DATA) missing[cell + 1] += seconds
        else sum[cell + 1] += b * seconds
        if (c === RATE_NO_DATA) missing[cell + 2] += seconds
        else sum[cell + 2] += c * seconds
        if (d === RATE_NO_DATA) missing[cell + 3] += seconds
        else sum[cell + 3] += d * seconds
      }
      at += count
    }
  }

  addTo(total: Accumulation): void {
    total.addSums(this.cells, this)
  }
}
