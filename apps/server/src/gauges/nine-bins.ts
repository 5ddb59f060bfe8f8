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
  /** Frames in which some of the nine cells is not dry, rising. */
  wet: Int32Array
}

/** Frames of a day with those that are not dry told apart: most are. */
export function dayFrames(offsets: Int32Array, codes: Uint16Array): DayFrames {
  const wet = new Int32Array(offsets.length)
  let count = 0
  for (let i = 0; i < offsets.length; i++) {
    let any = 0
    for (let k = CELLS * i; k < CELLS * (i + 1); k++) any |= codes[k]
    if (any > 0) wet[count++] = i
  }
  return { offsets, codes, wet: wet.slice(0, count) }
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

/** The steps that each frame of a day has a part in, and for how long: the same for all gauges. */
export interface FrameParts {
  /** Parts of frame i are those from `first[i]` up to `first[i + 1]`. */
  first: Int32Array
  bins: Int32Array
  ms: Float64Array
}

/** Parts of a day's frames in the steps of a span, each frame for the time that it stands for. */
export function framePartsOf(
  offsets: Int32Array,
  { dayMs, reach, bridged, before, after }: Around,
  { startMs, endMs }: Span,
): FrameParts {
  const first = new Int32Array(offsets.length + 1)
  const bins: number[] = []
  const ms: number[] = []
  for (let i = 0; i < offsets.length; i++) {
    const time = dayMs + offsets[i]
    const left = time - (i > 0 ? dayMs + offsets[i - 1] : before)
    const right = (i + 1 < offsets.length ? dayMs + offsets[i + 1] : after) - time
    let at = Math.max(time - halfOf(left, reach, bridged), startMs)
    const last = Math.min(time + halfOf(right, reach, bridged), endMs)
    while (at < last) {
      const bin = Math.floor((at - startMs) / BIN_MS)
      const to = Math.min(last, startMs + (bin + 1) * BIN_MS)
      bins.push(bin)
      ms.push(to - at)
      at = to
    }
    first[i + 1] = bins.length
  }
  return { first, bins: Int32Array.from(bins), ms: Float64Array.from(ms) }
}

/** Depths of nine cells in steps of five minutes. */
export class NineBins {
  /** mm a cell and step. */
  private readonly mm: Float32Array
  /** ms a step that frames stand for, and of these those in which a cell had no data, by cell and step. */
  private readonly seen: Float64Array
  private missing: Float32Array | null = null
  /** Steps in which some cell has rain or no data. */
  private readonly wet: Uint8Array
  private readonly steps: number

  constructor(span: Span) {
    this.steps = binCount(span)
    this.wet = new Uint8Array(this.steps)
    this.mm = new Float32Array(CELLS * this.steps)
    this.seen = new Float64Array(this.steps)
  }

  /** @param parts of the frames' own offsets, see `framePartsOf` */
  addDay({ codes, wet }: DayFrames, { first, bins, ms }: FrameParts): void {
    for (let part = 0; part < bins.length; part++) this.seen[bins[part]] += ms[part]
    for (let w = 0; w < wet.length; w++) {
      const frame = wet[w]
      for (let part = first[frame]; part < first[frame + 1]; part++) {
        this.wet[bins[part]] = 1
        this.addCells(CELLS * bins[part], ms[part], codes, CELLS * frame)
      }
    }
  }

  private addCells(cell: number, ms: number, codes: Uint16Array, first: number): void {
    for (let k = 0; k < CELLS; k++) {
      const code = codes[first + k]
      if (code === RATE_NO_DATA) this.missingOf()[cell + k] += ms
      else if (code > 0) this.mm[cell + k] += (code * ms) / 360_000_000
    }
  }

  private missingAt(place: number): number {
    return this.missing === null ? 0 : this.missing[place]
  }

  /** Made when the first cell has no data: most have it always. */
  private missingOf(): Float32Array {
    this.missing ??= new Float32Array(CELLS * this.steps)
    return this.missing
  }

  result(): RadarBins {
    const out = {
      radar: new Float64Array(this.steps).fill(Number.NaN),
      low: new Float64Array(this.steps),
      high: new Float64Array(this.steps),
    }
    for (let bin = 0; bin < this.steps; bin++) {
      const mostMissing = this.seen[bin] - KNOWN_SHARE * BIN_MS
      if (this.wet[bin] === 0) {
        if (mostMissing >= 0) out.radar[bin] = 0
        continue
      }
      if (this.missingAt(CELLS * bin + CENTRE) > mostMissing) continue
      const centre = this.mm[CELLS * bin + CENTRE]
      let low = centre
      let high = centre
      for (let k = CELLS * bin; k < CELLS * (bin + 1); k++) {
        if (this.missingAt(k) > mostMissing) continue
        if (this.mm[k] < low) low = this.mm[k]
        if (this.mm[k] > high) high = this.mm[k]
      }
      out.radar[bin] = centre
      out.low[bin] = low
      out.high[bin] = high
    }
    return out
  }
}
