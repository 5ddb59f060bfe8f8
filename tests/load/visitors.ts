import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoadPlan {
  /** Address of the server under test; loopback only. */
  url: string
  /** Bearer of the archive's visitors. */
  token: string
  live: number
  archive: number
  /** Files that the page names (scripts and styles), which every visitor of the live page fetches once. */
  assets: string[]
  /** Time over which the visitors arrive, ms. */
  arriveMs: number
  /** How long the visitors go on after the first of them came, ms; each makes a round at least. */
  stayMs: number
  /** Pauses between rounds, ms. */
  livePauseMs: number
  archivePauseMs: number
  /** Period that the archive's visitors look at. */
  start: string
  end: string
  /** Time of the newest frame, where the live page ends. */
  newest: () => string
}

export interface CallFigures {
  call: string
  count: number
  errors: number
  p50: number
  p95: number
  p99: number
  megabytes: number
}

/** Every call that a visitor makes is bounded by this, ms; one that takes longer is an error. */
const LIMIT_MS = 30_000

const agent = new Agent({ keepAlive: true, maxFreeSockets: 600 })

/** One call; what comes is counted and not unpacked, which is the visitors' machines' work. */
function ask(url: string, headers: Record<string, string>): Promise<{ status: number; bytes: number }> {
  return new Promise((done, fail) => {
    const call = request(
      url,
      { agent, headers: { 'accept-encoding': 'gzip, deflate, br', ...headers }, timeout: LIMIT_MS },
      async (answer) => {
        let bytes = 0
        try {
          for await (const chunk of answer) bytes += (chunk as Buffer).length
          done({ status: answer.statusCode!, bytes })
        } catch (error) {
          fail(error)
        }
      },
    )
    call.on('timeout', () => call.destroy(new Error('timeout')))
    call.on('error', fail)
    call.end()
  })
}

/**
 * Visitors as the pages make their calls, bounded in count and time.
 * @param stop ends their stay early
 * @returns figures a call, ms, and how often what failed
 */
export async function visit(
  plan: LoadPlan,
  stop?: AbortSignal,
): Promise<{ figures: CallFigures[]; failures: Map<string, number> }> {
  const { hostname } = new URL(plan.url)
  if (hostname !== '127.0.0.1' && hostname !== '[::1]') throw new Error('the load goes to this machine only')
  const times = new Map<string, { ms: number[]; errors: number; bytes: number }>()
  const failures = new Map<string, number>()
  const fail = (seen: { errors: number }, what: string) => {
    seen.errors++
    failures.set(what, (failures.get(what) ?? 0) + 1)
  }
  const call = async (name: string, path: string, headers: Record<string, string> = {}) => {
    const seen = times.get(name) ?? { ms: [], errors: 0, bytes: 0 }
    times.set(name, seen)
    const begin = performance.now()
    try {
      const { status, bytes } = await ask(`${plan.url}${path}`, headers)
      seen.bytes += bytes
      if (status !== 200) fail(seen, `${name}: ${status}`)
    } catch (error) {
      fail(seen, `${name}: ${(error as Error).message}`)
    }
    seen.ms.push(performance.now() - begin)
  }
  const stopAt = performance.now() + plan.stayMs
  const stays = () => performance.now() < stopAt && !stop?.aborted
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop }).catch(() => undefined)
  const liveVisitor = async () => {
    await call('page', '/', { accept: 'text/html' })
    await Promise.all([
      ...plan.assets.map((path) => call('scripts and styles', path)),
      call('site', '/api/site'),
      call('products', '/api/products'),
      call('status', '/api/status'),
    ])
    do {
      await call('latestImages', '/api/products/latestImages?p=dpsri')
      // As the live page asks: the latest three hours.
      const end = plan.newest()
      const from = new Date(Date.parse(end) - 3 * 3_600_000).toISOString()
      await call('live frames', `/api/products/frames?p=dpsri&s=${from}&e=${end}`)
      await pause(plan.livePauseMs)
    } while (stays())
  }
  const period = `p=dpsri&s=${plan.start}&e=${plan.end}`
  const archiveVisitor = async () => {
    const headers = { authorization: `Bearer ${plan.token}` }
    const month = plan.start.slice(0, 7)
    do {
      await call('month', `/api/products/month/${month}?p=dpsri&c=melun`, headers)
      await call('weight', `/api/products/weight?${period}`, headers)
      await Promise.all([
        call('archive', `/api/products/archive?${period}&c=melun`, headers),
        call('archive frames', `/api/products/frames?${period}`, headers),
      ])
      await call('pixel', `/api/products/pixel?${period}&lat=48.54&lng=2.65`, headers)
      await pause(plan.archivePauseMs)
    } while (stays())
  }
  const arrive = (count: number, visitor: () => Promise<void>) =>
    Array.from({ length: count }, async (_, k) => {
      await pause((k / count) * plan.arriveMs)
      await visitor()
    })
  await Promise.all([...arrive(plan.live, liveVisitor), ...arrive(plan.archive, archiveVisitor)])
  agent.destroy()
  const figures = [...times].map(([name, { ms, errors, bytes }]) => {
    const sorted = ms.sort((a, b) => a - b)
    const at = (share: number) =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))])
    return {
      call: name,
      count: ms.length,
      errors,
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
      megabytes: Math.round(bytes / 1e5) / 10,
    }
  })
  return { figures, failures }
}
