import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Demo } from '@radx/demo'
import type { Pool } from 'pg'
import { loadSite } from '../apps/server/src/config/site.ts'
import { openDatabase } from '../apps/server/src/db/database.ts'
import { createLogger } from '../apps/server/src/log.ts'
import type { BenchResult } from '../tools/bench.ts'
import { startBenchServer } from './radx-server.ts'

const MINUTE_MS = 60_000
/** The widest product, which forecasts start from. */
const PRODUCT = 'sri'
const BEFORE_MS = 65 * MINUTE_MS
const FRAMES = 4

/**
 * From the file of a live frame in the inbox of a running server, a front over the radar of its demonstration, to the forecast
 * that it answers; the way of the file apart. Seconds by the clock: whoever waits for a forecast waits by it.
 */
export async function forecastServed(): Promise<BenchResult[]> {
  const server = await startBenchServer()
  const database = await openDatabase(
    { databaseUrl: null, dataDir: server.dataDir },
    { log: createLogger('silent') },
  )
  try {
    const { site } = await loadSite(resolve(import.meta.dirname, '../site'))
    const now = Date.now()
    const demo = new Demo(site, { anchor: { atMs: now, storm: null } })
    const instants = demo.radarInstants(PRODUCT, now - BEFORE_MS, now)
    const live = instants.splice(-FRAMES)
    const inbox = join(server.dataDir, 'inbox')
    // A server without the demonstration may listen before its inbox is made.
    mkdirSync(inbox, { recursive: true })
    const put = (instant: number) => {
      const { name, bytes } = demo.radarFile(PRODUCT, instant)
      writeFileSync(join(inbox, `.${name}.part`), bytes)
      renameSync(join(inbox, `.${name}.part`), join(inbox, name))
    }
    for (const instant of instants) put(instant)
    await until(database.pool, MEMBERS, instants[instants.length - 1])
    const file: number[] = []
    const answered: number[] = []
    const kept: number[] = []
    for (const [k, instant] of live.entries()) {
      const begun = performance.now()
      put(instant)
      await until(database.pool, STORED, instant)
      const stored = performance.now()
      file.push(stored - begun)
      if (k % 2 === 1) {
        await until(database.pool, KEPT, instant)
        kept.push(performance.now() - stored)
      }
      const issued = new Date(instant).toISOString()
      const asked = performance.now()
      const answer = await fetch(`${server.url}/api/nowcast/frames?issued=${issued}`)
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
      if (k % 2 === 0) answered.push(performance.now() - asked)
      await until(database.pool, MEMBERS, instant)
    }
    return [
      row('live file to its frame', file, 'its rest of 250 ms is in it'),
      row(
        'live frame to its forecast, asked for at once',
        answered,
        'answered by /api/nowcast/frames',
        '≤ 5 s',
      ),
      row('live frame to its forecast kept', kept, 'nobody asks', '≤ 5 s'),
    ]
  } finally {
    await database.close()
    await server.stop()
  }
}

const STORED =
  'select from radar_frame f join radar_product p on p.id = f.product_id where p.short_name = $1 and f.time = $2'
const KEPT =
  'select from nowcast n join radar_product p on p.id = n.product_id where p.short_name = $1 and n.issued = $2'
const MEMBERS = `${KEPT} and (n.members > 0 or n.reason is not null)`

async function until(pool: Pool, sql: string, instant: number): Promise<void> {
  for (const end = performance.now() + 10 * MINUTE_MS; performance.now() < end; await sleep(10))
    if ((await pool.query(sql, [PRODUCT, new Date(instant)])).rowCount) return
  throw new Error(`nothing for ${new Date(instant).toISOString()}: ${sql}`)
}

function row(name: string, times: number[], what: string, aim?: string): BenchResult {
  const worst = Math.max(...times)
  const all = times.map((ms) => (ms / 1000).toFixed(2)).join(' ')
  return { name, value: Math.round(worst / 10) / 100, unit: 's', aim, note: `${what}; ${all}` }
}
