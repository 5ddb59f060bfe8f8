import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeSmallCatchment } from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { Storm, writeCatchmentUnderStorm } from './storm.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const RADX = join(ROOT, 'apps/server/bin/radx.js')
const START_MS = 240_000
const STOP_MS = 180_000

/** Who attacks: nobody signed in, a user, a user whose dates end before every frame, a manager. */
export const CALLERS = ['anonymous', 'user', 'restricted', 'manager'] as const
export type Caller = (typeof CALLERS)[number]
type Account = Exclude<Caller, 'anonymous'>
export const ACCOUNTS: Record<Account, { name: string; password: string; options: string[] }> = {
  user: { name: 'attaque-simple', password: 'un-mot-de-passe-simple', options: [] },
  restricted: {
    name: 'attaque-restreinte',
    password: 'un-mot-de-passe-restreint',
    options: ['--to', '2020-01-01'],
  },
  manager: { name: 'attaque-chef', password: 'un-mot-de-passe-de-chef', options: ['--role', 'manager'] },
}

/** The catchment that the program knows (simulation/testing/small-catchment.ts). */
export const CATCHMENT = 'petit'

/** `radx serve` as a process of its own, with its own PostgreSQL and data folder, attacked by its port alone. */
export interface Program {
  url: string
  port: number
  pid: number
  dataDir: string
  tokens: Record<Account, string>
  /** A call as one of the callers; the answer is never thrown for its status. */
  call(caller: Caller, path: string, init?: RequestInit): Promise<Response>
  /** Runs the command line on the program's data. */
  radx(args: string[], input?: string): Promise<{ code: number; out: string }>
  /** Whether the process still runs. */
  alive(): boolean
  /** Resident memory now, MB. */
  memoryMb(): number
  /** What it printed last. */
  log(): string
  /** Resolves to the exit code once SIGTERM ended it, 'killed' where it had to be forced. */
  stop(): Promise<number | 'killed'>
}

export type Holding = 'catchment' | 'frames' | 'past'

/** It rains then in the demonstration's archive; nothing is kept of dry frames, and any other moment may be dry. */
export const PAST_MS = Date.UTC(2018, 0, 16)
/** Six frames or seven of each product. */
export const PAST_END_MS = PAST_MS + 21 * 60_000

/** Quotas of the program that the cases share: small, so that they are reached. */
export const QUOTAS = { runs: 6, events: 30, gauges: 3, tables: 3, networks: 3, alerts: 3 }

/** The program that the cases share: it holds everything, and believes the proxy before it. */
export const SHARED: ProgramOptions = {
  holding: ['catchment', 'frames', 'past'],
  env: {
    TRUST_PROXY: '127.0.0.1',
    RADX_WORKERS: '1',
    ...Object.fromEntries(
      Object.entries(QUOTAS).map(([of, most]) => [`QUOTA_${of.toUpperCase()}`, String(most)]),
    ),
  },
}

export interface ProgramOptions {
  env?: Record<string, string>
  /** false leaves the accounts and everything else out. Default true. */
  furnished?: boolean
  /** What stands there beside the accounts: a catchment, the last half an hour, some minutes of every instrument of a day
   * that is over and so gets its tiles. Default the first two. */
  holding?: readonly Holding[]
  /** The frames up to now are of this, and the catchment lies under it. */
  storm?: Storm
  /** Called as soon as it listens, before it is ready. */
  onListening?(url: string, isReady: () => Promise<boolean>): Promise<void>
}

/** Starts the program; a furnished one has the three accounts, and a catchment and half an hour of frames up to now. */
export async function startProgram({
  env = {},
  furnished = true,
  holding = ['catchment', 'frames'],
  storm,
  onListening,
}: ProgramOptions = {}): Promise<Program> {
  const dir = mkdtempSync(join(tmpdir(), 'radx-attack-'))
  // Run as root, PostgreSQL's own account must pass through.
  chmodSync(dir, 0o755)
  const dataDir = join(dir, 'data')
  const full: Record<string, string> = {
    ...(process.env as Record<string, string>),
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    DEMO: '0',
    RADX_LOG: 'info',
    DATA_DIR: dataDir,
    ...env,
  }
  delete full.DATABASE_URL
  const radx = (args: string[], input = '') => runRadx(args, input, full)
  const child = spawn(process.execPath, [RADX, 'serve'], {
    cwd: ROOT,
    env: full,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endWithUs(child)
  let said = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => {
      said = (said + chunk).slice(-20_000)
    })
  const stop = async () => {
    const code = await end(child)
    rmSync(dir, { recursive: true, force: true })
    return code
  }
  try {
    const url = await ready(child, () => said, onListening)
    const tokens = { user: '', restricted: '', manager: '' }
    if (furnished) {
      await furnish(radx, dir, holding, storm)
      for (const [caller, { name, password }] of Object.entries(ACCOUNTS))
        tokens[caller as Account] = await signIn(url, name, password)
    }
    return {
      url,
      port: Number(new URL(url).port),
      pid: child.pid!,
      dataDir,
      tokens,
      radx,
      call: (caller, path, init = {}) =>
        fetch(url + path, {
          ...init,
          headers: {
            ...(caller === 'anonymous' ? {} : { authorization: `Bearer ${tokens[caller]}` }),
            ...init.headers,
          },
        }),
      alive: () => child.exitCode === null && child.signalCode === null,
      memoryMb: () => residentMb(child.pid!),
      log: () => said,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The token of a new session. @throws when the login is refused */
export async function signIn(url: string, username: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  if (!answer.ok) throw new Error(`login of ${username}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { token: string }).token
}

/** A test that fails or ends early leaves no server behind. */
export function endWithUs(child: ChildProcess): void {
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

async function ready(
  child: ChildProcess,
  said: () => string,
  onListening: ProgramOptions['onListening'],
): Promise<string> {
  let told = false
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(50)) {
    if (child.exitCode !== null) break
    const url = /RadX écoute sur (http:[^"\s]+)/.exec(said())?.[1]
    if (!url) continue
    const isReady = async () => (await fetch(`${url}/readyz`)).ok
    if (!told) await onListening?.(url, isReady)
    told = true
    if (await isReady()) return url
  }
  throw new Error(`radx serve did not become ready:\n${said()}`)
}

async function furnish(
  radx: Program['radx'],
  dir: string,
  holding: readonly Holding[],
  storm: Storm | undefined,
): Promise<void> {
  const must = async (args: string[], input = '') => {
    const { code, out } = await radx(args, input)
    if (code !== 0) throw new Error(`radx ${args.join(' ')}: ${out}`)
  }
  const now = Date.now()
  const iso = (ms: number) => new Date(ms).toISOString()
  const [frames, past] = [join(dir, 'frames'), join(dir, 'past')]
  const catchment = (storm ? writeCatchmentUnderStorm : writeSmallCatchment)(join(dir, 'package'))
  // Whatever the hour, no frame of these is missing.
  const rain = storm ?? new Storm(now, now - 30 * 60_000)
  if (storm || holding.includes('frames')) rain.write(frames, now)
  await Promise.all([
    holding.includes('catchment') && must(['catchment', 'import', catchment]),
    holding.includes('past') && must(['demo', '--from', iso(PAST_MS), '--to', iso(PAST_END_MS), past]),
    ...Object.values(ACCOUNTS).map(({ name, password, options }) =>
      must(['user', 'add', name, ...options], `${password}\n${password}\n`),
    ),
  ])
  const files = [frames, past]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  if (files.length > 0) await must(['ingest', ...files])
}

function runRadx(args: string[], input: string, env: Record<string, string>) {
  return new Promise<{ code: number; out: string }>((done) => {
    const child = spawn(process.execPath, [RADX, ...args], { cwd: ROOT, env: { ...env, RADX_LOG: 'warn' } })
    let out = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk))
    child.on('close', (code) => done({ code: code ?? 1, out }))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

async function end(child: ChildProcess): Promise<number | 'killed'> {
  if (child.exitCode !== null) return child.exitCode
  if (child.signalCode !== null) return 'killed'
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  const [code] = await gone
  clearTimeout(timer)
  return code ?? 'killed'
}

function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
