import { describe, expect, test } from 'vitest'
import type { AnswerContext } from '../threads/answers.ts'
import { statisticsAnswer } from './statistics.ts'

const STEP_MS = 3_600_000
const HOUR_S = 3600

/** An archive of hourly frames: `annualMm` falls within one hour of each year, on the 200th day. */
function archive(
  annualMm: readonly number[],
  { from = 2001, lose = 0, unknown = 0 }: { from?: number; lose?: number; unknown?: number } = {},
) {
  const first = Date.UTC(from, 0, 1) + STEP_MS / 2
  const end = Date.UTC(from + annualMm.length, 0, 1)
  // The last year loses frames in its first days.
  const missing = (ms: number) => ms < Date.UTC(from + annualMm.length - 1, 0, 1) + lose * STEP_MS
  const times = (startMs: number, endMs: number) => {
    const found: number[] = []
    for (let at = first; at < end; at += STEP_MS) {
      const lost = at >= Date.UTC(from + annualMm.length - 1, 0, 1) && missing(at)
      if (at >= startMs && at < endMs && !lost) found.push(at)
    }
    return found
  }
  const product = { shortName: 'dpsri', frameSeconds: HOUR_S }
  const mean = (at: number) => {
    const year = new Date(at).getUTCFullYear()
    return at === first + Math.round((Date.UTC(year, 0, 200) - Date.UTC(from, 0, 1)) / STEP_MS) * STEP_MS
      ? annualMm[year - from]
      : 0
  }
  const index = {
    first: async () => first,
    latest: async () => end - STEP_MS / 2,
    count: async (_: unknown, { startMs, endMs }: { startMs: number; endMs: number }) =>
      times(startMs, endMs).length,
    summaries: async (_: unknown, { startMs, endMs }: { startMs: number; endMs: number }) =>
      times(startMs, endMs).map((timeMs) => ({
        timeMs,
        catchment: timeMs < first + unknown * STEP_MS ? null : { mean: mean(timeMs) },
      })),
  }
  const store = { index, catalog: { products: new Map([['dpsri', product]]) } }
  return { store } as unknown as AnswerContext
}

const all = { product: 'dpsri', zone: 'melun', span: { startMs: 0, endMs: Date.UTC(9999, 0) } }
/** Gumbel's quantiles at the middles of n shares: place 20, scale 6. */
const maxima = (n: number) => Array.from({ length: n }, (_, k) => 20 - 6 * Math.log(-Math.log((k + 0.5) / n)))

describe('statistics of the archive itself', () => {
  test('nine complete years give no law and say so', async () => {
    const found = await statisticsAnswer.run(archive(maxima(9)), all)
    expect(found).toMatchObject({
      law: 'none',
      durations: [],
      years: expect.toSatisfy((y) => y.length === 9),
    })
    expect(found.noteFr).toContain('9 années complètes : il en faut 10')
  })

  test('ten give Gumbel’s law by hand: the maxima, their mean and deviation, and bounds round it', async () => {
    const values = maxima(10)
    const found = await statisticsAnswer.run(archive(values), all)
    expect(found.law).toBe('gumbel')
    const hour = found.durations.find(({ durationMin }) => durationMin === 60)!
    expect(hour.maximaMm).toEqual(values.map((mm) => expect.closeTo(mm, 6)))
    const mean = values.reduce((sum, mm) => sum + mm, 0) / 10
    const deviation = Math.sqrt(values.reduce((sum, mm) => sum + (mm - mean) ** 2, 0) / 9)
    const beta = (deviation * Math.sqrt(6)) / Math.PI
    for (const { periodYears, depthMm, lowMm, highMm } of hour.quantiles) {
      const u = mean - 0.5772156649 * beta
      expect(depthMm).toBeCloseTo(u - beta * Math.log(-Math.log(1 - 1 / periodYears)), 6)
      expect(lowMm).toBeLessThan(depthMm)
      expect(highMm).toBeGreaterThan(depthMm)
    }
    // Half an hour of a steady hour is half of it.
    const half = found.durations.find(({ durationMin }) => durationMin === 30)!
    expect(half.maximaMm[9]).toBeCloseTo(values[9] / 2, 6)
  })

  test('twenty give a GEV; a year that lacks a tenth of its frames is none of them', async () => {
    expect((await statisticsAnswer.run(archive(maxima(20)), all)).law).toBe('gev')
    const gappy = await statisticsAnswer.run(archive(maxima(20), { lose: 900 }), all)
    expect([gappy.law, gappy.years.length, gappy.incompleteYears]).toEqual(['gumbel', 19, [2020]])
  })

  test('a year whose frames know nothing of the zone for weeks is none of its years', async () => {
    const found = await statisticsAnswer.run(archive(maxima(11), { unknown: 900 }), all)
    expect([found.law, found.years.length, found.incompleteYears]).toEqual(['gumbel', 10, [2001]])
    const few = await statisticsAnswer.run(archive(maxima(10), { unknown: 900 }), all)
    expect([few.law, few.durations]).toEqual(['none', []])
    expect(few.noteFr).toContain('9 années complètes : il en faut 10')
  })

  test('years outside an account’s dates are not counted', async () => {
    const span = { startMs: Date.UTC(2011, 0, 1), endMs: Date.UTC(2019, 6) }
    const found = await statisticsAnswer.run(archive(maxima(20)), { ...all, span })
    expect([found.law, found.years]).toEqual(['none', [2011, 2012, 2013, 2014, 2015, 2016, 2017, 2018]])
  })
})
