import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import type { DeepCells } from '@radx/hydrology/surface/deep-cells'
import type { Surface } from '@radx/hydrology/surface/surface'
import { OUTPUT } from './outputs.ts'

/** Thinner water is a film, whose velocity says nothing, m. */
const FILM_M = 0.01
const PER_M_S = 100
const MOST = 32_767

/**
 * Velocity over time at the moments of the depth frames: little-endian int16 cm/s to the east, then to the north, each
 * `[row * ncols + col]`, 0 in less than 1 cm of water; each frame zstd on its own, with an index.
 */
export class VelocityFile {
  private readonly file: number
  private readonly dir: string
  private readonly model: EsriGrid
  private readonly deep: DeepCells
  private readonly frames: { timeS: number; offset: number; length: number }[] = []
  private offset = 0

  constructor(dir: string, model: EsriGrid, surface: Surface) {
    this.dir = dir
    this.model = model
    this.deep = surface.deepCells(FILM_M)
    this.file = openSync(join(dir, OUTPUT.velocity), 'w')
  }

  /** The velocities as they are now. */
  take(): Int16Array {
    const cells = this.model.data.length
    const codes = new Int16Array(2 * cells)
    const code = (speedMS: number) => Math.max(-MOST, Math.min(MOST, Math.round(speedMS * PER_M_S)))
    const { deep } = this
    deep.look()
    for (let j = 0; j < deep.count; j++) {
      codes[deep.cells[j]] = code(deep.eastMS[j])
      codes[cells + deep.cells[j]] = code(deep.northMS[j])
    }
    return codes
  }

  add(timeS: number, codes: Int16Array): void {
    const packed = zstdCompressSync(Buffer.from(codes.buffer))
    writeSync(this.file, packed)
    this.frames.push({ timeS, offset: this.offset, length: packed.length })
    this.offset += packed.length
  }

  close(): void {
    closeSync(this.file)
    const { nrows, ncols } = this.model
    const index = {
      file: OUTPUT.velocity,
      type: 'int16le',
      unit: 'cm/s',
      order: 'east, north',
      compression: 'zstd',
      nrows,
      ncols,
      frames: this.frames,
    }
    writeFileSync(join(this.dir, OUTPUT.velocityIndex), `${JSON.stringify(index)}\n`)
  }
}
