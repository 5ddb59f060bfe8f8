import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../../log.ts'
import { DatabaseUnavailable, isDiskFull } from '../errors.ts'
import { type Account, postgresAccount } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { chooseClusterDir, createCluster, SUPERUSER } from './create-cluster.ts'
import {
  type ClusterRecord,
  claimRecord,
  freePort,
  makeDataDir,
  readRecord,
  replaceRecord,
} from './record.ts'

const START_SECONDS = 60
/** A PostgreSQL that somebody has told to stop may take so long by itself. */
const STOP_SECONDS = 3
const LOG_BYTES = 10_000_000
const DATABASE = 'radx'

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  fsync: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Small queries of a page are planned often; compiling them never pays.
  jit: 'off',
}

export interface ClusterOptions {
  dataDir: string
  log: Logger
  /** Settings that replace ours; tests turn fsync off. */
  settings?: Partial<Record<keyof typeof SETTINGS, string>>
}

/** Where a client connects. */
export interface Endpoint {
  host: string
  port: number
  user: string
  password: string
  database: string
}

/**
 * The PostgreSQL of a data folder, shared by every process that works on it. Whoever needs it first
 * starts it; it runs apart from its starter, so that a killed process takes nothing down and the next
 * one goes on with it. PostgreSQL's own lock on its folder decides between processes that start it at once.
 */
export class Cluster {
  private readonly options: ClusterOptions
  private readonly account: Account
  private readonly binaries: Binaries
  private record: ClusterRecord

  private constructor(options: ClusterOptions, account: Account, binaries: Binaries, record: ClusterRecord) {
    this.options = options
    this.account = account
    this.binaries = binaries
    this.record = record
  }

  /**
   * Takes note of the data folder's cluster, deciding where it lies the first time. Starts nothing.
   * @throws ConfigError when the folder or the programs cannot be used
   */
  static async of(options: ClusterOptions): Promise<Cluster> {
    const { dataDir, log } = options
    makeDataDir(dataDir)
    const account = postgresAccount()
    const binaries = findBinaries(account)
    const record =
      readRecord(dataDir) ?? claimRecord(dataDir, chooseClusterDir(dataDir, account), await freePort())
    if (isAbsolute(record.clusterDir))
      log.warn(
        { clusterDir: record.clusterDir, dataDir },
        `Le compte « postgres » ne peut pas traverser ${dataDir} : la base de données est dans ${record.clusterDir}.`,
      )
    return new Cluster(options, account, binaries, record)
  }

  get clusterDir(): string {
    return resolve(this.options.dataDir, this.record.clusterDir)
  }

  endpoint(): Endpoint {
    const { port, password } = this.record
    return { host: '127.0.0.1', port, user: SUPERUSER, password, database: DATABASE }
  }

  /**
   * Returns once PostgreSQL answers and has the database, starting it when nobody has.
   * @throws DatabaseUnavailable when it does not come up; the next call may succeed
   */
  async ensureRunning(signal?: AbortSignal): Promise<Endpoint> {
    const end = Date.now() + START_SECONDS * 1000
    let child: ChildProcess | null = null
    let reason = ''
    let stoppingSince: number | null = null
    while (Date.now() < end && !signal?.aborted) {
      this.record = readRecord(this.options.dataDir) ?? this.record
      const answer = await this.knock()
      if (answer === 'ready') return this.endpoint()
      if (answer === 'stranger') await this.moveToFreePort()
      stoppingSince = answer === 'stopping' ? (stoppingSince ?? Date.now()) : null
      if (stoppingSince !== null && Date.now() - stoppingSince > STOP_SECONDS * 1000) {
        this.hurryStop()
        stoppingSince = null
      }
      const busy = answer === 'starting' || answer === 'stopping'
      if (!busy && (child === null || child.exitCode !== null || child.signalCode !== null)) {
        if (child !== null) reason = this.lastLogLine()
        await createCluster(this.clusterDir, this.record.password, this.account, this.binaries)
        if (signal?.aborted) break
        this.removeStalePidFile()
        child = this.spawn()
      }
      await sleep(50)
    }
    throw new DatabaseUnavailable(
      signal?.aborted ? 'arrêt en cours' : `PostgreSQL ne démarre pas, ${reason || this.lastLogLine()}`,
    )
  }

  /**
   * Whether somebody has told PostgreSQL to stop. It then takes nobody in, but after SIGTERM goes on for as long as
   * there are sessions, so that theirs do not tell it to those who have one.
   */
  get isStopping(): boolean {
    return this.pidFile()?.status === 'stopping'
  }

  /** Stops PostgreSQL cleanly: open transactions are rolled back, everything is written. */
  stop(): void {
    const { status, stderr } = spawnSync(
      this.binaries.pgCtl,
      ['stop', '-D', this.clusterDir, '-m', 'fast', '-w', '-t', '60'],
      { ...this.account, cwd: '/', encoding: 'utf8' },
    )
    if (status !== 0) this.options.log.warn({ stderr: stderr?.trim() }, "PostgreSQL ne s'arrête pas")
  }

  /** Ends the sessions that a PostgreSQL waits for before it stops; ours would never end. */
  private hurryStop(): void {
    this.options.log.warn(
      'PostgreSQL attend pour s’arrêter que les connexions se ferment : elles sont coupées',
    )
    const args = ['stop', '-D', this.clusterDir, '-m', 'fast', '-W']
    spawnSync(this.binaries.pgCtl, args, { ...this.account, cwd: '/', encoding: 'utf8' })
  }

  private async knock(): Promise<'ready' | 'starting' | 'stopping' | 'nobody' | 'stranger'> {
    const client = new pg.Client({ ...this.endpoint(), database: 'postgres', connectionTimeoutMillis: 5_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query(
        `select current_setting('data_directory') as dir, exists (select from pg_database where datname = $1) as made`,
        [DATABASE],
      )
      if (!sameFolder(rows[0].dir, this.clusterDir)) return 'stranger'
      if (!rows[0].made) await client.query(`create database ${DATABASE}`).catch(ignoreDuplicate)
      return 'ready'
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      // Its messages are English: see `env` where it is started.
      if (code === '57P03') return /shutting down/.test(message) ? 'stopping' : 'starting'
      if (code === '28P01' || code === '28000') return 'stranger'
      if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return 'nobody'
      if (isDiskFull(error)) throw error
      // Not PostgreSQL's protocol, or no answer in time: somebody else's port.
      return code === undefined || code.startsWith('08') ? 'stranger' : 'nobody'
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  private async moveToFreePort(): Promise<void> {
    // Another process of ours may run the cluster on the port that its pid file tells.
    const running = this.pidFile()
    const port = running && running.port !== this.record.port ? running.port : await freePort()
    this.options.log.warn(
      { from: this.record.port, to: port },
      'Le port de PostgreSQL est pris : un autre est choisi',
    )
    this.record = { ...this.record, port }
    replaceRecord(this.options.dataDir, this.record)
  }

  private spawn(): ChildProcess {
    const settings = { ...SETTINGS, ...this.options.settings, port: String(this.record.port) }
    const log = openSync(this.logPath(), logFlags(this.logPath()))
    try {
      const child = spawn(
        this.binaries.postgres,
        [
          '-D',
          this.clusterDir,
          ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
        ],
        // Detached: an interrupt from the terminal is for us, who then stop it in order.
        {
          ...this.account,
          cwd: '/',
          detached: true,
          windowsHide: true,
          stdio: ['ignore', log, log],
          env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
        },
      )
      child.on('error', (error) => this.options.log.error({ error }, 'PostgreSQL ne peut pas être lancé'))
      child.unref()
      return child
    } finally {
      closeSync(log)
    }
  }

  /** After a reboot the number in a left-over pid file may belong to a program that is no PostgreSQL. */
  private removeStalePidFile(): void {
    const running = this.pidFile()
    if (!running || process.platform !== 'linux') return
    try {
      const command = readFileSync(`/proc/${running.pid}/cmdline`, 'utf8')
      if (command.includes('postgres')) return
    } catch {
      // No such process.
    }
    rmSync(join(this.clusterDir, 'postmaster.pid'), { force: true })
  }

  private pidFile(): { pid: number; port: number; status: string | undefined } | null {
    try {
      const lines = readFileSync(join(this.clusterDir, 'postmaster.pid'), 'utf8').split('\n')
      const [pid, port] = [Number(lines[0]), Number(lines[3])]
      return pid > 0 && port > 0 ? { pid, port, status: lines[7]?.trim() } : null
    } catch {
      return null
    }
  }

  private logPath(): string {
    return join(this.options.dataDir, 'postgres.log')
  }

  private lastLogLine(): string {
    try {
      const lines = readFileSync(this.logPath(), 'utf8').trim().split('\n')
      return lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? lines.at(-1) ?? ''
    } catch {
      return ''
    }
  }
}

function sameFolder(a: string, b: string): boolean {
  const stat = (path: string) => statSync(path, { throwIfNoEntry: false })
  const [x, y] = [stat(a), stat(b)]
  return x !== undefined && y !== undefined && x.ino === y.ino && x.dev === y.dev
}

function logFlags(path: string): string {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES ? 'w' : 'a'
}

function ignoreDuplicate(error: { code?: string }): void {
  // 42P04 duplicate_database, 23505 when two create it at the same moment.
  if (error.code !== '42P04' && error.code !== '23505') throw error
}
