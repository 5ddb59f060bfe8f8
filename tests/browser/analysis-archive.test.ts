import { readFileSync } from 'node:fs'
import { CUMUL_CLASS_COLORS, CUMUL_CLASS_COLORS_DARK } from '@radx/contracts/constants'
import type { LatLng } from '@radx/contracts/site'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type AnalysisServer,
  FRAMES,
  instant,
  LATER_MS,
  RATE_MM_H,
  STRONGEST,
  startAnalysis,
  type User,
} from './analysis-server.ts'
import { spokenFaults } from './spoken.ts'
import {
  axe,
  COARSE,
  type Color,
  type OpenPage,
  pixels,
  placeOf,
  SHARP,
  waitForFrame,
  waitForZoom,
} from './support.ts'

// The archive view, its gauges and its layers on the product's own server.

const PERIOD = `s=${instant(0)}&e=${instant(26)}`
const MELUN = { lat: 48.535925, lng: 2.66152 }

let server: AnalysisServer
let opened: OpenPage
let page: Page
let leave: OpenPage[] = []

beforeAll(async () => {
  server = await startAnalysis()
  opened = await server.open('simple', `/analyse?${PERIOD}`, {
    viewport: { width: 1280, height: 760 },
    ...COARSE,
    hasWholeMaps: true,
    reducedMotion: 'no-preference',
  })
  page = opened.page
})
afterEach(async () => {
  for (const other of leave.splice(0)) await other.close()
  leave = []
})
afterAll(async () => {
  await opened?.close()
  await server?.stop()
})

const soon = <T>(read: () => Promise<T>, message?: string) => expect.poll(read, { message })
const clock = () => page.getByTestId('clock').textContent()
const region = (name: string) => page.getByRole('region', { name, exact: true })
const graph = (name: string) => page.getByRole('figure', { name, exact: true })
const kind = (name: string, of = page) => of.locator(`[data-kind="${name}"]`)
const CLOCKS = { 0: '04/07/2021 - 12:00:00', 1: '04/07/2021 - 12:03:26', 25: '04/07/2021 - 13:25:50' }

async function openArchive(user: User, query: string, period = PERIOD): Promise<OpenPage> {
  const other = await server.open(user, `/analyse?${period}&v=1${query}`)
  leave.push(other)
  return other
}

describe('a loaded period', () => {
  test("[ANA-01] [ANA-04] [ANA-12] [ANA-13] [ANA-35] 'Charger cette sélection' opens the archive view: map, frames, one sentence", async () => {
    await expect.poll(() => page.locator('[data-radar-frame]').count()).toBe(0)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.getByRole('button', { name: 'Charger cette sélection' }).click()
    await waitForFrame(page)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    // Its button has gone: the keyboard goes on from the head of the view.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-testid')))
      .toBe('sentence')
    await expect
      .poll(() => page.getByTestId('sentence').textContent())
      .toBe(`dpsri, Melun, le 04/07/2021 de 12:00 à 13:29 : ${FRAMES.length} images`)
    await expect.poll(() => clock()).toBe(CLOCKS[0])
    await expect.poll(() => new URL(page.url()).searchParams.has('v')).toBe(true)
  })

  test('[ANA-14] [ANA-15] [MAP-19] it has playback controls, the legend, and the map has flown to zoom 11', async () => {
    for (const name of ['Image précédente (Q)', 'Lecture (Z)', 'Image suivante (D)'])
      await expect
        .poll(() => region('Commandes de lecture').getByRole('button', { name }).isEnabled())
        .toBe(true)
    await region('Intensité (mm/h)').waitFor()
    await waitForZoom(page, 11)
    await page.getByText('5 km', { exact: true }).waitFor()
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })

  test('[ANA-16] [ANA-17] [ANA-61] hyetogram, basin hyetogram and coverage tell the known rain, with the cumul in mm', async () => {
    const basin = graph('Hyétogramme du bassin Melun')
    const rows = basin.getByRole('row')
    await rows.first().waitFor({ state: 'attached' })
    await expect.poll(() => rows.count()).toBe(FRAMES.length + 1)
    await expect.poll(() => rows.first().textContent()).toMatch(/Cumul, .* \(mm\)/)
    await expect.poll(() => rows.nth(1).textContent()).toContain('12,00')
    await expect
      .poll(() => graph('Hyétogramme Rmoyen zone pluvieuse').getByRole('row').nth(1).textContent())
      .toContain('12,00')
    await graph('Évolution de la couverture pluvieuse').getByRole('row').nth(1).waitFor({ state: 'attached' })
  })

  test("[ANA-18] 'Synthèse' tells images, missing share, the strongest cell with its time and place, and the cumuls", async () => {
    const synthesis = await page.getByTestId('synthesis').textContent()
    // 26 steps of 206 s, 20 frames; a frame beside the gap reaches one step into it: 5 of 26 are missing.
    for (const part of [
      'Images20',
      'Part manquante19,2',
      `Maximum${STRONGEST.rateMmH},0`,
      'le 04/07/2021 - 12:17:10, 48,5',
      'Cumul Melun14,4',
    ])
      expect(synthesis?.replaceAll(/[\u202f\u00a0]/g, '')).toContain(part)
    // 12 mm/h over 21 of 26 steps of 206 s.
    expect((RATE_MM_H * 21 * 206) / 3600).toBeCloseTo(14.42, 2)
  })

  test('[ANA-33] [ANA-25] z plays and pauses; d and q step, round at both ends', async () => {
    await page.keyboard.press('d')
    await soon(clock).toBe(CLOCKS[1])
    await page.keyboard.press('q')
    await page.keyboard.press('Q')
    await soon(clock).toBe(CLOCKS[25])
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Pause (Z)' }).waitFor()
    // The frame after the last one is the first.
    await page.getByTestId('clock').filter({ hasText: CLOCKS[0] }).waitFor()
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Lecture (Z)' }).waitFor()
  })

  test('the instant is in the address, and its link opens there', async () => {
    // How far it had played by the pause is not known.
    await page.getByRole('slider', { name: 'Instant affiché' }).press('Home')
    await page.keyboard.press('q')
    await soon(async () => new URL(page.url()).searchParams.get('t')).toBe(instant(25))
    const { page: other } = await openArchive('simple', `&t=${instant(20)}`)
    await waitForFrame(other)
    await expect.poll(() => other.getByTestId('clock').textContent()).toBe('04/07/2021 - 13:08:40')
    await page.keyboard.press('d')
  })

  test('the micro rain radar stands above the radar pixel over it, on the clock of the graphs', async () => {
    const field = region('Micro radar de pluie').getByTestId('mrr-field')
    await field.scrollIntoViewIfNeeded()
    // Columns of the picture, from the first: water, dry, water higher up than there is, nothing measured.
    const look = () =>
      field.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas
        const context = canvas.getContext('2d') as CanvasRenderingContext2D
        const alpha = (share: number, gate: number) =>
          context.getImageData(Math.floor(width * share), height - 1 - gate, 1, 1).data[3]
        return [alpha(0.1, 10), alpha(0.1, 60), alpha(0.9, 10), alpha(0.9, 60)]
      })
    // The picture ends with the period, of which the instrument measured the first third.
    await expect.poll(() => look()).toEqual([255, 0, 255, 255])
    const pixel = graph('Pixel du radar au-dessus du micro radar')
    await expect.poll(() => pixel.getByRole('row').nth(1).textContent()).toContain('12,00')
    await expect.poll(() => page.locator('[title="Micro radar de pluie (MRR-PRO)"]').count()).toBe(1)
    // A click in the picture moves map and graphs; the picture's own mark follows.
    const box = await field.boundingBox()
    if (box === null) throw new Error('there is no picture')
    const [at, period] = [20 * 206_000 + 5_000, 26 * 206_000]
    await field.click({ position: { x: (box.width * at) / period, y: 20 } })
    await soon(clock).toBe('04/07/2021 - 13:08:40')
    await soon(async () => {
      const mark = await field.locator('div').boundingBox()
      return ((mark?.x ?? 0) + 1 - box.x) / box.width
    }).toBeCloseTo((20 * 206_000) / period, 2)
    await page.getByRole('slider', { name: 'Instant affiché' }).press('Home')
  })

  test('a period without rain over the micro rain radar is told in words, without an empty axis', async () => {
    const { page: other, close } = await server.open('simple', '/a-propos')
    await other.route('**/api/mrr/period?*', async (route) => {
      const answer = await (await route.fetch()).json()
      for (const column of answer.columns) Object.assign(column, { lwc: [0], rateMmH: 0 })
      for (const point of answer.pixel.radarData) point.value = 0
      await route.fulfill({ json: answer })
    })
    await other.goto(`${server.url}/analyse?${PERIOD}&v=1`)
    const panel = other.getByRole('region', { name: 'Micro radar de pluie', exact: true })
    await panel
      .getByText(/^Aucune eau au-dessus du micro radar pendant cette période, mesurée à \d+\s%/)
      .waitFor()
    await panel.getByText(/Le radar n’y a pas vu de pluie non plus\.$/).waitFor()
    expect(await panel.locator('canvas').count()).toBe(0)
    expect(await other.getByRole('region', { name: /^Pixel du radar/ }).count()).toBe(0)
    await close()
  })

  test('[STATION-06] the weather of the period stands beside it when the station has readings of it', async () => {
    const panel = (of: Page) =>
      of.getByRole('region', { name: 'Situation météorologique au pied du radar', exact: true })
    await panel(page).getByRole('region', { name: 'Température', exact: true }).waitFor()
    const iso = (ms: number) => new Date(ms).toISOString()
    const { page: other } = await openArchive(
      'simple',
      `&s=${iso(LATER_MS)}&e=${iso(LATER_MS + 600_000)}`.replaceAll('.000Z', 'Z'),
      '',
    )
    await waitForFrame(other)
    await expect.poll(() => panel(other).count()).toBe(0)
  })

  test('[MAP-04] the map goes from zoom 7 to zoom 13', async () => {
    for (const [name, end] of [
      ['Dézoomer', 7],
      ['Zoomer', 13],
    ] as const) {
      const button = page.getByRole('button', { name, exact: true })
      while (await button.isEnabled()) {
        const before = await page.locator('[data-radar-frame]').getAttribute('data-zoom')
        await button.click()
        await soon(() => page.locator('[data-radar-frame]').getAttribute('data-zoom')).not.toBe(before)
        await page.waitForFunction(
          () => document.querySelector<HTMLElement>('[data-radar-frame]')?.dataset.zoom !== '',
        )
      }
      await waitForZoom(page, end)
    }
  })

  test('[MAP-21] the accumulation of the period has its own map and the mm legend', async () => {
    await page.getByText('Cumul', { exact: true }).first().click()
    const legend = region('Cumul (mm)')
    await legend.waitFor()
    await soon(async () => (await legend.getByRole('listitem').allTextContents()).reverse()).toEqual([
      '<1',
      '<3',
      '<5',
      '<7',
      '<10',
      '<15',
      '<20',
      '<30',
      '<40',
      '<50',
      '<70',
      '<100',
      '>=100',
    ])
    // It says what it is the sum of; on a phone it keeps its unit and what grey stands for.
    const size = page.viewportSize()!
    for (const viewport of [size, { width: 390, height: 844 }]) {
      await page.setViewportSize(viewport)
      for (const part of [/^mm$/, /^le 04\/07\/2021 de 12:00 à 13:29$/, /^\s*Sans donnée$/])
        await legend.getByText(part).waitFor()
    }
    await page.setViewportSize(size)
    // Its own colours, others on a dark ground, and none where nothing fell: there the ground is as without rain.
    const out = page.getByRole('button', { name: 'Dézoomer', exact: true })
    for (const zoom of [12, 11]) {
      await out.click()
      await waitForZoom(page, zoom)
    }
    const at = await placeOf(page, { center: MELUN, zoom: 11 })
    const looks = async (places: readonly LatLng[]) => {
      const { at: pixel } = await pixels(page)
      return places.map((place) => {
        const { x, y } = at(place)
        return pixel(x, y)
      })
    }
    const alike = (a: readonly Color[], b: readonly Color[]) =>
      a.filter((color, k) => color.every((value, i) => Math.abs(value - b[k][i]) <= 4)).length
    const wet = [48.515, 48.522, 48.558, 48.565, 48.572].map((lat) => ({ lat, lng: 2.7 }))
    const dry = [48.61, 48.615, 48.62, 48.625, 48.63].map((lat) => ({ lat, lng: 2.7 }))
    for (const [scheme, name, colors] of [
      ['light', 'Passer en affichage sombre', CUMUL_CLASS_COLORS],
      ['dark', 'Passer en affichage clair', CUMUL_CLASS_COLORS_DARK],
    ] as const) {
      // 14.4 mm is the sixth class.
      const [r, g, b] = [1, 3, 5].map((k) => Number.parseInt(colors[5].slice(k, k + 2), 16))
      await soon(async () =>
        alike(
          await looks(wet),
          wet.map(() => [r, g, b]),
        ),
      ).toBeGreaterThanOrEqual(3)
      const total = await looks(dry)
      await page.getByText('Intensité', { exact: true }).first().click()
      await region('Intensité (mm/h)').waitFor()
      await soon(
        async () =>
          alike(
            await looks(wet),
            wet.map(() => [r, g, b]),
          ),
        scheme,
      ).toBe(0)
      await soon(async () => alike(await looks(dry), total), scheme).toBe(dry.length)
      await page.getByText('Cumul', { exact: true }).first().click()
      await legend.waitFor()
      await page.getByRole('button', { name }).click()
    }
    await page.getByText('Intensité', { exact: true }).first().click()
    await region('Intensité (mm/h)').waitFor()
  })

  test('[ANA-20] [ANA-24] [EXPORT-02] [EXPORT-07] a graph is saved as an image and the period as a spreadsheet', async () => {
    const saved = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ])
      return download.suggestedFilename()
    }
    expect(await saved('Enregistrer le graphique « Évolution de la couverture pluvieuse » en image')).toMatch(
      /-coverage\.png$/,
    )
    // Without the name in the answer's header there is a default.
    await page.route('**/api/products/graph*', (route) =>
      route.fulfill({ status: 200, contentType: 'image/png', body: 'x' }),
    )
    expect(await saved('Enregistrer le graphique « Évolution de la couverture pluvieuse » en image')).toBe(
      'export.png',
    )
    await page.unroute('**/api/products/graph*')
    const section = region('Export des données')
    await section.waitFor()
    expect(await saved('Tableur (xlsx)')).toMatch(/\.xlsx$/)
    // Exact grids are for managers.
    await expect
      .poll(() => section.getByRole('button').allTextContents())
      .toEqual(['Rapport (pdf)', 'Tableur (xlsx)', 'Hyétogrammes (csv)'])
  })

  test("[EXPORT-10] a graph that cannot be made is told in a dialog 'Erreur'", async () => {
    await page.route('**/api/products/graph*', (route) =>
      route.fulfill({ status: 500, json: { code: 'x', message: 'Pas de graphe.' } }),
    )
    await page.getByRole('button', { name: /^Enregistrer le graphique « Hyétogramme Rmoyen/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Erreur' })
    await dialog.getByText('Une erreur est survenu avec le message suivant: Pas de graphe.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.unroute('**/api/products/graph*')
  })

  test('the period can be changed: the selection comes back as it was', async () => {
    await page.getByRole('button', { name: 'Modifier la sélection' }).click()
    // The sentence alone stands in the view as well.
    await region('Calendrier').waitFor()
    await page.getByText(`dpsri, Melun, le 04/07/2021 de 12:00 à 13:29 : ${FRAMES.length} images`).waitFor()
    await page.goBack()
    await waitForFrame(page)
  })
})

describe('pixel gauges', () => {
  const gauges = () => page.getByTestId('gauge')
  const click = async (place: { lat: number; lng: number }) => {
    const { x, y } = (await placeOf(page, { center: MELUN, zoom: 11 }))(place)
    await page.mouse.click(x, y)
  }
  /** The archive view with gauges of its address, whatever was there before. */
  const open = async (places: readonly string[]) => {
    const query = places.length === 0 ? '' : `&g=${places.join('*')}`
    await page.goto(`${server.url}/analyse?${PERIOD}&v=1${query}`)
    await waitForFrame(page)
    await waitForZoom(page, 11)
    await soon(() => gauges().getByRole('figure').count()).toBe(places.length)
  }
  /** As clicks leave four, newest first. */
  const FOUR = ['48.545_2.66_0', '48.55_2.66_2', '48.555_2.66_1', '48.56_2.66_0']

  test('[GAUGE-11] [ERR-07] without any, a hint asks to click in an analysis basin', async () => {
    await open([])
    await kind('hint')
      .getByText("Cliquer sur la carte, dans un bassin d'analyse, pour y placer un pluviomètre.")
      .waitFor()
  })

  test('[GAUGE-01] [GAUGE-04] [GAUGE-05] [GAUGE-13] [MAP-18] clicks in a basin place gauges, newest first, in three colours', async () => {
    await open([])
    // Southwards: what is said about a gauge stands above it.
    for (const [k, lat] of [48.56, 48.555, 48.55, 48.545].entries()) {
      await click({ lat, lng: 2.66 })
      await soon(() => gauges().count()).toBe(k + 1)
    }
    await soon(() =>
      gauges().evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.color)),
    ).toEqual(['0', '2', '1', '0'])
    await expect.poll(() => page.getByTestId('gauge-marker').count()).toBe(4)
    await gauges().first().getByRole('figure').waitFor()
    await soon(async () =>
      (await gauges().first().textContent())?.replaceAll(/[\u202f\u00a0]/g, ''),
    ).toContain('Cumul 14,4')
    await expect.poll(() => page.getByTestId('synthesis').textContent()).toContain('Cumul du pluviomètre 4')
  })

  test('[GAUGE-03] [ERR-07] the same pixel again changes nothing and asks nothing', async () => {
    await open(FOUR)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/products/pixel')) asked.push(request.url())
    })
    const kept = () => new URL(page.url()).searchParams.get('g')
    const before = kept()
    await click({ lat: 48.545, lng: 2.66 })
    // Outside every basin, to see that the click before has been dealt with.
    await click({ lat: 48.6, lng: 2.5 })
    await kind('marker').getByText("Ce point est hors des bassins d'analyse").waitFor()
    // It is said where the click was.
    const at = (await placeOf(page, { center: MELUN, zoom: 11 }))({ lat: 48.6, lng: 2.5 })
    await soon(async () => {
      const said = (await page.getByTestId('gauge-popover').boundingBox())!
      return Math.abs(said.y + said.height / 2 - at.y)
    }).toBeLessThan(150)
    expect(asked).toEqual([])
    expect(kept()).toBe(before)
    await expect.poll(() => gauges().count()).toBe(4)
  })

  test('[GAUGE-01] [GAUGE-13] a gauge tells its rain on the map, at its marker, and gives the focus back', async () => {
    await open(FOUR)
    const marker = page.getByRole('button', { name: 'Pluviomètre 4', exact: true })
    await marker.focus()
    await page.keyboard.press('Enter')
    const popover = page.getByRole('dialog', { name: 'Pluviomètre 4' })
    await popover.getByText(/Cumul/).waitFor()
    const text = ((await popover.textContent()) ?? '').replaceAll(/[\u202f\u00a0]/g, '')
    expect(text).toContain('12,0')
    expect(text).toContain(`à ${(await clock())!.slice(13, 18)}`)
    expect(text).toContain('Cumul 14,42')
    expect(text).toContain('Maximum 12,0 mm/h, image du 04/07/2021, 12:00:00')
    await expect.poll(() => popover.locator('svg rect').count()).toBe(FRAMES.length)
    await page.keyboard.press('Escape')
    await popover.waitFor({ state: 'detached' })
    await soon(() => marker.evaluate((element) => element === document.activeElement)).toBe(true)
    // On the map itself the Enter key places one in its middle.
    const before = await gauges().count()
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press('Enter')
    await soon(() => gauges().count()).toBe(before + 1)
    await page.getByRole('dialog', { name: 'Pluviomètre 5' }).getByRole('button', { name: 'Retirer' }).click()
    await soon(() => gauges().count()).toBe(before)
  })

  test('[GAUGE-06] removing a gauge takes its marker away; the address keeps the others', async () => {
    await open(FOUR)
    await gauges().first().getByRole('button', { name: 'Retirer le pluviomètre 4' }).click()
    await soon(() => gauges().count()).toBe(3)
    await expect.poll(() => page.getByTestId('gauge-marker').count()).toBe(3)
    await expect.poll(() => new URL(page.url()).searchParams.get('g')?.split('*')).toHaveLength(3)
  })

  test('nothing stands in the way of assistive technology in the archive view', async () => {
    const { violations } = await axe(page).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`)).toEqual([])
    expect(await spokenFaults(page)).toEqual([])
  })

  test('[GAUGE-08] [GAUGE-12] a manager may click anywhere in the coverage, and the hint says so', async () => {
    const { page: other } = await openArchive('chef', '&c=-')
    await waitForFrame(other)
    await other.getByText(/n'importe où dans la couverture du radar/).waitFor()
    const box = await other.locator('.maplibregl-map').boundingBox()
    await other.mouse.click((box?.x ?? 0) + 300, (box?.y ?? 0) + 260)
    await other.getByTestId('gauge').waitFor()
    // [EXPORT-06] without a basin there is no raster, but the current frame as GeoTIFF.
    await expect
      .poll(() =>
        other.getByRole('region', { name: 'Export des données' }).getByRole('button').allTextContents(),
      )
      .toEqual([
        'Rapport (pdf)',
        'Tableur (xlsx)',
        'Hyétogrammes (csv)',
        'Image affichée en GeoTIFF',
        'Grilles (netCDF)',
        'Grilles (Zarr)',
        'Composites (ODIM HDF5)',
      ])
  })

  test('[GAUGE-10] [MAP-15] [MAP-16] [MAP-17] personal layers bound gauges, are listed in a control and stand out under the pointer', async () => {
    // Without towns, whose names could stand where that of the layer does.
    const bare = { 'radx-reference': JSON.stringify(['rings', 'towns', 'rivers', 'bounds']) }
    const {
      page: other,
      errors,
      close,
    } = await server.open('couches', `/analyse?${PERIOD}&v=1`, {
      storage: bare,
      ...SHARP,
    })
    leave.push({ page: other, errors, close })
    await waitForFrame(other)
    await waitForZoom(other, 11)
    await other.getByRole('button', { name: 'Couches' }).click()
    const box = other.getByRole('checkbox', { name: 'Réseau' })
    await expect.poll(() => box.isChecked()).toBe(true)
    const at = await placeOf(other, { center: MELUN, zoom: 11 })
    const inside = at({ lat: 48.54, lng: 2.65 })
    await soon(async () => {
      await other.mouse.move(inside.x + 40, inside.y)
      await other.mouse.move(inside.x, inside.y, { steps: 3 })
      return other.getByText('Secteur gare').count()
    }).toBe(1)
    // Its name stands in it, in the map's ink, until the layer is hidden.
    await other.mouse.move(inside.x, inside.y + 200)
    const middle = at({ lat: 48.54, lng: 2.65 })
    const ink = async () => {
      const { at: pixel } = await pixels(other)
      let dark = 0
      for (let x = middle.x - 45; x < middle.x + 45; x++)
        for (let y = middle.y - 8; y < middle.y + 8; y++) if (Math.max(...pixel(x, y)) < 90) dark++
      return dark
    }
    await soon(ink).toBeGreaterThan(10)
    await box.uncheck()
    await soon(ink).toBe(0)
    await other.mouse.move(inside.x + 3, inside.y)
    await soon(() => other.getByText('Secteur gare').count()).toBe(0)
    // In the basin, but south of the layer.
    const south = at({ lat: 48.505, lng: 2.69 })
    await other.mouse.click(south.x, south.y)
    await other.getByText('Ce point est hors des couches de votre compte').waitFor()
    expect(errors.filter((text) => !text.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([])
  })

  test('[GAUGE-13] [GAUGE-14] [MAP-18] the live map has gauges for who is signed in, and asks nothing for others', async () => {
    const { page: other } = await server.open('chef', '/', SHARP)
    await waitForFrame(other)
    // What a user has of their own comes after the first frame.
    await other.locator('.maplibregl-canvas[style*="crosshair"]').waitFor()
    const asked = other.waitForRequest((request) => request.url().includes('/api/products/pixel'))
    const box = await other.locator('.maplibregl-map').boundingBox()
    await other.mouse.click((box?.x ?? 0) + 320, (box?.y ?? 0) + 250)
    expect(new URL((await asked).url()).searchParams.has('s')).toBe(false)
    const hyetogram = other.getByTestId('gauge').getByRole('figure').locator('canvas')
    await hyetogram.waitFor()
    // Bars and curve are drawn: more than the axes' greys.
    await soon(() =>
      hyetogram.evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
        const seen = new Set<string>()
        for (let k = 0; k < data.length; k += 4)
          if (
            data[k + 3] === 255 &&
            Math.max(data[k], data[k + 1], data[k + 2]) - Math.min(data[k], data[k + 1], data[k + 2]) > 60
          )
            seen.add([data[k], data[k + 1], data[k + 2]].join())
        return seen.size
      }),
    ).toBeGreaterThan(0)
    await other.getByTestId('gauge-popover').getByText(/Cumul/).waitFor()
    await other.close()
    const { page: anonymous } = await server.open(null, '/')
    await waitForFrame(anonymous)
    let count = 0
    anonymous.on('request', (request) => {
      if (request.url().includes('/api/products/pixel')) count++
    })
    await anonymous.mouse.click((box?.x ?? 0) + 320, (box?.y ?? 0) + 250)
    await anonymous.getByRole('button', { name: 'Image précédente (Q)' }).click()
    expect(count).toBe(0)
    await expect.poll(() => anonymous.getByTestId('gauge').count()).toBe(0)
    await anonymous.close()
  })
})

describe("a manager's exports", () => {
  const chef = async () => {
    const other = await openArchive('chef', '')
    await waitForFrame(other.page)
    const section = other.page.getByRole('region', { name: 'Export des données' })
    const state = (label: string) =>
      section.locator('div', { has: other.page.getByRole('button', { name: label, exact: true }) }).last()
    return { ...other, section, state }
  }
  const fileOf = async (of: Page, press: () => Promise<void>) => {
    const [file] = await Promise.all([of.waitForEvent('download'), press()])
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
  }

  test('[EXPORT-03] [EXPORT-06] the image on the map becomes a GeoTIFF, the period a netCDF and a Zarr', async () => {
    const { page: other, section, state } = await chef()
    const labels = ['Image affichée en GeoTIFF', 'Grilles (netCDF)', 'Grilles (Zarr)']
    const magic = [/^II\*/, /^.HDF/s, /^PK/]
    for (const [i, label] of labels.entries()) {
      await section.getByRole('button', { name: label, exact: true }).click()
      const get = state(label).getByRole('button', { name: 'Télécharger' })
      await get.waitFor()
      const { name, bytes } = await fileOf(other, () => get.click())
      expect(name).toMatch([/\.tiff?$/, /\.nc$/, /\.zip$/][i])
      expect(bytes.subarray(0, 8).toString('latin1')).toMatch(magic[i])
      await state(label).getByText('Fichier enregistré').waitFor()
      // Deleted, its room is free again, and it is no longer offered.
      await state(label)
        .getByRole('button', { name: /^Supprimer/ })
        .click()
      await get.waitFor({ state: 'detached' })
    }
  })

  test('an export is kept for its time: later it is fetched again, or deleted by the keyboard', async () => {
    const { page: other, section, state } = await chef()
    const label = 'Image affichée en GeoTIFF'
    await section.getByRole('button', { name: label, exact: true }).click()
    await state(label).getByRole('button', { name: 'Télécharger' }).waitFor()
    await other.reload()
    await waitForFrame(other)
    const kept = section.locator('details')
    const summary = kept.locator('summary')
    await summary.press('Enter')
    const newest = kept.getByRole('listitem').first()
    await newest.waitFor()
    const [title, about] = await newest.locator('span').allTextContents()
    expect(title).toMatch(/\.tiff?$/)
    expect(about).toMatch(/\d\sko\s– gardé jusqu’au \d\d\/\d\d\/\d{4}/)
    const { name } = await fileOf(other, () => newest.getByRole('button', { name: /^Télécharger/ }).click())
    expect(name).toBe(title)
    const count = () => kept.getByRole('listitem').count()
    const before = await count()
    await newest.getByRole('button', { name: `Supprimer ${title}` }).press('Enter')
    await kept.getByRole('status').getByText(`${title} supprimé`).waitFor()
    await soon(count).toBe(before - 1)
    await expect.poll(() => summary.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('[EXPORT-02] [EXPORT-09] [EXPORT-11] [ERR-07] [ERR-08] what cannot be exported says why, and can be asked for again', async () => {
    const { page: other, section, state } = await chef()
    const refuse = (path: string, body: object, status = 500) =>
      other.route(path, (route) => route.fulfill({ status, json: body }))
    await refuse('**/api/products/export.xlsx*', { code: 'x', message: 'Tableur impossible.' })
    const sheet = 'Tableur (xlsx)'
    await section.getByRole('button', { name: sheet, exact: true }).click()
    await kind('error', other).getByText('Tableur impossible.').waitFor()
    await other.unroute('**/api/products/export.xlsx*')
    const { name } = await fileOf(other, () =>
      section.getByRole('button', { name: sheet, exact: true }).click(),
    )
    expect(name).toMatch(/\.xlsx$/)
    await expect.poll(() => state(sheet).locator('[data-kind="error"]').count()).toBe(0)

    // A job that ends in an error, and a file that cannot be fetched.
    const tiff = 'Image affichée en GeoTIFF'
    await other.route('**/api/job/*-*', async (route) => {
      const job = await (await route.fetch()).json()
      await route.fulfill({ json: { ...job, status: 'error', output: { error: 'Disque plein.' } } })
    })
    await section.getByRole('button', { name: tiff, exact: true }).click()
    await state(tiff).getByText('Disque plein.').waitFor()
    await other.unroute('**/api/job/*-*')
    await refuse('**/images/exportgeotiff/*', { code: 'x', message: 'Fichier parti.' }, 404)
    await section.getByRole('button', { name: tiff, exact: true }).click()
    await state(tiff).getByRole('button', { name: 'Télécharger' }).click()
    await state(tiff).getByText('Fichier parti.').waitFor()
  })

  test("[JOB-06] [JOB-07] [JOB-08] a line that breaks is told as 'connect_error: {type}' and 'connect_failed: {type}'; the file comes all the same", async () => {
    const { page: other, section, state } = await chef()
    const tiff = 'Image affichée en GeoTIFF'
    let over = false
    await other.route('**/api/job/*-*', async (route) => {
      const job = await (await route.fetch()).json()
      await route.fulfill({ json: over ? job : { ...job, status: 'running' } })
    })
    // The channel is away altogether; later one that speaks the old way. In place before the library looks for it.
    await other.addInitScript(() => {
      const scope = window as unknown as { WebSocket: unknown; speaks: boolean }
      scope.speaks = false
      scope.WebSocket = class {
        onopen: () => void = () => undefined
        onerror: (event: Event) => void = () => undefined
        onmessage: (event: { data: string }) => void = () => undefined
        constructor() {
          setTimeout(() => {
            if (!scope.speaks) return this.onerror(new Event('error'))
            this.onopen()
            this.onmessage({ data: '0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000}' })
          })
        }
        send(message: string) {
          if (!message.startsWith('40')) return
          setTimeout(() => {
            this.onmessage({ data: '40{"sid":"b"}' })
            this.onmessage({ data: '42["connect_failed",{"type":"TooOld"}]' })
          })
        }
        close() {}
      }
    })
    await other.reload()
    await waitForFrame(other)
    await section.getByRole('button', { name: tiff, exact: true }).click()
    await state(tiff).getByText('connect_error: TransportError', { exact: true }).waitFor()
    await other.evaluate(() => Object.assign(window, { speaks: true }))
    await state(tiff).getByText('connect_failed: TooOld', { exact: true }).waitFor()
    over = true
    await state(tiff).getByRole('button', { name: 'Télécharger' }).waitFor()
    await expect.poll(() => state(tiff).getByText('connect_').count()).toBe(0)
  })
})

describe('an address that asks for what cannot be', () => {
  const open = async (query: string) => {
    const other = await server.open('simple', `/analyse?${query}`)
    leave.push(other)
    return other
  }

  test('a period that ends before it starts loads nothing and can be chosen anew', async () => {
    const { page: reversed } = await open(`s=${instant(26)}&e=${instant(0)}&v=1`)
    await reversed.getByRole('region', { name: 'Calendrier', exact: true }).waitFor()
    await expect
      .poll(() => reversed.getByRole('button', { name: 'Charger cette sélection' }).isDisabled())
      .toBe(true)
  })

  test('a whole year loads, every image or at a coarser step, with progress and a way to stop', async () => {
    const year = 's=2021-01-01T00:00:00Z&e=2022-01-01T00:00:00Z'
    const { page: every } = await open(`${year}&v=1`)
    await waitForFrame(every)
    const synthesis = () => every.getByTestId('synthesis').innerText()
    const maximum = /Maximum\n.*/.exec(await synthesis())![0]
    await every.getByText('La carte des cumuls').waitFor({ state: 'detached' })
    await every.getByLabel('Cumul', { exact: true }).click()
    await every.getByText('La carte des cumuls prend 93 jours au plus.').waitFor()

    // Day by day: fewer images, the same maximum.
    let release: () => void = () => undefined
    const released = new Promise<void>((done) => {
      release = done
    })
    const holding = every.route('**/api/products/archive?*', async (route) => {
      await released
      await route.fallback()
    })
    await holding
    await every.goto(`${server.url}/analyse?${year}&k=86400&v=1`)
    const stop = every.getByRole('status').getByRole('button', { name: 'Annuler' })
    await stop.click()
    const calendar = every.getByRole('region', { name: 'Calendrier', exact: true })
    await calendar.waitFor()
    release()
    // What has come is told beside the way to stop, on a phone as well; who stops goes on where the period is chosen.
    await every.evaluate(() => {
      const real = window.fetch
      window.fetch = async (what, how) => {
        const answer = await real(what, how)
        if (!String(what).includes('/products/archive')) return answer
        window.fetch = real
        const { value } = await answer.body!.getReader().read()
        const begun = new ReadableStream({
          start: (to) => {
            to.enqueue(value)
            how?.signal?.addEventListener('abort', () => to.error(new Error('stopped')))
          },
        })
        return new Response(begun, { headers: answer.headers })
      }
    })
    const size = every.viewportSize()!
    await every.setViewportSize({ width: 390, height: 844 })
    await every.getByRole('button', { name: 'Charger cette sélection' }).click()
    const told = every.getByText(/^Mesures reçues : \d+ images sur \d+$/)
    await told.waitFor()
    const { x, width } = (await told.boundingBox())!
    expect([x > 0, x + width < 390]).toEqual([true, true])
    await stop.click()
    await calendar.waitFor()
    await expect.poll(() => every.locator(':focus').filter({ has: calendar }).count()).toBe(1)
    await every.setViewportSize(size)
    await every.getByRole('button', { name: 'Charger cette sélection' }).click()
    await waitForFrame(every)
    await every.getByText('une par jour : une image du radar à la fois', { exact: false }).waitFor()
    await expect.poll(() => synthesis()).toContain(maximum)
  })

  test('an unknown basin is named with the way back', async () => {
    const { page: other } = await open(`${PERIOD}&v=1&c=zzz`)
    const alert = other.getByRole('alert').filter({ hasText: "Le bassin « zzz » n'existe pas" })
    await alert.getByRole('button', { name: 'Modifier la sélection' }).click()
    await other.getByRole('button', { name: 'Le Mée', exact: true }).click()
    await other.getByRole('button', { name: 'Charger cette sélection' }).click()
    await waitForFrame(other)
  })

  test('an unknown product gives the default one, a gauge outside the product says so', async () => {
    const { page: other, errors } = await open(`${PERIOD}&v=1&p=zzz&g=10_10_0*a_b_c`)
    await waitForFrame(other)
    await expect.poll(() => other.getByTestId('sentence').textContent()).toContain('dpsri')
    const gauge = other.getByTestId('gauge')
    await soon(() => gauge.count()).toBe(1)
    await gauge.getByText('Ce pluviomètre est hors du produit affiché.').waitFor()
    await gauge.getByRole('button', { name: 'Retirer le pluviomètre 1' }).click()
    await soon(() => gauge.count()).toBe(0)
    expect(errors.filter((text) => !/ERR_/.test(text))).toEqual([])
  })

  test("[ERR-09] while the products come, 'Chargement des produits' stands there", async () => {
    const { page: other } = await server.open('simple', '/a-propos')
    leave.push({ page: other, errors: [], close: () => other.context().close() })
    let release: () => void = () => undefined
    const released = new Promise<void>((done) => {
      release = done
    })
    await other.route('**/api/products', (route) => released.then(() => route.continue()))
    await other.goto(`${server.url}/analyse`)
    await other.getByText('Chargement des produits', { exact: true }).waitFor()
    release()
    await other.getByRole('region', { name: 'Calendrier', exact: true }).waitFor()
  })
})

describe('an archive that does not come', () => {
  const fresh = async (query = '') => {
    const other = await server.open('simple', '/a-propos')
    leave.push(other)
    return { other: other.page, go: () => other.page.goto(`${server.url}/analyse?${PERIOD}&v=1${query}`) }
  }

  test('[ANA-12] [ANA-35] [ERR-07] a count that does not match shows no view but says so', async () => {
    const { other, go } = await fresh()
    await other.route('**/api/products/weight*', (route) =>
      route.fulfill({ json: { slides: 21, weight: 8.8 } }),
    )
    await go()
    await kind('warning', other)
      .getByText('Le serveur a renvoyé 20 images alors que 21 étaient attendues')
      .waitFor()
    await expect.poll(() => other.locator('[data-radar-frame]').count()).toBe(0)
    await other.unroute('**/api/products/weight*')
    await other.getByRole('button', { name: 'Recharger' }).click()
    await waitForFrame(other)
  })

  test('a count from before the newest images of a period gives way to them', async () => {
    const { other, go } = await fresh()
    await other.route('**/api/products/weight*', (route) =>
      route.fulfill({ json: { slides: 17, weight: 8.8 } }),
    )
    await go()
    await waitForFrame(other)
    await expect.poll(() => other.getByTestId('sentence').textContent()).toMatch(/: 20 images$/)
    await expect.poll(() => kind('warning', other).count()).toBe(0)
  })

  test("[ERR-03] [ERR-04] [ERR-05] a refusal shows status, status text and the server's message, and the way back", async () => {
    const other = await server.open('restreint', `/analyse?${PERIOD}&v=1`)
    leave.push(other)
    const alert = other.page.getByRole('alert')
    await alert.waitFor()
    const text = await alert.textContent()
    expect(text).toContain('403 Forbidden')
    expect(text).toContain(
      "Votre compte utilisateur ne vous permet pas d'accéder aux données de cette période.",
    )
    await alert.getByRole('button', { name: 'Modifier la sélection' }).click()
    await other.page.getByRole('region', { name: 'Calendrier', exact: true }).waitFor()
  })

  test("[ERR-03] [ERR-04] [ERR-05] an answer that never comes is given up with 408 'Time out'; trying again works", async () => {
    const { other, go } = await fresh()
    await other.clock.install()
    await other.route('**/api/products/archive*', () => undefined)
    await go()
    await other.getByText('Chargement des images et des mesures').waitFor()
    // What tells how many images to expect must not be overtaken by the leap.
    await other.getByText(`: ${FRAMES.length} images`).waitFor()
    await other.clock.fastForward(61_000)
    // The clock's leap ends whatever else was still on its way on a slow machine.
    const alert = other.getByRole('alert').filter({ hasText: '408' })
    await alert.waitFor()
    const text = await alert.textContent()
    expect(text).toContain('408 Time out')
    expect(text).toContain('The request took too long, please retry in a few minutes.')
    await other.unroute('**/api/products/archive*')
    await alert.getByRole('button', { name: 'Réessayer' }).click()
    await waitForFrame(other)
  })

  test('[ANA-34] while it plays, a frame follows the other every 500 ms', async () => {
    const { other, go } = await fresh()
    await other.clock.install()
    await go()
    await waitForFrame(other)
    const shown = () => other.getByTestId('clock').textContent()
    // From here on the page's time stands still unless it is moved.
    await other.clock.pauseAt(Date.now() + 60_000)
    await expect.poll(() => shown()).toBe(CLOCKS[0])
    await other.keyboard.press('z')
    await other.getByRole('button', { name: 'Pause (Z)' }).waitFor()
    await other.clock.runFor(490)
    await expect.poll(() => shown()).toBe(CLOCKS[0])
    await other.clock.runFor(20)
    await soon(shown).toBe(CLOCKS[1])
    await other.clock.runFor(500)
    await soon(shown).toBe('04/07/2021 - 12:06:52')
  })

  test('loading can be cancelled', async () => {
    const { other, go } = await fresh()
    await other.route('**/api/products/archive*', () => undefined)
    await go()
    await other.getByRole('button', { name: 'Annuler' }).click()
    await other.getByRole('region', { name: 'Calendrier', exact: true }).waitFor()
    await expect.poll(() => new URL(other.url()).searchParams.has('v')).toBe(false)
  })
})
