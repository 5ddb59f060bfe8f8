import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Calibration,
  type CalibrationTrials,
  type LuseConfig,
  type LuseData,
  type Observation,
  type ObservedRuns,
  ROLE_MANAGER,
  VIRTUAL_START,
} from '@radx/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App, Deps } from '../../http/app.ts'
import { createApp } from '../../http/create-app.ts'
import type { Session } from '../../http/sessions.ts'
import { registerJobs } from '../../jobs/routes.ts'
import { Jobs } from '../../jobs/service.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../../testing/deps.ts'
import { CatchmentLibrary } from '../catchment/library.ts'
import { multihydro } from '../multihydro.ts'
import { registerSimulation } from '../routes.ts'
import { formDataOf, runFields, virtualRainFields } from '../testing/run-form.ts'
import { writeTwinTown } from '../testing/twin.ts'
import { calibrationJob } from './job.ts'

const session = (name: string, roles: string[] = []): Session => ({
  userId: name,
  name,
  roles,
  restriction: null,
})

describe('measurements and fits', () => {
  let database: TestDatabase
  let app: App
  let deps: Deps
  let jobs: Jobs
  let luseId: string
  let codes: LuseConfig[]
  const dir = mkdtempSync(join(tmpdir(), 'radx-calibration-db-'))
  const tokens = new Map([
    ['u', session('ursule')],
    ['v', session('victor')],
    ['m', session('chef', [ROLE_MANAGER])],
  ])

  beforeAll(async () => {
    database = await createTestDatabase()
    const config = testConfig({
      DATA_DIR: dir,
      RADX_WORKERS: '1',
      DATABASE_URL: database.url,
      QUOTA_OBSERVATIONS: '2',
    })
    const base = await testDeps({
      config,
      database: handleOf(database),
      sessions: { resolve: async (token: string) => tokens.get(token) ?? null },
      clock: { now: () => Date.now() },
    })
    await new CatchmentLibrary(base.db, base.config).import(writeTwinTown(join(dir, 'town'), 10))
    const kindsModule = new URL('../../job-kinds.ts', import.meta.url).href
    jobs = new Jobs({
      deps: base,
      kinds: [multihydro as never, calibrationJob as never],
      kindsModule,
      work: true,
    })
    jobs.start()
    await jobs.ready()
    deps = { ...base, jobs }
    app = await createApp(deps, { features: [registerSimulation, registerJobs] })
    luseId = (await call('GET', '/api/multihydro/files?c=jumeau&n=luse.asc')).body[0]._id
    const data: LuseData = (await call('GET', `/api/multihydro/file/${luseId}/dataJson?allCodes=true`)).body
    codes = data.codes as LuseConfig[]
  })
  afterAll(async () => {
    await app?.close()
    await jobs?.stop()
    await database?.drop()
    rmSync(dir, { recursive: true, force: true })
  })

  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, token = 'u') => {
    const response = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { payload: body }),
    })
    return { status: response.statusCode, body: response.body === '' ? null : response.json() }
  }
  const until = async <T>(look: () => Promise<T>, done: (seen: T) => boolean): Promise<T> => {
    for (let i = 0; i < 1_200; i++) {
      const seen = await look()
      if (done(seen)) return seen
      await sleep(50)
    }
    throw new Error('it never came')
  }
  const run = async (title: string, iMax: number, changes: Record<string, string> = {}) => {
    const fields = {
      ...runFields({ catchmentId: 'jumeau', luseId, codes }),
      ...virtualRainFields({ d: 30, t: 10, iMax, calmAfter: 60 }),
      title,
      ...changes,
    }
    const request = new Request('http://x', { method: 'POST', body: formDataOf(fields) })
    const response = await app.inject({
      method: 'POST',
      url: '/api/job/multihydro',
      headers: { authorization: 'Bearer u', 'content-type': request.headers.get('content-type')! },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    if (response.statusCode !== 200) return { status: response.statusCode, body: response.json() }
    const { jobId } = response.json()
    const job = await until(
      async () => (await call('GET', `/api/job/${jobId}`)).body,
      ({ status }) => status === 'done' || status === 'error',
    )
    expect(job.error).toBeNull()
    return { status: 200, body: job }
  }
  /** A bell over the time of virtual rain, as a French logger writes it; an hour without values at the end. */
  const csv = (peak: number) => {
    const lines = Array.from({ length: 100 }, (_, k) => {
      const at = new Date(Date.parse(VIRTUAL_START) + k * 60_000 + 3_600_000)
      const text = at.toISOString().slice(0, 16).replace('T', ' ')
      const value =
        k % 10 === 9 ? '' : (peak * Math.exp(-(((k - 30) / 12) ** 2))).toFixed(3).replace('.', ',')
      return `${text};${value};1`
    })
    return ['Date;Débit (l/s);Autre', ...lines].join('\r\n')
  }
  const file = (peak: number) => ({ fileName: 'débits.csv', csv: csv(peak), timeZone: '+01:00' })
  const observation = (name: string, changes: object = {}) => ({
    ...file(40),
    catchmentId: 'jumeau',
    name,
    column: 'Débit (l/s)',
    place: { kind: 'link', name: 'C-3' },
    quantity: 'flow',
    unit: 'l/s',
    ...changes,
  })
  let kept: Observation
  const runs: Record<string, string> = {}

  test('a file tells what it holds before anything is kept', async () => {
    const { status, body } = await call('POST', '/api/observations/columns', file(40))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      first: new Date(VIRTUAL_START).toISOString(),
      count: 100,
      stepS: 60,
      gaps: 0,
    })
    expect(body.columns[0]).toEqual({ name: 'Débit (l/s)', unit: 'l/s', quantity: 'flow', missing: 10 })
    const bad = await call('POST', '/api/observations/columns', { ...file(1), csv: 'a;b\n1;2\n' })
    expect(bad.status).toBe(422)
    expect(bad.body.message).toMatch(/colonne de temps/)
    expect((await call('GET', '/api/observations?catchmentId=jumeau')).body).toEqual([])
  })

  test('series are kept by account, with their quota, and deleted', async () => {
    const { status, body } = await call('POST', '/api/observations', observation('Exutoire'))
    expect(status).toBe(200)
    kept = body
    expect(kept).toMatchObject({ username: 'ursule', count: 100, missing: 10, unit: 'l/s' })
    const second = await call(
      'POST',
      '/api/observations',
      observation('Amont', { place: { kind: 'link', name: 'C-1' } }),
    )
    const third = await call('POST', '/api/observations', observation('De trop'))
    expect([third.status, third.body.code]).toEqual([409, 'quota.reached'])
    const wrong = await call(
      'POST',
      '/api/observations',
      observation('Rien', { place: { kind: 'node', name: 'J-1' } }),
      'v',
    )
    expect(wrong.status).toBe(422)
    expect((await call('GET', '/api/observations?catchmentId=jumeau', undefined, 'v')).body).toEqual([])
    const theirs = `/api/observations/${second.body.id}`
    expect((await call('DELETE', theirs, undefined, 'v')).status).toBe(404)
    expect((await call('DELETE', theirs)).status).toBe(204)
    expect((await call('GET', '/api/observations?catchmentId=jumeau')).body).toHaveLength(1)
  })

  test('they lie over a finished run, with scores over the stated period', async () => {
    runs.first = (await run('Premier', 120)).body.id
    runs.second = (await run('Second', 100)).body.id
    const path = `/api/multihydro/file/${runs.first}/observations`
    const seen: ObservedRuns = (await call('GET', path)).body
    const [series] = seen.series
    expect(seen.series).toHaveLength(1)
    expect(series.problem).toBeNull()
    expect(series.measured[30]).toBeCloseTo(0.04, 9)
    expect(series.measured[9]).toBeNull()
    expect(series.scores).toMatchObject({ pairs: expect.any(Number), peakMeasured: expect.closeTo(0.04, 9) })
    expect(series.simulated.filter((value) => value !== null && value > 0).length).toBeGreaterThan(50)
    const from = new Date(Date.parse(VIRTUAL_START) + 40 * 60_000).toISOString()
    const late: ObservedRuns = (await call('GET', `${path}?start=${from}`)).body
    expect(late.series[0].scores!.pairs).toBeLessThan(series.scores!.pairs - 30)
    expect((await call('GET', path, undefined, 'v')).body.series).toEqual([])
  })

  test('a fit is cancelled, resumed where it was, and becomes a set that a run names', {
    timeout: 120_000,
  }, async () => {
    const body = {
      name: 'Calage d’essai',
      catchmentId: 'jumeau',
      events: [
        { jobId: runs.first, use: 'calibration' },
        { jobId: runs.second, use: 'validation' },
      ],
      observations: [kept.id],
      parameters: [
        { kind: 'roughness', code: 3, min: 0.05, max: 0.5 },
        { kind: 'gullyEfficiency', min: 0.1, max: 1 },
      ],
      objective: 'nse',
      runs: 60,
      seed: 1,
    }
    const alone = await call('POST', '/api/calibrations', { ...body, events: body.events.slice(1) })
    expect(alone.body.message).toMatch(/au moins un épisode pour le calage/)
    const stranger = await call('POST', '/api/calibrations', body, 'v')
    expect(stranger.status).toBe(404)
    const { id, jobId } = (await call('POST', '/api/calibrations', body)).body
    const get = async (): Promise<Calibration> => (await call('GET', `/api/calibrations/${id}`)).body
    await until(get, ({ trials }) => trials >= 1)
    expect((await call('DELETE', `/api/observations/${kept.id}`)).status).toBe(409)
    expect((await run('Trop tôt', 100, { parameterSet: id })).status).toBe(422)
    await call('POST', `/api/job/${jobId}/cancel`)
    const stopped = await until(get, ({ status }) => status === 'error' || status === 'done')
    expect(stopped).toMatchObject({ cancelled: true, values: null })
    expect(stopped.trials).toBeLessThan(60)

    const again = (await call('POST', `/api/calibrations/${id}/resume`)).body
    expect(again.jobId).not.toBe(jobId)
    const done = await until(get, ({ status }) => status === 'error' || status === 'done')
    expect(done).toMatchObject({ status: 'done', trials: 60, error: null })
    const { logs } = (await call('GET', `/api/job/${again.jobId}`)).body
    expect(logs.map(({ line }: { line: string }) => line).join('\n')).toMatch(/Reprise : \d+ essais/)
    const { result } = done
    const tried: CalibrationTrials = (await call('GET', `/api/calibrations/${id}/trials`)).body
    expect(tried.parameters).toEqual([{ kind: 'roughness', code: 3 }, { kind: 'gullyEfficiency' }])
    expect(tried.trials.map(({ trial }) => trial)).toEqual(Array.from({ length: 60 }, (_, k) => k))
    const best = Math.max(...tried.trials.map(({ score }) => score ?? Number.NEGATIVE_INFINITY))
    // Courses are kept as floats of 32 bits.
    expect(best).toBeCloseTo(result!.after.calibration!, 6)
    expect((await call('GET', `/api/calibrations/${id}/trials`, undefined, 'v')).status).toBe(404)
    expect(result!.after.calibration!).toBeGreaterThanOrEqual(result!.before.calibration!)
    expect(result!.parameters).toHaveLength(2)
    expect((await call('POST', `/api/calibrations/${id}/resume`)).body.code).toBe('calibration.done')
    expect((await call('GET', `/api/calibrations/${id}`, undefined, 'v')).status).toBe(404)

    const plain = (await run('Sans jeu', 120)).body
    expect(plain.input.parameterSet).toBeUndefined()
    const fitted = (await run('Avec jeu', 120, { parameterSet: id })).body
    expect(fitted.input.parameterSet).toEqual({ id, name: 'Calage d’essai', values: done.values })
    expect(fitted.logs.map(({ line }: { line: string }) => line).join('\n')).toMatch(
      /Jeu de paramètres « Calage d’essai »/,
    )
    // What the fit said of this event is what the run gives.
    const seen: ObservedRuns = (await call('GET', `/api/multihydro/file/${fitted.id}/observations`)).body
    const told = result!.scores.find(({ use }) => use === 'calibration')!
    expect(seen.series[0].scores!.nse).toBeCloseTo(told.after!.nse!, 2)

    expect((await call('DELETE', `/api/calibrations/${id}`, undefined, 'v')).status).toBe(404)
    expect((await call('DELETE', `/api/calibrations/${id}`)).status).toBe(204)
    expect((await call('GET', `/api/job/${fitted.id}`)).body.input.parameterSet.values).toEqual(done.values)
  })
})
