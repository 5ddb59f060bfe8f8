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
    const emits = long ? 500_000 : 60_000
    const page = watch(program, LIVE_PAGE)
    const reports = [
      await flood({ url: program.url, token: null, sockets: 1, emits: emits / 2, acknowledged: true }),
      await flood({
        url: program.url,
        token: program.tokens.user,
        sockets: 20,
        emits: emits / 2,
        acknowledged: false,
      }),
    ]
    const { p95, worst, failed, calls } = await page.stop()
    const wrong: string[] = []
    if (failed > 0) wrong.push(`${failed} of ${calls} live pages failed`)
    if (long && p95 > 300) wrong.push(`the live page took ${p95} ms at p95`)
    const sent = reports.reduce((sum, r) => sum + r.sent, 0)
    const closed = reports.reduce((sum, r) => sum + r.closed, 0)
    return {
      load: `${sent} emits on 21 sockets`,
      worstMs: worst,
      outcome: `${closed} sockets closed, page p95 ${p95} ms`,
      wrong,
    }
  },
}
