import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, readdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CacheKind, installedCache, startCache } from '../tests/load/cache-program.ts'
import { bringCrowd } from '../tests/load/crowd.ts'
import { buildWeb } from './build-web.ts'

const ROOT = resolve(import.meta.dirname, '..')
const RADX = join(ROOT, 'apps/server/bin/radx.js')
const FRAME_MS = 206_000
/** A frame comes this often, more often than the radar's. */
const COMES_MS = 60_000
const WINDOW_MS = 3 * 3_600_000
/** The page asks this often (LIVE_REFRESH_SECONDS). */
const PAUSE_MS = 120_000
const MOST_A_SECOND = 20

export interface CrowdOptions {
  visitors: number
  /** How long they stay; they come during the first half. */
  minutes: number
  /** The cache before RadX; null for the one that is installed. */
  cache: CacheKind | null
}

/**
 * A crowd on the live page of a server of its own, through a caching reverse proxy, while frames come.
 * Prints the figures. @returns 0 when no call failed and the origin answered fewer than 20 requests a second
 */
export async function loadCrowd({ visitors, minutes, cache }: CrowdOptions): Promise<number> {
  await buildWeb()
  const dir = mkdtempSync(join(tmpdir(), 'radx-crowd-'))
  chmodSync(dir, 0o755)
  const stayMs = minutes * 60_000
  const origin = await startOrigin(dir, stayMs)
  const front = await startCache(cache ?? installedCache(), origin.url, join(dir, 'cache'))
  const frames = setInterval(() => void origin.nextFrame(), COMES_MS)
  try {
    const page = await fetch(origin.url, { headers: { accept: 'text/html' } })
    const named = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((m) => m[1])
    const told = [...(page.headers.get('link') ?? '').matchAll(/<([^>]+)>/g)].map((m) => m[1])
    const site = (await (await fetch(`${origin.url}/api/site`)).json()) as {
      radar: { position: { lat: number; lng: number } }
    }
    const beginMs = Date.now()
    const before = { ms: origin.processorMs(), requests: origin.asked.length }
    const figures = await bringCrowd({
      url: front.url,
      visitors,
      assets: [...new Set([...named, ...told])],
      place: site.radar.position,
      arriveMs: stayMs / 2,
      stayMs,
      pauseMs: PAUSE_MS,
      onProgress: ({ visitors: come, calls }) =>
        console.log(
          `${come} visitors, ${calls} calls, ${origin.asked.length - before.requests} of the origin`,
        ),
    })
    const asked = origin.asked.slice(before.requests)
    const busiest = busiestSeconds(asked, beginMs)
    const summary = {
      cache: front.kind,
      visitors,
      minutes,
      framesThatCame: origin.framesThatCame(),
      ...figures,
      origin: {
        requests: asked.length,
        aSecond: Math.round((asked.length / (stayMs / 1000)) * 100) / 100,
        mostInASecond: busiest[0]?.requests ?? 0,
        sockets: asked.filter(({ path }) => path.startsWith('/socket.io')).length,
        processorPercent: Math.round((origin.processorMs() - before.ms) / (stayMs / 100)),
        memoryMb: origin.memoryMb(),
      },
    }
    console.table(byPath(asked.map(({ path }) => path)))
    console.log('busiest seconds of the origin')
    console.table(busiest.slice(0, 5))
    console.log(summary)
    if (process.env.RADX_LOAD_OUT) writeFileSync(process.env.RADX_LOAD_OUT, JSON.stringify(summary))
    const failed = Object.keys(figures.failures).length > 0
    return failed || summary.origin.aSecond >= MOST_A_SECOND ? 1 : 0
  } finally {
    clearInterval(frames)
    await front.close()
    await origin.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Each second with what was asked of the origin in it, the busiest first; counted from the first visitor. */
function busiestSeconds(asked: readonly { path: string; atMs: number }[], beginMs: number) {
  const seconds = Map.groupBy(asked, ({ atMs }) => Math.floor((atMs - beginMs) / 1000))
  return [...seconds]
    .map(([second, calls]) => ({
      second,
      requests: calls.length,
      what: Object.entries(byPath(calls.map(({ path }) => path)))
        .map(([path, count]) => `${count} ${path}`)
        .join(', '),
    }))
    .sort((a, b) => b.requests - a.requests)
}

function byPath(paths: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const path of paths) {
    const name = path.replace(/^\/assets\/.*/, '/assets')
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** RadX with the three hours before now, and frames to come that end with the stay. */
async function startOrigin(dir: string, stayMs: number) {
  const env = { ...process.env, DATA_DIR: join(dir, 'data'), DEMO: '0', RADX_WORKERS: '1' }
  const run = (...args: string[]) => {
    const options = { env: { ...env, RADX_LOG: 'warn' }, encoding: 'utf8' } as const
    const { status, stderr } = spawnSync(process.execPath, [RADX, ...args], options)
    if (status !== 0) throw new Error(`radx ${args[0]}: ${stderr}`)
  }
  const files = join(dir, 'files')
  const count = Math.ceil(stayMs / COMES_MS)
  const endMs = Date.now() + stayMs
  const iso = (ms: number) => new Date(ms).toISOString()
  const fromMs = endMs - count * FRAME_MS - WINDOW_MS
  run('demo', '--from', iso(fromMs), '--to', iso(endMs), '--product', 'dpsri', files)
  const names = (await readdir(files)).sort()
  const coming = names.splice(-count)
  run('ingest', ...names.map((name) => join(files, name)))
  const server = spawn(process.execPath, [RADX, 'serve'], {
    env: { ...env, PORT: '0', RADX_LOG: 'debug' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const asked: { path: string; atMs: number }[] = []
  const url = await listening(server, asked)
  const stat = () => readFileSync(`/proc/${server.pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ')
  return {
    url,
    asked,
    framesThatCame: () => count - coming.length,
    nextFrame: async () => {
      const name = coming.shift()
      if (name === undefined) return
      const inbox = join(env.DATA_DIR, 'inbox', basename(name))
      await copyFile(join(files, name), `${inbox}.part`)
      await rename(`${inbox}.part`, inbox)
    },
    processorMs: () => (Number(stat()[11]) + Number(stat()[12])) * 10,
    memoryMb: () => Math.round((Number(stat()[21]) * 4096) / 2 ** 20),
    close: async () => {
      const gone = once(server, 'exit')
      server.kill('SIGTERM')
      await gone
    },
  }
}

/** Reads the log of the server for good: its address, and every call that it answers. */
async function listening(server: ChildProcess, asked: { path: string; atMs: number }[]): Promise<string> {
  let url = ''
  createInterface({ input: server.stdout! }).on('line', (line) => {
    url ||= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''
    const path = /"path":"([^"]*)"/.exec(line)?.[1]
    if (path !== undefined && line.includes('"requête"')) asked.push({ path, atMs: Date.now() })
  })
  for (let k = 0; k < 1200; k++) {
    await sleep(50)
    if (url !== '' && (await fetch(`${url}/readyz`)).ok) return url
    if (server.exitCode !== null) break
  }
  throw new Error('the server did not start')
}
