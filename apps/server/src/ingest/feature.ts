import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RADX_VERSION } from '@radx/contracts'
import { runAsLeader } from '../db/leader.ts'
import type { Deps, RegisterFeature } from '../http/app.ts'
import { writeOnce } from '../store/file-moves.ts'
import { storeOf } from '../store/open-store.ts'
import { ingestFolders } from './folders.ts'
import { Inbox, inboxCensus } from './inbox.ts'
import { Ingest } from './ingest.ts'
import { openHandlers } from './kinds.ts'
import { clearStaging } from './staging.ts'

const CENSUS_MS = 2_000

/** Watches the inbox in one of the processes, and answers how far things are. */
export const registerIngest: RegisterFeature = (app, deps) => {
  const stop = new AbortController()
  let running = Promise.resolve()
  app.addHook('onReady', async () => {
    running = runAsLeader(deps.database, await inboxName(deps.config), (signal) => watchInbox(deps, signal), {
      stop: stop.signal,
      log: deps.log,
    })
  })
  app.addHook('onClose', async () => {
    stop.abort()
    await running
  })
  // Counting a heap of files takes a while, and anyone may ask.
  let counted: { at: number; result: ReturnType<typeof inboxCensus> } | null = null
  const census = () => {
    const now = deps.clock.now()
    if (counted === null || Math.abs(now - counted.at) > CENSUS_MS) {
      const products = deps.site.products.map(({ shortName }) => shortName)
      counted = { at: now, result: inboxCensus(ingestFolders(deps.config.dataDir), products) }
    }
    return counted.result
  }
  deps.status.read = async () => {
    const store = await storeOf(deps)
    const product = store.catalog.products.get(deps.site.defaultProduct)!
    const [latest, inbox, demo] = await Promise.all([
      store.index.latest(product),
      census(),
      deps.db.selectFrom('setting').select('value').where('key', '=', 'demo.progress').executeTakeFirst(),
    ])
    const none = { framesDone: 0, framesTotal: 0, filledBackTo: null }
    return {
      version: RADX_VERSION,
      demo: { active: deps.config.demo, ...none, ...(demo?.value as Partial<typeof none> | undefined) },
      latestFrame: latest === null ? null : new Date(latest).toISOString(),
      inbox,
    }
  }
}

/**
 * With a shared data folder there is one inbox. With a bucket each machine may have a folder of its own, and
 * each inbox has its own watcher: its mark tells one from another.
 */
async function inboxName({ dataDir, objectStore }: Deps['config']): Promise<string> {
  if (objectStore === null) return 'ingest'
  const mark = join(dataDir, 'inbox.id')
  await writeOnce(mark, randomUUID())
  return `ingest ${await readFile(mark, 'utf8')}`
}

async function watchInbox(deps: Deps, signal: AbortSignal): Promise<void> {
  const { config, site, db, log, clock } = deps
  await deps.database.whenReady()
  const store = await storeOf(deps)
  if (store.catalog.changedZones.length > 0)
    log.warn(
      { zones: store.catalog.changedZones },
      'Le contour de bassins a changé depuis leurs dernières statistiques : lancer « radx rebuild » les refait',
    )
  const { handlers, close } = openHandlers({ config, site, db, store, log })
  const ingest = new Ingest({
    dataDir: config.dataDir,
    files: store.files,
    handlers,
    log,
    clock,
    timeZone: site.timeZone,
    signal,
  })
  try {
    await ingest.prepareFolders()
    await clearStaging(ingest.folders, store.files, db, log)
    const products = site.products.map(({ shortName }) => shortName)
    await new Inbox({ ingest, products, log, signal }).run()
  } finally {
    await close()
  }
}
