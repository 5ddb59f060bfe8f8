import type { Browser, CDPSession, Page } from 'playwright-core'
import { openPage } from '../tests/browser/support.ts'
import type { BenchServer } from './radx-server.ts'

/** An empty page of a signed-in reader at 1440 x 900 that notes its long tasks, and a line to what the browser counts. */
export async function openWatched(browser: Browser, { session }: BenchServer) {
  const { page, close } = await openPage(browser, 'about:blank', {
    viewport: { width: 1440, height: 900 },
    hasWholeMaps: true,
    storage: {
      'radx-session': JSON.stringify({ ...session, expiration: Date.now() + session.expiresIn }),
    },
  })
  await page.addInitScript(() => {
    const told: { at: number; ms: number }[] = []
    Object.assign(window, { longTasks: told })
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) told.push({ at: startTime, ms: duration })
    }).observe({ type: 'longtask', buffered: true })
  })
  page.setDefaultTimeout(120_000)
  const client = await page.context().newCDPSession(page)
  // In time of the processor: other work of the machine is not the page's.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  return { page, client, close }
}

/** What the browser counts of a page: times of the processor in s. */
export const metrics = async (client: CDPSession): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await client.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]),
  )

/** Long tasks since the last time, the longest first, ms. */
export const longTasks = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    const { longTasks } = window as unknown as { longTasks: { ms: number }[] }
    return longTasks
      .splice(0)
      .map(({ ms }) => ms)
      .sort((a, b) => b - a)
  })
