import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OwnStatistics } from '@radx/contracts'
import { encodeRate } from '@radx/rainfall'
import { gevQuantiles, gumbelQuantiles } from '@radx/rainfall/storms/annual-maxima'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { storeOf } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { registerStorms } from './routes.ts'

const DAYS_S = 10 * 86_400
const DAYS_MS = 1000 * DAYS_S
const [FROM, YEARS] = [2001, 21]
/** Rate of the wettest ten days of each year, mm/h: Gumbel's quantiles in an order of their own. */
const RATES = Array.from(
  { length: YEARS },
  (_, k) => 2 - 0.5 * Math.log(-Math.log((((k * 8) % YEARS) + 0.5) / YEARS)),
)

/** An archive of 21 years of a product that comes every ten days. */
describe('statistics of years that the archive holds', () => {
  let database: TestDatabase
  let app: App
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-years-'))

  beforeAll(async () => {
    database = await createTestDatabase()
    const site = smallSite()
    const rare = { ...site, products: site.products.map((one) => ({ ...one, frameSeconds: DAYS_S })) }
    const ten = { start: null, end: new Date(Date.UTC(FROM + 10, 0, 2)) }
    const deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir }),
      database: handleOf(database),
      site: rare,
      catchments: smallCatchments(),
      sessions: {
        resolve: async (name) => ({
          userId: name,
          name,
          roles: [],
          restriction: name === 'ten' ? ten : null,
        }),
      },
    })
    const { context, catalog } = await storeOf(deps)
    const product = catalog.products.get('dpsri')!
    const weights = zoneWeights(product, catalog.zones)
    const sensor = { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 }
    const frame = (timeMs: number, rate: number) => ({
      frame: prepareFrame(new Uint16Array(product.steps ** 2).fill(encodeRate(rate)), weights, {
        ...{ product: 'dpsri', timeMs, version: '5', name: 'DPSRI', sensor },
      }),
      source: sourceFile(String(timeMs)),
    })
    for (let year = FROM; year < FROM + YEARS; year++) {
      const [from, to] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)]
      const frames = Array.from({ length: Math.floor((to - from) / DAYS_MS) }, (_, k) =>
        frame(from + (k + 0.5) * DAYS_MS, k === 18 ? RATES[year - FROM] : 0),
      )
      await commitFrames(context, frames)
    }
    app = await createApp(deps, { features: [registerStorms] })
  })
  afterAll(async () => {
    await app?.close()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const statistics = async (who: string): Promise<OwnStatistics> => {
    const { key } = smallCatchments().all[0]
    const url = `/api/storms/statistics?p=dpsri&c=${key}`
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${who}` } })
    expect(answer.statusCode).toBe(200)
    return answer.json()
  }

  test('twenty years and more give a GEV, whose bounds the call tells beside each depth', async () => {
    const { law, years, durations, noteFr } = await statistics('all')
    expect([law, years.length]).toEqual(['gev', YEARS])
    expect(noteFr).toContain('bornes à 90 %')
    const hour = durations.find(({ durationMin }) => durationMin === 60)!
    // The rate of ten days holds through the hour.
    hour.maximaMm.forEach((mm, k) => {
      expect(mm).toBeCloseTo(RATES[k], 1)
    })
    expect(hour.quantiles).toEqual(gevQuantiles(hour.maximaMm, [2, 5, 10, 20, 50, 100]))
    for (const { lowMm, depthMm, highMm } of durations.flatMap(({ quantiles }) => quantiles)) {
      expect(lowMm).toBeLessThan(depthMm)
      expect(highMm).toBeGreaterThan(depthMm)
    }
  })

  test('an account that may see ten of them gets Gumbel’s law with its bounds', async () => {
    const { law, years, durations } = await statistics('ten')
    expect([law, years]).toEqual(['gumbel', Array.from({ length: 10 }, (_, k) => FROM + k)])
    const { maximaMm, quantiles } = durations.find(({ durationMin }) => durationMin === 60)!
    expect(maximaMm).toHaveLength(10)
    expect(quantiles).toEqual(gumbelQuantiles(maximaMm, [2, 5, 10, 20, 50, 100]))
  })
})
