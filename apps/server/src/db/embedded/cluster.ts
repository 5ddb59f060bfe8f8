import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ConfigError } from '../../config/config-error.ts'
import type { Logger } from '../../log.ts'
import { DatabaseUnavailable, isDiskFull } from '../errors.ts'
import { type Account, canEnter, postgresAccount } from './account.ts'
import { type Binaries, findBinaries, SYSTEM_DIR } from './binaries.ts'
import {
  type ClusterRecord,
  claimRecord,
  freePort,
  makeDataDir,
  readRecord,
  replaceRecord,
} from './record.ts'

const START_SECONDS = 60
const LOG_BYTES = 10_000_000
const SUPERUSER = 'postgres'
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
  readonly #options: ClusterOptions
  readonly #account: Account
  readonly #binaries: Binaries
  #record: ClusterRecord

  private constructor(options: ClusterOptions, account: Account, binaries: Binaries, record: ClusterRecord) {
    this.#options = options
    this.#account = account
    this.#binaries = binaries
    this.#record = record
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
    return resolve(this.#options.dataDir, this.#record.clusterDir)
  }

  endpoint(): Endpoint {
    const { port, password } = this.#record
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
    while (Date.now() < end && !signal?.aborted) {
      this.#record = readRecord(this.#options.dataDir) ?? this.#record
      const answer = await this.#knock()
      if (answer === 'ready') return this.endpoint()
      if (answer === 'stranger') await this.#moveToFreePort()
      if (answer !== 'starting' && (child === null || child.exitCode !== null || child.signalCode !== null)) {
        if (child !== null) reason = this.#lastLogLine()
        this.#initialise()
        this.#removeStalePidFile()
        child = this.#spawn()
      }
      await sleep(50)
    }
    throw new DatabaseUnavailable(
      signal?.aborted ? 'arrêt en cours' : `PostgreSQL ne démarre pas, ${reason || this.#lastLogLine()}`,
    )
  }

  /** Stops PostgreSQL cleanly: open transactions are rolled back, everything is written. */
  stop(): void {
    const { status, stderr } = spawnSync(
      this.#binaries.pgCtl,
      ['stop', '-D', this.clusterDir, '-m', 'fast', '-w', '-t', '60'],
      { ...this.#account, cwd: '/', encoding: 'utf8' },
    )
    if (status !== 0) this.#options.log.warn({ stderr: stderr?.trim() }, "PostgreSQL ne s'arrête pas")
  }

  async #knock(): Promise<'ready' | 'starting' | 'nobody' | 'stranger'> {
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
      const { code } = error as NodeJS.ErrnoException
      if (code === '57P03') return 'starting'
      if (code === '28P01' || code === '28000') return 'stranger'
      if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return 'nobody'
      if (isDiskFull(error)) throw error
      // Not PostgreSQL's protocol, or no answer in time: somebody else's port.
      return code === undefined || code.startsWith('08') ? 'stranger' : 'nobody'
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async #moveToFreePort(): Promise<void> {
    // Another process of ours may run the cluster on the port that its pid file tells.
    const running = this.#pidFile()
    const port = running && running.port !== this.#record.port ? running.port : await freePort()
    this.#options.log.warn(
      { from: this.#record.port, to: port },
      'Le port de PostgreSQL est pris : un autre est choisi',
    )
    this.#record = { ...this.#record, port }
    replaceRecord(this.#options.dataDir, this.#record)
  }

  /** Creates the cluster beside its place and moves it there whole, so that a kill leaves no half of one. */
  #initialise(): void {
    const { clusterDir } = this
    if (existsSync(join(clusterDir, 'PG_VERSION'))) {
      this.#checkVersion()
      return
    }
    sweepPartials(clusterDir)
    const partial = `${clusterDir}.${process.pid}.${randomBytes(4).toString('hex')}.partial`
    mkdirSync(partial, { recursive: true, mode: 0o700 })
    const passwordFile = `${partial}.pw`
    try {
      writeFileSync(passwordFile, this.#record.password, { mode: 0o600 })
      for (const path of [partial, passwordFile]) this.#giveToAccount(path)
      const { status, stderr, error } = spawnSync(
        this.#binaries.initdb,
        [
          `--pgdata=${partial}`,
          `--username=${SUPERUSER}`,
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          // Known to every system, and the same order everywhere.
          '--locale=C',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
        ],
        { ...this.#account, cwd: '/', encoding: 'utf8' },
      )
      if (status !== 0) {
        const said = error?.message ?? stderr.trim().split('\n').slice(-3).join(' ')
        throw /No space left/i.test(said)
          ? new DatabaseUnavailable('le disque est plein')
          : new DatabaseUnavailable(`création impossible, ${said}`)
      }
      try {
        renameSync(partial, clusterDir)
      } catch (cause) {
        if (!existsSync(join(clusterDir, 'PG_VERSION'))) throw cause
      }
    } finally {
      rmSync(passwordFile, { force: true })
      rmSync(partial, { recursive: true, force: true })
    }
  }

  #checkVersion(): void {
    const { clusterDir } = this
    const major = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim()
    const { stdout } = spawnSync(this.#binaries.postgres, ['--version'], {
      encoding: 'utf8',
      cwd: '/',
      ...this.#account,
    })
    const ours = /(?<!\d)(\d+)\./.exec(stdout)?.[1]
    if (ours !== undefined && ours !== major)
      throw new ConfigError(
        'postgres-version',
        `La base de données de ${clusterDir} est de PostgreSQL ${major}, le programme fourni est ${ours}. Voir docs/operations.md, « Upgrading PostgreSQL ».`,
      )
  }

  #spawn(): ChildProcess {
    const settings = { ...SETTINGS, ...this.#options.settings, port: String(this.#record.port) }
    const log = openSync(this.#logPath(), logFlags(this.#logPath()))
    try {
      const child = spawn(
        this.#binaries.postgres,
        [
          '-D',
          this.clusterDir,
          ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
        ],
        // Detached: an interrupt from the terminal is for us, who then stop it in order.
        {
          ...this.#account,
          cwd: '/',
          detached: true,
          windowsHide: true,
          stdio: ['ignore', log, log],
          env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
        },
      )
      child.on('error', (error) => this.#options.log.error({ error }, 'PostgreSQL ne peut pas être lancé'))
      child.unref()
      return child
    } finally {
      closeSync(log)
    }
  }

  /** After a reboot the number in a left-over pid file may belong to a program that is no PostgreSQL. */
  #removeStalePidFile(): void {
    const running = this.#pidFile()
    if (!running || process.platform !== 'linux') return
    try {
      const command = readFileSync(`/proc/${running.pid}/cmdline`, 'utf8')
      if (command.includes('postgres')) return
    } catch {
      // No such process.
    }
    rmSync(join(this.clusterDir, 'postmaster.pid'), { force: true })
  }

  #pidFile(): { pid: number; port: number } | null {
    try {
      const lines = readFileSync(join(this.clusterDir, 'postmaster.pid'), 'utf8').split('\n')
      const [pid, port] = [Number(lines[0]), Number(lines[3])]
      return pid > 0 && port > 0 ? { pid, port } : null
    } catch {
      return null
    }
  }

  #giveToAccount(path: string): void {
    const { uid, gid } = this.#account
    if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
  }

  #logPath(): string {
    return join(this.#options.dataDir, 'postgres.log')
  }

  #lastLogLine(): string {
    try {
      const lines = readFileSync(this.#logPath(), 'utf8').trim().split('\n')
      return lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? lines.at(-1) ?? ''
    } catch {
      return ''
    }
  }
}

/**
 * In the data folder, unless PostgreSQL's account cannot reach that. The name elsewhere is new each time:
 * a data folder that was emptied must not meet the tables of its former life.
 */
function chooseClusterDir(dataDir: string, account: Account): string {
  const name = 'postgres'
  if (canEnter(account, dataDir)) return name
  const place = join(SYSTEM_DIR, `${basename(resolve(dataDir))}-${randomBytes(6).toString('hex')}`)
  try {
    mkdirSync(place, { recursive: true, mode: 0o755 })
    writeFileSync(join(place, 'origin.txt'), `${resolve(dataDir)}\n`)
  } catch (cause) {
    throw new ConfigError(
      'data-dir',
      `Le compte « postgres » ne peut pas traverser ${dataDir}, et ${SYSTEM_DIR} ne peut pas être écrit. Choisir un autre DATA_DIR, ou indiquer une base par DATABASE_URL.`,
      { dataDir },
      cause,
    )
  }
  if (!canEnter(account, place))
    throw new ConfigError(
      'data-dir',
      `Le compte « postgres » ne peut traverser ni ${dataDir} ni ${place}. Choisir un autre DATA_DIR, ou indiquer une base par DATABASE_URL.`,
    )
  return join(place, name)
}

/** Removes what killed processes left of clusters that were never finished. */
function sweepPartials(clusterDir: string): void {
  const parent = dirname(clusterDir)
  const pattern = new RegExp(`^${basename(clusterDir)}\\.(\\d+)\\.[0-9a-f]+\\.partial`)
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const pid = Number(pattern.exec(name)?.[1])
    if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
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
