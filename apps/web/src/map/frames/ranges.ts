import { bundleVersion } from '@radx/rainfall/bundle-version'

export interface InstantRange {
  /** ISO instants; `e` is exclusive. */
  s: string
  e: string
}

/**
 * What to ask for so that every missing frame comes, in the order in which it is wanted: the newest frame
 * first and alone, because it is what the reader of the live page looks at, then each stretch of missing ones.
 *
 * @param times instants of all frames, ascending
 * @param newestFirst false for an archive, which is looked at from its start
 */
export function missingRanges(
  times: readonly string[],
  has: (time: string) => boolean,
  newestFirst = true,
): InstantRange[] {
  const missing = times.map((time) => !has(time))
  const ranges: InstantRange[] = []
  const last = times.length - 1
  if (newestFirst && last >= 0 && missing[last]) {
    ranges.push(range(times[last], times[last]))
    missing[last] = false
  }
  for (let i = 0; i < times.length; i++) {
    if (!missing[i]) continue
    const from = i
    while (i + 1 < times.length && missing[i + 1]) i++
    ranges.push(range(times[from], times[i]))
  }
  return ranges
}

const range = (first: string, last: string): InstantRange => ({
  s: first,
  e: new Date(Date.parse(last) + 1).toISOString(),
})

/**
 * Names the content of a bundle, so that a cache on the way may keep it for all who ask.
 * @param checks CRC-32 of each frame, one an instant of `times`
 */
export function contentOf(
  { s, e }: InstantRange,
  times: readonly string[],
  checks: readonly number[],
): string {
  const inside = times.map((time) => Date.parse(time) >= Date.parse(s) && Date.parse(time) < Date.parse(e))
  return bundleVersion(
    times.filter((_, k) => inside[k]),
    checks.filter((_, k) => inside[k]),
  )
}
