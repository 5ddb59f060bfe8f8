import { BRIDGED_S } from './moved-frame.ts'

/** Frames whose rain is followed at once. */
export const MAKE_BATCH = 8

/** What is known of a frame before its rain is followed. */
export interface Seen {
  ms: number
  wet: boolean
  moved: boolean
}

/**
 * What there is to do, in time order: frames that stand still, as it is dry in them and beside them, those whose
 * neighbour is new, and the newest of those that wait.
 */
export function workOf(
  seen: readonly Seen[],
  waiting: ReadonlySet<number>,
): { still: number[]; beside: number[]; newest: number[] } {
  const neighbours = (k: number) =>
    [k - 1, k + 1].filter((other) => seen[other] && Math.abs(seen[other].ms - seen[k].ms) <= BRIDGED_S * 1000)
  const isWet = (k: number) => [k, ...neighbours(k)].some((other) => seen[other].wet)
  const places = [...seen.keys()]
  const waits = places.filter((k) => waiting.has(seen[k].ms))
  const newest = waits.filter(isWet).slice(-MAKE_BATCH)
  const still = waits.filter((k) => !isWet(k))
  const done = new Set([...newest, ...still])
  const beside = places.filter((k) => seen[k].moved && neighbours(k).some((other) => done.has(other)))
  const times = (list: number[]) => list.map((k) => seen[k].ms)
  return {
    still: times([...still, ...beside.filter((k) => !isWet(k))]),
    beside: times(beside.filter(isWet)),
    newest: times(newest),
  }
}
