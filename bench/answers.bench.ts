import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { registerExports } from '../apps/server/src/exports/routes.ts'
import { createApp } from '../apps/server/src/http/create-app.ts'
import { registerRadar } from '../apps/server/src/radar/routes.ts'
import type { BenchResult } from '../tools/bench.ts'
import type { Called, Calls } from './answer-callers.ts'
import { DATA_DIR, DAY_MS, END, openArchive } from './archive-fixture.ts'

const DAYS = 40
const USERS = 20
const CALLS = 20
const iso = (ms: number) => new Date(ms).toISOString()

/** Answers that are made in threads, alone and when everybody asks at once. */
export async function run(): Promise<BenchResult[]> {
  const { deps, close } = await openArchive(DAYS)
  const sessions = {
    resolve: async (token: string) => ({ userId: token, name: token, roles: ['manager'], restriction: null }),
  }
  const app = await createApp(
    { ...deps, sessions },
    { features: [registerRadar, registerExports], webDir: resolve(DATA_DIR) },
  )
  try {
    const results: BenchResult[] = []
    const measure = async (name: string, path: string, runs: number, aim?: string) => {
      const times: number[] = []
      let bytes = 0
      for (let k = 0; k <= runs; k++) {
        const before = performance.now()
        const answer = await app.inject({ url: path, headers: { authorization: 'Bearer u' } })
        if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`)
        bytes = answer.rawPayload.length
        // The first one starts the thread.
        if (k > 0) times.push(performance.now() - before)
      }
      times.sort((a, b) => a - b)
      results.push({
        name,
        value: Math.round(times[Math.floor(runs / 2)]),
        unit: 'ms',
        note: `slowest of ${runs} ${Math.round(times[runs - 1])} ms, ${Math.round(bytes / 1000)} kB`,
        ...(aim ? { aim } : {}),
      })
    }
    const selection = (from: number, to: number) => `p=dpsri&s=${iso(from)}&e=${iso(to)}`
    const gauges = Array.from({ length: 12 }, (_, k) => `${48.5 + k / 200},${2.62 + k / 200}`).join(';')
    const month = selection(END - 30 * DAY_MS, END)
    const day = selection(END - 2 * DAY_MS, END - DAY_MS)
    await measure(
      'xlsx of 30 days, 12 gauges',
      `/api/products/export.xlsx?${month}&c=melun&g=${gauges}`,
      3,
      '≤ 3000 ms',
    )
    await measure('chart of 24 h', `/api/products/graph?${day}&t=hyetogram&c=melun`, 9, '≤ 300 ms')
    await measure('chart of 30 days', `/api/products/graph?${month}&t=hyetogram&c=melun`, 3)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as { port: number }
    const users = Array.from({ length: USERS }, (_, u) => ({
      token: `user${u}`,
      paths: Array.from({ length: CALLS }, (_, k) => {
        const from = END - 3 * DAY_MS + (u * CALLS + k) * 60_000
        return `/api/products/graph?${selection(from, from + DAY_MS)}&t=hyetogram&c=melun`
      }),
    }))
    const called = await call({ url: `http://127.0.0.1:${port}`, users, watched: '/healthz', everyMs: 20 })
    const sorted = called.watchedMs.sort((a, b) => a - b)
    results.push({
      name: `/healthz p99 while ${USERS} users each ask for ${CALLS} charts`,
      value: Math.round(sorted[Math.floor(sorted.length * 0.99)] * 10) / 10,
      unit: 'ms',
      note: `median ${sorted[sorted.length >> 1].toFixed(1)} ms, worst ${sorted[sorted.length - 1].toFixed(1)} ms of ${sorted.length}; ${JSON.stringify(called.statuses)} in ${called.seconds.toFixed(0)} s`,
      aim: '≤ 100 ms',
    })
    return results
  } finally {
    await app.close()
    await close()
  }
}

function call(calls: Calls): Promise<Called> {
  return new Promise((done, fail) => {
    const thread = new Worker(new URL('./answer-callers.ts', import.meta.url), { workerData: calls })
    thread.once('message', done)
    thread.once('error', fail)
  })
}
