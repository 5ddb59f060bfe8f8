const round = (value: number): number => Math.round(10 * value) / 10

/** Room that curves leave to those of the other side, a share of the height. */
const SHARE = 0.8

/** Bars that hang from the upper edge, each over the time since the moment before. */
export function barsPath(
  timesS: readonly number[],
  values: readonly number[],
  endS: number,
  width: number,
  height: number,
): string {
  const most = Math.max(...values, 0)
  if (most <= 0) return ''
  const x = (timeS: number) => round((width * timeS) / endS)
  return timesS
    .slice(1)
    .map((timeS, k) => {
      const value = values[k + 1]
      const depth = round((SHARE * height * value) / most)
      return value > 0 ? `M${x(timesS[k])} 0V${depth}H${x(timeS)}V0Z` : ''
    })
    .join('')
}

/** The area under a curve that stands on the lower edge; values are means since the moment before. */
export function curvePath(
  timesS: readonly number[],
  values: readonly number[],
  endS: number,
  width: number,
  height: number,
): string {
  const most = Math.max(...values, 0)
  if (most <= 0) return ''
  const points = timesS.map((timeS, k) => {
    const middle = k === 0 ? 0 : (timeS + timesS[k - 1]) / 2
    return `${round((width * middle) / endS)} ${round(height - (SHARE * height * Math.max(0, values[k])) / most)}`
  })
  return `M0 ${height}L${points.join('L')}L${width} ${height}Z`
}
