import { encodeRates } from '@radx/rainfall'
import { encodeClassBlock } from '@radx/rainfall/class-bundle'
import { type AdjustMethod, adjust } from '@radx/rainfall/gauges/adjust'
import { hourlyFactors, rollingFactor } from '@radx/rainfall/gauges/rolling-bias'
import { ratioOf, scaleByCell, scaleByFactor } from '../apps/server/src/gauges/scaled-codes.ts'
import type { BenchResult } from '../tools/bench.ts'

const SIDE = 500
const GAUGES = 50
const RUNS = 7
const LIMITS = [0.2, 5] as const
/** What a live factor looks at: twice six hours in steps of five minutes. */
const STEPS = 144

/** A live frame of 500 x 500 cells adjusted to 50 gauges; milliseconds of processor, so that neighbours do not count. */
export async function run(): Promise<BenchResult[]> {
  const rates = rain()
  const codes = encodeRates(rates)
  const out = new Uint16Array(codes.length)
  const places = Array.from({ length: GAUGES }, (_, g) => ({
    radar: Float64Array.from({ length: STEPS }, (_, i) => 0.3 + 0.2 * Math.sin(i / 9 + g)),
    gauge: Float64Array.from({ length: STEPS }, (_, i) => 0.4 + 0.25 * Math.sin(i / 9 + g)),
  }))
  const gauges = {
    x: Float64Array.from({ length: GAUGES }, (_, g) => (g * 137.5) % SIDE),
    y: Float64Array.from({ length: GAUGES }, (_, g) => (g * 61.8) % SIDE),
  }
  const grid = { nrows: SIDE, ncols: SIDE, x0: 0.5, dx: 1, y0: 0.5, dy: 1 }
  const radar = Float64Array.from(rates)
  const observed = Float64Array.from(
    gauges.x,
    (x, g) => (1.2 + 0.2 * Math.sin(g)) * rates[Math.floor(gauges.y[g]) * SIDE + Math.floor(x)],
  )
  const meanField = () => {
    const rule = { limits: LIMITS, windowSteps: 72, minGauges: 3, mode: 'live' as const }
    const factor = rollingFactor(places, hourlyFactors(places, 3), STEPS, rule)
    scaleByFactor(codes, factor, out)
    encodeClassBlock(out)
  }
  const local = (method: AdjustMethod) => () => {
    const { field } = adjust({ grid, radar, gauges, observed }, { method, limits: LIMITS })
    scaleByCell(codes, ratioOf(field, radar, LIMITS), out)
    encodeClassBlock(out)
  }
  const result = (name: string, work: () => void, aim?: string): BenchResult => ({
    name: `${name}, ${SIDE} x ${SIDE} cells, ${GAUGES} gauges`,
    value: milliseconds(work),
    unit: 'ms',
    ...(aim ? { aim } : {}),
  })
  return [
    result('mean field bias of a live frame', meanField, '≤ 100 ms'),
    result('kriging with external drift of a live frame', local('ked'), '≤ 1000 ms'),
    result('additive', local('additive')),
    result('multiplicative', local('multiplicative')),
    result('mixed', local('mixed')),
  ]
}

/** Rain everywhere, mm/h: no cell is skipped. */
const rain = () =>
  Float32Array.from(
    { length: SIDE * SIDE },
    (_, i) => 4 + 3 * Math.sin((i % SIDE) / 17) * Math.cos(Math.floor(i / SIDE) / 23),
  )

/** Median of some runs after a first that compiles. */
function milliseconds(work: () => void): number {
  work()
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  times.sort((a, b) => a - b)
  return Math.round(times[RUNS >> 1] * 10) / 10
}
