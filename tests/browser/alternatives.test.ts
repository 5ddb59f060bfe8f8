import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnalysisServer, FIRST_MS, instant, startAnalysis } from './analysis-server.ts'
import { drawingsOf, tabled, untold } from './drawings.ts'
import { type FixtureServer, startFixtureServer } from './fixture-server.ts'
import { type SimulatedTown, startSimulatedTown } from './simulated-town.ts'
import { COARSE, DIST, type OpenPage, openBrowser, openPage, waitForFrame } from './support.ts'

/** A loaded machine draws late. */
const soon = <T>(read: () => T) => expect.poll(read)
const SIZE = { viewport: { width: 1440, height: 900 }, ...COARSE }

/** Everything that is drawn has an alternative, and exactly these drawings have a table. */
async function expectTables(page: Page, names: readonly RegExp[]) {
  const seen = async () => {
    const drawings = await drawingsOf(page)
    return { tabled: tabled(drawings), untold: untold(drawings) }
  }
  await soon(seen).toEqual({ tabled: names.map((name) => expect.stringMatching(name)), untold: [] })
}

/** Takes the tables away one after the other: each time one drawing fewer has one. */
async function expectEachMissed(page: Page) {
  const before = tabled(await drawingsOf(page)).length
  expect(before).toBeGreaterThan(0)
  const tables = await page.locator('figure table').count()
  for (let k = 0; k < tables; k++) {
    const table = await page.locator('figure table').nth(k).elementHandle()
    const parent = await table?.evaluateHandle((element) => element.parentElement as HTMLElement)
    await table?.evaluate((element) => element.remove())
    expect(tabled(await drawingsOf(page))).toHaveLength(before - 1)
    await parent?.evaluate((element, child) => element.append(child as Node), table)
  }
}

const RAIN = [/yétogramme/, /couverture/]
const WEATHER = [
  /^Station météo/,
  /^Anémomètre 3D/,
  /^Température \(°C\)$/,
  /^Pression \(hPa\)$/,
  /^Humidité \(%\)$/,
  /^Vz \(km\/h\)$/,
]

describe('screens of rain', () => {
  let server: AnalysisServer
  let fixture: FixtureServer
  let live: OpenPage
  beforeAll(async () => {
    ;[server, fixture] = await Promise.all([startAnalysis(), startFixtureServer({ dist: DIST, frames: 12 })])
  })
  afterAll(async () => {
    await live?.close()
    await fixture?.close()
    await server?.stop()
  })

  test('live: graphs and station have tables, the map a sentence', async () => {
    live = await openPage(server.browser, fixture.url, SIZE)
    const { page } = live
    await waitForFrame(page)
    await expectTables(page, [...RAIN, ...WEATHER])
    await expectEachMissed(page)
    const statement = page.getByTestId('map-statement')
    await soon(() => statement.textContent()).toMatch(
      /^Carte radar, \d\d\/\d\d\/\d{4} - [\d:]{8}\u00a0: .*maximum [\d,]+.mm\/h.*pluie sur .*de la zone/,
    )
  })

  test('the map keeps still while it plays and tells where it stopped', async () => {
    const { page } = live
    const statement = page.getByTestId('map-statement')
    await soon(() => statement.textContent()).not.toBe('')
    const clock = () => page.getByTestId('clock').textContent()
    await page
      .getByRole('button', { name: 'Pause (Z)' })
      .or(page.getByRole('button', { name: 'Lecture (Z)' }))
      .waitFor()
    if (await page.getByRole('button', { name: 'Lecture (Z)' }).isVisible())
      await page.getByRole('button', { name: 'Lecture (Z)' }).click()
    const changes = await statement.evaluateHandle((element) => {
      const seen: string[] = []
      new MutationObserver(() => seen.push(element.textContent ?? '')).observe(element, {
        characterData: true,
        childList: true,
        subtree: true,
      })
      return seen
    })
    const played = new Set<string | null>()
    await soon(async () => played.add(await clock()).size).toBeGreaterThan(4)
    expect(await changes.jsonValue()).toEqual([])
    await page.getByRole('button', { name: 'Pause (Z)' }).click()
    const stopped = await clock()
    await soon(() => statement.textContent()).toContain(stopped)
    expect(await changes.jsonValue()).toHaveLength(1)
  })

  test('archive: graphs, gauge, micro rain radar and station', async () => {
    const { page, close } = await server.open(
      'chef',
      `/analyse?s=${instant(0)}&e=${instant(26)}&v=1&g=48.5359_2.6615_0`,
      SIZE,
    )
    await expectTables(page, [
      /yétogramme/,
      /Melun/,
      /couverture/,
      /^Pluviomètre/,
      /^Contenu en eau liquide/,
      /^Pixel du radar/,
      ...WEATHER,
      /^Plus grandes hauteurs par durée/,
    ])
    await expectEachMissed(page)
    await soon(() => page.getByTestId('map-statement').textContent()).toMatch(
      /^Carte radar, 04\/07\/2021.*12,0\u202f?.mm\/h en moyenne/,
    )
    await page.getByText('Cumul', { exact: true }).first().click()
    await soon(() => page.getByTestId('map-statement').textContent()).toMatch(
      /^Carte du cumul, .*mm en moyenne/,
    )
    await close()
  })

  test('micro rain radar: hours, picture and profile', async () => {
    const hour = encodeURIComponent(new Date(FIRST_MS).toISOString())
    const { page, close } = await server.open('chef', `/mrr?jour=2021-07-04&heure=${hour}`, SIZE)
    await expectTables(page, [/04\/07\/2021/, /^Profils en fonction du temps/, /^Profil vertical/])
    await expectEachMissed(page)
    const rows = page.getByRole('table', { name: 'Profils de l’heure' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(13)
    await expect.poll(() => rows.nth(1).textContent()).toContain('300,4035')
    await close()
  })

  // Each screen is asked once what it draws last stands there.
  test.each([
    ['/analyse', '.maplibregl-canvas'],
    ['/a-propos', 'h2'],
    ['/compte', 'main button'],
    ['/admin', 'main [contenteditable]'],
    ['/multihydro', 'video'],
  ])('%s has nothing drawn without words', async (path, last) => {
    const { page, close } = await server.open('chef', path, SIZE)
    await page.locator(last).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(untold(await drawingsOf(page))).toEqual([])
    await close()
  })
})

describe('screens of a run', () => {
  let town: SimulatedTown
  let browser: Browser
  beforeAll(async () => {
    const storm = { drainage: true, iMax: 120 }
    ;[browser, town] = await Promise.all([
      openBrowser(),
      startSimulatedTown([
        { ...storm, title: 'Avec noues', swale: [1, 2, 3].map((j) => ({ i: 5, j })) },
        { ...storm, title: 'Référence' },
      ]),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await town?.stop()
  })
  const open = (query: string) =>
    openPage(browser, `${town.url}/multihydro/${town.runs[0]}${query}`, {
      ...SIZE,
      storage: {
        'radx-session': JSON.stringify({ ...town.session, expiration: Date.now() + town.session.expiresIn }),
      },
    })

  test('rain, changes of land use, evolution, depths and a path through the sewer', async () => {
    const { page, close } = await open(
      `?sortie=swmm,depth,evolution&reference=${town.runs[1]}&titre=R&objet=J-1&objet=J-2`,
    )
    await expectTables(page, [
      /^Diagramme des changements/,
      /^Pluie de projet$/,
      /^Profil en long/,
      // Beside the profile, under its table.
      /^Légende$/,
      /^Pluie du bassin$/,
      /^Surface inondée$/,
      /^Volumes$/,
      /^Débits du réseau$/,
    ])
    await expectEachMissed(page)
    await close()
  })

  test('curves of junctions and of a link beside the reference', async () => {
    for (const [query, title] of [
      ['analyse=point&objet=J-1&objet=J-2', 'Hauteur d’eau moyenne'],
      [`analyse=link&objet=C-1&reference=${town.runs[1]}&titre=R`, 'Débit'],
    ]) {
      const { page, close } = await open(`?sortie=swmm&${query}`)
      await expectTables(page, [/./, /./, new RegExp(title)])
      await close()
    }
  })
})
