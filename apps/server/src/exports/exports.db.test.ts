import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { truncate } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import {
  type GaugeAdjustment,
  IMAGE_NAME_HEADER,
  type Job,
  type KeptExport,
  ROLE_MANAGER,
} from '@radx/contracts'
import { readNetcdfRain } from '@radx/formats/netcdf/rain-grids'
import { readOdim } from '@radx/formats/odim/odim'
import { encodeRate, RATE_NO_DATA } from '@radx/rainfall'
import { unzipSync } from 'fflate'
import { fromArrayBuffer } from 'geotiff'
import { sql } from 'kysely'
import { PNG } from 'pngjs'
import readXlsxFile from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { registerGauges } from '../gauges/routes.ts'
import type { App, Deps } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { jobOutput } from '../jobs/output.ts'
import { registerJobs } from '../jobs/routes.ts'
import { Jobs } from '../jobs/service.ts'
import { registerReports } from '../reports/routes.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { CHECKSUMS } from '../store/folder-checksums.ts'
import { totalsOf } from '../store/moved/totals.ts'
import { storeOf } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { sourceFile } from '../testing/source-file.ts'
import { Answers } from '../threads/answers.ts'
import { geotiffJob, gridJob } from './grid-jobs.ts'
import { rasterPartAnswer, rasterParts } from './raster.ts'
import { registerExports } from './routes.ts'
import { readSelection } from './selection.ts'
import { writeZarr } from './zarr.ts'

const START = Date.parse('2026-06-04T10:00:00Z')
const STEP_MS = 206_000
const FRAMES = 40
/** The tenth frame is missing. */
const TIMES = Array.from({ length: FRAMES }, (_, k) => START + k * STEP_MS).filter(
  (_, k) => k !== 10 && k !== 11,
)
const END = START + FRAMES * STEP_MS
const iso = (ms: number) => new Date(ms).toISOString()
const PERIOD = `p=dpsri&s=${iso(START)}&e=${iso(END)}`

const session = (
  name: string,
  roles: string[] = [],
  restriction: Session['restriction'] = null,
): Session => ({
  userId: '00000000-0000-4000-8000-000000000001',
  name,
  roles,
  restriction,
})

describe('exports', () => {
  let database: TestDatabase
  let app: App
  let deps: Deps
  let jobs: Jobs
  let steps: number
  let gridFile: { name: string; id: string }
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-exports-'))
  const tokens = new Map([
    ['u', session('ursule')],
    ['p', { ...session('paul'), csv: 'comma' as const }],
    ['m', session('chef', [ROLE_MANAGER])],
    ['n', session('chef2', [ROLE_MANAGER])],
    ['r', session('restreint', [ROLE_MANAGER], { start: new Date(END), end: null })],
  ])
  /** Rain grows to the east; the first column has no data. */
  const codeAt = (k: number, col: number) =>
    col === 0 ? RATE_NO_DATA : encodeRate((col / 40) * (1 + (k % 3)))

  beforeAll(async () => {
    database = await createTestDatabase()
    const base = await testDeps({
      config: testConfig({ DATA_DIR: dataDir, RADX_WORKERS: '1', DATABASE_URL: database.url }),
      database: handleOf(database),
      sessions: { resolve: async (token) => tokens.get(token) ?? null },
      clock: { now: () => END },
    })
    const { context, catalog } = await storeOf(base)
    const product = catalog.products.get('dpsri')!
    steps = product.steps
    const weights = zoneWeights(product, catalog.zones)
    await commitFrames(
      context,
      TIMES.map((timeMs, k) => ({
        frame: prepareFrame(
          Uint16Array.from({ length: steps * steps }, (_, i) => codeAt(k, i % steps)),
          weights,
          {
            product: 'dpsri',
            timeMs,
            version: '5.43',
            name: 'DPSRI',
            sensor: { name: 'RadX', wavelengthM: 0.0319, beamwidthDeg: 1, altitudeM: 130 },
          },
        ),
        source: sourceFile(String(k)),
      })),
    )
    const kindsModule = new URL('../job-kinds.ts', import.meta.url).href
    jobs = new Jobs({ deps: base, kinds: [geotiffJob, gridJob] as never, kindsModule, work: true })
    jobs.start()
    await jobs.ready()
    deps = { ...base, jobs }
    app = await createApp(deps, {
      features: [registerExports, registerJobs, registerGauges, registerReports],
    })
  })
  afterAll(async () => {
    await app?.close()
    await jobs?.stop()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const call = (
    url: string,
    token: string | null = 'u',
    method: 'GET' | 'POST' | 'PUT' = 'GET',
    payload?: object,
  ) =>
    app.inject({
      method,
      url,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    })
  const done = async (path: string, body: object, token = 'm'): Promise<Job> => {
    const created = await call(path, token, 'POST', body)
    expect(created.statusCode).toBe(200)
    for (;;) {
      const job = (await call(`/api/job/${created.json().id}`, token)).json()
      if (job.status === 'done' || job.status === 'error') return job
      await sleep(100)
    }
  }

  test('[API-06] [EXPORT-07] each graph is a PNG of print quality whose name stands in a header', async () => {
    for (const t of ['hyetogram', 'coverage', 'catchment', 'cumul', 'pixel']) {
      const response = await call(`/api/products/graph?${PERIOD}&t=${t}&c=melun&lat=48.54&lng=2.66`)
      expect([t, response.statusCode]).toEqual([t, 200])
      expect(response.headers['radx-imagename']).toBe(`dpsri-20260604T1000-20260604T1217-melun-${t}.png`)
      const png = PNG.sync.read(response.rawPayload)
      expect(png.width).toBe(2400)
      const colors = new Set<number>()
      for (let i = 0; i < png.data.length; i += 4) colors.add(png.data.readUIntBE(i, 3))
      expect(colors.size).toBeGreaterThan(20)
      // Hyetograms have the running total as on the screen: its axis in mm, not their bars, stands on the right.
      let inked = 0
      for (let y = 0; y < png.height * 0.85; y++)
        for (let x = Math.round(png.width * 0.962); x < png.width; x++)
          if (png.data[4 * (y * png.width + x)] < 200) inked++
      if (t !== 'coverage' && t !== 'cumul') expect([t, inked > 50 && inked < 10_000]).toEqual([t, true])
    }
    expect((await call(`/api/products/graph?${PERIOD}&t=hyetogram`, null)).statusCode).toBe(401)
    expect((await call(`/api/products/graph?${PERIOD}&t=tarte`)).statusCode).toBe(400)
    expect((await call(`/api/products/graph?${PERIOD}&t=catchment`)).json().message).toContain('bassin')
  })

  test('[API-10] [EXPORT-01] the spreadsheet has real dates and numbers, units in its heads, and texts that stay texts', async () => {
    const response = await call(
      `/api/products/export.xlsx?${PERIOD}&c=melun&g=48.54,2.66&title=${encodeURIComponent('=1+1')}`,
    )
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-disposition']).toBe(
      'attachment; filename="dpsri-20260604T1000-20260604T1217-melun.xlsx"',
    )
    const file = response.rawPayload
    const sheets = new Map((await readXlsxFile(file)).map(({ sheet, data }) => [sheet, data]))
    const rows = (name: string) => sheets.get(name) ?? []
    expect([...sheets.keys()]).toEqual([
      'Synthèse',
      'Images',
      'Bassins',
      'Pluviomètres',
      'Acquisition',
      'Provenance',
    ])
    const images = rows('Images')
    expect(images).toHaveLength(1 + TIMES.length)
    expect(images[0]).toContain('Rmoyen zone pluvieuse (mm/h)')
    expect((images[1][0] as unknown as Date).toISOString()).toBe(iso(START))
    expect((images[1][1] as unknown as Date).getTime() - (images[1][0] as unknown as Date).getTime()).toBe(
      2 * 3_600_000,
    )
    expect(images[2].slice(2).every((v) => typeof v === 'number')).toBe(true)
    const summary = new Map(rows('Synthèse').map(([k, v]) => [k, v]))
    expect(summary.get('Sélection')).toBe('=1+1')
    expect(summary.get('Images')).toBe(TIMES.length)
    expect(summary.get('Durée sans image')).toBeGreaterThan(0)
    // Not a formula: the sheet's own text says so too.
    const inside = Buffer.concat(Object.values(unzipSync(file)).map((b) => Buffer.from(b))).toString('latin1')
    expect(inside).not.toContain('<f>')
    const catchments = rows('Bassins')
    expect(catchments[0].filter((h) => String(h).startsWith('Melun'))).toHaveLength(9)
    const provenance = new Map(rows('Provenance').map(([k, v]) => [k, v]))
    expect(String(provenance.get('Logiciel'))).toContain('RadX')
    expect(String(provenance.get('Lacunes'))).toMatch(/2026-06-04T10:3/)
  })

  test('the spreadsheet opens in LibreOffice where one is installed', () => {
    try {
      execFileSync('which', ['soffice'])
    } catch {
      console.warn('no LibreOffice here: the spreadsheet was read back by a library only')
      return
    }
    return call(`/api/products/export.xlsx?${PERIOD}`).then(({ rawPayload }) => {
      const path = join(dataDir, 'check.xlsx')
      writeFileSync(path, rawPayload)
      const out = execFileSync('soffice', ['--headless', '--convert-to', 'csv', '--outdir', dataDir, path], {
        timeout: 60_000,
      })
      expect(out.toString()).toContain('check.csv')
    })
  })

  test('[API-11] [EXPORT-05] [EXPORT-08] the raster is for managers: 4 km around the catchment, null where nothing was measured', async () => {
    expect((await call(`/api/products/raster?${PERIOD}&c=melun`)).statusCode).toBe(403)
    expect((await call(`/api/products/raster?${PERIOD}`, 'm')).statusCode).toBe(400)
    const response = await call(`/api/products/raster?${PERIOD}&c=melun&sc=melun-rive-droite`, 'm')
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.headers['content-disposition']).toMatch(
      /^attachment; filename="dpsri-[\w-]+-raster\.json"$/,
    )
    const raster = response.json()
    expect(raster).toMatchObject({
      product: 'dpsri',
      catchment: 'melun',
      subcatchment: 'melun-rive-droite',
      unit: 'mm/h',
    })
    expect(raster.times).toHaveLength(TIMES.length)
    expect(raster.values).toHaveLength(TIMES.length)
    expect([raster.values[0].length, raster.values[0][0].length]).toEqual([raster.nrows, raster.ncols])
    const { bounds } = deps.catchments.get('melun-rive-droite')!
    const km = (degrees: number) => degrees * 111.32
    expect(km(raster.bounds.ul.lat - bounds.ul.lat)).toBeGreaterThan(4)
    expect(km(raster.bounds.ul.lat - bounds.ul.lat)).toBeLessThan(4.3)
    expect(km((bounds.ul.lng - raster.bounds.ul.lng) * Math.cos((48.5 * Math.PI) / 180))).toBeGreaterThan(
      3.99,
    )
    expect(raster.provenance.Logiciel).toContain('RadX')
    const col = Math.round(((raster.bounds.ul.lng - 1.899286) / (3.2779 - 1.899286)) * steps)
    expect(raster.values[1][3][2]).toBeCloseTo(((col + 2) / 40) * 2, 2)
  })

  test('hyetograms leave as CSV for everyone signed in, with provenance and what was missing', async () => {
    const { body } = await call(`/api/products/hyetogram.csv?${PERIOD}&c=melun`)
    const lines = body.trim().split('\n')
    expect(lines[0]).toBe('# CSV : champs séparés par des points-virgules, virgule décimale')
    const data = lines.filter((l) => !l.startsWith('#'))
    expect(data).toHaveLength(1 + TIMES.length)
    expect(data[0].split(';')).toHaveLength(data[1].split(';').length)
    expect(lines.some((l) => l.startsWith('# Lacunes : 2026-06-04'))).toBe(true)
    const seconds = data.slice(1).reduce((sum, line) => sum + Number(line.split(';')[1].replace(',', '.')), 0)
    const missing = Number(lines.find((l) => l.startsWith('# Durée sans image'))?.split(' : ')[1])
    expect(seconds + missing).toBeCloseTo((END - START) / 1000, 0)
    // An account that chose the other way gets the same values.
    const other = (await call(`/api/products/hyetogram.csv?${PERIOD}&c=melun`, 'p')).body.trim().split('\n')
    expect(other[0]).toBe('# CSV : champs séparés par des virgules, point décimal')
    const pointed = other.filter((l) => !l.startsWith('#'))
    expect(pointed.map((l) => l.replaceAll(',', ';'))).toEqual(data.map((l) => l.replaceAll(',', '.')))
  })

  test('[API-12] [API-13] [EXPORT-03] [EXPORT-04] [EXPORT-06] a frame becomes a GeoTIFF by a job, for managers', async () => {
    const body = { product: 'dpsri', date: iso(TIMES[1]) }
    expect((await call('/api/job/exportgeotiff', 'u', 'POST', body)).statusCode).toBe(403)
    const job = await done('/api/job/exportgeotiff', body)
    expect(job).toMatchObject({
      id: expect.any(String),
      status: 'done',
      result: expect.stringMatching(/\.tif$/),
      input: { product: 'dpsri', date: iso(TIMES[1]) },
      output: { error: null },
      delay: expect.any(Number),
    })
    const { headers, rawPayload } = await call(`/images/exportgeotiff/${job.result}`, 'm')
    expect(headers['content-disposition']).toBe(`attachment; filename="${job.result}"`)
    expect(headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': String(rawPayload.length) })
    const part = async (range: string, more: Record<string, string> = {}) => {
      const answer = await app.inject({
        url: `/images/exportgeotiff/${job.result}`,
        headers: { authorization: 'Bearer m', range, ...more },
      })
      return [answer.statusCode, answer.headers['content-range'], answer.rawPayload] as const
    }
    const told = () =>
      deps.db
        .selectFrom('audit_event')
        .select('n')
        .where('subject', '=', `/images/exportgeotiff/${job.result}`)
        .execute()
    const before = (await told()).length
    const { length } = rawPayload
    expect((await part(`bytes=${length}-`)).slice(0, 2)).toEqual([416, `bytes */${length}`])
    for (const k of [0, 1, 2])
      expect(await part(`bytes=${10 * k}-${10 * k + 9}`)).toEqual([
        206,
        `bytes ${10 * k}-${10 * k + 9}/${length}`,
        rawPayload.subarray(10 * k, 10 * k + 10),
      ])
    expect((await part('bytes=0-9', { 'if-range': '"of before"' }))[0]).toBe(200)
    expect((await part('bytes=-4', { 'if-range': String(headers.etag) }))[2]).toEqual(rawPayload.subarray(-4))
    // One line for all parts, one for the whole file.
    expect((await told()).length - before).toBe(2)
    const tiff = await fromArrayBuffer(new Uint8Array(rawPayload).buffer)
    const image = await tiff.getImage()
    expect([image.getWidth(), image.getHeight(), image.getGDALNoData()]).toEqual([steps, steps, -9999])
    const [west, south, east, north] = image.getBoundingBox()
    expect([west, south, east, north].map((v) => Math.round(v * 1e6) / 1e6)).toEqual([
      1.899286, 48.390853, 3.2779, 49.29013,
    ])
    const [values] = (await image.readRasters()) as unknown as Float32Array[]
    expect(values[0]).toBe(-9999)
    expect(values[100]).toBeCloseTo((100 / 40) * 2, 2)
    expect((await call(`/images/exportgeotiff/${job.result}`, 'u')).statusCode).toBe(403)
  })

  test('a GeoTIFF in Lambert-93 lies where the frame does; gdalinfo agrees where it is installed', async () => {
    const job = await done('/api/job/exportgeotiff', { product: 'dpsri', date: iso(TIMES[1]), epsg: 2154 })
    const { rawPayload } = await call(`/images/exportgeotiff/${job.result}`, 'm')
    const image = await (await fromArrayBuffer(new Uint8Array(rawPayload).buffer)).getImage()
    const [west, south, east, north] = image.getBoundingBox()
    // Melun lies at 674,800 / 6,826,700 in Lambert-93.
    expect(west < 674_800 && 674_800 < east && south < 6_826_700 && 6_826_700 < north).toBe(true)
    const [values] = (await image.readRasters()) as unknown as Float32Array[]
    const [dx, dy] = image.getResolution()
    const at = (x: number, y: number) =>
      values[Math.floor((y - north) / dy) * image.getWidth() + Math.floor((x - west) / dx)]
    const col = Math.floor(((2.658 - 1.899286) / (3.2779 - 1.899286)) * steps)
    expect(at(674_800, 6_826_700)).toBeCloseTo((col / 40) * 2, 0)
    const path = join(dataDir, 'check.tif')
    writeFileSync(path, rawPayload)
    try {
      execFileSync('which', ['gdalinfo'])
    } catch {
      return
    }
    const info = execFileSync('gdalinfo', [path]).toString()
    expect(info).toContain('2154')
    expect(info).toContain('NoData Value=-9999')
  })

  test('[EXPORT-11] a GeoTIFF of an instant without a frame ends in error with its reason', async () => {
    const job = await done('/api/job/exportgeotiff', { product: 'dpsri', date: '2020-01-01T00:00:00Z' })
    expect(job).toMatchObject({ status: 'error', output: { error: expect.stringContaining('pas d’image') } })
  })

  /** Hyetogram table, raster and graphs of the adjusted product beside those of the original. */
  const expectAdjustedFiles = async (about: GaugeAdjustment) => {
    const adjust = `adjust=${about.method}.${about.mode}`
    const csv = await call(`/api/products/hyetogram.csv?${PERIOD}&c=melun&${adjust}`, 'm')
    expect(csv.headers['content-disposition']).toContain('-ajuste-mfb-hindsight')
    expect(csv.body).toContain(`# Ajustement, produit : ${about.name}`)
    expect(csv.body).toMatch(
      /# Ajustement, validation croisée, biais moyen : biais \u2212?[\d,]+\u202f% ; EQM [\d,]+\u202fmm/,
    )
    const [head, ...rows] = csv.body
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(';'))
    expect(rows).toHaveLength(TIMES.length)
    rows.forEach((row, k) => {
      const value = (name: string) => Number(row[head.indexOf(name)].replace(',', '.'))
      const { factor } = about.frames[k]
      expect(value('adjustment_factor')).toBeCloseTo(factor, 4)
      for (const [after, before] of [
        ['adjusted_mean_mm_h', 'mean_mm_h'],
        ['adjusted_mean_wet_mm_h', 'mean_wet_mm_h'],
        ['adjusted_max_mm_h', 'max_mm_h'],
        ['adjusted_catchment_mean_mm_h', 'catchment_mean_mm_h'],
      ])
        expect(value(after) / value(before)).toBeCloseTo(factor, 2)
    })

    const raster = (await call(`/api/products/raster?${PERIOD}&c=melun&${adjust}`, 'm')).json()
    const plain = (await call(`/api/products/raster?${PERIOD}&c=melun`, 'm')).json()
    expect(raster.adjusted).toEqual({ name: about.name, factors: about.frames.map(({ factor }) => factor) })
    expect(raster.provenance['Ajustement, produit']).toBe(about.name)
    expect(plain.adjusted).toBeUndefined()
    about.frames.forEach(({ factor }, k) => {
      expect(raster.values[k][3][5] / plain.values[k][3][5]).toBeCloseTo(factor, 2)
    })

    for (const graph of ['hyetogram', 'catchment&c=melun', 'pixel&lat=48.8&lng=2.6']) {
      const [adjusted, bare] = await Promise.all(
        [`&${adjust}`, ''].map((more) => call(`/api/products/graph?${PERIOD}&t=${graph}${more}`, 'm')),
      )
      expect([adjusted.statusCode, adjusted.headers[IMAGE_NAME_HEADER]]).toEqual([
        200,
        expect.stringContaining('-ajuste-mfb-hindsight-'),
      ])
      // A line more below the graph, with name, factors and error.
      const height = (answer: typeof bare) => answer.rawPayload.readUInt32BE(20)
      expect(height(adjusted)).toBeGreaterThan(height(bare))
    }
  }

  test('the product adjusted to gauges leaves in every form, with its name and its factor', {
    timeout: 400_000,
  }, async () => {
    const { ul, lr } = deps.site.products.find(({ shortName }) => shortName === 'dpsri')!.bounds
    // Gauges of twice the radar's rain.
    const lines = Array.from({ length: 8 }, (_, g) => {
      const col = 200 + 12 * g
      const lng = ul.lng + ((col + 0.5) / steps) * (lr.lng - ul.lng)
      return Array.from({ length: 26 }, (_, k) => {
        const time = iso(Math.ceil(START / 300_000) * 300_000 + (k + 1) * 300_000)
        const mm = ((2 * 2 * col) / 40 / 12) * (k % 2 === 0 ? 1.01 : 0.99)
        return `${time};P${g};${lng};${48.8 + 0.01 * (g % 3)};${mm.toFixed(4)}\n`
      }).join('')
    })
    const csv = `temps;poste;longitude;latitude;mm\n${lines.join('')}`
    expect((await call('/api/gauges', 'm', 'PUT', { csv })).statusCode).toBe(200)
    const adjust = 'mfb.hindsight'
    const period = { product: 'dpsri', start: iso(START), end: iso(END) }
    const bytes = async (folder: string, { result }: Job) =>
      new Uint8Array((await call(`/images/${folder}/${result}`, 'm')).rawPayload)
    const grid = await done('/api/job/exportgrid', { ...period, format: 'netcdf', adjust })
    expect(grid.result).toMatch(/^dpsri-ajuste-mfb-hindsight-/)
    const [adjusted, original] = await Promise.all(
      [grid, await done('/api/job/exportgrid', { ...period, format: 'netcdf' })].map(async (job) =>
        readNetcdfRain(await bytes('exportgrid', job)),
      ),
    )
    const said = Buffer.from(await bytes('exportgrid', grid)).toString('latin1')
    expect(said).toContain('biais moyen, r')
    const about = (
      await call(`/api/gauges/adjustment?${PERIOD}&method=mfb&mode=hindsight`, 'm')
    ).json() as GaugeAdjustment
    expect(about.frames).toHaveLength(TIMES.length)
    about.frames.forEach(({ factor }, k) => {
      expect(factor).toBeGreaterThan(1.5)
      expect(adjusted.rateMmH[k][300] / original.rateMmH[k][300]).toBeCloseTo(factor, 2)
      expect(said).toContain(factor.toPrecision(4))
    })
    // What says its factor is not adjusted a second time.
    expect(adjusted.bias).toBeGreaterThan(1.5)
    const zarr = unzipSync(
      await bytes('exportgrid', await done('/api/job/exportgrid', { ...period, format: 'zarr', adjust })),
    )
    expect(JSON.parse(Buffer.from(zarr['zarr.json']).toString()).attributes['Ajustement, produit']).toBe(
      about.name,
    )
    const image = { product: 'dpsri', date: iso(TIMES[1]), adjust, ws: iso(START), we: iso(END) }
    const tiff = await fromArrayBuffer(
      (await bytes('exportgeotiff', await done('/api/job/exportgeotiff', image))).buffer,
    )
    const first = await tiff.getImage()
    expect(await first.getGDALMetadata()).toMatchObject({
      ADJUSTED: about.name,
      ADJUSTMENT_FACTOR: String(about.frames[1].factor),
      ADJUSTMENT: expect.stringMatching(
        /méthode : biais moyen, en réanalyse[\s\S]*validation croisée, biais moyen : biais \u2212?[\d,]+\u202f%/,
      ),
    })
    const [values] = (await first.readRasters()) as unknown as Float32Array[]
    expect(values[300] / original.rateMmH[1][300]).toBeCloseTo(about.frames[1].factor, 2)
    const book = await call(`/api/products/export.xlsx?${PERIOD}&adjust=${adjust}`, 'm')
    const sheets = new Map((await readXlsxFile(book.rawPayload)).map(({ sheet, data }) => [sheet, data]))
    const rows = sheets.get('Produit ajusté')!
    expect(rows).toHaveLength(TIMES.length + 1)
    expect(rows[3][4]).toBeCloseTo(about.frames[2].factor, 6)
    expect(Number(rows[3][3]) / Number(rows[3][2])).toBeCloseTo(about.frames[2].factor, 2)
    expect(sheets.get('Provenance')).toContainEqual(['Ajustement, produit', about.name])
    await expectAdjustedFiles(about)
    const report = (await call(`/api/reports/event?${PERIOD}&adjust=${adjust}`, 'm')).json()
    expect(JSON.stringify(report.blocks)).toContain(about.name)
    for (const wrong of ['mfb', 'best.live', 'mfb.live.x'])
      expect((await call(`/api/products/export.xlsx?${PERIOD}&adjust=${wrong}`, 'm')).statusCode).toBe(400)
  })

  test('one’s own exports are listed by pages, with their files, and go when they are deleted', async () => {
    const page = async (query = '', token = 'm') => {
      const { headers, ...answer } = await call(`/api/jobs/exports?limit=1${query}`, token)
      return { items: answer.json() as KeptExport[], next: headers['radx-next'] as string | undefined }
    }
    const walk = async () => {
      const items: KeptExport[] = []
      for (let next: string | undefined = ''; next !== undefined; ) {
        const answer: Awaited<ReturnType<typeof page>> = await page(next && `&cursor=${next}`)
        expect(answer.items).toHaveLength(1)
        items.push(...answer.items)
        next = answer.next
      }
      return items
    }
    const all = await walk()
    const failed = all.find(({ status }) => status === 'error')!
    expect(failed).toMatchObject({ file: null, error: expect.stringContaining('pas d’image') })
    const picture = all.find(({ status, kind }) => status === 'done' && kind === 'exportgeotiff')!
    expect(picture).toMatchObject({ product: 'dpsri', file: expect.stringMatching(/\.tif$/) })
    expect(picture.bytes).toBeGreaterThan(0)
    expect(Date.parse(picture.expires!)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect((await page('', 'u')).items).toEqual([])
    const { id } = failed
    const remove = (token: string) =>
      app.inject({ method: 'DELETE', url: `/api/job/${id}`, headers: { authorization: `Bearer ${token}` } })
    expect((await remove('u')).statusCode).toBe(403)
    expect((await remove('m')).statusCode).toBe(204)
    expect(await walk()).toEqual(all.filter((one) => one.id !== id))
  })

  test('a period becomes CF-netCDF4 and Zarr v3 with the same values, for managers', async () => {
    const body = { product: 'dpsri', start: iso(START), end: iso(END) }
    expect((await call('/api/job/exportgrid', 'u', 'POST', { ...body, format: 'zarr' })).statusCode).toBe(403)
    const zarr = await done('/api/job/exportgrid', { ...body, format: 'zarr' })
    expect(zarr.status).toBe('done')
    const files = unzipSync((await call(`/images/exportgrid/${zarr.result}`, 'm')).rawPayload)
    const group = JSON.parse(Buffer.from(files['zarr.json']).toString())
    expect(group).toMatchObject({
      zarr_format: 3,
      node_type: 'group',
      attributes: { Logiciel: expect.stringContaining('RadX') },
    })
    expect(group.consolidated_metadata.metadata.rain_rate.shape).toEqual([TIMES.length, steps, steps])
    const chunk = zstdDecompressSync(files['rain_rate/c/1/0/0'])
    const values = new Float32Array(new Uint8Array(chunk).buffer)
    expect([Number.isNaN(values[0]), values[100]]).toEqual([true, expect.closeTo(5, 2)])
    const times = new Float64Array(new Uint8Array(zstdDecompressSync(files['time/c/0'])).buffer)
    expect(Array.from(times)).toEqual(TIMES.map((ms) => ms / 1000))

    const netcdf = await done('/api/job/exportgrid', { ...body, format: 'netcdf' })
    const { rawPayload } = await call(`/images/exportgrid/${netcdf.result}`, 'm')
    const { File, FS, ready } = await import('h5wasm')
    await ready
    FS!.writeFile('/export.nc', rawPayload)
    const file = new File('/export.nc', 'r')
    const rates = file.get('rain_rate') as import('h5wasm').Dataset
    expect(rates.shape).toEqual([TIMES.length, steps, steps])
    const row = rates.slice([
      [1, 2],
      [0, 1],
      [0, steps],
    ]) as Uint16Array
    expect([row[0], row[100]]).toEqual([65535, 500])
    file.close()
    FS!.unlink('/export.nc')
    expect((await call(`/images/exportgrid/${netcdf.result}`, 'n')).statusCode).toBe(200)
    gridFile = { name: String(netcdf.result), id: netcdf.id }
  })

  test('the quality of rain leaves with it, in every form, and a frame that says nothing of it has none', async () => {
    const { context, catalog } = await storeOf(deps)
    const product = catalog.products.get('sri')!
    const cells = product.steps ** 2
    const weights = zoneWeights(product, catalog.zones)
    // Away from the frames of other tests.
    const from = START + 24 * 3_600_000
    const about = {
      product: 'sri',
      version: '5.43',
      name: 'SRI',
      sensor: { name: 'RadX', wavelengthM: 0.0319, beamwidthDeg: 1, altitudeM: 130 },
    }
    const codes = new Uint16Array(cells).fill(200)
    const quality = new Uint8Array(cells).fill(82).fill(255, 0, 10)
    await commitFrames(context, [
      {
        frame: prepareFrame(codes, weights, { ...about, timeMs: from }, quality),
        source: sourceFile('with quality'),
      },
      {
        frame: prepareFrame(codes, weights, { ...about, timeMs: from + STEP_MS }),
        source: sourceFile('without quality'),
      },
    ])
    const body = { product: 'sri', start: iso(from), end: iso(from + 2 * STEP_MS) }
    const file = async (job: Job, kind: string) =>
      (await call(`/images/${kind}/${job.result}`, 'm')).rawPayload
    const tiff = async () => {
      const job = await done('/api/job/exportgeotiff', { product: 'sri', date: iso(from), epsg: 2154 })
      const bytes = new Uint8Array(await file(job, 'exportgeotiff'))
      const bands = await (await (await fromArrayBuffer(bytes.buffer)).getImage()).readRasters()
      return (bands as unknown as Float32Array[]).map((band) => [...new Set(band)].sort((a, b) => a - b))
    }
    expect(await tiff()).toEqual([
      [-9999, 2],
      [-9999, Math.fround(0.82)],
    ])
    expect((await call('/api/job/exportgrid', 'u', 'POST', { ...body, format: 'odim' })).statusCode).toBe(403)
    const odim = unzipSync(
      await file(await done('/api/job/exportgrid', { ...body, format: 'odim' }), 'exportgrid'),
    )
    expect(Object.keys(odim)).toEqual(['sri-20260605T100000Z.h5', 'sri-20260605T100326Z.h5'])
    const [first, second] = await Promise.all(Object.values(odim).map((bytes) => readOdim(bytes)))
    expect([first.datetime, [...new Set(first.rateMmH)]]).toEqual([iso(from), [2]])
    const { File, FS, ready } = await import('h5wasm')
    await ready
    const qualities = Object.values(odim).map((bytes) => {
      FS!.writeFile('/quality.h5', bytes)
      const opened = new File('/quality.h5', 'r')
      const data = opened.get('dataset1/data1/quality1/data') as import('h5wasm').Dataset | null
      const values = data && Array.from(data.value as Uint8Array)
      opened.close()
      return values
    })
    expect(qualities).toEqual([[...quality], null])
    expect([...new Set(second.rateMmH)]).toEqual([2])

    const period = `p=sri&s=${body.start}&e=${body.end}&c=melun`
    const csv = (await call(`/api/products/hyetogram.csv?${period}`, 'm')).body.replace(/^\ufeff/, '')
    const [head, ...rows] = csv.split(/\r?\n/).filter((line) => line && !line.startsWith('#'))
    const cut = head.includes(';') ? ';' : ','
    const at = head.split(cut).indexOf('catchment_quality')
    const column = (row: string) => row.split(cut)[at]
    expect(rows.map(column)).toEqual([expect.stringMatching(/^0[.,]82$/), ''])
    expect(csv).toMatch(/Qualité.*0,82.*connue pour 25 % du temps/)
    const book = await call(`/api/products/export.xlsx?${period}`, 'm')
    const sheets = new Map((await readXlsxFile(book.rawPayload)).map(({ sheet, data }) => [sheet, data]))
    expect(sheets.get('Images')!.map((row) => row.at(-1))).toEqual(['Qualité (0 à 1)', 0.82, null])
    expect(sheets.get('Synthèse')).toContainEqual(['Qualité du cumul (0 à 1)', 0.82, null])
    const raster = (await call(`/api/products/raster?${period}`, 'm')).json()
    expect(raster.quality).toEqual([expect.closeTo(0.82, 6), null])
  })

  test('a frame that is dry and has data all over leaves as zeros, one without any data as no data, in every form', async () => {
    const { context, catalog } = await storeOf(deps)
    const product = catalog.products.get('sri')!
    const cells = product.steps ** 2
    const [dryMs, unknownMs] = [START, START + STEP_MS]
    await commitFrames(
      context,
      [
        [dryMs, 0],
        [unknownMs, RATE_NO_DATA],
      ].map(([timeMs, code]) => ({
        frame: prepareFrame(new Uint16Array(cells).fill(code), zoneWeights(product, catalog.zones), {
          product: 'sri',
          timeMs,
          version: '5.43',
          name: 'SRI',
          sensor: { name: 'RadX', wavelengthM: 0.0319, beamwidthDeg: 1, altitudeM: 130 },
        }),
        source: sourceFile(`whole ${code}`),
      })),
    )
    const file = async (job: Job, kind: string) =>
      (await call(`/images/${kind}/${job.result}`, 'm')).rawPayload
    const tiff = async (timeMs: number) => {
      const job = await done('/api/job/exportgeotiff', { product: 'sri', date: iso(timeMs) })
      const bytes = new Uint8Array(await file(job, 'exportgeotiff'))
      const [values] = await (await (await fromArrayBuffer(bytes.buffer)).getImage()).readRasters()
      return [...new Set(values as Float32Array)]
    }
    expect([await tiff(dryMs), await tiff(unknownMs)]).toEqual([[0], [-9999]])

    const body = { product: 'sri', start: iso(dryMs), end: iso(unknownMs + STEP_MS) }
    const grid = async (format: string) =>
      file(await done('/api/job/exportgrid', { ...body, format }), 'exportgrid')
    const zarr = unzipSync(await grid('zarr'))
    const chunks = [0, 1].map((k) => {
      const bytes = new Uint8Array(zstdDecompressSync(zarr[`rain_rate/c/${k}/0/0`]))
      return [...new Set(new Float32Array(bytes.buffer))]
    })
    expect(chunks).toEqual([[0], [Number.NaN]])
    const { rateMmH } = await readNetcdfRain(await grid('netcdf'))
    expect(rateMmH.map((field) => [...new Set(field)])).toEqual([[0], [Number.NaN]])

    const raster = await call(`/api/products/raster?p=sri&s=${body.start}&e=${body.end}&c=melun`, 'm')
    const values: (number | null)[][][] = raster.json().values
    expect(values.map((rows) => [...new Set(rows.flat())])).toEqual([[0], [null]])

    // The product adjusted to gauges, tables, pixels and totals say the same.
    const adjust = 'adjust=additive.hindsight'
    const { values: adjusted } = (
      await call(`/api/products/raster?p=sri&s=${body.start}&e=${body.end}&c=melun&${adjust}`, 'm')
    ).json()
    expect(adjusted).toEqual(values)
    const grids = await done('/api/job/exportgrid', { ...body, format: 'netcdf', adjust: 'ked.live' })
    const after = await readNetcdfRain(await file(grids, 'exportgrid'))
    expect(after.rateMmH.map((field) => [...new Set(field)])).toEqual([[0], [Number.NaN]])
    const csv = await call(`/api/products/hyetogram.csv?p=sri&s=${body.start}&e=${body.end}&${adjust}`, 'm')
    const [head, ...rows] = csv.body.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'))
    for (const name of ['mean_mm_h', 'max_mm_h', 'adjusted_mean_mm_h', 'adjusted_max_mm_h']) {
      const column = head.split(';').indexOf(name)
      expect(rows.map((row) => row.split(';')[column])).toEqual(['0', ''])
    }
    const store = await storeOf(deps)
    const span = { startMs: dryMs, endMs: unknownMs + STEP_MS }
    const pixel = await store.pixels.read(product, 3, 5, span)
    expect(pixel.map(({ rateMmH }) => rateMmH)).toEqual([0, null])
    for (const [timeMs, depth] of [
      [dryMs, 0],
      [unknownMs, Number.NaN],
    ]) {
      const { depthMm } = await totalsOf(store, product, { startMs: timeMs, endMs: timeMs + STEP_MS }, 'raw')
      expect([...new Set(depthMm)]).toEqual([depth])
    }
  })

  /** The first bytes of an answer over a real connection, which then breaks. */
  const leave = async (url: string): Promise<void> => {
    const { port } = app.server.address() as AddressInfo
    const asked = request({ port, path: url, headers: { authorization: 'Bearer m' } })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(200)
    await once(answer, 'data')
    answer.destroy()
  }

  test('exact grids leave a line in the audit trail before they are sent: none is handed out without', async () => {
    const { db } = database
    const ask = () => call(`/api/products/raster?${PERIOD}&c=melun&sc=melun-rive-droite`, 'm')
    const lines = () =>
      db.selectFrom('audit_event').selectAll().where('action', '=', 'data.exact').orderBy('n').execute()
    const before = (await lines()).length
    expect((await ask()).statusCode).toBe(200)
    expect((await call(`/api/products/raster?${PERIOD}&c=melun`)).statusCode).toBe(403)
    const [line, ...more] = (await lines()).slice(before)
    expect(more).toEqual([])
    expect(line).toMatchObject({
      actor: 'chef',
      subject: '/api/products/raster',
      details: { p: 'dpsri', s: iso(START), e: iso(END) },
    })
    await sql`alter table audit_event rename to audit_event_away`.execute(db)
    const refused = await ask()
    await sql`alter table audit_event_away rename to audit_event`.execute(db)
    expect(refused.statusCode).toBe(500)
    expect(refused.body).not.toContain('values')
  })

  test('a client that leaves in the middle of a raster ends the reading of frames', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { make } = Answers.prototype
    const raster = { head: 0, parts: 0 }
    const endless = Array.from({ length: 2 ** 20 }, (_, k) => START + k)
    // A selection of thousands of parts, each one of real frames: nothing but the client's leaving ends them.
    const asked = vi.spyOn(Answers.prototype, 'make').mockImplementation(async function (
      this: Answers,
      kind,
      input,
      request,
    ) {
      if (kind.name !== rasterPartAnswer.name) {
        raster.head++
        return { ...((await make.call(this, kind, input, request)) as object), times: endless } as never
      }
      raster.parts++
      const times = [TIMES[raster.parts % TIMES.length]]
      return make.call(this, kind, { ...(input as object), times }, request) as never
    })
    try {
      await leave(`/api/products/raster?${PERIOD}&c=melun`)
      for (let before = -1; before !== raster.parts; ) {
        before = raster.parts
        await sleep(500)
      }
    } finally {
      asked.mockRestore()
    }
    expect(raster.head).toBe(1)
    expect(raster.parts).toBeGreaterThan(0)
    expect(raster.parts).toBeLessThan(rasterParts(endless).length)
  })

  test.skipIf(process.platform !== 'linux')(
    'a client that leaves in the middle of a netCDF or Zarr file closes it, and the next one has it whole',
    async () => {
      const path = join(dataDir, jobOutput(gridFile.id), gridFile.name)
      // As exports were kept before there were checksums.
      rmSync(join(dataDir, jobOutput(gridFile.id), CHECKSUMS))
      // Longer than what sockets hold, so that the sending is under way.
      await truncate(path, 2 ** 28)
      const open = () =>
        readdirSync('/proc/self/fd').filter((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`) === path
          } catch {
            return false
          }
        }).length
      await leave(`/images/exportgrid/${gridFile.name}`)
      await expect.poll(open, { timeout: 60_000 }).toBe(0)
      expect(readdirSync(join(dataDir, jobOutput(gridFile.id)))).toEqual([gridFile.name])
      await truncate(path, 1000)
      const { port } = app.server.address() as AddressInfo
      const again = await fetch(`http://127.0.0.1:${port}/images/exportgrid/${gridFile.name}`, {
        headers: { authorization: 'Bearer m' },
      })
      expect((await again.arrayBuffer()).byteLength).toBe(1000)
    },
  )

  test.skipIf(!existsSync('/dev/full'))('a disk that fills ends the writing of a Zarr file', async () => {
    const store = await storeOf(deps)
    const product = store.catalog.products.get('dpsri')!
    const selection = await readSelection(store, product, { startMs: START, endMs: END }, null)
    const codes = store.index.codes(product, selection.frames) as AsyncIterable<Uint16Array>
    const full = createWriteStream('/dev/full')
    await expect(writeZarr(selection, codes, [], full)).rejects.toMatchObject({ code: 'ENOSPC' })
  })

  test('periods outside an account’s dates, reversed, too long or empty are refused', async () => {
    for (const path of ['graph?t=hyetogram&', 'export.xlsx?', 'hyetogram.csv?', 'raster?c=melun&'])
      expect([path, (await call(`/api/products/${path}${PERIOD}`, 'r')).statusCode]).toEqual([path, 403])
    expect(
      (await call('/api/job/exportgeotiff', 'r', 'POST', { product: 'dpsri', date: iso(TIMES[1]) }))
        .statusCode,
    ).toBe(403)
    const period = (s: string, e: string) => `p=dpsri&s=${s}&e=${e}`
    const reversed = period(iso(END), iso(START))
    expect((await call(`/api/products/hyetogram.csv?${reversed}`)).statusCode).toBe(400)
    const year = period('2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
    expect((await call(`/api/products/export.xlsx?${year}`)).statusCode).toBe(400)
    expect(
      (
        await call('/api/job/exportgrid', 'm', 'POST', {
          product: 'dpsri',
          start: '2025-01-01T00:00:00Z',
          end: '2026-01-01T00:00:00Z',
          format: 'zarr',
        })
      ).statusCode,
    ).toBe(400)
    const empty = period('2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z')
    expect((await call(`/api/products/export.xlsx?${empty}`)).statusCode).toBe(404)
  })

  test('who asks for too much at once is told to wait, while others are served', async () => {
    const csv = (token: string, k: number) =>
      call(`/api/products/hyetogram.csv?p=dpsri&s=${iso(START + k)}&e=${iso(END)}`, token)
    const greedy = Promise.all(Array.from({ length: 150 }, (_, k) => csv('u', k)))
    const others = await Promise.all(Array.from({ length: 4 }, (_, k) => csv('m', 1000 + k)))
    expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    const answers = await greedy
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 429]))
    const refused = answers.find(({ statusCode }) => statusCode === 429)!
    expect(refused.headers['retry-after']).toBe('5')
    expect(refused.json()).toMatchObject({ code: 'request.busy' })
    const same = await Promise.all(Array.from({ length: 150 }, () => csv('u', 0)))
    expect(new Set(same.map(({ statusCode }) => statusCode)), 'the same is made once').toEqual(new Set([200]))
    expect(new Set(same.map(({ body }) => body)).size).toBe(1)
  })

  test('a file name cannot lead elsewhere', async () => {
    for (const name of ['..%2F..%2Fetc%2Fpasswd', 'unknown.tif'])
      expect([400, 404]).toContain((await call(`/images/exportgeotiff/${name}`, 'm')).statusCode)
  })
})
