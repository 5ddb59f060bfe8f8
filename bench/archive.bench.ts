import type { AddressInfo } from 'node:net'
import { registerEvents } from '../apps/server/src/events/routes.ts'
import { createApp } from '../apps/server/src/http/create-app.ts'
import { registerRadar } from '../apps/server/src/radar/routes.ts'
import { registerShapefiles } from '../apps/server/src/shapefiles/routes.ts'
import { openBrowser, openPage, waitForFrame } from '../tests/browser/support.ts'
import type { BenchResult } from '../tools/bench.ts'
import { buildWeb } from '../tools/build-web.ts'
import { DAY_MS, END, openArchive, STEP_MS } from './archive-fixture.ts'

const RUNS = 5
const FRAMES = Math.floor(DAY_MS / STEP_MS)

/** A day of the archive in the browser: how long until every frame can be played. */
export async function run(): Promise<BenchResult[]> {
  await buildWeb()
  const { deps, close } = await openArchive(1)
  const app = await createApp(deps, { features: [registerRadar, registerEvents, registerShapefiles] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const browser = await openBrowser()
  try {
    const ready: number[] = []
    const whole: number[] = []
    for (let i = 0; i < RUNS; i++) {
      const times = await playable(browser, (app.server.address() as AddressInfo).port)
      ready.push(times.readyMs)
      whole.push(times.wholeMs)
    }
    const figure = (name: string, values: number[], aim?: string): BenchResult => {
      const sorted = [...values].sort((a, b) => a - b)
      return {
        name,
        value: Math.round(sorted[Math.floor(RUNS / 2)]),
        unit: 'ms',
        note: `${FRAMES} images, slowest of ${RUNS} ${Math.round(sorted[RUNS - 1])} ms`,
        ...(aim ? { aim } : {}),
      }
    }
    return [
      figure('24 h ready to play, from the first byte of the answer', ready, '≤ 1000 ms'),
      figure('24 h ready to play, from opening the address', whole),
    ]
  } finally {
    await browser.close()
    await app.close()
    await close()
  }
}

async function playable(
  browser: Parameters<typeof openPage>[0],
  port: number,
): Promise<{ readyMs: number; wholeMs: number }> {
  const session = {
    name: 'b',
    token: 'b',
    expiresIn: DAY_MS,
    expiration: Date.now() + DAY_MS,
    roles: ['manager'],
    avatar: null,
    restriction: { start: null, end: null },
    shapefiles: [],
  }
  const opened = await openPage(browser, 'about:blank', { hasWholeMaps: true })
  const { page } = opened
  await page.addInitScript((text) => {
    localStorage.setItem('radx-session', text)
    localStorage.setItem('allowCookie', 'false')
  }, JSON.stringify(session))
  let answered = 0
  page.on('response', (response) => {
    if (response.url().includes('/api/products/frames')) answered ||= performance.now()
  })
  const iso = (ms: number) => new Date(ms).toISOString()
  const from = END - DAY_MS
  const start = performance.now()
  await page.goto(`http://127.0.0.1:${port}/analyse?s=${iso(from)}&e=${iso(from + DAY_MS)}&v=1`)
  await waitForFrame(page)
  await page.waitForFunction(() => document.querySelector('[data-loading="true"]') === null)
  const end = performance.now()
  await opened.close()
  return { readyMs: end - answered, wholeMs: end - start }
}
