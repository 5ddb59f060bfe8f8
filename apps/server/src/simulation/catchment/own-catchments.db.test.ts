import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CatchmentSummary, KeptCatchment, LuseConfig, LuseData, LuseFile } from '@radx/contracts'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseAccount, exportOwnData, ownDataOf } from '../../accounts/own-data.ts'
import { addAccount, editAccount, findAccount } from '../../accounts/service.ts'
import { accountSessions } from '../../accounts/sessions.ts'
import { byProgram } from '../../audit/api.ts'
import type { App, Deps } from '../../http/app.ts'
import { RIGHTS } from '../../http/rights.ts'
import { jobKinds } from '../../job-kinds.ts'
import { jobOutput } from '../../jobs/output.ts'
import { Jobs } from '../../jobs/service.ts'
import { createServer } from '../../server.ts'
import { passwordOf } from '../../testing/account-server.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../../testing/deps.ts'
import { MULTIHYDRO } from '../multihydro.ts'
import { runSimulation } from '../run/run.ts'
import { formDataOf, runFields, virtualRainFields } from '../testing/run-form.ts'
import { SMALL_CATCHMENT } from '../testing/small-catchment.ts'
import { CatchmentLibrary } from './library.ts'
import { sweepCatchments } from './own-catchments.ts'

const OWN_RUN = '00000000-0000-4000-8000-00000000000a'
const NADIAS_RUN = '00000000-0000-4000-8000-00000000000b'
const PACKAGES = '/api/catchment-packages'
const dataDir = mkdtempSync(join(tmpdir(), 'radx-own-catchments-'))
let database: TestDatabase
let deps: Deps
let app: App
let jobs: Jobs
/** By account: olga may bring catchments, victor and nadia may not, marie manages. */
const tokens: Record<string, string> = {}

beforeAll(async () => {
  database = await createTestDatabase()
  const config = testConfig({
    DATA_DIR: dataDir,
    DEMO: '0',
    DATABASE_URL: database.url,
    QUOTA_CATCHMENTS: '2',
  })
  const clock = { now: () => Date.parse('2026-06-15T12:00:00Z') }
  const sessions = accountSessions(database.db, clock, config.accounts)
  const base = await testDeps({ config, database: handleOf(database), clock, sessions })
  const kindsModule = new URL('../../job-kinds.ts', import.meta.url).href
  jobs = new Jobs({ deps: base, kinds: jobKinds, kindsModule, work: false })
  jobs.start()
  await jobs.ready()
  deps = { ...base, jobs }
  app = await createServer(deps)
  const roles: Record<string, string[]> = { olga: ['catchments'], victor: [], nadia: [], marie: ['manager'] }
  for (const [name, own] of Object.entries(roles)) {
    await addAccount(deps.db, name, passwordOf(name), { roles: own })
    const payload = { username: name, password: passwordOf(name) }
    tokens[name] = (await app.inject({ method: 'POST', url: '/api/users/login', payload })).json().token
  }
})
afterAll(async () => {
  await app?.close()
  await jobs?.stop()
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
async function call(who: string | null, method: Method, url: string, payload?: object | Buffer) {
  const response = await app.inject({
    method,
    url,
    headers: {
      ...(who === null ? {} : { authorization: `Bearer ${tokens[who]}` }),
      ...(Buffer.isBuffer(payload) ? { 'content-type': 'application/zip' } : {}),
    },
    payload,
  })
  const isJson = response.headers['content-type']?.toString().includes('json') && response.body !== ''
  return { status: response.statusCode, body: isJson ? response.json() : response.rawPayload }
}
const get = (who: string | null, url: string) => call(who, 'GET', url)

const zipOf = (changes: Record<string, string | Uint8Array | null> = {}, about: object = {}) => {
  const json = JSON.stringify({ ...JSON.parse(SMALL_CATCHMENT['catchment.json']), ...about })
  const files = Object.entries({ ...SMALL_CATCHMENT, 'catchment.json': json, ...changes })
  return Buffer.from(
    zipSync(
      Object.fromEntries(
        files.flatMap(([name, content]) =>
          content === null ? [] : [[name, typeof content === 'string' ? strToU8(content) : content]],
        ),
      ),
    ),
  )
}
const send = (who: string | null, zip: Buffer, into = '') =>
  call(who, 'POST', `${PACKAGES}?name=ville.zip${into && `&into=${into}`}`, zip)
/** What uploads leave behind where they should leave nothing. */
const left = () =>
  ['staging', 'uploads'].flatMap((name) =>
    existsSync(join(dataDir, name)) ? readdirSync(join(dataDir, name)) : [],
  )
const folders = () =>
  existsSync(join(dataDir, 'catchments')) ? readdirSync(join(dataDir, 'catchments')) : []
const share = (sharing: string, names: string[] = [], who = 'olga') =>
  call(who, 'PUT', `${PACKAGES}/${id}/sharing`, { sharing, names })

/** What a run has written. */
const outputs = (run: string) => `/api/multihydro/file/${run}/output?outputType=all_height_10m.txt`

let id = ''
let luseId = ''

/** A finished run on the catchment. */
async function finish(runId: string, username: string): Promise<void> {
  const catchment = await new CatchmentLibrary(deps.db, deps.config).get(id)
  await runSimulation({
    catchment,
    rain: uniformRain(new Array(5).fill(60), 60),
    options: { soil: true, drainage: true },
    outDir: join(dataDir, jobOutput(runId)),
  })
  const input = {
    ...runFields({ catchmentId: id, luseId, codes: [] }),
    ...{ rainfallSelection: 'virtual', rainfallStart: '2019-12-31T23:00:00Z' },
    ...{ rainfallEnd: '2019-12-31T23:05:00Z', simulationDuration: 1 / 12, virtualData: [], product: null },
    virtualParam: null,
  }
  const result = { run: { wallSeconds: 1, simulatedSeconds: 300 } }
  await deps.db
    .insertInto('job')
    .values({
      ...{ id: runId, kind: MULTIHYDRO, username, input: JSON.stringify(input), status: 'done' },
      result: JSON.stringify(result),
    })
    .execute()
}

async function submit(who: string) {
  const data = await get('olga', `/api/multihydro/file/${luseId}/dataJson?allCodes=true`)
  const codes = (data.body as LuseData).codes as LuseConfig[]
  const rain = virtualRainFields({ d: 10, t: 3, iMax: 90, calmAfter: 10 })
  const fields = runFields({ catchmentId: id, luseId, codes }, rain)
  const form = new Request('http://x', { method: 'POST', body: formDataOf(fields) })
  const response = await app.inject({
    method: 'POST',
    url: '/api/job/multihydro',
    headers: {
      authorization: `Bearer ${tokens[who]}`,
      'content-type': form.headers.get('content-type') as string,
    },
    payload: Buffer.from(await form.arrayBuffer()),
  })
  return { status: response.statusCode, body: response.json() }
}

test('an account with the right brings a catchment, which it alone sees; the same again is nothing new', async () => {
  expect(await send(null, zipOf())).toMatchObject({ status: 401 })
  expect(await send('victor', zipOf())).toMatchObject({ status: 403, body: { code: 'auth.catchments' } })
  const made = await send('olga', zipOf())
  expect(made).toMatchObject({ status: 200, body: { display: 'Petit bassin', outcome: 'imported' } })
  id = made.body.id
  expect(id).toMatch(/^petit-[0-9a-f]{16}$/)
  expect((await send('olga', zipOf())).body).toMatchObject({ id, outcome: 'known' })
  const [kept] = (await get('olga', PACKAGES)).body as KeptCatchment[]
  expect(kept).toMatchObject({
    ...{ id, name: 'Petit bassin', owner: 'olga', sharing: 'private', mayChange: true, versions: 1, runs: 0 },
    activeCells: 95,
  })
  expect(kept.bytes).toBeGreaterThan(1_000)
  luseId = ((await get('olga', `/api/multihydro/files?c=${id}`)).body as LuseFile[])[0]._id
  expect(left()).toEqual([])
})

test('the package comes back as it was given', async () => {
  const { status, body } = await get('olga', `${PACKAGES}/${id}/package.zip`)
  expect(status).toBe(200)
  const files = Object.entries(unzipSync(body as Buffer)).map(([name, bytes]) => [name, strFromU8(bytes)])
  expect(Object.fromEntries(files)).toEqual(SMALL_CATCHMENT)
})

describe('a private catchment', () => {
  /** Values for whatever a call asks for, so that only the right is in its way. */
  const asked = (path: string) =>
    new URLSearchParams({
      ...{ c: id, catchmentId: id, luseId, jobId: OWN_RUN, reference: OWN_RUN, start: 'J-1', end: 'OUT-1' },
      ...{ outputType: 'all_flow_10m.txt', nodePath: 'J-1', from: '0', to: '1', kind: 'node', name: 'J-1' },
      ...{ of: 'p50', row: '4', col: '3', cell: '51', x1: '1', y1: '1', x2: '2', y2: '2', above: '50' },
      ...{ at: '0', lat: '48.5', lng: '2.6', s: '2026-06-01T00:00:00Z', e: '2026-06-02T00:00:00Z' },
      ...(path.endsWith('/observations')
        ? { start: '2026-06-01T00:00:00Z', end: '2026-06-02T00:00:00Z' }
        : {}),
    })
  const held = Object.keys(RIGHTS).filter((key) => RIGHTS[key].catchment !== undefined)
  const url = (path: string) =>
    `${path
      .replace(':catchmentId', id)
      .replace(':jobId', OWN_RUN)
      .replace(':id', luseId)
      .replace(':map', 'hauteur')
      .replace(':file', 'report.pdf')
      .replace(':name', 'all_flow_10m.txt')}?${asked(path)}`
  const BODIES: Record<string, object> = {
    'PUT /api/ahead/:catchmentId': { enabled: false },
    'PUT /api/catchment-packages/:catchmentId/name': { name: 'Volé' },
    'PUT /api/catchment-packages/:catchmentId/sharing': { sharing: 'all' },
    'PUT /api/multihydro/:jobId/title': { title: 'Volé' },
    'PUT /api/multihydro/:jobId/comment': { comment: 'Volé' },
  }
  const ask = (who: string, key: string) => {
    const [method, path] = key.split(' ')
    return call(who, method as Method, url(path), BODIES[key])
  }
  const HIDDEN = ['catchment.notFound', 'job.notFound', 'luse.notFound']

  beforeAll(() => finish(OWN_RUN, 'olga'))

  test.each(held.filter((key) => RIGHTS[key].access !== 'manager'))(
    '%s answers others as if there were none, and its owner',
    async (key) => {
      const { status, body } = await ask('victor', key)
      expect([status, HIDDEN.includes(body.code)], JSON.stringify(body)).toEqual([404, true])
      if (key.startsWith('GET')) expect(HIDDEN).not.toContain((await ask('olga', key)).body.code)
    },
  )

  test('no list tells others of it or of runs on it', async () => {
    const ids = async (who: string, path: string) => JSON.stringify((await get(who, path)).body)
    for (const path of [PACKAGES, '/api/multihydro/catchments', '/api/jobs/multihydro', '/api/ahead']) {
      expect(await ids('olga', path), path).toContain(id)
      expect(await ids('victor', path), path).not.toContain(id)
    }
    expect((await get('victor', '/api/multihydro/file/mask/place')).status).toBe(400)
    expect((await get('olga', '/api/multihydro/file/mask/place')).status).toBe(200)
    // A manager's form offers none of others; the screen shows them when asked to.
    expect(await ids('marie', '/api/multihydro/catchments')).not.toContain(id)
    expect(await ids('marie', PACKAGES)).not.toContain(id)
    expect(await ids('marie', `${PACKAGES}?all=1`)).toContain(id)
    expect(await ids('victor', `${PACKAGES}?all=1`)).not.toContain(id)
  })

  test('its runs are no jobs that others look at, stop, delete or are told of', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const)
      expect(await call('victor', method, `/api/job/${OWN_RUN}${path}`)).toMatchObject({
        status: 404,
        body: { code: 'job.notFound' },
      })
    // What sockets ask before they follow a run.
    const visible = (name: string, isManager = false) => jobs.queue().visible(OWN_RUN, { name, isManager })
    await expect(visible('victor')).rejects.toMatchObject({ code: 'job.notFound' })
    await expect(visible('marie', true)).resolves.toMatchObject({ id: OWN_RUN })
  })

  test('others begin nothing on it', async () => {
    expect((await submit('victor')).body).toMatchObject({ code: 'simulation.form' })
    const whatIf = { catchmentId: id, issued: '2026-06-15T11:00:00Z', luseId: null, settings: [] }
    expect(await call('victor', 'POST', '/api/job/what-if', whatIf)).toMatchObject({
      status: 404,
      body: { code: 'catchment.notFound' },
    })
    const measure = { kind: 'flood-node', catchmentId: id, name: 'J-1', withinMin: 60 }
    const limits = { threshold: 50, clear: 40, minMinutes: 0, severity: 'warning', escalateMin: null }
    const rule = { name: 'Volé', measure, ...limits, enabled: true }
    expect(await call('victor', 'POST', '/api/alerts/rules', rule)).toMatchObject({
      status: 404,
      body: { code: 'catchment.notFound' },
    })
    expect(await send('victor', zipOf(), id)).toMatchObject({ status: 403 })
  })

  test('a manager sees it and may change it', async () => {
    expect((await get('marie', `${PACKAGES}/${id}`)).body).toMatchObject({ id, mayChange: true })
    expect((await get('marie', `/api/multihydro/${id}/nodes`)).status).toBe(200)
  })
})

describe('sharing', () => {
  test('with named accounts: they see, run and download it, and change nothing', async () => {
    expect(await share('named', ['nadia', 'personne'])).toMatchObject({
      status: 422,
      body: { code: 'catchment.account', message: expect.stringContaining('personne') },
    })
    expect(await share('named', ['Nadia', 'olga'])).toMatchObject({ status: 204 })
    const [seen] = (await get('nadia', PACKAGES)).body as KeptCatchment[]
    expect(seen).toMatchObject({ id, owner: 'olga', sharing: 'named', sharedWith: [], mayChange: false })
    expect(((await get('olga', PACKAGES)).body as KeptCatchment[])[0].sharedWith).toEqual(['nadia'])
    const listed = (await get('nadia', '/api/multihydro/catchments')).body as CatchmentSummary[]
    expect(listed.map((one) => one.id)).toContain(id)
    expect((await get('nadia', outputs(OWN_RUN))).status).toBe(200)
    expect((await get('nadia', `${PACKAGES}/${id}/package.zip`)).status).toBe(200)
    for (const refused of [
      call('nadia', 'PUT', `${PACKAGES}/${id}/name`, { name: 'Volé' }),
      call('nadia', 'DELETE', `${PACKAGES}/${id}`),
      share('all', [], 'nadia'),
    ])
      expect(await refused).toMatchObject({ status: 403, body: { code: 'catchment.forbidden' } })
    expect((await get('victor', `${PACKAGES}/${id}`)).status).toBe(404)
  })

  test('taken back: their own runs stay theirs to read, the catchment does not', async () => {
    await finish(NADIAS_RUN, 'nadia')
    expect((await share('private')).status).toBe(204)
    for (const [path, status] of [
      [outputs(NADIAS_RUN), 200],
      [`/api/multihydro/${id}/nodes?jobId=${NADIAS_RUN}`, 200],
      [`/api/multihydro/${id}/town?luseId=${luseId}`, 200],
      [`/api/multihydro/${id}/nodes`, 404],
      [`/api/multihydro/${id}/town`, 404],
      [outputs(OWN_RUN), 404],
      [`${PACKAGES}/${id}`, 404],
      [`${PACKAGES}/${id}/package.zip`, 404],
    ] as const)
      expect([path, (await get('nadia', path)).status]).toEqual([path, status])
    expect((await submit('nadia')).status).toBe(400)
    const runs = JSON.stringify((await get('nadia', '/api/jobs/multihydro')).body)
    expect([runs.includes(NADIAS_RUN), runs.includes(OWN_RUN)]).toEqual([true, false])
  })

  test('with all: every signed-in account sees and runs it', async () => {
    expect((await share('all')).status).toBe(204)
    expect((await get('victor', `/api/multihydro/${id}/nodes`)).status).toBe(200)
    expect((await get(null, `/api/multihydro/${id}/nodes`)).status).toBe(401)
    expect(await submit('victor')).toMatchObject({ status: 200 })
    await share('private')
  })
})

test('it is renamed, and runs, lists and forecasts call it so; two of one owner have two names', async () => {
  const rename = (name: string, of = id) => call('olga', 'PUT', `${PACKAGES}/${of}/name`, { name })
  expect((await rename('  Ma ville ')).status).toBe(204)
  const displays = (await get('olga', '/api/multihydro/catchments')).body as CatchmentSummary[]
  expect(displays.find((one) => one.id === id)?.display).toBe('Ma ville')
  const created = await submit('olga')
  expect(created).toMatchObject({ status: 200 })
  expect((await get('olga', `/api/job/${created.body.id}`)).body.input.catchmentDisplay).toBe('Ma ville')
  await call('olga', 'POST', `/api/job/${created.body.id}/cancel`)
  await call('olga', 'DELETE', `/api/job/${created.body.id}`)
  const other = await send('olga', zipOf({}, { id: 'autre' }))
  expect(await rename('Ma ville', other.body.id)).toMatchObject({
    status: 409,
    body: { code: 'catchment.name' },
  })
})

test('one more than the quota is refused and leaves nothing; a new version of one that is there is not one more', async () => {
  const before = folders()
  expect(await send('olga', zipOf({}, { id: 'troisieme' }))).toMatchObject({
    status: 409,
    body: { code: 'quota.reached', message: expect.stringContaining('2 bassins') },
  })
  expect([left(), folders()]).toEqual([[], before])
  const version = await send(
    'olga',
    zipOf({ 'gullies.csv': 'gully,row,col,junction\nG-1,4,3,J-1\nG-9,4,8,J-2\n' }),
  )
  expect(version.body).toMatchObject({ id, display: 'Ma ville', outcome: 'imported' })
  const detail = (await get('olga', `${PACKAGES}/${id}`)).body
  expect(detail).toMatchObject({ versions: 2, name: 'Ma ville' })
  expect(detail.history.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
  // Runs keep theirs.
  expect((await get('olga', outputs(OWN_RUN))).status).toBe(200)
})

describe('what is no catchment', () => {
  const zeros = new Uint8Array(40 * 2 ** 20)
  const asc = SMALL_CATCHMENT['elevation.asc']
  test.each<[string, () => Buffer, RegExp]>([
    ['no zip', () => Buffer.from('bonjour'), /n’est pas un zip/],
    ['a bomb by its ratio', () => zipOf({ 'vide.bin': zeros }), /grossit plus de 400 fois/],
    [
      'too many files',
      () => zipOf(Object.fromEntries(Array.from({ length: 70 }, (_, k) => [`f${k}.txt`, 'x']))),
      /plus de 64 fichiers/,
    ],
    ['a mask outside the folder', () => zipOf({}, masked('../../../../etc/passwd')), /sans chemin/],
    [
      'decimal commas',
      () => zipOf({ 'elevation.asc': asc.replace(/(\d)\.(\d)/, '$1,$2') }),
      /est le point : \d+\.\d/,
    ],
    ['nothing of a grid', () => zipOf({ 'luse.asc': 'rien' }), /luse\.asc/],
  ])('%s is refused in words, and nothing is left behind', async (_, zip, words) => {
    const before = folders()
    const { status, body } = await send('olga', zip())
    expect(body.message).toMatch(words)
    expect(status).toBe(422)
    expect(JSON.stringify(body)).not.toMatch(/root:|radx-own-catchments/)
    expect([left(), folders()]).toEqual([[], before])
  })

  const masked = (mask: string) => ({ caseStudies: [{ id: 'place', display: 'Place', mask }] })

  test('names that lead out of the folder stay within it', async () => {
    const made = await send(
      'olga',
      zipOf({
        '../../../evade.txt': 'x',
        'catchment.json': null,
        'a/catchment.json': SMALL_CATCHMENT['catchment.json'],
      }),
    )
    expect(made.status).toBe(200)
    const { body } = await get('olga', `${PACKAGES}/${id}/package.zip`)
    expect(Object.keys(unzipSync(body as Buffer))).toContain('evade.txt')
    expect(existsSync(join(dataDir, '..', 'evade.txt'))).toBe(false)
  })

  test('mixed line endings and a mark before the first byte are no reason', async () => {
    const mixed = (text: string) =>
      text
        .split('\n')
        .map((line, k) => line + ['\n', '\r\n', '\r'][k % 3])
        .join('')
    const names = ['elevation.asc', 'luse.asc', 'gullies.csv', 'network.inp']
    const changes = Object.fromEntries(names.map((name) => [name, mixed(SMALL_CATCHMENT[name])]))
    const json = `\ufeff${SMALL_CATCHMENT['catchment.json']}`
    expect(await send('olga', zipOf({ ...changes, 'catchment.json': json }))).toMatchObject({ status: 200 })
  })
})

test('what an account keeps of catchments is counted, told and told of in the trail', async () => {
  const olga = await findAccount(deps.db, 'olga')
  const own = await ownDataOf(deps.db, olga)
  expect(own.catchments).toBe(2)
  expect(own.bytes).toBeGreaterThan(2_000)
  const kept = (await exportOwnData(deps.db, olga)) as { catchments: { id: string; versions: unknown[] }[] }
  expect(kept.catchments.find((one) => one.id === id)?.versions.length).toBeGreaterThan(1)
  const { rows } = {
    rows: await deps.db.selectFrom('audit_event').select(['action', 'subject', 'actor']).execute(),
  }
  const told = rows.filter(({ subject }) => subject?.startsWith(PACKAGES))
  expect(told.filter(({ action }) => action === 'item.write').length).toBeGreaterThan(3)
  expect(told.some(({ action }) => action === 'data.export')).toBe(true)
})

test('deleted, it is no choice any more; its runs stay readable, and the rest goes when the last of them does', async () => {
  expect((await call('olga', 'DELETE', `${PACKAGES}/${id}`)).status).toBe(204)
  expect((await get('olga', `${PACKAGES}/${id}`)).status).toBe(404)
  const offered = (await get('olga', '/api/multihydro/catchments')).body as CatchmentSummary[]
  expect(offered.map((one) => one.id)).not.toContain(id)
  expect((await submit('olga')).status).toBe(400)
  for (const who of ['olga', 'marie']) expect((await get(who, outputs(OWN_RUN))).status).toBe(200)
  expect((await get('olga', `/api/multihydro/${id}/town?luseId=${luseId}`)).status).toBe(200)
  expect((await get('victor', outputs(OWN_RUN))).status).toBe(404)
  // Versions that no run stands on have gone already.
  expect(folders().filter((name) => name.startsWith(id))).toHaveLength(1)
  await deps.db.deleteFrom('job').where('kind', '=', MULTIHYDRO).execute()
  await sweepCatchments(deps)
  expect(folders().filter((name) => name.startsWith(id))).toEqual([])
  expect(await deps.db.selectFrom('catchment').select('id').where('id', '=', id).execute()).toEqual([])
})

test('without the right it is still one’s own; an erased account leaves none', async () => {
  await editAccount(deps.db, 'olga', { roles: [] })
  expect((await send('olga', zipOf())).status).toBe(403)
  const [kept] = (await get('olga', PACKAGES)).body as KeptCatchment[]
  expect(kept.mayChange).toBe(true)
  const olga = await findAccount(deps.db, 'olga')
  const remove = { job: async () => undefined, network: async () => undefined, draft: async () => undefined }
  await eraseAccount(deps.db, olga, { runs: 'delete' }, byProgram('command'), remove)
  await sweepCatchments(deps)
  expect(folders()).toEqual([])
  expect(await deps.db.selectFrom('catchment').select('id').execute()).toEqual([])
})
