import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ROLE_MANAGER } from '@radx/contracts'
import type { LoginAnswer } from '@radx/contracts/accounts'
import type { GaugeAdjustment, GaugeComparison } from '@radx/contracts/gauges'
import { Demo } from '@radx/demo'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loadSite } from '../../apps/server/src/config/site.ts'
import { rainFile } from '../../apps/server/src/testing/rain-files.ts'
import { type RadxServer, startRadx } from './radx-server.ts'
import {
  axe,
  COARSE,
  type OpenOptions,
  type OpenPage,
  openBrowser,
  openPage,
  waitForFrame,
} from './support.ts'

// The demonstration's gauges beside the radar of its event, and the product adjusted to them, as a manager meets them.

vi.setConfig({ testTimeout: 400_000 })

const PATIENCE_MS = 180_000
const START_MS = Date.parse('2018-01-16T00:00:00Z')
const LENGTH_MS = 2 * 3_600_000
const PERIOD = 'p=dpsri&s=2018-01-16T00:00:00Z&e=2018-01-16T02:00:00Z'
const GAUGES = 9
/** Frames and gauges of the last two hours: what the live map shows. */
const LIVE_RATE_MM_H = 6
const LIVE_FACTOR = 1.5

let browser: Browser
let radx: RadxServer
let session: LoginAnswer

beforeAll(async () => {
  const [opened, started] = await Promise.all([openBrowser(), startRadx({ RADX_WORKERS: '1' })])
  browser = opened
  radx = started
  const { site } = await loadSite(resolve(import.meta.dirname, '../../site'))
  const demo = new Demo(site)
  await radx.ingest([
    ...demo
      .radarInstants('dpsri', START_MS - 600_000, START_MS + LENGTH_MS + 600_000)
      .map((ms) => demo.radarFile('dpsri', ms)),
    ...demo.gaugeSources().map(({ files }) => demo.gaugeFile(files, START_MS, LENGTH_MS)),
    demo.stationFile(START_MS, LENGTH_MS),
  ])
  const now = Math.floor(Date.now() / 300_000) * 300_000
  await radx.ingest(
    Array.from({ length: 8 }, (_, k) =>
      rainFile(site, { timeMs: now - (7 - k) * 300_000, rate: () => LIVE_RATE_MM_H }),
    ) as Parameters<typeof radx.ingest>[0],
  )
  session = await radx.signIn('chef', await radx.addAccount('chef', { roles: [ROLE_MANAGER] }))
}, 400_000)
afterAll(async () => {
  await browser?.close()
  await radx?.stop()
})

const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: PATIENCE_MS })
const plain = (text: string | null) => (text ?? '').replaceAll(/[\u202f\u00a0]/g, ' ')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const own = (errors: readonly string[]) => errors.filter((text) => !text.includes('net::ERR_'))
const fetched = (path: string, init: RequestInit = {}) =>
  fetch(radx.url + path, {
    ...init,
    headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
  })
const json = async <T>(path: string) => (await (await fetched(path)).json()) as T

async function open(path: string, options: OpenOptions = {}): Promise<OpenPage> {
  const opened = await openPage(browser, radx.url + path, {
    viewport: { width: 1440, height: 900 },
    ...(options.viewport ? {} : COARSE),
    ...options,
    storage: {
      'radx-session': JSON.stringify({ ...session, expiration: Date.now() + session.expiresIn }),
      ...options.storage,
    },
  })
  opened.page.setDefaultTimeout(PATIENCE_MS)
  return opened
}

/** The comparison on the analysis screen, asked for. */
async function compared(options: OpenOptions = {}): Promise<OpenPage> {
  const opened = await open(`/analyse?${PERIOD}&v=1`, options)
  await button(opened.page, 'Comparer aux pluviomètres').click()
  await opened.page.getByRole('region', { name: 'Pluviomètres un à un' }).waitFor()
  return opened
}

const figure = (page: Page, name: string) => page.getByRole('figure', { name, exact: true })
const figureValue = async (page: Page, name: string) =>
  plain(
    await page
      .locator('dl div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd')
      .textContent(),
  )
const comma = (value: number) => value.toFixed(2).replace('.', ',')

describe('gauges beside the radar', () => {
  test('figures, scatter, double mass, map and series of the demonstration’s gauges, by step, method and extent', async () => {
    const found = await json<GaugeComparison>(`/api/gauges/comparison?${PERIOD}&method=raw`)
    expect(found.gauges).toHaveLength(GAUGES)
    // The demonstration's gauges have a quarter more than its radar.
    expect(found.all.medianRatio).toBeGreaterThan(1.05)
    expect(found.all.medianRatio).toBeLessThan(1.5)
    const { page, errors, close } = await open(`/analyse?${PERIOD}&v=1`, {
      storage: { 'radx.rainMethod': 'raw' },
    })
    const asked = (method: string) =>
      page.waitForRequest((one) => one.url().includes('/gauges/comparison') && one.url().includes(method))
    const first = asked('method=raw')
    await button(page, 'Comparer aux pluviomètres').click()
    await first
    const table = page.getByRole('region', { name: 'Pluviomètres un à un' })
    await table.waitFor()
    await expect.poll(() => table.getByRole('row').count()).toBe(GAUGES + 1)
    await soon(() => figureValue(page, 'Rapport des sommes')).toBe(comma(found.all.ratio!))
    await expect.poll(() => figureValue(page, 'Écart quadratique moyen')).toBe(`${comma(found.all.rmse!)} mm`)

    // How totals take the rain stands beside them. This server does not follow it: there is nothing to go back to.
    const method = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Pluviomètres et radar', exact: true }) })
      .getByTestId('rain-method')
    await expect.poll(() => method.textContent()).toContain('images tenues fixes')
    const moved = asked('method=moved')
    await method.getByRole('button', { name: 'Voir avec déplacement' }).click()
    await moved
    await soon(() => method.textContent()).toContain('pas encore')
    await expect.poll(() => method.getAttribute('data-method')).toBe('raw')
    await expect.poll(() => method.getByRole('button').count()).toBe(0)
    for (const name of ['Nuage de points', 'Doubles cumuls'])
      await figure(page, name).locator('[data-ready="true"]').waitFor()

    // A badge a gauge, none over another; a gauge is chosen on the map or by the keyboard in the table.
    const map = page.getByRole('region', { name: 'Carte des rapports' })
    const badges = map.getByRole('button', { name: /, / })
    await soon(() => badges.count()).toBe(GAUGES)
    // They part once the map stands.
    await soon(() =>
      map.evaluate((at) => {
        const area = at.getBoundingClientRect()
        const boxes = [...at.querySelectorAll('button[aria-pressed]')].map((one) =>
          one.getBoundingClientRect(),
        )
        const within = boxes.every(
          (a) => a.left >= area.left && a.right <= area.right && a.top >= area.top && a.bottom <= area.bottom,
        )
        const apart = boxes.every((a, i) =>
          boxes
            .slice(i + 1)
            .every((b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top),
        )
        return { within, apart }
      }),
    ).toEqual({ within: true, apart: true })
    const melun = button(page, 'Melun, mairie')
    await melun.focus()
    await page.keyboard.press('Enter')
    const series = figure(page, 'Melun, mairie : pluie par pas')
    await series.locator('[data-ready="true"]').waitFor()
    await expect.poll(() => melun.getAttribute('aria-pressed')).toBe('true')
    await expect
      .poll(() => badges.and(page.locator('[aria-pressed="true"]')).getAttribute('aria-label'))
      .toMatch(/^\d+,\d\d, Melun, mairie$/)
    // Its values with the range of the 3 x 3 cells around, step by step.
    for (const [label, minutes] of [
      ['5 min', 5],
      ['1 h', 60],
      ['1 jour', 1440],
      ['15 min', 15],
    ] as const) {
      await page.getByLabel('Pas de temps').selectOption({ label: label.replace(' ', '\u00a0') })
      const at = await json<GaugeComparison>(
        `/api/gauges/comparison?${PERIOD}&method=raw&step=${minutes}&g=melun`,
      )
      await soon(() => figureValue(page, 'Pas de temps pluvieux')).toBe(String(at.all.pairs))
    }
    const beside = await json<GaugeComparison>(`/api/gauges/comparison?${PERIOD}&method=raw&g=melun`)
    const wettest = beside.series!.gaugeMm.indexOf(Math.max(...beside.series!.gaugeMm.map((v) => v ?? 0)))
    const cells = [beside.series!.gaugeMm, beside.series!.radarMm].map((list) => comma(list[wettest]!))
    const band = [beside.series!.lowMm, beside.series!.highMm]
      .map((list) => comma(list[wettest]!))
      .join(' à ')
    await soon(() =>
      series
        .getByRole('row')
        .filter({ hasText: band })
        .allTextContents()
        .then((rows) => rows.map(plain).some((row) => cells.every((cell) => row.includes(cell)))),
    ).toBe(true)

    // By event, and over months.
    await expect
      .poll(() => page.getByRole('table', { name: 'Épisode par épisode' }).getByRole('row').count())
      .toBe(2)
    await page.getByRole('radiogroup', { name: 'Étendue' }).locator('label', { hasText: '12 mois' }).click()
    const year = `p=dpsri&s=2017-01-16T02:00:00Z&e=2018-01-16T02:00:00Z`
    const whole = await json<GaugeComparison>(`/api/gauges/comparison?${year}&method=raw`)
    await soon(() => figureValue(page, 'Rapport des sommes')).toBe(comma(whole.all.ratio!))
    expect(own(errors)).toEqual([])
    await close()
  })

  test('nothing sticks out on a phone in the dark, and nothing is out of reach of who does not see it', async () => {
    const { page, errors, close } = await compared({
      viewport: { width: 390, height: 844 },
      scheme: 'dark',
    })
    await button(page, 'Le Mée-sur-Seine').click()
    await figure(page, 'Le Mée-sur-Seine : pluie par pas').locator('[data-ready="true"]').waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    const section = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Pluviomètres et radar', exact: true }) })
    await section.getByRole('table', { name: /^Erreur/ }).waitFor()
    await soon(() =>
      section.evaluate((at) => {
        const end = at.getBoundingClientRect().right
        return [...at.querySelectorAll('figure, select, summary, p, dl, ul, [role=radiogroup]')]
          .filter((one) => one.getBoundingClientRect().right > end + 0.5)
          .map((one) => `${one.tagName} ${one.textContent?.slice(0, 40)}`)
      }),
    ).toEqual([])
    const id = 'gauges-under-test'
    await section.evaluate((at, name) => at.setAttribute('id', name), id)
    const { violations } = await axe(page).include(`#${id}`).analyze()
    expect(violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ html }) => html)])).toEqual([])

    // What is typed while a file is on its way stays; the gauge that came of it is removed, and the focus stays near.
    await section.getByText('Ajouter des pluviomètres par CSV').click()
    const typed = section.getByLabel('Contenu du fichier')
    let release: () => void = () => undefined
    const released = new Promise<void>((go) => {
      release = go
    })
    await page.route('**/api/gauges', async (route) => {
      if (route.request().method() === 'PUT') await released
      await route.continue()
    })
    const line = (name: string) =>
      `Date;Poste;Longitude;Latitude;Pluie (mm)\n2018-01-16 00:05;${name};2,60;48,60;0,4`
    await typed.fill(line('Jardin'))
    await section.getByRole('button', { name: 'Ajouter', exact: true }).click()
    await typed.fill(line('Cour'))
    release()
    await section.getByText(/^1\spluviomètre ajouté/).waitFor()
    await expect.poll(() => typed.inputValue()).toBe(line('Cour'))
    const remove = section.getByRole('button', { name: 'Supprimer Jardin', exact: true })
    const asked = section.getByRole('group', { name: 'Supprimer Jardin' })
    await remove.press('Enter')
    await asked.getByRole('button', { name: 'Garder' }).press('Enter')
    await expect.poll(() => remove.evaluate((one) => one === document.activeElement)).toBe(true)
    await remove.press('Enter')
    await asked.getByRole('button', { name: 'Supprimer' }).press('Enter')
    await remove.waitFor({ state: 'detached' })
    await soon(() => section.evaluate((at) => at === document.activeElement)).toBe(true)
    expect(own(errors)).toEqual([])
    await close()
  })
})

describe('the product adjusted to gauges', () => {
  test('the archive shows it, says so wherever it is, and every export carries its name and factor', async () => {
    const about = await json<GaugeAdjustment>(`/api/gauges/adjustment?${PERIOD}&method=mfb&mode=hindsight`)
    const factor = about.frames[0].factor
    expect(factor).toBeGreaterThan(1.05)
    const { page, errors, close } = await compared()
    const badge = page.getByText(/^Carte\s: pluie ajustée aux pluviomètres \(biais moyen, réanalyse\)/)
    await expect.poll(() => badge.count()).toBe(0)
    await page
      .getByRole('radiogroup', { name: 'Sur la carte' })
      .locator('label', { hasText: 'Ajusté' })
      .click()
    await badge.waitFor()
    await waitForFrame(page)
    await soon(async () => new URL(page.url()).searchParams.get('j')).toBe('mfb.hindsight')
    await page.reload()
    await badge.waitFor()
    const download = page.waitForEvent('download')
    await button(page, 'Original et ajusté (csv)').click()
    const csv = readFileSync(await (await download).path(), 'utf8')
    expect(plain(csv)).toContain(`# produit : ${about.name}`)
    const rows = csv.split(/\r?\n/).filter((line) => line.startsWith('2018-01-16T'))
    expect(rows).toHaveLength(about.frames.length)
    const numbers = rows.map((row) => row.split(/[;\t]/).map((cell) => Number(cell.replace(',', '.'))))
    for (const [k, [, before, after, told]] of numbers.entries()) {
      expect(told).toBeCloseTo(about.frames[k].factor, 3)
      if (before > 0.5) expect(after / before).toBeCloseTo(told, 1)
    }
    // The report beside it.
    await page.goto(`${radx.url}/rapport?${PERIOD}&c=melun&adjust=mfb.hindsight`)
    await page.getByRole('heading', { name: 'Pluie ajustée aux pluviomètres' }).waitFor()
    await soon(async () => plain(await page.locator('main').textContent())).toContain(plain(about.name))
    await page.goto(`${radx.url}/analyse?${PERIOD}&v=1&j=mfb.hindsight`)
    await badge.waitFor()
    await button(page, 'Voir l’original').click()
    await soon(() => badge.count()).toBe(0)
    await expect.poll(() => new URL(page.url()).searchParams.get('j')).toBeNull()
    expect(own(errors)).toEqual([])
    await close()
  })

  test('the live map shows it with its factor, and goes back to the original', async () => {
    const now = Math.floor(Date.now() / 300_000) * 300_000
    const lines = Array.from({ length: 9 }, (_, k) =>
      new Date(now - (8 - k) * 300_000).toISOString(),
    ).flatMap((time) =>
      [2.3, 2.4, 2.5, 2.6].map(
        (lng, g) => `${time};L${g};${lng};48.6;${(LIVE_FACTOR * LIVE_RATE_MM_H * (1 + (g - 1.5) / 50)) / 12}`,
      ),
    )
    const csv = `Date;Poste;Longitude;Latitude;Pluie (mm)\n${lines.join('\n')}\n`
    expect((await fetched('/api/gauges', { method: 'PUT', body: JSON.stringify({ csv }) })).status).toBe(200)
    const { page, errors, close } = await open('/')
    await waitForFrame(page)
    const badge = page.getByText('Carte : produit ajusté aux pluviomètres.')
    await expect.poll(() => badge.count()).toBe(0)
    const toggle = button(page, 'Ajuster aux pluviomètres')
    await toggle.focus()
    await page.keyboard.press('Enter')
    await badge.waitFor()
    await soon(async () => plain(await page.getByText(/Dernière image\s: facteur/).textContent())).toContain(
      `facteur ${LIVE_FACTOR.toLocaleString('fr-FR')}`,
    )
    await waitForFrame(page)
    await page.getByRole('button', { name: 'Voir l’original' }).first().click()
    await soon(() => badge.count()).toBe(0)
    expect(own(errors)).toEqual([])
    await close()
  })
})
