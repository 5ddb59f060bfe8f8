import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { catchmentsSchema, type Site, siteSchema } from '@radx/contracts'
import { readOdim } from '@radx/formats/odim/odim'
import { lowestReflectivitySweep, readRainbowVolume } from '@radx/formats/rainbow5/volume'
import { readRadarVolume } from '@radx/formats/volume/read'
import { cellIndexOf, decodeRate, decodeRates, distanceM, RATE_NO_DATA } from '@radx/rainfall'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Catchments } from '../../apps/server/src/config/catchments.ts'
import { loadSite } from '../../apps/server/src/config/site.ts'
import { openStore, type Store } from '../../apps/server/src/store/open-store.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database.ts'
import { testConfig } from '../../apps/server/src/testing/deps.ts'
import { radx } from './radx-program.ts'
import { hasReferenceData, REFERENCE_DATA, referenceFiles } from './reference-data.ts'

const all = { startMs: 0, endMs: 4e12 }
const SITE_DIR = join(import.meta.dirname, '../../site')

const NOTHING = { type: 'FeatureCollection', features: [] }

/** X-band radar at Bonn: another place, one product of 100 km, no station, no catchment. */
const bonn = (): Site =>
  siteSchema.parse({
    id: 'bonn',
    name: 'Bonn',
    timeZone: 'Europe/Berlin',
    radar: {
      name: 'BoXPol',
      position: { lat: 50.73, lng: 7.07 },
      altitudeM: 100,
      rangeKm: 100,
      wavelengthM: 0.032,
      beamwidthDeg: 1,
    },
    map: { center: { lat: 50.73, lng: 7.07 }, zoom: 9, minZoom: 7, maxZoom: 13 },
    tiles: { kind: 'none' },
    products: [
      {
        shortName: 'rain',
        longName: 'Pluie à la surface',
        activeStatus: true,
        bounds: { ul: { lat: 51.18, lng: 6.36 }, lr: { lat: 50.28, lng: 7.78 } },
        steps: 200,
      },
    ],
    defaultProduct: 'rain',
    odimProduct: 'rain',
    defaultCatchment: null,
    station: null,
    microRainRadar: null,
    analytics: null,
  })

describe.skipIf(!hasReferenceData())('real files through the program', () => {
  let database: TestDatabase
  let dataDir: string
  let env: Record<string, string>
  const opened: Store[] = []

  beforeEach(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'radx-conformance-'))
    env = { DATA_DIR: dataDir, DATABASE_URL: database.url }
  })
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.threads.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const open = async (site: Site, catchments: Catchments) => {
    const store = await openStore({ db: database.db, config: { ...testConfig(), dataDir }, site, catchments })
    opened.push(store)
    return store
  }
  const openRadx = async () => {
    const { site, catchments } = await loadSite(SITE_DIR)
    return open(site, catchments)
  }
  const tables = async () => ({
    frames: await database.db.selectFrom('radar_frame').selectAll().orderBy('time').execute(),
    days: await database.db.selectFrom('radar_day').selectAll().orderBy('day').execute(),
    files: await database.db.selectFrom('source_file').selectAll().orderBy('hash').execute(),
  })
  const listing = async () => (await readdir(dataDir, { recursive: true })).sort()

  test('39 composites of 4 July 2021 become frames with the known figures, and twice changes nothing', async () => {
    const files = referenceFiles('odim/rmi-20210704', /\.hdf$/)
    const first = await radx(['ingest', ...files], env)
    expect(first.stderr).toBe('')
    expect(first.code).toBe(0)
    expect(first.stdout).toContain('39 enregistrés, 0 déjà connu, 0 refusé')
    expect(first.stdout).toContain('enregistré (dpsri 2021-07-04T15:50:00Z)')

    const store = await openRadx()
    const product = store.catalog.products.get('dpsri')!
    const frames = await store.index.summaries(product, all, 'melun')
    expect(frames).toHaveLength(39)
    const figures: [string, number, number, number, number, [number, number], number][] = [
      ['2021-07-04T15:50:00Z', 0.4685, 1.6057, 29.18, 57.294, [33, 183], 1.171],
      ['2021-07-04T16:50:00Z', 0.373, 1.3639, 27.35, 37.964, [56, 215], 0],
      ['2021-07-04T17:30:00Z', 0.639, 2.334, 27.38, 47.163, [83, 239], 1.685],
    ]
    const near = (value: number | null, expected: number, share = 0.005) =>
      expect(Math.abs(value! - expected) / expected).toBeLessThan(share)
    for (const [time, mean, wetMean, wet, max, [row, col], atRadar] of figures) {
      const frame = frames.find(({ timeMs }) => timeMs === Date.parse(time))!
      near(frame.zone.mean, mean)
      near(frame.zone.nonzerosmean, wetMean)
      near(frame.zone.nonzerospc, wet)
      expect(Math.abs(frame.maxMmH! - max)).toBeLessThanOrEqual(0.01)
      expect([Math.floor(frame.maxIndex / 400), frame.maxIndex % 400]).toEqual([row, col])
      const [codes] = await Array.fromAsync(store.index.codes(product, [frame]))
      const cell = cellIndexOf(product, { lat: 48.841, lng: 2.587 })
      expect(Math.abs(decodeRate(codes![cell]) - atRadar)).toBeLessThanOrEqual(0.01)
    }

    const before = [await tables(), await listing()]
    const second = await radx(['ingest', ...files], env)
    expect(second.code).toBe(0)
    expect(second.stdout).toContain('0 enregistré, 39 déjà connus, 0 refusé')
    expect(second.stdout).toContain('déjà connu (dpsri 2021-07-04T15:50:00Z)')
    expect([await tables(), await listing()]).toEqual(before)
  })

  test('a refused file is told with its reason, the others are taken, and the exit code says so', async () => {
    const [good] = referenceFiles('odim/rmi-20210704', /\.hdf$/)
    const cut = join(dataDir, 'cut.hdf')
    await writeFile(cut, (await readFile(good)).subarray(0, 5_000))
    const run = await radx(['ingest', cut, join(dataDir, 'nowhere.hdf'), good], env)
    expect(run.code).toBe(1)
    expect(run.stdout).toMatch(/cut\.hdf : refusé : \S/)
    expect(run.stdout).toContain("nowhere.hdf : refusé : Le fichier n'existe pas.")
    expect(run.stdout).toContain('1 enregistré, 0 déjà connu, 2 refusés')
    expect(await readdir(join(dataDir, 'staging'))).toEqual([])
    const wrong = await radx(['ingest', '--product', 'nope', good], env)
    expect([wrong.code, wrong.stderr]).toEqual([64, expect.stringContaining('« nope »')])
  })

  const noCatchments = () => new Catchments(catchmentsSchema.parse(NOTHING))
  const folderOf = async (site: Site): Promise<string> => {
    const siteDir = join(dataDir, 'site')
    await mkdir(siteDir)
    await writeFile(join(siteDir, 'site.json'), JSON.stringify(site))
    await writeFile(join(siteDir, 'catchments.geojson'), JSON.stringify(NOTHING))
    return siteDir
  }

  test('the seven files of an X-band volume by moment become one frame with its quality', async () => {
    const site = bonn()
    site.radar.position = { lat: 46.77, lng: 6.954 }
    site.products[0].bounds = { ul: { lat: 47.37, lng: 6.08 }, lr: { lat: 46.17, lng: 7.83 } }
    const files = referenceFiles('radar-science/polarimetric/mals', /\.vol$/)
    expect(files).toHaveLength(7)
    const run = await radx(['ingest', ...files], { ...env, SITE_DIR: await folderOf(site) })
    expect(run.stdout).toContain('7 enregistrés, 0 déjà connu, 0 refusé')
    const out = process.env.RADX_KEEP_ODIM ?? join(dataDir, 'odim')
    const period = ['--from', '2019-10-21T00:00:00Z', '--to', '2019-10-22T00:00:00Z']
    const exported = await radx(['export', '--odim', ...period, '--volumes', '--out', out], {
      ...env,
      SITE_DIR: join(dataDir, 'site'),
    })
    expect(exported.stdout).toContain('1 image, 1 volume')
    expect(await readdir(out)).toEqual(['rain-20191021T082409Z.h5', 'rain-pvol-20191021T082409Z.h5'])
    const composite = await readOdim(await readFile(join(out, 'rain-20191021T082409Z.h5')))
    const polar = await readRadarVolume(await readFile(join(out, 'rain-pvol-20191021T082409Z.h5')))
    expect(polar.sweeps).toHaveLength(10)
    expect(Object.keys(polar.sweeps[0].moments).sort()).toEqual([
      ...['DBZH', 'KDP', 'PHIDP', 'RHOHV', 'VRADH', 'WRADH', 'ZDR'],
    ])
    const store = await open(site, noCatchments())
    const [frame, ...more] = await store.index.summaries(store.catalog.products.get('rain')!, all, null)
    expect(more).toEqual([])
    expect(new Date(frame.timeMs).toISOString()).toBe('2019-10-21T08:24:09.000Z')
    const [codes] = await Array.fromAsync(store.index.codes(store.catalog.products.get('rain')!, [frame]))
    expect([...composite.rateMmH]).toEqual([...decodeRates(codes!)])
    expect(frame.zone.mean).toBeGreaterThan(0)
    expect(frame.quality!.zone).toBeGreaterThan(0)
    expect(frame.quality!.zone).toBeLessThan(1)
  }, 300_000)

  test('a CfRadial file becomes a frame whatever its name says, and one without reflectivity is told so', async () => {
    const site = bonn()
    site.radar.position = { lat: 46.041, lng: 8.833 }
    site.products[0].bounds = { ul: { lat: 46.64, lng: 7.96 }, lr: { lat: 45.44, lng: 9.7 } }
    const [file] = referenceFiles('radar-science/polarimetric/monte-lema', /MLL.*nc$/)
    const [temperatures] = referenceFiles('radar-science/polarimetric/monte-lema', /COSMO.*nc$/)
    const run = await radx(['ingest', file, temperatures], { ...env, SITE_DIR: await folderOf(site) })
    expect(run.stdout).toContain('1 enregistré, 0 déjà connu, 1 refusé')
    expect(run.stdout).toContain('enregistré (rain 2022-06-28T07:21:36Z)')
    expect(run.stdout + run.stderr).toContain('réflectivité')
    const store = await open(site, noCatchments())
    const [frame] = await store.index.summaries(store.catalog.products.get('rain')!, all, null)
    expect(frame.zone.mean).toBeGreaterThan(0)
    expect(frame.quality!.zone).toBeGreaterThan(0)
    expect(await tables()).toMatchObject({ files: [{ kind: 'odim', name: basename(file) }] })
  }, 300_000)

  test('[LIVE-02] the volume of Bonn becomes rain of a second site, where an independent gridding has it', async () => {
    const site = bonn()
    const siteDir = await folderOf(site)
    const file = join(REFERENCE_DATA, 'rainbow5/2013051000000600dBZ.vol')
    const run = await radx(['ingest', file], { ...env, SITE_DIR: siteDir })
    expect(run.stdout).toContain('enregistré (rain 2013-05-10T00:00:06Z)')

    const store = await open(site, noCatchments())
    const product = store.catalog.products.get('rain')!
    const [place] = await store.index.summaries(product, all, null)
    const [codes] = await Array.fromAsync(store.index.codes(product, [place]))

    // Every gate of the sweep on the sphere, as points over its width: the point nearest a cell's
    // centre says what it should have, the strongest one in it what it may have.
    const volume = readRainbowVolume(await readFile(file))
    const sweep = lowestReflectivitySweep(volume)
    const { lat, lon } = volume.sensor
    const nearest = new Float64Array(product.steps ** 2).fill(Number.POSITIVE_INFINITY)
    const dbz = new Float64Array(product.steps ** 2).fill(Number.NaN)
    const highest = new Float64Array(product.steps ** 2).fill(Number.NaN)
    const rad = Math.PI / 180
    const { ul, lr } = product.bounds
    const across = 9
    for (let ray = 0; ray < sweep.nrays; ray++) {
      const width = (sweep.azimuthStopDeg[ray] - sweep.azimuthStartDeg[ray] + 360) % 360
      for (let part = 0; part < across; part++) {
        const azimuth = (sweep.azimuthStartDeg[ray] + ((part + 0.5) / across) * width) * rad
        for (let bin = 0; bin < sweep.nbins; bin++) {
          const range = sweep.rangeStartM + (bin + 0.5) * sweep.rangeStepM
          const angle = (range * Math.cos(sweep.elevationDeg * rad)) / 6_371_009
          const lat2 = Math.asin(
            Math.sin(lat * rad) * Math.cos(angle) + Math.cos(lat * rad) * Math.sin(angle) * Math.cos(azimuth),
          )
          const lng2 =
            lon * rad +
            Math.atan2(
              Math.sin(azimuth) * Math.sin(angle) * Math.cos(lat * rad),
              Math.cos(angle) - Math.sin(lat * rad) * Math.sin(lat2),
            )
          const row = ((ul.lat - lat2 / rad) / (ul.lat - lr.lat)) * product.steps
          const col = ((lng2 / rad - ul.lng) / (lr.lng - ul.lng)) * product.steps
          if (!(row >= 0 && col >= 0 && row < product.steps && col < product.steps)) continue
          const cell = Math.floor(row) * product.steps + Math.floor(col)
          const value = sweep.values[ray * sweep.nbins + bin]
          if (!(value <= highest[cell])) highest[cell] = value
          const off = Math.hypot((row % 1) - 0.5, (col % 1) - 0.5)
          if (off >= nearest[cell]) continue
          nearest[cell] = off
          dbz[cell] = value
        }
      }
    }
    // Z = 200 R^1.6 of Marshall and Palmer.
    const wetter = (field: Float64Array, rateMmH: number) =>
      new Set([...field.keys()].filter((i) => field[i] >= 10 * Math.log10(200 * rateMmH ** 1.6)))
    const stored = (rateMmH: number) =>
      new Set([...codes!.keys()].filter((i) => codes![i] !== RATE_NO_DATA && codes![i] >= 100 * rateMmH))
    const around = (set: Set<number>, i: number) => {
      for (let row = -1; row <= 1; row++)
        for (let col = -1; col <= 1; col++) if (set.has(i + row * product.steps + col)) return true
      return false
    }
    // A little less counts on the other side: rates are kept to 0.01 mm/h.
    expect(stored(0.2).size).toBeGreaterThan(150)
    const [near, ours] = [wetter(highest, 0.18), stored(0.18)]
    expect([...stored(0.2)].filter((i) => !around(near, i))).toEqual([])
    expect([...wetter(dbz, 0.2)].filter((i) => !around(ours, i))).toEqual([])
    // The header has a radar 50 km west of Bonn; echoes lie where the file says that it stood.
    expect(Math.round(distanceM({ lat, lng: lon }, site.radar.position) / 1000)).toBe(51)
  })

  test('the demonstration files read back to what was written, and a rebuild makes the same of them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'radx-demo-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const period = ['--from', '2018-01-16T02:00:00Z', '--to', '2018-01-16T02:40:00Z']
    expect((await radx(['demo', ...period, '--product', 'dpsri', folder], env)).code).toBe(0)
    const names = (await readdir(folder)).sort()
    expect(names.length).toBeGreaterThan(9)
    const run = await radx(['ingest', ...names.map((name) => join(folder, name))], env)
    expect([run.stderr, run.code]).toEqual(['', 0])
    const { Demo } = await import('@radx/demo')
    const { site } = await loadSite(SITE_DIR)
    const demo = new Demo(site)
    const store = await openRadx()
    const product = store.catalog.products.get('dpsri')!
    const places = await store.index.places(product, all)
    expect(places).toHaveLength(names.length)
    let k = 0
    let wet = 0
    for await (const codes of store.index.codes(product, places)) {
      const field = demo.rateField('dpsri', places[k++].timeMs)
      for (const [i, code] of (codes ?? new Uint16Array(field.length)).entries()) {
        const rate = decodeRate(code)
        if (Number.isNaN(field[i]) || Number.isNaN(rate)) {
          if (Number.isNaN(field[i]) !== Number.isNaN(rate)) throw new Error(`no data differs at ${i}`)
          continue
        }
        if (field[i] === 0 || rate === 0) {
          // Below the lowest code there is no echo.
          if (Math.max(field[i], rate) > 10 ** ((-31.5 + 0.25) / 10) + 0.006)
            throw new Error(`wet differs at ${i}`)
          continue
        }
        wet++
        // Half a step of 0.5 dB, and half a step of 0.01 mm/h in the store.
        const low = field[i] * 10 ** -0.0251 - 0.00501
        const high = Math.max(field[i] * 10 ** 0.0251 + 0.00501, 0.01001)
        if (rate < low || rate > high) throw new Error(`${rate} for ${field[i]} at ${i}`)
      }
    }
    expect(wet).toBeGreaterThan(10_000)

    const before = await tables()
    const rebuilt = await radx(['rebuild'], env)
    expect(rebuilt.stdout).toContain(`${names.length} images refaites, 0 réparée, 0 perdue`)
    const after = await tables()
    const withoutPlaces = (t: typeof before) => ({
      ...t,
      frames: t.frames.map(({ classes_generation, classes_offset, tiled, ...rest }) => rest),
    })
    expect(withoutPlaces(after)).toEqual(withoutPlaces(before))
    expect(after.frames.every(({ tiled, classes_generation }) => tiled && classes_generation === 1)).toBe(
      true,
    )

    // Torn packs come back from the archived originals.
    const pack = join(dataDir, 'store/dpsri/2018/2018-01-16.pack')
    const bytes = await readFile(pack)
    await writeFile(pack, bytes.fill(0, 100, 2_000).subarray(0, bytes.length - 3_000))
    const repaired = await radx(['rebuild'], env)
    expect(repaired.stdout).toMatch(/images refaites, [2-9] réparées, 0 perdue/)
    const healed = await tables()
    expect(healed.frames.map((f) => [f.sum_codes, f.zone_mean, f.max_index])).toEqual(
      before.frames.map((f) => [f.sum_codes, f.zone_mean, f.max_index]),
    )
  })
})
