import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountServer, bearer, startAccountServer } from '../testing/account-server.ts'
import { RIGHTS, type Right } from './rights.ts'

/**
 * Walks whatever the rights table declares when it runs: each route as anonymous, signed-in, restricted and
 * manager, and each one that shows a chosen period at the very instants where an account's access begins
 * and ends. A route of restriction `period` that does not take `?p&s&e` needs its line in SAMPLES.
 */

const START = Date.parse('2026-06-01T00:00:00Z')
const END = Date.parse('2026-06-02T00:00:00Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const iso = (ms: number) => new Date(ms).toISOString()
const UUID = '00000000-0000-4000-8000-000000000000'

type Ask = Omit<InjectOptions, 'method' | 'url'> & { params?: Record<string, string> }
interface Sample {
  inside: Ask[]
  outside: Ask[]
}

/** For a route that takes any period. */
const spans = (ask: (s: number, e: number) => Ask): Sample => ({
  inside: [ask(START, END), ask(START + 1, END - 1)],
  outside: [
    ask(START - 1, END),
    ask(START, END + 1),
    ask(START - DAY_MS, START),
    ask(END, END + DAY_MS),
    ask(START - HOUR_MS, END + HOUR_MS),
  ],
})

const query: Record<string, string> = { p: 'dpsri', c: 'melun', lat: '48.54', lng: '2.65', t: 'hyetogram' }
const common = spans((s, e) => ({ query: { ...query, s: iso(s), e: iso(e) } }))
const zarr = (key: string) =>
  spans((s, e) => ({ params: { id: 'dpsri', start: iso(s), end: iso(e), array: 'rain_rate', key } }))
const savedEvent = spans((s, e) => ({
  payload: { title: 'x', product: 'dpsri', selectionDates: { start: iso(s), end: iso(e) } },
}))
/** For a route whose path names the first instant of an hour. */
const hour = (more: Record<string, string>): Sample => {
  const ask = (ms: number): Ask => ({ params: { datetime: iso(ms) }, query: more })
  return {
    inside: [ask(START), ask(END - HOUR_MS)],
    outside: [ask(START - 1), ask(END - HOUR_MS + 1), ask(END)],
  }
}
/** A tile of the standards. */
const TILE = { tileMatrixSet: 'WebMercatorQuad', tileMatrix: '0', tileRow: '0', tileCol: '0' }
/** A period as the standards write it. */
const datetime = (more: Record<string, string>): Sample =>
  spans((s, e) => ({
    params: { id: 'dpsri', location: 'melun', ...TILE },
    query: { ...more, datetime: `${iso(s)}/${iso(e)}` },
  }))
const oneImage = (ms: number): Ask => ({ payload: { product: 'dpsri', date: iso(ms) } })

/** A forecast shows two hours from its issue. */
const issue = (): Sample => {
  const ask = (ms: number): Ask => ({
    query: { lat: '48.54', lng: '2.65', above: '3', c: 'melun', issued: iso(ms) },
  })
  return {
    inside: [ask(START), ask(END - 2 * HOUR_MS)],
    outside: [ask(START - 1), ask(END - 2 * HOUR_MS + 1), ask(END)],
  }
}

/** So does a forecast of floods. */
const flood = (): Sample => {
  const ask = (ms: number): Ask => ({ query: { above: '50', kind: 'cell', name: '1', issued: iso(ms) } })
  return {
    inside: [ask(START), ask(END - 2 * HOUR_MS)],
    outside: [ask(START - 1), ask(END - 2 * HOUR_MS + 1), ask(END)],
  }
}

/** What is forecast from the last moment of a period reaches two hours beyond it. */
function replay(): Sample {
  const ask = (s: number, e: number): Ask => ({ payload: { start: iso(s), end: iso(e) } })
  return {
    inside: [ask(START, END - 2 * HOUR_MS)],
    outside: [ask(START - 1, START + 1), ask(START, END - 2 * HOUR_MS + 1), ask(START, END)],
  }
}

function moment(more: object = {}): Sample {
  const ask = (ms: number): Ask => ({ payload: { ...more, issued: iso(ms) } })
  return {
    inside: [ask(START), ask(END - 2 * HOUR_MS)],
    outside: [ask(START - 1), ask(END - 2 * HOUR_MS + 1), ask(END)],
  }
}

/** Rain as it falls: totals look back, and their periods begin so much earlier. */
function alertReplay(s: number, e: number) {
  const place = { kind: 'zone', catchment: 'melun', subcatchment: null }
  const limits = { threshold: 10, clear: 5, minMinutes: 0 }
  const measure = { kind: 'rain-rate', product: 'dpsri', place }
  return {
    ...{ start: iso(s), end: iso(e), rule: { measure, ...limits } },
    event: { measure, threshold: 10, windowMin: 60 },
  }
}

/** A volume is named by its moment, to the second. */
function volume(): Sample {
  const ask = (ms: number): Ask => ({
    params: {
      id: `dpsri-${iso(ms).replace(/[-:]|\.000/g, '')}`,
      ...{ n: '1', name: 'DBZH', azimuth: '90' },
    },
    query: { name: 'DBZH', azimuth: '90' },
  })
  return { inside: [ask(START), ask(END - 1000)], outside: [ask(START - 1000), ask(END)] }
}

const SAMPLES: Record<string, Sample> = {
  ...Object.fromEntries(
    Object.keys(RIGHTS)
      .filter((key) => key.startsWith('GET /api/radar-volumes/:id'))
      .map((key) => [key, volume()]),
  ),
  'GET /api/nowcast': issue(),
  'GET /api/nowcast/frames': issue(),
  'GET /api/nowcast/place': issue(),
  'GET /api/nowcast/chances': issue(),
  'GET /api/nowcast/motion': issue(),
  'GET /api/nowcast/fan': issue(),
  'GET /api/nowcast/pixel': issue(),
  ...Object.fromEntries(
    Object.keys(RIGHTS)
      .filter((key) => key.startsWith('GET /ogc/features/collections/:id'))
      .map((key) => [key, { inside: [{ params: { id: 'catchments', item: 'melun' } }], outside: [] }]),
  ),
  ...Object.fromEntries(
    ['', '/map/tiles', '/map/tiles/:tileMatrixSet'].map((rest) => [
      `GET /ogc/maps/collections/:id${rest}`,
      { inside: [{ params: { id: 'dpsri', tileMatrixSet: 'WebMercatorQuad' } }], outside: [] },
    ]),
  ),
  'GET /ogc/maps/collections/:id/map': datetime({}),
  'GET /ogc/maps/collections/:id/map/tiles/:tileMatrixSet/:tileMatrix/:tileRow/:tileCol': datetime({}),
  'GET /ogc/edr/collections/:id/locations/:location': datetime({}),
  'GET /ogc/edr/collections/:id/position': datetime({ coords: 'POINT(2.65 48.54)' }),
  'GET /ogc/edr/collections/:id/area': datetime({
    coords: 'POLYGON((2.6 48.5,2.7 48.5,2.7 48.6,2.6 48.5))',
  }),
  'GET /ogc/edr/collections/:id/cube': datetime({ bbox: '2.6,48.5,2.7,48.6' }),
  'GET /ogc/zarr/:id/:start/:end/:key': zarr('.zgroup'),
  'GET /ogc/zarr/:id/:start/:end/:array/:key': zarr('.zarray'),
  'GET /ogc/edr/collections/:id/trajectory': datetime({ coords: 'LINESTRING(2.6 48.5,2.7 48.6)' }),
  ...Object.fromEntries(
    ['cycle', 'network', 'chances', 'fan'].map((call) => [`GET /api/ahead/:catchmentId/${call}`, flood()]),
  ),
  'PUT /api/users/events': savedEvent,
  'PUT /api/users/events/:id': savedEvent,
  // A civil day on the edge is cut to the part inside; one beyond has nothing left.
  'GET /api/mrr/day/:day': {
    inside: [{ params: { day: '2026-06-01' } }],
    outside: [{ params: { day: '2026-05-31' } }, { params: { day: '2026-06-03' } }],
  },
  'GET /api/mrr/hour/:datetime': hour({ v: 'LWC' }),
  'GET /api/mrr/export/:datetime': hour({ v: 'LWC', format: 'csv' }),
  'POST /api/job/exportgeotiff': {
    inside: [oneImage(START), oneImage(END - 1)],
    outside: [oneImage(START - 1), oneImage(END)],
  },
  'GET /api/multihydro/rains/gauge': spans((s, e) => ({ query: { g: 'none', s: iso(s), e: iso(e) } })),
  'POST /api/job/nowcast': replay(),
  'POST /api/job/reprocessing': spans((s, e) => ({
    payload: { source: 'dpsri', name: 'autre', start: iso(s), end: iso(e) },
  })),
  'GET /api/reprocessing/:name/comparison': spans((s, e) => ({
    params: { name: 'autre' },
    query: { s: iso(s), e: iso(e) },
  })),
  'POST /api/job/alert-replay': spans((s, e) => ({ payload: alertReplay(s, e) })),
  'POST /api/job/what-if': moment({ catchmentId: 'melun', luseId: null, settings: [] }),
  'POST /api/job/nowcast/moment': moment(),
  'POST /api/job/exportgrid': spans((s, e) => ({
    payload: { product: 'dpsri', start: iso(s), end: iso(e), format: 'zarr' },
  })),
}

/** Routes whose period needs more than a call to be asked for, and where it is proved. */
const ELSEWHERE: Record<string, string> = {
  ...Object.fromEntries(
    Object.keys(RIGHTS)
      .filter((key) =>
        /^GET \/api\/(job\/output\/:jobId|reports\/run|multihydro\/file\/(:jobId|nodepath))/.test(key),
      )
      .map((key) => [key, 'simulation/rain-dates.db.test.ts: needs a finished run']),
  ),
  ...Object.fromEntries(
    Object.keys(RIGHTS)
      .filter((key) => RIGHTS[key].restriction === 'period' && key.includes(' /api/networks/'))
      .map((key) => [key, 'networks/networks.db.test.ts: needs a network']),
  ),
  ...Object.fromEntries(
    Object.keys(RIGHTS)
      .filter((key) => RIGHTS[key].access === 'mixed' && RIGHTS[key].restriction === 'period')
      .map((key) => [
        key,
        'ogc/features/features.db.test.ts, ogc/stac/stac.db.test.ts: needs a finished run',
      ]),
  ),
  'GET /ogc/wms': 'ogc/wms/wms.db.test.ts: a frame is asked for by its moment',
  ...Object.fromEntries(
    Object.keys(RIGHTS)
      .filter((key) => key.startsWith('GET /ogc/wmts'))
      .map((key) => [key, 'ogc/maps/maps.db.test.ts: a frame is asked for by its moment']),
  ),
  'POST /api/multihydro/batteries': 'simulation/rain/own/own-rains.db.test.ts: needs an imported catchment',
  'POST /api/calibrations': 'simulation/rain-dates.db.test.ts: needs a finished run',
  'POST /api/calibrations/:id/resume': 'simulation/rain-dates.db.test.ts: needs a fit',
  'POST /api/job/multihydro': 'simulation/simulation.db.test.ts: needs an imported catchment',
  'GET /images/exportgeotiff/:result': 'exports/exports.db.test.ts: needs a finished job',
  'GET /images/exportgrid/:result': 'exports/exports.db.test.ts: needs a finished job',
}

const rows = Object.entries(RIGHTS)
  .filter(([key]) => !key.endsWith('*'))
  .map(([key, right]): [string, Right] => [key, right])
const periodRows = rows.filter(([key, right]) => right.restriction === 'period' && !(key in ELSEWHERE))

let server: AccountServer
let tokens: Record<'user' | 'restricted' | 'manager' | 'restrictedManager', string>
beforeAll(async () => {
  server = await startAccountServer()
  const dates = { restrictionStart: new Date(START), restrictionEnd: new Date(END) }
  tokens = {
    user: await server.signIn('simple'),
    restricted: await server.signIn('restreint', dates),
    manager: await server.signIn('gestionnaire', { roles: ['manager'] }),
    restrictedManager: await server.signIn('bridé', { roles: ['manager'], ...dates }),
  }
})
afterAll(() => server?.close())

async function call(key: string, token: string | null, ask: Ask = (SAMPLES[key] ?? common).inside[0]) {
  const [method, path] = key.split(' ')
  const { params, ...rest } = ask
  const url = path
    .replace(':day', params?.day ?? '2026-06-01')
    .replace(':month', '2026-06')
    .replace(':datetime', encodeURIComponent(params?.datetime ?? iso(START)))
    .replace(/:(\w+)/g, (_, name) => params?.[name] ?? UUID)
  return server.app.inject({
    method: method as 'GET',
    url,
    headers: token === null ? {} : bearer(token),
    ...(method === 'GET' || method === 'DELETE' || rest.payload ? {} : { payload: {} }),
    ...rest,
  })
}

test('every call is told under a heading of the calls’ page, with what it does', async () => {
  const { paths } = (await server.app.inject('/api/openapi.json')).json()
  const untold = Object.entries<Record<string, { summary?: string; tags?: string[] }>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([, { summary, tags }]) => !summary || tags?.length !== 1)
        .map(([method]) => `${method} ${path}`),
  )
  expect(untold).toEqual([])
  expect(Object.keys(paths).length).toBeGreaterThan(50)
})

describe('[AUTH-30] the rights table', () => {
  test.each(rows)('%s has a route', (key) => {
    const [method, url] = key.split(' ')
    expect(server.app.hasRoute({ method: method as 'GET', url })).toBe(true)
  })

  // Map services answer documents of their own: ogc/wms/wms.db.test.ts, ogc/maps/maps.db.test.ts.
  const inJson = rows.filter(([key]) => !/^GET \/ogc\/wmt?s/.test(key))
  test.each(inJson)('[AUTH-28] %s answers anonymous visitors as declared', async (key, { access }) => {
    const answer = await call(key, null)
    // The sample's period is long past the live window.
    if (access !== 'public' && access !== 'mixed') {
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toMatchObject({
        code: 'auth.required',
        message: expect.stringMatching(/session/),
      })
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    } else expect(codeOf(answer)).not.toBe('auth.required')
  })

  // Spelt out: the table itself is what is tested.
  test.each([
    'GET /api/jobs/multihydro',
    'POST /api/job/multihydro',
    'GET /api/multihydro/catchments',
    'GET /api/multihydro/files',
    'GET /api/multihydro/file/:id/dataJson',
    'GET /api/multihydro/file/:jobId/output',
  ])(
    '[AUTH-32] %s, of the list and the form of simulations, is closed to anonymous visitors',
    async (key) => {
      expect(rows.map(([row]) => row)).toContain(key)
      expect((await call(key, null)).statusCode).toBe(401)
    },
  )

  test.each(rows.filter(([key]) => key !== 'POST /api/users/logout'))(
    '[AUTH-29] %s opens to whoever may call it, and to nobody below',
    async (key, { access }) => {
      const refused = (code: unknown) =>
        typeof code === 'string' && /^auth\.(required|expired|manager)$/.test(code)
      const codeFor = async (token: string) => codeOf(await call(key, token))
      expect(refused(await codeFor(tokens.user))).toBe(access === 'manager')
      expect(refused(await codeFor(tokens.manager))).toBe(false)
    },
  )

  test.each(rows.filter(([, right]) => right.access === 'session' || right.access === 'manager'))(
    '%s refuses a token that is no longer one, and is kept in no shared cache',
    async (key) => {
      expect((await call(key, 'a'.repeat(43))).statusCode).toBe(401)
      // Signing out ends the session that the others need.
      if (key === 'POST /api/users/logout') return
      expect((await call(key, tokens.manager)).headers['cache-control']).toMatch(/no-store|private/)
    },
  )
})

describe('[AUTH-22] date restrictions', () => {
  test.each(periodRows)('%s stops at the account’s dates, to the millisecond', async (key, { access }) => {
    const token = access === 'manager' ? tokens.restrictedManager : tokens.restricted
    const { inside, outside } = SAMPLES[key] ?? common
    for (const ask of inside)
      expect(['auth.period', 'request.invalid'], says(ask)).not.toContain(codeOf(await call(key, token, ask)))
    for (const ask of outside) {
      const answer = await call(key, token, ask)
      // Refused, or cut down to nothing.
      if (answer.body !== '[]') expect(codeOf(answer), says(ask)).toBe('auth.period')
    }
  })

  test.each(periodRows)('%s leaves accounts without dates alone, and checks what it sends', async (key) => {
    const { inside, outside } = SAMPLES[key] ?? common
    for (const token of [tokens.user, tokens.manager])
      for (const ask of [inside[0], outside[0]]) {
        const code = codeOf(await call(key, token, ask))
        expect(code, says(ask)).not.toBe('auth.period')
        expect(code, says(ask)).not.toBe('rights.unchecked')
      }
  })
})

const says = ({ params, query: asked, payload }: Ask) => JSON.stringify({ ...params, query: asked, payload })

function codeOf(answer: { body: string; headers: Record<string, unknown> }): unknown {
  if (!String(answer.headers['content-type']).startsWith('application/json')) return null
  const body = JSON.parse(answer.body || 'null')
  return body && typeof body === 'object' && 'code' in body ? body.code : null
}
