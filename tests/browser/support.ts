import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LatLng } from '@radx/contracts/site'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { PNG } from 'pngjs'
import { toMercator } from '../../apps/web/src/map/mercator.ts'
import { packagedChromium } from './packaged-chromium.ts'
import { type OpenPage, WarmPages } from './warm-pages.ts'

export { axe } from './axe.ts'
export type { OpenPage }

export const DIST = resolve(import.meta.dirname, '../../apps/web/dist')
const INSTALLED = '/usr/bin/chromium'

// No `--use-angle=swiftshader`: it draws the whole page on an emulated graphics card, where a machine without one draws
// pages itself and emulates WebGL alone. Panning a large map took four times as long, the tests a fifth longer.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu-sandbox',
  '--enable-unsafe-swiftshader',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]

/** An installed Chromium, else (or with RADX_TEST_BROWSER=packaged) the one inside an npm package. */
async function launch(): Promise<Browser> {
  if (existsSync(INSTALLED) && process.env.RADX_TEST_BROWSER !== 'packaged')
    return chromium.launch({ executablePath: INSTALLED, args: FLAGS })
  const { executablePath, env } = await packagedChromium()
  return chromium.launch({
    executablePath,
    args: FLAGS,
    env: { ...process.env, ...env } as Record<string, string>,
  })
}

/** Of this worker's tests, until its process ends. */
let shared: Promise<Browser> | undefined

/**
 * A browser. Files of tests that run in one process share it, and its pages that wait for the next test: to start one takes
 * seconds. Closing it then closes what was opened by it and is still open.
 */
export async function openBrowser(): Promise<Browser> {
  if (!process.env.VITEST) return launch()
  if (shared && !(await shared).isConnected()) shared = undefined
  shared ??= launch()
  const browser = await shared
  const pages = warm.get(browser) ?? new WarmPages()
  const contexts: BrowserContext[] = []
  const own: Partial<Browser> = {
    newContext: async (options) => {
      const context = await browser.newContext(options)
      contexts.push(context)
      return context
    },
    close: async () => {
      for (const context of contexts) if (!pages.keeps(context)) await context.close()
    },
  }
  const handle = new Proxy(browser, {
    get: (_, name) => {
      const value = own[name as keyof Browser] ?? browser[name as keyof Browser]
      return typeof value === 'function' && !(name in own) ? value.bind(browser) : value
    },
  })
  warm.set(browser, pages)
  warm.set(handle, pages)
  return handle
}

export interface OpenOptions extends BrowserContextOptions {
  scheme?: 'light' | 'dark'
  /** A page that nobody had before, with nothing in its cache: for what is about parts that are not there yet. */
  isFresh?: boolean
  /** What its maps draw is looked at: they get as many pixels as the page. */
  hasWholeMaps?: boolean
  /** Entries of the local storage before the page starts; null leaves one away. Cookies count as refused,
   * the tour as seen. */
  storage?: Record<string, string | null>
}

/** A pixel of the screen for each of the page, for tests that look at what was drawn. */
export const SHARP = { deviceScaleFactor: 1 }
/** A quarter of them, for large pages of which neither lines nor colours are looked at. */
export const COARSE = { deviceScaleFactor: 0.5 }

/** A service worker would answer instead of what a test puts in the network's place; who tests it says `allow`. */
const QUIET = { serviceWorkers: 'block' } as const

/** Maps take an eighth of a pixel for each of the page, each way, and the page itself what it was opened with. */
const COARSE_MAPS =
  "Object.defineProperty(window, 'devicePixelRatio', { configurable: true, get: () => 0.125 })"

/**
 * A page: 1080 x 720, French, Paris time. It asks for little motion, as some visitors do: a flight of the map costs
 * seconds where no graphics card draws it; what is about motion says `reducedMotion: 'no-preference'`. For the same reason
 * it is drawn with half as many pixels each way, unless a size is asked for: a line of one pixel takes two then, which moves
 * what a test of a layout looks at. Who looks at that or at colours says `SHARP`. Maps have a few large pixels, unless the
 * page is `SHARP` or has whole maps: to fill them is half the work of an emulated graphics card. Nothing of another test is
 * left in it, see `WarmPages`.
 */
export async function openPage(browser: Browser, url: string, options: OpenOptions = {}): Promise<OpenPage> {
  const { scheme, storage = {}, isFresh = false, hasWholeMaps = false, ...context } = options
  const pages = warm.get(browser) ?? new WarmPages()
  warm.set(browser, pages)
  const kind = isFresh ? `fresh ${++freshPages}` : JSON.stringify({ ...context, hasWholeMaps })
  const taken = await pages.take(kind, async () => {
    const viewport = { width: 1080, height: 720 }
    const deviceScaleFactor = context.viewport ? 1 : 0.5
    const look = { viewport, deviceScaleFactor, reducedMotion: 'reduce' as const, ...context }
    const made = await browser.newContext({ ...QUIET, locale: 'fr-FR', timezoneId: 'Europe/Paris', ...look })
    if (context.deviceScaleFactor !== SHARP.deviceScaleFactor && !hasWholeMaps)
      await made.addInitScript(COARSE_MAPS)
    return { page: await made.newPage(), look }
  })
  await taken.store({
    allowCookie: 'false',
    'radx-tour': 'seen',
    ...storage,
    ...(scheme ? { 'radx-color-scheme': scheme } : {}),
  })
  await taken.page.goto(url)
  return taken
}

let freshPages = 0
/** Pages of each browser between two tests. */
const warm = new WeakMap<Browser, WarmPages>()

/** Waits until the map has drawn the frame of the clock. */
export async function waitForFrame(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const map = document.querySelector<HTMLElement>('[data-radar-frame]')
    return (map?.dataset.radarFrame ?? '') !== '' && map?.dataset.radarFrame === map?.dataset.wantedFrame
  })
}

/** Waits until the map stands still at a zoom, in tiles of 256 px: only then is `placeOf` true. */
export async function waitForZoom(page: Page, zoom: number): Promise<void> {
  await page.locator(`[data-radar-frame][data-zoom="${zoom}"]`).waitFor()
}

export type Color = [number, number, number]

/** Pixels of the page as they are on the screen, `at(x, y)` in CSS pixels. */
export async function pixels(page: Page): Promise<{ at: (x: number, y: number) => Color }> {
  const png = PNG.sync.read(await page.screenshot())
  const ratio = png.width / (await page.evaluate(() => window.innerWidth))
  return {
    at: (x, y) => {
      const from = (Math.floor(y * ratio) * png.width + Math.floor(x * ratio)) * 4
      return [png.data[from], png.data[from + 1], png.data[from + 2]]
    },
  }
}

export interface MapView {
  center: LatLng
  /** In tiles of 256 px. */
  zoom: number
}

/** Where a place is on the page when the map shows the view. */
export async function placeOf(
  page: Page,
  view: MapView,
): Promise<(place: LatLng) => { x: number; y: number }> {
  const box = await page.locator('.maplibregl-map').boundingBox()
  if (box === null) throw new Error('there is no map')
  const size = 256 * 2 ** view.zoom
  const centre = toMercator(view.center)
  return (place) => {
    const { x, y } = toMercator(place)
    return {
      x: box.x + box.width / 2 + (x - centre.x) * size,
      y: box.y + box.height / 2 + (y - centre.y) * size,
    }
  }
}
