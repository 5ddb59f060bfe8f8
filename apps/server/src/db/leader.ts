import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../log.ts'
import type { DatabaseHandle } from './database.ts'

const RETRY_MS = 2_000

/**
 * Runs a task in one process only, however many serve: the one that holds the advisory lock of this name.
 * When that process ends, however it ends, another takes over within seconds. The task's signal aborts when
 * the lock's connection is lost or the caller stops; it must end soon after. A task that returns or throws
 * is started again after a pause.
 *
 * @returns once `stop` aborted and the task ended
 */
export async function runAsLeader(
  database: DatabaseHandle,
  name: string,
  task: (signal: AbortSignal) => Promise<void>,
  { stop, log, retryMs = RETRY_MS }: { stop: AbortSignal; log: Logger; retryMs?: number },
): Promise<void> {
  while (!stop.aborted) {
    const client = new pg.Client({
      ...database.connection(),
      application_name: `radx leader ${name}`,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    })
    const lost = new AbortController()
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    try {
      await client.connect()
      const { rows } = await client.query(
        "select pg_try_advisory_lock(hashtextextended('radx ' || $1, 0)) as won",
        [name],
      )
      const signal = AbortSignal.any([stop, lost.signal])
      // A stop while the lock was asked for: the task would wait for an event that has been.
      if (rows[0].won && !signal.aborted) await task(signal)
    } catch (error) {
      if (database.unavailable() === null && !stop.aborted)
        log.error({ err: error, task: name }, 'Tâche de fond interrompue')
    } finally {
      await client.end().catch(() => undefined)
    }
    await sleep(retryMs, undefined, { signal: stop }).catch(() => undefined)
  }
}
