import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { type AccountServer, bearer, startAccountServer } from '../testing/account-server.ts'
import { rainFile } from '../testing/rain-files.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { Ingest } from './ingest.ts'
import { openHandlers } from './kinds.ts'

const HOUR_MS = 3_600_000

/** The server's clock jumps while frames come every 206 s of true time. */
describe('a clock that jumps', () => {
  const site = smallSite()
  let server: AccountServer
  let store: Store
  let handlers: ReturnType<typeof openHandlers>
  let ingest: Ingest
  let coming: string
  const stop = new AbortController()
  let trueMs = Date.parse('2026-06-15T12:00:00Z')

  beforeAll(async () => {
    server = await startAccountServer({ DEMO: '0' }, { site, catchments: smallCatchments() })
    const { config, db, log } = server.deps
    store = await openStore({ db, config, site, catchments: smallCatchments() })
    handlers = openHandlers({
      config: { ...config, workers: 1 },
      site,
      db,
      store,
      log: createLogger('silent'),
    })
    ingest = new Ingest({
      dataDir: config.dataDir,
      files: store.files,
      handlers: handlers.handlers,
      log,
      clock: server.clock,
      timeZone: site.timeZone,
      signal: stop.signal,
    })
    await ingest.prepareFolders()
    // Not the inbox: the server watches that one itself.
    coming = join(config.dataDir, 'coming')
    await mkdir(coming)
  })
  afterAll(async () => {
    stop.abort()
    await handlers?.close()
    await store?.threads.close()
    await server?.close()
  })

  /** A frame of the true time arrives; the server believes that it is `offMs` later. */
  const arrive = async (offMs: number) => {
    trueMs += 206_000
    server.clock.ms = trueMs + offMs
    const { name, bytes } = rainFile(site, { timeMs: trueMs })
    const path = join(coming, name)
    await writeFile(path, bytes)
    return ingest.take({ path, product: null, refused: 'reject' })
  }
  const live = async () => {
    const answer = await server.app.inject('/api/products/latestImages?p=dpsri')
    expect(answer.statusCode).toBe(200)
    return answer.body
  }
  const newest = () => new Date(trueMs).toISOString().slice(0, 19)

  test('forward: frames are stored as they come and the live window goes on; sessions are over', async () => {
    expect(await arrive(0)).toMatchObject({ status: 'stored' })
    const token = await server.signIn('visiteur')
    expect(await arrive(30 * HOUR_MS)).toMatchObject({ status: 'stored' })
    expect(await live()).toContain(newest())
    const asked = await server.app.inject({ url: '/api/users/events', headers: bearer(token) })
    expect(asked.statusCode).toBe(401)
    expect(await arrive(0)).toMatchObject({ status: 'stored' })
    expect(await live()).toContain(newest())
  })

  test('back: frames of the true time look as of the future and are put aside; nothing of the archive changes', async () => {
    const before = await live()
    const refused = await arrive(-2 * HOUR_MS)
    expect(refused).toMatchObject({ status: 'refused', code: 'ingest.future' })
    expect(await live()).toBe(before)
    const aside = (await readdir(ingest.folders.rejected)).filter((name) => !name.endsWith('.txt'))
    expect(aside).toHaveLength(1)
    expect(await readFile(join(ingest.folders.rejected, `${aside[0]}.reason.txt`), 'utf8')).toContain('futur')
    // A step within the tolerance of two clocks is none.
    expect(await arrive(-9 * 60_000)).toMatchObject({ status: 'stored' })
  })

  test('right again: what was put aside is taken, once, and the archive has every frame', async () => {
    server.clock.ms = trueMs
    const [name] = (await readdir(ingest.folders.rejected)).filter((file) => !file.endsWith('.txt'))
    const path = join(ingest.folders.rejected, name)
    const bytes = await readFile(path)
    expect(await ingest.take({ path, product: null, refused: 'keep' })).toMatchObject({ status: 'stored' })
    await writeFile(path, bytes)
    expect(await ingest.take({ path, product: null, refused: 'keep' })).toMatchObject({ status: 'known' })
    const frames = await store.index.places(store.catalog.products.get('dpsri')!, {
      startMs: 0,
      endMs: 4e12,
    })
    expect(frames.map(({ timeMs }) => timeMs)).toEqual([-4, -3, -2, -1, 0].map((k) => trueMs + k * 206_000))
    expect(await live()).toContain(newest())
  })
})
