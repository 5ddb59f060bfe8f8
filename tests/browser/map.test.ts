import type { LatLng } from '@radx/contracts/site'
import { cellCentre, type ProductGrid } from '@radx/rainfall/grid'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { colorOf, FIXTURE_SITE, type FixtureServer, startFixtureServer } from './fixture-server.ts'
import {
  type Color,
  DIST,
  type MapView,
  type OpenPage,
  openBrowser,
  openPage,
  pixels,
  placeOf,
  SHARP,
  waitForFrame,
} from './support.ts'

// What the graphics card draws, read back from the screen: colours, places, recovery.

const GRID: ProductGrid = FIXTURE_SITE.products[0]
const BARE = { 'radx-reference': JSON.stringify(['rings', 'towns', 'rivers', 'bounds']) }
const RATES = [0.5, 2, 5, 15, 25, 40, 70, 150]

let browser: Browser
let server: FixtureServer
let opened: OpenPage | null = null

beforeAll(async () => {
  browser = await openBrowser()
  server = await startFixtureServer({
    dist: DIST,
    frames: 3,
    // Every cell differs from its neighbours; the frames differ from each other.
    rate: (frame, row, col) => RATES[(row * 3 + col * 5 + frame) % RATES.length],
  })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(async () => {
  await opened?.close()
  opened = null
})

async function open(): Promise<Page> {
  opened = await openPage(browser, server.url, {
    storage: BARE,
    reducedMotion: 'reduce',
    // Wide enough that the commands take one row and nothing lies over the cells that are looked at.
    viewport: { width: 1280, height: 720 },
    ...SHARP,
  })
  await waitForFrame(opened.page)
  return opened.page
}

/** Zooms by the button to the closest zoom, where a cell takes some 20 pixels. */
async function zoomIn(page: Page): Promise<MapView> {
  const button = page.getByRole('button', { name: 'Zoomer', exact: true })
  for (let zoom = 9; zoom < 13; zoom++) {
    await button.click()
    await page.waitForTimeout(100)
  }
  await page.waitForFunction(
    () =>
      (document.querySelector('[data-testid=scale]')?.textContent ?? '').includes('1 km') ||
      (document.querySelector('[data-testid=scale]')?.textContent ?? '').includes(' m'),
  )
  return { center: FIXTURE_SITE.map.center, zoom: 13 }
}

const near = (a: Color, b: Color) => a.every((value, i) => Math.abs(value - b[i]) <= 3)

/** Share of right colours at points inside cells around the centre, a quarter cell from their edges. */
async function placement(page: Page, view: MapView, frame: number): Promise<{ right: number; all: number }> {
  const toPage = await placeOf(page, view)
  const picture = await pixels(page)
  const cells = 7
  const middle = { row: 199, col: 199 }
  const heightDeg = (GRID.bounds.ul.lat - GRID.bounds.lr.lat) / GRID.steps
  const widthDeg = (GRID.bounds.lr.lng - GRID.bounds.ul.lng) / GRID.steps
  let right = 0
  let all = 0
  for (let row = middle.row - cells; row <= middle.row + cells; row++)
    for (let col = middle.col - cells; col <= middle.col + cells; col++) {
      const centre: LatLng = cellCentre(GRID, row, col)
      const expected = colorOf(RATES[(row * 3 + col * 5 + frame) % RATES.length]) as Color
      for (const [dx, dy] of [
        [-0.25, -0.25],
        [0.25, -0.25],
        [-0.25, 0.25],
        [0.25, 0.25],
      ]) {
        const { x, y } = toPage({ lat: centre.lat - dy * heightDeg, lng: centre.lng + dx * widthDeg })
        all++
        if (near(picture.at(x, y), expected)) right++
      }
    }
  return { right, all }
}

describe('radar frames on the map', () => {
  test('[MAP-20] [MAP-01] every cell has its class colour, and stands to a quarter cell where it belongs', async () => {
    const page = await open()
    const view = await zoomIn(page)
    await expect.poll(() => placement(page, view, 2), { interval: 500 }).toEqual({ right: 900, all: 900 })
  })

  test('[LIVE-03] stepping shows the frame of the clock, each of them whole', async () => {
    const page = await open()
    await page.waitForFunction(() => document.querySelector('progress') === null)
    const view = await zoomIn(page)
    for (const frame of [1, 0, 2]) {
      await page.keyboard.press('q')
      await waitForFrame(page)
      await expect
        .poll(async () => (await placement(page, view, frame)).right, {
          interval: 500,
          message: `frame ${frame}`,
        })
        .toBe(900)
    }
  })

  test('a lost graphics context comes back with the frame, and nothing is fetched again', async () => {
    const page = await open()
    await page.waitForFunction(() => document.querySelector('progress') === null)
    const view = await zoomIn(page)
    const asked = server.requests.length
    await page.evaluate(async () => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas.maplibregl-canvas')
      const extension = canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context')
      if (!extension) throw new Error('no way to lose the context')
      const restored = new Promise((resolve) => canvas?.addEventListener('webglcontextrestored', resolve))
      extension.loseContext()
      await new Promise((resolve) => setTimeout(resolve, 200))
      extension.restoreContext()
      await restored
    })
    await expect.poll(async () => (await placement(page, view, 2)).right, { interval: 500 }).toBe(900)
    await expect
      .poll(() => server.requests.slice(asked).filter((path) => path.startsWith('/api/')))
      .toEqual([])
  })

  test('[LIVE-08] opacity 0 leaves the bare map', async () => {
    const page = await open()
    const view = await zoomIn(page)
    await page.getByRole('slider', { name: 'Opacité' }).press('Home')
    await page.waitForURL(/o=0/)
    await expect.poll(async () => (await placement(page, view, 2)).right).toBe(0)
  })
})

describe('around the radar', () => {
  test('[MAP-07] the legend names the thresholds of all classes', async () => {
    const page = await open()
    const legend = page.getByRole('region', { name: 'Intensité (mm/h)' })
    await expect
      .poll(() => legend.getByRole('listitem').allTextContents())
      .toEqual(['100 et plus', '50 à 100', '30 à 50', '20 à 30', '10 à 20', '3 à 10', '1 à 3', '0,4 à 1'])
  })

  test('[MAP-02] [MAP-03] [MAP-06] the map starts at zoom 9, its smallest, and ends at 13', async () => {
    const page = await open()
    const scale = () => page.getByTestId('scale').textContent()
    await expect.poll(() => scale()).toBe('20 km')
    await expect
      .poll(() => page.getByRole('button', { name: 'Dézoomer', exact: true }).isDisabled())
      .toBe(true)
    await zoomIn(page)
    await expect.poll(() => scale()).toBe('1 km')
    await page.waitForFunction(
      () => document.querySelector<HTMLButtonElement>('[aria-label=Zoomer]')?.disabled,
    )
  })

  test('[MAP-05] the map fills the screen and comes back', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Plein écran' }).click()
    await page.waitForFunction(() => document.fullscreenElement !== null)
    await page.getByRole('button', { name: 'Quitter le plein écran' }).click()
    await page.waitForFunction(() => document.fullscreenElement === null)
  })

  const attribution = '© contributeurs OpenStreetMap'
  test.each([
    { kind: 'raster', urls: ['http://127.0.0.1:9/{z}/{x}/{y}.png'], attribution, maxZoom: 19 },
    {
      kind: 'pmtiles',
      path: 'http://127.0.0.1:9/base.pmtiles',
      glyphs: 'http://127.0.0.1:9/{fontstack}/{range}.pbf',
      attribution,
    },
  ])(
    '[MAP-25] a background ($kind) that does not answer leaves the page as it is, without a flood of errors',
    async (tiles) => {
      const own = await startFixtureServer({
        dist: DIST,
        frames: 1,
        rate: () => 5,
        overrides: {
          '/api/site': {
            status: 200,
            body: {
              ...FIXTURE_SITE,
              tiles,
            },
          },
        },
      })
      const { page, errors, close } = await openPage(browser, own.url)
      await waitForFrame(page)
      await page.getByText(attribution).waitFor()
      await page.waitForTimeout(1500)
      expect(errors.length).toBeLessThanOrEqual(2)
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      await close()
      await own.close()
    },
  )
})
