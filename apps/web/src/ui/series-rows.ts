/**
 * Which rows of a long series a table tells: every n-th, so that no more than about `most` stand in the page, and the
 * one of the largest value, which thinning must not lose.
 * @param values what the largest is looked for in; null and NaN = missing
 */
export function seriesRows(
  count: number,
  most: number,
  values: readonly (number | null)[] = [],
): { every: number; rows: number[] } {
  const every = Math.max(1, Math.ceil(count / most))
  let peak = -1
  if (every > 1)
    values.forEach((value, k) => {
      if (value !== null && value > (values[peak] ?? 0)) peak = k
    })
  const rows = Array.from({ length: count }, (_, k) => k).filter((k) => k % every === 0 || k === peak)
  return { every, rows }
}
