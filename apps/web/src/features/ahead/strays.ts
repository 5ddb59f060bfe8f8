interface Value {
  time: string
  value: number
  p10: number
  p90: number
}

/**
 * From when to when the deterministic course lies outside what most members lie between, by what the chart can show; null
 * when it never does.
 */
export function straysOf(values: readonly Value[], decimals: number): { from: string; to: string } | null {
  const least = 0.5 * 10 ** -decimals
  const outside = values.filter(({ value, p10, p90 }) => value < p10 - least || value > p90 + least)
  return outside.length === 0 ? null : { from: outside[0].time, to: outside[outside.length - 1].time }
}
