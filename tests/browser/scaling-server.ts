import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { discreteCascade } from '@radx/scaling/cascade'
import { seededRandom } from '@radx/scaling/random'
import type { Browser } from 'playwright-core'
import { loadSite } from '../../apps/server/src/config/site.ts'
import {
  SMALL_CATCHMENT,
  smallCatchmentAt,
  writeSmallCatchment,
} from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { rainFile } from '../../apps/server/src/testing/rain-files.ts'
import { startRadx } from './radx-server.ts'
import { COARSE, type OpenOptions, type OpenPage, openBrowser, openPage } from './support.ts'

/** What the rain of every frame is made of. */
export const CASCADE = { alpha: 1.8, c1: 0.1 } as const
const MEAN_MM_H = 20
/** A square of cells that holds Melun; around it nothing is known. */
const SIDE = 128
const CORNER = { row: 240, col: 160 }
/** First frame: 4 July 2021, 12:00 in Paris. */
const FIRST_MS = Date.UTC(2021, 6, 4, 10)
const STEP_MS = 206_000
/** What an analysis may take on a busy machine. */
export const PATIENCE_MS = 180_000
const CASCADES = 10
/** A later frame is dry. */
const DRY = 40

export const instant = (frame: number) =>
  new Date(FIRST_MS + frame * STEP_MS).toISOString().replace('.000Z', 'Z')
/** All frames that have rain, the dry one, and a time that has no frame. */
export const RAINY = `s=${instant(0)}&e=${instant(CASCADES - 1)}`
export const DRY_PERIOD = `s=${instant(DRY)}&e=${instant(DRY + 1)}`
export const EMPTY_PERIOD = 's=2021-07-08T08:00:00Z&e=2021-07-08T10:00:00Z'

export interface ScalingServer {
  url: string
  token: string
  browser: Browser
  /** A page of a signed-in user. */
  open: (path: string, options?: OpenOptions) => Promise<OpenPage>
  stop: () => Promise<void>
}

/** The product on rain of known scaling, with a small catchment at Melun and one account. */
export async function startScaling(): Promise<ScalingServer> {
  const folder = mkdtempSync(join(tmpdir(), 'radx-scaling-'))
  const [browser, radx] = await Promise.all([openBrowser(), startRadx({ RADX_WORKERS: '1' })])
  const { site } = await loadSite(resolve(import.meta.dirname, '../../site'))
  const { steps } = site.products.find(({ shortName }) => shortName === 'dpsri')!
  const random = seededRandom(7)
  const cascade = () => {
    const field = discreteCascade(CASCADE, Math.log2(SIDE), 2, random)
    return (i: number) => {
      const [row, col] = [Math.floor(i / steps) - CORNER.row, (i % steps) - CORNER.col]
      return row >= 0 && row < SIDE && col >= 0 && col < SIDE
        ? MEAN_MM_H * field[row * SIDE + col]
        : Number.NaN
    }
  }
  await radx.ingest([
    ...Array.from({ length: CASCADES }, (_, k) =>
      rainFile(site, { timeMs: FIRST_MS + k * STEP_MS, rate: cascade() }),
    ),
    rainFile(site, { timeMs: FIRST_MS + DRY * STEP_MS, rate: () => 0 }),
  ] as Parameters<typeof radx.ingest>[0])
  const [xll, yll] = [674_000, 6_827_000]
  const town = {
    ...JSON.parse(SMALL_CATCHMENT['catchment.json']),
    ...{ id: 'melun', display: 'Melun', xll, yll },
  }
  const small = writeSmallCatchment(join(folder, 'petit'), {
    ...smallCatchmentAt(xll, yll),
    'catchment.json': JSON.stringify(town),
  })
  await radx.radx('catchment', 'import', small)
  const session = await radx.signIn('anne', await radx.addAccount('anne'))
  return {
    url: radx.url,
    token: session.token,
    browser,
    open: async (path, options = {}) => {
      const opened = await openPage(browser, radx.url + path, {
        viewport: { width: 1440, height: 900 },
        ...(options.viewport ? {} : COARSE),
        ...options,
        storage: {
          'radx-session': JSON.stringify({ ...session, expiration: Date.now() + session.expiresIn }),
          ...options.storage,
        },
      })
      opened.page.setDefaultTimeout(PATIENCE_MS)
      return opened
    },
    stop: async () => {
      await browser.close()
      await radx.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
