import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeProfiles } from '../mrr/hour-encoder.ts'
import { insertProfiles } from '../mrr/queries.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { testConfig } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { findMelting } from './find-melting.ts'
import { meltingAt } from './melting-at.ts'

const AT = Date.parse('2026-06-01T12:00:00Z')
const MINUTE = 60_000
const site = smallSite({
  microRainRadar: { name: 'MRR', position: { lat: 48.5, lng: 2.5 }, altitudeM: 150 },
})
const dataDir = mkdtempSync(join(tmpdir(), 'radx-melting-'))
let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await createTestDatabase()
  const config = testConfig({ DATA_DIR: dataDir })
  store = await openStore({ db: database.db, config, site, catchments: smallCatchments() })
})
afterAll(async () => {
  await store?.threads.close()
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Profiles of rain whose snow melts at a height above the instrument, one every ten seconds. */
async function rainOver(meltingM: number, fromMs: number, count: number): Promise<void> {
  const heightsM = Array.from({ length: 100 }, (_, k) => 35 * (k + 1))
  const snow = heightsM.map((height) => 1 / (1 + Math.exp((meltingM - height) / 60)))
  const bright = heightsM.map((height) => 8 * Math.exp(-(((height - meltingM) / 120) ** 2)))
  const rows = (of: (k: number) => number) =>
    Float32Array.from({ length: count * heightsM.length }, (_, i) => of(i % heightsM.length))
  const variables = {
    LWC: rows(() => 0.1),
    VEL: rows((k) => 6 - 4.5 * snow[k]),
    Ze: rows((k) => 25 - 4 * snow[k] + bright[k]),
  }
  const timesMs = Array.from({ length: count }, (_, k) => fromMs + k * 10_000)
  const hours = encodeProfiles({ timesMs, heightsM, variables })
  await insertProfiles(database.db, store.frames, hours, sourceFile(`mrr ${fromMs}`), site.timeZone)
}

test('without a reading nothing is known, nor by a few that show no day', async () => {
  expect(await findMelting(store, site, AT)).toEqual([])
  const time = new Date(AT)
  await database.db
    .insertInto('station_reading')
    .values({ time, temperature_c: 20 } as never)
    .execute()
  expect(await findMelting(store, site, AT)).toEqual([])
})

test('a day’s mean tells the layer of its air, unless that is cold', async () => {
  const day = (celsius: number, endMs: number) =>
    database.db
      .insertInto('station_reading')
      .values(
        Array.from({ length: 24 }, (_, k) => ({
          time: new Date(endMs - (k + 1) * 60 * MINUTE),
          temperature_c: celsius + (k % 2 === 0 ? 4 : -4),
        })) as never,
      )
      .execute()
  await day(14, AT)
  const [{ timeMs, layer }] = await findMelting(store, site, AT)
  expect(timeMs).toBe(AT)
  expect(layer.source).toBe('temperature')
  expect(Math.abs(layer.topM - (100 + 14 / 0.0065))).toBeLessThan(250)
  const winter = AT - 100 * 24 * 60 * MINUTE
  await day(5, winter)
  expect(await findMelting(store, site, winter)).toEqual([])
})

test('the micro rain radar goes before it, heights above the sea', async () => {
  await rainOver(1500, AT - 12 * MINUTE, 30)
  const seen = meltingAt(await findMelting(store, site, AT), AT)!
  expect(seen.source).toBe('micro-rain-radar')
  expect(seen.bottomM).toBeLessThan(1650)
  expect(seen.topM).toBeGreaterThan(1650)
  expect(seen.topM - seen.bottomM).toBeLessThan(700)
})
