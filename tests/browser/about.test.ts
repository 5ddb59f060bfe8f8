import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type BrowserServer, eventually, startBrowserServer } from './account-server.ts'
import { axe, type OpenOptions, openBrowser, openPage } from './support.ts'

let server: BrowserServer
let browser: Browser
let leave: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startBrowserServer()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(async () => {
  for (const close of leave.splice(0)) await close()
  leave = []
})

async function open(hash = '', options: OpenOptions = {}) {
  const opened = await openPage(browser, `${server.url}/a-propos${hash}`, {
    ...options,
    storage: { allowCookie: 'false' },
  })
  leave.push(opened.close)
  await opened.page.getByRole('heading', { level: 2, name: 'Présentation' }).waitFor()
  return opened
}

test('[SHELL-02] [SHELL-16] [ABOUT-01] [ABOUT-02] [ABOUT-03] visitors read what RadX is, its version and who supports it', async () => {
  const { page, errors } = await open()
  await expect.poll(() => page.title()).toBe('À propos')
  const presentation = page.getByRole('region', { name: 'Présentation' })
  await expect.poll(() => presentation.getByText('Version 3.0.1').count()).toBe(1)
  const partners = presentation.getByRole('list', { name: 'Partenaires' })
  await expect.poll(() => partners.getByRole('img').count()).toBeGreaterThanOrEqual(3)
  await expect
    .poll(() => presentation.textContent())
    .toMatch(
      /radar météorologique à double polarisation en bande X, exploité par une école d’ingénieurs.*Île-de-France.*en direct.*archive/,
    )
  // Facts of this site's radar, not of any radar.
  const text = await presentation.textContent()
  for (const fact of ['3,2\u00a0cm', '9,4\u00a0GHz', '250\u00a0m', '3\u00a0min 26\u00a0s'])
    expect(text?.replaceAll('min\u00a026', 'min 26')).toContain(fact)
  expect(errors).toEqual([])
})

test('[ABOUT-04] every instrument of the platform has its figure and what it measures', async () => {
  const { page } = await open()
  const instruments = page.getByRole('region', { name: 'Instruments' })
  for (const [name, measured] of [
    ['Radar en bande X à double polarisation', 'Réflectivité'],
    ['Micro radar de pluie', 'Spectre Doppler'],
    ['Disdromètre', 'Diamètre et vitesse de chaque goutte'],
    ['Station météorologique', 'Température'],
    ['Anémomètre 3D', 'composantes du vent'],
  ]) {
    const item = instruments.getByRole('article', { name })
    await expect.poll(() => item.locator('svg').count(), { message: name }).toBe(1)
    await expect.poll(() => item.textContent(), { message: name }).toContain(measured)
  }
})

test('[ABOUT-05] the online help tells mouse, keyboard and touch', async () => {
  const { page } = await open()
  const help = page.getByRole('region', { name: 'Aide en ligne RadX' })
  for (const group of ['Souris', 'Clavier', 'Écran tactile'])
    await expect
      .poll(() => help.getByRole('region', { name: group }).locator('dt').count(), { message: group })
      .toBeGreaterThan(4)
  await expect
    .poll(() => help.getByRole('region', { name: 'Clavier' }).textContent())
    .toMatch(/Zlecture ou pauseQimage précédenteDimage suivante/)
})

test('[ABOUT-06] [COOKIE-06] each of the four anchors brings its section into view, also on arrival', async () => {
  const { page } = await open()
  for (const id of ['Présentation', 'Instruments', 'Aide-en-ligne-RadX', 'Gestion-des-cookies']) {
    await page.goto(`${server.url}/compte`)
    await page.goto(`${server.url}/a-propos#${id}`)
    await eventually(() =>
      page.evaluate((anchor) => {
        const box = document.getElementById(anchor)?.getBoundingClientRect()
        return box !== undefined && box.top < innerHeight / 2 && box.bottom > 100
      }, id),
    ).toBe(true)
  }
})

test.each([
  ['light', 1440, 900],
  ['dark', 390, 844],
] as const)('the page has no accessibility fault and fits in %s at %i px', async (scheme, width, height) => {
  const { page } = await open('', { scheme, viewport: { width, height } })
  expect((await axe(page).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([])
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0)
})

test('who chooses English reads the page, its guide and refusals in English, and finds French again', async () => {
  const { page, errors } = await open()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('fr')
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: 'English' }).click()
  await page.getByRole('heading', { level: 2, name: 'Presentation' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/a-propos')
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en')
  await expect.poll(() => page.title()).toBe('About')
  await page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: 'Live' })
    .waitFor()
  // Numbers too.
  await expect
    .poll(() => page.getByRole('region', { name: 'Presentation' }).textContent())
    .toMatch(/3\.2\u00a0cm/)
  await footer.getByRole('link', { name: 'Guide' }).click()
  await page.getByRole('heading', { level: 1, name: 'Guide' }).waitFor()
  await page.getByRole('link', { name: /See the rain, without an account/ }).click()
  await page.getByRole('heading', { level: 2, name: 'Read the colours' }).waitFor()
  await page.goto(`${server.url}/compte`)
  await page.getByLabel('User name').fill('alice')
  await page.getByLabel('Password', { exact: true }).fill('not that one')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Wrong user name or password.').waitFor()
  await footer.getByRole('link', { name: 'Français' }).click()
  await page.getByRole('button', { name: 'Connexion', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/compte')
  expect(errors.filter((error) => !/401/.test(error))).toEqual([])
})

test('a browser that speaks no French is offered English once, and keeps French unless it is taken', async () => {
  const { page } = await open('', { locale: 'en-GB' })
  const offer = page.getByRole('complementary', { name: 'This site is also in English.' })
  await offer.getByRole('button', { name: 'No thanks' }).click()
  await expect.poll(() => offer.count()).toBe(0)
  await page.reload()
  await page.getByRole('heading', { level: 2, name: 'Présentation' }).waitFor()
  // What comes after the page's content is there, and the offer is not.
  await page.getByRole('list', { name: 'Partenaires' }).first().waitFor()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('radx-language-offer'))).toBe('seen')
  expect(await offer.count()).toBe(0)
})
