import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeMrrPro } from '@radx/formats/mrrpro/mrrpro'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSite } from '../../apps/server/src/config/site.ts'
import { readProfiles } from '../../apps/server/src/mrr/queries.ts'
import { openStore } from '../../apps/server/src/store/open-store.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database.ts'
import { testConfig } from '../../apps/server/src/testing/deps.ts'
import { rainFile } from '../../apps/server/src/testing/rain-files.ts'
import { writeSmallSite } from '../../apps/server/src/testing/small-site.ts'
import { radx } from '../conformance/radx-program.ts'

const START = Date.parse('2021-07-04T22:00:00Z')
const FRAMES = 12
const all = { startMs: 0, endMs: 4e12 }

describe('radx rebuild', () => {
  const root = mkdtempSync(join(tmpdir(), 'radx-rebuild-'))
  let database: TestDatabase
  let env: Record<string, string>
  beforeAll(async () => {
    database = await createTestDatabase()
    env = { SITE_DIR: join(root, 'site'), DATA_DIR: join(root, 'data'), DATABASE_URL: database.url }
    mkdirSync(env.SITE_DIR)
    await writeSmallSite(env.SITE_DIR)
    const { site } = await loadSite(env.SITE_DIR)
    const files = Array.from({ length: FRAMES }, (_, k) => rainFile(site, { timeMs: START + k * 1_000_000 }))
    const timesMs = Float64Array.from({ length: 60 }, (_, k) => START + 1_800_000 + k * 60_000)
    const LWC = Float32Array.from({ length: 180 }, (_, k) => (k % 7 === 0 ? Number.NaN : k / 100))
    const profiles = await writeMrrPro({
      instrumentName: 'MRR Pro',
      siteName: '',
      lat: null,
      lon: null,
      altitudeM: null,
      timesMs,
      heightsM: Float32Array.of(35, 70, 105),
      variables: { LWC },
    })
    const paths = [...files, { name: 'profiles.nc', bytes: profiles }].map(({ name, bytes }) => {
      writeFileSync(join(root, name), bytes)
      return join(root, name)
    })
    const run = await radx(['ingest', ...paths], env)
    expect([run.stderr, run.code]).toEqual(['', 0])
  })
  afterAll(async () => {
    await database?.drop()
    rmSync(root, { recursive: true, force: true })
  })

  /** All that readers can ask, and the tables that are derived. */
  const state = async () => {
    const { site, catchments } = await loadSite(env.SITE_DIR)
    const { db } = database
    const store = await openStore({ db, config: testConfig(env), site, catchments })
    const product = store.catalog.products.get('dpsri')!
    const frames = await store.index.summaries(product, all, 'melun')
    const codes = []
    for await (const frame of store.index.codes(product, frames)) codes.push(frame)
    const classes = []
    for await (const { crc, zstd, deflate } of store.index.classSegments(product, frames))
      classes.push([crc, zstd, deflate])
    const found = {
      codes,
      classes,
      zones: frames.map(({ timeMs, zone, catchment, maxMmH }) => ({ timeMs, zone, catchment, maxMmH })),
      pixels: await store.pixels.read(product, 7, 9, all),
      profiles: await readProfiles(db, store.frames, all),
      days: await db.selectFrom('radar_day').selectAll().orderBy('day').execute(),
      bins: await db.selectFrom('mrr_bin').selectAll().orderBy('bin').execute(),
      mrrDays: await db.selectFrom('mrr_day').selectAll().orderBy('day').execute(),
    }
    await store.threads.close()
    return found
  }

  test('with the whole store gone everything comes back from the archived files, equal; and stays so', async () => {
    const before = await state()
    expect(before.codes).toHaveLength(FRAMES)
    expect(before.profiles).toHaveLength(60)
    rmSync(join(env.DATA_DIR, 'store'), { recursive: true })
    await database.pool.query('update mrr_bin set max_lwc = 99; delete from mrr_day; delete from radar_day')
    const run = await radx(['rebuild'], env)
    expect(run.code).toBe(0)
    expect(run.stdout).toContain(`${FRAMES} images refaites, ${FRAMES} réparées, 0 perdue`)
    expect(run.stdout).toContain('2 blocs de profils relus, 2 réparés, 0 perdu')
    expect(await state()).toEqual(before)
    const again = await radx(['rebuild'], env)
    expect(again.stdout).toContain(`${FRAMES} images refaites, 0 réparée, 0 perdue`)
    expect(await state()).toEqual(before)
  })

  test('what neither store nor archive has is told and counted, and the rest is remade', async () => {
    rmSync(join(env.DATA_DIR, 'store'), { recursive: true })
    rmSync(join(env.DATA_DIR, 'archive/mrr'), { recursive: true })
    const run = await radx(['rebuild'], env)
    expect(run.stdout).toContain(`${FRAMES} images refaites, ${FRAMES} réparées, 0 perdue`)
    expect(run.stdout).toContain('0 bloc de profils relu, 0 réparé, 2 perdus')
    expect(run.code).toBe(1)
  })
})
