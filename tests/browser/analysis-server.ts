import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ROLE_MANAGER } from '@radx/contracts'
import type { LoginAnswer } from '@radx/contracts/accounts'
import { Demo } from '@radx/demo'
import { writeMrrPro } from '@radx/formats/mrrpro/mrrpro'
import { cellOf } from '@radx/rainfall'
import type { Browser } from 'playwright-core'
import type { NewAccount } from '../../apps/server/src/accounts/service.ts'
import { loadSite } from '../../apps/server/src/config/site.ts'
import { rainFile } from '../../apps/server/src/testing/rain-files.ts'
import { startRadx } from './radx-server.ts'
import { type OpenOptions, type OpenPage, openBrowser, openPage } from './support.ts'

/** First frame of the archive that the tests look at: 4 July 2021, 12:00:00 in Paris. */
export const FIRST_MS = Date.UTC(2021, 6, 4, 10, 0, 0)
const STEP_MS = 206_000
/** Frames of that day; numbers 12 to 17 are missing. */
export const FRAMES = [...Array(12).keys(), ...Array.from({ length: 8 }, (_, k) => 18 + k)]
/** A later day has two frames. */
export const LATER_MS = Date.UTC(2021, 6, 6, 8, 0, 0)
/** It rains on these rows and columns, which hold Melun and its neighbours; strongest in one cell of frame 5. */
const WET = { rows: [310, 350], cols: [195, 260] }
export const RATE_MM_H = 12
export const STRONGEST = { frame: 5, row: 330, col: 215, rateMmH: 61 }

/** A layer over the north of Melun, with an area and a point. */
const LAYER = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { Text: 'Secteur gare' },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [2.6, 48.51],
            [2.7, 48.51],
            [2.7, 48.57],
            [2.6, 48.57],
            [2.6, 48.51],
          ],
        ],
      },
    },
  ],
}

export const instant = (frame: number) =>
  new Date(FIRST_MS + frame * STEP_MS).toISOString().replace('.000Z', 'Z')

export type User = 'simple' | 'chef' | 'restreint' | 'couches'

export interface AnalysisServer {
  url: string
  browser: Browser
  /** A page of a signed-in user; null for nobody. */
  open: (user: User | null, path: string, options?: OpenOptions) => Promise<OpenPage>
  token: (user: User) => string
  /** Runs the command line beside the server. */
  radx: (...args: string[]) => Promise<string>
  stop: () => Promise<void>
}

/** The product on genuine files of known rain, with four accounts. */
export async function startAnalysis(env: Record<string, string> = {}): Promise<AnalysisServer> {
  const [browser, radx] = await Promise.all([openBrowser(), startRadx(env)])
  const folder = mkdtempSync(join(tmpdir(), 'radx-analysis-'))
  const layer = join(folder, 'reseau.geojson')
  writeFileSync(layer, JSON.stringify(LAYER))
  const { site } = await loadSite(resolve(import.meta.dirname, '../../site'))
  const { steps } = site.products.find(({ shortName }) => shortName === 'dpsri')!
  const instrument = site.microRainRadar!.position
  const above = cellOf(site.products[0], instrument)!
  const rate = (frame: number) => (i: number) => {
    const [row, col] = [Math.floor(i / steps), i % steps]
    if (row === above.row && col === above.col) return RATE_MM_H
    if (frame === STRONGEST.frame && row === STRONGEST.row && col === STRONGEST.col) return STRONGEST.rateMmH
    const wet = row >= WET.rows[0] && row < WET.rows[1] && col >= WET.cols[0] && col < WET.cols[1]
    return wet ? RATE_MM_H : 0
  }
  await radx.ingest([
    ...FRAMES.map((k) => rainFile(site, { timeMs: FIRST_MS + k * STEP_MS, rate: rate(k) })),
    ...[0, 1].map((k) => rainFile(site, { timeMs: LATER_MS + k * STEP_MS, rate: rate(0) })),
    await profiles(),
    // The weather station has readings of the first day only.
    new Demo(site).stationFile(FIRST_MS, 3_600_000),
  ] as Parameters<typeof radx.ingest>[0])
  const accounts: [User, NewAccount][] = [
    ['simple', {}],
    ['chef', { roles: [ROLE_MANAGER] }],
    [
      'restreint',
      {
        restrictionStart: new Date('2021-07-04T00:00:00+02:00'),
        restrictionEnd: new Date(instant(8)),
      },
    ],
    ['couches', {}],
  ]
  const sessions = new Map<User, LoginAnswer>()
  await Promise.all(
    accounts.map(async ([name, settings]) => {
      const password = await radx.addAccount(name, settings)
      if (name === 'couches') await radx.radx('shapefile', 'add', '--user', name, '--title', 'Réseau', layer)
      sessions.set(name, await radx.signIn(name, password))
    }),
  )
  return {
    url: radx.url,
    browser,
    open: (user, path, options = {}) => {
      const session = user === null ? null : sessions.get(user)!
      const storage: Record<string, string> = { allowCookie: 'false', ...options.storage }
      if (session)
        storage['radx-session'] = JSON.stringify({ ...session, expiration: Date.now() + session.expiresIn })
      return openPage(browser, radx.url + path, { ...options, storage })
    },
    token: (user) => sessions.get(user)!.token,
    radx: radx.radx,
    stop: async () => {
      await browser.close()
      await radx.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Half an hour above the micro rain radar: water up to 1,400 m, 6 mm/h near the ground. */
async function profiles() {
  const [count, gates] = [180, 128]
  const LWC = new Float32Array(count * gates).fill(Number.NaN)
  const RR = new Float32Array(count * gates).fill(Number.NaN)
  for (let i = 0; i < count; i++) {
    LWC.fill(0.4, i * gates, i * gates + 40)
    RR.fill(6, i * gates, i * gates + 40)
  }
  const bytes = await writeMrrPro({
    instrumentName: 'METEK MRR Pro 1.2.5',
    siteName: 'test',
    lat: null,
    lon: null,
    altitudeM: null,
    timesMs: Float64Array.from({ length: count }, (_, i) => FIRST_MS + i * 10_000),
    heightsM: Float32Array.from({ length: gates }, (_, gate) => (gate + 1) * 35),
    variables: { LWC, RR },
  })
  return { name: '20210704_100000.nc', bytes }
}
