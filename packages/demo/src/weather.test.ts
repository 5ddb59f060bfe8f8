import { cellIndexOf } from '@radx/rainfall/grid'
import { describe, expect, test } from 'vitest'
import { Demo } from './demo.ts'
import { defaultSite } from './testing/site.ts'

const HOUR = 3_600_000
const paris = { lat: 48.8566, lng: 2.3522 }
const demo = new Demo(defaultSite)
const { bounds } = defaultSite.products[0]
const quantile = (values: number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(q * (values.length - 1))]

describe('climate of the demonstration', () => {
  // Every hour of two years on a grid of 5 km: enough for the distribution, quick enough for every run.
  const grid = { bounds, steps: 20 }
  const stepHours = 1
  const field = new Float32Array(400)
  const parisCell = cellIndexOf(grid, paris)
  const coverage: number[] = []
  const peaks: number[] = []
  const daily = new Map<number, number>()
  let summerAfternoonHeavy = 0
  let winterHeavy = 0
  const from = Date.UTC(2024, 0, 1)
  const years = 2
  for (let t = from; t < Date.UTC(2026, 0, 1); t += stepHours * HOUR) {
    demo.weather.rateField(grid, t, field)
    let wet = 0
    let peak = 0
    for (const rate of field) {
      if (rate > 0) wet++
      if (rate > peak) peak = rate
    }
    coverage.push((100 * wet) / 400)
    peaks.push(peak)
    const month = new Date(t).getUTCMonth()
    const hour = new Date(t).getUTCHours()
    if (peak > 20 && month >= 5 && month <= 7 && hour >= 12 && hour < 20) summerAfternoonHeavy++
    if (peak > 20 && (month <= 1 || month === 11)) winterHeavy++
    const day = Math.floor(t / (24 * HOUR))
    daily.set(day, (daily.get(day) ?? 0) + field[parisCell] * stepHours)
  }
  const totals = [...daily.values()]

  test('a year over Paris brings 550 to 750 mm, on 90 to 150 days', () => {
    const sum = totals.reduce((a, b) => a + b, 0) / years
    expect(sum).toBeGreaterThan(550)
    expect(sum).toBeLessThan(750)
    const wetDays = totals.filter((mm) => mm >= 1).length / years
    expect(wetDays).toBeGreaterThan(90)
    expect(wetDays).toBeLessThan(150)
    expect(totals.filter((mm) => mm < 0.1).length / totals.length).toBeGreaterThan(0.4)
    expect(Math.max(...totals)).toBeGreaterThan(15)
    // The wettest day measured in Paris since 1872 brought 104 mm.
    expect(Math.max(...totals)).toBeLessThan(105)
  })

  test('about half of the frames are dry, coverage is seldom above 60 % and peaks rarely above 80 mm/h', () => {
    const dry = coverage.filter((c) => c === 0).length / coverage.length
    expect(dry).toBeGreaterThan(0.42)
    expect(dry).toBeLessThan(0.7)
    expect(coverage.filter((c) => c > 60).length / coverage.length).toBeLessThan(0.05)
    expect(quantile(coverage, 0.9)).toBeGreaterThan(8)
    expect(quantile(coverage, 0.9)).toBeLessThan(40)
    expect(peaks.filter((p) => p > 80).length / peaks.length).toBeLessThan(0.01)
    expect(Math.max(...peaks)).toBeGreaterThan(50)
    expect(Math.max(...peaks)).toBeLessThan(131)
  })

  test('heavy cells belong to summer afternoons', () => {
    expect(summerAfternoonHeavy).toBeGreaterThan(15)
    // A third of the day in three months against the whole of three months.
    expect(summerAfternoonHeavy * 3).toBeGreaterThan(3 * winterHeavy)
  })
})

describe('continuity', () => {
  /** Largest correlation of b with a moved by up to 6 cells, over cells of 1 km. */
  function bestCorrelation(a: Float32Array, b: Float32Array, steps: number): number {
    let best = -1
    for (let di = -6; di <= 6; di++)
      for (let dj = -6; dj <= 6; dj++) {
        let [n, sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0, 0]
        for (let i = 6; i < steps - 6; i++)
          for (let j = 6; j < steps - 6; j++) {
            const x = Math.sqrt(a[(i - di) * steps + j - dj])
            const y = Math.sqrt(b[i * steps + j])
            n++
            sa += x
            sb += y
            saa += x * x
            sbb += y * y
            sab += x * y
          }
        const spread = Math.sqrt((n * saa - sa * sa) * (n * sbb - sb * sb))
        if (spread > 0) best = Math.max(best, (n * sab - sa * sb) / spread)
      }
    return best
  }

  test('a frame is the one before moved along, grown a little: no flicker', () => {
    const grid = { bounds, steps: 100 }
    const found: number[] = []
    for (let t = Date.UTC(2025, 4, 1); found.length < 24 && t < Date.UTC(2025, 11, 1); t += 9.3 * HOUR) {
      const a = demo.weather.rateField(grid, t)
      const wet = a.reduce((n, v) => n + (v > 0.4 ? 1 : 0), 0) / a.length
      if (wet < 0.03 || wet > 0.8) continue
      found.push(bestCorrelation(a, demo.weather.rateField(grid, t + 206_000), 100))
    }
    expect(found).toHaveLength(24)
    expect(quantile(found, 0.5)).toBeGreaterThan(0.93)
    expect(Math.min(...found)).toBeGreaterThan(0.8)
  })

  test('rain at a place does not depend on what was asked before', () => {
    const t = Date.UTC(2025, 4, 20, 14)
    const alone = new Demo(defaultSite).weather.rateField({ bounds, steps: 50 }, t)
    demo.weather.rateField({ bounds, steps: 400 }, t - HOUR)
    expect(demo.weather.rateField({ bounds, steps: 50 }, t)).toEqual(alone)
  })
})
