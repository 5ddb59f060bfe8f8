import { decibelsOf } from './decibels.ts'
import { countFrom, type Distribution } from './match.ts'
import { KNOTS_MM_H, type SharesLeft } from './trend.ts'

/** Bins in which rates are counted: from 0.1 mm/h in steps, dB. */
const BIN_DB = 0.05
const BINS = 800
/** Cells of heavy rain below which its area is left as it is. */
const FEWEST = 30

/**
 * Brings the areas above 1 and 5 mm/h, in place, to what a trend leaves of them over the whole grid: decibels are stretched so
 * that the rates above which as many cells lie become these two. Which cells are wet stays.
 * @param decibels above 0.1 mm/h; negative where dry
 * @param known 1 where cells count
 */
export function matchAreas(
  decibels: Float32Array,
  known: Uint8Array,
  { wet }: Distribution,
  { whole }: SharesLeft,
): void {
  const counts = new Uint32Array(BINS)
  for (let i = 0; i < decibels.length; i++)
    if (known[i] && decibels[i] >= 0) counts[Math.min(BINS - 1, Math.floor(decibels[i] / BIN_DB))]++
  const [, moderate, heavy] = KNOTS_MM_H.map((knot) => countFrom(wet, knot))
  const [toModerate, toHeavy] = [decibelsOf(KNOTS_MM_H[1]), decibelsOf(KNOTS_MM_H[2])]
  const fromModerate = levelAbove(counts, moderate * whole[1]) ?? toModerate
  const found = heavy >= FEWEST ? levelAbove(counts, heavy * whole[2]) : null
  const fromHeavy = found ?? fromModerate + toHeavy - toModerate
  if (!(fromModerate > BIN_DB && fromHeavy > fromModerate + BIN_DB)) return
  const [low, high] = [toModerate / fromModerate, (toHeavy - toModerate) / (fromHeavy - fromModerate)]
  for (let i = 0; i < decibels.length; i++) {
    const level = decibels[i]
    if (!(level >= 0)) continue
    if (level < fromModerate) decibels[i] = level * low
    else if (level < fromHeavy) decibels[i] = toModerate + (level - fromModerate) * high
    else decibels[i] = toHeavy + level - fromHeavy
  }
}

/** Level, dB above 0.1 mm/h, above which so many cells lie; null where there are not as many, or none is wanted. */
function levelAbove(counts: Uint32Array, cells: number): number | null {
  if (cells < 1) return null
  let above = 0
  for (let bin = BINS - 1; bin >= 0; bin--) {
    if (above + counts[bin] >= cells) return (bin + 1 - (cells - above) / counts[bin]) * BIN_DB
    above += counts[bin]
  }
  return null
}
