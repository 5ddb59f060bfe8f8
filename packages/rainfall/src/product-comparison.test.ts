import { expect, test } from 'vitest'
import { ProductComparison } from './product-comparison.ts'
import { RATE_NO_DATA } from './rates.ts'

const codes = (...rates: number[]) =>
  Uint16Array.from(rates, (rate) => (Number.isNaN(rate) ? RATE_NO_DATA : Math.round(rate * 100)))
const none = Number.NaN

test('mean rain, bias, correlation and error are those of the cells that both have', () => {
  const comparison = new ProductComparison()
  comparison.add(codes(0, 1, 2, 3, none, 4), codes(0, 2, 4, 6, 5, none), 6)
  const { correlation, rmseMmH, ...rest } = comparison.result()
  expect(rest).toEqual({
    frames: 1,
    cells: 4,
    dryCells: 1,
    missingInOld: 1,
    missingInNew: 1,
    oldMeanMmH: 1.5,
    newMeanMmH: 3,
    biasMmH: 1.5,
  })
  expect(correlation).toBeCloseTo(1, 12)
  expect(rmseMmH).toBeCloseTo(Math.sqrt((1 + 4 + 9) / 4), 12)
})

test('a cell without data is none that is dry, and what neither has counts nowhere', () => {
  const comparison = new ProductComparison()
  comparison.add(codes(none, none, 0), codes(none, 0, none), 3)
  expect(comparison.result()).toMatchObject({
    cells: 0,
    dryCells: 0,
    missingInOld: 1,
    missingInNew: 1,
    oldMeanMmH: null,
    biasMmH: null,
    correlation: null,
  })
})

test('frames that are dry all over count like those that say it cell by cell', () => {
  const [known, said] = [new ProductComparison(), new ProductComparison()]
  known.add(null, null, 3)
  known.add(null, codes(0, 1, none), 3)
  said.add(codes(0, 0, 0), codes(0, 0, 0), 3)
  said.add(codes(0, 0, 0), codes(0, 1, none), 3)
  expect(known.result()).toEqual(said.result())
  // Rain that is the same everywhere goes with nothing.
  expect(known.result().correlation).toBeNull()
})

test('the whole is what its hours add up to', () => {
  const parts = [new ProductComparison(), new ProductComparison()]
  const whole = new ProductComparison()
  const frames = [
    [codes(1, 2, 0), codes(2, 2, none)],
    [codes(3, 0, 0), codes(1, 1, 0)],
  ]
  for (const [k, [old, made]] of frames.entries()) {
    parts[k].add(old, made, 3)
    whole.add(old, made, 3)
  }
  const sum = new ProductComparison()
  for (const part of parts) sum.include(part)
  expect(sum.result()).toEqual(whole.result())
})
