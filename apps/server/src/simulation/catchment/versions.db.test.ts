import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  CatchmentSummary,
  ComparableSimulation,
  LuseConfig,
  LuseData,
  LuseFile,
  SimulationListItem,
} from '@radx/contracts'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { strToU8, zipSync } from 'fflate'
import proj4 from 'proj4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App, Deps } from '../../http/app.ts'
import { createApp } from '../../http/create-app.ts'
import type { Session } from '../../http/sessions.ts'
import { jobOutput } from '../../jobs/output.ts'
import { makeZip } from '../../shapefiles/testing/make.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../../testing/deps.ts'
import { codesOf, findLuseFile, insertLuseFile } from '../land-use/luse-files.ts'
import { MULTIHYDRO, multihydro } from '../multihydro.ts'
import { registerSimulation } from '../routes.ts'
import { runSimulation } from '../run/run.ts'
import { formDataOf, runFields } from '../testing/run-form.ts'
import { SMALL_CATCHMENT, writeSmallCatchment } from '../testing/small-catchment.ts'
import { CatchmentLibrary } from './library.ts'
import { projectionOf } from './projection.ts'

const SESSION: Session = { userId: 'u', name: 'ursule', roles: [], restriction: null }
const MANAGER: Session = { userId: 'm', name: 'marie', roles: ['manager'], restriction: null }
const [OLD_RUN, NEW_RUN] = ['a', 'b'].map((end) => `00000000-0000-4000-8000-00000000000${end}`)
const dataDir = mkdtempSync(join(tmpdir(), 'radx-versions-'))
const [first, second] = [1, 2].map((n) => join(dataDir, `package-${n}`))
let database: TestDatabase
let app: App
let deps: Deps
let library: CatchmentLibrary
let painted: string
let oldReference: string

/** The same town with a row more in the south and another name for its second manhole. */
function replaced(): Record<string, string> {
  const longer = (text: string) => {
    const lines = text.trimEnd().split('\n')
    return `${[...lines, lines.at(-1)].join('\n')}\n`
      .replace('nrows 8', 'nrows 9')
      .replace('yllcorner 2000', 'yllcorner 1990')
  }
  const grids = ['elevation.asc', 'luse.asc', 'mask-place.asc'].map((name) => [
    name,
    longer(SMALL_CATCHMENT[name]),
  ])
  return {
    ...Object.fromEntries(grids),
    'catchment.json': JSON.stringify({
      ...JSON.parse(SMALL_CATCHMENT['catchment.json']),
      nrows: 9,
      yll: 1990,
    }),
    'network.inp': SMALL_CATCHMENT['network.inp'].replaceAll('J-2', 'J-9'),
    'gullies.csv': SMALL_CATCHMENT['gullies.csv'].replace('J-2', 'J-9'),
  }
}

async function finish(id: string, luseId: string): Promise<void> {
  const rain = uniformRain(new Array(20).fill(60), 60)
  const catchment = await library.get('petit')
  await runSimulation({
    catchment,
    rain,
    options: { soil: true, drainage: true },
    outDir: join(dataDir, jobOutput(id)),
  })
  const input = {
    title: id,
    catchmentId: 'petit',
    catchmentDisplay: 'Petit bassin',
    luseId,
    luseIdSource: luseId,
    caseStudyId: '',
    barrier: 'false',
    barrierHeight: '0',
    bassin: 'false',
    bassinDepth: '0',
    greenRoof: 'false',
    soilModule: 'true',
    drainageModule: 'true',
    luseDesc: '',
    rainfallSelection: 'virtual',
    rainfallStart: '2019-12-31T23:00:00Z',
    rainfallEnd: '2019-12-31T23:20:00Z',
    simulationDuration: 1 / 3,
    virtualParam: null,
    product: null,
    virtualRainShape: 'simple',
    virtualData: [],
  }
  await deps.db
    .insertInto('job')
    .values({
      ...{ id, kind: MULTIHYDRO, username: 'ursule', input: JSON.stringify(input), status: 'done' },
      result: JSON.stringify({ run: { wallSeconds: 3, simulatedSeconds: 1200 } }),
    })
    .execute()
}

/** The second version says nothing of its corners. */
const FIRST_CORNERS = { sw: [2.6, 48.5], se: [2.61, 48.5], ne: [2.61, 48.51], nw: [2.6, 48.51] }

const ask = (url: string) => app.inject({ url, headers: { authorization: 'Bearer u' } })
const get = async <T>(url: string): Promise<T> => (await ask(url)).json() as T
const files = () => get<LuseFile[]>('/api/multihydro/files?c=petit')

beforeAll(async () => {
  database = await createTestDatabase()
  deps = await testDeps({
    config: testConfig({ DATA_DIR: dataDir, DATABASE_URL: database.url }),
    database: handleOf(database),
    sessions: { resolve: async (token: string) => ({ u: SESSION, m: MANAGER })[token] ?? null },
  })
  library = new CatchmentLibrary(deps.db, deps.config)
  writeSmallCatchment(first, {
    'catchment.json': JSON.stringify({
      ...JSON.parse(SMALL_CATCHMENT['catchment.json']),
      corners: FIRST_CORNERS,
    }),
  })
  writeSmallCatchment(second, replaced())
  app = await createApp(deps, { features: [registerSimulation] })
  await library.import(first)
  const [reference] = await files()
  oldReference = reference._id
  const file = await findLuseFile(deps.db, oldReference)
  const codes = await codesOf(file)
  codes[12] = 4
  painted = await insertLuseFile(deps.db, {
    catchmentId: 'petit',
    catchmentHash: file.catchment_hash,
    username: 'ursule',
    description: 'Une maison de plus',
    configs: file.configs,
    codes,
    ncols: 12,
    nrows: 8,
    edit: [{ i: 1, j: 0, value: 4 }],
  })
  await finish(OLD_RUN, painted)
  await library.import(second)
  const [newer] = await files()
  await finish(NEW_RUN, newer._id)
})
afterAll(async () => {
  await app?.close()
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('what belongs to a replaced catchment is marked, and read with its own grid', async () => {
  const listed = await files()
  expect(listed.map(({ _id, outdated }) => [_id === painted || _id === oldReference, outdated])).toEqual([
    [false, false],
    [true, true],
    [true, true],
  ])
  for (const [id, rows] of [
    [painted, 8],
    [listed[0]._id, 9],
  ] as const) {
    const data = await get<LuseData>(`/api/multihydro/file/${id}/dataJson?elevation=true&allCodes=true`)
    expect([data.data.length, data.elevation?.length]).toEqual([rows, rows])
    const text = await ask(`/api/multihydro/file/${id}/data`)
    expect([text.statusCode, text.body.includes(`nrows ${rows}`)]).toEqual([200, true])
  }
  const compared = await get<{ chords: number[][] }>(
    `/api/multihydro/file/compare?catchmentId=petit&luseId=${painted}`,
  )
  const changed = compared.chords.flatMap((row, from) => row.filter((_, to) => to !== from))
  expect(changed.reduce((a, b) => a + b, 0)).toBe(1)
})

test('a run keeps its own network, and is compared with none of another version', async () => {
  const names = async (query: string) =>
    (await get<{ name: string }[]>(`/api/multihydro/petit/nodes${query}`)).map(({ name }) => name).sort()
  expect(await names('')).toEqual(['J-1', 'J-9', 'OUT-1'])
  expect(await names(`?jobId=${NEW_RUN}`)).toEqual(['J-1', 'J-9', 'OUT-1'])
  expect(await names(`?jobId=${OLD_RUN}`)).toEqual(['J-1', 'J-2', 'OUT-1'])
  const way = '/api/pathfinder/catchmentId/petit?start=J-1&end=OUT-1'
  expect(await get(`${way}&jobId=${OLD_RUN}`)).toEqual(['J-1', 'J-2', 'OUT-1'])
  expect(await get(way)).toEqual(['J-1', 'J-9', 'OUT-1'])
  const output = (id: string, name: string) => ask(`/api/multihydro/file/${id}/output?outputType=${name}`)
  const heights = (await output(OLD_RUN, 'all_height_10m.txt')).json()
  expect(heights.junctions.map(({ Name }: { Name: string }) => Name)).toEqual(['J-1', 'J-2', 'OUT-1'])
  expect((await output(OLD_RUN, 'max_waterdepth_10m.txt')).json().place).toMatchObject({
    nrows: 8,
    yll: 2000,
  })
  for (const id of [OLD_RUN, NEW_RUN])
    expect(await get<ComparableSimulation[]>(`/api/jobs/multihydro/similar/${id}`)).toEqual([])
  const across = await ask(`/api/multihydro/file/${OLD_RUN}/max-depth.csv?reference=${NEW_RUN}`)
  expect([across.statusCode, across.json().code]).toEqual([409, 'simulation.notComparable'])
  const runs = await get<SimulationListItem[]>('/api/jobs/multihydro')
  expect(Object.fromEntries(runs.map(({ _id, outdated }) => [_id, outdated]))).toEqual({
    [OLD_RUN]: true,
    [NEW_RUN]: false,
  })
  // How long runs take is told by those on the cells of now.
  const [{ recentMsPerHour }] = await get<CatchmentSummary[]>('/api/multihydro/catchments')
  expect(recentMsPerHour).toEqual([9_000])
  // Before the first of them the older version's runs tell it, by cells and steps: the same rows, one more here.
  const asIf = (status: 'pending' | 'done') =>
    deps.db.updateTable('job').set({ status }).where('id', '=', NEW_RUN).execute()
  await asIf('pending')
  const [before] = await get<CatchmentSummary[]>('/api/multihydro/catchments')
  await asIf('done')
  const versions = await deps.db.selectFrom('catchment_version').select('summary').execute()
  const [fewer, more] = versions.map(({ summary }) => summary.activeCells).sort((a, b) => a - b)
  expect(more).toBeGreaterThan(fewer)
  expect(before).toMatchObject({ recentMsPerHour: [], activeCells: more })
  expect(before.expectedMsPerHour).toBeCloseTo((9_000 * more) / fewer, 6)
  const old = { luseId: painted, luseIdSource: painted, catchmentId: 'petit' } as never
  // What it says of its catchment is what its own version said.
  expect(await multihydro.wholeInput?.(deps.db, old)).toMatchObject({
    catchmentOutdated: true,
    catchmentSynthetic: false,
    catchmentCorners: FIRST_CORNERS,
  })
})

test('a package that does not give its corners has those of its grid', async () => {
  const [{ corners, ncols, nrows, cellSizeM }] = await get<CatchmentSummary[]>('/api/multihydro/catchments')
  const place = proj4('WGS84', projectionOf('EPSG:2154'))
  const [sw, ne] = [corners.sw, corners.ne].map((corner) => place.forward(corner))
  const { xll, yll } = JSON.parse(replaced()['catchment.json'])
  for (const [k, start] of [xll, yll].entries()) {
    expect(sw[k]).toBeCloseTo(start, 1)
    expect(ne[k]).toBeCloseTo(start + [ncols, nrows][k] * cellSizeM, 1)
  }
})

test('an old land use is refused for a new run', async () => {
  const { codes } = await get<LuseData>(`/api/multihydro/file/${painted}/dataJson?allCodes=true`)
  const fields = runFields({ catchmentId: 'petit', luseId: painted, codes: codes as LuseConfig[] })
  const request = new Request('http://x', { method: 'POST', body: formDataOf(fields) })
  const answer = await app.inject({
    method: 'POST',
    url: '/api/job/multihydro',
    headers: { authorization: 'Bearer u', 'content-type': request.headers.get('content-type') as string },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  expect([answer.statusCode, answer.json().message]).toEqual([
    400,
    expect.stringContaining('version précédente du bassin'),
  ])
})

test('a version that was not kept says so; one that comes back has its own land use again', async () => {
  await deps.db.updateTable('luse_file').set({ catchment_hash: '' }).where('id', '=', painted).execute()
  for (const path of [
    `${painted}/dataJson?elevation=true`,
    `${painted}/data`,
    `compare?catchmentId=petit&luseId=${painted}`,
  ]) {
    const gone = await ask(`/api/multihydro/file/${path}`)
    expect([path, gone.statusCode, gone.json().code]).toEqual([path, 410, 'catchment.versionGone'])
  }
  expect((await library.import(first)).outcome).toBe('imported')
  expect((await library.import(first)).outcome).toBe('known')
  const [own, ...others] = await files()
  expect([own._id, own.outdated]).toEqual([oldReference, false])
  expect(others).toHaveLength(2)
})

describe('a package that is sent as a zip', () => {
  const files = (changes: Record<string, string | null> = {}) => {
    const about = { ...JSON.parse(SMALL_CATCHMENT['catchment.json']), id: 'envoi', display: 'Envoyé' }
    const all = { ...SMALL_CATCHMENT, 'catchment.json': JSON.stringify(about), ...changes }
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, text]) =>
        text === null ? [] : [[`envoi/${name}`, strToU8(text)]],
      ),
    )
  }
  const send = async (payload: Uint8Array, token = 'm', name = 'envoi.zip') => {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/multihydro/catchments?name=${encodeURIComponent(name)}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/zip' },
      payload: Buffer.from(payload),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const left = () =>
    ['staging', 'uploads'].flatMap((name) =>
      existsSync(join(dataDir, name)) ? readdirSync(join(dataDir, name)) : [],
    )

  test('a manager adds one, again nothing changes, and it can be simulated; others may not', async () => {
    const zip = zipSync(files())
    expect(await send(zip, 'u')).toMatchObject({ status: 403 })
    expect(await send(zip, 'nobody')).toMatchObject({ status: 401 })
    expect(await send(zip)).toEqual({
      status: 200,
      body: { id: 'envoi', display: 'Envoyé', outcome: 'imported', warnings: expect.any(Array) },
    })
    expect((await send(zip)).body.outcome).toBe('known')
    const listed = await get<CatchmentSummary[]>('/api/multihydro/catchments')
    expect(listed.find(({ id }) => id === 'envoi')).toMatchObject({
      display: 'Envoyé',
      ncols: 12,
      activeCells: 95,
    })
    expect((await library.get('envoi')).gullies).toHaveLength(2)
    expect(left()).toEqual([])
  })

  test.each<[string, () => Uint8Array, RegExp, number]>([
    ['no zip', () => strToU8('hello'), /n’est pas un zip/, 422],
    ['no package', () => zipSync({ 'a.txt': strToU8('1') }), /ne contient pas de catchment\.json/, 422],
    ['a cut one', () => zipSync(files()).subarray(0, 900), /endommagé|tronqué/, 422],
    [
      'the same name twice',
      () => zipSync({ ...files(), 'autre/LUSE.asc': strToU8('1') }),
      /deux fichiers/,
      422,
    ],
    [
      'a bomb',
      () => makeZip({ 'catchment.json': '{}', 'vide.bin': new Uint8Array(257 * 2 ** 20) }),
      /plus de 256 Mio une fois ouvert/,
      422,
    ],
    [
      'a grid of 40,000 x 40,000',
      () =>
        zipSync(
          files({
            'elevation.asc': SMALL_CATCHMENT['elevation.asc'].replace('12', '40000').replace('8', '40000'),
          }),
        ),
      /40\u202f000 x 40\u202f000 mailles/,
      422,
    ],
    ['nothing', () => new Uint8Array(0), /vide/, 400],
  ])('%s is refused in words, and nothing is left behind', async (_, zip, words, status) => {
    const answer = await send(zip())
    expect(answer.body.message).toMatch(words)
    expect(answer.status).toBe(status)
    expect(left()).toEqual([])
  })

  test('all that is wrong is told at once, without a path of the server', async () => {
    const { status, body } = await send(
      zipSync(files({ 'luse.asc': 'nonsense', 'gullies.csv': 'nothing', 'mask-place.asc': null })),
      'm',
      '..\\..\\ville.zip',
    )
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'catchment.invalid' })
    expect(body.details.problems.length).toBeGreaterThanOrEqual(2)
    expect(body.message).toContain('Le bassin versant ville.zip est refusé')
    expect(JSON.stringify(body)).not.toContain(dataDir)
  })
})
