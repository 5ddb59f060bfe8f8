import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BuilderPreview, type BuilderStep, ROLE_MANAGER } from '@radx/contracts'
import { writeGeoTiff } from '@radx/formats/geotiff'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { folders } from '../../backup/names.ts'
import type { App, Deps } from '../../http/app.ts'
import { createApp } from '../../http/create-app.ts'
import type { Session } from '../../http/sessions.ts'
import { registerJobs } from '../../jobs/routes.ts'
import { Jobs } from '../../jobs/service.ts'
import { CatchmentLibrary, readCatchmentPackage } from '../../simulation/api.ts'
import { writeSmallCatchment } from '../../simulation/testing/small-catchment.ts'
import { openStore } from '../../store/open-store.ts'
import { Verifier } from '../../store/verify.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../../testing/deps.ts'
import { layerText, writeSources } from '../testing/derived-sources.ts'
import { buildJob } from './job.ts'
import { registerBuilder } from './routes.ts'
import { Drafts } from './service.ts'
import { verifyDrafts } from './verify.ts'

const session = (name: string, more: Partial<Session> = {}): Session => ({
  userId: name,
  name,
  roles: [],
  restriction: null,
  ...more,
})
const manager = { roles: [ROLE_MANAGER] }
const SESSIONS = new Map([
  ['b', session('bâtisseur', manager)],
  ['c', session('chef', manager)],
  ['u', session('ursule')],
])

let database: TestDatabase
let app: App
let deps: Deps
let jobs: Jobs
let recipe: Record<string, unknown>
const root = mkdtempSync(join(tmpdir(), 'radx-drafts-'))
const dataDir = join(root, 'data')
const sources = join(root, 'sources')
const names = () => readdirSync(sources)

beforeAll(async () => {
  database = await createTestDatabase()
  const config = testConfig({
    DATA_DIR: dataDir,
    RADX_WORKERS: '1',
    DATABASE_URL: database.url,
    QUOTA_DRAFTS: '3',
    QUOTA_MB: '1',
  })
  const sessions = { resolve: async (token: string) => SESSIONS.get(token) ?? null }
  const base = await testDeps({
    config,
    database: handleOf(database),
    sessions,
    clock: { now: () => Date.now() },
  })
  const kindsModule = new URL('../../job-kinds.ts', import.meta.url).href
  jobs = new Jobs({ deps: base, kinds: [buildJob as never], kindsModule, work: true })
  jobs.start()
  await jobs.ready()
  deps = { ...base, jobs }
  app = await createApp(deps, { features: [registerBuilder, registerJobs] })
  recipe = writeSources(sources, await readCatchmentPackage(writeSmallCatchment(join(root, 'given'))))
  // Two streams to the same town: one that is fine, and what goes wrong with it.
  writeFileSync(
    join(sources, 'croise.geojson'),
    layerText('EPSG:2154', [
      area([
        [1000, 2000],
        [1100, 2080],
        [1100, 2000],
        [1000, 2080],
        [1000, 2000],
      ]),
    ]),
  )
})
afterAll(async () => {
  await app?.close()
  await jobs?.stop()
  await database?.drop()
  rmSync(root, { recursive: true, force: true })
})

const area = (ring: number[][]) => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'Polygon', coordinates: [ring] },
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
async function call(method: Method, url: string, payload?: object | Buffer, token = 'b') {
  const response = await app.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${token}`,
      ...(payload === undefined
        ? {}
        : { 'content-type': Buffer.isBuffer(payload) ? 'application/octet-stream' : 'application/json' }),
    },
    payload,
  })
  const isJson = response.headers['content-type']?.toString().includes('json')
  return { status: response.statusCode, body: isJson ? response.json() : response.rawPayload }
}
const DRAFTS = '/api/builder/drafts'
async function begin(token = 'b'): Promise<string> {
  const { status, body } = await call('POST', DRAFTS, { name: 'Petit bassin' }, token)
  expect(status).toBe(200)
  return body.id
}
const upload = (id: string, name: string, bytes?: Buffer, token = 'b') =>
  call(
    'POST',
    `${DRAFTS}/${id}/files?name=${encodeURIComponent(name)}`,
    bytes ?? readFileSync(join(sources, name)),
    token,
  )
const write = (id: string, changes: Record<string, unknown> = {}) =>
  call('PUT', `${DRAFTS}/${id}`, { recipe: { ...recipe, ...changes } })
async function preview(id: string, step: BuilderStep): Promise<BuilderPreview> {
  const { status, body } = await call('GET', `${DRAFTS}/${id}/preview?step=${step}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const problems = async (id: string, step: BuilderStep) => (await preview(id, step)).problems.join('\n')

let id = ''
beforeEach(async () => {
  if (id === '') {
    id = await begin()
    for (const name of names()) expect((await upload(id, name)).body, name).toMatchObject({ name })
  }
})

describe('a draft', () => {
  test('takes files in and tells what they hold', async () => {
    const { body } = await call('GET', `${DRAFTS}/${id}`)
    const holds = (name: string) => body.files.find((file: { name: string }) => file.name === name).holds
    expect(holds('mnt-0.tif')).toEqual({
      raster: expect.objectContaining({ ncols: 7, nrows: 2, cellSize: 10, crs: 'EPSG:2154', values: null }),
    })
    expect(holds('sols.tif').raster.values).toContainEqual({ value: '6', count: 2 })
    const [layer] = holds('sols.geojson').layers
    expect(layer).toMatchObject({ name: null, geometry: 'polygons', crs: 'EPSG:2154' })
    expect(layer.columns[0].values.map(({ value }: { value: string }) => value)).toContain('Herbe')
    expect(holds('reseau.inp').network).toMatchObject({ nodes: 3, links: 2 })
    expect(holds('avaloirs.csv').table).toEqual({ columns: ['gully', 'x', 'y', 'junction'], rows: 2 })
  })

  test('shows each step as far as it was given', async () => {
    await write(id, { terrain: undefined, landUse: undefined, sewer: undefined, gullies: undefined })
    const grid = await preview(id, 'outline')
    expect(grid).toMatchObject({ problems: [], grid: { cells: 96, inside: 96 }, town: null })
    expect(await problems(id, 'terrain')).toContain('Le terrain manque')
    expect(await preview(id, 'landUse')).toMatchObject({ problems: [], town: expect.any(Object) })
    await write(id)
    const terrain = await preview(id, 'terrain')
    expect(terrain.problems).toEqual([])
    expect(terrain.findings.map(({ text }) => text).join('\n')).toMatch(/Terrain de 4 fichiers/)
    expect(Buffer.from(terrain.cells ?? '', 'base64')).toHaveLength(3 * 96)
    const sewer = await preview(id, 'sewer')
    expect(sewer.problems).toEqual([])
    expect(sewer.network).toMatchObject({ nodes: { length: 3 }, links: { length: 2 } })
    const gullies = await preview(id, 'gullies')
    expect(gullies.gullies.map(({ name }) => name)).toEqual(['G-1', 'G-2'])
  })

  test('is built to the package that its sources were made of, and kept as a catchment', async () => {
    await write(id)
    const { body: made, status } = await call('POST', `${DRAFTS}/${id}/builds`)
    expect(status, JSON.stringify(made)).toBe(200)
    const built = await ended(id, made.jobId)
    expect(built).toMatchObject({ status: 'done', result: { id: 'petit', warnings: expect.any(Array) } })
    const zip = await call('GET', `/api/builder/builds/${made.jobId}/bassin.zip`)
    const files = unzipSync(zip.body)
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['catchment.json', 'elevation.asc', 'luse.asc', 'network.inp', 'report.md']),
    )
    const given = await readCatchmentPackage(join(root, 'given'))
    const report = await call('GET', `/api/builder/builds/${made.jobId}/rapport.md`)
    expect(report.body.toString()).toContain('# Petit bassin (petit)')
    const stored = (await call('POST', `/api/builder/builds/${made.jobId}/catchment`)).body
    expect(stored).toMatchObject({ id: expect.stringMatching(/^petit-/), outcome: 'imported' })
    const kept = await new CatchmentLibrary(deps.db, deps.config).get(stored.id)
    expect(kept.elevation.data).toEqual(given.elevation.data)
    expect(kept.landUse.data).toEqual(given.landUse.data)
    expect(kept.network.nodes).toMatchObject(JSON.parse(JSON.stringify(given.network.nodes)))
  })

  test('stays while it is built, and a build that is cancelled leaves nothing', async () => {
    await write(id)
    const submit = async () => (await call('POST', `${DRAFTS}/${id}/builds`)).body.jobId
    // One worker: the second waits behind the first.
    const [first, second] = [await submit(), await submit()]
    expect(await call('DELETE', `${DRAFTS}/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'builder.busy' },
    })
    expect(await call('DELETE', `${DRAFTS}/${id}/files/sols.tif`)).toMatchObject({ status: 409 })
    expect((await call('POST', `/api/job/${second}/cancel`)).status).toBe(200)
    expect(await ended(id, second)).toMatchObject({ status: 'error', cancelled: true, result: null })
    expect((await ended(id, first)).status).toBe('done')
    expect((await call('GET', `/api/builder/builds/${second}/bassin.zip`)).body.code).toBe('builder.build')
    expect(readdirSync(join(dataDir, 'jobs'))).not.toContain(second)
    for (const job of [first, second]) expect((await call('DELETE', `/api/job/${job}`)).status).toBe(204)
  })

  test('says at once what a build still needs, and by a job what is wrong with a source', async () => {
    const empty = await begin()
    const refused = await call('POST', `${DRAFTS}/${empty}/builds`)
    expect(refused.status).toBe(422)
    expect(refused.body.message).toContain('Le terrain manque')
    await write(empty)
    const { body } = await call('POST', `${DRAFTS}/${empty}/builds`)
    const built = await ended(empty, body.jobId)
    expect(built.status).toBe('error')
    expect(built.error).toContain('mnt-0.tif n’existe pas')
    expect((await call('GET', `/api/builder/builds/${body.jobId}/bassin.zip`)).body.code).toBe(
      'builder.build',
    )
    await call('DELETE', `${DRAFTS}/${empty}`)
  })
})

async function ended(draft: string, jobId: string) {
  for (;;) {
    const { body } = await call('GET', `${DRAFTS}/${draft}`)
    const build = body.builds.find((one: { jobId: string }) => one.jobId === jobId)
    if (build.status === 'done' || build.status === 'error') return build
    await sleep(50)
  }
}

describe('rights and limits', () => {
  test('drafts are for who may build, and for their owner and managers alone', async () => {
    const calls: [Method, string, (object | Buffer)?][] = [
      ['GET', DRAFTS],
      ['POST', DRAFTS, { name: 'x' }],
      ['GET', `${DRAFTS}/${id}`],
      ['PUT', `${DRAFTS}/${id}`, { name: 'x' }],
      ['DELETE', `${DRAFTS}/${id}`],
      ['POST', `${DRAFTS}/${id}/files?name=x.csv`, Buffer.from('a,b\n1,2\n')],
      ['DELETE', `${DRAFTS}/${id}/files/sols.tif`],
      ['GET', `${DRAFTS}/${id}/preview?step=outline`],
      ['POST', `${DRAFTS}/${id}/builds`],
      ['GET', `/api/builder/builds/${id}/bassin.zip`],
      ['GET', `/api/builder/builds/${id}/rapport.md`],
      ['POST', `/api/builder/builds/${id}/catchment`],
    ]
    for (const [method, url, payload] of calls)
      expect(await call(method, url, payload, 'u'), `${method} ${url}`).toMatchObject({
        status: 403,
        body: { code: 'auth.catchments', message: expect.stringContaining('gestionnaire') },
      })
    expect((await call('GET', DRAFTS, undefined, 'c')).body).toEqual([])
    const gone = await call('GET', `${DRAFTS}/00000000-0000-4000-8000-000000000000`)
    expect(gone).toMatchObject({ status: 404, body: { code: 'builder.notFound' } })
  })

  test('a draft of another is nobody’s who is no manager', async () => {
    const user = { name: 'ursule', isManager: false }
    await expect(new Drafts(deps).get(id, user)).rejects.toMatchObject({ code: 'builder.forbidden' })
    await expect(new Drafts(deps).remove(id, user)).rejects.toMatchObject({ code: 'builder.forbidden' })
  })

  test('drafts and the bytes of their files are counted', async () => {
    const mine = [await begin('c'), await begin('c'), await begin('c')]
    expect(await call('POST', DRAFTS, { name: 'x' }, 'c')).toMatchObject({
      status: 409,
      body: { code: 'quota.reached' },
    })
    const large = Buffer.from(`a,b\n${'1,2\n'.repeat(240_000)}`)
    expect((await upload(mine[0], 'un.csv', large, 'c')).status).toBe(200)
    expect(await upload(mine[1], 'deux.csv', large, 'c')).toMatchObject({
      status: 409,
      body: { code: 'quota.reached' },
    })
    // The same file again takes its own place.
    expect((await upload(mine[0], 'un.csv', large, 'c')).status).toBe(200)
    for (const one of mine)
      expect((await call('DELETE', `${DRAFTS}/${one}`, undefined, 'c')).status).toBe(204)
    expect(readdirSync(join(dataDir, 'drafts'))).toEqual([id])
  })

  test('recipes lead nowhere outside of the draft, and are held against their schema', async () => {
    const wrong = await write(id, { cellSize: 'fin', terrain: { files: [] } })
    expect(wrong.status).toBe(422)
    expect(wrong.body.details.problems).toEqual([
      expect.stringContaining('cellSize'),
      expect.stringMatching(/^terrain : /),
    ])
    await write(id, { terrain: { files: ['../../../../etc/passwd'] } })
    expect(await problems(id, 'terrain')).toContain('sort du dossier')
    await write(id, { terrain: { files: ['/etc/passwd'] } })
    expect(await problems(id, 'terrain')).toContain('est un chemin absolu')
  })

  test('files are saved by a backup, held against their checksums, and go with old drafts', async () => {
    const { body } = await call('GET', `${DRAFTS}/${id}`)
    const client = await database.pool.connect()
    const saved = (await folders(client as never)).map(({ name }) => name)
    client.release()
    expect(saved.filter((name) => name.startsWith(`drafts/${id}/`))).toHaveLength(body.files.length)
    const store = await openStore(deps)
    const verifier = new Verifier({
      store,
      repair: false,
      bytesPerSecond: Number.POSITIVE_INFINITY,
      signal: new AbortController().signal,
    } as never)
    await verifyDrafts(deps.db, store, verifier)
    expect(verifier.report.damaged).toEqual([])
    const drafts = new Drafts(deps)
    const old = await begin()
    expect(await drafts.prune(new Date(0))).toBe(0)
    await deps.db
      .updateTable('builder_draft')
      .set({ updated_at: new Date(1000) })
      .where('id', '=', old)
      .execute()
    expect(await drafts.prune(new Date(2000))).toBe(1)
    expect((await call('GET', `${DRAFTS}/${old}`)).status).toBe(404)
  })
})

const heights = (ncols: number, nrows: number, change: object = {}) =>
  Buffer.from(
    writeGeoTiff({
      ncols,
      nrows,
      values: new Float32Array(ncols * nrows).fill(30),
      left: 1000,
      top: 2080,
      cellWidth: 10,
      cellHeight: 10,
      crs: { kind: 'projected', epsg: 2154 },
      nodata: -9999,
      ...change,
    }),
  )

describe('broken sources', () => {
  test.each<[string, string, () => Buffer, string]>([
    ['a picture', 'photo.png', () => Buffer.from('png'), 'ce genre de fichier n’est pas pris'],
    ['a terrain that is none', 'mnt.tif', () => Buffer.from('II*\0broken'), 'Exportez-le'],
    ['a truncated terrain', 'mnt.tif', () => heights(12, 8).subarray(0, 300), 'Copiez-le de nouveau'],
    [
      '40,000 x 40,000 cells',
      'mnt.asc',
      () => Buffer.from('ncols 40000\nnrows 40000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n'),
      'il n’a pas été lu',
    ],
    ['a network that is none', 'r.inp', () => Buffer.from('[JUNCTIONS]\nJ1 a b\n'), 'Donnez START_DATE'],
    ['a zip that is none', 'couche.zip', () => Buffer.from('PK'), 'zip'],
    ['JSON that is none', 'couche.geojson', () => Buffer.from('{'), 'Exportez-la de nouveau'],
  ])('%s is refused with what to do, and leaves nothing', async (_, name, bytes, words) => {
    const before = (await call('GET', `${DRAFTS}/${id}`)).body
    const { status, body } = await upload(id, name, bytes())
    expect(status, JSON.stringify(body)).toBe(422)
    expect(body.message).toContain(words)
    const after = (await call('GET', `${DRAFTS}/${id}`)).body
    expect(after.files).toEqual(before.files)
    expect(readdirSync(join(dataDir, 'drafts', id))).toHaveLength(before.files.length)
    expect(readdirSync(join(dataDir, 'staging'))).toEqual([])
    expect(readdirSync(join(dataDir, 'uploads'))).toEqual([])
  })

  test('a terrain upside down, in feet, or in another system', async () => {
    const flipped = heights(12, 8, { top: 2000, cellHeight: -10 })
    expect((await upload(id, 'envers.tif', flipped)).status).toBe(200)
    await write(id, { terrain: { files: ['envers.tif'] }, sewer: undefined, gullies: undefined })
    expect(await problems(id, 'terrain')).toContain('est à l’envers')
    await write(id, {
      terrain: { files: ['envers.tif'], southUp: true },
      sewer: undefined,
      gullies: undefined,
    })
    expect(await problems(id, 'terrain')).toBe('')
    await upload(id, 'pieds.tif', heights(12, 8, { values: new Float32Array(96).fill(12_000) }))
    await write(id, { terrain: { files: ['pieds.tif'] } })
    expect(await problems(id, 'terrain')).toContain('choisissez « pieds »')
    await write(id, { terrain: { files: ['pieds.tif'], unit: 'ft' } })
    expect(await problems(id, 'terrain')).toBe('')
    await write(id, { terrain: { files: ['mnt-0.tif'], crs: 'EPSG:3949' } })
    expect(await problems(id, 'terrain')).toMatch(/aucune altitude dans le contour[\s\S]*Vérifiez le système/)
  })

  test('a polygon that crosses itself, a network in local coordinates and one off the grid', async () => {
    await write(id, { outline: { file: 'croise.geojson' } })
    expect(await problems(id, 'outline')).toContain('cochez « Prendre les polygones qui se croisent »')
    await write(id, { outline: { file: 'croise.geojson', repair: true } })
    expect(await problems(id, 'outline')).toBe('')
    const inp = readFileSync(join(sources, 'reseau.inp'), 'utf8')
    const moved = (dx: number, dy: number) =>
      Buffer.from(
        inp.replace(
          /(\[COORDINATES\])([\s\S]*?)(?=\n\[|$)/,
          (_, head, rows: string) =>
            `${head}${rows.replace(/^(\S+)\s+([\d.]+)\s+([\d.]+)/gm, (__, name, x, y) => `${name} ${Number(x) + dx} ${Number(y) + dy}`)}`,
        ),
      )
    await upload(id, 'local.inp', moved(-1000, -2000))
    await write(id, { sewer: { inp: 'local.inp' }, gullies: undefined })
    expect(await problems(id, 'sewer')).toContain('le réseau est en coordonnées locales')
    await upload(id, 'ailleurs.inp', moved(600_000, 6_800_000))
    await write(id, { sewer: { inp: 'ailleurs.inp' }, gullies: undefined })
    expect(await problems(id, 'sewer')).toContain('le réseau est hors de la grille')
    await write(id)
  })
})
