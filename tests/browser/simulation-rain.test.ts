import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { LoginAnswer } from '@radx/contracts/accounts'
import type { EnsembleAnswer } from '@radx/contracts/ensemble'
import type { ReportBlock } from '@radx/contracts/reports'
import type { CatchmentSummary, LuseFile } from '@radx/contracts/simulation'
import { demoCatchment } from '@radx/demo/catchment/package'
import { odim } from '@radx/formats/testing/odim-file'
import { formatDuration } from '@radx/locale/duration'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { zipSync } from 'fflate'
import { ready } from 'h5wasm'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSite } from '../../apps/server/src/config/site.ts'
import {
  formDataOf,
  runFields,
  virtualRainFields,
} from '../../apps/server/src/simulation/testing/run-form.ts'
import {
  SMALL_CATCHMENT,
  smallCatchmentAt,
  writeSmallCatchment,
} from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { rainFile } from '../../apps/server/src/testing/rain-files.ts'
import { type RadxServer, startRadx } from './radx-server.ts'
import { COARSE, type OpenPage, openBrowser, openPage } from './support.ts'

// From rain to flood: radar rain chosen in the form, from a saved event and from the address; runs that are
// followed, cancelled and started from again.

/** It rains 12 mm/h on Melun and its neighbours from 4 July 2021, 12:00 in Paris. */
const FIRST_MS = Date.UTC(2021, 6, 4, 10)
const STEP_MS = 206_000
const FRAMES = 12
const instant = (frame: number) => new Date(FIRST_MS + frame * STEP_MS).toISOString().replace('.000Z', 'Z')
const RATE_MM_H = 12

let radx: RadxServer
let browser: Browser
let session: LoginAnswer
const folder = mkdtempSync(join(tmpdir(), 'radx-rain-'))

beforeAll(async () => {
  const town = {
    ...JSON.parse(SMALL_CATCHMENT['catchment.json']),
    id: 'melun',
    display: 'Melun',
    xll: 674_000,
    yll: 6_827_000,
    synthetic: true,
    statement: 'Bassin SYNTHÉTIQUE de l’essai.',
    caseStudies: ['eogn', 'oxygene'].map((id) => ({ id, display: id, mask: 'mask-place.asc' })),
  }
  const small = writeSmallCatchment(join(folder, 'petit'), {
    ...smallCatchmentAt(town.xll, town.yll),
    'catchment.json': JSON.stringify(town),
  })
  ;[browser, radx] = await Promise.all([openBrowser(), startRadx({ RADX_WORKERS: '1' })])
  const { site } = await loadSite(resolve(import.meta.dirname, '../../site'))
  const { steps } = site.products.find(({ shortName }) => shortName === 'dpsri')!
  const rate = (i: number) => {
    const [row, col] = [Math.floor(i / steps), i % steps]
    return row >= 310 && row < 350 && col >= 195 && col < 260 ? RATE_MM_H : 0
  }
  const files = Array.from({ length: FRAMES }, (_, k) =>
    rainFile(site, { timeMs: FIRST_MS + k * STEP_MS, rate }),
  )
  await radx.ingest(files as Parameters<typeof radx.ingest>[0])
  await radx.radx('catchment', 'import', small)
  session = await radx.signIn('anne', await radx.addAccount('anne'))
})
afterAll(async () => {
  await browser?.close()
  await radx?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const open = (path: string, signedIn = true): Promise<OpenPage> =>
  openPage(browser, radx.url + path, {
    viewport: { width: 1440, height: 900 },
    ...COARSE,
    storage: signedIn
      ? { 'radx-session': JSON.stringify({ ...session, expiration: Date.now() + session.expiresIn }) }
      : {},
  })
const call = async (path: string, init: RequestInit = {}) => {
  const headers: Record<string, string> = { authorization: `Bearer ${session.token}` }
  if (typeof init.body === 'string') headers['content-type'] = 'application/json'
  return (await fetch(radx.url + path, { ...init, headers })).json()
}
/** What a page complains of; map tiles of another server may be out of reach. */
const own = (errors: string[]) => errors.filter((text) => !text.includes('net::ERR_'))
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** What is read again until it is as wanted, on a busy machine too. */
const soon = <T>(read: () => Promise<T>) => expect.poll(read)
const next = (page: Page) => button(page, 'Suivant').click()

/** Nothing sticks out of a small phone's window, once charts and maps have followed it. */
async function fitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 })
  const tooWide = () =>
    page.evaluate(() => {
      const root = document.documentElement
      if (root.scrollWidth <= root.clientWidth) return []
      return [...document.querySelectorAll('main *')]
        .filter((at) => at.getBoundingClientRect().right > root.clientWidth + 0.5)
        .map((at) => `${at.tagName} ${at.className} ends at ${at.getBoundingClientRect().right} px`)
        .concat(`the page is ${root.scrollWidth} px wide`)
    })
  await expect.poll(tooWide).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Up to the rain step with the reference land use. */
async function toRain(page: Page, title?: string): Promise<void> {
  if (title !== undefined) await page.getByLabel('Titre de la simulation').fill(title)
  await next(page)
  await page.getByRole('radio').first().click()
  await page.getByRole('table', { name: 'Codes utilisés' }).waitFor()
  await next(page)
}

async function launch(page: Page): Promise<void> {
  await button(page, 'Lancer la simulation').click()
  await page.waitForURL(/\/multihydro\/[0-9a-f-]{36}$/)
}

describe('who may see the simulation screens', () => {
  test('[SHELL-11] [SHELL-12] [SHELL-13] [SHELL-14] list and form send a visitor to log in; case studies and runs open and ask for it', async () => {
    for (const path of ['/multihydro', '/multihydro/form']) {
      const visitor = await open(path, false)
      await visitor.page.waitForURL('**/compte')
      await visitor.close()
    }
    const { page, close } = await open('/multihydro/case-study/form/eogn', false)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.getByText('Connectez-vous pour préparer une simulation.').waitFor()
    await page.goto(`${radx.url}/multihydro/00000000-0000-4000-8000-000000000000`)
    await page.getByText('Les simulations sont visibles une fois connecté.').waitFor()
    await expect
      .poll(() => page.getByRole('main').getByRole('link', { name: 'Se connecter' }).count())
      .toBe(1)
    expect(asked.filter((path) => /multihydro\/file|\/api\/job/.test(path))).toEqual([])
    await close()
    const signed = await open('/multihydro/case-study/form/eogn')
    const [request] = await Promise.all([
      signed.page.waitForRequest('**/api/multihydro/catchments'),
      signed.page.reload(),
    ])
    expect(request.headers().authorization).toBe(`Bearer ${session.token}`)
    await signed.close()
  })
})

describe('radar rain', () => {
  test('[SHELL-03] [SIMFORM-01] [RAINSRC-02] [RAINSRC-03] [RAINSRC-04] [RAINSRC-12] [RAINSRC-13] [RAINSRC-16] [RAINSRC-20] [RAINSRC-30] [SIMLIST-16] [SIMLIST-19] [SIMDETAIL-25] [ERR-09] a period is chosen in the form, run and read', async () => {
    const { page, errors, close } = await open('/multihydro/form')
    await page.getByText('Bassin SYNTHÉTIQUE de l’essai.').waitFor()
    await page.getByRole('group', { name: 'Resilience' }).waitFor()
    await expect
      .poll(() => page.getByLabel('Bassin versant').first().inputValue())
      .toBe('Melun, résolution de 10\u00a0m')
    await toRain(page, 'Averse de juillet')
    const sources = page.getByRole('radiogroup', { name: 'Source de la pluie' })
    const ev7 = sources.getByRole('radio', { name: 'Événement 7' })
    await expect
      .poll(() => ev7.textContent())
      .toMatch(/7\sheures mesuré par le radar.*Environ 20\sminutes à simuler/)
    const designed = page.getByRole('radio', { name: 'Pluie de projet synthétique' })
    await expect.poll(() => designed.textContent()).toContain('La même intensité partout sur le bassin')
    await designed.click()
    const parameters = page.getByRole('region', { name: 'Pluie de projet synthétique' })
    const fields = () =>
      parameters
        .getByRole('textbox')
        .evaluateAll((all) =>
          all.map((field) => [
            (field as HTMLInputElement).labels?.[0]?.textContent,
            field.closest('[class*=wrapper]')?.querySelector('.rx-unit')?.textContent,
          ]),
        )
    await expect
      .poll(() => fields())
      .toEqual([
        ['d, durée totale', 'min'],
        ['t, instant de la pointe', 'min'],
        ['iMax, intensité maximale', 'mm/h'],
        ['Attente après la pluie', 'min'],
      ])
    await page
      .locator('label')
      .filter({ hasText: /^Triangle double$/ })
      .click()
    await expect
      .poll(async () => (await fields()).map(([label]) => label))
      .toEqual([
        't1, durée de la partie intense',
        't2, début de la partie intense',
        't3, durée totale',
        'iMax, intensité maximale',
        'i2, intensité à t2',
        'Attente après la pluie',
      ])

    let answer = () => {}
    const held = new Promise<void>((go) => {
      answer = go
    })
    await page.route('**/api/products', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('radio', { name: 'Données réelles' }).click()
    await expect.poll(() => button(page, 'Lancer la simulation').isDisabled()).toBe(true)
    answer()
    const calendar = page.getByRole('region', { name: 'Calendrier', exact: true })
    await calendar.getByLabel('Année').selectOption('2021')
    const day = page.locator('[data-day="2021-07-04"]')
    while ((await day.count()) === 0) {
      const shown = await page.locator('[data-day]').first().getAttribute('data-day')
      await button(page, shown! < '2021-07' ? 'Mois suivant' : 'Mois précédent').click()
      await soon(() => page.locator('[data-day]').first().getAttribute('data-day')).not.toBe(shown)
    }
    await day.and(page.locator(':enabled')).click()
    await page.locator(`[data-datetime="${instant(1)}"]`).click()
    await page.getByTestId('period-start').getByText('12:03:26').waitFor()
    await expect.poll(() => button(page, 'Lancer la simulation').isDisabled()).toBe(true)
    await page.locator(`[data-datetime="${instant(9)}"]`).click()
    await page.getByTestId('period-end').getByText('12:30:54').waitFor()
    await fitsPhone(page)
    await launch(page)
    await page.getByRole('heading', { name: 'Fichier(s) de sortie' }).waitFor()
    await page.getByText('all_flow_10m.txt').waitFor()
    await fitsPhone(page)
    const rain = page.getByRole('region', { name: 'Pluie', exact: true })
    for (const part of [
      'Radar bande X à double polarisation',
      'DPSRI',
      '12:03:26',
      '12:30:54',
      '3,433\u202fmin',
    ])
      await expect.poll(() => rain.textContent()).toContain(part)
    // A maximum says over which time it is the mean.
    await expect.poll(() => rain.textContent()).toMatch(/pointe 12,0\smm\/h sur \d\d:\d\d/)
    // 12 mm/h on 95 cells of 100 m2 for 27 min 28 s.
    const fallen = (RATE_MM_H / 3.6e6) * ((8 * STEP_MS) / 1000) * 95 * 100
    const balance = page.getByRole('table', { name: 'Bilan en eau' })
    await balance.getByRole('row', { name: new RegExp(`Pluie ${Math.round(fallen)}\\sm³`) }).waitFor()
    await page.getByRole('link', { name: '< Retour à votre liste de simulations' }).first().click()
    const card = page.getByRole('article').filter({ hasText: 'Averse de juillet' })
    await card.getByText('radar bande X', { exact: true }).waitFor()
    await card.getByText('0,5\u202fh').waitFor()
    expect(own(errors)).toEqual([])
    await close()
  })

  test('radar rain runs as an ensemble whose bands, members and maps are shown and answered', async () => {
    const { page, errors, close } = await open(`/multihydro/form?p=dpsri&s=${instant(1)}&e=${instant(5)}`)
    await toRain(page, 'Averse en membres')
    const ensemble = page.getByRole('switch', { name: 'Désagréger en ensemble' })
    await ensemble.press('Space')
    await soon(() => ensemble.isChecked()).toBe(true)
    const members = page.getByLabel('Membres', { exact: true })
    await members.fill('1')
    await page.getByText('un entier de 2 à 50').waitFor()
    await expect.poll(() => button(page, 'Lancer la simulation').isDisabled()).toBe(true)
    await members.fill('3')
    await page.getByLabel('Graine', { exact: true }).fill('11')
    await fitsPhone(page)
    await launch(page)
    await page.getByText('ensemble.csv').waitFor()
    await page
      .getByText(/3\smembres,\salpha\s1,8,\sC1\s0,1,\sgraines\s11\sà\s13/)
      .first()
      .waitFor()
    await button(page, 'Ensemble Bandes et membres à l’échelle de la rue').click()
    const table = page.getByRole('table', { name: 'Membres', exact: true })
    await table.getByRole('row', { name: /^membre 3 13/ }).waitFor()
    await page.getByLabel('Carte de', { exact: true }).selectOption('p90')
    await fitsPhone(page)

    const file = `/api/multihydro/file/${page.url().split('/').at(-1)?.split('?')[0]}/ensemble`
    const found = (await call(file)) as EnsembleAnswer
    expect(found.members.map(({ seed }) => seed)).toEqual([11, 12, 13])
    const { p10, p50, p90, control } = found.courses.rainMmH
    p50.forEach((rate, k) => {
      expect(rate >= p10[k] && rate <= p90[k]).toBe(true)
    })
    expect(Math.max(...control)).toBeCloseTo(RATE_MM_H, 1)
    for (const { relativeError, rainMm } of found.members) {
      expect(relativeError).toBeLessThan(1e-6)
      expect(rainMm).toBeGreaterThan(0)
    }
    const element = await call(`${file}/element?kind=link&name=${found.links[0]}`)
    expect(element.members).toHaveLength(3)
    expect((await call(`${file}/element?kind=link&name=rien`)).message).toContain('rien')
    const depths = await fetch(`${radx.url}${file}/depth?of=2`, {
      headers: { authorization: `Bearer ${session.token}` },
    })
    const { nrows, ncols } = found.place
    expect((await depths.arrayBuffer()).byteLength).toBe(2 * nrows * ncols)
    expect((await call(`${file}/depth?of=3`)).code).toBe('simulation.output')
    const report = await call(file.replace('multihydro/file', 'reports/run').replace('/ensemble', ''))
    const tables = (report.blocks as ReportBlock[]).flatMap((block) =>
      block.kind === 'table' ? [block] : [],
    )
    const told = (caption: string) => tables.find((block) => block.caption.startsWith(caption))?.rows
    expect(told('Membres')?.[0]).toContain(formatQuantityFr(found.control.rainMm, 'mm', 2))
    expect(told('Plus grande hauteur par durée')?.[0]).toContain(formatQuantityFr(10, 'min'))
    expect(own(errors)).toEqual([])
    await close()
  })

  test('the link of a loaded selection opens the form with its rain filled in', async () => {
    const { page, errors, close } = await open(`/analyse?s=${instant(1)}&e=${instant(5)}&v=1`)
    await page.getByRole('link', { name: 'Simuler l’inondation avec cette pluie' }).click()
    await page.waitForURL(/\/multihydro\/form\?/)
    await toRain(page, 'Depuis la sélection')
    await expect.poll(() => page.getByRole('radio', { name: 'Données réelles' }).isChecked()).toBe(true)
    await page.getByTestId('period-start').getByText('12:03:26').waitFor()
    await page.getByTestId('period-end').getByText('12:17:10').waitFor()
    await page.getByRole('region', { name: 'Données réelles' }).getByTestId('sentence').waitFor()
    expect(own(errors)).toEqual([])
    await close()
  })

  test('[RAINSRC-19] [ANA-21] a saved event opens the form with its rain and no data export, and a run the form of its own', async () => {
    await call('/api/users/events', {
      method: 'PUT',
      body: JSON.stringify({
        title: 'Averse gardée',
        product: 'dpsri',
        selectionDates: { start: instant(2), end: instant(8) },
        catchment: null,
        comment: '',
      }),
    })
    const { page, errors, close } = await open(`/analyse?s=${instant(0)}&e=${instant(5)}&v=1`)
    const exported = page.getByRole('heading', { name: 'Export des données' })
    await exported.waitFor()
    const simulate = page.getByRole('link', { name: /^Simuler avec la pluie de .*Averse gardée/ })
    await simulate.click()
    await page.waitForURL(/\/multihydro\/form\?/)
    await toRain(page, 'Depuis l’évènement')
    await expect.poll(() => page.getByRole('radio', { name: 'Données réelles' }).isChecked()).toBe(true)
    await page.getByTestId('period-start').getByText('12:06:52').waitFor()
    await page.getByTestId('period-end').getByText('12:27:28').waitFor()
    await page.getByRole('region', { name: 'Données réelles' }).getByTestId('sentence').waitFor()
    await expect.poll(() => exported.count()).toBe(0)
    await expect.poll(() => page.getByText(/Exporter|netCDF|GeoTIFF|\.xlsx|csv/i).count()).toBe(0)
    await launch(page)
    await page.getByText('all_flow_10m.txt').waitFor()
    const files = ((await call('/api/multihydro/files?c=melun&n=luse.asc')) as LuseFile[]).length

    await page.getByRole('link', { name: 'Repartir de cette simulation' }).click()
    await page.waitForURL(/\/multihydro\/form\?depuis=/)
    await soon(() => page.getByLabel('Titre de la simulation').inputValue()).toBe('Depuis l’évènement')
    await next(page)
    await soon(() => page.getByRole('radio', { checked: true }).count()).toBe(1)
    await page.getByRole('table', { name: 'Codes utilisés' }).waitFor()
    await next(page)
    await page.getByTestId('period-start').getByText('12:06:52').waitFor()
    await launch(page)
    await page.getByText('all_flow_10m.txt').waitFor()
    expect(await call('/api/multihydro/files?c=melun&n=luse.asc')).toHaveLength(files)
    expect(own(errors)).toEqual([])
    await close()
  })
})

describe('runs that do not end well', () => {
  /** A run on a whole town: long enough to be seen under way. */
  const submitLong = async (): Promise<string> => {
    const [file] = (await call('/api/multihydro/files?c=ville&n=luse.asc')) as LuseFile[]
    const { codes } = await call(`/api/multihydro/file/${file._id}/dataJson?allCodes=true`)
    const fields = runFields(
      { catchmentId: 'ville', luseId: file._id, codes },
      virtualRainFields({ d: 5_000, t: 60, iMax: 20, calmAfter: 60 }),
    )
    const body = formDataOf({ ...fields, title: 'Longue pluie' })
    return (await call('/api/job/multihydro', { method: 'POST', body })).jobId
  }

  beforeAll(async () => {
    const files = demoCatchment()
    const json = {
      ...JSON.parse(files.get('catchment.json')!),
      id: 'ville',
      display: 'Ville',
      caseStudies: [],
    }
    const dir = join(folder, 'ville')
    writeSmallCatchment(dir, Object.fromEntries(files))
    writeFileSync(join(dir, 'catchment.json'), JSON.stringify(json))
    await radx.radx('catchment', 'import', dir)
  })

  test('[JOB-03] [JOB-04] [JOB-05] a run under way and one that waits are followed, are cancelled from their page, leave no file, and can be started from again', async () => {
    const [first, second] = [await submitLong(), await submitLong()]
    const { page, errors, close } = await open('/a-propos')
    const sent: string[] = []
    page.on('websocket', (line) => line.on('framesent', ({ payload }) => sent.push(String(payload))))
    const told = (event: string, jobId: string) =>
      soon(async () =>
        sent.some((text) => text.includes(`["${event}",{"socketId":"`) && text.includes(jobId)),
      ).toBe(true)
    await page.goto(`${radx.url}/multihydro/${second}`)
    const progress = page.getByRole('region', { name: 'Statut et logs' })
    await progress.getByText('pending', { exact: true }).waitFor()
    await told('job-join', second)
    await button(page, 'Annuler le calcul').click()
    await button(page, 'Oui, annuler').click()
    await page.getByText('Le calcul a été annulé.').waitFor()
    await told('job-leave', second)

    await page.goto(`${radx.url}/multihydro/${first}`)
    await progress
      .getByText(/ simulées sur .* encore \d+\s(s|min|h)/)
      .first()
      .waitFor()
    await button(page, 'Annuler le calcul').click()
    await button(page, 'Oui, annuler').click()
    await page.getByText('Le calcul a été annulé.').waitFor()
    await page.getByText('La liste de fichier est vide.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Télécharger all_flow/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Repartir de cette simulation' }).click()
    await soon(() => page.getByLabel('Titre de la simulation').inputValue()).toBe('Longue pluie')
    // Without a run of its own it takes what cells and steps took elsewhere, beside the specification's figure.
    await next(page)
    await page.getByRole('table', { name: 'Codes utilisés' }).waitFor()
    await next(page)
    const all = (await call('/api/multihydro/catchments')) as CatchmentSummary[]
    const [town, melun] = ['ville', 'melun'].map((id) => all.find((one) => one.id === id)!)
    const took = melun.recentMsPerHour.toSorted((a, b) => a - b)[
      Math.floor((melun.recentMsPerHour.length - 1) / 2)
    ]
    const [here, there] = [town, melun].map(({ activeCells, cellSizeM }) => activeCells / cellSizeM)
    expect(here).toBeGreaterThan(100 * there)
    const { simulationDuration } = (await call(`/api/job/${first}`)).input
    const times = page.locator('dl').filter({ hasText: 'Sur cette machine' }).locator('dd')
    await soon(() => times.allInnerTexts()).toEqual([
      formatDuration(((0.32 * simulationDuration) / 7) * 3_600_000),
      `${formatDuration((took / there) * here * simulationDuration)} d’après les mailles et le pas de temps de ce bassin`,
    ])
    expect(own(errors)).toEqual([])
    await close()
  })

  test('[JOB-03] where sockets are refused, a run is followed by asking', async () => {
    const { page, close } = await open('/a-propos')
    let refused = 0
    await page.routeWebSocket(/socket\.io/, (line) => {
      refused++
      line.close()
    })
    await page.route('**/socket.io/**', (route) => route.fulfill({ status: 403 }))
    await page.goto(`${radx.url}/multihydro/${await submitLong()}`)
    const progress = page.getByRole('region', { name: 'Statut et logs' })
    await progress
      .getByText(/ simulées sur .* encore \d+\s(s|min|h)/)
      .first()
      .waitFor()
    await button(page, 'Annuler le calcul').click()
    await button(page, 'Oui, annuler').click()
    await page.getByText('Le calcul a été annulé.').waitFor()
    expect(refused).toBeGreaterThan(0)
    await close()
  })

  test('[ERR-08] [ERR-09] [LUSE-03] [LUSE-37] [SIMFORM-02] [SIMDETAIL-10] failures stand where they happened, with the way on', async () => {
    const { page, close } = await open('/multihydro')
    await page.getByText('Bassin synthétique de démonstration').first().waitFor()
    await page.route('**/api/multihydro/file/*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.route('**/api/jobs/multihydro', (route) =>
      route.fulfill({ status: 503, json: { code: 'x', message: 'La base est absente.' } }),
    )
    await page.reload()
    await page.getByRole('alert').getByText('La base est absente.').waitFor()
    await page.unroute('**/api/jobs/multihydro')
    await button(page, 'Réessayer').click()
    const card = page.getByRole('article').filter({ hasText: 'Averse de juillet' })
    await card.getByText('No data available').waitFor()

    let answer = () => {}
    const held = new Promise<void>((go) => {
      answer = go
    })
    await page.route(/\/api\/job\/[0-9a-f-]{36}$/, async (route) => {
      await held
      const job = await (await route.fetch()).json()
      // A run of everybody's reference.
      await route.fulfill({ json: { ...job, username: 'default' } })
    })
    await card.getByRole('link').click()
    await page.getByText('Chargement des données...').waitFor()
    answer()
    await page.getByRole('region', { name: 'Notes' }).getByText('Notes en lecture seule.').waitFor()
    await expect.poll(() => button(page, 'Renommer la simulation').count()).toBe(0)
    await expect.poll(() => page.getByRole('textbox', { name: 'Notes' }).count()).toBe(0)

    await page.goto(`${radx.url}/multihydro/case-study/form/oxygene`)
    await page.getByRole('heading', { name: 'Melun, le site Oxygène' }).waitFor()
    let list = () => {}
    const waiting = new Promise<void>((go) => {
      list = go
    })
    await page.route('**/api/multihydro/files?*', async (route) => {
      await waiting
      const files = (await (await route.fetch()).json()) as LuseFile[]
      await route.fulfill({ json: files.map((file) => ({ ...file, desc: ' ' })) })
    })
    await next(page)
    await page.getByLabel('Titre de la simulation').fill('Îlot')
    await next(page)
    await page.getByRole('status').getByText('Chargement...').first().waitFor()
    list()
    await page.getByText('Pas de description').first().waitFor()
    await page.unroute('**/api/multihydro/files?*')
    await close()
  })

  test('[SIMDETAIL-09] two people who rename one run see one title', async () => {
    const jobs = (await call('/api/jobs/multihydro')) as { _id: string; input: { title: string } }[]
    const { _id } = jobs.find(({ input }) => input.title === 'Averse de juillet')!
    const [a, b] = await Promise.all([open(`/multihydro/${_id}`), open(`/multihydro/${_id}`)])
    for (const { page } of [a, b]) await button(page, 'Renommer la simulation').click()
    await a.page.getByLabel('Titre', { exact: true }).fill('Averse, premier nom')
    await b.page.getByLabel('Titre', { exact: true }).fill('Averse, second nom')
    await button(a.page, 'Enregistrer le titre').click()
    await a.page.getByRole('heading', { name: 'Averse, premier nom' }).waitFor()
    await button(b.page, 'Enregistrer le titre').click()
    await b.page.getByRole('heading', { name: 'Averse, second nom' }).waitFor()
    await a.page.reload()
    await a.page.getByRole('heading', { name: 'Averse, second nom' }).waitFor()
    await a.page.getByRole('region', { name: 'Résumé' }).getByText(_id).waitFor()
    await a.page.getByRole('region', { name: 'Notes' }).getByRole('textbox').waitFor()
    expect(own([...a.errors, ...b.errors])).toEqual([])
    await Promise.all([a.close(), b.close()])
  })
})

describe('rain measured elsewhere, and batteries', () => {
  const GAUGE_START = '2026-06-01T10:00:00Z'
  const hour = (minute: number) => `2026-06-01T10:${String(minute).padStart(2, '0')}:00Z`
  /** A picture wider than the town, with one rate all over. */
  const picture = (minute: number, rate: number) =>
    odim([{ what: { quantity: 'RATE' }, data: new Float32Array(6).fill(rate) }], {
      what: { date: '20260601', time: `10${String(minute).padStart(2, '0')}00` },
    })
  const zip = (name: string, files: Record<string, Uint8Array>) => ({
    name,
    mimeType: 'application/zip',
    buffer: Buffer.from(zipSync(files)),
  })

  test('pictures and a gauge with a gap are looked at, ordered as one battery, and found again', async () => {
    await ready
    // Five minutes each, without the reading at 10:20.
    const readings = [5, 10, 15, 25, 30].map((at) => `Toit,48.54,2.66,${hour(at)},1`)
    const csv = ['station,latitude,longitude,time,mm', ...readings].join('\n')
    const { gauges } = await call('/api/gauges', {
      method: 'PUT',
      body: JSON.stringify({ csv, name: 'toit.csv' }),
    })
    const { page, errors, close } = await open('/multihydro/batterie')
    await page.getByLabel('Titre de la batterie').fill('Été')
    await page.getByText('Ajouter une autre pluie').click()

    // Pictures: what is wrong is told, what is right is shown and chosen.
    await page.getByRole('radio', { name: 'Mes images radar' }).press('Space')
    const send = (file: ReturnType<typeof zip>) =>
      page.getByTestId('rain-drop').locator('input[type=file]').setInputFiles(file)
    await send(zip('seule.zip', { 'a.h5': picture(0, 12) }))
    await page.getByRole('alert').getByText('seule.zip n’a pas été ajouté').waitFor()
    await send(zip('orage.zip', { 'a.h5': picture(0, 12), 'b.h5': picture(5, 36), 'c.h5': picture(10, 60) }))
    await page.getByRole('heading', { name: 'Pluie moyenne sur le bassin' }).waitFor()
    await page
      .getByText(formatQuantityFr(9, 'mm', 1), { exact: true })
      .first()
      .waitFor()
    await button(page, 'Ajouter à la batterie').click()

    // The gauge: its gap is told, and dry only once that is said.
    await page.getByRole('radio', { name: 'Pluviomètre' }).press('Space')
    await page.getByLabel('Choix du pluviomètre').selectOption(gauges[0].id)
    await page.getByLabel('Début').fill('01/06/2026 - 12:00')
    await page.getByLabel('Fin').fill('01/06/2026 - 12:30')
    await page.getByText(/Sans mesure pendant 5\s?minutes/).waitFor()
    await expect.poll(() => button(page, 'Utiliser ces paramètres').isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'Compter ces lacunes comme sèches' }).check()
    await button(page, 'Utiliser ces paramètres').click()
    await button(page, 'Ajouter à la batterie').click()

    const maps = page.getByRole('region', { name: 'Cartes d’occupation des sols' })
    await maps.getByRole('checkbox').first().check()
    await fitsPhone(page)
    // What was put together is there after a reload, and is ordered once.
    await page.reload()
    await button(page, 'Commander 2\u00a0simulations').click()
    await page.waitForURL(/\/batterie\/[0-9a-f-]{36}$/)
    await page.reload()
    await page.getByText(/^2\ssur\s2\ssimulations\sterminées\.$/).waitFor()
    const rows = page.getByRole('table', { name: 'Résultats' }).getByRole('row')
    const first = () => rows.nth(1).getByRole('rowheader').textContent()
    await soon(first).toBe('orage')
    await page
      .getByRole('columnheader', { name: /^Pluie/ })
      .getByRole('button')
      .click()
    await soon(first).toMatch(/^(?:orage|Toit)/)
    await page.getByRole('heading', { name: 'Hauteur maximale, par occupation des sols' }).waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Tableau (CSV)').click()])
    expect(file.suggestedFilename()).toBe('batterie.csv')
    await fitsPhone(page)

    // A new form from a run of the gauge has it again.
    const [{ id }] = (await call('/api/multihydro/batteries')) as { id: string }[]
    const { runs } = (await call(`/api/multihydro/batteries/${id}`)) as { runs: { jobId: string }[] }
    const inputs = await Promise.all(runs.map(({ jobId }) => call(`/api/job/${jobId}`)))
    expect(inputs.map(({ input }) => input.gaugeRain?.start ?? input.ownRain.name)).toEqual([
      'orage',
      GAUGE_START,
    ])
    await page.goto(`${radx.url}/multihydro/form?depuis=${runs[1].jobId}`)
    await soon(() => page.getByLabel('Titre de la simulation').inputValue()).toMatch(/^Été · Toit/)
    await next(page)
    await page.getByRole('table', { name: 'Codes utilisés' }).waitFor()
    await next(page)
    await expect.poll(() => page.getByRole('radio', { name: 'Pluviomètre' }).isChecked()).toBe(true)
    await soon(() => page.getByLabel('Début').inputValue()).toContain('12:00')
    await page.getByText('Paramètres retenus.').waitFor()
    await page.goto(`${radx.url}/multihydro`)
    await page.getByRole('region', { name: 'Vos batteries' }).getByRole('link', { name: 'Été' }).waitFor()
    // The refused zip alone.
    expect(own(errors)).toEqual([expect.stringContaining('422')])
    await close()
  })
})
