import { NOWCAST_CHANCES_MM_H, NOWCAST_SCORED_MM_H } from '@radx/contracts'
import type { Contingency } from '@radx/motion/scores/contingency'
import type { PooledScores } from '@radx/motion/scores/deterministic'

/**
 * Sums of one method at one lead, as they are stored: cells, sums of |error|, error squared, forecast and seen, then hits,
 * misses and false alarms of each threshold. They add up.
 */
export const SUMS = 5 + 3 * NOWCAST_SCORED_MM_H.length

export const toSums = ({ n, absolute, square, sumF, sumO, tables }: PooledScores): number[] => [
  n,
  absolute,
  square,
  sumF,
  sumO,
  ...tables.flatMap(({ hits, misses, falseAlarms }) => [hits, misses, falseAlarms]),
]

export const tableOf = (sums: readonly number[], threshold: number): Contingency => {
  const [hits, misses, falseAlarms] = sums.slice(5 + 3 * threshold)
  return { hits, misses, falseAlarms }
}

/** Tenths of probability, 0 to 10. */
export const BINS = 11
/** Sums of one threshold's probabilities: cells, squared errors, then for each tenth cells, probabilities, events. */
const PER_THRESHOLD = 2 + 3 * BINS
export const CHANCE_SUMS = NOWCAST_CHANCES_MM_H.length * PER_THRESHOLD

/** Adds a cell's probability and what came. */
export function addChance(sums: number[], threshold: number, chance: number, came: boolean): void {
  const at = threshold * PER_THRESHOLD
  const event = came ? 1 : 0
  sums[at]++
  sums[at + 1] += (chance - event) ** 2
  const bin = at + 2 + 3 * Math.round(10 * chance)
  sums[bin]++
  sums[bin + 1] += chance
  sums[bin + 2] += event
}

export function chanceOf(sums: readonly number[], threshold: number) {
  const at = threshold * PER_THRESHOLD
  const bins = Array.from({ length: BINS }, (_, k) => {
    const [cells, given, seen] = sums.slice(at + 2 + 3 * k)
    return { cells, given, seen }
  })
  return { cells: sums[at], squares: sums[at + 1], bins }
}

export function addTo(into: number[], sums: readonly number[]): void {
  sums.forEach((value, k) => {
    into[k] = (into[k] ?? 0) + value
  })
}
