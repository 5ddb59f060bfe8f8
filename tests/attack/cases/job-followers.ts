import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type AttackCase, watch } from '../attack-case.ts'
import type { FloodData, FloodReport } from '../socket-flood.ts'

const LIVE_PAGE = '/api/products/latestImages?p=dpsri'

async function flood(data: FloodData): Promise<FloodReport> {
  const thread = new Worker(new URL('../socket-flood.ts', import.meta.url), { workerData: data })
  const [report] = (await once(thread, 'message')) as [FloodReport]
  await thread.terminate()
  return report
}

export const jobFollowers: AttackCase = {
  name: 'sockets: half a million job-join of nobody do not slow the live page',
  async run({ program, long }) {
    const each = long ? { emits: 250_000, milliseconds: 30_000 } : { emits: 40_000, milliseconds: 2_500 }
    const page = await watch(program, LIVE_PAGE)
    const reports = await Promise.all([
      flood({ url: program.url, token: null, ...each, sockets: 1, acknowledged: true }),
      flood({
        url: program.url,
        token: program.tokens.user,
        sockets: 20,
        ...each,
        acknowledged: false,
      }),
    ])
    const { p95, worst, failed, calls } = await page.stop()
    const wrong: string[] = []
    if (failed > 0) wrong.push(`${failed} of ${calls} live pages failed`)
    if (long && p95 > 300) wrong.push(`the live page took ${p95} ms at p95`)
    const sent = reports.reduce((sum, r) => sum + r.sent, 0)
    const closed = reports.reduce((sum, r) => sum + r.closed, 0)
    const refused = reports.reduce((sum, r) => sum + r.refused, 0)
    return {
      load: `${sent} emits of 21 attackers`,
      worstMs: worst,
      outcome: `${closed} sockets cut, ${refused} refused, page p95 ${p95} ms`,
      wrong,
    }
  },
}
