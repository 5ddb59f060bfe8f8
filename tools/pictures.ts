/**
 * `node tools/pictures.ts [--url http://localhost:3000] [--out docs]`: takes the pictures of the readme (docs/images) and
 * of the guide (docs/guide/images) off a running demonstration (`npm start`, a while after its first start): each screen
 * at 1440 x 900 as WebP, unless it is one of a telephone.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { LoginAnswer } from '@radx/contracts/accounts'
import type { DaySummary, HourRow } from '@radx/contracts/radar'
import type { Page } from 'playwright-core'
import { type OpenOptions, openBrowser, openPage, waitForFrame } from '../tests/browser/support.ts'

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    out: { type: 'string', default: resolve(import.meta.dirname, '../docs') },
    only: { type: 'string' },
    scheme: { type: 'string', default: 'light' },
    size: { type: 'string', default: '1440x900' },
  },
})
const MOST_BYTES = 120_000
const HOUR_MS = 3_600_000

const session = await login('gestionnaire')
const get = async (path: string) =>
  (await fetch(options.url + path, { headers: { authorization: `Bearer ${session.token}` } })).json()

interface Job {
  id: string
  status: string
  input: { title: string; rainfallStart: string; rainfallEnd: string }
}

interface Picture {
  name: string
  path: string
  /** Until what the picture is about has been drawn. */
  ready: (page: Page) => Promise<unknown>
  signedIn?: boolean
  /** Also, or only, a picture of the guide, by this name. */
  guide?: string
  readme?: false
  size?: [width: number, height: number]
}

const pictures = await plan()
const [width, height] = options.size.split('x').map(Number)
for (const folder of ['images', 'guide/images']) mkdirSync(join(options.out, folder), { recursive: true })
const browser = await openBrowser()
const encoder = await browser.newPage()
try {
  for (const { name, path, ready, signedIn = true, guide, readme = true, size } of pictures) {
    if (options.only && !options.only.split(',').includes(name)) continue
    const storage: Record<string, string> = signedIn
      ? { 'radx-session': JSON.stringify({ ...session, expiration: Date.now() + session.expiresIn }) }
      : {}
    const given: OpenOptions = {
      viewport: size ? { width: size[0], height: size[1] } : { width, height },
      scheme: options.scheme === 'dark' ? 'dark' : 'light',
      reducedMotion: 'reduce',
      hasWholeMaps: true,
      storage,
    }
    const { page, close } = await openPage(browser, options.url + path, given)
    try {
      page.setDefaultTimeout(60_000)
      await ready(page)
      await still(page)
      const webp = await toWebp(encoder, await page.screenshot())
      if (readme) writeFileSync(join(options.out, 'images', `${name}.webp`), webp)
      if (guide) writeFileSync(join(options.out, 'guide/images', `${guide}.webp`), webp)
      console.log(`${name}.webp  ${Math.round(webp.length / 1000)} kB`)
    } catch (error) {
      console.error(`${name}: ${error instanceof Error ? error.message : error}`)
      process.exitCode = 1
    } finally {
      await close()
    }
  }
} finally {
  await browser.close()
}

async function login(username: string): Promise<LoginAnswer> {
  const answer = await fetch(`${options.url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: `${username}-radx` }),
  })
  if (!answer.ok) throw new Error(`${options.url} answers ${answer.status}: is the demonstration running?`)
  return (await answer.json()) as LoginAnswer
}

/** Screens with the wettest hours of what the demonstration has already, and its finished reference run. */
async function plan(): Promise<Picture[]> {
  const period = await wettestHours()
  const profiles: { day: string; maxValue: number }[] = await get('/api/mrr/calendar')
  const wet = profiles.reduce((most, entry) => (entry.maxValue > most.maxValue ? entry : most))
  const bins: { datetime: string; maxValue: number }[] = await get(`/api/mrr/day/${wet.day}`)
  const peak = bins.reduce((most, entry) => (entry.maxValue > most.maxValue ? entry : most))
  const hour = new Date(Math.floor(Date.parse(peak.datetime) / HOUR_MS) * HOUR_MS).toISOString()
  const jobs: Job[] = await get('/api/jobs/multihydro')
  // The heaviest of the demonstration's own rains says most.
  const done = jobs.filter(({ status }) => status === 'done')
  const run = done.find(({ input }) => input.title.includes('orage')) ?? done[0]
  const seen = done.find(({ input }) => input.title.startsWith('Orage sur Melun'))
  const storm = seen ? `c=melun&${await framesOf(seen.input.rainfallStart, seen.input.rainfallEnd)}` : period
  const figure = (page: Page) => page.locator('figure [data-ready="true"] canvas').first().waitFor()
  const mapAndGraph = async (page: Page) => {
    await waitForFrame(page)
    await figure(page)
  }
  const toSection = (name: string) => async (page: Page) => {
    const section = page.getByRole('region', { name, exact: true })
    await section.locator('canvas').first().waitFor()
    await section.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  }
  const toExplorer = async (page: Page) => {
    const explorer = page.getByTestId('mrr-explorer')
    await explorer.locator('canvas').first().waitFor()
    await explorer.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  }
  const toWorkspace = async (page: Page) => {
    const chosen = (card: RegExp) => page.getByRole('heading', { name: card }).waitFor()
    await page.getByRole('link', { name: /^Regards qui débordent/ }).click()
    await chosen(/Regard/)
    await page.getByRole('button', { name: /^Épingler/ }).click()
    await page.getByRole('link', { name: /^Plus grande hauteur/ }).click()
    await chosen(/Cellule/)
    await page.locator('aside canvas, section canvas').last().waitFor()
  }
  const heading = (page: Page) => page.locator('h1').waitFor()
  const next = (page: Page) => page.getByRole('button', { name: 'Suivant' }).click()
  const toModules = async (page: Page) => {
    await next(page)
    await page.getByLabel('Titre de la simulation').fill('Des noues autour de l’école')
  }
  const toEditor = async (page: Page) => {
    await toModules(page)
    await next(page)
    await page
      .getByRole('radio', { name: /default/ })
      .first()
      .click()
    await page.getByRole('switch', { name: 'Modifier l’occupation des sols' }).click()
    await page.getByRole('button', { name: 'Ajouter Noue végétalisée' }).click()
    await page.getByRole('button', { name: /^Continuer avec ces codes/ }).click()
    await page.getByTestId('changed').evaluate((element) => element.scrollIntoView({ block: 'end' }))
  }
  return [
    {
      name: 'direct',
      path: '/',
      ready: async (page) => {
        await mapAndGraph(page)
        await page.getByRole('heading', { name: 'Prévision' }).waitFor()
      },
      signedIn: false,
      guide: 'direct',
    },
    {
      name: 'telephone',
      path: '/',
      ready: waitForFrame,
      signedIn: false,
      guide: 'telephone',
      readme: false,
      size: [390, 844],
    },
    { name: 'analyse', path: `/analyse?${storm}`, ready: heading, guide: 'analyse' },
    {
      name: 'etat',
      path: '/admin',
      ready: async (page) => {
        const state = page.getByRole('heading', { name: 'État du service' })
        await state.waitFor()
        await state.evaluate((element) => element.scrollIntoView({ block: 'center' }))
      },
      guide: 'etat',
      readme: false,
    },
    {
      name: 'fusion',
      path: '/mrr',
      ready: async (page) => {
        await page.getByTestId('mrr-melting').waitFor()
        await toExplorer(page)
      },
      signedIn: false,
      guide: 'fusion',
      readme: false,
    },
    {
      name: 'archive',
      path: `/analyse?${storm}&v=1${seen ? `&t=${middleOf(storm)}` : ''}`,
      ready: mapAndGraph,
      guide: 'orage',
    },
    {
      name: 'micro-radar',
      path: `/mrr?jour=${wet.day}&heure=${encodeURIComponent(hour)}`,
      ready: toExplorer,
    },
    { name: 'simulations', path: '/multihydro', ready: heading },
    { name: 'formulaire', path: '/multihydro/case-study/form/eogn', ready: toModules },
    { name: 'editeur', path: '/multihydro/case-study/form/eogn', ready: toEditor },
    ...(run
      ? [
          { name: 'espace', path: `/multihydro/${run.id}/espace?couche=instant&t=3000`, ready: toWorkspace },
          { name: 'reseau', path: `/multihydro/${run.id}?sortie=swmm`, ready: toSection('SWMM Analyse') },
          {
            name: 'hauteurs',
            path: `/multihydro/${run.id}?sortie=depth&vue=3d`,
            ready: toSection('Maximum Water Depth'),
          },
        ]
      : []),
    ...(seen
      ? [
          {
            name: 'hauteurs-orage',
            path: `/multihydro/${seen.id}?sortie=depth&vue=carte&eau=1`,
            ready: toSection('Maximum Water Depth'),
            guide: 'hauteurs',
            readme: false as const,
          },
        ]
      : []),
    { name: 'compte', path: '/compte', ready: heading },
    { name: 'a-propos', path: '/a-propos', ready: heading, signedIn: false },
  ]
}

/** Four hours around the wettest image of the archive, as the analysis has them in its address. */
async function wettestHours(): Promise<string> {
  const months = [0, 1].map((back) =>
    new Date(Date.now() - back * 28 * 24 * HOUR_MS).toISOString().slice(0, 7),
  )
  const days: DaySummary[] = (
    await Promise.all([...new Set(months)].map((month) => get(`/api/products/month/${month}?p=dpsri`)))
  ).flat()
  const wetOf = (summary: DaySummary) => summary.meanmax?.value ?? 0
  const { day } = days.reduce((most, summary) => (wetOf(summary) > wetOf(most) ? summary : most))
  const rows: HourRow[] = await get(`/api/products/hours/${day}?p=dpsri`)
  const wettest = rows.reduce(
    (best, row, k) => ((row.nonzerospc ?? 0) > (rows[best].nonzerospc ?? 0) ? k : best),
    0,
  )
  // A frame comes every 206 s.
  const [from, to] = [Math.max(0, wettest - 35), Math.min(rows.length - 1, wettest + 35)]
  return `s=${rows[from].datetime}&e=${rows[to].datetime}`
}

/** The images between two instants, as the analysis has them in its address. */
async function framesOf(start: string, end: string): Promise<string> {
  const days = [...new Set([start, end].map((instant) => instant.slice(0, 10)))]
  const rows: HourRow[] = (
    await Promise.all(days.map((day) => get(`/api/products/hours/${day}?p=dpsri`)))
  ).flat()
  const inside = rows
    .map(({ datetime }) => datetime)
    .filter((datetime) => Date.parse(datetime) >= Date.parse(start) && Date.parse(datetime) < Date.parse(end))
    .sort()
  return `s=${inside[0]}&e=${inside.at(-1)}`
}

/** A moment of the storm at its height, as a period of the analysis has it. */
function middleOf(period: string): string {
  const given = new URLSearchParams(period)
  const [from, to] = [given.get('s'), given.get('e')].map((instant) => Date.parse(instant ?? ''))
  return new Date((from + to) / 2).toISOString()
}

/** Nothing loads any more and nothing moves. */
async function still(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !/Chargement|Calcul en cours/.test(document.querySelector('main')?.textContent ?? '') &&
      document.querySelector('main [aria-busy="true"]') === null,
  )
  await page.waitForLoadState('networkidle')
  let before = ''
  for (;;) {
    const now = (await page.screenshot()).toString('base64')
    if (now === before) return
    before = now
  }
}

/** The browser encodes: WebP, as good as fits. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const source = `data:image/png;base64,${png.toString('base64')}`
  for (const quality of [0.9, 0.8, 0.7, 0.6, 0.5]) {
    const url = await page.evaluate(
      async ([src, of]) => {
        const image = new Image()
        image.src = src as string
        await image.decode()
        const canvas = document.createElement('canvas')
        Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight })
        canvas.getContext('2d')?.drawImage(image, 0, 0)
        return canvas.toDataURL('image/webp', of as number)
      },
      [source, quality],
    )
    const webp = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
    if (webp.length <= MOST_BYTES) return webp
  }
  throw new Error(`no WebP below ${MOST_BYTES} bytes`)
}
