import type { LiveResponse } from '@radx/contracts/radar'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { latestFiles } from './latest-files.ts'
import { type RadxServer, startRadx } from './radx-server.ts'
import { type OpenPage, openBrowser, openPage, waitForFrame } from './support.ts'

// The live home on the product's own server, fed with genuine instrument files.

const BUDGET_BYTES = 350_000

let browser: Browser
let server: RadxServer
let home: OpenPage
/** Compressed bytes of script that came before the first frame was on the map. */
let scriptBytes = 0
/** Sockets that the page tried to open. */
const sockets: string[] = []

beforeAll(async () => {
  ;[browser, server] = await Promise.all([openBrowser(), startRadx()])
  await server.ingest(await latestFiles(Date.now(), 25))
  home = await openPage(browser, 'about:blank')
  const { page } = home
  page.on('websocket', (socket) => sockets.push(socket.url()))
  page.on('request', (asked) => {
    if (asked.url().includes('/socket.io')) sockets.push(asked.url())
  })
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      const drawn = document.querySelector<HTMLElement>('[data-radar-frame]')?.dataset.radarFrame
      if (!drawn) return
      performance.mark('first-frame')
      observer.disconnect()
    }).observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['data-radar-frame'],
    })
  })
  await page.goto(server.url)
  await waitForFrame(page)
  scriptBytes = await page.evaluate(() => {
    const [{ startTime: shown }] = performance.getEntriesByName('first-frame')
    const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
      ({ name, startTime }) => /\.m?js$/.test(new URL(name).pathname) && startTime < shown,
    )
    return scripts.reduce((sum, script) => sum + script.encodedBodySize, 0)
  })
})
afterAll(async () => {
  await home?.close()
  await browser?.close()
  await server?.stop()
})

const live = async (): Promise<LiveResponse> =>
  (await fetch(`${server.url}/api/products/latestImages?p=dpsri`)).json() as Promise<LiveResponse>

test('[LIVE-01] [LIVE-24] [LIVE-25] files of the radar are on the map, and what the page says is what the server says', async () => {
  const { page } = home
  const { images, isRadarDown } = await live()
  const newest = images.at(-1)
  expect(images.length).toBeGreaterThan(3)
  expect(isRadarDown).toBe(false)
  expect(await page.locator('[data-radar-frame]').getAttribute('data-radar-frame')).toBe(newest?.datetime)
  expect(await page.getByTestId('clock').textContent()).toBe(
    formatDateTimeFr(newest?.datetime ?? '', 'Europe/Paris'),
  )
  const figures = page.getByTestId('figures')
  await figures.waitFor()
  expect(await figures.textContent()).toContain(formatNumberFr(newest?.nonzerospc, 1))
})

test('[LIVE-20] readings of the station reach their panel', async () => {
  const { taranis } = await live()
  const latest = taranis?.t.findLast((reading) => reading.value !== null)?.value
  const graph = home.page.getByRole('region', { name: 'Température', exact: true })
  expect(await graph.textContent()).toContain(formatNumberFr(latest, 1))
})

test('[LIVE-10] the other product of the same radar is there too', async () => {
  const { page } = home
  await page.getByRole('button', { name: 'Produit radar : dpsri' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^sri/ }).click()
  await page.getByRole('button', { name: 'Produit radar : sri' }).waitFor()
  await waitForFrame(page)
})

test('the page needs no more script than its budget before the map shows', () => {
  expect(scriptBytes).toBeGreaterThan(100_000)
  expect(scriptBytes).toBeLessThanOrEqual(BUDGET_BYTES)
})

test('the page opens no socket: live images come by asking alone', () => {
  expect(sockets).toEqual([])
})

test('nothing on the page breaks the content security policy, and the page is without an error', () => {
  // A machine without network cannot reach the tile service; the page does without it.
  expect(
    home.errors.filter(
      (text) =>
        !/ERR_(?:NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|CONNECTION|PROXY|TIMED_OUT|ADDRESS)/.test(text),
    ),
  ).toEqual([])
})
