import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { loadSite } from '../../apps/server/src/config/site.ts'
import { openStore } from '../../apps/server/src/store/open-store.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database.ts'
import { testConfig } from '../../apps/server/src/testing/deps.ts'
import { rainFile } from '../../apps/server/src/testing/rain-files.ts'
import { writeSmallSite } from '../../apps/server/src/testing/small-site.ts'
import { radx } from '../conformance/radx-program.ts'
import { filesBelow, fillInbox, kill9, startServer, until } from './ingest-kill.ts'

// The full form, on the site near Paris, is `npm run soak`; this one has small frames.
const SOAK = process.env.RADX_SOAK_KILLS !== undefined
const KILLS = Number(process.env.RADX_SOAK_KILLS ?? 2)
const FILES = Number(process.env.RADX_SOAK_FILES ?? 60)

describe('a server killed while it takes files in', () => {
  const databases: TestDatabase[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.drop()
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  })

  const place = async () => {
    const database = await createTestDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'radx-crash-'))
    databases.push(database)
    folders.push(dataDir)
    const siteDir = SOAK ? join(import.meta.dirname, '../../site') : join(dataDir, 'site')
    if (!SOAK) {
      await mkdir(siteDir)
      await writeSmallSite(siteDir)
    }
    const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, SITE_DIR: siteDir }
    return { database, dataDir, siteDir, env }
  }

  /** Everything that a run leaves, free of the order in which files came. */
  const outcome = async ({ database, dataDir, siteDir }: Awaited<ReturnType<typeof place>>) => {
    const { site, catchments } = await loadSite(siteDir)
    const store = await openStore({ db: database.db, config: { ...testConfig(), dataDir }, site, catchments })
    const product = store.catalog.products.get('dpsri')!
    const frames = await store.index.summaries(product, { startMs: 0, endMs: 4e12 }, 'melun')
    const codes: number[] = []
    for await (const frame of store.index.codes(product, frames))
      codes.push(frame === null ? 0 : frame.reduce((hash, code) => (Math.imul(hash, 31) + code) | 0, 7))
    await store.threads.close()
    return {
      codes,
      frames: frames.map(({ timeMs, zone, catchment, maxMmH, maxIndex, validPct }) => ({
        timeMs,
        zone,
        catchment,
        maxMmH,
        maxIndex,
        validPct,
      })),
      days: await database.db.selectFrom('radar_day').selectAll().orderBy('day').execute(),
    }
  }

  test(`[${KILLS} kills, ${FILES} files] every file is taken in once, and statistics equal those of a clean run`, {
    timeout: SOAK ? 1_800_000 : 900_000,
  }, async () => {
    const killed = await place()
    const { dataDir, database, siteDir } = killed
    const { site } = await loadSite(siteDir)
    const start = Date.parse('2021-07-04T20:00:00Z')
    const files = Array.from({ length: FILES }, (_, k) => rainFile(site, { timeMs: start + k * 206_000 }))
    const names = files.map(({ name }) => name).sort()
    await fillInbox(dataDir, files)
    const stored = async () => (await database.db.selectFrom('radar_frame').select('time').execute()).length

    for (let kill = 1; kill <= KILLS; kill++) {
      const goal = Math.floor((kill * FILES) / (KILLS + 1))
      const { child, log } = startServer(killed.env)
      try {
        await until(`kill ${kill}`, async () => (await stored()) >= goal, log)
      } finally {
        await kill9(child)
      }
      // Each file is in the archive, in the inbox, or (killed between the halves of a move) in both, once each.
      const inbox = (await filesBelow(join(dataDir, 'inbox'))).map((path) => basename(path))
      const archive = (await filesBelow(join(dataDir, 'archive'))).map((path) => basename(path))
      expect(new Set(archive).size).toBe(archive.length)
      expect([...new Set([...inbox, ...archive])].sort()).toEqual(names)
    }
    const { child, log } = startServer(killed.env)
    try {
      await until('the end', async () => (await filesBelow(join(dataDir, 'inbox'))).length === 0, log)
    } finally {
      await kill9(child)
    }
    expect((await filesBelow(join(dataDir, 'archive'))).map((path) => basename(path)).sort()).toEqual(names)
    expect(await filesBelow(join(dataDir, 'rejected'))).toEqual([])

    const clean = await place()
    await fillInbox(clean.dataDir, files)
    const run = await radx(['ingest', ...names.map((name) => join(clean.dataDir, 'inbox', name))], clean.env)
    expect(run.code).toBe(0)
    expect(await outcome(killed)).toEqual(await outcome(clean))
  })
})
