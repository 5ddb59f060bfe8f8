import { readFileSync, rmSync, truncateSync } from 'node:fs'
import { PALETTES } from '@radx/charts/palettes'
import type { CellSeries, RunFigures, SectionFlow, StreetDepths } from '@radx/contracts/figures'
import type { FloodCourse } from '@radx/contracts/flood'
import type { Job } from '@radx/contracts/jobs'
import type { WaterBalance } from '@radx/contracts/simulation'
import { VIRTUAL_START } from '@radx/contracts/simulation-constants'
import type { Browser, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SimulatedTown, startSimulatedTown } from './simulated-town.ts'
import { spokenFaults } from './spoken.ts'
import { axe, COARSE, type OpenPage, openBrowser, openPage, pixels } from './support.ts'

const [OWN, REFERENCE, DRY, DAMAGED] = [0, 1, 2, 3]
/** Row and column, from 1, of the lowest cell of the hollow. */
const DEEPEST = { row: 5, col: 8 }
const NCOLS = 12

let town: SimulatedTown
let browser: Browser
/** Largest depths of the own run, m, row 0 north. */
let depths: (number | null)[][]

const open = (run: number, query = ''): Promise<OpenPage> =>
  openPage(browser, `${town.url}/multihydro/${town.runs[run]}${query}`, {
    viewport: { width: 1280, height: 900 },
    ...COARSE,
    hasWholeMaps: true,
    acceptDownloads: true,
    storage: {
      'radx-session': JSON.stringify({ ...town.session, expiration: Date.now() + town.session.expiresIn }),
    },
  })

beforeAll(async () => {
  const storm = { drainage: false, iMax: 120 }
  ;[browser, town] = await Promise.all([
    openBrowser(),
    startSimulatedTown([
      { ...storm, title: 'Sans réseau', swale: [1, 2, 3].map((j) => ({ i: 5, j })) },
      { ...storm, title: 'Avec réseau', drainage: true },
      { ...storm, title: 'Bruine', iMax: 0.1 },
      { ...storm, title: 'Abîmée' },
    ]),
  ])
  const { data } = await town.get<{ data: typeof depths }>(
    `/api/multihydro/file/${town.runs[OWN]}/output?outputType=max_waterdepth_10m.txt`,
  )
  depths = data
})
afterAll(async () => {
  await browser?.close()
  await town?.stop()
})

/** A loaded machine draws late. */
const eventually = <T>(read: () => T) => expect.poll(read)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** A choice of a segmented control; its radio button is hidden. */
const choice = (page: Page, group: string, name: string) =>
  page
    .getByRole('radiogroup', { name: group })
    .locator('label')
    .filter({ hasText: new RegExp(`^${name}$`) })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const set = (page: Page) => section(page, 'Maximum Water Depth').getByRole('button', { name: 'Set' })
const wet = () =>
  depths
    .flat()
    .filter((depth): depth is number => depth !== null && depth > 0)
    .map((depth) => Math.round(depth * 10_000) / 100)
const cmOf = (row: number, col: number) => Math.round((depths[row - 1][col - 1] ?? 0) * 10_000) / 100
const french = (value: number, decimals: number) => value.toFixed(decimals).replace('.', ',')
const rgb = (color: string) =>
  color.startsWith('#')
    ? [1, 3, 5].map((k) => Number.parseInt(color.slice(k, k + 2), 16))
    : (color.match(/\d+/g) ?? []).map(Number)

/** Colour of a cell in the matrix's own picture. */
const cellColor = (page: Page, row: number, col: number) =>
  page
    .locator('canvas[data-px]')
    .evaluate(
      (canvas: HTMLCanvasElement, [y, x]) => [
        ...(canvas.getContext('2d')?.getImageData(x, y, 1, 1).data ?? []),
      ],
      [row - 1, col - 1],
    )

/** Clicks a cell of the matrix. */
async function clickCell(page: Page, row: number, col: number, px: number): Promise<void> {
  await page.locator('canvas[data-px]').click({ position: { x: (col - 0.5) * px, y: (row - 0.5) * px } })
}

/** What the page tells of the chosen cell, every space a plain one. */
const told = async (page: Page) => (await page.getByTestId('cell-value').textContent())?.replace(/\s/g, ' ')

/** How many colours a part of the page has; a blank one has one. */
async function colorsOf(page: Page, selector: string): Promise<number> {
  const png = PNG.sync.read(await page.locator(selector).first().screenshot())
  const seen = new Set<number>()
  for (let k = 0; k < png.data.length; k += 4) seen.add(png.data.readUInt32BE(k) >>> 8)
  return seen.size
}

/** Share of the pixels of the 3D view that are not as they were. */
async function apart(page: Page, before: Buffer): Promise<number> {
  const shot = await page.getByTestId('depth-3d').screenshot()
  const [a, b] = [PNG.sync.read(before).data, PNG.sync.read(shot).data]
  let other = 0
  for (let k = 0; k < a.length; k += 4) if ([0, 1, 2].some((c) => Math.abs(a[k + c] - b[k + c]) > 24)) other++
  return (4 * other) / a.length
}

describe('maximum water depth', () => {
  test('[SIMDETAIL-23] [DEPTH-01] [DEPTH-02] [DEPTH-04] [DEPTH-05] [DEPTH-12] [DEPTH-13] [DEPTH-14] the matrix opens on demand, in two scales and three zooms, and tells a pixel in cm', async () => {
    const { page, errors, close } = await open(OWN)
    const head = button(page, 'Maximum Water Depth').last()
    await head.waitFor()
    await expect.poll(() => head.getAttribute('aria-expanded')).toBe('false')
    await expect.poll(() => page.locator('canvas[data-px]').count()).toBe(0)
    await head.click()
    await page.locator('canvas[data-px]').waitFor()
    await expect
      .poll(() => choice(page, 'Vue', '2D').locator('..').getByRole('radio').first().isChecked())
      .toBe(true)

    const most = Math.max(...wet())
    expect(most).toBe(cmOf(DEEPEST.row, DEEPEST.col))
    expect(most).toBeGreaterThan(5)
    await expect.poll(() => page.getByLabel('Min (cm)').inputValue()).toBe('0')
    await expect.poll(() => page.getByLabel('Max (cm)').inputValue()).toBe(String(most).replace('.', ','))
    const legend = page.getByRole('figure', { name: 'Hauteur maximale (cm)' }).getByRole('listitem')
    await expect.poll(() => legend.count()).toBe(11)
    await expect.poll(() => legend.first().textContent()).toBe('0')

    await eventually(() => cellColor(page, DEEPEST.row, DEEPEST.col)).toEqual([
      ...rgb(PALETTES.turbo(1)),
      255,
    ])
    // Outside the basin, and the pond that keeps no water.
    await expect.poll(async () => (await cellColor(page, 1, 1))[3]).toBe(0)
    expect(cmOf(8, 12)).toBe(0)
    await expect.poll(() => cellColor(page, 8, 12)).toEqual([232, 236, 237, 255])
    await choice(page, 'Échelle de couleurs', 'Spectral').click()
    await eventually(() => cellColor(page, DEEPEST.row, DEEPEST.col)).toEqual([
      ...rgb(PALETTES.spectral(1)),
      255,
    ])

    for (const [zoom, px] of [
      ['1', 3],
      ['2', 7],
      ['3', 15],
    ] as const) {
      await choice(page, 'Zoom', zoom).click()
      await page.locator(`canvas[data-px="${px}"]`).waitFor()
      await expect
        .poll(async () => (await page.locator('canvas[data-px]').boundingBox())?.width)
        .toBeCloseTo(NCOLS * px, 1)
    }
    const value = page.getByTestId('cell-value')
    await clickCell(page, DEEPEST.row, DEEPEST.col, 15)
    await eventually(() => told(page)).toBe(
      `Ligne ${DEEPEST.row}, colonne ${DEEPEST.col} ${french(most, 1)} cm`,
    )
    await clickCell(page, 8, 12, 15)
    await eventually(() => value.textContent()).toContain('aucune eau')
    await page.getByRole('region', { name: 'Hauteurs d’eau maximales, un carré par cellule' }).focus()
    await page.keyboard.press('ArrowUp')
    await eventually(() => value.textContent()).toContain(`${french(cmOf(7, 12), 1)}\u202fcm`)

    // The address is the view.
    await eventually(() => new URL(page.url()).search).toContain('cellule=6%2C11')
    await page.reload()
    await page.locator('canvas[data-px="15"]').waitFor()
    await eventually(() => value.textContent()).toContain(`${french(cmOf(7, 12), 1)}\u202fcm`)
    expect(errors).toEqual([])
    await close()
  })

  test('[DEPTH-03] [DEPTH-10] [DEPTH-11] thresholds take numbers only and count once they are set', async () => {
    const { page, errors, close } = await open(OWN, '?sortie=depth')
    const [min, max] = [page.getByLabel('Min (cm)'), page.getByLabel('Max (cm)')]
    await min.waitFor()
    await expect.poll(() => set(page).isDisabled()).toBe(true)
    const before = await max.inputValue()
    await max.pressSequentially('a-e ')
    await expect.poll(() => max.inputValue()).toBe(before)
    await min.fill('')
    await min.pressSequentially('4,x5')
    await expect.poll(() => min.inputValue()).toBe('4,5')
    await max.fill('3')
    await page.getByText('Le minimum doit rester inférieur au maximum.').waitFor()
    await expect.poll(() => set(page).isDisabled()).toBe(true)
    await max.fill('6')
    await set(page).click()
    await eventually(() => set(page).isDisabled()).toBe(true)
    const ticks = page.getByRole('figure', { name: 'Hauteur maximale (cm)' }).getByRole('listitem')
    await expect
      .poll(async () => [await ticks.first().textContent(), await ticks.last().textContent()])
      .toEqual(['4,5', '6'])
    const shallow = wet().filter((cm) => cm < 4.5)
    expect(shallow.length).toBeGreaterThan(10)
    const ground = [232, 236, 237, 255]
    for (const [row, col] of cells((cm) => cm > 0 && cm < 4.5).slice(0, 3))
      await expect.poll(() => cellColor(page, row, col)).toEqual(ground)
    for (const [row, col] of cells((cm) => cm >= 6).slice(0, 3))
      await expect.poll(() => cellColor(page, row, col)).toEqual([...rgb(PALETTES.turbo(1)), 255])
    await expect.poll(() => new URL(page.url()).searchParams.get('min')).toBe('4.5')
    expect(errors).toEqual([])
    await close()
  })

  /** Places, from 1, of cells whose depth in cm fits. */
  const cells = (fits: (cm: number) => boolean): [number, number][] =>
    depths.flatMap((line, i) =>
      line.flatMap((depth, j): [number, number][] =>
        depth !== null && fits(cmOf(i + 1, j + 1)) ? [[i + 1, j + 1]] : [],
      ),
    )

  test('[DEPTH-06] [DEPTH-07] [DEPTH-08] [DEPTH-09] [DEPTH-11] [DEPTH-15] [DEPTH-16] bars on the land use are hidden below a threshold, drawn solid or as wires, and turned by keys', async () => {
    const { page, errors, close } = await open(OWN, '?sortie=depth')
    await choice(page, 'Vue', '2D').waitFor()
    const picture = page.waitForResponse(/image\.jpg$/)
    const [address] = await Promise.all([
      page.waitForResponse(/\/imageluse$/),
      choice(page, 'Vue', '3D').click(),
    ])
    expect((await address.json()).path).toMatch(/image\.jpg$/)
    expect((await picture).headers()['content-type']).toBe('image/jpeg')
    const scene = page.getByTestId('depth-3d')
    await scene.locator('canvas').waitFor()
    await expect.poll(() => scene.getAttribute('data-bars')).toBe(String(wet().length))
    await eventually(() => colorsOf(page, '[data-testid="depth-3d"] canvas')).toBeGreaterThan(20)

    const slider = page.getByRole('slider', { name: 'Masquer les valeurs inférieurs à' })
    await expect.poll(() => set(page).isDisabled()).toBe(true)
    const marks = slider.locator('xpath=ancestor::div[2]/ol/li')
    await expect.poll(() => marks.allTextContents()).toEqual(['0', '1', '3', '10', '20', '30', '50', '100'])
    await slider.fill('2')
    await expect.poll(() => scene.getAttribute('data-bars')).toBe(String(wet().length))
    await set(page).click()
    const shown = wet().filter((cm) => cm >= 3).length
    expect(shown).toBeLessThan(wet().length)
    await eventually(() => scene.getAttribute('data-bars')).toBe(String(shown))
    await expect.poll(() => set(page).isDisabled()).toBe(true)
    await button(page, 'Seuil automatique').click()
    await eventually(() => scene.getAttribute('data-bars')).toBe(String(wet().length))

    const table = page.getByRole('table', { name: 'Cellules par hauteur d’eau maximale' })
    const bands = [0, 1, 3, 10, 20, 30, 50, 100, Number.POSITIVE_INFINITY]
    const names = ['<1', '<3', '<10', '<20', '<30', '<50', '<100', '>100']
    await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(names.length)
    const rows = await table.getByRole('row').allTextContents()
    names.forEach((name, k) => {
      const count = wet().filter((cm) => cm >= bands[k] && cm < bands[k + 1]).length
      expect(rows[k + 1].replace(/\s/g, '')).toBe(`${name}${count}${french(count / 100, 2)}ha`)
    })

    const solid = await scene.screenshot()
    await choice(page, 'Rendu', 'Rendu filaire').click()
    await eventually(() => apart(page, solid)).toBeGreaterThan(0.01)
    const wires = await scene.screenshot()
    await scene.focus()
    await page.keyboard.press('ArrowLeft')
    await eventually(() => apart(page, wires)).toBeGreaterThan(0.05)
    await page.keyboard.press('0')
    await eventually(() => apart(page, wires)).toBeLessThan(0.005)
    await expect.poll(() => new URL(page.url()).searchParams.get('rendu')).toBe('filaire')
    expect(errors).toEqual([])
    await close()
  })

  test('the depths lie on the real map, and their difference to a reference; both are files', async () => {
    const { page, errors, close } = await open(OWN, '?sortie=depth&vue=carte')
    const map = page.getByRole('region', { name: 'Carte du bassin versant' })
    await map.locator('canvas').first().waitFor()
    await map.scrollIntoViewIfNeeded()
    const box = (await map.boundingBox())!
    // The map shows the whole basin, so that its middle is the corner of rows 4 and 5, columns 6 and 7.
    const near = { x: box.x + box.width / 2 + 12, y: box.y + box.height / 2 + 12 }
    const red = async () => {
      const { at } = await pixels(page)
      const [r, g, b] = at(near.x, near.y)
      return Math.max(r, g, b) - Math.min(r, g, b)
    }
    await eventually(red).toBeGreaterThan(60)
    await page.mouse.click(near.x, near.y)
    await eventually(() => told(page)).toBe(`Ligne 5, colonne 7 ${french(cmOf(5, 7), 1)} cm`)

    const save = async (name: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
    }
    const tiff = await save('Hauteur d’eau maximale en GeoTIFF')
    expect([tiff.name, tiff.bytes.subarray(0, 4).toString('latin1')]).toEqual([
      'hauteur-maximale.tif',
      'II*\0',
    ])

    await page.goto(
      `${page.url()}&reference=${town.runs[REFERENCE]}&titre=${encodeURIComponent('Avec réseau')}`,
    )
    await choice(page, 'Montrer', 'Écart à la référence').click()
    const difference = page.getByTestId('difference')
    await eventually(() => difference.textContent()).toMatch(/^Plus profond sur/)
    const summary = await difference.textContent()
    const { data: other } = await town.get<{ data: typeof depths }>(
      `/api/multihydro/file/${town.runs[REFERENCE]}/output?outputType=max_waterdepth_10m.txt`,
    )
    const changes = depths.flatMap((line, i) =>
      line.map((depth, j) => Math.round(1000 * ((depth ?? 0) - (other[i][j] ?? 0)) * 10) / 100),
    )
    const deeper = changes.filter((cm) => cm >= 0.1)
    expect(deeper.length).toBeGreaterThan(3)
    const [, ha, cm] = /^Plus profond sur ([\d,]+)\sha, de ([\d,]+)\scm/.exec(summary ?? '') ?? []
    expect(ha).toBe(french(deeper.length / 100, 2))
    expect(Math.abs(Number(cm.replace(',', '.')) - Math.max(...deeper))).toBeLessThan(0.06)
    const csv = (await save('CSV de l’écart')).bytes.toString()
    expect(csv).toContain(`# REFERENCE : Avec réseau (${town.runs[REFERENCE]})`)
    expect(csv).toContain('max_depth_m;reference_m;difference_m')
    expect(errors).toEqual([])
    await close()
  })

  test('a run without water, a damaged file and a reference that is gone say so, and the rest of the page works', async () => {
    const dry = await open(DRY, '?sortie=depth,evolution')
    await dry.page.getByText('Cette simulation n’a laissé d’eau sur aucune cellule').waitFor()
    await dry.page.getByText('Aucune cellule n’a eu 10\u00a0cm d’eau ou plus.').waitFor()
    expect(dry.errors).toEqual([])
    await dry.close()

    truncateSync(town.file(town.runs[DAMAGED], 'max_waterdepth_10m.txt'), 300)
    rmSync(town.file(town.runs[DAMAGED], 'depth_frames.bin'))
    const damaged = await open(DAMAGED, '?sortie=depth,evolution')
    const depth = section(damaged.page, 'Maximum Water Depth')
    await depth.getByText(/«\u00a0max_waterdepth_10m.txt\u00a0» manque ou est endommagé/).waitFor()
    await section(damaged.page, 'Évolution')
      .getByText(/«\u00a0depth_frames.bin\u00a0» manque/)
      .first()
      .waitFor()
    await damaged.page.getByRole('heading', { name: 'Fichier(s) de sortie' }).waitFor()
    await damaged.page.getByText('all_flow_10m.txt').waitFor()
    await damaged.close()

    const gone = '00000000-0000-4000-8000-00000000000f'
    const lone = await open(OWN, `?sortie=depth,evolution&vue=carte&ecart=oui&reference=${gone}&titre=Perdue`)
    await section(lone.page, 'Maximum Water Depth')
      .getByText(/La référence n’a pas pu être lue/)
      .waitFor()
    await section(lone.page, 'Évolution')
      .getByText(/La référence n’a pas pu être lue/)
      .waitFor()
    await lone.page.getByTestId('depth-over-time').waitFor()
    await choice(lone.page, 'Montrer', 'Hauteur maximale').click()
    await lone.page.getByRole('region', { name: 'Carte du bassin versant' }).waitFor()
    await lone.close()
  })
})

describe('the workspace of a run', () => {
  const space = (page: Page) => page.getByRole('region', { name: 'Carte du résultat' })
  const figure = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Chiffres clés' }).getByRole('link').filter({ hasText: name })

  test('it opens from the page of a run, says the answer first, and each figure leads to its place', async () => {
    const { page, errors, close } = await open(REFERENCE)
    await page.getByRole('link', { name: 'Ouvrir l’espace de travail' }).click()
    await space(page).locator('canvas').first().waitFor()
    const figures = await town.get<RunFigures>(`/api/multihydro/file/${town.runs[REFERENCE]}/figures`)
    const { deepest, rainMm } = figures
    if (deepest === null) throw new Error('the town stayed dry')
    await figure(page, 'Pluie')
      .getByText(`${french(rainMm, 1)}\u202fmm`)
      .waitFor()
    await figure(page, 'Plus grande hauteur').click()
    const inspector = page.getByRole('complementary', { name: 'Ce qui est choisi' })
    const card = inspector.getByRole('listitem').first()
    await card.getByRole('heading', { name: `Cellule ${deepest.row + 1}, ${deepest.col + 1}` }).waitFor()
    await eventually(async () => (await card.textContent())?.replace(/\s/g, ' ')).toContain(
      `Hauteur maximale${french(100 * deepest.depthM, 1)} cm`,
    )
    await figure(page, 'Pointe aux exutoires').click()
    await inspector.getByRole('heading', { name: 'Regard OUT-1' }).waitFor()
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Réseau d’assainissement' }).isChecked())
      .toBe(true)

    const { streets } = await town.get<StreetDepths>(`/api/multihydro/file/${town.runs[REFERENCE]}/streets`)
    if (deepest.depthM >= 0.1) {
      await page.getByText('Surface inondée par rue').click()
      const street = page.getByRole('table', { name: 'Surface inondée par rue' }).getByRole('row').nth(1)
      await eventually(async () => (await street.textContent())?.replace(/\s/g, ' ')).toBe(
        `Rue du Creux${streets[0].areasM2.map((m2) => `${french(m2 / 10_000, 2)} ha`).join('')}`,
      )
    } else await page.getByText('Aucune rue n’a eu 10\u00a0cm d’eau.').waitFor()

    // Kept, it stays beside the next; all of it is in the address.
    await inspector.getByRole('button', { name: 'Épingler, pour comparer' }).click()
    await inspector.getByRole('button', { name: 'Ne plus épingler' }).waitFor()
    await figure(page, 'Plus grande hauteur').click()
    await eventually(() => inspector.getByRole('heading', { level: 3 }).count()).toBeGreaterThan(2)
    await page.reload()
    await inspector.getByRole('heading', { name: 'Regard OUT-1' }).waitFor()
    await inspector.getByRole('region', { name: 'Hauteur d’eau des cellules' }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      inspector
        .getByRole('region', { name: 'Hauteur d’eau des cellules' })
        .getByRole('button', { name: 'Télécharger en CSV' })
        .click(),
    ])
    const series = await town.get<CellSeries>(
      `/api/multihydro/file/${town.runs[REFERENCE]}/cell?row=${deepest.row}&col=${deepest.col}`,
    )
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
    expect(lines.length).toBeGreaterThan(series.timesS.length)
    // Everything that stands side by side in one file, as the account writes its files.
    const [all] = await Promise.all([
      page.waitForEvent('download'),
      inspector.getByRole('button', { name: 'Toutes les courbes en CSV' }).click(),
    ])
    const [dialect, head, ...rows] = readFileSync(await all.path(), 'utf8')
      .replace(/[\u00a0\u202f]/g, ' ')
      .trim()
      .split('\n')
    expect(dialect).toContain('points-virgules')
    const cell = `Cellule ${deepest.row + 1}, ${deepest.col + 1}`
    const columns = head.replaceAll('"', '').split(';')
    expect(columns).toEqual([
      'temps_s',
      `${cell} : hauteur (cm)`,
      `${cell} : niveau (m)`,
      `${cell} : vitesse (m/s)`,
      'Regard OUT-1 : hauteur moyenne (m)',
      'Conduite C-2 : débit moyen (m³/s)',
    ])
    const at = rows.map((row) => row.split(';')).find(([timeS]) => timeS === '600')
    expect(at?.[1]).toBe(String(100 * series.depthsM[series.timesS.indexOf(600)]).replace('.', ','))

    // Curves that do not come say so and can be asked for again.
    expect(errors).toEqual([])
    await page.route('**/output?*names=*', (route) =>
      route.fulfill({ status: 429, json: { code: 'request.busy', message: 'Trop à la fois.' } }),
    )
    await page.goto(
      `${town.url}/multihydro/${town.runs[REFERENCE]}/espace?reseau=oui&choix=*n:J-1&choix=n:OUT-1`,
    )
    // Of the two junctions, and of the pipe into the outfall.
    const refused = inspector.getByRole('alert').filter({ hasText: 'Trop à la fois.' })
    await eventually(() => refused.count()).toBe(2)
    await page.unroute('**/output?*names=*')
    for (const [left, name] of [
      [1, 'Hauteur d’eau moyenne'],
      [0, 'Débit'],
    ] as const) {
      await refused.first().getByRole('button', { name: 'Réessayer' }).click()
      await inspector.getByRole('region', { name }).locator('canvas').waitFor()
      await eventually(() => refused.count()).toBe(left)
    }
    errors.splice(0, errors.length, ...errors.filter((text) => !text.includes('429')))
    // Two clicks on the map, and there is the profile between the junctions, with the highest levels of the run.
    await inspector.getByRole('button', { name: 'Tout retirer' }).click()
    await page.getByRole('button', { name: 'Voir tout le bassin' }).click()
    await page.getByRole('button', { name: 'Profil en long entre deux clics' }).click()
    await page.getByText('Cliquez deux regards').waitFor()
    const stage = (await space(page).boundingBox())!
    // Beside the junctions, which stand 25 m to the west of the middle and 55 m to the east.
    for (const x of [-190, 360])
      await page.mouse.click(stage.x + stage.width / 2 + x, stage.y + stage.height / 2 + 12)
    await eventually(() => new URL(page.url()).searchParams.getAll('choix')).toEqual(['*n:J-1', '*n:OUT-1'])
    const profile = page.getByRole('region', { name: 'Profil entre deux regards' })
    await profile.getByTestId('profile-highest').waitFor({ state: 'attached' })
    await profile.getByText('Plus hautes eaux').first().waitFor()
    // Annotated as a section is: levels of the nodes, diameter and slope of the pipes, for the ear as well.
    await eventually(() => profile.getByTestId('profile-levels').locator('text').count()).toBeGreaterThan(5)
    await eventually(() => profile.getByTestId('profile-pipes').textContent()).toMatch(/^Ø\s300\d,\d\d\s%/)
    await eventually(() => profile.getByRole('row').nth(1).textContent()).toMatch(/^J-1.*C-1 : Ø/)
    expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])
    expect(await spokenFaults(page)).toEqual([])
    // Through another junction, which is taken in the middle of the map by Enter; the profile gives the map free meanwhile.
    await profile.getByRole('button', { name: 'Passer par un autre regard' }).press('Enter')
    await page.getByText('Cliquez le regard par lequel passer').waitFor()
    await eventually(() => profile.getByTestId('profile').count()).toBe(0)
    await page.locator('.maplibregl-canvas').press('Enter')
    await eventually(() => new URL(page.url()).searchParams.get('par')).toMatch(/^(J|OUT)-/)
    await profile.getByText(/^Par le regard (J|OUT)-/).waitFor()
    await profile.getByRole('button', { name: 'Reprendre le plus court' }).click()
    await eventually(() => new URL(page.url()).searchParams.get('par')).toBeNull()
    await profile.getByRole('button', { name: 'Fermer le profil' }).click()
    await profile.waitFor({ state: 'detached' })
    // Between what no pipe joins there is none, and it says so.
    expect(errors).toEqual([])
    await page.goto(
      `${town.url}/multihydro/${town.runs[REFERENCE]}/espace?profil=oui&choix=*n:J-1&choix=*n:Ailleurs`,
    )
    await profile.getByRole('alert').getByText('Aucun chemin ne relie J-1 à Ailleurs').waitFor()
    errors.splice(0, errors.length, ...errors.filter((text) => !text.includes('404')))
    expect(errors).toEqual([])
    await close()
  })

  test('every layer draws, water plays on one clock, and a click tells its cell; all by keyboard as well', async () => {
    const { page, errors, close } = await openPage(
      browser,
      `${town.url}/multihydro/${town.runs[OWN]}/espace?eau=1&reference=${town.runs[REFERENCE]}&titre=x`,
      {
        viewport: { width: 1280, height: 900 },
        ...COARSE,
        hasWholeMaps: true,
        storage: {
          'radx-session': JSON.stringify({
            ...town.session,
            expiration: Date.now() + town.session.expiresIn,
          }),
        },
      },
    )
    await space(page).locator('canvas').first().waitFor()
    const layer = (name: string) => page.getByRole('radio', { name, exact: true })
    await page.getByText('Autres cartes').click()
    for (const [name, legend] of [
      ['Vitesse maximale', /^Vitesse maximale sur/],
      ['Aléa (grille PPRI)', /^Pire classe d’aléa/],
      ['Danger (Defra)', /^Pire classe de danger/],
      ['Arrivée de l’eau', /^Temps avant plus de 5\scm/],
      ['Durée sous plus de 20 cm', /^Temps sous plus de 20\scm/],
      ['Écart à la référence', /^Écart des hauteurs maximales/],
    ] as const) {
      await layer(name.replace('20 cm', '20\u00a0cm')).check()
      await page.getByRole('figure', { name: legend }).waitFor()
    }
    // The difference has a place to go to, and the map goes there.
    await page.getByRole('button', { name: 'Voir ce qui change' }).click()
    await eventually(() => new URL(page.url()).searchParams.get('lieu')).not.toBeNull()
    await page.getByRole('button', { name: 'Voir tout le bassin' }).click()
    // Rain of a curve is the same everywhere: said so, and drawn over the whole town.
    await layer('Pluie à l’instant').check()
    const clock = page.getByRole('slider', { name: 'Moment de la simulation' })
    await clock.focus()
    for (const key of ['PageUp', 'PageUp', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await page.getByRole('figure', { name: /^Pluie à 00:22/ }).waitFor()
    await page.getByText(/^La même sur tout le bassin\s: \d+,\d\smm\/h à cet instant/).waitFor()
    // Pink is the class from 50 to 100 mm/h.
    const stage = (await space(page).boundingBox())!
    await eventually(async () => {
      const [r, g, b] = (await pixels(page)).at(stage.x + stage.width / 2 + 12, stage.y + stage.height / 2)
      return [r > 200, g < 150, b > 180]
    }).toEqual([true, true, true])
    await layer('Hauteur d’eau à l’instant').check()
    await page.getByLabel('Eau montrée').selectOption('own')
    const limits = page.getByLabel('Limites des classes (cm)')
    await limits.fill('2 1')
    await page.getByText('Écrivez de une à sept hauteurs croissantes').waitFor()
    await limits.fill('0,5 2,5 40')
    await limits.press('Enter')
    await page.getByText('2,5 à 40\u00a0cm').waitFor()
    // To the end of the rain by the keyboard, where the hollow is full.
    await clock.focus()
    await page.keyboard.press('End')
    await page.getByRole('figure', { name: /^Hauteur d’eau à 0\d:/ }).waitFor()
    const box = (await space(page).boundingBox())!
    const near = { x: box.x + box.width / 2 + 12, y: box.y + box.height / 2 + 12 }
    const blue = async () => {
      const { at } = await pixels(page)
      const [r, , b] = at(near.x, near.y)
      return b - r
    }
    await eventually(blue).toBeGreaterThan(25)
    await page.mouse.click(near.x, near.y)
    const inspector = page.getByRole('complementary', { name: 'Ce qui est choisi' })
    await inspector.getByRole('heading', { name: 'Cellule 5, 7' }).waitFor()
    await eventually(() => new URL(page.url()).searchParams.get('choix')).toBe('c:4,6')

    // A line across the hollow, by two clicks.
    await page.getByRole('button', { name: 'Tracer une ligne, pour le débit qui la traverse' }).click()
    await page.getByText('Cliquez les deux bouts de la ligne').waitFor()
    // The map is narrower beside what was chosen; its middle is still that of the basin.
    const left = (await space(page).boundingBox())!
    const middle = { x: left.x + left.width / 2 + 12, y: left.y + left.height / 2 + 12 }
    await page.mouse.click(middle.x, middle.y - 40)
    await page.mouse.click(middle.x, middle.y + 60)
    await inspector.getByRole('heading', { name: /^Ligne de \d, 7 à \d, 7$/ }).waitFor()
    await inspector.getByRole('region', { name: 'Débit à travers les lignes' }).waitFor()
    const { flowM3S } = await town.get<SectionFlow>(
      `/api/multihydro/file/${town.runs[OWN]}/section?${new URLSearchParams(
        (new URL(page.url()).searchParams.get('choix') ?? '')
          .slice(2)
          .split(',')
          .map((n, k) => [['x1', 'y1', 'x2', 'y2'][k], n]),
      )}`,
    )
    expect(flowM3S?.some((flow) => flow !== 0)).toBe(true)

    // Two choices in one moment: neither undoes the other in the address.
    const clear = await page.getByRole('button', { name: 'Tout retirer' }).elementHandle()
    await layer('Vitesse maximale').evaluate((radio: HTMLInputElement, button) => {
      radio.click()
      ;(button as HTMLButtonElement).click()
    }, clear)
    await eventually(() =>
      ['couche', 'choix'].map((key) => new URL(page.url()).searchParams.get(key)),
    ).toEqual(['vitesse', null])
    const canvas = space(page).locator('canvas').first()
    await canvas.focus()
    await page.keyboard.press('Enter')
    await inspector.getByRole('heading', { name: /^Cellule/ }).waitFor()
    // So is a line between two places of the map's middle.
    await page.getByRole('button', { name: 'Tracer une ligne, pour le débit qui la traverse' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('posez-les au centre de la carte par Entrée').waitFor()
    await canvas.focus()
    await page.keyboard.press('Enter')
    await page.locator('[data-kind="cell"]', { hasText: '»' }).waitFor()
    const place = () => new URL(page.url()).searchParams.get('lieu')
    const before = place()
    await page.keyboard.press('ArrowRight')
    await eventually(place).not.toBe(before)
    await page.keyboard.press('Enter')
    await inspector.getByRole('heading', { name: /^Ligne de/ }).waitFor()
    await clock.focus()
    await page.keyboard.press('Home')
    const elapsed = page.getByTestId('elapsed')
    await eventually(() => elapsed.textContent()).toBe('00:00')
    await page.getByRole('button', { name: 'Lecture (Z)' }).click()
    await eventually(() => elapsed.textContent()).not.toBe('00:00')
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Lecture (Z)' }).waitFor()
    expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])
    expect(await spokenFaults(page)).toEqual([])
    expect(errors).toEqual([])
    await close()
  })

  test('Back, Forward and a reload lead through layers, modes, places and moments', async () => {
    const { page, errors, close } = await open(OWN, '/espace?eau=1&lieu=2.65000,48.53900,15.00')
    const at = (key: string) => new URL(page.url()).searchParams.getAll(key).join(' ')
    const layer = (name: string) => page.getByRole('radio', { name, exact: true })
    const inspector = page.getByRole('complementary', { name: 'Ce qui est choisi' })
    const elapsed = page.getByTestId('elapsed')
    await space(page).locator('canvas').first().waitFor()
    await layer('Vitesse maximale').check()
    await eventually(() => at('couche')).toBe('vitesse')
    // A figure of a moment leads to its moment, and the clock stays there.
    await figure(page, 'Pluie').click()
    await eventually(() => elapsed.textContent()).not.toBe('00:00')
    const peak = await elapsed.textContent()
    await figure(page, 'Plus grande hauteur').click()
    await inspector.getByRole('heading', { name: /^Cellule/ }).waitFor()
    // The map went there; where it stands is no step.
    await eventually(() => ['', '2.65000,48.53900,15.00'].includes(at('lieu'))).toBe(false)
    expect(await elapsed.textContent()).toBe(peak)
    const [place, cell] = [at('lieu'), at('choix')]
    // The same once more is no step either.
    await figure(page, 'Plus grande hauteur').click()
    await page.getByRole('slider', { name: 'Moment de la simulation' }).press('Home')
    await eventually(() => at('t')).toBe('')
    await page.getByRole('button', { name: 'Voir la ville en 3D' }).click()
    await page.getByTestId('town-3d').waitFor()

    await page.goBack()
    await space(page).locator('canvas').first().waitFor()
    await eventually(() => [at('mode'), at('couche'), at('choix'), at('t')]).toEqual(['', '', cell, ''])
    await page.goBack()
    await eventually(() => [at('couche'), at('choix')]).toEqual(['pluie', ''])
    await eventually(() => elapsed.textContent()).toBe(peak)
    await eventually(() => layer('Pluie à l’instant').isChecked()).toBe(true)
    await page.goBack()
    await eventually(() => layer('Vitesse maximale').isChecked()).toBe(true)
    await eventually(() => elapsed.textContent()).toBe('00:00')
    await eventually(() => at('lieu')).toBe('2.65000,48.53900,15.00')
    await page.goBack()
    await eventually(() => layer('Hauteur d’eau maximale').isChecked()).toBe(true)
    for (let k = 0; k < 3; k++) await page.goForward()
    await inspector.getByRole('heading', { name: /^Cellule/ }).waitFor()
    await eventually(() => [at('choix'), at('lieu')]).toEqual([cell, place])
    await page.reload()
    await inspector.getByRole('heading', { name: /^Cellule/ }).waitFor()
    await eventually(() => [at('choix'), at('lieu')]).toEqual([cell, place])
    expect(errors).toEqual([])
    await close()
  })

  test('the town stands in three dimensions, turns by keys, and a click tells its cell', async () => {
    const { page, errors, close } = await open(OWN, '/espace?couche=instant&eau=1&reseau=oui&t=1800')
    await space(page).locator('canvas').first().waitFor()
    await page.getByRole('button', { name: 'Voir la ville en 3D' }).click()
    const scene = page.getByTestId('town-3d')
    const triangles = async () => Number((await scene.getAttribute('data-triangles')) ?? 0)
    await eventually(triangles).toBeGreaterThan(1000)
    expect(await triangles()).toBeLessThanOrEqual(500_000)
    await eventually(() => colorsOf(page, '[data-testid="town-3d"] canvas')).toBeGreaterThan(20)
    const box = (await scene.boundingBox())!
    const near = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const blue = async () => {
      const { at } = await pixels(page)
      const [r, , b] = at(near.x, near.y)
      return b - r
    }
    await eventually(blue).toBeGreaterThan(25)
    // The water falls with the clock.
    const clock = page.getByRole('slider', { name: 'Moment de la simulation' })
    await clock.focus()
    await page.keyboard.press('Home')
    await eventually(blue).toBeLessThan(25)
    await page.mouse.click(near.x, near.y)
    const inspector = page.getByRole('complementary', { name: 'Ce qui est choisi' })
    await inspector.getByRole('heading', { name: /^Cellule [45], [67]$/ }).waitFor()
    await scene.focus()
    await page.keyboard.press('ArrowLeft')
    await eventually(() => new URL(page.url()).searchParams.get('camera')).toMatch(/^-0[.]131,/)
    const turned = await page.getByTestId('town-3d').screenshot()
    await page.getByRole('combobox', { name: 'Relief' }).selectOption('8')
    await eventually(async () => (await scene.screenshot()).equals(turned)).toBe(false)
    await page.reload()
    await eventually(triangles).toBeGreaterThan(1000)
    await page.getByRole('button', { name: 'Revenir à la carte' }).click()
    await space(page).locator('canvas').first().waitFor()
    expect(errors).toEqual([])
    await close()
  })

  test('on a phone what is chosen is a sheet over the map, and the layers fold', async () => {
    const { page, errors, close } = await openPage(
      browser,
      `${town.url}/multihydro/${town.runs[OWN]}/espace?choix=c:4,6`,
      {
        viewport: { width: 390, height: 844 },
        storage: {
          'radx-session': JSON.stringify({
            ...town.session,
            expiration: Date.now() + town.session.expiresIn,
          }),
        },
      },
    )
    const inspector = page.getByRole('complementary', { name: 'Ce qui est choisi' })
    await inspector.getByRole('heading', { name: 'Cellule 5, 7' }).waitFor()
    const boxes = async () => [(await inspector.boundingBox())!, (await space(page).boundingBox())!]
    await eventually(async () => {
      const [sheet, stage] = await boxes()
      return [sheet.x, sheet.width, Math.round(sheet.y + sheet.height - stage.y - stage.height)]
    }).toEqual([0, 390, 0])
    const [sheet, stage] = await boxes()
    expect(sheet.y).toBeGreaterThan(stage.y + 0.4 * stage.height)
    await expect.poll(() => page.getByRole('radio').count()).toBe(0)
    await page.getByRole('button', { name: 'Déplier les couches' }).click()
    await page.getByRole('radio', { name: 'Vitesse maximale' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    // On its side there is no height to cover: the cards stand beside the map.
    await page.getByRole('button', { name: 'Replier les couches' }).click()
    await page.setViewportSize({ width: 844, height: 390 })
    await eventually(async () => {
      const [beside, left] = await boxes()
      return [beside.x >= left.x + left.width, left.height >= 200, left.width >= 500]
    }).toEqual([true, true, true])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(844)
    expect(errors).toEqual([])
    await close()
  })

  test('pipes are coloured by what they hold at the moment of the clock, and told over time', async () => {
    const { page, errors, close } = await open(REFERENCE, '/espace?couche=instant&reseau=oui&t=0&choix=l:C-1')
    await page.getByRole('figure', { name: /^Remplissage des conduites à 00:00/ }).waitFor()
    const inspector = page.getByRole('complementary', { name: 'Ce qui est choisi' })
    await inspector.getByRole('region', { name: 'Remplissage des conduites' }).waitFor()
    const map = space(page)
    const empty = await map.screenshot()
    const clock = page.getByRole('slider', { name: 'Moment de la simulation' })
    await clock.focus()
    for (const key of ['PageUp', 'PageUp', 'PageUp']) await page.keyboard.press(key)
    await page.getByRole('figure', { name: /^Remplissage des conduites à 00:30/ }).waitFor()
    await eventually(async () => (await map.screenshot()).equals(empty)).toBe(false)
    await page.getByRole('radio', { name: 'Hauteur d’eau maximale' }).check()
    await page.getByRole('figure', { name: /^Remplissage maximal des conduites/ }).waitFor()
    expect(errors).toEqual([])
    await close()
  })

  test('a run without a result says so and leads back', async () => {
    const gone = '00000000-0000-4000-8000-00000000000f'
    const { page, close } = await open(OWN)
    await page.goto(`${town.url}/multihydro/${gone}/espace`)
    await page.getByRole('link', { name: 'Détail de la simulation' }).waitFor()
    await close()
  })
})

describe('a run over time', () => {
  test('[LUCMP-01] [LUCMP-02] what the land use changed is a chord diagram with its numbers, or said to be nothing', async () => {
    const { page, errors, close } = await open(OWN)
    const comparison = section(page, 'Comparaison avec la carte de référence')
    await comparison.getByText('3 cellules ont changé, 0,03\u202fha').waitFor()
    const diagram = comparison.getByRole('figure', {
      name: 'Diagramme des changements d’occupation des sols',
    })
    await diagram.scrollIntoViewIfNeeded()
    await diagram.locator('canvas').waitFor()
    await eventually(() =>
      diagram.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
        const seen = new Set<string>()
        for (let k = 0; k < data.length; k += 4)
          if (data[k + 3] === 255) seen.add([data[k], data[k + 1], data[k + 2]].join())
        // The swale's own colour, on its arc.
        return seen.has('42,161,152')
      }),
    ).toBe(true)
    await expect
      .poll(() => comparison.getByRole('row').nth(1).textContent())
      .toMatch(/^Herbe\s*Noue végétalisée\s*3\s*0,03\D*[\d,]+\s*%$/)
    await page.goto(`${town.url}/multihydro/${town.runs[REFERENCE]}`)
    await section(page, 'Comparaison avec la carte de référence')
      .getByText('aucune cellule ne change')
      .waitFor()
    expect(errors).toEqual([])
    await close()
  })

  test('depths, rain, area and flows share the clock of the address; both balances stand side by side', async () => {
    const { page, errors, close } = await open(
      OWN,
      `?sortie=evolution&t=1800&reference=${town.runs[REFERENCE]}`,
    )
    const course = await town.get<FloodCourse>(`/api/multihydro/file/${town.runs[OWN]}/course`)
    const evolution = section(page, 'Évolution')
    const map = page.getByTestId('depth-over-time')
    await map.waitFor()
    await expect.poll(() => map.getAttribute('data-time')).toBe('1800')
    for (const name of ['Pluie du bassin', 'Surface inondée', 'Volumes', 'Débits du réseau'])
      await evolution.getByRole('figure', { name }).locator('canvas').first().waitFor()
    const at = course.timesS.indexOf(1800)
    const table = evolution.getByRole('table', { name: 'Volumes' })
    await expect
      .poll(() =>
        table
          .getByRole('row')
          .nth(at + 1)
          .textContent(),
      )
      .toContain(Math.round(course.surfaceM3[at]).toLocaleString('fr-FR'))
    await evolution.getByLabel('Profondeur').selectOption('3')
    const area = Math.max(...course.floodedM2[1]) / 10_000
    await evolution
      .getByText(`${french(area, 2)}\u202fha`)
      .first()
      .waitFor()
    await eventually(() => new URL(page.url()).searchParams.get('profondeur')).toBe('3')

    await evolution.getByRole('button', { name: 'Lecture (Z)' }).click()
    await eventually(async () => Number(await map.getAttribute('data-time'))).toBeGreaterThan(1800)
    await evolution.getByRole('button', { name: 'Pause (Z)' }).click()

    const balances = evolution.getByRole('table', { name: 'Bilans des deux simulations' })
    await balances.waitFor()
    const job = async (run: number) =>
      (await town.get<Job & { result: { balance: WaterBalance } }>(`/api/job/${town.runs[run]}`)).result
        .balance
    const [own, other] = [await job(OWN), await job(REFERENCE)]
    const row = balances.getByRole('row', { name: /^Sortie aux exutoires/ })
    await eventually(async () => (await row.textContent())?.replace(/\s/g, '')).toBe(
      `Sortieauxexutoires${Math.round(own.outfallM3)}m³${Math.round(other.outfallM3)}m³${`${Math.round(own.outfallM3 - other.outfallM3)}`.replace('-', '\u2212')}m³`,
    )
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Évolution en CSV').click(),
    ])
    const [sums] = await Promise.all([page.waitForEvent('download'), button(page, 'Bilans en CSV').click()])
    expect(readFileSync(await sums.path(), 'utf8')).toContain(
      `outfallM3;${[own.outfallM3, other.outfallM3, own.outfallM3 - other.outfallM3].join(';').replaceAll('.', ',')}\n`,
    )
    expect(readFileSync(await file.path(), 'utf8')).toContain('time_s;rain_mm_h')
    expect(errors).toEqual([])
    await close()
  })
})

test('what was measured lies over a run with its scores, and a fit to it becomes a set that forms offer', async () => {
  const { page, errors, close } = await open(REFERENCE)
  await button(page, 'Mesures et scores').click()
  await page.getByText('Apporter des mesures', { exact: true }).click()
  const table = page.getByLabel('Tableau de mesures')
  await table.fill('a;b\n1;2')
  await button(page, 'Lire le tableau').click()
  await page.getByRole('alert').filter({ hasText: 'colonne de temps' }).waitFor()
  const line = (minute: number) => {
    const at = new Date(Date.parse(VIRTUAL_START) + minute * 60_000).toISOString().slice(0, 16)
    return `${at.replace('T', ' ')};${(20 * Math.exp(-(((minute - 15) / 8) ** 2))).toFixed(2).replace('.', ',')}`
  }
  await table.fill(['Date;Débit (l/s)', ...Array.from({ length: 40 }, (_, k) => line(k))].join('\n'))
  await page.getByLabel('Fuseau des heures').selectOption('UTC')
  await button(page, 'Lire le tableau').click()
  await page.getByLabel('Nom de la série').fill('Sonde')
  const place = page.getByLabel('Nom du lieu')
  await place.fill('C-9')
  await button(page, 'Garder la série').click()
  await page.getByRole('alert').filter({ hasText: 'Par exemple : C-1, C-2' }).waitFor()
  await place.fill('C-2')
  await place.press('Enter')

  const scores = page.getByRole('table', { name: 'Scores' }).getByRole('row', { name: /^Sonde tronçon C-2/ })
  await scores.filter({ hasText: /0,0200 m³\/s/ }).waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Scores en CSV').click()])
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^Sonde;tronçon C-2;flow;.*;39;1$/m)

  await page.getByRole('link', { name: 'Caler le bassin sur ces mesures' }).click()
  await page.getByText('Donnez un nom au jeu. Ajoutez au moins un paramètre.').waitFor()
  await page.getByLabel('Nom du jeu de paramètres').fill('Jeu d’essai')
  await button(page, 'Ajouter un paramètre').click()
  await page.getByLabel('Nombre d’essais').fill('20')
  await button(page, 'Lancer le calage').click()
  await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Jeu d’essai')
  const found = page.getByRole('table', { name: 'Paramètres trouvés' })
  await found.getByRole('row', { name: /^Rugosité de Manning, facteur/ }).waitFor()
  await page.getByText('Aucun épisode de validation', { exact: false }).waitFor()
  const [trials] = await Promise.all([page.waitForEvent('download'), button(page, 'Essais en CSV').click()])
  expect(
    readFileSync(await trials.path(), 'utf8')
      .trim()
      .split('\n'),
  ).toHaveLength(22)
  expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])
  expect(await spokenFaults(page)).toEqual([])

  await page.getByRole('link', { name: 'Ouvrir le formulaire' }).click()
  const set = page.getByLabel('Jeu de paramètres')
  await eventually(() => set.locator('option').allTextContents()).toEqual([
    'Celui du bassin (par défaut)',
    'Jeu d’essai',
  ])
  expect(await set.inputValue()).toBe('')
  expect(errors.filter((error) => !/422/.test(error))).toEqual([])
  await close()
})
