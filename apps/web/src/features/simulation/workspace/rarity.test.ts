import { montanaDepthMm } from '@radx/rainfall/storms/montana'
import { expect, test } from 'vitest'
import { rarityOf } from './rarity.ts'

const law = (periodYears: number, a: number) => ({ periodYears, a, b: 0.6, fromMin: 6, toMin: 120 })
const table = { laws: [law(2, 3), law(10, 6), law(100, 9)] }
/** Ten minutes each, the first moment without a rate. */
const rain = (ratesMmH: number[]) => ({
  timesS: [0, ...ratesMmH.map((_, k) => 600 * (k + 1))],
  rainMmH: [0, ...ratesMmH],
})

test('the rarest duration of a rain is told with its return period', () => {
  // In half an hour what comes back every ten years, in ten minutes and an hour less.
  const rate = montanaDepthMm(law(10, 6), 30) * 2
  expect(rarityOf(rain([0, rate, rate, rate, 0, 0]), table)).toMatchObject({
    durationMin: 30,
    label: '10\u00a0ans',
  })
  expect(rarityOf(rain([1, 1, 1]), table)?.label).toBe('moins de 2\u00a0ans')
  expect(rarityOf(rain([900, 1, 1]), table)).toMatchObject({ durationMin: 10, label: 'plus de 100\u00a0ans' })
})

test('durations that the run cannot tell apart or that the table does not know say nothing', () => {
  expect(rarityOf({ timesS: [0, 10_800], rainMmH: [0, 20] }, table)).toBeNull()
  expect(rarityOf({ timesS: [0], rainMmH: [0] }, table)).toBeNull()
})
