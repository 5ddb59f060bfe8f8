import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Nowcast, nowcastPlaceSchema, nowcastSchema } from '@radx/contracts'
import { showers } from '@radx/motion/testing/weather'
import { ClassBundleDecoder, encodeRates, intensityClass, unpackClassBlock } from '@radx/rainfall'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { storeOf } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { registerNowcast } from './routes.ts'

const steps = 48
const START = Date.parse('2026-06-15T08:00:00Z')
const minutes = Array.from({ length: 80 }, (_, k) => k * 3.5)
const NEWEST = START + minutes[79] * 60_000
const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')

describe('calls about the forecast', () => {
  let database: TestDatabase
  let app: App
  let dataDir: string
  // Rain that moves 0.2 cells a minute to the east.
  const frames = showers({ nrows: steps, ncols: steps }, [0.2, 0.05], [...minutes, minutes[79] + 30], 12)

  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'radx-nowcast-'))
    const deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir }),
      database: handleOf(database),
      site: smallSite(),
      catchments: smallCatchments(),
      clock: { now: () => NEWEST + 60_000 },
      sessions: { resolve: async () => null },
    })
    const store = await storeOf(deps)
    const product = store.catalog.products.get('sri')!
    const weights = zoneWeights(product, store.catalog.zones)
    await commitFrames(
      store.context,
      minutes.map((minute, k) => ({
        frame: prepareFrame(encodeRates(frames[k].rateMmH), weights, {
          product: 'sri',
          timeMs: START + minute * 60_000,
          version: '5.43.11',
          name: 'SRI',
          sensor: { name: 'X', wavelengthM: 0.0319, beamwidthDeg: 1, altitudeM: 130 },
        }),
        source: sourceFile(String(minute)),
      })),
    )
    app = await createApp(deps, { features: [registerNowcast], webDir: dataDir })
  }, 120_000)
  afterAll(async () => {
    await app?.close()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  test('the forecast starts from the newest frame of the widest product, and says how far it was good', async () => {
    const answer = await app.inject('/api/nowcast')
    expect(answer.statusCode, answer.body).toBe(200)
    const about: Nowcast = nowcastSchema.parse(answer.json())
    expect(about).toMatchObject({ product: 'sri', issued: iso(NEWEST), reason: null })
    expect(about.times[5]).toBe(iso(NEWEST + 30 * 60_000))
    // This rain only moves.
    expect(about.horizonMin).toBeGreaterThanOrEqual(30)
    expect(about.skill[0].csi).toBeGreaterThan(0.8)
  })

  test('its pictures show the rain where it will be, and are missing where nothing upstream was seen', async () => {
    const { rawPayload } = await app.inject('/api/nowcast/frames')
    const decoder = new ClassBundleDecoder()
    const shown = [...decoder.push(new Uint8Array(rawPayload))]
    expect(decoder.header?.times[0]).toBe(iso(NEWEST))
    const at30 = unpackClassBlock(shown[6].block, steps)
    const truth = frames[80].rateMmH
    let [right, wet, missing] = [0, 0, 0]
    for (let i = 0; i < at30.length; i++) {
      if (at30[i] === 15) missing++
      else if (at30[i] > 0 || intensityClass(truth[i]) > 0) {
        wet++
        if (at30[i] > 0 && intensityClass(truth[i]) > 0) right++
      }
    }
    expect(right / wet).toBeGreaterThan(0.75)
    expect(missing).toBeGreaterThanOrEqual(5 * steps)
    for (let row = 0; row < steps; row++) expect(at30[row * steps]).toBe(15)
  })

  test('a place is told when rain comes or ends', async () => {
    const answer = await app.inject('/api/nowcast/place?lat=48.5&lng=2.5')
    const place = nowcastPlaceSchema.parse(answer.json())
    expect(place.classes[0].leadMin).toBe(0)
    const first = place.classes.find((lead) => (lead.class ?? 0) > 0)
    expect(place.rainInMin).toBe(first?.leadMin ?? null)
    const outside = nowcastPlaceSchema.parse((await app.inject('/api/nowcast/place?lat=45&lng=2.5')).json())
    expect(outside.classes.every((lead) => lead.class === null)).toBe(true)
    expect(outside.rainInMin).toBeNull()
  })

  test('a forecast of the last three hours is everyone’s; an older one is not', async () => {
    const live = await app.inject(`/api/nowcast?issued=${iso(NEWEST - 3_600_000)}`)
    expect(live.json().issued).toBe(
      iso(START + minutes.findLast((minute) => START + minute * 60_000 <= NEWEST - 3_600_000)! * 60_000),
    )
    expect((await app.inject(`/api/nowcast?issued=${iso(START + 600_000)}`)).statusCode).toBe(401)
  })
})
