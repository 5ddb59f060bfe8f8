import { adjust } from '@radx/rainfall/gauges/adjust'
import { expect, test } from 'vitest'
import { filledDepth, leftOutByRolling } from './window-depths.ts'

const series = (length: number, of: (i: number) => number) => Float64Array.from({ length }, (_, i) => of(i))

test('what a gauge does not know yet is filled by the radar as the two compare, and too little is nothing', () => {
  const radar = series(40, (i) => (i < 30 ? 0.1 : 0.2))
  const place = (known: number) => ({
    radar,
    gauge: series(40, (i) => (i < known ? 1.2 * radar[i] : Number.NaN)),
  })
  // The mean of what is known would tell 4.67 mm.
  expect(filledDepth(place(36), 0, 40)).toBeCloseTo(1.2 * 5, 9)
  expect(filledDepth(place(40), 0, 40)).toBeCloseTo(6, 9)
  expect(filledDepth(place(31), 0, 40)).toBeNaN()
  const late = {
    radar: series(40, (i) => (i < 36 ? 0.01 : 2)),
    gauge: series(40, (i) => (i < 36 ? 0.2 : Number.NaN)),
  }
  expect(filledDepth(late, 0, 40)).toBeNaN()
  const dry = { radar: series(40, () => 0), gauge: series(40, (i) => (i < 36 ? 0.01 : Number.NaN)) }
  expect(filledDepth(dry, 0, 40)).toBeCloseTo(0.36, 9)
  expect(filledDepth({ ...place(40), radar: series(40, () => Number.NaN) }, 0, 40)).toBeNaN()
})

test('the error told of a mean field bias is that of the factor which frames get, each gauge left out', () => {
  // One gauge has a burst that the radar saw tenfold: sums follow it, the median of the hours does not.
  const steps = 72
  const places = Array.from({ length: 6 }, (_, g) => ({
    radar: series(steps, (i) => (g === 0 && i < 12 ? 4 : 0.2)),
    gauge: series(steps, (i) => (g === 0 && i < 12 ? 0.4 : 0.3)),
  }))
  const x = series(6, (g) => 3 * g + 1)
  const grid = { nrows: 3, ncols: 18, x0: 0.5, dx: 1, y0: 0.5, dy: 1 }
  const depths = places.map(({ radar }) => radar.reduce((a, b) => a + b, 0))
  const radar = series(54, (i) => depths[Math.min(5, Math.floor((i % 18) / 3))])
  const observed = Float64Array.from(places, (place) => filledDepth(place, 0, steps))
  const { pairs, leftOut } = adjust(
    { grid, radar, gauges: { x, y: series(6, () => 1.5) }, observed },
    { method: 'mfb', limits: [0.2, 5], minGauges: 3 },
  )
  const rule = { limits: [0.2, 5] as const, windowSteps: 72, minGauges: 3, mode: 'hindsight' as const }
  const rolling = leftOutByRolling(places, pairs, [0, steps], rule)
  expect(rolling[3]).toBeCloseTo(1.5 * depths[3], 6)
  expect(leftOut[3]).toBeLessThan(depths[3])
  // By the others alone.
  expect(rolling[0]).toBeCloseTo(1.5 * depths[0], 6)
  expect(leftOutByRolling(places.slice(0, 3), pairs.slice(0, 3), [0, steps], rule)).toEqual(
    new Float64Array(3).fill(Number.NaN),
  )
})
