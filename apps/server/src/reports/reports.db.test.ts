import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { durationFr } from '@radx/charts'
import type { ArchiveResponse, ReportBlock, ReturnPeriods } from '@radx/contracts'
import { BALANCE_PARTS, type FloodCourse, OUTPUT_MAX_DEPTH, RADX_VERSION } from '@radx/contracts'
import { VIRTUAL_START } from '@radx/contracts/simulation-constants'
import type { SiteGauge } from '@radx/contracts/site'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { formatDuration } from '@radx/locale/duration'
import { formatDateTimeFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { encodeRate } from '@radx/rainfall'
import { isAtLeast, largestDepths } from '@radx/rainfall/storms/depth-duration'
import { type MontanaLaw, returnPeriod, returnPeriodFr } from '@radx/rainfall/storms/montana'
import { getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeReadings } from '../gauges/api.ts'
import { registerGauges } from '../gauges/routes.ts'
import type { App } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { jobOutput } from '../jobs/output.ts'
import { registerRadar } from '../radar/routes.ts'
import { CatchmentLibrary } from '../simulation/catchment/library.ts'
import { codesOf, findLuseFile } from '../simulation/land-use/luse-files.ts'
import { MULTIHYDRO } from '../simulation/multihydro.ts'
import { registerSimulation } from '../simulation/routes.ts'
import { runSimulation } from '../simulation/run/run.ts'
import { SMALL_CATCHMENT, writeSmallCatchment } from '../simulation/testing/small-catchment.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { storeOf } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { registerStorms } from '../storms/routes.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { powerFr } from './power-fr.ts'
import { registerReports } from './routes.ts'

const START = Date.parse('2026-06-04T10:00:00Z')
const STEP_MS = 206_000
const FRAMES = 60
/** Days later a frame an hour, with a gap between every two. */
const HOURLY = Array.from({ length: 24 }, (_, k) => Date.parse('2026-06-14T00:00:00Z') + k * 3_600_000)
const RATE_MM_H = 6

const iso = (ms: number) => new Date(ms).toISOString()
const GROUND_GAUGE: SiteGauge = {
  ...{ id: 'sol', name: 'Poste au sol', position: { lat: 48.55, lng: 2.45 }, unit: 'mm', timeZone: 'UTC' },
  ...{ measure: 'depth', source: { format: 'csv', files: 'sol_', time: 'Date', value: 'mm' } },
}

const tableOf = (blocks: ReportBlock[], caption: string) => {
  const found = blocks.find((block) => block.kind === 'table' && block.caption === caption)
  if (found?.kind !== 'table') throw new Error(`no table « ${caption} »`)
  return found
}
const session = (name: string, restriction: Session['restriction'] = null): Session => ({
  userId: '00000000-0000-4000-8000-0000000000ff',
  name,
  roles: [],
  restriction,
})

describe('reports', () => {
  let database: TestDatabase
  let app: App
  let run: FinishedRun
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-reports-'))
  const tokens = new Map([
    ['a', { ...session('alice'), roles: ['manager'] }],
    ['b', session('bruno')],
    ['c', session('cleo')],
    ['d', session('dora')],
    ['r', session('restreint', { start: new Date('2026-06-04T11:00:00Z'), end: null })],
  ])

  beforeAll(async () => {
    database = await createTestDatabase()
    const deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir, DATABASE_URL: database.url }),
      database: handleOf(database),
      site: smallSite({ gauges: [GROUND_GAUGE] }),
      catchments: smallCatchments(),
      sessions: { resolve: async (token) => tokens.get(token) ?? null },
    })
    const { context, catalog } = await storeOf(deps)
    const product = catalog.products.get('dpsri')!
    const weights = zoneWeights(product, catalog.zones)
    const codes = new Uint16Array(product.steps ** 2).fill(encodeRate(RATE_MM_H))
    const times = Array.from({ length: FRAMES }, (_, k) => START + k * STEP_MS)
    await commitFrames(
      context,
      [...times, ...HOURLY].map((timeMs, k) => ({
        frame: prepareFrame(codes, weights, {
          product: 'dpsri',
          timeMs,
          version: '5',
          name: 'DPSRI',
          sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
        }),
        source: sourceFile(String(k)),
      })),
    )
    await deps.db.transaction().execute((tx) =>
      storeReadings(tx, GROUND_GAUGE.id, {
        timesMs: Float64Array.from({ length: 30 }, (_, k) => START + 20_000 + (k + 1) * 300_000),
        mm: Float64Array.from({ length: 30 }, (_, k) => 0.3 + 0.1 * (k % 5)),
      }),
    )
    app = await createApp(deps, {
      features: [registerRadar, registerStorms, registerReports, registerSimulation, registerGauges],
    })
    run = await finishedRun(deps, dataDir)
  })
  afterAll(async () => {
    await app?.close()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const call = async (
    method: 'GET' | 'PUT' | 'DELETE',
    path: string,
    token: string | null,
    payload?: object,
  ) => {
    const response = await app.inject({
      method,
      url: path,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    })
    return { status: response.statusCode, body: response.body === '' ? null : response.json() }
  }
  const pdf = async (path: string) => {
    const response = await app.inject({ url: path, headers: { authorization: 'Bearer a' } })
    expect(response.statusCode).toBe(200)
    return new Uint8Array(response.rawPayload)
  }
  const zone = () => smallCatchments().all[0].key

  const span = `p=dpsri&s=${iso(START)}&e=${iso(START + 30 * STEP_MS)}`
  const whole = () => `${span}&c=${zone()}&g=48.55,2.45&title=Orage`

  test('the PDF is tagged, in French, and reads as the calls answer', async () => {
    await call('PUT', '/api/storms/tables', 'a', {
      name: 'Tableau du test',
      units: 'mm-min',
      source: { csv: 'T;a;b;durée min;durée max\n5;0,2;0,3;6;60\n10;0,4;0,3;6;60\n' },
    })
    const document = await open(await pdf(`/api/reports/event.pdf?${whole()}`))
    expect(await document.getMarkInfo()).toMatchObject({ Marked: true })
    const { info } = await document.getMetadata()
    expect(info).toMatchObject({ Title: 'Rapport d’évènement – Orage', Language: 'fr-FR' })
    const { text, roles, alternatives } = await contents(document)
    const asked = (
      await call('GET', `/api/storms/return-periods?${whole().replace('&title=Orage', '')}`, 'a')
    ).body
    expect(asked.places).toHaveLength(3)
    for (const place of asked.places) {
      expect(text).toContain(plain(formatQuantityFr(place.totalMm, 'mm', 1)))
      for (const { depthMm, period } of place.depths) {
        expect(text).toContain(plain(formatQuantityFr(depthMm, 'mm', 1)))
        expect(text).toContain(plain(period.label))
      }
    }
    const archive = asked.places[0].totalMm
    expect(text).toContain(plain(`Cumul moyen du bassin Melun ${formatQuantityFr(archive, 'mm', 1)}`))
    expect(roles).toEqual(
      expect.arrayContaining(['Document', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure']),
    )
    expect(alternatives).toHaveLength(roles.filter((role) => role === 'Figure').length)
    expect(alternatives.every((alternative) => alternative.length > 20)).toBe(true)
  })

  test('the same data give the same bytes, and the page holds what the PDF does', async () => {
    const [one, two] = [
      await pdf(`/api/reports/event.pdf?${whole()}`),
      await pdf(`/api/reports/event.pdf?${whole()}`),
    ]
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true)
    const { body } = await call('GET', `/api/reports/event?${whole()}`, 'a')
    const { text } = await contents(await open(one))
    for (const block of body.blocks as ReportBlock[]) {
      if (block.kind === 'table')
        for (const cell of block.rows.flat().filter((one) => one.length < 25))
          expect(text).toContain(plain(cell))
      if (block.kind === 'heading') expect(text).toContain(plain(block.text))
    }
  })

  test('twelve gauges and long names fill four to eight pages, tagged, with nothing cut away', async () => {
    const name = `Tableau ${'de coefficients '.repeat(6)}`.trim().slice(0, 120)
    const csv = 'T;a;b;durée min;durée max\n5;0,2;0,3;6;60\n10;0,4;0,3;6;60\n'
    const { body: table } = await call('PUT', '/api/storms/tables', 'a', {
      ...{ name, note: 'Source '.repeat(80).trim(), units: 'mm-min', source: { csv } },
    })
    const title = `Orage du premier dimanche de juin et de ses lendemains, ${'interminablement'.repeat(4)}`
    const points = Array.from({ length: 12 }, (_, k) => `${(48.5 + k / 100).toFixed(2)},2.45`)
    const query = `${span}&c=${zone()}&g=${points.join(';')}&table=${table.id}&title=${encodeURIComponent(title)}`
    const document = await open(await pdf(`/api/reports/event.pdf?${query}`))
    expect(document.numPages).toBeGreaterThanOrEqual(4)
    expect(document.numPages).toBeLessThanOrEqual(8)
    const { text, roles, alternatives } = await contents(document)
    expect(text.replaceAll(' ', '')).toContain(title.replaceAll(' ', ''))
    expect(text).toContain(name)
    for (const point of points) {
      const [lat, lng] = point.split(',').map((one) => Number(one).toFixed(4).replace('.', ','))
      expect(text).toContain(`${lat} N, ${lng} E`)
    }
    expect(alternatives).toHaveLength(roles.filter((role) => role === 'Figure').length)
  }, 300_000)

  test('the longest title and comment, twelve pixels and a gap every hour stay within eight pages', async () => {
    const title = 'Orage du dimanche '.repeat(56).trim()
    const comment = 'Le ruisseau a débordé. '.repeat(178).trim()
    expect([title.length, comment.length].map((n) => Math.ceil(n / 100))).toEqual([11, 41])
    const points = Array.from({ length: 12 }, (_, k) => `${(48.5 + k / 100).toFixed(2)},2.45`)
    const query = `p=dpsri&s=${iso(HOURLY[0])}&e=${iso(HOURLY[23])}&c=${zone()}&g=${points.join(';')}`
    const document = await open(
      await pdf(
        `/api/reports/event.pdf?${query}&title=${encodeURIComponent(title)}&comment=${encodeURIComponent(comment)}`,
      ),
    )
    expect(document.numPages).toBeLessThanOrEqual(8)
    const { text } = await contents(document)
    expect(text).toContain(`… 1 / ${document.numPages}`)
    expect(text).toContain('Les 12 premières lacunes')
  })

  test('a rain gauge with readings stands beside the radar over it, as the comparison answers, with its own return period', async () => {
    await call('PUT', '/api/storms/tables', 'd', {
      name: 'Du poste',
      units: 'mm-min',
      source: { csv: 'T;a;b;durée min;durée max\n5;0,2;0,3;6;60\n10;0,4;0,3;6;60\n' },
    })
    const { body } = await call('GET', `/api/reports/event?${span}&c=${zone()}`, 'd')
    const [found] = tableOf(body.blocks, 'Mesure au sol et radar au même endroit').rows
    const compared = (await call('GET', `/api/gauges/comparison?${span}&step=5`, 'd')).body.gauges[0]
    const { gaugeMm, radarMm, ratio } = compared.depth
    expect(gaugeMm).toBeGreaterThan(8)
    expect(found.slice(0, 4).map(plain)).toEqual([
      'Poste au sol',
      plain(formatQuantityFr(gaugeMm, 'mm', 1)),
      plain(formatQuantityFr(radarMm, 'mm', 1)),
      formatNumberFr(ratio, 2),
    ])
    expect(plain(found[4])).toMatch(/^(5 à 10 ans|plus de 10 ans) sur \d+ (min|h)$/)
    const before = await call(
      'GET',
      `/api/reports/event?p=dpsri&s=${iso(START + 50 * STEP_MS)}&e=${iso(START + 60 * STEP_MS)}&c=${zone()}`,
      'd',
    )
    expect(JSON.stringify(before.body.blocks)).toContain('Aucun pluviomètre au sol n’a de mesure')
  })

  test('every number in the report of a period is that of a call', async () => {
    const { body: montana } = await call('PUT', '/api/storms/tables', 'd', {
      name: 'Tous les chiffres',
      units: 'mm-min',
      source: { csv: 'T;a;b;durée min;durée max\n5;0,2;0,3;6;60\n10;0,4;0,3;6;60\n' },
    })
    // Between two frames nothing is known for most of an hour.
    const [from, to] = [START + 52 * STEP_MS, START + FRAMES * STEP_MS + 3_600_000]
    const query = `p=dpsri&s=${iso(from)}&e=${iso(to)}&c=${zone()}`
    const answer = await app.inject({
      url: `/api/reports/event.pdf?${query}&table=${montana.id}`,
      headers: { authorization: 'Bearer d' },
    })
    const { text } = await contents(await open(new Uint8Array(answer.rawPayload)))
    const archive = (await call('GET', `/api/products/archive?${query}`, 'd')).body as ArchiveResponse
    const product = (await call('GET', '/api/products', 'd')).body.find(
      (one: { shortName: string }) => one.shortName === 'dpsri',
    )
    const rare = (
      await call('GET', `/api/storms/return-periods?${query}&g=48.5,2.5&table=${montana.id}`, 'd')
    ).body as ReturnPeriods
    const compared = (await call('GET', `/api/gauges/comparison?${query}&step=5`, 'd')).body
    const expected = eventNumbers({ archive, rare, from, to })
    expect(compared.gauges[0].state).toBe('noReadings')
    expect(product.steps).toBe(40)
    for (const one of expected) expect(text).toContain(plain(one))
    const left = expected
      .map(plain)
      .sort((a, b) => b.length - a.length)
      .reduce((rest, one) => rest.replaceAll(one, '·'), text.replace(/ \d \/ \d( |$)/g, ' '))
    expect(left.match(/[^.]{0,30}\d[^.]{0,30}/g) ?? []).toEqual([])
  })

  test.each([
    ['the whole product for ten minutes', () => `p=dpsri&s=${iso(START)}&e=${iso(START + 3 * STEP_MS)}`],
    [
      'a catchment for ten minutes',
      () => `p=dpsri&s=${iso(START)}&e=${iso(START + 3 * STEP_MS)}&c=${zone()}`,
    ],
  ])('%s fills four to eight pages as well', async (_what, query) => {
    const bytes = await pdf(`/api/reports/event.pdf?${query()}`)
    const document = await open(bytes)
    expect(document.numPages).toBeGreaterThanOrEqual(4)
    expect(document.numPages).toBeLessThanOrEqual(8)
  })

  test('a period without a frame, one that is not allowed and an unknown run are refused plainly', async () => {
    const empty = await call(
      'GET',
      `/api/reports/event?p=dpsri&s=2020-01-01T00:00:00Z&e=2020-01-01T01:00:00Z`,
      'a',
    )
    expect(empty).toMatchObject({ status: 404, body: { message: expect.stringContaining('aucune image') } })
    expect((await call('GET', `/api/reports/event?${span}`, 'r')).status).toBe(403)
    const nobody = '00000000-0000-4000-8000-000000000000'
    expect((await call('GET', `/api/reports/run/${nobody}`, 'a')).status).toBe(404)
  })

  test('every number in the report of a run is that of a call, or of the run itself, by the table that is chosen', async () => {
    await call('PUT', '/api/storms/tables', 'b', {
      name: 'Court',
      units: 'mm-min',
      source: { csv: 'T;a;b;durée min;durée max\n5;0,2;0,3;6;60\n10;0,4;0,3;6;60\n' },
    })
    const { body: long } = await call('PUT', '/api/storms/tables', 'b', {
      name: 'Long',
      units: 'mm-min',
      source: { csv: 'T;a;b;durée min;durée max\n20;8;0,5;6;60\n50;15;0,5;6;60\n' },
    })
    const answer = await app.inject({
      url: `/api/reports/run/${RUN}/report.pdf?table=${long.id}`,
      headers: { authorization: 'Bearer b' },
    })
    expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, ''])
    const document = await open(new Uint8Array(answer.rawPayload))
    expect(document.numPages).toBeGreaterThanOrEqual(4)
    expect(document.numPages).toBeLessThanOrEqual(8)
    const { text } = await contents(document)
    const course = (await call('GET', `/api/multihydro/file/${RUN}/course`, 'b')).body as FloodCourse
    const map = await call('GET', `/api/multihydro/file/${RUN}/output?outputType=${OUTPUT_MAX_DEPTH}`, 'b')
    const table = await app.inject({
      url: `/api/job/output/${RUN}/sewer_links.csv/data`,
      headers: { authorization: 'Bearer b' },
    })
    const links = table.body
      .trim()
      .split(/\r?\n/)
      .map((line) => line.replaceAll(',', '.').split(';'))
    const [head] = links.filter(([name]) => name === 'link')
    const expected = await runNumbers(run, course, {
      laws: long.laws,
      maxDepth: map.body.data.flat(),
      links: links
        .slice(links.indexOf(head) + 1)
        .map((line) => ['link', 'max_flow_m3s', 'surcharged_s'].map((name) => line[head.indexOf(name)]))
        .filter(([, , s]) => Number(s) > 0),
    })
    for (const one of expected) expect(text).toContain(plain(one))
    for (const said of ['plus de 50 ans', '20 à 50 ans', 'Conduites en charge']) expect(text).toContain(said)
    // What is left when these are taken away has no number of its own.
    const left = expected
      .map(plain)
      .sort((a, b) => b.length - a.length)
      .reduce((rest, one) => rest.replaceAll(one, '·'), text.replace(/ \d \/ \d( |$)/g, ' '))
    expect(left.match(/[^.]{0,30}\d[^.]{0,30}/g) ?? []).toEqual([])
    // Another table says another thing, and the first is taken without a choice.
    const periods = async (query: string) =>
      JSON.stringify((await call('GET', `/api/reports/run/${RUN}${query}`, 'b')).body.blocks)
    expect(await periods(`?table=${long.id}`)).toContain('Tableau\u00a0: Long')
    expect(await periods('')).toContain('Tableau\u00a0: Court')
    expect((await call('GET', `/api/reports/run/${RUN}?table=${long.id}`, 'a')).status).toBe(404)
  })

  test('without a table a report gives no return period', async () => {
    const { body } = await call('GET', `/api/reports/event?${span}&c=${zone()}`, 'c')
    expect(JSON.stringify(body.blocks)).toContain('aucune période de retour n’est donnée')
  })
})

/** What a report of a period has to say, with every number from the call that gives it. */
function eventNumbers({
  archive: { images, cumulated, gaps },
  rare: { places },
  from,
  to,
}: {
  archive: ArchiveResponse
  rare: ReturnPeriods
  from: number
  to: number
}): string[] {
  const mm = (value: number | null) => formatQuantityFr(value, 'mm', 1)
  const lasting = (s: number) => (s === 0 ? '0 s' : formatDuration(1000 * s))
  const zoned = (value: string | number) => formatDateTimeFr(value, 'Europe/Paris')
  const missing = gaps.reduce((sum, { start, end }) => sum + Date.parse(end) - Date.parse(start), 0) / 1000
  const basins = places.filter(({ kind }) => kind === 'zone')
  const pixel = places.find(({ kind }) => kind === 'pixel')!
  const most = Math.max(...images.map(({ max }) => max ?? 0))
  const valid = images.reduce((sum, { validpc }) => sum + validpc, 0) / images.length
  return [
    `Du ${zoned(from)} au ${zoned(to)}`,
    `Cumul moyen du bassin Melun ${mm(basins[0].totalMm)}`,
    `Cumul moyen de la zone radar ${mm(cumulated.zoneMm.at(-1) ?? null)}`,
    // The same rain falls on every pixel.
    `Plus grand cumul d’un pixel ${mm(pixel.totalMm)}`,
    `Plus forte intensité d’un pixel ${formatQuantityFr(most, 'mm/h', 1)}`,
    `Images ${images.length}`,
    `Durée sans image ${lasting(missing)} (${formatQuantityFr((1e5 * missing) / (to - from), '%', 1)})`,
    ...basins.map(({ totalMm, missingSeconds }) => `${mm(totalMm)} ${lasting(missingSeconds)}`),
    ...basins[0].depths.map(
      ({ durationMin }, k) =>
        `${durationFr(durationMin)} ${basins.map(({ depths: { [k]: one } }) => `${isAtLeast(one) ? 'au moins ' : ''}${mm(one.depthMm)}, ${one.period.label}`).join(' ')}`,
    ),
    `${images.length} images, une toutes les 206 s en théorie\u202f; ${formatQuantityFr(valid, '%', 1)} des pixels`,
    `${gaps.length} lacune, ${lasting(missing)} au total`,
    ...gaps.map(
      ({ start, end }) =>
        `${zoned(start)} ${zoned(end)} ${lasting((Date.parse(end) - Date.parse(start)) / 1000)}`,
    ),
    ...[`RadX ${RADX_VERSION}`, iso(from), iso(to), `Durée sans image (s) ${Math.round(missing)}`],
  ]
}

const RUN = '00000000-0000-4000-8000-00000000000a'
/** Half an hour of a storm with a peak, then no rain, mm/h by the minute. */
const STORM = Array.from({ length: 42 }, (_, k) => (k < 30 ? 90 + 40 * (k % 7) : 0))

interface FinishedRun {
  result: Awaited<ReturnType<typeof runSimulation>>
  codes: Int16Array
}

/** A run of the small catchment that stands as finished. */
async function finishedRun(
  deps: Awaited<ReturnType<typeof testDeps>>,
  dataDir: string,
): Promise<FinishedRun> {
  const library = new CatchmentLibrary(deps.db, deps.config)
  // A hollow round the street, over a pipe that is soon full.
  const [head, ground] = [
    SMALL_CATCHMENT['elevation.asc'].split('\n').slice(0, 6),
    Array.from({ length: 8 }, (_, row) =>
      Array.from({ length: 12 }, (_, col) =>
        row + col === 0 ? -9999 : (30 + 0.04 * ((row - 4) ** 2 + (col - 7) ** 2)).toFixed(2),
      ).join(' '),
    ),
  ]
  writeSmallCatchment(join(dataDir, 'package'), {
    ...SMALL_CATCHMENT,
    'elevation.asc': [...head, ...ground, ''].join('\n'),
    'network.inp': SMALL_CATCHMENT['network.inp'].replaceAll('CIRCULAR 0.3', 'CIRCULAR 0.15'),
  })
  await library.import(join(dataDir, 'package'))
  const { id: luseId } = await deps.db
    .selectFrom('luse_file')
    .select('id')
    .where('catchment_id', '=', 'petit')
    .executeTakeFirstOrThrow()
  const outDir = join(dataDir, jobOutput(RUN))
  mkdirSync(join(outDir, '..'), { recursive: true })
  const result = await runSimulation({
    catchment: await library.get('petit'),
    rain: uniformRain(STORM, 60),
    options: { soil: true, drainage: true },
    outDir,
  })
  const input = {
    ...{ title: 'Pluie forte', catchmentId: 'petit', catchmentDisplay: 'Petit bassin', luseId },
    ...{ soilModule: 'true', drainageModule: 'true', rainfallSelection: 'virtual' },
    ...{ simulationDuration: STORM.length / 60, virtualData: STORM, rainfallStart: VIRTUAL_START },
  }
  await deps.db
    .insertInto('job')
    .values({
      ...{ id: RUN, kind: MULTIHYDRO, username: 'ursule', status: 'done' as const },
      input: JSON.stringify(input),
      result: JSON.stringify({ ...result, rainSparkline: [], rainMissingShare: null }),
    })
    .execute()
  return { result, codes: await codesOf(await findLuseFile(deps.db, luseId)) }
}

/** What a report of the run has to say, with every number from where it comes. */
async function runNumbers(
  { result: { balance, run }, codes }: FinishedRun,
  course: FloodCourse,
  { laws, maxDepth, links }: { laws: MontanaLaw[]; maxDepth: (number | null)[]; links: string[][] },
): Promise<string[]> {
  const m3 = (value: number) => formatQuantityFr(value, 'm³', 0)
  const ha = (m2: number) => formatQuantityFr(m2 / 10_000, 'ha', 2)
  const percent = (part: number, of: number) => formatQuantityFr((100 * part) / of, '%', 1)
  const edgesMin = Array.from({ length: STORM.length + 1 }, (_, k) => k)
  const depths = largestDepths({ edgesMin, ratesMmH: STORM }, [6, 10, 15, 20, 30])
  const roads = codes.filter((code) => code === 2).length
  const deep = (limit: number) =>
    maxDepth.filter((depth, k) => depth !== null && depth >= limit && codes[k] === 2).length
  return [
    `${formatDuration(60_000 * STORM.length)} de pluie de projet`,
    ...BALANCE_PARTS.flatMap((part) => [m3(balance[part]), percent(balance[part], balance.rainM3)]),
    `${m3(balance.errorM3)} ${powerFr(balance.relativeError)}`,
    ...depths.map(
      ({ durationMin, depthMm }) =>
        `${durationMin} min ${formatQuantityFr(depthMm, 'mm', 1)}, ${returnPeriodFr(returnPeriod(laws, durationMin, depthMm))}`,
    ),
    ...course.limitsM.map((limit, l) => `Au moins ${100 * limit} cm ${ha(Math.max(...course.floodedM2[l]))}`),
    ...[0.1, 0.3, 0.5].map(
      (limit) => `Au moins ${100 * limit} cm ${ha(100 * deep(limit))} ${percent(deep(limit), roads)}`,
    ),
    `code 2 de l’occupation des sols, ${ha(100 * roads)} en tout`,
    `${links.length} conduite`,
    ...links.map(
      ([name, flow, s]) =>
        `${name} ${formatDuration(1000 * Number(s))} ${formatQuantityFr(Number(flow), 'm³/s', 3)}`,
    ),
    ...[
      RUN,
      `RadX ${RADX_VERSION}`,
      `Pas de calcul ${formatNumberFr(run.steps)}`,
      'Maille 10 m',
      'Surface sous au moins 10 cm d’eau',
    ],
  ]
}

/** One space for any number of any kind. */
const plain = (text: string) => text.replace(/[\s\u00a0\u202f]+/g, ' ')

const open = (data: Uint8Array) => getDocumentProxy(data, { verbosity: 0 })

interface Node {
  role?: string
  alt?: string
  children?: Node[]
}

/** Texts of all pages and what their structure trees say. */
async function contents(document: Awaited<ReturnType<typeof open>>) {
  const words: string[] = []
  const roles: string[] = []
  const alternatives: string[] = []
  const walk = ({ role, alt, children }: Node) => {
    if (role) roles.push(role)
    if (alt) alternatives.push(alt)
    children?.forEach(walk)
  }
  for (let k = 1; k <= document.numPages; k++) {
    const page = await document.getPage(k)
    const { items } = await page.getTextContent()
    words.push(...items.map((item) => ('str' in item ? item.str : '')))
    walk((await page.getStructTree()) as Node)
  }
  return { text: plain(words.join(' ')), roles, alternatives }
}
