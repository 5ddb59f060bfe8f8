import { expect, test } from 'vitest'
import {
  catchmentQuality,
  decodeQualities,
  encodeQuality,
  encodeQualityBlock,
  meanQuality,
  periodQuality,
  QUALITY_NO_DATA,
} from './quality.ts'

test('a cell that nobody knows the quality of stays so, and takes no part in a mean', () => {
  const bytes = encodeQuality([0.824, Number.NaN, 0.4, 1.2])
  expect([...bytes]).toEqual([82, QUALITY_NO_DATA, 40, 100])
  expect([...decodeQualities(bytes)].map((value) => Math.round(value * 100))).toEqual([
    82,
    Number.NaN,
    40,
    100,
  ])
  expect([...encodeQualityBlock(bytes)]).toEqual([0x9f, 0x4a])
  expect([...encodeQualityBlock(Uint8Array.of(0, 10, 11))]).toEqual([0x11, 0x20])
  expect(meanQuality(bytes)).toBeCloseTo(0.74, 12)
  expect(meanQuality(Uint8Array.of(QUALITY_NO_DATA))).toBeNull()
  const weights = { cells: Uint32Array.of(1, 2, 3), areasM2: Float64Array.of(5, 1, 3) }
  expect(catchmentQuality(bytes, weights)).toBeCloseTo((0.4 + 3) / 4, 12)
})

test('the quality of a total is that of its rain, and says for how much of the time it speaks', () => {
  const storm = periodQuality([0.9, 0.3, null], [0, 10, 50], [300, 300, 600])!
  expect(storm.mean).toBeCloseTo(0.3, 12)
  expect(storm.share).toBeCloseTo(0.5, 12)
  expect(periodQuality([0.9, 0.3], [0, null], [300, 100])!.mean).toBeCloseTo(0.75, 12)
  expect(periodQuality([null], [3], [300])).toBeNull()
})
