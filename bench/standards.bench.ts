import { resolve } from 'node:path'
import { createApp } from '../apps/server/src/http/create-app.ts'
import { registerOgc } from '../apps/server/src/ogc/routes.ts'
import { registerRadar } from '../apps/server/src/radar/routes.ts'
import type { BenchResult } from '../tools/bench.ts'
import { DATA_DIR, DAY_MS, DAYS, END, openArchive } from './archive-fixture.ts'

const RUNS = 15
/** Calls of the same picture, many at once. */
const CACHED = 2_000
const AT_ONCE = 32

/** What other tools ask for by the standards, over an archive of months. */
export async function run(): Promise<BenchResult[]> {
  const { deps, close } = await openArchive()
  const app = await createApp(deps, { features: [registerRadar, registerOgc], webDir: resolve(DATA_DIR) })
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ url, headers: { authorization: 'Bearer b', ...headers } })
    if (answer.statusCode !== 200 && answer.statusCode !== 304)
      throw new Error(`${url}: ${answer.statusCode} ${answer.body.slice(0, 300)}`)
    return answer
  }
  try {
    const results: BenchResult[] = []
    const measure = async (name: string, aim: string, url: (k: number) => string) => {
      const times: number[] = []
      let bytes = 0
      for (let k = 0; k < RUNS; k++) {
        const before = performance.now()
        bytes = (await get(url(k))).rawPayload.length
        times.push(performance.now() - before)
      }
      times.sort((a, b) => a - b)
      results.push({
        ...{ name, aim, unit: 'ms', value: Math.round(times[Math.floor(RUNS / 2)] * 10) / 10 },
        note: `${DAYS} days stored, slowest of ${RUNS} ${Math.round(times[RUNS - 1])} ms, ${Math.round(bytes / 1000)} kB`,
      })
    }
    const iso = (ms: number) => new Date(ms).toISOString()
    const month = `datetime=${iso(END - 62 * DAY_MS)}/${iso(END - 31 * DAY_MS)}`
    const day = `datetime=${iso(END - 40 * DAY_MS)}/${iso(END - 39 * DAY_MS)}`
    const edr = '/ogc/edr/collections/dpsri'
    await measure(
      'EDR position over a month',
      '≤ 100 ms',
      () => `${edr}/position?coords=POINT(2.66 48.53)&${month}`,
    )
    await measure('EDR mean of a catchment over a day', '≤ 150 ms', () => `${edr}/locations/melun?${day}`)
    const ring = '2.62 48.52,2.7 48.52,2.7 48.58,2.62 48.58,2.62 48.52'
    await measure(
      'EDR cells of an outline over a day',
      '≤ 150 ms',
      () => `${edr}/area?coords=POLYGON((${ring}))&${day}`,
    )
    const map = (ms: number) =>
      `/ogc/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=dpsri&STYLES=&CRS=EPSG:3857&BBOX=220000,6180000,360000,6320000&WIDTH=256&HEIGHT=256&FORMAT=image/png&TIME=${iso(ms)}`
    // Each of another moment: none is kept yet.
    await measure('WMS picture from the store', '≤ 80 ms', (k) => map(END - 40 * DAY_MS + k * 900_000))
    const url = map(END - 40 * DAY_MS)
    const { etag } = (await get(url)).headers
    for (const [name, headers] of [
      ['WMS pictures a second from memory', {}],
      ['WMS pictures a second by entity tag', { 'if-none-match': String(etag) }],
    ] as const) {
      const before = performance.now()
      for (let k = 0; k < CACHED; k += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, () => get(url, headers)))
      const value = Math.round((1000 * CACHED) / (performance.now() - before))
      results.push({ name, value, unit: '/s', aim: '≥ 500 /s', note: `${AT_ONCE} at once, one process` })
    }
    return results
  } finally {
    await app.close()
    await close()
  }
}
