import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseHandle } from '../db/database.ts'
import type { Logger } from '../log.ts'

/**
 * Hears a PostgreSQL channel on a connection of its own, and connects again when it breaks.
 * What was told meanwhile is lost; listeners read the state again in `onReconnect`.
 */
export function listen(
  handle: Pick<DatabaseHandle, 'connection'>,
  channel: string,
  log: Logger,
  onPayload: (payload: string) => void,
  onReconnect: () => void = () => undefined,
): { ready: Promise<void>; close(): Promise<void> } {
  const stop = new AbortController()
  let client: pg.Client | null = null
  const ready = Promise.withResolvers<void>()
  const hear = (payload: string | undefined) => {
    try {
      if (payload !== undefined) onPayload(payload)
    } catch (error) {
      // Anyone with the database's password may tell anything on it.
      log.warn({ channel, error: (error as Error).message }, 'message de la base non compris')
    }
  }
  const running = (async () => {
    for (let round = 0; !stop.signal.aborted; round++) {
      const lost = Promise.withResolvers<void>()
      try {
        client = new pg.Client({ ...handle.connection(), keepAlive: true, application_name: 'radx-listen' })
        client.on('error', () => lost.resolve())
        client.on('end', () => lost.resolve())
        client.on('notification', ({ payload }) => hear(payload))
        // A client that is ended while it connects never settles its connect().
        await Promise.race([client.connect(), lost.promise])
        await client.query(`listen ${channel}`)
        ready.resolve()
        if (round > 0) onReconnect()
        await lost.promise
      } catch (error) {
        log.debug({ channel, error: (error as Error).message }, 'écoute de la base interrompue')
      }
      await client?.end().catch(() => undefined)
      await sleep(500, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  })()
  return {
    ready: ready.promise,
    async close() {
      stop.abort()
      await client?.end().catch(() => undefined)
      await running
    },
  }
}
