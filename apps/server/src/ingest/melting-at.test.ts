import { meltingLayerFromTemperature } from '@radx/polarimetry/melting'
import { expect, test } from 'vitest'
import { meltingAt } from './melting-at.ts'

const MINUTE = 60_000
const profile = (minute: number, topM: number) => ({
  timeMs: minute * MINUTE,
  layer: { bottomM: topM - 300, topM, source: 'micro-rain-radar' as const },
})
const warmth = (minute: number, celsius: number) => ({
  timeMs: minute * MINUTE,
  layer: meltingLayerFromTemperature(celsius, 100),
})

test('the micro rain radar goes before the thermometer, the nearest before others', () => {
  const seen = [warmth(60, 13), profile(40, 1900), profile(80, 1800)]
  expect(meltingAt(seen, 65 * MINUTE)).toMatchObject({ topM: 1800, source: 'micro-rain-radar' })
  expect(meltingAt(seen, 112 * MINUTE)).toMatchObject({ topM: 2100, source: 'temperature' })
})

test('what was seen too long before says nothing', () => {
  expect(meltingAt([profile(0, 1900)], 31 * MINUTE)).toBeNull()
  expect(meltingAt([warmth(0, 13)], 61 * MINUTE)).toBeNull()
  expect(meltingAt([warmth(0, 13)], Number.NaN)).toBeNull()
})
