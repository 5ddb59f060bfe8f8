/**
 * `npm run load [-- --minutes N [--page] | --short]`: 500 visitors on the live page and 50 in the archive against a
 * server of its own, on this machine only, for a minute or N (short: 60 and 6 for ten seconds), while a frame comes
 * every half minute. Visitors ask every 8 s; with `--page` as the page does, every 120 s, in the archive every 30 s.
 * Prints the figures and fails when a call failed; times decide nothing.
 *
 * `npm run load -- --crowd N [--minutes 5] [--cache nginx|varnish|own]`: N visitors on the live page through a caching
 * reverse proxy (load-crowd.ts).
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, readdir, rename } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../apps/server/src/db/database.ts'
import { createLogger } from '../apps/server/src/log.ts'
import { CACHE_KINDS } from '../tests/load/cache-program.ts'
import { visit } from '../tests/load/visitors.ts'
import { buildWeb } from './build-web.ts'
import { loadCrowd } from './load-crowd.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    page: { type: 'boolean', default: false },
    crowd: { type: 'string' },
    cache: { type: 'string' },
  },
})
if (values.crowd !== undefined) {
  const visitors = Number(values.crowd)
  const minutes = Number(values.minutes ?? 5)
  const cache = CACHE_KINDS.find((kind) => kind === values.cache) ?? null
  if (!(visitors >= 1 && minutes > 0) || (values.cache !== undefined && cache === null))
    throw new Error(`--crowd N --minutes N --cache ${CACHE_KINDS.join('|')}`)
  process.exit(await loadCrowd({ visitors, minutes, cache }))
}
/** Slope of the memory by least squares, MB a minute: all of the time, and its second half alone. */
function slopes(seen: { minute: number; mb: number }[]): { all: number; secondHalf: number } {
  const slope = (points: typeof seen) => {
    const mean = (of: (point: (typeof seen)[0]) => number) =>
      points.reduce((sum, point) => sum + of(point), 0) / points.length
    const [minute, mb] = [mean((point) => point.minute), mean((point) => point.mb)]
    const across = mean((point) => (point.minute - minute) * (point.mb - mb))
    return Math.round((across / mean((point) => (point.minute - minute) ** 2)) * 100) / 100
  }
  return { all: slope(seen), secondHalf: slope(seen.slice(seen.length / 2)) }
}

const { short } = values
const stayMs = short ? 6_000 : Number(values.minutes ?? 1) * 60_000
if (!(stayMs > 0)) throw new Error('--minutes N: how long the visitors stay')
/** A frame is of every 206 s; here one comes this often, ms. */
const FRAME_EVERY_MS = 30_000
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
const make = async (from: string, to: string, folder: string) => {
  run(['demo', '--from', from, '--to', to, '--product', 'dpsri', join(dir, folder)])
  const names = (await readdir(join(dir, folder))).sort()
  return names.map((name) => join(dir, folder, name))
}
const files = await make(START, END, 'files')
const comingMs = Math.ceil(stayMs / FRAME_EVERY_MS) * 206_000
const coming = await make(END, new Date(Date.parse(END) + comingMs).toISOString(), 'coming')
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
  const html = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((m) => m[1])
  const atRest = memory()
  /** Processor time of the server, s: what a busy machine does not change much. */
  const processor = () => {
    const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
  const processorAtRest = processor()
  const begin = Date.now()
  const seen: { minute: number; mb: number }[] = []
  const watch = setInterval(() => seen.push({ minute: (Date.now() - begin) / 60_000, mb: memory() }), 250)
  let newest = END
  let told = 0
  const frames = setInterval(async () => {
    const file = coming.shift()
    if (!file) return
    const inbox = join(env.DATA_DIR, 'inbox', basename(file))
    await copyFile(file, `${inbox}.part`)
    await rename(`${inbox}.part`, inbox)
    told++
    const answer = await fetch(`${url}/api/products/latestImages?p=dpsri`).catch(() => null)
    if (!answer?.ok) return
    const { images } = (await answer.json()) as { images: { datetime: string }[] }
    newest =
      images
        .map(({ datetime }) => datetime)
        .sort()
        .at(-1) ?? END
  }, FRAME_EVERY_MS)
  const { figures, failures } = await visit({
    url,
    token,
    start: START,
    end: END,
    newest: () => newest,
    assets,
    stayMs,
    ...(short
      ? { live: 60, archive: 6, arriveMs: 4_000, livePauseMs: 2_000, archivePauseMs: 2_000 }
      : values.page
        ? { live: 500, archive: 50, arriveMs: 120_000, livePauseMs: 120_000, archivePauseMs: 30_000 }
        : { live: 500, archive: 50, arriveMs: 20_000, livePauseMs: 8_000, archivePauseMs: 8_000 }),
  })
  clearInterval(watch)
  clearInterval(frames)
  const errors = figures.reduce((sum, call) => sum + call.errors, 0)
  const calls = figures.reduce((sum, call) => sum + call.count, 0)
  console.table(figures)
  if (failures.size > 0) console.log('failed:', Object.fromEntries(failures))
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
    framesThatCame: told,
    newest,
    seconds: (Date.now() - begin) / 1000,
    calls,
    errors,
    serverMsACall: Math.round(((processor() - processorAtRest) / calls) * 1e5) / 100,
    memoryAtRestMb: Math.round(atRest),
    memoryPeakMb: Math.round(Math.max(...seen.map(({ mb }) => mb))),
    memoryAfterMb: Math.round(memory()),
    ...(short ? {} : { memorySlopeMbAMinute: slopes(seen) }),
  }
  console.log(summary)
  if (process.env.RADX_LOAD_OUT)
    writeFileSync(process.env.RADX_LOAD_OUT, JSON.stringify({ ...summary, figures, seen }))
  failed = errors > 0
} finally {
  const gone = new Promise((done) => server.once('exit', done))
  server.kill('SIGTERM')
  await gone
  rmSync(dir, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0
