import type { SewerNetwork, SewerPattern, SewerSeries } from '@radx/contracts'

/** Volumes that the file's inflows bring to each node. */
export interface Inflows {
  /** Adds the volume of [fromS, toS) to `volumes[node]`, m3 (negative inflows take out). */
  addTo(volumes: Float64Array, fromS: number, toS: number): void
  /** Adds the flows at a moment to `rates[node]`, m3/s. */
  addRates(rates: Float64Array, timeS: number): void
  any: boolean
}

/** Value of a series, linear between its times, 0 outside. */
export function seriesValue(series: SewerSeries, timeS: number): number {
  const { timesS, values } = series
  const n = timesS.length
  if (n === 0 || timeS < timesS[0] || timeS > timesS[n - 1]) return 0
  const i = upperBound(timesS, timeS)
  if (i >= n) return values[n - 1]
  const share = (timeS - timesS[i - 1]) / (timesS[i] - timesS[i - 1])
  return values[i - 1] + share * (values[i] - values[i - 1])
}

/** Value of a series that keeps its first and last value outside (stages, settings). */
export function seriesHeld(series: SewerSeries, timeS: number): number {
  const { timesS } = series
  return seriesValue(series, Math.min(Math.max(timeS, timesS[0]), timesS[timesS.length - 1]))
}

function upperBound(times: ArrayLike<number>, at: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle] <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** `seriesValue` for moments that come one after the other: mostly within the interval of the last one. */
function rateOf(series: SewerSeries): (timeS: number) => number {
  const times = Float64Array.from(series.timesS)
  const values = Float64Array.from(series.values)
  const n = times.length
  let i = 1
  return (timeS) => {
    if (n === 0 || timeS < times[0] || timeS > times[n - 1]) return 0
    if (timeS === times[n - 1]) return values[n - 1]
    if (!(times[i - 1] <= timeS && timeS < times[i])) i = upperBound(times, timeS)
    const share = (timeS - times[i - 1]) / (times[i] - times[i - 1])
    return values[i - 1] + share * (values[i] - values[i - 1])
  }
}

/** Exact integral of a series from its start, so that no step length loses water. */
function integral(series: SewerSeries): (timeS: number) => number {
  const { timesS, values } = series
  const sums = new Float64Array(timesS.length)
  for (let i = 1; i < timesS.length; i++)
    sums[i] = sums[i - 1] + ((values[i - 1] + values[i]) / 2) * (timesS[i] - timesS[i - 1])
  // Moments are asked for one after the other: mostly within the interval of the last one.
  let i = 1
  return (timeS) => {
    const n = timesS.length
    if (n === 0 || timeS <= timesS[0]) return 0
    if (timeS >= timesS[n - 1]) return sums[n - 1]
    if (!(timesS[i - 1] <= timeS && timeS < timesS[i])) i = upperBound(timesS, timeS)
    const run = timeS - timesS[i - 1]
    const slope = (values[i] - values[i - 1]) / (timesS[i] - timesS[i - 1])
    return sums[i - 1] + run * (values[i - 1] + (slope * run) / 2)
  }
}

const DAY = 86400

/** Factor of a pattern at a moment. Weeks begin on Sunday, as in EPA SWMM. */
function patternFactor(pattern: SewerPattern, epochS: number): number {
  const { factors } = pattern
  const hour = Math.floor((((epochS % DAY) + DAY) % DAY) / 3600)
  // 1970-01-01 was a Thursday.
  const weekday = (((Math.floor(epochS / DAY) + 4) % 7) + 7) % 7
  const weekend = weekday === 0 || weekday === 6
  if (pattern.type === 'monthly') return factors[new Date(epochS * 1000).getUTCMonth()] ?? 1
  if (pattern.type === 'daily') return factors[weekday] ?? 1
  if (pattern.type === 'hourly') return factors[hour] ?? 1
  return weekend ? (factors[hour] ?? 1) : 1
}

/** The baseline's factor; weekend patterns stand in for hourly ones on Saturday and Sunday. */
function patternsFactor(patterns: SewerPattern[], epochS: number): number {
  const weekday = (((Math.floor(epochS / DAY) + 4) % 7) + 7) % 7
  const weekend = weekday === 0 || weekday === 6
  const replaced = weekend && patterns.some((p) => p.type === 'weekend')
  return patterns.reduce(
    (product, p) => (p.type === 'hourly' && replaced ? product : product * patternFactor(p, epochS)),
    1,
  )
}

export function createInflows(network: SewerNetwork): Inflows {
  const series = new Map<SewerSeries, number>()
  const fed: { node: number; scale: number; source: number }[] = []
  const based: { node: number; flow: number; patterns: SewerPattern[] }[] = []
  network.nodes.forEach((node, index) => {
    for (const inflow of node.inflows) {
      if (inflow.series && inflow.scale !== 0) {
        const source = series.get(inflow.series) ?? series.size
        series.set(inflow.series, source)
        fed.push({ node: index, scale: inflow.scale, source })
      }
      if (inflow.baselineM3S !== 0)
        based.push({ node: index, flow: inflow.baselineM3S, patterns: inflow.patterns })
    }
  })
  const start = network.options.startEpochS
  const sources = [...series.keys()]
  const sums = sources.map(integral)
  const ratesOf = sources.map(rateOf)
  const volume = new Float64Array(sums.length)
  const fedNode = Int32Array.from(fed, ({ node }) => node)
  const fedScale = Float64Array.from(fed, ({ scale }) => scale)
  const fedSource = Int32Array.from(fed, ({ source }) => source)
  return {
    any: fed.length + based.length > 0,
    addRates(rates, timeS) {
      for (let k = 0; k < sources.length; k++) volume[k] = ratesOf[k](timeS)
      for (let j = 0; j < fedNode.length; j++) rates[fedNode[j]] += fedScale[j] * volume[fedSource[j]]
      for (const { node, flow, patterns } of based)
        rates[node] += flow * (patterns.length > 0 ? patternsFactor(patterns, start + timeS) : 1)
    },
    addTo(volumes, fromS, toS) {
      for (let k = 0; k < sums.length; k++) {
        const before = sums[k](fromS)
        volume[k] = sums[k](toS) - before
      }
      for (let j = 0; j < fedNode.length; j++) volumes[fedNode[j]] += fedScale[j] * volume[fedSource[j]]
      const middle = start + (fromS + toS) / 2
      for (const { node, flow, patterns } of based)
        volumes[node] += flow * (toS - fromS) * (patterns.length > 0 ? patternsFactor(patterns, middle) : 1)
    },
  }
}
