import type { SimulationListItem } from '@radx/contracts/simulation'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FixtureServer, startFixtureServer } from './fixture-server.ts'
import { DIST, openBrowser, openPage } from './support.ts'

// The list of runs against known answers: more runs, and of more kinds, than a test can wait for.

let browser: Browser
let server: FixtureServer

beforeAll(async () => {
  browser = await openBrowser()
  server = await startFixtureServer({ dist: DIST, frames: 1 })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const START = Date.UTC(2026, 8, 1, 10)
const uuid = (k: number) => `00000000-0000-4000-8000-${String(k).padStart(12, '0')}`

function run(k: number): SimulationListItem {
  return {
    _id: uuid(k),
    id: uuid(k),
    username: k === 30 ? 'default' : 'anne',
    date: new Date(START + k * 3_600_000).toISOString(),
    status: 'done',
    error: null,
    delay: 1_000,
    rainSparkline: [0, 1, 2],
    rainWithheld: null,
    cancelled: false,
    queuePlace: null,
    outdated: false,
    input: {
      // Titles go the other way round than dates.
      title: `Essai ${String(99 - k)}`,
      catchmentId: 'melun',
      catchmentDisplay: 'Melun',
      caseStudyId: k % 10 === 0 ? 'eogn' : '',
      barrier: 'false',
      barrierHeight: '0',
      bassin: 'false',
      bassinDepth: '0',
      greenRoof: 'false',
      soilModule: 'true',
      drainageModule: 'true',
      luseId: uuid(0),
      luseIdSource: uuid(0),
      luseDesc: '',
      rainfallSelection: k === 30 ? 'ev7' : 'virtual',
      rainfallStart: '2019-12-31T23:00:00Z',
      rainfallEnd: '2020-01-01T01:00:00Z',
      simulationDuration: 2,
      virtualRainShape: k % 2 ? 'simple' : 'double',
      virtualParam: null,
      virtualData: new Array(120).fill(1),
      product: null,
    },
  }
}

async function open() {
  const session = { token: 'x', name: 'anne', roles: [], avatar: null, shapefiles: [], expiresIn: 3_600_000 }
  const opened = await openPage(browser, `${server.url}/a-propos`, {
    storage: {
      'radx-session': JSON.stringify({
        ...session,
        restriction: { start: null, end: null },
        expiration: Date.now() + session.expiresIn,
      }),
    },
  })
  const { page } = opened
  await page.route('**/api/multihydro/**', (route) => route.fulfill({ json: [] }))
  const runs = Array.from({ length: 30 }, (_, k) => run(k + 1))
  Object.assign(runs[26], { status: 'error', cancelled: true, error: 'Calcul annulé.' })
  Object.assign(runs[25], { status: 'pending', queuePlace: 3 })
  await page.route('**/api/jobs/multihydro', (route) => route.fulfill({ json: runs }))
  await page.goto(`${server.url}/multihydro`)
  await page.getByRole('article').first().waitFor()
  return opened
}

const titles = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents()
/** Titles of the runs `from` to `to`, as the list gives them. */
const essais = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, k) => `Essai ${from + (to > from ? k : -k)}`)

test('[SIMLIST-08] [SIMLIST-09] [SIMLIST-06] [SIMLIST-07] 24 cards a page, sorted by date or title either way, filtered by case study', async () => {
  const { page, close } = await open()
  const poll = () => expect.poll(() => titles(page))
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await poll().toEqual(essais(69, 92))
  const pager = page.getByRole('navigation', { name: 'Pages des résultats' })
  await pager.getByRole('button', { name: 'Page 2' }).click()
  await poll().toEqual(essais(93, 98))
  await button('Date, décroissant').click()
  await poll().toEqual(essais(98, 75))
  await button('Titre').click()
  await poll().toEqual(essais(69, 92))
  await button('Titre, croissant').click()
  await poll().toEqual(essais(98, 75))
  await button('Date').click()

  await button('EOGN').click()
  await poll().toEqual(['Essai 69', 'Essai 79', 'Essai 89'])
  await expect.poll(() => pager.count()).toBe(0)
  await expect.poll(() => button('EOGN').getAttribute('aria-pressed')).toBe('true')
  await button('EOGN').click()
  await poll().toEqual(essais(69, 92))
  await close()
})

test("[SIMLIST-12] [SIMLIST-17] [SIMLIST-18] [SIMLIST-20] [SIMLIST-21] a card tells whose run it is and its rain; the reference's has a paperclip", async () => {
  const { page, close } = await open()
  const card = (title: string) => page.getByRole('article').filter({ hasText: title })
  const clip = { name: 'Simulation de référence' }
  const reference = card('Essai 69')
  await reference.getByText('default', { exact: true }).waitFor()
  await expect.poll(() => reference.getByRole('img', clip).count()).toBe(1)
  for (const text of ['radar bande X ev7', '7\u202fh'])
    await reference.getByText(text, { exact: true }).waitFor()
  const own = card('Essai 70')
  await own.getByText('anne', { exact: true }).waitFor()
  await expect.poll(() => own.getByRole('img', clip).count()).toBe(0)
  for (const text of ['virtuel, triangle simple', '120\u202fmin'])
    await own.getByText(text, { exact: true }).waitFor()
  await card('Essai 71').getByText('virtuel, triangle double', { exact: true }).waitFor()
  const status = (title: string) => expect.poll(() => card(title).locator('[data-status]').textContent())
  await status('Essai 72').toBe('Annulée')
  await status('Essai 73').toMatch(/\(3e de la file\)$/)
  await close()
})

test('[LUSE-01] land-use files of the catchment are shown 12 a page', async () => {
  const { page, close } = await open()
  const asked: string[] = []
  const files = Array.from({ length: 13 }, (_, k) => ({
    _id: uuid(100 + k),
    username: 'anne',
    creationDate: new Date(START + k * 60_000).toISOString(),
    desc: `Carte ${k + 1}`,
    base64Image: '',
    sizeKo: 1,
    filename: 'luse.asc',
    token: 'x',
    catchmentId: 'melun',
  }))
  await page.route('**/api/multihydro/files?*', (route) => {
    asked.push(new URL(route.request().url()).search)
    return route.fulfill({ json: files })
  })
  const catchment = {
    id: 'melun',
    display: 'Melun',
    cellSizeM: 10,
    statement: '',
    synthetic: true,
    caseStudies: [],
  }
  await page.route('**/api/multihydro/catchments', (route) => route.fulfill({ json: [catchment] }))
  await page.goto(`${server.url}/multihydro/form`)
  await page.getByLabel('Titre de la simulation').fill('Essai')
  await page.getByRole('button', { name: 'Suivant' }).click()
  const shown = () => expect.poll(() => page.getByRole('radio').count())
  await shown().toBe(12)
  expect(asked).toContain('?c=melun&n=luse.asc')
  await page.getByRole('button', { name: 'Page 2' }).click()
  await shown().toBe(1)
  await page.getByText('Carte 13').waitFor()
  await close()
})
