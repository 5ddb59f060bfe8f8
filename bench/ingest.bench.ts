import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Demo } from '@radx/demo'
import { loadConfig } from '../apps/server/src/config/config.ts'
import { loadSite } from '../apps/server/src/config/site.ts'
import { openDatabase } from '../apps/server/src/db/database.ts'
import { Inbox } from '../apps/server/src/ingest/inbox.ts'
import { Ingest } from '../apps/server/src/ingest/ingest.ts'
import { openHandlers } from '../apps/server/src/ingest/kinds.ts'
import { createLogger } from '../apps/server/src/log.ts'
import { openStore } from '../apps/server/src/store/open-store.ts'
import type { BenchResult } from '../tools/bench.ts'

/** Frames of the back-fill; made beforehand, so that the weather does not count. */
const FRAMES = 2_000
const LIVE = 9

/** Back-fill from the inbox, and the time from a file in the inbox to its row. */
export async function run(): Promise<BenchResult[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'radx-bench-ingest-'))
  const config = { ...loadConfig({ ...process.env, DATA_DIR: dataDir }), workers: 2 }
  const log = createLogger('silent')
  const database = await openDatabase(config, { log })
  const { site, catchments } = await loadSite(config.siteDir)
  const store = await openStore({ db: database.db, config, site, catchments })
  const { handlers, close } = openHandlers({ config, site, db: database.db, store, log })
  const stop = new AbortController()
  const ingest = new Ingest({
    dataDir,
    files: store.files,
    handlers,
    log,
    clock: { now: () => Date.now() },
    timeZone: site.timeZone,
    signal: stop.signal,
  })
  try {
    await ingest.prepareFolders()
    const demo = new Demo(site)
    // A wet stretch, so that frames cost what frames with rain cost.
    const start = Date.parse('2018-01-14T12:00:00Z')
    const instants = demo.radarInstants('dpsri', start, start + (FRAMES + LIVE + 40) * 206_000)
    const files = instants.slice(0, FRAMES + LIVE).map((ms) => demo.radarFile('dpsri', ms))
    const product = store.catalog.products.get('dpsri')!
    const all = { startMs: 0, endMs: 4e12 }
    const running = new Inbox({ ingest, products: ['dpsri'], log, signal: stop.signal }).run()

    // Threads start with the first file.
    await writeFile(join(ingest.folders.inbox, files[0].name), files[0].bytes)
    while ((await store.index.count(product, all)) < 1) await sleep(5)
    for (const { name, bytes } of files.slice(1, FRAMES)) await writeFile(join(dataDir, name), bytes)
    const cpuBefore = process.cpuUsage()
    const before = performance.now()
    for (const { name } of files.slice(1, FRAMES))
      await rename(join(dataDir, name), join(ingest.folders.inbox, name))
    while ((await store.index.count(product, all)) < FRAMES) await sleep(10)
    const seconds = (performance.now() - before) / 1000
    const cpu = process.cpuUsage(cpuBefore)
    const cpuMs = (cpu.user + cpu.system) / 1000 / (FRAMES - 1)

    const served: number[] = []
    for (const { name, bytes } of files.slice(FRAMES)) {
      const part = join(dataDir, name)
      await writeFile(part, bytes)
      const count = await store.index.count(product, all)
      const t = performance.now()
      await rename(part, join(ingest.folders.inbox, name))
      while ((await store.index.count(product, all)) === count) await sleep(2)
      served.push(performance.now() - t)
    }
    served.sort((a, b) => a - b)
    stop.abort()
    await running
    return [
      {
        name: 'back-fill from the inbox (dpsri, 400 x 400, rain)',
        value: Math.round((FRAMES - 1) / seconds),
        unit: 'frames/s',
        note: `${cpuMs.toFixed(1)} ms of processor a frame, PostgreSQL aside; two decoding threads`,
        aim: '≥ 300 frames/s',
      },
      {
        name: 'inbox to served, median',
        value: Math.round(served[Math.floor(served.length / 2)]),
        unit: 'ms',
        note: `longest ${Math.round(served[served.length - 1])} ms; 250 ms of it wait for the file to rest`,
        aim: '≤ 1000 ms',
      },
    ]
  } finally {
    stop.abort()
    await close()
    await store.threads.close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
