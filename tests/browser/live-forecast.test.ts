import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Nowcast, NowcastFan, NowcastMotion, NowcastPlace } from '@radx/contracts/nowcast'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { showers } from '@radx/motion/testing/weather'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadSite } from '../../apps/server/src/config/site.ts'
import { rainFile } from '../../apps/server/src/testing/rain-files.ts'
import { type RadxServer, startRadx } from './radx-server.ts'
import { openBrowser, openPage, waitForFrame } from './support.ts'

/** A radar of few cells, and what it saw up to now: the server forecasts from it, and no answer is made up. */
const STEPS = 100
const STEP_MS = 206_000
const FRAMES = 22
const LAST_MS = Math.floor(Date.now() / 1000) * 1000 - 30_000

let siteDir: string
let radx: RadxServer
let browser: Browser

beforeAll(async () => {
  const whole = resolve(import.meta.dirname, '../../site')
  siteDir = mkdtempSync(join(tmpdir(), 'radx-site-'))
  const { products, ...rest } = JSON.parse(readFileSync(join(whole, 'site.json'), 'utf8'))
  const small = products.map((product: object) => ({ ...product, steps: STEPS }))
  cpSync(whole, siteDir, { recursive: true })
  writeFileSync(join(siteDir, 'site.json'), JSON.stringify({ ...rest, products: small }))
  ;[browser, radx] = await Promise.all([openBrowser(), startRadx({ SITE_DIR: siteDir })])
  const { site } = await loadSite(siteDir)
  const minutes = Array.from({ length: FRAMES }, (_, k) => (k * STEP_MS) / 60_000)
  const frames = showers({ nrows: STEPS, ncols: STEPS }, [0.15, 0.05], minutes, 4)
  await radx.ingest(
    ['sri', 'dpsri'].flatMap((product) =>
      frames.map(({ rateMmH }, k) =>
        rainFile(site, {
          product,
          timeMs: LAST_MS - (FRAMES - 1 - k) * STEP_MS,
          rate: (i) => rateMmH[i],
        }),
      ),
    ) as Parameters<typeof radx.ingest>[0],
  )
  // Members follow the forecast.
  await vi.waitFor(async () => expect((await call<Nowcast>('')).members).toBeGreaterThan(0), {
    timeout: 600_000,
    interval: 500,
  })
}, 900_000)

afterAll(async () => {
  await browser?.close()
  await radx?.stop()
  rmSync(siteDir, { recursive: true, force: true })
})

async function call<T>(path: string): Promise<T> {
  const answer = await fetch(`${radx.url}/api/nowcast${path}`)
  return (await answer.json()) as T
}

const plain = (text: string | null) => (text ?? '').replace(/\s/g, ' ')
const track = (page: Page) => page.getByRole('slider', { name: 'Prévision' })

test('a server’s own forecast: its words, its images, its probabilities and arrows, and the way back', async () => {
  const about = await call<Nowcast>('')
  expect(about).toMatchObject({ product: 'sri', reason: null })
  expect(about.horizonMin).toBeGreaterThanOrEqual(20)
  const { page, errors, close } = await openPage(browser, radx.url)
  page.setDefaultTimeout(120_000)
  try {
    await waitForFrame(page)
    const newest = await page.getByTestId('clock').textContent()
    await page
      .getByTestId('forecast-track')
      .getByText(`fiable jusqu’à ${about.horizonMin}\u00a0min aujourd’hui`)
      .waitFor()
    await track(page).press('ArrowRight')
    await track(page).press('ArrowRight')
    await waitForFrame(page)
    const map = page.locator('[data-radar-frame]')
    await expect.poll(() => map.getAttribute('data-forecast')).toBe('true')
    const badge = page.getByTestId('forecast-badge')
    await expect
      .poll(async () => plain(await badge.textContent()))
      .toMatch(/Prévision dans \d+ min.*de sri, sur la grille de dpsri/)

    const chances = page.waitForResponse((answer) => /\/chances\?.*above=0\.4/.test(answer.url()))
    await page.getByLabel('Voir').selectOption('Probabilité de plus de 0,4\u00a0mm/h')
    expect((await chances).status()).toBe(200)
    await page.getByRole('region', { name: 'Probabilité de plus de 0,4\u00a0mm/h' }).waitFor()
    await waitForFrame(page)
    const moved = page.waitForResponse((answer) => answer.url().includes('/api/nowcast/motion'))
    await page.getByRole('button', { name: 'Déplacement', exact: true }).click()
    const { arrows } = (await (await moved).json()) as NowcastMotion
    expect(arrows.length).toBeGreaterThan(0)
    await expect.poll(() => page.getByText('Le déplacement n’a pas pu être lu').count()).toBe(0)

    await track(page).press('End')
    if (about.horizonMin! < 120) await badge.getByText('au-delà de la limite de fiabilité').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => map.getAttribute('data-forecast')).toBeNull()
    await expect.poll(() => page.getByTestId('clock').textContent()).toBe(newest)
    expect(errors.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
  } finally {
    await close()
  }
}, 600_000)

test('the column tells the rain to come at the radar and the fan of a catchment as the server forecast them', async () => {
  const { page, close } = await openPage(browser, radx.url)
  page.setDefaultTimeout(120_000)
  try {
    const column = page.getByRole('complementary')
    const words = column.getByRole('region', { name: 'Prévision', exact: true })
    await words.getByRole('paragraph').getByText('Au radar').waitFor()
    const asked = page.waitForResponse((answer) => answer.url().includes('/api/nowcast/place'))
    await words.getByLabel('Lieu de la prévision').selectOption('À Melun')
    const place = (await (await asked).json()) as NowcastPlace
    await words.getByRole('paragraph').getByText('À Melun').waitFor()
    const present = place.classes.find((lead) => lead.class !== null)!
    await expect
      .poll(async () => plain(await words.textContent()))
      .toMatch((present.class ?? 0) > 0 ? /À Melun Il pleut/ : /À Melun (Pluie |Pas de pluie)/)
    await expect.poll(() => words.getByRole('listitem').count()).toBe(place.classes.length)

    const fan = column.getByRole('region', { name: 'Intensité prévue' })
    const other = page.waitForResponse((answer) => answer.url().includes('/api/nowcast/fan'))
    const choice = fan.getByLabel('Bassin ou pixel de l’intensité prévue')
    const shown = await choice.inputValue()
    const values = await choice
      .getByRole('option')
      .evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value))
    await choice.selectOption(values.find((value) => value !== shown)!)
    const { values: leads, members } = (await (await other).json()) as NowcastFan
    await fan.getByText(`10 à 90\u00a0% des ${members}\u00a0membres`).waitFor()
    const mmH = (value: number | null) => plain(formatQuantityFr(value, 'mm/h', 1))
    const cells = () =>
      fan
        .getByRole('row')
        .evaluateAll((rows) =>
          rows
            .slice(1)
            .map((row) => Array.from(row.children, (cell) => (cell.textContent ?? '').replace(/\s/g, ' '))),
        )
    await expect
      .poll(async () => (await cells()).map((row) => row.slice(1)))
      .toEqual(leads.slice(0, (await cells()).length).map((v) => [v.mmH, v.p10, v.p50, v.p90].map(mmH)))
    await expect.poll(async () => (await cells()).length).toBeGreaterThan(5)
  } finally {
    await close()
  }
}, 600_000)
