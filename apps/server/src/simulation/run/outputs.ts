import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { DEPTH_FRAME_NO_DATA, OUTPUT_FLOW, OUTPUT_HEIGHT, OUTPUT_MAX_DEPTH } from '@radx/contracts'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { writeEsriAscii } from '@radx/formats/esri-ascii'

/** Files of a result folder. The first three are those of the specification. */
export const OUTPUT = {
  flow: OUTPUT_FLOW,
  height: OUTPUT_HEIGHT,
  maxDepth: OUTPUT_MAX_DEPTH,
  maxSpeed: 'max_velocity_10m.txt',
  maxDepthSpeed: 'max_depth_velocity_10m.txt',
  finalDepth: 'final_waterdepth_10m.txt',
  infiltration: 'infiltration_10m.txt',
  frames: 'depth_frames.bin',
  framesIndex: 'depth_frames.json',
  velocity: 'velocity_frames.bin',
  velocityIndex: 'velocity_frames.json',
  rain: 'rain_frames.bin',
  rainIndex: 'rain_frames.json',
  balance: 'balance.json',
  run: 'run.json',
  points: 'points-series.csv',
  measures: 'measures.csv',
  arrival: 'arrival_time.tif',
  duration5: 'duration_5cm.tif',
  duration20: 'duration_20cm.tif',
  duration50: 'duration_50cm.tif',
  defra: 'hazard_defra.tif',
  ppri: 'hazard_ppri.tif',
  hazard: 'hazard.csv',
  streets: 'streets.csv',
  streetsMap: 'streets.geojson',
  buildings: 'buildings.csv',
  buildingsMap: 'buildings.geojson',
  communes: 'communes.csv',
  communesMap: 'communes.geojson',
  exposure: 'exposure.csv',
  log: 'log.txt',
  network: 'network.inp',
  networkResults: 'network.out',
  sewerNodes: 'sewer_nodes.csv',
  sewerLinks: 'sewer_links.csv',
  netcdf: 'results.nc',
  ensemble: 'ensemble.json',
  ensembleTable: 'ensemble.csv',
  ensembleFlow: 'ensemble_flow.bin',
  ensembleHeight: 'ensemble_height.bin',
  ensembleDepth: 'ensemble_max_depth.bin',
} as const

/** A run waits for it, and little is gained by more. */
const KEPT_ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Deeper water is cut, mm. */
const DEEPEST_MM = DEPTH_FRAME_NO_DATA - 1

const TAB = 9
const NEWLINE = 10
const MINUS = 45
const POINT = 46
const ZERO = 48
/** Room for a number, its sign, point and tab. */
const CELL_BYTES = 28

/**
 * A table over time: first line `time_s` and the names, then a line an interval with the time of its end.
 * Numbers keep `decimals` digits, enough to sum volumes to 1e-6 of an event. Digits are written by hand: a long
 * event has millions of them.
 */
export class SeriesFile {
  private readonly file: number
  private readonly decimals: number
  private readonly buffer: Uint8Array
  private at = 0

  constructor(dir: string, name: string, columns: string[], decimals: number) {
    this.file = openSync(join(dir, name), 'w')
    this.decimals = decimals
    this.buffer = new Uint8Array((columns.length + 1) * CELL_BYTES)
    writeSync(this.file, `${['time_s', ...columns].join('\t')}\n`)
  }

  add(timeS: number, values: Float64Array): void {
    this.at = 0
    this.number(timeS, 3)
    for (let k = 0; k < values.length; k++) {
      this.buffer[this.at++] = TAB
      this.number(values[k], this.decimals)
    }
    this.buffer[this.at++] = NEWLINE
    writeSync(this.file, this.buffer, 0, this.at)
  }

  /** A decimal number without trailing zeros. */
  private number(value: number, decimals: number): void {
    const { buffer } = this
    const scaled = Math.round(Math.abs(value) * 10 ** decimals)
    if (scaled === 0) {
      buffer[this.at++] = ZERO
      return
    }
    if (!(scaled < 1e15)) throw new RangeError(`not a number to write: ${value}`)
    if (value < 0) buffer[this.at++] = MINUS
    this.at = scaled < 2 ** 31 ? this.digits(scaled | 0, decimals) : this.longDigits(scaled, decimals)
  }

  /** Digits of a whole number with a point before the last `places`; integer arithmetic for those that fit. */
  private digits(whole: number, places: number): number {
    const { buffer, at } = this
    let left = whole
    while (places > 0 && left % 10 === 0) {
      left = (left / 10) | 0
      places--
    }
    let digits = 1
    for (let power = 10; power <= left; power *= 10) digits++
    if (digits <= places) digits = places + 1
    const end = at + digits + (places > 0 ? 1 : 0)
    let p = end
    for (let k = 0; k < places; k++) {
      const next = (left / 10) | 0
      buffer[--p] = ZERO + left - 10 * next
      left = next
    }
    if (places > 0) buffer[--p] = POINT
    while (p > at) {
      const next = (left / 10) | 0
      buffer[--p] = ZERO + left - 10 * next
      left = next
    }
    return end
  }

  private longDigits(whole: number, places: number): number {
    const { buffer, at } = this
    let left = whole
    while (places > 0 && left % 10 === 0) {
      left /= 10
      places--
    }
    const digits = Math.max(places + 1, Math.floor(Math.log10(left)) + 1)
    const end = at + digits + (places > 0 ? 1 : 0)
    for (let p = end - 1, k = 0; p >= at; p--, k++) {
      if (k === places && places > 0) {
        buffer[p] = POINT
        continue
      }
      buffer[p] = ZERO + (left % 10)
      left = Math.floor(left / 10)
    }
    return end
  }

  close(): void {
    closeSync(this.file)
  }
}

interface FrameEntry {
  timeS: number
  /** Bytes in the file. */
  offset: number
  length: number
  /** Of rain: share of the cells without data. */
  missing?: number
}

/** A quantity of the cells over time: its file, the index of that, and what a code counts. */
export interface GridFrames {
  file: string
  index: string
  unit: 'mm' | '0.1 mm/h'
}
export const DEPTH_FRAMES: GridFrames = { file: OUTPUT.frames, index: OUTPUT.framesIndex, unit: 'mm' }
export const RAIN_FRAMES: GridFrames = { file: OUTPUT.rain, index: OUTPUT.rainIndex, unit: '0.1 mm/h' }

/** Cells over time: little-endian uint16, `[row * ncols + col]`, each frame zstd on its own, with an index. */
export class FrameFile {
  private readonly file: number
  private readonly dir: string
  private readonly model: EsriGrid
  private readonly of: GridFrames
  private readonly entries: FrameEntry[] = []
  private offset = 0

  constructor(dir: string, model: EsriGrid, of: GridFrames = DEPTH_FRAMES) {
    this.dir = dir
    this.model = model
    this.of = of
    this.file = openSync(join(dir, of.file), 'w')
  }

  /** Depths, m, NaN outside. */
  add(timeS: number, depthM: Float32Array): void {
    const codes = new Uint16Array(depthM.length)
    for (let k = 0; k < codes.length; k++) {
      const mm = depthM[k] * 1000
      // Depths are never negative: cutting off what was rounded up is rounding.
      codes[k] = mm < DEEPEST_MM ? (mm + 0.5) | 0 : mm >= 0 ? DEEPEST_MM : DEPTH_FRAME_NO_DATA
    }
    this.addCodes({ timeS }, codes)
  }

  addCodes(about: Pick<FrameEntry, 'timeS' | 'missing'>, codes: Uint16Array): void {
    const packed = zstdCompressSync(Buffer.from(codes.buffer))
    writeSync(this.file, packed)
    this.entries.push({ ...about, offset: this.offset, length: packed.length })
    this.offset += packed.length
  }

  close(): void {
    closeSync(this.file)
    const { nrows, ncols, xll, yll, cellSize } = this.model
    const index = {
      file: this.of.file,
      type: 'uint16le',
      unit: this.of.unit,
      compression: 'zstd',
      noData: DEPTH_FRAME_NO_DATA,
      nrows,
      ncols,
      xll,
      yll,
      cellSize,
      frames: this.entries,
    }
    writeFileSync(join(this.dir, this.of.index), `${JSON.stringify(index)}\n`)
  }
}

/** Writes a field over the model as an ESRI ASCII grid. */
export function writeField(
  dir: string,
  name: string,
  model: EsriGrid,
  data: Float32Array,
  decimals: number,
): void {
  writeFileSync(join(dir, name), writeEsriAscii({ ...model, data }, decimals))
}

/** The same field of a result once more, as whole numbers: who answers from it does not read millions of words. */
export const keptName = (name: string): string => `${name.replace(/\.txt$/, '')}.bin`

/** Of a kept field: ncols, nrows, xll, yll, cellSize, decimals. */
export const KEPT_HEAD = 6
/** No value in a kept field. */
export const KEPT_NONE = -(2 ** 31)
const KEPT_MOST = 2 ** 31 - 1

/**
 * Writes a field over the model as an ESRI ASCII grid, and beside it as `KEPT_HEAD` binary64 and an int32 a cell, the value
 * by `10 ** decimals`, zstd.
 */
export function writeKeptField(
  dir: string,
  name: string,
  model: EsriGrid,
  data: Float32Array,
  decimals: number,
): void {
  writeField(dir, name, model, data, decimals)
  const { ncols, nrows, xll, yll, cellSize } = model
  const head = Float64Array.of(ncols, nrows, xll, yll, cellSize, decimals)
  const scale = 10 ** decimals
  const bytes = new Uint8Array(head.byteLength + 4 * data.length)
  bytes.set(new Uint8Array(head.buffer))
  const codes = new Int32Array(bytes.buffer, head.byteLength)
  for (let k = 0; k < codes.length; k++)
    codes[k] = Number.isNaN(data[k]) ? KEPT_NONE : Math.min(KEPT_MOST, Math.round(data[k] * scale))
  writeFileSync(join(dir, keptName(name)), zstdCompressSync(bytes, KEPT_ZSTD))
}

export function writeJson(dir: string, name: string, value: unknown): void {
  writeFileSync(join(dir, name), `${JSON.stringify(value, null, 1)}\n`)
}
