import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserServer, eventually, startBrowserServer } from './account-server.ts'
import { axe, type OpenOptions, openBrowser, openPage } from './support.ts'

/** A measurement service on the loopback that only notes what it is told. */
let collector: Server
let reports: URL[] = []
let server: BrowserServer
let browser: Browser
let leave: (() => Promise<void>)[] = []

beforeAll(async () => {
  collector = createServer((request, response) => {
    reports.push(new URL(request.url ?? '/', 'http://collector'))
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  server = await startBrowserServer({ analytics: { url: `http://127.0.0.1:${port}/stats/`, siteId: '3' } })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  collector?.close()
})
afterEach(async () => {
  for (const close of leave.splice(0)) await close()
  leave = []
  reports = []
})

async function open(path = '/a-propos', options: OpenOptions = {}) {
  const opened = await openPage(browser, server.url + path, {
    viewport: { width: 1280, height: 800 },
    storage: { allowCookie: null },
    ...options,
  })
  leave.push(opened.close)
  return opened
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Cookies et mesure d’audience' })
const management = (page: Page) => page.getByRole('dialog', { name: 'Gestion des cookies' })
const choice = (page: Page) => page.evaluate(() => localStorage.getItem('allowCookie'))
/** Reports that came while another page was looked at, as (path, title). */
const views = () =>
  reports.map((url) => `${url.pathname} ${url.searchParams.get('url')?.replace(server.url, '')}`)

describe('the choice', () => {
  test("[COOKIE-01] [COOKIE-10] [COOKIE-11] unset, the dialog asks and nothing is sent until 'Oui je suis d'accord'", async () => {
    const { page, errors } = await open()
    await dialog(page).waitFor()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.getByRole('link', { name: 'Instruments' }).click()
    await page.getByRole('link', { name: 'Se connecter' }).click()
    await page.getByLabel('Identifiant').waitFor()
    expect(sent.filter((url) => !url.startsWith(server.url))).toEqual([])
    expect(reports).toEqual([])
    await expect.poll(() => choice(page)).toBeNull()

    await dialog(page).getByRole('button', { name: "Oui je suis d'accord" }).click()
    await eventually(() => views()).toEqual(['/stats/matomo.php /compte'])
    await expect.poll(() => choice(page)).toBe('true')
    await expect.poll(() => dialog(page).count()).toBe(0)
    expect(errors).toEqual([])
  })

  test("[COOKIE-08] [COOKIE-09] 'Interdire' is kept as false: no report, no question again", async () => {
    const { page } = await open()
    await dialog(page).getByRole('button', { name: 'Interdire' }).click()
    await expect.poll(() => choice(page)).toBe('false')
    await page.reload()
    await page.getByRole('heading', { name: 'Présentation' }).waitFor()
    await page.getByRole('link', { name: 'Se connecter' }).click()
    await page.getByLabel('Identifiant').waitFor()
    await expect.poll(() => dialog(page).count()).toBe(0)
    expect(reports).toEqual([])
  })

  test('[COOKIE-09] [COOKIE-14] a kept yes starts the measurement, a page at a time, without places or periods', async () => {
    const { page } = await open('/a-propos?s=2026-03-01&lat=48.5', { storage: { allowCookie: 'true' } })
    await eventually(() => views()).toEqual(['/stats/matomo.php /a-propos'])
    await page.getByRole('link', { name: 'Se connecter' }).click()
    await eventually(() => views()).toEqual(['/stats/matomo.php /a-propos', '/stats/matomo.php /compte'])
    expect(reports[1].searchParams.get('idsite')).toBe('3')
    expect(reports[1].searchParams.get('rec')).toBe('1')
    for (const report of reports) expect(report.search).not.toMatch(/2026-03|48\.5/)
    expect(await page.context().cookies()).toEqual([])
  })
})

describe('the management', () => {
  test("[COOKIE-02] [COOKIE-03] [COOKIE-04] [COOKIE-05] 'Plus d'informations' opens two categories and one button", async () => {
    const { page } = await open()
    await dialog(page).getByRole('button', { name: "Plus d'informations" }).click()
    const box = management(page)
    const required = box.getByRole('switch', { name: 'Essentiels' })
    const analytics = box.getByRole('switch', { name: 'Mesure d’audience' })
    await expect.poll(() => required.isChecked()).toBe(true)
    await expect.poll(() => required.isDisabled()).toBe(true)
    await box.getByText('Toujours actifs').waitFor()
    await expect.poll(() => analytics.isChecked()).toBe(false)
    // Looking decides nothing: closed without a choice, the question is still there.
    await page.keyboard.press('Escape')
    await dialog(page).waitFor()
    await expect.poll(() => choice(page)).toBeNull()
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe(
      "Plus d'informations",
    )

    await dialog(page).getByRole('button', { name: "Plus d'informations" }).click()
    // By the keyboard: a forced click misses a switch that still moves with its opening dialog.
    await analytics.press('Space')
    await eventually(() => analytics.isChecked()).toBe(true)
    expect(reports).toEqual([])
    await box.getByRole('button', { name: 'Enregistrer et continuer' }).click()
    await eventually(() => views()).toEqual(['/stats/matomo.php /a-propos'])
    await expect.poll(() => choice(page)).toBe('true')
  })

  test('[COOKIE-06] the choice can be changed on the about page, and a withdrawal stops the measurement', async () => {
    const { page } = await open('/a-propos#Gestion-des-cookies', { storage: { allowCookie: 'true' } })
    await eventually(() => reports.length).toBe(1)
    await page.getByText('Vous avez accepté la mesure d’audience.').waitFor()
    await page.getByRole('button', { name: 'Modifier mon choix' }).click()
    const analytics = management(page).getByRole('switch', { name: 'Mesure d’audience' })
    await expect.poll(() => analytics.isChecked()).toBe(true)
    await analytics.press('Space')
    await eventually(() => analytics.isChecked()).toBe(false)
    await management(page).getByRole('button', { name: 'Enregistrer et continuer' }).click()
    await page.getByText('Vous avez refusé la mesure d’audience.').waitFor()
    await expect.poll(() => choice(page)).toBe('false')
    await page.getByRole('link', { name: 'Se connecter' }).click()
    await page.getByLabel('Identifiant').waitFor()
    expect(reports).toHaveLength(1)
  })

  test.each(['light', 'dark'] as const)(
    'dialog and management have no accessibility fault in %s',
    async (scheme) => {
      const { page } = await open('/compte', { scheme })
      await dialog(page).waitFor()
      const faults = async () =>
        (await axe(page).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)
      expect(await faults()).toEqual([])
      await dialog(page).getByRole('button', { name: "Plus d'informations" }).click()
      await management(page).getByText('Toujours actifs').waitFor()
      await page.waitForFunction(() => document.getAnimations().length === 0)
      expect(await faults()).toEqual([])
    },
  )
})
