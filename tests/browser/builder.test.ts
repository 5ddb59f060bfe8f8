import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ROLE_MANAGER } from '@radx/contracts'
import type { LoginAnswer } from '@radx/contracts/accounts'
import { type EsriGrid, readEsriAscii } from '@radx/formats/esri-ascii'
import { unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { writeSources } from '../../apps/server/src/builder/testing/derived-sources.ts'
import { type CatchmentPackage, readCatchmentPackage } from '../../apps/server/src/simulation/api.ts'
import { type RadxServer, startRadx } from './radx-server.ts'
import { axe, type OpenPage, openBrowser, openPage } from './support.ts'

// Melun from sources that its package could have been made of, by a person's clicks, to the first run.

vi.setConfig({ testTimeout: 400_000 })

const PATIENCE_MS = 120_000
/** A square of the middle of the town: [west, south, east, north]. */
const PART = [673_500, 6_826_000, 674_700, 6_827_200]
const MELUN = resolve(import.meta.dirname, '../../../shared/data/melun')

let browser: Browser
let radx: RadxServer
let session: LoginAnswer
const folder = mkdtempSync(join(tmpdir(), 'radx-builder-'))

beforeAll(async () => {
  const [opened, started] = await Promise.all([openBrowser(), startRadx({ RADX_WORKERS: '1' })])
  browser = opened
  radx = started
  writeSources(folder, around(await readCatchmentPackage(MELUN)))
  session = await radx.signIn('chef', await radx.addAccount('chef', { roles: [ROLE_MANAGER] }))
}, 400_000)
afterAll(async () => {
  await browser?.close()
  await radx?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The middle of the town with a margin around the square that is built, so that its sources are quick to send. */
function around(given: CatchmentPackage): CatchmentPackage {
  const { elevation, gullies } = given
  const { xll, yll, nrows, cellSize } = elevation
  const [west, south, east, north] = [PART[0] - 200, PART[1] - 200, PART[2] + 200, PART[3] + 200]
  const [col0, col1] = [west, east].map((x) => (x - xll) / cellSize)
  const [row0, row1] = [north, south].map((y) => nrows - (y - yll) / cellSize)
  const cut = (grid: EsriGrid): EsriGrid => {
    const data = new Float64Array((row1 - row0) * (col1 - col0))
    for (let row = row0; row < row1; row++)
      data.set(
        grid.data.subarray(row * grid.ncols + col0, row * grid.ncols + col1),
        (row - row0) * (col1 - col0),
      )
    return { ...grid, ncols: col1 - col0, nrows: row1 - row0, xll: west, yll: south, data }
  }
  return {
    ...given,
    elevation: cut(elevation),
    landUse: cut(given.landUse),
    masks: new Map(),
    gullies: gullies
      .filter(({ row, col }) => row >= row0 && row < row1 && col >= col0 && col < col1)
      .map((gully) => ({ ...gully, row: gully.row - row0, col: gully.col - col0 })),
  }
}

async function open(path: string, options = {}): Promise<OpenPage> {
  const opened = await openPage(browser, radx.url + path, {
    viewport: { width: 1440, height: 900 },
    ...options,
    storage: {
      'radx-session': JSON.stringify({ ...session, expiration: Date.now() + session.expiresIn }),
    },
  })
  opened.page.setDefaultTimeout(PATIENCE_MS)
  return opened
}

/** The map of the world below asks other servers. */
const own = (errors: readonly string[]) => errors.filter((text) => !text.includes('net::ERR_'))
const saved = (page: Page) => page.getByTestId('draft-state').filter({ hasText: 'Enregistré' }).waitFor()
/** The preview of what was saved last stands. */
async function previewed(page: Page): Promise<string> {
  await saved(page)
  await page.locator('[data-testid="preview"][aria-busy="false"]').waitFor()
  return ((await page.getByTestId('preview').textContent()) ?? '').replaceAll(/[\u202f\u00a0]/g, ' ')
}
const step = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Étapes de la construction' }).getByRole('link', { name }).click()

test('Melun is built from its sources step by step, kept, and simulated', async () => {
  const { page, errors, close } = await open('/bassins/nouveau')
  await page.getByLabel('Nom du bassin').fill('Melun centre')
  await page.getByRole('button', { name: 'Commencer' }).click()
  await page.waitForURL(/\/bassins\/nouveau\/[0-9a-f-]{36}/)

  const built = new URL(page.url()).pathname

  // An outline by clicks on the map.
  await page.getByRole('button', { name: 'Tracer sur la carte' }).click()
  const map = page.getByRole('region', { name: 'Aperçu du bassin' })
  const box = (await map.boundingBox())!
  for (const [x, y] of [
    [0.45, 0.45],
    [0.5, 0.45],
    [0.5, 0.52],
    [0.45, 0.5],
  ])
    await page.mouse.click(box.x + x * box.width, box.y + y * box.height)
  await page.getByRole('button', { name: 'Fermer le contour' }).click()
  expect(await previewed(page)).toMatch(/mailles de 10 m/)
  await page.getByText('Contour tracé : 4 sommets.').waitFor()

  // Exactly this square instead.
  await page.getByText('Un rectangle').click()
  for (const [k, side] of ['Ouest (x)', 'Sud (y)', 'Est (x)', 'Nord (y)'].entries())
    await page.getByLabel(side, { exact: true }).fill(String(PART[k]))
  await page.getByTestId('grid-size').filter({ hasText: '120 × 120 mailles' }).waitFor()
  const files = readdirSync(folder)
    .filter((name) => /^(mnt|sols\.geo|conduites|regards|avaloirs)/.test(name))
    .map((name) => join(folder, name))
  await page.locator('input[type="file"]').setInputFiles(files)
  await expect
    .poll(() => page.getByTestId('sources').getByRole('listitem').count(), { timeout: PATIENCE_MS })
    .toBe(files.length)

  await step(page, 'Terrain')
  for (let k = 0; k < 4; k++) await page.getByRole('checkbox', { name: `mnt-${k}.tif` }).check()
  expect(await previewed(page)).toMatch(/Terrain de 4 fichiers : mailles reprises telles quelles/)

  await step(page, 'Sols')
  await page.getByLabel('Code de l’eau permanente').selectOption('6')
  await page.getByLabel('Ajouter une couche').selectOption({ label: 'sols.geojson' })
  await page.getByLabel('Colonne de l’occupation').selectOption('nature')
  await page.getByLabel('Bouche', { exact: true }).selectOption('5')
  expect(await previewed(page)).toMatch(/Occupation des sols par code/)

  await step(page, 'Réseau')
  await page.getByText('Des couches', { exact: true }).click()
  const pipes = page.getByRole('group', { name: 'Conduites' })
  await pipes.getByLabel('Fichier ou couche').selectOption({ label: 'conduites.geojson' })
  // What columns are called says what they mean.
  await expect.poll(() => pipes.getByLabel('Radier aval').inputValue()).toBe('ZAV')
  const manholes = page.getByRole('group', { name: 'Regards' })
  await manholes.getByLabel('Fichier ou couche').selectOption({ label: 'regards.geojson' })
  await expect.poll(() => page.getByRole('checkbox', { name: 'Exutoire' }).isChecked()).toBe(true)
  await page.getByLabel('Unité des diamètres').selectOption('mm')
  expect(await previewed(page)).toMatch(/Réseau : \d[\d ]* nœuds dont \d+ exutoires?/)

  await step(page, 'Avaloirs')
  await page.getByText('Un fichier', { exact: true }).click()
  expect(await previewed(page)).toMatch(/\d+ avaloirs\./)

  // Everything is kept: the page again, and the step before.
  await page.reload()
  await page.getByRole('heading', { name: 'Avaloirs' }).waitFor()
  await expect
    .poll(() => page.getByLabel('CSV (gully, junction, x, y) ou points').inputValue())
    .toBe('avaloirs.csv')
  await page.goBack()
  await page.getByRole('heading', { name: 'Réseau d’assainissement' }).waitFor()

  await step(page, 'Paramètres')
  await page.getByLabel('Source des données').fill('Bassin SYNTHÉTIQUE de l’essai')
  await saved(page)
  await step(page, 'Construction')
  await page.getByRole('button', { name: 'Construire le bassin' }).click()
  const keep = page.getByRole('button', { name: 'Garder parmi les bassins à simuler' })
  await keep.waitFor()
  const [zip] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Télécharger le bassin (.zip)' }).click(),
  ])
  expect(zip.suggestedFilename()).toBe('melun-centre.zip')
  await same(await zip.path())
  await keep.click()
  await page
    .getByText(
      '« Melun centre » est parmi les bassins versants à simuler.'.replace(/ (?=»)|(?<=«) /g, '\u00a0'),
    )
    .waitFor()
  expect((await axe(page).analyze()).violations).toEqual([])

  // The first run on it.
  await page.getByRole('link', { name: 'Nouvelle simulation' }).click()
  await page.getByLabel('Titre de la simulation').fill('Première averse')
  await page.getByRole('button', { name: 'Suivant' }).click()
  await page.getByRole('radio').first().click()
  await page.getByRole('table', { name: 'Codes utilisés' }).waitFor()
  await page.getByRole('button', { name: 'Suivant' }).click()
  await page.getByRole('radio', { name: 'Pluie de projet synthétique' }).click()
  await page.getByRole('button', { name: 'Utiliser ces paramètres' }).click()
  await page.getByRole('button', { name: 'Lancer la simulation' }).click()
  await page.waitForURL(/\/multihydro\/[0-9a-f-]{36}$/)
  await page.getByRole('heading', { name: 'Fichier(s) de sortie' }).waitFor()
  await page.getByText('Terminé').first().waitFor()
  expect(own(errors)).toEqual([])
  await close()

  // The same on a phone, in the dark: nothing beside the screen, nothing that cannot be read.
  const phone = await open(built, { viewport: { width: 390, height: 844 }, scheme: 'dark' })
  for (const name of ['Sols', 'Réseau', 'Contour']) {
    await step(phone.page, name)
    await previewed(phone.page)
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  }
  expect((await axe(phone.page).analyze()).violations).toEqual([])
  await phone.page.getByRole('link', { name: 'Tous les bassins en construction' }).click()
  await phone.page.getByRole('link', { name: 'Melun centre' }).waitFor()
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect((await axe(phone.page).analyze()).violations).toEqual([])
  await phone.close()
})

/** What was built has the heights and the land use of the package that the sources were made of. */
async function same(path: string): Promise<void> {
  const files = unzipSync(readFileSync(path))
  const given = await readCatchmentPackage(MELUN)
  for (const [name, grid] of [
    ['elevation.asc', given.elevation],
    ['luse.asc', given.landUse],
  ] as const) {
    const made = readEsriAscii(Buffer.from(files[name]).toString(), name)
    expect([made.ncols, made.nrows, made.xll, made.yll]).toEqual([120, 120, PART[0], PART[1]])
    const [col0, row0] = [
      (PART[0] - grid.xll) / grid.cellSize,
      grid.nrows - (PART[3] - grid.yll) / grid.cellSize,
    ]
    let apart = 0
    for (let row = 0; row < 120; row++)
      for (let col = 0; col < 120; col++)
        if (!Object.is(made.data[row * 120 + col], grid.data[(row0 + row) * grid.ncols + col0 + col])) apart++
    expect(apart, name).toBe(0)
  }
}
