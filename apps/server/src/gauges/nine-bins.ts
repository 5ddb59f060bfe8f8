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
  /** ms a cell and step. */
  readonly #known: Float32Array
  readonly #steps: number

  constructor(span: Span) {
    this.#span = span
    this.#steps = binCount(span)
    this.#mm = new Float32Array(CELLS * this.#steps)
    this.#known = new Float32Array(CELLS * this.#steps)
  }

  add(fromMs: number, toMs: number, codes: Uint16Array, first: number): void {
    const { startMs, endMs } = this.#span
    let at = Math.max(fromMs, startMs)
    const last = Math.min(toMs, endMs)
    while (at < last) {
      const bin = Math.floor((at - startMs) / BIN_MS)
      const to = Math.min(last, startMs + (bin + 1) * BIN_MS)
      for (let k = 0; k < CELLS; k++) {
        const code = codes[first + k]
        if (code === RATE_NO_DATA) continue
        this.#known[CELLS * bin + k] += to - at
        if (code > 0) this.#mm[CELLS * bin + k] += (code * (to - at)) / 360_000_000
      }
      at = to
    }
  }

  result(): RadarBins {
    const out = {
      radar: new Float64Array(this.#steps).fill(Number.NaN),
      low: new Float64Array(this.#steps),
      high: new Float64Array(this.#steps),
    }
    for (let bin = 0; bin < this.#steps; bin++) {
      if (this.#known[CELLS * bin + CENTRE] < KNOWN_SHARE * BIN_MS) continue
      const centre = this.#mm[CELLS * bin + CENTRE]
      let [low, high] = [centre, centre]
      for (let k = CELLS * bin; k < CELLS * (bin + 1); k++) {
        if (this.#known[k] < KNOWN_SHARE * BIN_MS) continue
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
