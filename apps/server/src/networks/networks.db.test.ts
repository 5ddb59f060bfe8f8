import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type NetworkRunBody, ROLE_MANAGER } from '@radx/contracts'
import { encodeRate } from '@radx/rainfall'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseAccount, ownDataOf } from '../accounts/own-data.ts'
import { byProgram } from '../audit/api.ts'
import { registerAudit } from '../audit/routes.ts'
import { folders } from '../backup/names.ts'
import type { App, Deps } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { registerJobs } from '../jobs/routes.ts'
import { Jobs } from '../jobs/service.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { openStore } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { Verifier } from '../store/verify.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { sourceFile } from '../testing/source-file.ts'
import { networkJob } from './job.ts'
import { registerNetworks } from './routes.ts'
import { MODEL } from './testing/model.ts'
import { verifyNetworks } from './verify.ts'

const session = (name: string, more: Partial<Session> = {}): Session => ({
  userId: name,
  name,
  roles: [],
  restriction: null,
  ...more,
})
const SESSIONS = new Map([
  ['u', session('ursule')],
  ['v', session('victor')],
  ['m', session('chef', { roles: [ROLE_MANAGER] })],
  ['r', session('restreint', { restriction: { start: new Date('2024-01-01T00:00:00Z'), end: null } })],
  ['q', session('quitte')],
])

let database: TestDatabase
let app: App
let deps: Deps
let jobs: Jobs
const dataDir = mkdtempSync(join(tmpdir(), 'radx-networks-'))

beforeAll(async () => {
  database = await createTestDatabase()
  const config = testConfig({
    DATA_DIR: dataDir,
    RADX_WORKERS: '1',
    DATABASE_URL: database.url,
    QUOTA_NETWORKS: '3',
  })
  const sessions = { resolve: async (token: string) => SESSIONS.get(token) ?? null }
  const clock = { now: () => Date.now() }
  const base = await testDeps({ config, database: handleOf(database), sessions, clock })
  const kindsModule = new URL('../job-kinds.ts', import.meta.url).href
  jobs = new Jobs({ deps: base, kinds: [networkJob as never], kindsModule, work: true })
  jobs.start()
  await jobs.ready()
  deps = { ...base, jobs }
  app = await createApp(deps, { features: [registerNetworks, registerJobs, registerAudit] })
})
afterAll(async () => {
  await app?.close()
  await jobs?.stop()
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
async function call(method: Method, url: string, payload?: object | string | Buffer, token = 'u') {
  const bytes = typeof payload === 'string' || Buffer.isBuffer(payload)
  const response = await app.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${token}`,
      ...(payload === undefined
        ? {}
        : { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
    },
    payload,
  })
  const isJson = response.headers['content-type']?.toString().includes('json')
  return {
    status: response.statusCode,
    body: isJson ? response.json() : response.rawPayload,
    headers: response.headers,
  }
}
const get = (url: string, token = 'u') => call('GET', url, undefined, token)
const upload = (text: string | Buffer, name: string, token = 'u', into = '/api/networks') =>
  call('POST', `${into}?name=${encodeURIComponent(name)}`, text, token)

async function ended(jobId: string, token = 'u') {
  for (;;) {
    const { body } = await get(`/api/networks/runs/${jobId}`, token)
    if (body.status === 'done' || body.status === 'error') return body
    await sleep(50)
  }
}
async function run(id: string, body: Omit<NetworkRunBody, 'version'>, token = 'u') {
  const { status, body: made } = await call(
    'POST',
    `/api/networks/${id}/runs`,
    { version: 1, ...body },
    token,
  )
  expect(status).toBe(200)
  return ended(made.id, token)
}
const zip = (files: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))))

let id = ''
let first = ''

test('a file becomes a network; the same again nothing new; another one a version', async () => {
  const made = await upload(MODEL, 'Deux conduites.inp')
  expect(made).toMatchObject({ status: 200, body: { name: 'Deux conduites', version: 1, isNew: true } })
  id = made.body.id
  expect((await upload(MODEL, 'Deux conduites.inp')).body).toMatchObject({ id, version: 1, isNew: false })
  const changed = MODEL.replace('C2 CIRCULAR 0.4', 'C2 CIRCULAR 0.6')
  expect((await upload(changed, 'Deux conduites.inp')).body).toMatchObject({ id, version: 2, isNew: true })
  const { body } = await get(`/api/networks/${id}`)
  expect(body).toMatchObject({ name: 'Deux conduites', owner: 'ursule', runs: 0 })
  expect(
    body.versions.map(({ version, nodes, links, subcatchments }: never) => [
      version,
      nodes,
      links,
      subcatchments,
    ]),
  ).toEqual([
    [2, 3, 2, 1],
    [1, 3, 2, 1],
  ])
  const file = await get(`/api/networks/${id}/versions/1/files/Deux_conduites.inp`)
  expect(file.body.toString()).toBe(MODEL)
  expect((await get(`/api/networks/${id}/versions/1/files/checksums.json`)).status).toBe(404)
})

test('what a file says is told with a place for every node and the lines of warnings', async () => {
  const alone = MODEL.replace('S1 R J1', 'S1 R S1')
  const warned = `${alone}[EVENTS]\n01/01/2024 00:00 01/01/2024 01:00\n[SNOWPACKS]\nN PLOWABLE 0.001\n`
  const { body: made } = await upload(warned, 'averti.inp')
  expect(made.warnings).toHaveLength(3)
  const { body } = await get(`/api/networks/${made.id}/versions/1/model`)
  expect(body).toMatchObject({ placed: 'layout', units: { flow: 'LPS' }, durationS: 7200, gages: ['R'] })
  expect(new Set(body.nodes.map(({ at }: { at: number[] }) => String(at))).size).toBe(3)
  // What has no line comes first, then by line.
  expect(body.warnings.map(({ line }: { line: number | null }) => line)).toEqual([
    null,
    MODEL.split('\n').findIndex((text) => text.startsWith('S1 R')) + 1,
    MODEL.split('\n').length + 1,
  ])
  expect(body.warnings[0].text).toMatch(/^1 section.*SNOWPACKS/)
  await call('DELETE', `/api/networks/${made.id}`)
})

test('a zip brings the rain that its model names, and nothing of the server', async () => {
  const model = MODEL.replace(/^P 0:00.*$/m, 'P FILE "C:\\pluies\\averse.dat"')
  const { body } = await upload(
    zip({ 'm/zip.inp': model, 'm/averse.dat': '0:00 40\n0:30 0\n' }),
    'avec pluie.zip',
  )
  expect(body).toMatchObject({ name: 'avec pluie', version: 1 })
  const done = await run(body.id, { rain: { kind: 'own' } })
  expect(done.result.rainMm).toBeCloseTo(20, 6)
  await call('DELETE', `/api/networks/${body.id}`)
  const alone = await upload(model, 'sans pluie.inp')
  expect(alone.status).toBe(422)
  const thief = await upload(model.replace('C:\\pluies\\averse.dat', '/etc/passwd'), 'voleur.inp')
  expect(thief).toMatchObject({ status: 422 })
  expect(JSON.stringify(thief.body)).not.toContain('root:')
})

test.each<[string, string | Buffer, string, number, RegExp]>([
  ['an empty file', '', 'vide.inp', 400, /vide/],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0'), 'plan.inp', 422, /plan\.inp/],
  [
    'a line that is wrong',
    MODEL.replace('C2 J2 O1', 'C2 J2 O9'),
    'faux.inp',
    422,
    /faux\.inp, ligne 2\d : .*O9/,
  ],
  ['no node', '[OPTIONS]\nEND_TIME 01:00\n', 'rien.inp', 422, /rien\.inp/],
  ['too much', Buffer.alloc(32 * 2 ** 20 + 1, 'a'), 'gros.inp', 413, /32 Mio/],
  ['a bomb', Buffer.from(zipSync({ 'a.inp': new Uint8Array(80 * 2 ** 20) })), 'bombe.zip', 422, /64 Mio/],
])('%s is refused in words, and leaves nothing', async (_, bytes, name, status, words) => {
  const refused = await upload(bytes, name)
  expect(refused.status).toBe(status)
  expect(refused.body.message).toMatch(words)
  expect(readdirSync(join(dataDir, 'uploads'))).toEqual([])
  expect((await get('/api/networks')).body.map(({ name: kept }: { name: string }) => kept)).toEqual([
    'Deux conduites',
  ])
})

test('others see nothing of it, managers all', async () => {
  expect((await get('/api/networks', 'v')).body).toEqual([])
  expect((await get('/api/networks?all=1', 'v')).body).toEqual([])
  expect((await get('/api/networks?all=1', 'm')).body).toMatchObject([{ id, owner: 'ursule' }])
  expect((await get('/api/networks', 'm')).body).toEqual([])
  for (const path of [
    '',
    '/versions/1/model',
    '/versions/1/profile?start=J1&end=O1',
    '/versions/1/files/Deux_conduites.inp',
    '/runs',
  ])
    expect((await get(`/api/networks/${id}${path}`, 'v')).status, path).toBe(403)
  const forbidden = await Promise.all([
    call('DELETE', `/api/networks/${id}`, undefined, 'v'),
    call('PUT', `/api/networks/${id}/name`, { name: 'à moi' }, 'v'),
    upload(MODEL, 'x.inp', 'v', `/api/networks/${id}/versions`),
    call('POST', `/api/networks/${id}/runs`, { version: 1, rain: { kind: 'own' } }, 'v'),
  ])
  expect(forbidden.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  expect((await get(`/api/networks/${id}`, 'm')).status).toBe(200)
  expect((await app.inject({ url: '/api/networks' })).statusCode).toBe(401)
})

test('a run with the file’s own rain keeps its water and hands its results on', async () => {
  const done = await run(id, { rain: { kind: 'own' } })
  first = done.id
  expect(done).toMatchObject({ status: 'done', error: null, version: 1, rain: { kind: 'own' } })
  const { rainMm, runoffM3, inflowM3, relativeError, periods, stepS, floodedM3, outfallM3, storedM3 } =
    done.result
  expect({ rainMm, periods, stepS }).toEqual({ rainMm: expect.closeTo(20, 6), periods: 24, stepS: 300 })
  expect(relativeError).toBeLessThan(1e-9)
  expect(outfallM3 + storedM3 + floodedM3).toBeCloseTo(inflowM3, 3)
  // What is said to have stayed is what the heads stand for, whatever the balance let out.
  const { initialM3, lossM3, driftM3 } = done.result
  expect(initialM3 + inflowM3 - outfallM3 - floodedM3 - lossM3).toBeCloseTo(storedM3, 6)
  expect(storedM3 + driftM3).toBeGreaterThanOrEqual(0)
  // What nodes get goes by rates, as in EPA SWMM.
  expect(Math.abs(inflowM3 / runoffM3 - 1)).toBeLessThan(0.03)
  const { body: files } = await get(`/api/networks/runs/${first}/files`)
  expect(files.map(({ name }: { name: string }) => name)).toEqual([
    'balance.json',
    'links.csv',
    'nodes.csv',
    'reseau.gpkg',
    'resultats.out',
    'resultats.rpt',
    'run.json',
    'subcatchments.csv',
  ])
  const csv = (await get(`/api/networks/runs/${first}/files/links.csv`)).body.toString()
  expect(csv).toMatch(/^link;max_abs_flow;/m)
  const path = join(dataDir, 'essai.gpkg')
  writeFileSync(path, (await get(`/api/networks/runs/${first}/files/reseau.gpkg`)).body)
  const gpkg = new DatabaseSync(path, { readOnly: true })
  expect(gpkg.prepare('select name from links order by 1').all()).toHaveLength(2)
  gpkg.close()
  expect((await get(`/api/networks/runs/${first}/files/checksums.json`)).status).toBe(404)
})

test('curves and the profile say what the peaks say', async () => {
  const { body: peaks } = await get(`/api/networks/runs/${first}/peaks`)
  const { body: flow } = await get(
    `/api/networks/runs/${first}/curves?of=link&what=flow&names=${encodeURIComponent('C2\nC1')}`,
  )
  expect(flow.curves.map(({ name }: { name: string }) => name)).toEqual(['C2', 'C1'])
  expect(flow.timesS).toEqual(Array.from({ length: 24 }, (_, k) => 300 * (k + 1)))
  const most = Math.max(...flow.curves[0].values)
  expect(most).toBeLessThanOrEqual(peaks.links.maxFlowM3S[1] + 1e-6)
  expect(most).toBeGreaterThan(0.8 * peaks.links.maxFlowM3S[1])
  const profile = await get(`/api/networks/${id}/versions/1/profile?start=J1&end=O1&run=${first}`)
  expect(profile.body.nodes.map(({ Name }: { Name: string }) => Name)).toEqual(['J1', 'J2', 'O1'])
  expect(profile.body.data).toHaveLength(24)
  const { body: depth } = await get(`/api/networks/runs/${first}/curves?of=node&what=depth&names=J2`)
  expect(profile.body.data.map(({ depths }: { depths: number[] }) => depths[1])).toEqual(
    depth.curves[0].values,
  )
  const { body: speed } = await get(`/api/networks/runs/${first}/curves?of=link&what=velocity&names=C2`)
  expect(profile.body.data.map(({ speeds }: { speeds: number[] }) => speeds[1])).toEqual(
    speed.curves[0].values.map((value: number) => Math.abs(value)),
  )
  expect((await get(`/api/networks/${id}/versions/1/profile?start=J1&end=O1`)).body.data).toEqual([])
  expect((await get(`/api/networks/runs/${first}/curves?of=node&what=flow&names=J2`)).status).toBe(400)
  expect((await get(`/api/networks/runs/${first}/curves?of=node&what=depth&names=X`)).status).toBe(404)
})

test('curves of subcatchments say what fell on them and ran off', async () => {
  const of = (what: string) => get(`/api/networks/runs/${first}/curves?of=subcatchment&what=${what}&names=S1`)
  const { body: peaks } = await get(`/api/networks/runs/${first}/peaks`)
  const { body: rain } = await of('rain')
  // 40 mm/h for half an hour, at the ends of periods of 5 min.
  expect(rain.curves[0].values.map((value: number) => Math.round(value))).toEqual([
    ...Array(6).fill(40),
    ...Array(18).fill(0),
  ])
  const { body: runoff } = await of('runoff')
  expect(Math.max(...runoff.curves[0].values)).toBeCloseTo(peaks.subcatchments.peakM3S[0], 5)
  const { body: infiltration } = await of('infiltration')
  const mm = infiltration.curves[0].values.reduce((sum: number, value: number) => sum + value / 12, 0)
  expect(mm).toBeCloseTo(peaks.subcatchments.infiltrationMm[0], 3)
  expect((await of('depth')).status).toBe(400)
  expect((await of('measures')).body.code).toBe('network.file')
})

test('streets hand their water to the sewer, measures show theirs', async () => {
  const street = MODEL.replace('C1 CIRCULAR 0.4', 'C1 STREET RUE')
    .replace('[OUTFALLS]', 'E1 97 3\n[OUTFALLS]\nO2 96 FREE NO')
    .replace('C2 J2 O1 100', 'C3 E1 O2 50 0.013 0 0\nC2 J2 O1 100')
    .replace('C2 CIRCULAR 0.4', 'C2 CIRCULAR 0.4\nC3 CIRCULAR 0.4')
  const { body: own } = await upload(
    `${street}[STREETS]\nRUE 4 0.15 2 0.016 0.03 0.5 2
[INLETS]\nGRILLE GRATE 0.8 0.4 P_BAR-50
[INLET_USAGE]\nC1 GRILLE E1 1
[LID_CONTROLS]\nT IT\nT SURFACE 10 0 0.1 1 0\nT STORAGE 300 0.75 5 0
[LID_USAGE]\nS1 T 1 500 5 0 50 0\n`,
    'rue.inp',
  )
  const done = await run(own.id, { rain: { kind: 'own' } })
  expect(done).toMatchObject({ status: 'done', error: null })
  expect(done.result.relativeError).toBeLessThan(1e-9)
  const csv = String((await get(`/api/networks/runs/${done.id}/files/inlets.csv`)).body)
  const row = csv.split(/\r?\n/).find((line) => line.startsWith('C1;')) ?? csv
  const [link, inlet, node, placement, , captured] = row.split(';')
  expect([link, inlet, node, placement]).toEqual(['C1', 'GRILLE', 'E1', 'on_grade'])
  expect(Number(captured.replace(',', '.'))).toBeGreaterThan(10)
  expect(String((await get(`/api/networks/runs/${done.id}/files/resultats.rpt`)).body)).toMatch(
    /Street Flow Summary[\s\S]*C1 .*GRILLE.*ON-GRADE/,
  )
  const { body: held } = await get(
    `/api/networks/runs/${done.id}/curves?of=subcatchment&what=measures&names=S1`,
  )
  expect(Math.max(...held.curves[0].values)).toBeGreaterThan(10)
  await call('DELETE', `/api/networks/${own.id}`)
})

test('positions are put on the globe by the code of their system', async () => {
  const placed = `${MODEL}[COORDINATES]\nJ1 652000 6862000\nJ2 652100 6862000\nO1 652200 6862000\n`
  const { body: own } = await upload(placed, 'plan.inp')
  const url = `/api/networks/${own.id}`
  const say = (crs: string | null, token = 'u') => call('PUT', `${url}/crs`, { crs }, token)
  expect((await get(`${url}/versions/1/model`)).body.placed).toBe('file')
  expect((await say('EPSG:2154')).status).toBe(204)
  expect((await get(url)).body.crs).toBe('EPSG:2154')
  const { body: model } = await get(`${url}/versions/1/model?crs=EPSG:2154`)
  expect(model.placed).toBe('degrees')
  // Paris.
  expect(model.nodes[0].at).toEqual([expect.closeTo(2.346, 2), expect.closeTo(48.857, 2)])
  // No place of that zone: everything stays in its plane, with a word.
  const { body: wrong } = await get(`${url}/versions/1/model?crs=EPSG:4326`)
  expect(wrong).toMatchObject({ placed: 'file', warnings: [{ text: expect.stringContaining('EPSG:4326') }] })
  expect(await say('EPSG:9999')).toMatchObject({ status: 422, body: { code: 'network.crs' } })
  expect((await say('Lambert')).status).toBe(400)
  expect((await say(null, 'v')).status).toBe(403)
  expect((await say(null)).status).toBe(204)
  expect((await get(url)).body.crs).toBeNull()
  await call('DELETE', url)
})

test('another rain falls in place of the file’s: a series, a CSV, none', async () => {
  const series = await run(id, { rain: { kind: 'series', name: 'projet', stepS: 600, mmH: [12, 60, 12] } })
  expect(series.result.rainMm).toBeCloseTo(14, 6)
  const csv = await run(id, {
    rain: { kind: 'csv', name: 'apports.csv', text: 'time_min,J2\n0,100\n60,100\n120,100\n' },
    hours: 1,
  })
  expect(csv.result.simulatedS).toBeCloseTo(3600, 3)
  // 100 l/s for an hour beside what the file's own rain brings.
  expect(csv.result.inflowM3).toBeGreaterThan(360)
  const none = await run(id, { rain: { kind: 'none' } })
  expect(none.result).toMatchObject({ rainMm: null, inflowM3: 0 })
})

test('a run is compared with another, with its own report and result file, and with nothing else', async () => {
  const post = () =>
    app.inject({
      method: 'POST',
      url: `/api/networks/${id}/runs`,
      headers: { authorization: 'Bearer u', 'idempotency-key': 'k1' },
      payload: { version: 1, rain: { kind: 'own' } },
    })
  // What comes twice with its key is one run.
  const [one, two] = [await post(), await post()]
  expect(one.json().id).toBe(two.json().id)
  const again = await ended(one.json().id)
  const { body: same } = await get(`/api/networks/runs/${first}/compare?with=${again.id}`)
  expect(same.links).toMatchObject({ unit: 'LPS', common: 2, ranked: 2, medianPercent: 0, p95Percent: 0 })
  for (const name of ['resultats.rpt', 'resultats.out']) {
    const { body: file } = await get(`/api/networks/runs/${first}/files/${name}`)
    const { status, body } = await upload(file, name, 'u', `/api/networks/runs/${first}/compare`)
    expect(status).toBe(200)
    // The report is rounded; the result file, in m3/s whatever the model has, knows values at reporting times alone.
    expect(body.links.common).toBe(2)
    expect(body.links.medianPercent).toBeLessThan(name.endsWith('.rpt') ? 0.5 : 20)
    expect(body.nodes.common).toBe(3)
  }
  // A report of runoff alone has nothing of nodes and links.
  const { body: whole } = await get(`/api/networks/runs/${first}/files/resultats.rpt`)
  const runoff = String(whole).slice(0, String(whole).indexOf('Node Depth Summary'))
  const { body: alone } = await upload(runoff, 'bassins.rpt', 'u', `/api/networks/runs/${first}/compare`)
  expect([alone.links.common, alone.nodes.common, alone.runoffPeaks.common > 0]).toEqual([0, 0, true])
  expect(alone.runoffDepths).toMatchObject({ unit: 'mm', common: alone.runoffPeaks.common })
  expect(alone.runoffDepths.medianPercent).toBeLessThan(2)
  const nothing = await upload('rien', 'a.rpt', 'u', `/api/networks/runs/${first}/compare`)
  expect(nothing).toMatchObject({ status: 422, body: { message: expect.stringContaining('a.rpt') } })
  expect((await get(`/api/networks/runs/${first}/compare?with=${again.id}`, 'v')).status).toBe(403)
})

test('radar rain is held against the dates of who runs and of who looks', async () => {
  const rain = {
    kind: 'radar' as const,
    product: 'dpsri',
    catchment: 'melun',
    start: '2023-06-01T00:00:00Z',
    end: '2023-06-01T06:00:00Z',
  }
  const { body: own } = await upload(MODEL, 'radar.inp', 'r')
  const runs = `/api/networks/${own.id}/runs`
  const zone = deps.catchments.parents[0].key
  expect((await call('POST', runs, { version: 1, rain: { ...rain, catchment: zone } }, 'r')).status).toBe(403)
  const backwards = { ...rain, catchment: zone, start: '2024-06-02T00:00:00Z', end: '2024-06-01T00:00:00Z' }
  expect((await call('POST', runs, { version: 1, rain: backwards }, 'r')).status).toBe(400)
  expect(
    (await call('POST', runs, { version: 1, rain: { ...rain, catchment: 'nulle part' } }, 'r')).status,
  ).toBe(400)
  // Nothing of the archive is there: the run says so.
  const inside = { ...rain, catchment: zone, start: '2024-06-01T00:00:00Z', end: '2024-06-01T06:00:00Z' }
  const done = await run(own.id, { rain: inside }, 'r')
  expect(done).toMatchObject({ status: 'error', error: expect.stringMatching(/produit|image/) })
  // One that was made before the account had its dates.
  const before = randomUUID()
  const input = {
    networkId: own.id,
    version: 1,
    file: 'radar.inp',
    files: ['radar.inp'],
    title: 'radar',
    rain,
    implicit: false,
  }
  await deps.db
    .insertInto('job')
    .values({
      id: before,
      kind: 'network',
      username: 'restreint',
      input: JSON.stringify(input),
      status: 'done',
      result: JSON.stringify({ rainMm: 12 }),
      submission_key: null,
      submission_hash: null,
    } as never)
    .execute()
  const shown = (await get(runs, 'r')).body.find(({ id: one }: { id: string }) => one === before)
  expect(shown).toMatchObject({ status: 'done', result: null })
  const of = `/api/networks/runs/${before}`
  for (const path of [
    '/peaks',
    '/curves?of=node&what=depth&names=J1',
    '/files',
    '/files/links.csv',
    `/compare?with=${before}`,
  ])
    expect(await get(`${of}${path}`, 'r'), path).toMatchObject({ status: 403, body: { code: 'auth.period' } })
  const profile = `/api/networks/${own.id}/versions/1/profile?start=J1&end=O1&run=${before}`
  expect((await get(profile, 'r')).status).toBe(403)
  expect((await upload('x', 'x.rpt', 'r', `${of}/compare`)).status).toBe(403)
  // A manager without dates sees as far as files go.
  expect((await get(`${of}/peaks`, 'm')).body.code).toBe('network.file')
  await call('DELETE', `/api/networks/${own.id}`, undefined, 'r')
})

test('radar rain is what the archive has over the basin, when it has it', async () => {
  const { config, site, catchments, db } = deps
  const store = await openStore({ db, config, site, catchments })
  const product = store.catalog.products.get('dpsri')
  if (!product) throw new Error('no product')
  const weights = zoneWeights(product, store.catalog.zones)
  const startMs = Date.parse('2024-06-02T10:00:00Z')
  const zone = deps.catchments.parents[0]
  // Heavy rain for about half an hour, then light rain; none from 10:56 on.
  const rates = [...Array(9).fill(24), ...Array(8).fill(6)]
  await commitFrames(
    store.context,
    rates.map((mmH, k) => ({
      frame: prepareFrame(new Uint16Array(product.steps ** 2).fill(encodeRate(mmH)), weights, {
        product: 'dpsri',
        timeMs: startMs + (k + 1) * 206_000,
        version: '5',
        name: 'DPSRI',
        sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
        bias: null,
      }),
      source: sourceFile(`reseau-${k}`),
    })),
  )
  const { body: own } = await upload(`${MODEL}; radar\n`, 'pluie radar.inp')
  const radar = (minutes: number) => ({
    kind: 'radar' as const,
    product: 'dpsri',
    catchment: zone.key,
    start: new Date(startMs).toISOString(),
    end: new Date(startMs + minutes * 60_000).toISOString(),
  })
  const done = await run(own.id, { rain: radar(58), hours: 1 })
  expect(done).toMatchObject({ status: 'done', error: null })
  // Frames stand for the time to the middles between them, the first and the last to the ends of the period.
  const turnS = 9.5 * 206
  expect(done.result.rainMm).toBeCloseTo((24 * turnS + 6 * (58 * 60 - turnS)) / 3600, 2)
  expect(done.result.relativeError).toBeLessThan(1e-9)
  const { body } = await get(`/api/networks/runs/${done.id}/curves?of=subcatchment&what=rain&names=S1`)
  const [first, last] = [body.curves[0].values[3], body.curves[0].values[9]]
  expect([first, last]).toEqual([expect.closeTo(24, 0), expect.closeTo(6, 0)])
  // Where the network is told, each subcatchment has the rain of its own place.
  const { ul, lr } = product.bounds
  const middle = [(ul.lng + lr.lng) / 2, (ul.lat + lr.lat) / 2]
  const [dx, dy] = [(lr.lng - ul.lng) / product.steps, (ul.lat - lr.lat) / product.steps]
  const places = `[SUBCATCHMENTS]\nS2 R O1 1 60 100 1 0\n[SUBAREAS]\nS2 0.013 0.1 1 3 25 OUTLET\n[COORDINATES]\nJ1 ${middle[0] - 20 * dx} ${middle[1]}\nO1 ${middle[0] + 20 * dx} ${middle[1] + dy}\n`
  const { body: placed } = await upload(`${MODEL}${places}`, 'situe.inp')
  const onPlaces = {
    ...radar(58),
    catchment: undefined,
    start: new Date(startMs + 1.5 * 3_600_000).toISOString(),
    end: new Date(startMs + 4 * 3_600_000).toISOString(),
  }
  // The west has 36 mm/h, the east 12.
  const halves = Uint16Array.from({ length: product.steps ** 2 }, (_, k) =>
    encodeRate(k % product.steps < product.steps / 2 ? 36 : 12),
  )
  await commitFrames(
    store.context,
    Array.from({ length: 18 }, (_, k) => ({
      frame: prepareFrame(halves, weights, {
        product: 'dpsri',
        timeMs: startMs + 3 * 3_600_000 + k * 206_000,
        version: '5',
        name: 'DPSRI',
        sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
        bias: null,
      }),
      source: sourceFile(`reseau-est-${k}`),
    })),
  )
  expect((await call('PUT', `/api/networks/${placed.id}/crs`, { crs: 'EPSG:4326' })).status).toBe(204)
  // It begins half an hour before the end of the file, which the run outlasts.
  const each = await run(placed.id, { rain: onPlaces, hours: 2.5 })
  expect(each).toMatchObject({ status: 'done', error: null })
  const rains = await get(`/api/networks/runs/${each.id}/curves?of=subcatchment&what=rain&names=S1%0AS2`)
  expect(rains.body.curves.map(({ values }: { values: number[] }) => values[26])).toEqual([
    expect.closeTo(36, 0),
    expect.closeTo(12, 0),
  ])
  // The first image stands for the interval before it as well.
  expect(each.result.rainMm).toBeCloseTo((24 * (3600 + 206)) / 3600, 1)
  await call('DELETE', `/api/networks/${placed.id}`)
  // What the archive lacks is told, and what falls after the end of the run.
  const long = await run(own.id, { rain: radar(180) })
  expect(long.result.warnings.join('\n')).toMatch(/L’archive manque \d+,\d.%[\s\S]*La pluie dure 3.h/)
  await call('DELETE', `/api/networks/${own.id}`)
})

test('a name is one network’s', async () => {
  const { body: other } = await upload(MODEL, 'autre.inp')
  const rename = (name: string) => call('PUT', `/api/networks/${other.id}/name`, { name })
  expect((await rename('Deux conduites')).status).toBe(409)
  expect((await rename(' ')).status).toBe(400)
  expect((await rename('Autre')).status).toBe(204)
})

test('an account keeps no more networks than its quota, however they come', async () => {
  const names = ['a', 'b', 'c']
  const made = await Promise.all(names.map((name) => upload(`${MODEL}; ${name}\n`, `${name}.inp`)))
  expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409].sort())
  expect((await get('/api/networks')).body).toHaveLength(3)
  // A version of what is there needs no room for a network.
  expect((await upload(`${MODEL}; encore\n`, 'Autre.inp')).body).toMatchObject({ version: 2 })
})

test('backup and verification know the files, and what is damaged is told', async () => {
  const client = await database.pool.connect()
  const names = (await folders(client)).map(({ name }) => name)
  client.release()
  expect(names).toEqual(expect.arrayContaining([`networks/${id}/1`, `networks/${id}/2`, `jobs/${first}/out`]))
  const look = async () => {
    const { config, site, catchments, db } = deps
    const store = await openStore({ db, config, site, catchments })
    const signal = new AbortController().signal
    const verifier = new Verifier({ repair: false, bytesPerSecond: 1e9, signal })
    await verifyNetworks(db, store, verifier)
    return verifier.report.damaged
  }
  expect(await look()).toEqual([])
  const path = join(dataDir, 'networks', id, '2', 'Deux_conduites.inp')
  writeFileSync(path, readFileSync(path, 'utf8').replace('100', '101'))
  expect(JSON.stringify(await look())).toContain(`networks/${id}/2`)
  expect((await get(`/api/networks/${id}/versions/2/model`)).status).toBe(404)
  expect((await get(`/api/networks/${id}/versions/1/model`)).status).toBe(200)
})

test('deletion takes runs and files along, and leaves a line', async () => {
  expect((await call('DELETE', `/api/networks/${id}`)).status).toBe(204)
  expect((await get(`/api/networks/${id}`)).status).toBe(404)
  expect((await get(`/api/networks/runs/${first}`)).status).toBe(404)
  expect(readdirSync(join(dataDir, 'networks'))).not.toContain(id)
  expect(readdirSync(join(dataDir, 'jobs'))).not.toContain(first)
  const { body } = await get('/api/admin/audit?action=item.delete', 'm')
  expect(body.events[0]).toMatchObject({
    actor: 'ursule',
    subject: `/api/networks/${id}`,
    details: { name: 'Deux conduites' },
  })
})

test('who leaves takes networks along, or hands them on', async () => {
  const leave = async (after: Parameters<typeof eraseAccount>[2]) => {
    const account = await deps.db
      .insertInto('account')
      .values({
        id: randomUUID(),
        name: 'quitte',
        name_key: 'quitte',
        password_hash: 'x',
        roles: [],
      } as never)
      .returningAll()
      .executeTakeFirstOrThrow()
    const { body } = await upload(MODEL, 'legs.inp', 'q')
    if (after.runs === 'hand') await run(body.id, { rain: { kind: 'none' } }, 'q')
    expect(await ownDataOf(deps.db, account)).toMatchObject({ networks: 1, exports: 0 })
    const gone: string[] = []
    const user = { name: 'quitte', isManager: false }
    await eraseAccount(deps.db, account, after, byProgram('command'), {
      job: (job) => deps.jobs.queue().remove(job, user, { removeFolder: async () => undefined } as never),
      network: async (network) => void gone.push(network),
      draft: async (draft) => void gone.push(draft),
    })
    return { network: body.id, gone }
  }
  const deleted = await leave({ runs: 'delete' })
  expect(deleted.gone).toEqual([deleted.network])
  expect((await get(`/api/networks/${deleted.network}`, 'm')).status).toBe(404)
  await deps.db
    .insertInto('account')
    .values({
      id: randomUUID(),
      name: 'chef',
      name_key: 'chef',
      password_hash: 'x',
      roles: [ROLE_MANAGER],
    } as never)
    .execute()
  const handed = await leave({ runs: 'hand', to: 'chef' })
  expect(handed.gone).toEqual([])
  expect((await get(`/api/networks/${handed.network}`, 'm')).body).toMatchObject({ owner: 'chef', runs: 1 })
})
