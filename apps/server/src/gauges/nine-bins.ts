import { halfOf, RATE_NO_DATA } from '@radx/rainfall'
import { BIN_MS, binCount } from '@radx/rainfall/gauges/bins'
import type { Span } from '../store/frame-index.ts'

/** 3 x 3 cells around a gauge, from the north-west. */
export const CELLS = 9
const CENTRE = 4
/** A step counts where this share of it is known. */
const KNOWN_SHARE = 0.8

/** What the radar had over one gauge on a UTC day, frame by frame. */
export interface DayFrames {
  /** ms since the day began, rising. */
  offsets: Int32Array
  /** Rate codes of 3 x 3 cells a frame, from the north-west; RATE_NO_DATA beyond the grid. */
  codes: Uint16Array
}

/** The radar over one gauge in steps of five minutes, mm, NaN = unknown. */
export interface RadarBins {
  radar: Float64Array
  low: Float64Array
  high: Float64Array
}

export interface Around {
  dayMs: number
  /** What a frame stands for on a side at most, ms, and how far apart two may be that share all between them. */
  reach: number
  bridged: number
  /** Frames of the neighbouring days, ms. */
  before: number
  after: number
}

/** Adds a day's frames, each for the time that it stands for. */
export function addDay(
  sum: NineBins,
  { offsets, codes }: DayFrames,
  { dayMs, reach, bridged, before, after }: Around,
): void {
  for (let i = 0; i < offsets.length; i++) {
    const time = dayMs + offsets[i]
    const left = time - (i > 0 ? dayMs + offsets[i - 1] : before)
    const right = (i + 1 < offsets.length ? dayMs + offsets[i + 1] : after) - time
    sum.add(time - halfOf(left, reach, bridged), time + halfOf(right, reach, bridged), codes, CELLS * i)
  }
}

/** Depths of nine cells in steps of five minutes. */
export class NineBins {
  readonly #span: Span
  /** mm a cell and step. */
  readonly #mm: Float32Array
  /** ms a step that frames stand for, and of these those in which a cell had no data, by cell and step. */
  readonly #seen: Float64Array
  #missing: Float32Array | null = null
  readonly #steps: number

  constructor(span: Span) {
    this.#span = span
    this.#steps = binCount(span)
    this.#mm = new Float32Array(CELLS * this.#steps)
    this.#seen = new Float64Array(this.#steps)
  }

  add(fromMs: number, toMs: number, codes: Uint16Array, first: number): void {
    const { startMs, endMs } = this.#span
    let at = Math.max(fromMs, startMs)
    const last = Math.min(toMs, endMs)
    let any = 0
    for (let k = first; k < first + CELLS; k++) any |= codes[k]
    while (at < last) {
      const bin = Math.floor((at - startMs) / BIN_MS)
      const to = Math.min(last, startMs + (bin + 1) * BIN_MS)
      this.#seen[bin] += to - at
      if (any > 0) this.#addCells(CELLS * bin, to - at, codes, first)
      at = to
    }
  }

  #addCells(cell: number, ms: number, codes: Uint16Array, first: number): void {
    for (let k = 0; k < CELLS; k++) {
      const code = codes[first + k]
      if (code === RATE_NO_DATA) this.#missingOf()[cell + k] += ms
      else if (code > 0) this.#mm[cell + k] += (code * ms) / 360_000_000
    }
  }

  #missingAt(place: number): number {
    return this.#missing === null ? 0 : this.#missing[place]
  }

  /** Made when the first cell has no data: most have it always. */
  #missingOf(): Float32Array {
    this.#missing ??= new Float32Array(CELLS * this.#steps)
    return this.#missing
  }

  result(): RadarBins {
    const out = {
      radar: new Float64Array(this.#steps).fill(Number.NaN),
      low: new Float64Array(this.#steps),
      high: new Float64Array(this.#steps),
    }
    for (let bin = 0; bin < this.#steps; bin++) {
      const mostMissing = this.#seen[bin] - KNOWN_SHARE * BIN_MS
      if (this.#missingAt(CELLS * bin + CENTRE) > mostMissing) continue
      const centre = this.#mm[CELLS * bin + CENTRE]
      let [low, high] = [centre, centre]
      for (let k = CELLS * bin; k < CELLS * (bin + 1); k++) {
        if (this.#missingAt(k) > mostMissing) continue
        if (this.#mm[k] < low) low = this.#mm[k]
        if (this.#mm[k] > high) high = this.#mm[k]
      }
      out.radar[bin] = centre
      out.low[bin] = low
      out.high[bin] = high
    }
    return out
  }
}
