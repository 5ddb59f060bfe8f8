import { encodeRates } from '@radx/rainfall'
import { encodeClassBlock } from '@radx/rainfall/class-bundle'
import { type AdjustMethod, adjust } from '@radx/rainfall/gauges/adjust'
import { hourlyFactors, rollingFactor } from '@radx/rainfall/gauges/rolling-bias'
import { adjustedCodes, prepare } from '../apps/server/src/gauges/adjustment.ts'
import { ratioOf, scaleByCell, scaleByFactor } from '../apps/server/src/gauges/scaled-codes.ts'
import { Gauges } from '../apps/server/src/gauges/service.ts'
import type { Session } from '../apps/server/src/http/sessions.ts'
import type { BenchResult } from '../tools/bench.ts'
import { DAY_MS, END, gaugesOf, openArchive, STEP_MS } from './archive-fixture.ts'

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
  const result = async (name: string, work: () => void, aim?: string): Promise<BenchResult> => ({
    name: `${name}, ${SIDE} x ${SIDE} cells, ${GAUGES} gauges`,
    value: await millisecondsOf(work),
    unit: 'ms',
    ...(aim ? { aim } : {}),
  })
  return [
    await result('mean field bias of a live frame', meanField, '≤ 100 ms'),
    await result('kriging with external drift of a live frame', local('ked'), '≤ 1000 ms'),
    await result('additive', local('additive')),
    await result('multiplicative', local('multiplicative')),
    await result('mixed', local('mixed')),
    ...(await fromArchive()),
  ]
}

/** Days of frames that live frames are taken from. */
const DAYS = 3

/** The same with all that a server reads for it, frame after frame as they come. */
async function fromArchive(): Promise<BenchResult[]> {
  const { deps, store, close } = await openArchive(DAYS)
  try {
    await gaugesOf({ deps, store, close }, GAUGES, { startMs: END - DAYS * DAY_MS, endMs: END })
    const session = { userId: 'b', name: 'b', roles: ['manager'], restriction: null } as Session
    const gauges = (await new Gauges(deps).visible(session)).filter(({ owner }) => owner === 'user')
    const product = store.catalog.products.get('dpsri')!
    const places = await store.index.places(product, { startMs: END - DAY_MS, endMs: END })
    const results: BenchResult[] = []
    for (const [method, name, aim] of [
      ['mfb', 'mean field bias', '≤ 100 ms'],
      ['ked', 'kriging with external drift', '≤ 1000 ms'],
    ] as const) {
      let next = 0
      const value = await millisecondsOf(async () => {
        const { timeMs } = places[next++]
        const span = { startMs: timeMs, endMs: timeMs + STEP_MS / 2 }
        const allowed = { startMs: 0, endMs: END }
        const asked = { product: 'dpsri', span, period: span, allowed, method, mode: 'live' as const, gauges }
        const made = await prepare({ db: deps.db, store, site: deps.site }, asked, false)
        for await (const codes of adjustedCodes({ db: deps.db, store, site: deps.site }, made, span))
          encodeClassBlock(codes)
        if (made.about.unchanged) throw new Error(`${method}: ${made.about.unchanged}`)
      })
      results.push({
        name: `${name} of a live frame out of the archive, ${gauges.length} gauges`,
        value,
        unit: 'ms',
        note: `${product.steps} x ${product.steps} cells, six hours before it read as they move on`,
        aim,
      })
    }
    return results
  } finally {
    await close()
  }
}

/** Rain everywhere, mm/h: no cell is skipped. */
const rain = () =>
  Float32Array.from(
    { length: SIDE * SIDE },
    (_, i) => 4 + 3 * Math.sin((i % SIDE) / 17) * Math.cos(Math.floor(i / SIDE) / 23),
  )

/** Median of some runs after a first that compiles. */
async function millisecondsOf(work: () => void | Promise<void>): Promise<number> {
  await work()
  const times: number[] = []
  for (let i = 0; i < RUNS; i++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  times.sort((a, b) => a - b)
  return Math.round(times[RUNS >> 1] * 10) / 10
}
