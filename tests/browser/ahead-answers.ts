import {
  type AheadCycle,
  type AheadFan,
  aheadCycleSchema,
  aheadCyclesSchema,
  aheadFanSchema,
  aheadNetworkSchema,
  aheadOverviewSchema,
  aheadScoresSchema,
} from '@radx/contracts'
import type { Page } from 'playwright-core'

const NOW_MS = Date.parse('2026-06-15T16:10:00Z')
const ISSUED = '2026-06-15T16:05:00.000Z'
const BEFORE = '2026-06-15T15:58:00.000Z'
const after = (minutes: number) => new Date(Date.parse(ISSUED) + 60_000 * minutes).toISOString()
const TIMES = [10, 20, 30].map(after)
const GRID = { nrows: 21, ncols: 21 }
/** Where most members see water at the second moment: in the middle. */
export const WORST_CELL = 10 * GRID.ncols + 10

const head = (issued: string) => ({
  ...{ issued, status: 'done' as const, reason: null, dry: false, finished: after(2), delayS: 42 },
  ...{ skipped: 1, missingShare: 0.2 },
})

const watch = (one: Partial<AheadCycle['watch'][number]>) => ({
  ...{ kind: 'street' as const, name: '1', cell: -1, lat: 48.54, lng: 2.66, cells: 1, depthMm: 0 },
  ...{ ground: null, near: null, percent: 0, fromMin: 10, gravity: 1 },
  ...one,
})

const cycle = (issued: string) =>
  aheadCycleSchema.parse({
    ...head(issued),
    catchment: { id: 'melun', display: 'Melun' },
    place: {
      ...{ ...GRID, cellSizeM: 10, crs: 'EPSG:2154', xll: 0, yll: 0 },
      corners: { sw: [2.65, 48.53], se: [2.67, 48.53], ne: [2.67, 48.55], nw: [2.65, 48.55] },
    },
    ...{
      members: 20,
      alike: false,
      times: TIMES,
      rainUntil: TIMES[1],
      method: 'moved',
      unknownShare: [0, 0.4, 0],
    },
    rainMmH: [30, 12, 0].map((value) => ({ value, p10: value / 2, p50: value, p90: 2 * value })),
    watch: [
      watch({ kind: 'link', name: 'C-1', percent: 96, fromMin: 10 }),
      watch({ kind: 'node', name: 'J-1', percent: 55, fromMin: 20, gravity: 2 }),
      watch({
        cell: WORST_CELL,
        cells: 3,
        depthMm: 500,
        ground: 'Route',
        percent: 65,
        fromMin: 20,
        gravity: 3,
      }),
    ],
    counts: [
      { kind: 'street', certain: 0, likely: 1, possible: 0 },
      { kind: 'node', certain: 0, likely: 1, possible: 0 },
      { kind: 'link', certain: 1, likely: 0, possible: 0 },
    ],
    links: [{ name: 'C-1', percent: [96, 96, 20] }],
    nodes: [{ name: 'J-1', percent: [0, 55, 10] }],
    worst: [{ depthMm: 50, cells: 3, percent: 1 }],
  })

const UNITS = { cell: 'mm', node: 'm', link: 'share' } as const

function fan(kind: AheadFan['kind'], name: string): AheadFan {
  const values = TIMES.map((time, k) => ({ time, value: k, p10: 0, p50: k, p90: 2 * k, percent: 50 }))
  return aheadFanSchema.parse({ kind, name, unit: UNITS[kind], limit: 1, values })
}

/** Answers the calls of the screen of flood forecasts with those of a town in a storm, which a server takes a minute for. */
export async function answerFloods(page: Page): Promise<void> {
  const overview = aheadOverviewSchema.parse({
    now: new Date(NOW_MS).toISOString(),
    catchments: [
      {
        ...{ id: 'melun', display: 'Melun', enabled: true, newest: head(ISSUED), current: null },
        ...{ failed: null, wait: null, newestFrame: ISSUED },
      },
    ],
  })
  const network = aheadNetworkSchema.parse({
    nodes: [
      { name: 'J-1', lat: 48.545, lng: 2.655 },
      { name: 'J-2', lat: 48.545, lng: 2.665 },
    ],
    links: [{ name: 'C-1', kind: 'conduit', from: 0, to: 1 }],
  })
  const reliability = [0, 0.5, 1].map((forecast) => ({ forecast, observed: forecast, count: 10 }))
  const scores = aheadScoresSchema.parse({
    leads: [15, 30, 60].map((leadMin) => ({ leadMin, cycles: 6, brierSkill: 0.4, reliability })),
  })
  const chances = Buffer.alloc(GRID.nrows * GRID.ncols * TIMES.length)
  chances[GRID.nrows * GRID.ncols + WORST_CELL] = 65
  await page.route(
    ({ pathname }) => pathname === '/api/ahead' || pathname.startsWith('/api/ahead/'),
    (route) => {
      const { pathname, searchParams } = new URL(route.request().url())
      const issued = searchParams.get('issued') ?? ISSUED
      const answers: Record<string, () => object> = {
        ahead: () => overview,
        cycles: () => aheadCyclesSchema.parse({ cycles: [ISSUED, BEFORE].map(head) }),
        cycle: () => cycle(issued),
        network: () => network,
        scores: () => scores,
        fan: () => fan(searchParams.get('kind') as AheadFan['kind'], searchParams.get('name')!),
      }
      const part = pathname.split('/').at(-1)!
      return part === 'chances'
        ? route.fulfill({ body: chances, contentType: 'application/octet-stream' })
        : route.fulfill({ json: answers[part]() })
    },
  )
}
