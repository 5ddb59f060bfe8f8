import type { ZoneStats } from '@radx/contracts/radar'
import { RATE_NO_DATA } from './rates.ts'

/** What one pass over a frame tells. Sums are in codes (0.01 mm/h), so that they are exact integers. */
export interface FrameStatistics {
  cells: number
  /** Cells with data. */
  validCount: number
  /** Cells with rain (> 0). */
  wetCount: number
  sumCodes: number
  /** Largest code, 0 when dry or without data. */
  maxCode: number
  /** First cell that holds the largest code, `row * steps + col`; -1 when no cell is wet. */
  maxIndex: number
}

/** One pass over a frame of rate codes `[row * steps + col]`, row 0 north. */
export function frameStatistics(codes: Uint16Array): FrameStatistics {
  let missing = 0
  let wetCount = 0
  let sumCodes = 0
  let maxCode = 0
  let maxIndex = -1
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]
    if (code === 0) continue
    if (code === RATE_NO_DATA) {
      missing++
      continue
    }
    wetCount++
    sumCodes += code
    if (code > maxCode) {
      maxCode = code
      maxIndex = i
    }
  }
  return { cells: codes.length, validCount: codes.length - missing, wetCount, sumCodes, maxCode, maxIndex }
}

/** Mean over valid cells, mm/h; null without any. */
export function meanMmH(s: FrameStatistics): number | null {
  return s.validCount === 0 ? null : s.sumCodes / s.validCount / 100
}

/** Rmoyen: mean over cells with rain, mm/h; 0 when dry, null without valid cells. */
export function wetMeanMmH(s: FrameStatistics): number | null {
  if (s.validCount === 0) return null
  return s.wetCount === 0 ? 0 : s.sumCodes / s.wetCount / 100
}

/** Coverage: wet cells over valid cells, %; null without valid cells. */
export function coveragePct(s: FrameStatistics): number | null {
  return s.validCount === 0 ? null : (100 * s.wetCount) / s.validCount
}

/** Largest rate, mm/h; 0 when dry, null without valid cells. */
export function maxMmH(s: FrameStatistics): number | null {
  return s.validCount === 0 ? null : s.maxCode / 100
}

/** Share of cells with data, %. */
export function validPct(s: FrameStatistics): number {
  return s.cells === 0 ? 0 : (100 * s.validCount) / s.cells
}

/** The three means that calls answer for the whole zone. */
export function zoneStats(s: FrameStatistics): ZoneStats {
  return { mean: meanMmH(s), nonzerosmean: wetMeanMmH(s), nonzerospc: coveragePct(s) }
}
