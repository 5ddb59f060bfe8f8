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
  await expect
    .poll(() => page.locator('[data-radar-frame]').getAttribute('data-radar-frame'))
    .toBe(newest?.datetime)
  await expect
    .poll(() => page.getByTestId('clock').textContent())
    .toBe(formatDateTimeFr(newest?.datetime ?? '', 'Europe/Paris'))
  const figures = page.getByTestId('figures')
  await figures.waitFor()
  await expect.poll(() => figures.textContent()).toContain(formatNumberFr(newest?.nonzerospc, 1))
})

test('[LIVE-20] readings of the station reach their panel', async () => {
  const { taranis } = await live()
  const latest = taranis?.t.findLast((reading) => reading.value !== null)?.value
  const graph = home.page.getByRole('region', { name: 'Température', exact: true })
  await expect.poll(() => graph.textContent()).toContain(formatNumberFr(latest, 1))
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

test('a newcomer is offered a tour, takes it by keyboard past five things, and is not asked again', async () => {
  const { page, errors, close } = await openPage(browser, server.url, {
    storage: { 'radx-tour': null },
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  const offer = page.getByRole('region', { name: 'Visite' })
  await offer.waitFor()
  // It takes no focus and covers no command of the map.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  await page.getByRole('button', { name: 'Lecture' }).click({ trial: true })
  await offer.getByRole('button', { name: 'Commencer' }).press('Enter')
  const card = page.locator('[data-step]')
  const seen: string[] = []
  const targets: Record<string, string> = { analysis: '/analyse', simulation: '/multihydro' }
  for (const name of ['play', 'place', 'analysis', 'simulation', 'account']) {
    await page.locator(`[data-step="${name}"]`).waitFor()
    // The heading of the step has the focus, not the page.
    await page.locator(`[data-step="${name}"] h2:focus`).waitFor()
    seen.push((await page.locator('h2:focus').textContent()) ?? '')
    // Beside what it speaks of, never over it, once it has its place.
    const apart = async () => {
      const [at, target] = await Promise.all([
        card.boundingBox(),
        page.locator(`[data-tour="${targets[name] ?? name}"]`).boundingBox(),
      ])
      return (
        at!.y >= target!.y + target!.height ||
        at!.y + at!.height <= target!.y ||
        at!.x >= target!.x + target!.width ||
        at!.x + at!.width <= target!.x
      )
    }
    await expect.poll(apart, { message: name }).toBe(true)
    if (name !== 'account') await card.getByRole('button', { name: 'Suivant' }).press('Enter')
  }
  expect(seen.map((text) => text.match(/\d sur 5/)?.[0])).toEqual([1, 2, 3, 4, 5].map((n) => `${n} sur 5`))
  await page.keyboard.press('Escape')
  await card.waitFor({ state: 'detached' })
  await page.reload()
  await waitForFrame(page)
  await page.locator('aside [data-testid], aside canvas').first().waitFor()
  await expect.poll(() => offer.count()).toBe(0)
  // The machine of the test may have no network for map tiles.
  expect(errors.filter((error) => !error.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([])
  await close()
})

test('the tour can be refused at once, and asked for again from the guide, whose pages and pictures come', async () => {
  const { page, errors, close } = await openPage(browser, server.url, {
    storage: { 'radx-tour': null },
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
  })
  const offer = page.getByRole('region', { name: 'Visite' })
  await offer.getByRole('button', { name: 'Non merci' }).click()
  await offer.waitFor({ state: 'detached' })
  await page.getByRole('contentinfo').getByRole('link', { name: 'Guide' }).click()
  for (const name of ['Visiteur', 'Hydrologue', 'Ingénieur d’astreinte', 'Exploitant']) {
    await page.getByRole('navigation', { name: 'Pages du guide' }).getByRole('link', { name }).click()
    const pictures = page.locator('main figure img')
    await pictures.first().waitFor()
    await page.waitForFunction(() => {
      const all = [...document.querySelectorAll<HTMLImageElement>('main figure img')]
      for (const one of all) one.loading = 'eager'
      return all.every((one) => one.complete && one.naturalWidth > 300)
    })
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    await expect.poll(wide, { message: name }).toBe(false)
  }
  await page.getByRole('link', { name: 'Guide', exact: true }).first().click()
  await page.getByRole('link', { name: 'Refaire la visite du direct' }).click()
  await offer.getByRole('button', { name: 'Commencer' }).click()
  await page.locator('[data-step="play"]').waitFor()
  // In a narrow window the menu's button stands for what it holds.
  const next = page.getByRole('button', { name: 'Suivant', exact: true })
  await next.click()
  await next.click()
  await expect
    .poll(async () => {
      const [card, menu] = await Promise.all([
        page.locator('[data-step="analysis"]').boundingBox(),
        page.locator('[data-tour="menu"]').boundingBox(),
      ])
      return card!.y - menu!.y - menu!.height
    })
    .toBeGreaterThan(0)
  // The machine of the test may have no network for map tiles.
  expect(errors.filter((error) => !error.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([])
  await close()
})

test('hours are shown in UTC by a switch of the header, kept in this browser', async () => {
  const { page, close } = await openPage(browser, server.url)
  try {
    await waitForFrame(page)
    const { images } = await live()
    const newest = images.at(-1)!.datetime
    const clock = (zone: string) => page.getByText(formatDateTimeFr(newest, zone)).first()
    await clock('Europe/Paris').waitFor()
    await page.getByRole('button', { name: 'Heure de Paris\u202f: afficher les heures en UTC' }).click()
    await clock('UTC').waitFor()
    await page.reload()
    await waitForFrame(page)
    await clock('UTC').waitFor()
    await page.getByRole('button', { name: 'Heures UTC\u202f: afficher l’heure de Paris' }).click()
    await clock('Europe/Paris').waitFor()
  } finally {
    await close()
  }
})

test('without a network the application opens with the last frames that were seen', async () => {
  const { page, close } = await openPage(browser, server.url, { serviceWorkers: 'allow', isFresh: true })
  try {
    await waitForFrame(page)
    const kept = () =>
      page.evaluate(async () => {
        const answers = await (await caches.open('radx-answers')).keys()
        return answers.map(({ url }) => new URL(url).pathname)
      })
    await expect.poll(kept, { timeout: 60_000 }).toContain('/api/products/latestImages')
    const manifest = await page.locator('link[rel="manifest"]').getAttribute('href')
    const { icons } = await (await fetch(new URL(manifest!, server.url))).json()
    for (const { src } of icons) expect((await fetch(new URL(src, server.url))).status).toBe(200)
    const drawn = await page.locator('[data-radar-frame]').getAttribute('data-radar-frame')
    // As a machine without a network says; the browser's own way leaves it out after a reload.
    await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false }))
    await page.context().setOffline(true)
    await page.reload()
    await waitForFrame(page)
    expect(await page.locator('[data-radar-frame]').getAttribute('data-radar-frame')).toBe(drawn)
    await page.getByRole('status').filter({ hasText: 'Hors ligne' }).waitFor()
  } finally {
    await close()
  }
})
