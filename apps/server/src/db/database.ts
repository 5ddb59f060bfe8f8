import { setTimeout as sleep } from 'node:timers/promises'
import { RadxError } from '@radx/contracts'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Config } from '../config/config.ts'
import type { Logger } from '../log.ts'
import { Cluster } from './embedded/cluster.ts'
import { DatabaseUnavailable, STARTING, unavailableReason } from './errors.ts'
import { migrateToLatest } from './migrate.ts'
import { poolOptions } from './pool.ts'
import type { Database } from './schema.ts'

const POOL_SIZE = 16
/** Our own PostgreSQL is looked at this often. */
const STOPPING_LOOK_MS = 1_000
const BACKOFF_MS = [100, 250, 500, 1_000, 2_000, 5_000]
const OPEN_TIMEOUT_MS = 60_000
// Shared by every process on the database; whoever gets it alone is the last.
export const PRESENCE_LOCK = 7_294_001

export interface OpenOptions {
  log: Logger
  /** false returns at once and connects behind; true waits until the schema is ready. Default true. */
  wait?: boolean
  /** Connections of the pool. */
  poolSize?: number
}

export interface DatabaseHandle {
  db: Kysely<Database>
  pool: pg.Pool
  /** For libraries that open their own connections. Holds the password: never log it. */
  connection(): pg.ClientConfig
  /** null when the database answers and its schema is ready, else the reason in French. */
  unavailable(): string | null
  /** Whether its schema stood once since this process began; from then on an absence is told by each statement. */
  stood(): boolean
  /** Resolves when ready. @throws DatabaseUnavailable after the time, RadxError when the schema is refused */
  whenReady(timeoutMs?: number): Promise<void>
  /** Ends the pool and, for our own PostgreSQL, stops it when no other process uses it. */
  close(): Promise<void>
}

/**
 * Opens the database of the settings: a server by address, or our own PostgreSQL in the data folder.
 * One connection stands for this process; when it breaks, the database is restored or waited for with
 * growing pauses, without a restart. Statements meanwhile fail with errors that
 * `unavailableReason` recognises.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  options: OpenOptions,
): Promise<DatabaseHandle> {
  const { log } = options
  const cluster = config.databaseUrl === null ? await Cluster.of({ dataDir: config.dataDir, log }) : null
  const connection = (): pg.ClientConfig =>
    cluster ? { ...cluster.endpoint() } : { connectionString: config.databaseUrl! }
  const pool = new pg.Pool(poolOptions(connection(), options.poolSize ?? POOL_SIZE))
  // A connection that breaks tells its statement, and itself here: unheard, that would end the process.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ error: error.message }, 'connexion perdue')),
  )
  pool.on('error', () => undefined)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const keeper = new Keeper(cluster, connection, pool, db, log)
  const handle: DatabaseHandle = {
    db,
    pool,
    connection,
    unavailable: () => keeper.reason,
    stood: () => keeper.stood,
    whenReady: (timeoutMs = OPEN_TIMEOUT_MS) => keeper.whenReady(timeoutMs),
    close: () => keeper.close(),
  }
  keeper.start()
  if (options.wait !== false)
    await handle.whenReady().catch(async (error) => {
      await handle.close()
      throw error
    })
  return handle
}

/** Keeps one connection open and the schema current, and tells whether the database can be used. */
class Keeper {
  reason: string | null = STARTING
  stood = false
  private readonly cluster: Cluster | null
  private readonly connectionNow: () => pg.ClientConfig
  private readonly pool: pg.Pool
  private readonly db: Kysely<Database>
  private readonly log: Logger
  private readonly stop = new AbortController()
  private presence: pg.Client | null = null
  private migrated = false
  private refusal: RadxError | null = null
  private running: Promise<void> = Promise.resolve()
  private closing: Promise<void> | null = null
  private waiting: (() => void)[] = []

  constructor(
    cluster: Cluster | null,
    connection: () => pg.ClientConfig,
    pool: pg.Pool,
    db: Kysely<Database>,
    log: Logger,
  ) {
    this.cluster = cluster
    this.connectionNow = connection
    this.pool = pool
    this.db = db
    this.log = log
  }

  start(): void {
    this.running = this.keep()
  }

  async whenReady(timeoutMs: number): Promise<void> {
    const end = Date.now() + timeoutMs
    while (this.reason !== null) {
      if (this.refusal) throw this.refusal
      if (this.stop.signal.aborted) throw new DatabaseUnavailable('arrêt en cours')
      const left = end - Date.now()
      if (left <= 0) throw new DatabaseUnavailable(this.reason)
      const timer = new AbortController()
      await Promise.race([
        new Promise<void>((resolve) => this.waiting.push(resolve)),
        sleep(left, undefined, { signal: timer.signal }).catch(() => undefined),
      ])
      timer.abort()
    }
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll()
    return this.closing
  }

  private async keep(): Promise<void> {
    for (let failures = 0; !this.stop.signal.aborted; ) {
      try {
        const { lost } = await this.connect()
        failures = 0
        this.tell(null)
        this.log.info('Base de données prête')
        const watch = new AbortController()
        const reason = await Promise.race([
          lost,
          this.stopping(watch.signal),
          aborted(this.stop.signal),
        ]).finally(() => watch.abort())
        if (this.stop.signal.aborted) return
        this.tell(reason)
      } catch (error) {
        failures += 1
        this.refusal = error instanceof RadxError && !(error instanceof DatabaseUnavailable) ? error : null
        if (this.stop.signal.aborted) return
        this.tell(this.refusal?.message ?? unavailableReason(error) ?? (error as Error).message)
      }
      if (this.stop.signal.aborted) return
      this.presence?.end().catch(() => undefined)
      if (failures !== 1 || this.migrated)
        this.log.warn({ failures }, `Base de données absente : ${this.reason}`)
      const pause = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)]
      await sleep(pause, undefined, { signal: this.stop.signal }).catch(() => undefined)
    }
  }

  /** Connects and brings the schema up to date; `lost` resolves to the reason when that ends. */
  private async connect(): Promise<{ lost: Promise<string> }> {
    // Our own PostgreSQL may have moved to another port; the pool's next connections follow.
    if (this.cluster) Object.assign(this.pool.options, await this.cluster.ensureRunning(this.stop.signal))
    const client = this.client()
    const lost = new Promise<string>((resolve) => {
      client.once('error', (error) => resolve(unavailableReason(error) ?? error.message))
      client.once('end', () => resolve('connexion perdue'))
    })
    await client.connect()
    this.presence = client
    await client.query('select pg_advisory_lock_shared($1)', [PRESENCE_LOCK])
    if (!this.migrated) {
      const steps = await migrateToLatest(this.db)
      if (steps.length > 0) this.log.info({ steps }, 'Schéma de la base mis à jour')
      this.migrated = true
    }
    return { lost }
  }

  /** Resolves when our own PostgreSQL was told to stop, which a connection that is open does not see. */
  private async stopping(signal: AbortSignal): Promise<string> {
    const cluster = this.cluster
    if (cluster === null) return aborted(signal)
    while (!cluster.isStopping && !signal.aborted)
      await sleep(STOPPING_LOOK_MS, undefined, { signal }).catch(() => undefined)
    return 'PostgreSQL s’arrête'
  }

  private client(): pg.Client {
    const client = new pg.Client({
      ...this.connectionNow(),
      application_name: 'radx presence',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    })
    client.on('error', () => undefined)
    return client
  }

  private tell(reason: string | null): void {
    this.reason = reason
    this.stood ||= reason === null
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  private async closeAll(): Promise<void> {
    this.stop.abort()
    this.tell('arrêt en cours')
    await this.running
    await this.db.destroy()
    if (this.cluster) await this.leave(this.cluster)
    await this.presence?.end().catch(() => undefined)
  }

  /** Stops our own PostgreSQL when no other process stands on it. */
  private async leave(cluster: Cluster): Promise<void> {
    // Interrupted while starting: what was started is stopped as well.
    for (let attempt = 0; attempt < 20; attempt++) {
      const client = this.client()
      try {
        await client.connect()
        if (this.presence) await this.presence.end()
        // Granted to the last one only; a newcomer waits for it and then meets the stop.
        const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [PRESENCE_LOCK])
        if (rows[0].alone) cluster.stop()
        return
      } catch (error) {
        if ((error as { code?: string }).code !== '57P03') return
        await sleep(100)
      } finally {
        await client.end().catch(() => undefined)
      }
    }
  }
}

function aborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const done = () => resolve('arrêt en cours')
    if (signal.aborted) done()
    else signal.addEventListener('abort', done, { once: true })
  })
}
