import { DIFFERENCE_BOUNDS } from '@radx/contracts/simulation-constants'

/** Volume that passed, m3: the sum of flow x 60 x interval minutes. */
export function volumeM3(flowM3S: readonly number[], intervalMinutes: number): number {
  let sum = 0
  for (const flow of flowM3S) sum += flow * 60 * intervalMinutes
  return sum
}

/** Difference of a volume to that of the reference in %, floored; null when the reference has none. */
export function differencePercent(volume: number, reference: number): number | null {
  if (reference === 0) return volume === 0 ? 0 : null
  return Math.floor((100 * (volume - reference)) / Math.abs(reference))
}

/** Class of a difference, 0 to 4: below -20, -10 to -20, 0 to -10, 0 to 20, 20 or more. */
export const differenceClass = (percent: number): number =>
  DIFFERENCE_BOUNDS.filter((bound) => percent >= bound).length

/** Flow minus that of the reference, by interval; as long as the shorter of the two. */
export const deltaOf = (own: readonly number[], reference: readonly number[]): number[] =>
  own.slice(0, reference.length).map((flow, k) => flow - reference[k])
