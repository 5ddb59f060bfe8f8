import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../apps/server/src/config/config.ts'
import { openDatabase } from '../apps/server/src/db/database.ts'
import { Inbox, inboxCensus } from '../apps/server/src/ingest/inbox.ts'
import { Ingest } from '../apps/server/src/ingest/ingest.ts'
import { openHandlers } from '../apps/server/src/ingest/kinds.ts'
import { createLogger } from '../apps/server/src/log.ts'
import { openStore } from '../apps/server/src/store/open-store.ts'
import { rainFile } from '../apps/server/src/testing/rain-files.ts'
import { smallCatchments, smallSite } from '../apps/server/src/testing/small-site.ts'
import type { BenchResult } from '../tools/bench.ts'

/** Files that lie in the inbox when it is opened; their frames are small, so that their number is what counts. */
const FILES = Number(process.env.RADX_BENCH_HEAP ?? 100_000)
const LIVE_EVERY = 10_000
const START = Date.parse('2020-01-01T00:00:00Z')

/** A heap of files at once: whether all of it is taken in, in what memory, and how a live file fares meanwhile. */
export async function run(): Promise<BenchResult[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'radx-bench-heap-'))
  const config = { ...loadConfig({ ...process.env, DATA_DIR: dataDir }), workers: 2 }
  const log = createLogger('silent')
  const site = smallSite()
  const database = await openDatabase(config, { log })
  const store = await openStore({ db: database.db, config, site, catchments: smallCatchments() })
  const { handlers, close } = openHandlers({ config, site, db: database.db, store, log })
  const stop = new AbortController()
  const { signal } = stop
  const clock = { now: () => Date.now() }
  const ingest = new Ingest({
    dataDir,
    files: store.files,
    handlers,
    log,
    clock,
    timeZone: site.timeZone,
    signal,
  })
  try {
    await ingest.prepareFolders()
    const { inbox } = ingest.folders
    const at = (k: number) => START + k * 206_000
    for (let k = 0; k < FILES; k++) {
      const { name, bytes } = rainFile(site, { timeMs: at(k) })
      await writeFile(join(inbox, name), bytes)
    }
    await mkdir(join(dataDir, 'live'))
    const products = ['dpsri', 'sri']
    const [product, other] = products.map((name) => store.catalog.products.get(name)!)
    const all = { startMs: 0, endMs: 4e12 }
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 200)
    const before = performance.now()
    const running = new Inbox({ ingest, products, log, signal }).run()
    const served: number[] = []
    for (let done = 0; done < FILES; ) {
      await sleep(200)
      done = await store.index.count(product, all)
      if (done < served.length * LIVE_EVERY || done === FILES) continue
      const live = rainFile(site, { product: 'sri', timeMs: at(served.length) })
      await writeFile(join(dataDir, 'live', live.name), live.bytes)
      const from = performance.now()
      await rename(join(dataDir, 'live', live.name), join(inbox, live.name))
      while ((await store.index.count(other, all)) === served.length) await sleep(5)
      served.push(performance.now() - from)
    }
    const seconds = (performance.now() - before) / 1000
    while ((await inboxCensus(ingest.folders, products)).waiting > 0) await sleep(50)
    const { rejected } = await inboxCensus(ingest.folders, products)
    clearInterval(watch)
    stop.abort()
    await running
    served.sort((a, b) => a - b)
    return [
      {
        name: `${FILES} files in the inbox at once (40 x 40 cells)`,
        value: Math.round(FILES / seconds),
        unit: 'frames/s',
        note: `${await store.index.count(product, all)} stored, ${rejected} refused`,
      },
      { name: 'largest memory of the process meanwhile', value: Math.round(peak / 2 ** 20), unit: 'MiB' },
      {
        name: 'a live file meanwhile, inbox to served, median',
        value: Math.round(served[Math.floor(served.length / 2)]),
        unit: 'ms',
        note: `longest of ${served.length} ${Math.round(served[served.length - 1])} ms`,
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
