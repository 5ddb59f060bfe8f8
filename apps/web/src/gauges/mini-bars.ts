/** A gauge's series small: at most so many bars, each the largest of its images. */
export interface SmallPoint {
  datetime: string
  /** mm/h; null is no data. */
  value: number | null
}

export interface SmallBar {
  /** Where it begins and how wide it is, 0 to 1 of the period. */
  x: number
  width: number
  /** mm/h; null without any value. */
  value: number | null
}

/** Bars of a series in time order; gaps between its images stay open. */
export function smallBars(points: readonly SmallPoint[], most: number): SmallBar[] {
  if (points.length === 0) return []
  const at = points.map(({ datetime }) => Date.parse(datetime))
  const steps = at.slice(1).map((t, k) => t - at[k])
  const step = steps.length === 0 ? 1 : steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)]
  const span = at[at.length - 1] - at[0] + step
  const size = Math.ceil(points.length / most)
  return Array.from({ length: Math.ceil(points.length / size) }, (_, k) => {
    const from = k * size
    const to = Math.min(points.length, from + size) - 1
    const values = points.slice(from, to + 1).flatMap(({ value }) => value ?? [])
    return {
      x: (at[from] - at[0]) / span,
      width: (at[to] - at[from] + step) / span,
      value: values.length === 0 ? null : Math.max(...values),
    }
  })
}

/** The largest value and the first moment that has it; null without any value. */
export function largestOf(points: readonly SmallPoint[]): { value: number; datetime: string } | null {
  let best: { value: number; datetime: string } | null = null
  for (const { value, datetime } of points)
    if (value !== null && (best === null || value > best.value)) best = { value, datetime }
  return best
}
