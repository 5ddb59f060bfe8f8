import { montanaDepthMm } from '@radx/rainfall/storms/montana'
import { expect, test } from 'vitest'
import type { StoredProduct } from '../../store/catalog.ts'
import { elapsedSamples } from './elapsed.ts'
import { rainSamples } from './rain.ts'
import { stuckSamples } from './stuck.ts'

const MINUTE = 60_000
const times = (n: number, stepMin: number) => Array.from({ length: n }, (_, k) => k * stepMin * MINUTE)
const product = { frameSeconds: 300 } as StoredProduct

test('the period of the rarest duration is told, 0 below the table, and never more than is known', () => {
  const laws = [2, 10, 100].map((periodYears, k) => ({
    periodYears,
    a: 4 + 2 * k,
    b: 0.6,
    fromMin: 6,
    toMin: 120,
  }))
  const measure = {
    kind: 'rain-return',
    product: 'sri',
    place: { kind: 'point', lat: 48, lng: 2 },
    table: null,
  } as const
  const timesMs = times(25, 5)
  // An hour of what a ten-year rain gives in an hour: its shorter durations are less rare.
  const steady = montanaDepthMm(laws[1], 60)
  const mmH = timesMs.map((_, k) => (k <= 12 ? steady : 0))
  const samples = rainSamples(measure, { product, rates: { timesMs, mmH } }, laws)
  expect(samples[12].value ?? samples[12].atLeast).toBeCloseTo(10, 6)
  expect(Math.max(...samples.map(({ value, atLeast }) => value ?? atLeast ?? 0))).toBeLessThan(10.5)
  const light = rainSamples(measure, { product, rates: { timesMs, mmH: timesMs.map(() => 1) } }, laws)
  expect(light.at(-1)).toEqual({ timeMs: timesMs[24], value: 0 })
  // Half of the images have no value: what is known stays a lower bound.
  const holes = mmH.map((rate, k) => (k > 8 && k < 16 ? null : rate))
  const last = rainSamples(measure, { product, rates: { timesMs, mmH: holes } }, laws)[17]
  expect(last.value).toBe(null)
})

test('a gauge that says nothing under the radar’s rain is told with that rain; a tip, or no radar, ends it', () => {
  const radar = { timesMs: times(25, 5), mmH: times(25, 5).map(() => 12) }
  const readings = (tip: number) => ({
    timesMs: Float64Array.from(radar.timesMs),
    mm: Float64Array.from(radar.timesMs, (_, k) => (k === 20 ? tip : 0)),
  })
  const told = (tip: number, rates = radar) =>
    stuckSamples({ measure: 'amount' } as never, readings(tip), rates, 60, 15 * MINUTE, 0)
  expect(told(0)[12].value).toBeCloseTo(12, 9)
  expect(told(0)[24].value).toBeCloseTo(12, 9)
  expect(told(0)[6]).toMatchObject({ value: null, atLeast: expect.closeTo(6, 9) })
  expect(told(1)[20].value).toBe(0)
  expect(told(0, { timesMs: [], mmH: [] })[24].value).toBe(null)
})

test('silence is told once it is as long as the threshold, in the middle of a period too', () => {
  const events = [0, 10, 20, 60].map((min) => min * MINUTE)
  const span = { startMs: 5 * MINUTE, endMs: 100 * MINUTE }
  expect(elapsedSamples(events, span, 30)).toEqual([
    { timeMs: 10 * MINUTE, value: 0 },
    { timeMs: 20 * MINUTE, value: 0 },
    { timeMs: 50 * MINUTE, value: 40 },
    { timeMs: 60 * MINUTE, value: 0 },
    { timeMs: 90 * MINUTE, value: 40 },
  ])
})
