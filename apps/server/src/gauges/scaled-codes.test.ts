import { RATE_MAX_CODE, RATE_NO_DATA } from '@radx/rainfall'
import { expect, test } from 'vitest'
import { ratioOf, scaleByCell, scaleByFactor } from './scaled-codes.ts'

const codes = Uint16Array.of(0, 1, 100, RATE_MAX_CODE, RATE_NO_DATA)

test('missing stays missing, dry stays dry, wet stays wet and never becomes missing', () => {
  const out = new Uint16Array(codes.length)
  scaleByFactor(codes, 0.2, out)
  expect([...out]).toEqual([0, 1, 20, Math.round(RATE_MAX_CODE * 0.2), RATE_NO_DATA])
  scaleByFactor(codes, 5, out)
  expect([...out]).toEqual([0, 5, 500, RATE_MAX_CODE, RATE_NO_DATA])
  scaleByCell(codes, Float64Array.of(5, 3, 1.5, 2, 5), out)
  expect([...out]).toEqual([0, 3, 150, RATE_MAX_CODE, RATE_NO_DATA])
})

test('the ratio of a cell is within the limits, and one where the radar is dry or knows nothing', () => {
  const field = Float64Array.of(2, 50, 0, 3, Number.NaN)
  const radar = Float64Array.of(1, 1, 4, 0, Number.NaN)
  expect([...ratioOf(field, radar, [0.2, 5])]).toEqual([2, 5, 0.2, 1, 1])
})
