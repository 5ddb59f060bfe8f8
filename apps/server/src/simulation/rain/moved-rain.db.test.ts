import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { encodeRate } from '@radx/rainfall'
import proj4 from 'proj4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commitFrames } from '../../store/commit-frames.ts'
import { type Store, storeOf } from '../../store/open-store.ts'
import { prepareFrame } from '../../store/prepared-frame.ts'
import { zoneWeights } from '../../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../../testing/deps.ts'
import { smallCatchments, smallSite } from '../../testing/small-site.ts'
import { sourceFile } from '../../testing/source-file.ts'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { projectionOf } from '../catchment/projection.ts'
import { adjustedFr } from './adjusted-text.ts'
import { memberRain } from './member-rain.ts'
import { StoredRain } from './radar-rain.ts'
import { daysBefore, soilBeforeOf } from './soil-before.ts'

const START = Date.parse('2026-06-04T10:00:00Z')
const STEP_MS = 206_000
const FRAMES = 20
const CRS = 'EPSG:2154'
const RATE_MM_H = 6
/** Frames that came adjusted to gauges, and by how much. */
const BIASES: Record<number, number> = { 2: 0.48, 3: 0.52, 15: 2 }
const iso = (ms: number) => new Date(ms).toISOString()

describe('rain of the archive on a catchment', () => {
  let database: TestDatabase
  let store: Store
  let rain: StoredRain
  /** A model of four cells in the middle of the product, Lambert 93. */
  let grid: EsriGrid
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-moved-'))

  beforeAll(async () => {
    database = await createTestDatabase()
    const deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir }),
      database: handleOf(database),
      site: smallSite(),
      catchments: smallCatchments(),
    })
    store = await storeOf(deps)
    const { context, catalog } = store
    const product = catalog.products.get('dpsri')!
    const { ul, lr } = product.bounds
    const [x, y] = proj4('WGS84', projectionOf(CRS)).forward([(ul.lng + lr.lng) / 2, (ul.lat + lr.lat) / 2])
    grid = {
      noData: -9999,
      ncols: 2,
      nrows: 2,
      xll: x - 10,
      yll: y - 10,
      cellSize: 10,
      data: new Float64Array(4).fill(30),
    }
    // Dry in the west, rain in the east, no data in the last rows.
    const codes = Uint16Array.from({ length: product.steps ** 2 }, (_, i) =>
      Math.floor(i / product.steps) >= product.steps - 2
        ? 65535
        : encodeRate(i % product.steps > product.steps / 2 + 2 ? RATE_MM_H : 0),
    )
    const weights = zoneWeights(product, catalog.zones)
    await commitFrames(
      context,
      Array.from({ length: FRAMES }, (_, k) => ({
        frame: prepareFrame(codes, weights, {
          product: 'dpsri',
          timeMs: START + k * STEP_MS,
          version: '5',
          name: 'DPSRI',
          sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
          bias: k in BIASES ? BIASES[k] : null,
        }),
        source: sourceFile(String(k)),
      })),
    )
    rain = new StoredRain(store, [])
  })
  afterAll(async () => {
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const period = { product: 'dpsri', start: iso(START + STEP_MS), end: iso(START + 10 * STEP_MS) }
  const still = { eastM: 0, northM: 0, shiftMinutes: 0, factor: 1 }
  const rates = async (move?: typeof still) => {
    const found = await rain.radarRain({ ...period, ...(move && { move }) }, grid, CRS)
    const rate = found.rateMS(0)
    return { missing: found.missingShare, mmH: typeof rate === 'number' ? rate : rate[0] * 3.6e6 }
  }

  test('rain that is moved west by what it lies east falls here, as much stronger as was asked', async () => {
    const { ul, lr } = store.catalog.products.get('dpsri')!.bounds
    const widthM = (lr.lng - ul.lng) * 111_000 * Math.cos((ul.lat * Math.PI) / 180)
    expect(await rates()).toEqual({ missing: 0, mmH: 0 })
    expect(await rates(still)).toEqual({ missing: 0, mmH: 0 })
    const here = await rates({ ...still, eastM: -widthM / 4, factor: 2.5 })
    expect(here).toEqual({ missing: 0, mmH: expect.closeTo(2.5 * RATE_MM_H, 6) })
    expect((await rates({ ...still, eastM: widthM / 4 })).mmH).toBe(0)
  })

  test('what members are made of is what was measured over the model, moved like it', async () => {
    const { ul, lr } = store.catalog.products.get('dpsri')!.bounds
    const widthM = (lr.lng - ul.lng) * 111_000 * Math.cos((ul.lat * Math.PI) / 180)
    const move = { ...still, eastM: -widthM / 4, factor: 2.5 }
    const measured = await rain.coarseRain({ ...period, move }, grid, CRS)
    expect(measured).toMatchObject({ durationS: (9 * STEP_MS) / 1000, intervalS: STEP_MS / 1000 })
    expect(measured.modelCells).toBeGreaterThan(1)
    for (let i = 0; i < 4; i++) {
      const cell = Math.floor(measured.rows[i]) * measured.ncols + Math.floor(measured.cols[i])
      expect(measured.frames[0].ratesMmH[cell]).toBeCloseTo(2.5 * RATE_MM_H, 6)
    }
    const member = memberRain(measured, { members: 2, alpha: 1.8, c1: 0.1, seed: 3 }, 3)
    const rate = member.rateMS(0)
    expect(typeof rate === 'number' ? rate : rate[0]).toBeGreaterThan(0)
    const outside = rain.coarseRain({ ...period, move: { ...still, eastM: 290_000 } }, grid, CRS)
    await expect(outside).rejects.toThrow('hors de l’image radar')
  })

  test('what is moved in from outside the radar or from cells without data counts as missing', async () => {
    expect((await rates({ ...still, eastM: 290_000 })).missing).toBe(1)
    const { ul, lr } = store.catalog.products.get('dpsri')!.bounds
    const heightM = (ul.lat - lr.lat) * 111_200
    const steps = store.catalog.products.get('dpsri')!.steps
    expect((await rates({ ...still, northM: heightM * (0.5 - 1 / steps) })).missing).toBe(1)
  })

  test('ground of the grid that is no part of the model misses no rain', async () => {
    const half = { ...grid, data: Float64Array.of(30, Number.NaN, Number.NaN, 30) }
    expect((await rain.radarRain(period, half, CRS)).missingShare).toBe(0)
    const none = { ...still, eastM: 290_000 }
    expect((await rain.radarRain({ ...period, move: none }, half, CRS)).missingShare).toBe(1)
  })

  test('the soil is as wet as the days before left it, and nothing is said of days that the archive lacks', async () => {
    const product = store.catalog.products.get('dpsri')!
    const [eastM] = [((product.bounds.lr.lng - product.bounds.ul.lng) * 73_000) / 4]
    const wet = {
      elevation: { ...grid, xll: grid.xll + eastM },
      catchment: { crs: CRS },
    } as CatchmentPackage
    const span = { startMs: START, endMs: START + FRAMES * STEP_MS }
    const hours = (span.endMs - span.startMs) / 3_600_000
    expect(await soilBeforeOf(store, product, wet, span)).toEqual({
      choice: 'archive',
      state: 'dry',
      depthMm: expect.closeTo(RATE_MM_H * hours, 0),
      knownShare: expect.closeTo(1, 1),
      end: iso(span.endMs).replace('.000Z', 'Z'),
      method: 'raw',
    })
    const days = { startMs: span.endMs - 5 * 86_400_000, endMs: span.endMs }
    await expect(soilBeforeOf(store, product, wet, days)).rejects.toThrow('1\u202f% des 5 jours d’avant')
  })

  test('a run is told how many of its images came adjusted to gauges, and by what factors', async () => {
    const { adjusted } = await rain.radarRain(period, grid, CRS)
    // Half of the frame at the end is inside; the 16th lies beyond.
    expect(adjusted).toEqual({ images: 2, of: 10, factors: [0.48, 0.52] })
    expect(adjustedFr(adjusted)).toBe(
      'fait à la source sur 2 images sur 10, facteurs de 0,48 à 0,52 (how/bias)',
    )
    const late = { product: 'dpsri', start: iso(START + 14.6 * STEP_MS), end: iso(START + 15.4 * STEP_MS) }
    const one = (await rain.radarRain(late, grid, CRS)).adjusted
    expect(one).toEqual({ images: 1, of: 1, factors: [2, 2] })
    expect(adjustedFr(one)).toBe('fait à la source, facteur 2,00 (how/bias)')
    const none = { ...late, end: iso(START + 19 * STEP_MS), start: iso(START + 17 * STEP_MS) }
    const { adjusted: dry } = await rain.radarRain(none, grid, CRS)
    expect(dry).toEqual({ images: 0, of: 3, factors: null })
    expect(adjustedFr(dry)).toBe('aucun, pluie du produit tel que reçu')
  })

  test('a run is told whether its rain moved between frames', async () => {
    const of = async () => (await rain.radarRain(period, grid, CRS)).method
    expect(await of()).toBe('raw')
    const product = store.catalog.products.get('dpsri')!
    while ((await store.moved.makeSome(product, { startMs: 0, endMs: 8.64e15 })) > 0);
    expect(await of()).toBe('moved')
    const span = { startMs: START, endMs: START + FRAMES * STEP_MS }
    const [eastM] = [((product.bounds.lr.lng - product.bounds.ul.lng) * 73_000) / 4]
    const wet = {
      elevation: { ...grid, xll: grid.xll + eastM },
      catchment: { crs: CRS },
    } as CatchmentPackage
    const soil = () => soilBeforeOf(store, product, wet, span)
    const hours = (FRAMES * STEP_MS) / 3_600_000
    expect(await soil()).toMatchObject({
      depthMm: expect.closeTo(RATE_MM_H * hours, 0),
      knownShare: expect.closeTo(1, 1),
      method: 'moved',
    })
  })
})

test('days before end with the rain, the moved rain, or now', () => {
  const now = Date.parse('2026-07-01T00:00:00Z')
  const radar = { rainfallSelection: 'radar' as const, rainfallStart: iso(START) }
  const move = { eastM: 0, northM: 0, shiftMinutes: -60, factor: 1 }
  expect(daysBefore(radar, now)).toEqual({ startMs: START - 5 * 86_400_000, endMs: START })
  expect(daysBefore({ ...radar, transposition: move }, now).endMs).toBe(START - 3_600_000)
  expect(daysBefore({ ...radar, rainfallSelection: 'virtual' }, now).endMs).toBe(now)
})
