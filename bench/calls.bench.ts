import { resolve } from 'node:path'
import { registerExports } from '../apps/server/src/exports/routes.ts'
import { registerGauges } from '../apps/server/src/gauges/routes.ts'
import { createApp } from '../apps/server/src/http/create-app.ts'
import { registerRadar } from '../apps/server/src/radar/routes.ts'
import { registerReports } from '../apps/server/src/reports/routes.ts'
import { registerStorms } from '../apps/server/src/storms/routes.ts'
import type { BenchResult } from '../tools/bench.ts'
import { DATA_DIR, DAY_MS, DAYS, END, followed, gaugesOf, openArchive, STEP_MS } from './archive-fixture.ts'

const RUNS = 15

/** Calls over the archive: they must not grow with its length. */
export async function run(): Promise<BenchResult[]> {
  const archive = await openArchive()
  const { deps, store, close } = archive
  const app = await createApp(deps, {
    features: [registerRadar, registerExports, registerStorms, registerGauges, registerReports],
    webDir: resolve(DATA_DIR),
  })
  try {
    const results: BenchResult[] = []
    const measure = async (name: string, url: string, aim?: string, headers: Record<string, string> = {}) => {
      const times: number[] = []
      let bytes = 0
      for (let i = 0; i < RUNS; i++) {
        const before = performance.now()
        const answer = await app.inject({ url, headers: { authorization: 'Bearer b', ...headers } })
        times.push(performance.now() - before)
        if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
        bytes = answer.rawPayload.length
      }
      times.sort((a, b) => a - b)
      results.push({
        name,
        value: Math.round(times[Math.floor(RUNS / 2)] * 10) / 10,
        unit: 'ms',
        note: `${DAYS} days stored, slowest of ${RUNS} ${Math.round(times[RUNS - 1])} ms, ${Math.round(bytes / 1000)} kB`,
        ...(aim ? { aim } : {}),
      })
    }
    const iso = (ms: number) => new Date(ms).toISOString()
    const day = `s=${iso(END - 40 * DAY_MS)}&e=${iso(END - 39 * DAY_MS)}`
    const month = `s=${iso(END - 62 * DAY_MS)}&e=${iso(END - 31 * DAY_MS)}`
    const p = 'p=dpsri'
    await measure('live window', `/api/products/latestImages?${p}`)
    await measure('month calendar', `/api/products/month/2026-04?${p}`, '≤ 50 ms')
    await measure('hours of a day with a catchment', `/api/products/hours/2026-04-20?${p}&c=melun`)
    await measure('archive of 24 h with a catchment', `/api/products/archive?${p}&${day}&c=melun`)
    await measure('pixel over a month', `/api/products/pixel?${p}&${month}&lat=48.53&lng=2.66`, '≤ 100 ms')
    await measure('class bundle of 24 h, zstd', `/api/products/frames?${p}&${day}`, '≤ 1000 ms', {
      'accept-encoding': 'zstd',
    })
    await measure('class bundle of 24 h, gzip', `/api/products/frames?${p}&${day}`, '≤ 1000 ms', {
      'accept-encoding': 'gzip',
    })
    await measure('accumulation of 24 h', `/api/products/accumulation?${p}&${day}`)
    const csv = 'T;a;b;durée min;durée max\n5;4;0,6;6;1440\n10;5;0,6;6;1440\n'
    const made = await app.inject({
      method: 'PUT',
      url: '/api/storms/tables',
      headers: { authorization: 'Bearer b' },
      payload: { name: 'Bench', units: 'mm-min', source: { csv } },
    })
    const points = (of: (k: number) => [lat: number, lng: number]) =>
      Array.from({ length: 12 }, (_, k) =>
        of(k)
          .map((degrees) => degrees.toFixed(2))
          .join(','),
      ).join(';')
    const near = points((k) => [48.52 + k / 100, 2.66])
    const far = points((k) => [48.5 + (k % 4) / 10, 2.4 + Math.floor(k / 4) / 5])
    const monthSpan = { startMs: END - 62 * DAY_MS, endMs: END - 31 * DAY_MS }
    const wide = { startMs: monthSpan.startMs - DAY_MS, endMs: monthSpan.endMs + DAY_MS }
    await followed(archive, wide)
    await gaugesOf(archive, 50, monthSpan)
    for (const method of ['raw', 'moved'])
      await measure(
        `accumulation of a month${method === 'moved' ? ', rain as it moved' : ''}`,
        `/api/products/accumulation?${p}&${month}&method=${method}`,
      )
    await measure(
      'pixel over a month, rain as it moved',
      `/api/products/pixel?${p}&${month}&lat=48.53&lng=2.66`,
      '≤ 100 ms',
    )
    for (const method of ['raw', 'moved'])
      for (const [where, g] of [
        ['12 gauges', near],
        ['12 gauges far from each other', far],
      ])
        await measure(
          `return periods of ${where} over a month${method === 'moved' ? ', rain as it moved' : ''}`,
          `/api/storms/return-periods?${p}&${month}&g=${g}&table=${made.json().id}&method=${method}`,
          '≤ 200 ms',
        )
    for (const method of ['raw', 'moved'])
      await measure(
        `a month of 50 gauges compared${method === 'moved' ? ', rain as it moved' : ''}`,
        `/api/gauges/comparison?${p}&${month}&step=15&method=${method}`,
        '≤ 300 ms',
      )
    await measure(
      'report of a day with 12 gauges, PDF',
      `/api/reports/event.pdf?${p}&${day}&c=melun&g=${near}&table=${made.json().id}`,
      '≤ 10 000 ms',
    )
    await app.inject({
      method: 'DELETE',
      url: `/api/storms/tables/${made.json().id}`,
      headers: { authorization: 'Bearer b' },
    })
    const product = store.catalog.products.get('dpsri')!
    const times: number[] = []
    for (let i = 0; i < RUNS; i++) {
      const before = performance.now()
      await store.index.summaries(product, { startMs: END - 62 * DAY_MS, endMs: END - 31 * DAY_MS }, 'melun')
      times.push(performance.now() - before)
    }
    times.sort((a, b) => a - b)
    results.push({
      name: 'catchment over a month',
      value: Math.round(times[Math.floor(RUNS / 2)] * 10) / 10,
      unit: 'ms',
      note: `${Math.round((31 * DAY_MS) / STEP_MS)} frames`,
      aim: '≤ 50 ms',
    })
    const year = `s=${iso(END - 365 * DAY_MS)}&e=${iso(END)}`
    const before = process.memoryUsage().rss
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 5)
    await measure('pixel over a year', `/api/products/pixel?${p}&${year}&lat=48.53&lng=2.66`)
    await measure(
      'hyetogram of a catchment over a year, CSV',
      `/api/products/hyetogram.csv?${p}&${year}&c=melun`,
    )
    clearInterval(watch)
    results.push({
      name: 'more memory for selections of a year, one after another',
      value: Math.round((peak - before) / 2 ** 20),
      unit: 'MiB',
      note: `largest ${Math.round(peak / 2 ** 20)} MiB`,
    })
    return results
  } finally {
    await app.close()
    await close()
  }
}
