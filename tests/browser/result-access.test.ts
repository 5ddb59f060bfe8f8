import type { RunFigures } from '@radx/contracts/figures'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccessibilityCheck } from './axe.ts'
import { openRun, type SewerServer, startSewerServer } from './sewer-server.ts'
import { sewerTown } from './sewer-town.ts'
import { spokenFaults } from './spoken.ts'
import { axe, openBrowser, openPage } from './support.ts'

const RAIN = { d: 10, t: 3, iMax: 90, calmAfter: 10 }
let browser: Browser
let town: SewerServer

beforeAll(async () => {
  ;[browser, town] = await Promise.all([openBrowser(), startSewerServer(sewerTown())])
  await Promise.all([town.run('Ville', RAIN), town.run('Jardins', RAIN, { soilModule: 'true' })])
})
afterAll(async () => {
  await browser?.close()
  await town?.stop()
})

/** Addresses that open every section with data in it, and what each of them has once it is there. */
const sections = (): [name: string, query: string, there: (page: Page) => Promise<void>][] => {
  const reference = `reference=${town.runs.get('Jardins')}&titre=Jardins`
  return [
    ['path', 'sortie=swmm&objet=J-1&objet=OUT-1', (page) => page.getByTestId('profile').waitFor()],
    [
      'junctions',
      'sortie=swmm&analyse=point&objet=J-4&objet=J-9',
      (page) => page.getByRole('figure', { name: 'Hauteur d’eau moyenne' }).locator('canvas').waitFor(),
    ],
    [
      'links beside a reference',
      `sortie=swmm&analyse=link&objet=C-4&${reference}`,
      (page) => page.getByTestId('volume-badge').waitFor(),
    ],
    ['depth 2D', 'sortie=depth&vue=2d&cellule=5,8', (page) => page.getByTestId('cell-value').waitFor()],
    ['depth 3D', 'sortie=depth&vue=3d', (page) => page.getByTestId('depth-3d').waitFor()],
    [
      'depth beside a reference',
      `sortie=depth&vue=carte&ecart=oui&${reference}`,
      (page) => page.getByTestId('difference').waitFor(),
    ],
    [
      'over time',
      `sortie=evolution&t=600&${reference}`,
      (page) => page.getByRole('table', { name: 'Bilans des deux simulations' }).waitFor(),
    ],
  ]
}

test('no section of a finished run has an accessibility violation in light or dark mode, nor is one wider than a phone', async () => {
  const found: string[] = []
  for (const [name, query, there] of sections()) {
    const { page, close } = await openRun(browser, town, 'Ville', `?${query}`, { scheme: 'light' })
    const lookFor = async (mode: string, asked: AccessibilityCheck) => {
      await there(page)
      const { violations } = await asked.exclude('.maplibregl-canvas').analyze()
      for (const { id, nodes } of violations)
        found.push(`${name}, ${mode}: ${id} (${nodes.length}) ${nodes[0].html.slice(0, 160)}`)
    }
    await lookFor('light', axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']))
    for (const fault of await spokenFaults(page)) found.push(`${name}: ${fault}`)
    // The other mode has the same document in other colours.
    await page.getByRole('button', { name: 'Passer en affichage sombre' }).click()
    await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark')
    await page.evaluate(() => {
      for (const fading of document.getAnimations()) fading.finish()
    })
    await lookFor('dark', axe(page).withRules(['color-contrast']))
    await page.setViewportSize({ width: 390, height: 844 })
    await there(page)
    // Maps and charts follow their place a moment later.
    const fits = await page
      .waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1)
      .catch(() => null)
    if (fits === null) found.push(`${name}: wider than a phone`)
    await close()
  }
  expect(found).toEqual([])
})

test('runs are chosen, compared in a table and on small maps, and told apart by a chart; all of it has its address', async () => {
  const [ville, jardins] = ['Ville', 'Jardins'].map((title) => town.runs.get(title)!)
  const { page, errors, close } = await openPage(browser, `${town.url}/multihydro`, {
    storage: {
      'radx-session': JSON.stringify({ ...town.session, expiration: Date.now() + town.session.expiresIn }),
    },
  })
  await page.getByRole('link', { name: 'Comparer des simulations' }).click()
  await page.getByText('Choisissez au moins une simulation ci-dessus.').waitFor()
  await page.getByLabel('Chercher par titre, bassin ou auteur').fill('VILLE melun')
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(1)
  await page.getByRole('checkbox', { name: 'Ville' }).check()
  await page.getByLabel('Chercher par titre, bassin ou auteur').fill('')
  await page.getByRole('checkbox', { name: 'Jardins' }).check()
  const table = page.getByRole('region', { name: 'Chiffres des simulations' }).getByRole('table')
  const figures = async (title: string) =>
    (await table.getByRole('row').filter({ hasText: title }).getByRole('cell').allTextContents()).slice(4)
  const asked = async (id: string) => (await town.call(`/api/multihydro/file/${id}/figures`)) as RunFigures
  const [a, b] = [await asked(ville), await asked(jardins)]
  expect(b.infiltratedMm).toBeGreaterThan(a.infiltratedMm)
  await expect
    .poll(async () => (await figures('Jardins'))[3])
    .toBe(formatNumberFr(100 * b.deepest!.depthM, 0))
  await expect.poll(async () => (await figures('Ville'))[11]).toBe(formatNumberFr(a.infiltratedMm, 1))
  const titles = () => table.getByRole('rowheader').getByRole('link').allTextContents()
  await table.getByRole('button', { name: /^Infiltré/ }).click()
  await expect.poll(titles).toEqual(['Jardins', 'Ville'])
  await table.getByRole('button', { name: /^Infiltré/ }).click()
  await expect.poll(titles).toEqual(['Ville', 'Jardins'])
  await page.getByRole('img', { name: 'Hauteur maximale, Jardins' }).waitFor()
  await page.getByLabel('Écarts à').selectOption('Ville')
  const less = formatNumberFr(b.infiltratedMm - a.infiltratedMm, 1)
  await expect
    .poll(async () => (await figures('Jardins'))[11])
    .toBe(`${formatNumberFr(b.infiltratedMm, 1)}+${less}`)
  const change = page.getByRole('img', { name: 'Écart de hauteur maximale, Jardins moins Ville' })
  await change.waitFor()
  await page.getByText('C’est la simulation à laquelle les autres sont comparées.').waitFor()
  // Gardens drink: nowhere is more water, somewhere is less, which is blue.
  const colours = () =>
    change.evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
      const cells = Array.from({ length: data.length / 4 }, (_, k) => [data[4 * k], data[4 * k + 2]])
      return [
        cells.filter(([red, blue]) => blue > red + 30).length,
        cells.filter(([red, blue]) => red > blue + 30).length,
      ]
    })
  await expect.poll(async () => (await colours())[0]).toBeGreaterThan(0)
  expect((await colours())[1]).toBe(0)
  await page.getByLabel('En ordonnée').selectOption('Volume aux exutoires')
  await page.getByRole('figure', { name: 'Volume aux exutoires / Pluie' }).locator('canvas').waitFor()
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 120)}`)).toEqual([])
  await page.reload()
  await change.waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    )
    .toBeLessThanOrEqual(1)
  // Back takes back what was chosen, one thing at a time.
  await page.goBack()
  await page.getByRole('img', { name: 'Hauteur maximale, Jardins' }).waitFor()
  await page.getByRole('button', { name: 'Retirer « Ville »' }).click()
  await expect.poll(titles).toEqual(['Jardins'])
  // The list asks for the mask of a case study that this town has not.
  expect(errors.filter((one) => !one.startsWith('Failed to load resource'))).toEqual([])
  await close()
})

test('a run on a catchment that has been replaced is marked, keeps its own network, and meets no other version', async () => {
  const files = sewerTown()
  // Another street: J-4 is gone, and the grid lies elsewhere.
  const renamed = Object.fromEntries(
    ['gullies.csv', 'network.inp'].map((name) => [name, files[name].replaceAll(/\bJ-4\b/g, 'N-4')]),
  )
  await town.replace({ ...files, ...renamed })
  await town.run('Ville neuve', RAIN)
  const names = async (page: Page) => {
    const table = page.getByRole('region', { name: 'SWMM Analyse' }).getByRole('table')
    await table.getByRole('button', { name: 'J-1', exact: true }).waitFor()
    return (await table.getByRole('button').allTextContents()).filter((name) => /^[JN]-4$/.test(name))
  }
  const query = '?sortie=swmm&analyse=point&objet=J-1'
  const old = await openRun(browser, town, 'Ville', query)
  await old.page.getByText('Le bassin versant a été remplacé depuis').waitFor()
  await expect.poll(() => names(old.page)).toEqual(['J-4'])
  // Only the run of its own version can be its reference.
  await old.page.getByRole('button', { name: /^Simulation de référence/ }).click()
  await old.page.getByRole('radio', { name: /Jardins/ }).waitFor()
  await expect.poll(() => old.page.getByRole('radio', { name: /Ville neuve/ }).count()).toBe(0)
  await expect.poll(() => old.page.getByRole('radio', { name: /Jardins/ }).count()).toBe(1)

  const current = await openRun(browser, town, 'Ville neuve', query)
  await expect.poll(() => names(current.page)).toEqual(['N-4'])
  await expect.poll(() => current.page.getByText('Le bassin versant a été remplacé depuis').count()).toBe(0)
  await current.page.goto(`${town.url}/multihydro`)
  const card = (title: string) => current.page.getByRole('article').filter({ hasText: title })
  await card('Ville neuve').waitFor()
  await expect.poll(() => card('Jardins').textContent()).toContain('version précédente du bassin')
  await expect.poll(() => card('Ville neuve').textContent()).not.toContain('version précédente du bassin')

  // Starting from the old run takes everything over but the land use, which fits no new run.
  await old.page.getByRole('link', { name: 'Repartir de cette simulation' }).click()
  await old.page.getByText('appartient à une version précédente du bassin').waitFor()
  await expect.poll(() => old.page.getByLabel('Titre de la simulation').inputValue()).toBe('Ville')
  await old.page.getByRole('button', { name: 'Suivant' }).click()
  await old.page.getByRole('radio').first().waitFor()
  await expect.poll(() => old.page.getByRole('radio', { disabled: true }).count()).toBeGreaterThan(0)
  await expect.poll(() => old.page.getByRole('radio', { checked: true }).count()).toBe(0)
  await expect.poll(() => old.page.getByRole('button', { name: 'Suivant' }).isDisabled()).toBe(true)
  for (const { close } of [old, current]) await close()
})
