/**
 * `npm run load [-- --short]`: 500 visitors on the live page and 50 in the archive against a server of its own, on
 * this machine only, for about a minute (short: 60 and 6 for ten seconds). Prints the figures and fails when a call
 * failed; times decide nothing.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../apps/server/src/db/database.ts'
import { createLogger } from '../apps/server/src/log.ts'
import { visit } from '../tests/load/visitors.ts'
import { buildWeb } from './build-web.ts'

const short = process.argv.includes('--short')
const root = resolve(import.meta.dirname, '..')
const radx = join(root, 'apps/server/bin/radx.js')
const dir = mkdtempSync(join(tmpdir(), 'radx-load-'))
chmodSync(dir, 0o755)
const env = { ...process.env, DATA_DIR: join(dir, 'data'), DEMO: '0', RADX_LOG: 'warn', RADX_WORKERS: '1' }

function run(args: string[], input = ''): void {
  const { status, stderr } = spawnSync(process.execPath, [radx, ...args], { env, input, encoding: 'utf8' })
  if (status !== 0) throw new Error(`radx ${args[0]}: ${stderr}`)
}

await buildWeb()
const END = '2018-01-16T06:00:00Z'
const START = short ? '2018-01-16T03:00:00Z' : '2018-01-15T06:00:00Z'
run(['demo', '--from', START, '--to', END, '--product', 'dpsri', join(dir, 'files')])
const files = (await readdir(join(dir, 'files'))).map((name) => join(dir, 'files', name))
run(['ingest', ...files])
run(['user', 'add', 'charge'], 'une-longue-phrase\nune-longue-phrase\n')

const server = spawn(process.execPath, [radx, 'serve'], {
  env: { ...env, PORT: '0', RADX_LOG: 'info' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let failed = true
try {
  let said = ''
  server.stdout.on('data', (chunk) => (said += chunk))
  let url = ''
  for (let k = 0; k < 600 && url === ''; k++) {
    await sleep(50)
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
    if (found && (await fetch(`${found}/readyz`)).ok) url = found
  }
  const login = await fetch(`${url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'charge', password: 'une-longue-phrase' }),
  })
  const { token } = (await login.json()) as { token: string }
  const memory = () => {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  }
  const atRest = memory()
  let peak = atRest
  const watch = setInterval(() => (peak = Math.max(peak, memory())), 250)
  const begin = Date.now()
  const figures = await visit({
    url,
    token,
    start: START,
    end: END,
    ...(short
      ? { live: 60, archive: 6, arriveMs: 4_000, rounds: 1, pauseMs: 2_000 }
      : { live: 500, archive: 50, arriveMs: 20_000, rounds: 3, pauseMs: 8_000 }),
  })
  clearInterval(watch)
  const errors = figures.reduce((sum, call) => sum + call.errors, 0)
  const calls = figures.reduce((sum, call) => sum + call.count, 0)
  console.table(figures)
  const database = await openDatabase(
    { databaseUrl: null, dataDir: env.DATA_DIR },
    { log: createLogger('silent') },
  )
  const { rows } = await database.pool.query(
    "select (pg_total_relation_size('radar_frame') + pg_total_relation_size('source_file'))::float8 as bytes",
  )
  await database.close()
  const summary = {
    databaseBytesAFrame: Math.round(rows[0].bytes / files.length),
    cores: cpus().length,
    frames: files.length,
    seconds: (Date.now() - begin) / 1000,
    calls,
    errors,
    memoryAtRestMb: Math.round(atRest),
    memoryPeakMb: Math.round(peak),
    memoryAfterMb: Math.round(memory()),
  }
  console.log(summary)
  if (process.env.RADX_LOAD_OUT)
    writeFileSync(process.env.RADX_LOAD_OUT, JSON.stringify({ ...summary, figures }))
  failed = errors > 0
} finally {
  const gone = new Promise((done) => server.once('exit', done))
  server.kill('SIGTERM')
  await gone
  rmSync(dir, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0
