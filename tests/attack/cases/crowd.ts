import { startCachingProxy } from '../../load/caching-proxy.ts'
import { bringCrowd } from '../../load/crowd.ts'
import { type AttackCase, watch } from '../attack-case.ts'

/** What one visitor with one spelling of encodings asks for; a crowd may cost a few times that, not once a visitor. */
const MOST = 150

export const stormCrowd: AttackCase = {
  name: 'storm crowd: behind a cache the work does not grow with the visitors',
  async run({ program, long }) {
    const visitors = long ? 2000 : 200
    const [arriveMs, stayMs] = long ? [20_000, 40_000] : [2_000, 4_000]
    const proxy = await startCachingProxy(program.url)
    const watched = await watch(program)
    try {
      const page = await (await fetch(program.url, { headers: { accept: 'text/html' } })).text()
      const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1])
      const place = { lat: 48.8, lng: 2.6 }
      const plan = { url: proxy.url, visitors, assets, place, arriveMs, stayMs, pauseMs: stayMs / 2 }
      const { calls, failures, p95 } = await bringCrowd(plan)
      const { p99, worst, failed } = await watched.stop()
      const passed = proxy.passed()
      const wrong = Object.entries(failures).map(([what, count]) => `${what}: ${count} times`)
      if (failed > 0) wrong.push(`${failed} innocent calls failed`)
      // A minute is answered anew every ten seconds at most, a few calls in three encodings each.
      if (passed > MOST + (stayMs / 1000) * 10) wrong.push(`the program answered ${passed} of ${calls} calls`)
      if (long && p99 > 300) wrong.push(`/healthz took ${p99} ms at p99`)
      wrong.push(
        ...(await sharedWrongly(
          program.url,
          await program.call('user', '/api/products/latestImages?p=dpsri'),
        )),
      )
      return {
        load: `${visitors} visitors, ${calls} calls through a cache`,
        worstMs: worst,
        outcome: `${passed} calls reached the program, p95 ${p95} ms`,
        wrong,
      }
    } finally {
      await watched.stop()
      await proxy.close()
    }
  },
}

/** What must not be kept for others: answers to who is signed in, refusals, and the archive. */
async function sharedWrongly(url: string, signedIn: Response): Promise<string[]> {
  const wrong: string[] = []
  const control = (answer: Response) => answer.headers.get('cache-control') ?? ''
  if (!control(signedIn).includes('private')) wrong.push(`an answer to a session is ${control(signedIn)}`)
  const old = `s=2020-01-01T00:00:00Z&e=2020-01-01T01:00:00Z`
  for (const path of [`/api/products/frames?p=dpsri&${old}`, '/api/jobs/multihydro', '/api/none']) {
    const answer = await fetch(url + path)
    if (answer.ok || !/no-store|private/.test(control(answer)))
      wrong.push(`${path} answers ${answer.status}, ${control(answer)}`)
  }
  return wrong
}
