import { expect, test } from 'vitest'
import { columnAbove, GATE_SPACING_M, GATES } from './column.ts'
import { Demo } from './demo.ts'
import { meltingHeightM } from './ground.ts'
import { uniform } from './noise.ts'
import { defaultSite } from './testing/site.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const melun = { lat: 48.5394, lng: 2.6598 }
const radar = defaultSite.radar.position
const grid = { bounds: defaultSite.products[0].bounds, steps: 40 }
/** First starts in all seasons and at all hours of ten years, none picked for its weather. */
const starts = Array.from({ length: 12 }, (_, k) =>
  Math.floor(Date.UTC(2026, 0, 1) + (k / 12 + uniform(k, 1, 0, 99)) * 5 * 365 * DAY),
)
const anchored = (atMs: number) => new Demo(defaultSite, { anchor: { atMs, storm: melun } })
const wetShare = (demo: Demo, t: number) =>
  demo.weather.rateField(grid, t).reduce((n, rate) => n + (rate > 0.1 ? 1 : 0), 0) / 1600
const depthMm = (demo: Demo, place: typeof melun, from: number, to: number) => {
  let mm = 0
  for (let t = from; t < to; t += 120_000) mm += demo.weather.rateAt(place, t) / 30
  return mm
}

test.each(starts)('started at %d ms there is rain, a storm over Melun and a melting layer', (at) => {
  const demo = anchored(at)
  for (let h = -2.5; h <= 2; h += 0.5) expect(wetShare(demo, at + h * HOUR)).toBeGreaterThan(0.02)
  expect(wetShare(demo, at)).toBeGreaterThan(0.3)
  // The front passes over the radar within the last three hours.
  expect(depthMm(demo, radar, at - 3 * HOUR, at)).toBeGreaterThan(3)
  const storm = depthMm(demo, melun, at - 8 * HOUR, at - 5 * HOUR)
  expect(storm).toBeGreaterThan(10)
  expect(storm).toBeLessThan(50)
  // Snow aloft, rain at the ground, and a band between them that the instrument can see.
  const melting = meltingHeightM(demo.weather, at - HOUR) - 130
  expect(melting).toBeGreaterThan(900)
  expect(melting).toBeLessThan(GATES * GATE_SPACING_M - 1000)
  const column = columnAbove(demo.weather, radar, 130, at - 1.5 * HOUR, 360)
  const marked = column.ML.reduce((n, v) => n + v, 0)
  expect(marked).toBeGreaterThan(360)
})

test.each([1.3, 5, 40])('%d days after the start no five hours go by without rain', (days) => {
  const demo = anchored(starts[3])
  const now = starts[3] + days * DAY
  const shares = Array.from({ length: 11 }, (_, k) => wetShare(demo, now + (k / 2 - 3) * HOUR))
  expect(Math.max(...shares)).toBeGreaterThan(0.05)
})

test('what was before is the weather as it comes, with its dry days', () => {
  const at = starts[5]
  const demo = anchored(at)
  const plain = new Demo(defaultSite)
  let dryDays = 0
  for (let day = 2; day < 30; day++) {
    let mm = 0
    for (let h = 0; h < 24; h += 2) {
      const t = at - day * DAY + h * HOUR
      const rate = demo.weather.rateAt(melun, t)
      expect(rate).toBe(plain.weather.rateAt(melun, t))
      mm += rate
    }
    if (mm === 0) dryDays++
  }
  expect(dryDays).toBeGreaterThan(3)
  expect(demo.radarInstants('dpsri', at - 30 * DAY, at - DAY)).toEqual(
    plain.radarInstants('dpsri', at - 30 * DAY, at - DAY),
  )
})

test('one gap in the last three hours, one file that comes late after them, and nothing lost by it', () => {
  for (const at of starts) {
    const demo = anchored(at)
    const instants = demo.radarInstants('dpsri', at - 4 * HOUR, at + 2 * HOUR)
    const gaps = instants.slice(1).map((t, i) => t - instants[i])
    expect(gaps.filter((gap) => gap > 206_000)).toHaveLength(1)
    expect(Math.max(...gaps)).toBeGreaterThan(12 * 60_000)
    expect(Math.max(...gaps)).toBeLessThan(20 * 60_000)

    const arrivals = (from: number, to: number) => demo.radarArrivals('dpsri', from, to)
    const hour = arrivals(at, at + HOUR)
    expect(hour).toEqual(demo.radarInstants('dpsri', at, at + HOUR))
    // Asked for piece by piece, as it is while the program runs.
    const pieces: number[] = []
    for (let t = at; t < at + HOUR; t += 120_000)
      pieces.push(...arrivals(t, Math.min(t + 120_000, at + HOUR)))
    expect(pieces.toSorted((a, b) => a - b)).toEqual(hour)
    expect(pieces.filter((t, i) => i > 0 && t < pieces[i - 1])).toHaveLength(1)
  }
})

test('no image of the storm is missing, nor of the hours before a first start, whenever that is', () => {
  for (let k = 0; k < 200; k++) {
    const at = Math.floor(starts[0] + uniform(k, 2, 0, 99) * 3650 * DAY)
    const demo = anchored(at)
    const count = (from: number, to: number) =>
      demo.radarInstants('dpsri', at + from * HOUR, at + to * HOUR).length
    expect(count(-7.5, -5)).toBeGreaterThanOrEqual(43)
    expect(count(-1.5, 0)).toBeGreaterThanOrEqual(26)
  }
})
