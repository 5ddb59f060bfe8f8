import { randomUUID } from 'node:crypto'
import { EV7, type Job, type SavedEvent, type SimulationListItem } from '@radx/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RIGHTS } from '../http/rights.ts'
import { jobKinds } from '../job-kinds.ts'
import { JobQueue } from '../jobs/queue.ts'
import { type AccountServer, bearer, startAccountServer } from '../testing/account-server.ts'

const DATES = {
  restrictionStart: new Date('2026-06-01T00:00:00Z'),
  restrictionEnd: new Date('2026-06-02T00:00:00Z'),
}
const HIDDEN = 'Pluie hors des dates de votre compte'
const SPARKLINE = [0, 12.5, 3]
/** What fell in the days before, as the archive tells it. */
const SOIL = { choice: 'archive', state: 'wet', depthMm: 41.5, knownShare: 1, end: '2026-05-20T00:00:00Z' }

describe('[AUTH-22] rain of the radar in what others made of it', () => {
  let server: AccountServer
  let queue: JobQueue
  let tokens: Record<'free' | 'restricted' | 'manager', string>
  const runs: Record<string, string> = {}
  const exports: Record<string, string> = {}

  const insert = async (kind: string, input: object, result: unknown) => {
    const { id } = await server.deps.db
      .insertInto('job')
      .values({
        id: randomUUID(),
        kind,
        username: 'libre',
        status: 'done',
        input: JSON.stringify(input),
        result: JSON.stringify(result) as never,
        finished_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const run = (rainfallSelection: string, rainfallStart: string, rainfallEnd: string, more: object = {}) =>
    insert(
      'multihydro',
      {
        title: rainfallSelection,
        catchmentId: 'petit',
        catchmentDisplay: 'Petit',
        caseStudyId: '',
        barrier: 'false',
        barrierHeight: '0',
        bassin: 'false',
        bassinDepth: '0',
        greenRoof: 'false',
        soilModule: 'true',
        drainageModule: 'true',
        luseId: randomUUID(),
        luseIdSource: randomUUID(),
        luseDesc: '',
        rainfallSelection,
        rainfallStart,
        rainfallEnd,
        simulationDuration: 1,
        virtualRainShape: null,
        virtualParam: null,
        virtualData: [],
        product: null,
        ...more,
      },
      { rainSparkline: SPARKLINE, balance: { rainM3: 1234 } },
    )

  beforeAll(async () => {
    server = await startAccountServer(
      { DEMO: '0' },
      {
        jobs: { queue: () => queue, starting: () => false },
      },
    )
    queue = new JobQueue(server.deps.db, undefined as never, jobKinds, () => new Date())
    tokens = {
      free: await server.signIn('libre'),
      restricted: await server.signIn('restreint', DATES),
      manager: await server.signIn('cheffe', { roles: ['manager'], ...DATES }),
    }
    runs.inside = await run('radar', '2026-06-01T10:00:00Z', '2026-06-01T12:00:00Z')
    runs.outside = await run('radar', '2026-06-01T23:00:00Z', '2026-06-02T01:00:00Z')
    runs.ev7 = await run('ev7', EV7.start, EV7.end)
    runs.virtual = await run('virtual', '2019-12-31T23:00:00Z', '2020-01-01T01:00:00Z')
    runs.soil = await run('virtual', '2019-12-31T23:00:00Z', '2020-01-01T01:00:00Z', {
      soilBefore: SOIL,
    })
    exports.outside = await insert(
      'exportgeotiff',
      { product: 'dpsri', date: '2026-06-02T00:00:00Z' },
      'a.tif',
    )
    exports.inside = await insert(
      'exportgeotiff',
      { product: 'dpsri', date: '2026-06-01T23:59:59Z' },
      'b.tif',
    )
  })
  afterAll(() => server?.close())

  const call = (url: string, token: string) => server.app.inject({ url, headers: bearer(token) })

  test('a fit stands on no rain outside the dates, neither when it begins nor when it goes on', async () => {
    const post = (url: string, token: string, payload: object = {}) =>
      server.app.inject({ method: 'POST', url, headers: bearer(token), payload })
    const body = (jobId: string) => ({
      name: 'Calage',
      catchmentId: 'petit',
      events: [{ jobId, use: 'calibration' }],
      observations: [randomUUID()],
      parameters: [{ kind: 'sewerRoughness', min: 0.5, max: 2 }],
      objective: 'nse',
      runs: 20,
      seed: 1,
    })
    const begun = await post('/api/calibrations', tokens.restricted, body(runs.outside))
    expect([begun.statusCode, begun.json().code]).toEqual([403, 'auth.period'])
    for (const id of [runs.inside, runs.virtual]) {
      const other = await post('/api/calibrations', tokens.restricted, body(id))
      expect(other.json().code).not.toBe('auth.period')
    }
    const { input } = await server.deps.db
      .selectFrom('job')
      .select('input')
      .where('id', '=', runs.outside)
      .executeTakeFirstOrThrow()
    const events = [{ jobId: runs.outside, title: 'x', use: 'calibration', input, scheme: 'inertial' }]
    const { id } = await server.deps.db
      .insertInto('calibration')
      .values({
        username: 'restreint',
        catchment_id: 'petit',
        name: 'Calage',
        config: JSON.stringify({ ...body(runs.outside), events }) as never,
        task_hash: null,
        fitted: null,
        result: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const resumed = await post(`/api/calibrations/${id}/resume`, tokens.restricted)
    expect([resumed.statusCode, resumed.json().code]).toEqual([403, 'auth.period'])
  })

  test('the list keeps such runs, without their rain and with the reason', async () => {
    const list = async (token: string) =>
      (await call('/api/jobs/multihydro', token)).json() as SimulationListItem[]
    for (const { id, rainSparkline, rainWithheld } of await list(tokens.restricted)) {
      const seen = id === runs.inside || id === runs.virtual
      expect([rainSparkline, rainWithheld]).toEqual(seen ? [SPARKLINE, null] : [[], HIDDEN])
    }
    for (const { rainSparkline } of await list(tokens.free)) expect(rainSparkline).toEqual(SPARKLINE)
  })

  test('a job keeps its result and log to those whose dates hold its rain', async () => {
    const result = async (id: string, token: string) =>
      ((await call(`/api/job/${id}`, token)).json() as Job).result
    for (const id of [runs.outside, runs.ev7]) {
      expect(await result(id, tokens.restricted)).toBeNull()
      expect(await result(id, tokens.manager)).toBeNull()
      expect(await result(id, tokens.free)).toMatchObject({ rainSparkline: SPARKLINE })
    }
    for (const id of [runs.inside, runs.virtual])
      expect(await result(id, tokens.restricted)).toMatchObject({ rainSparkline: SPARKLINE })
  })

  test('what the archive told of the days before goes with the rain', async () => {
    const told = async (token: string) => [
      ((await call('/api/jobs/multihydro', token)).json() as SimulationListItem[]).find(
        ({ id }) => id === runs.soil,
      )?.input.soilBefore,
      ((await call(`/api/job/${runs.soil}`, token)).json() as Job).input.soilBefore,
      (
        (await call(`/api/jobs/multihydro/similar/${runs.virtual}`, token)).json() as SimulationListItem[]
      ).find(({ _id }) => _id === runs.soil)?.input.soilBefore,
    ]
    expect(await told(tokens.free)).toEqual([SOIL, SOIL, SOIL])
    expect(await told(tokens.restricted)).toEqual([undefined, undefined, undefined])
  })

  const results = Object.keys(RIGHTS).filter((key) =>
    /^GET \/api\/(job\/output\/:jobId|reports\/run\/:jobId|multihydro\/file\/(:jobId|nodepath))/.test(key),
  )
  test('every call of a result has its line here', () => expect(results.length).toBeGreaterThan(9))
  test.each(results)('%s is held against the dates', async (key) => {
    const ask = async (id: string, token: string, reference = '') => {
      const path = key
        .replace('GET ', '')
        .replace(':jobId', id)
        .replace(':name', 'run.json')
        .replace(':file', 'report.pdf')
        .replace(':map', 'hauteur')
      const place = 'at=0&row=0&col=0&x1=0&y1=0&x2=1&y2=1'
      const query = `jobId=${id}&nodePath=a,b&outputType=x&from=0&to=1&kind=link&name=a&of=p50&${place}${reference}`
      return (await call(`${path}?${query}`, token)).json().code
    }
    for (const id of [runs.outside, runs.ev7]) {
      expect(await ask(id, tokens.restricted)).toBe('auth.period')
      expect(await ask(id, tokens.manager)).toBe('auth.period')
      expect(await ask(id, tokens.free)).not.toMatch(/auth|rights/)
    }
    for (const id of [runs.inside, runs.virtual])
      expect(await ask(id, tokens.restricted)).not.toMatch(/auth|rights/)
    if (/max-depth/.test(key))
      expect(await ask(runs.inside, tokens.restricted, `&reference=${runs.outside}`)).toBe('auth.period')
  })

  test('a manager with dates fetches no export of other dates, whoever made it', async () => {
    const code = async (name: string) =>
      (await call(`/images/exportgeotiff/${name}`, tokens.manager)).json().code
    expect(await code('a.tif')).toBe('auth.period')
    expect(await code('b.tif')).toBe('request.notFound')
    const result = async (id: string) => ((await call(`/api/job/${id}`, tokens.manager)).json() as Job).result
    expect([await result(exports.outside), await result(exports.inside)]).toEqual([null, 'b.tif'])
  })

  test('a saved event no longer tells its cumul once the account’s dates were narrowed', async () => {
    const event = {
      username: 'restreint',
      title: 'orage',
      product: 'dpsri',
      catchment: 'melun',
      subcatchment: null,
      cumul_mm: 42,
      comment: '',
    }
    const period = (day: string) => ({
      period_start: new Date(`2026-06-0${day}T00:00:00Z`),
      period_end: new Date(`2026-06-0${day}T06:00:00Z`),
    })
    await server.deps.db
      .insertInto('saved_event')
      .values([
        { ...event, ...period('1') },
        { ...event, ...period('2') },
      ])
      .execute()
    const seen = ((await call('/api/users/events', tokens.restricted)).json() as SavedEvent[])
      .sort((a, b) => a.selectionDates.start.localeCompare(b.selectionDates.start))
      .map(({ cumul, cumulWithheld }) => [cumul, cumulWithheld])
    expect(seen).toEqual([
      [42, undefined],
      [null, true],
    ])
  })
})
