import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { LiveResponse } from '@radx/contracts'
import { contentOf, missingRanges } from '../../apps/web/src/map/frames/ranges.ts'

export interface CrowdPlan {
  /** Address that the visitors know: the cache's, or RadX's own. Loopback only. */
  url: string
  visitors: number
  /** Files that the page names, which every visitor fetches once. */
  assets: string[]
  /** Where the forecast is asked for, as the page does. */
  place: { lat: number; lng: number }
  /** Time over which the visitors arrive, evenly, and for which they stay in all, ms. */
  arriveMs: number
  stayMs: number
  /** Pause between two looks of a visitor, ms. */
  pauseMs: number
  /** Connections of all visitors together. Default 256. */
  connections?: number
  /** Told every ten seconds how far it is. */
  onProgress?(so: { visitors: number; calls: number }): void
}

export interface CrowdFigures {
  calls: number
  /** Calls that failed, by what was asked and what came. */
  failures: Record<string, number>
  p50: number
  p95: number
  p99: number
  megabytes: number
}

const LIMIT_MS = 30_000
const PROGRESS_MS = 10_000
/** Visitors who have not been served so long after the end go away unserved, ms. */
const PATIENCE_MS = 120_000
/** As Chromium and Firefox, Safari, and programs say it. */
const ENCODINGS = ['gzip, deflate, br, zstd', 'gzip, deflate, br', 'gzip']

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** Empty where it was only counted. */
  body: Buffer
  bytes: number
}

/** Keeps the body only where it is read: those of thousands who wait do not fit into memory. */
function ask(agent: Agent, url: string, headers: Record<string, string>, keep: boolean): Promise<Answer> {
  return new Promise((done, fail) => {
    const call = request(url, { agent, headers, timeout: LIMIT_MS }, async (answer) => {
      try {
        const chunks: Buffer[] = []
        let bytes = 0
        for await (const chunk of answer) {
          bytes += (chunk as Buffer).length
          if (keep) chunks.push(chunk as Buffer)
        }
        done({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks), bytes })
      } catch (error) {
        fail(error)
      }
    })
    call.on('timeout', () => call.destroy(new Error('no answer in time')))
    call.on('error', fail)
    call.end()
  })
}

function unpacked({ headers, body }: Answer): Buffer {
  const encoding = headers['content-encoding']
  if (encoding === 'gzip') return gunzipSync(body)
  if (encoding === 'br') return brotliDecompressSync(body)
  return encoding === 'zstd' ? zstdDecompressSync(body) : body
}

/** What all visitors share: connections, figures, and what an answer said, which is read once. */
class Crowd {
  readonly plan: CrowdPlan
  readonly times: number[] = []
  readonly failures: Record<string, number> = {}
  bytes = 0
  /** Visitors who have come. */
  visitors = 0
  private readonly agent: Agent
  /** Connections that nobody uses, and who waits for one. */
  private free: number
  private readonly waiting: (() => void)[] = []
  private closed = false
  private read: { etag: string | undefined; live: LiveResponse } | null = null

  constructor(plan: CrowdPlan) {
    this.plan = plan
    this.free = plan.connections ?? 256
    this.agent = new Agent({ keepAlive: true, maxSockets: this.free })
  }

  /** A call of a visitor, who waits for a connection as long as it takes; null when it failed. */
  async call(path: string, headers: Record<string, string>, keep = false): Promise<Answer | null> {
    const begin = performance.now()
    if (this.free > 0) this.free--
    else await new Promise<void>((turn) => this.waiting.push(turn))
    if (this.closed) return null
    const name = path.split('?', 1)[0].replace(/^\/assets\/.*/, '/assets')
    const fail = (what: string) => {
      const failed = `${name}: ${what}`
      this.failures[failed] = (this.failures[failed] ?? 0) + 1
      return null
    }
    try {
      const answer = await ask(this.agent, `${this.plan.url}${path}`, headers, keep)
      this.bytes += answer.bytes
      return answer.status === 200 || answer.status === 304 ? answer : fail(String(answer.status))
    } catch (error) {
      return fail((error as Error).message)
    } finally {
      this.times.push(performance.now() - begin)
      const next = this.waiting.shift()
      if (next) next()
      else this.free++
    }
  }

  live(answer: Answer): LiveResponse {
    const { etag } = answer.headers
    if (this.read === null || etag === undefined || etag !== this.read.etag)
      this.read = { etag, live: JSON.parse(unpacked(answer).toString()) }
    return this.read.live
  }

  close(): void {
    this.closed = true
    for (const turn of this.waiting.splice(0)) turn()
    this.agent.destroy()
  }
}

/** One visitor of the live page, with the calls of the page and without a socket. */
async function visitor(crowd: Crowd, k: number, stopAt: number): Promise<void> {
  const { assets, place, pauseMs } = crowd.plan
  crowd.visitors++
  const headers = { 'accept-encoding': ENCODINGS[k % ENCODINGS.length] }
  await crowd.call('/', { ...headers, accept: 'text/html' })
  await Promise.all(
    [...assets, '/api/site', '/api/article/home-message', '/api/mrr/latest'].map((path) =>
      crowd.call(path, headers),
    ),
  )
  let seen = new Set<string>()
  let known: Record<string, string> = {}
  do {
    const answer = await crowd.call('/api/products/latestImages?p=dpsri', { ...headers, ...known }, true)
    if (answer?.status === 200) {
      const { images } = crowd.live(answer)
      // A browser asks by what it has.
      if (answer.headers.etag) known = { 'if-none-match': answer.headers.etag }
      const times = images.map(({ datetime }) => datetime)
      const checks = images.map(({ check }) => check ?? 0)
      for (const range of missingRanges(times, (time) => seen.has(time))) {
        const query = new URLSearchParams({ p: 'dpsri', ...range, v: contentOf(range, times, checks) })
        await crowd.call(`/api/products/frames?${query}`, headers)
      }
      seen = new Set(times)
    }
    await crowd.call(`/api/nowcast/place?lat=${place.lat}&lng=${place.lng}`, headers)
    await sleep(Math.min(pauseMs, Math.max(0, stopAt - performance.now())))
  } while (performance.now() < stopAt)
}

/** A crowd on the live page, as a storm brings it: it comes within minutes and stays. */
export async function bringCrowd(plan: CrowdPlan): Promise<CrowdFigures> {
  if (new URL(plan.url).hostname !== '127.0.0.1') throw new Error('the load goes to this machine only')
  const crowd = new Crowd(plan)
  const stopAt = performance.now() + plan.stayMs
  const { onProgress } = plan
  const telling = setInterval(
    () => onProgress?.({ visitors: crowd.visitors, calls: crowd.times.length }),
    PROGRESS_MS,
  )
  const gone = new AbortController()
  let unserved = plan.visitors
  await Promise.race([
    Promise.all(
      Array.from({ length: plan.visitors }, async (_, k) => {
        await sleep((k / plan.visitors) * plan.arriveMs)
        await visitor(crowd, k, stopAt)
        unserved--
      }),
    ),
    sleep(plan.stayMs + PATIENCE_MS, undefined, { signal: gone.signal }).catch(() => undefined),
  ])
  gone.abort()
  clearInterval(telling)
  crowd.close()
  if (unserved > 0) crowd.failures['visitors who were not served'] = unserved
  const sorted = crowd.times.sort((a, b) => a - b)
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))])
  return {
    calls: sorted.length,
    failures: crowd.failures,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    megabytes: Math.round(crowd.bytes / 1e5) / 10,
  }
}
