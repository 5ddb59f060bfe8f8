import { expect, test } from 'vitest'
import {
  decodeSweepBundle,
  decodeSweepRay,
  encodeSweepBundle,
  rayFinder,
  sweepValue,
} from './sweep-bundle.ts'

const field = {
  stage: 'moments' as const,
  name: 'DBZH',
  unit: 'dBZ',
  elevationDeg: 1.5,
  nrays: 2,
  nbins: 3,
  azimuthDeg: [0.5, 180.5],
  rangeStartM: 0,
  rangeStepM: 50,
}
const read = (unit: string, values: number[]) => {
  const { header, codes } = decodeSweepBundle(encodeSweepBundle({ ...field, unit }, values))
  return Array.from(codes, (code) => sweepValue(header, code))
}

test('values come back to a hundredth, what is missing apart from no echo', () => {
  const values = [-31.5, 12.345, 60, Number.NaN, Number.NEGATIVE_INFINITY, 0]
  const back = read('dBZ', values)
  for (const [k, value] of values.entries())
    if (Number.isFinite(value)) expect(Math.abs(back[k] - value)).toBeLessThanOrEqual(0.005 + 1e-9)
    else expect(back[k]).toBe(value)
  expect(read('1', [0.9871, 0, 1, 0.5, 0.25, 0.1])[0]).toBeCloseTo(0.9871, 5)
  expect(read('1', [11, 1, 2, 3, 0, 7])).toEqual([11, 1, 2, 3, 0, 7].map((n) => expect.closeTo(n, 6)))
  // A range too wide for hundredths.
  expect(read('mm h-1', [0, 5000, 1, 2, 3, 4])[1]).toBeCloseTo(5000, 6)
  expect(read('dB', Array(6).fill(Number.NaN))).toEqual(Array(6).fill(Number.NaN))
})

test('a ray is read without the others', () => {
  const bytes = encodeSweepBundle(field, [1, 2, 3, 4, 5, 6])
  const found = decodeSweepRay(bytes, 181)
  expect(found?.ray).toBe(1)
  expect(Array.from(found!.codes, (code) => sweepValue(found!.header, code))).toEqual(
    [4, 5, 6].map((n) => expect.closeTo(n, 6)),
  )
  expect(
    decodeSweepRay(
      encodeSweepBundle({ ...field, nrays: 3, nbins: 2, azimuthDeg: [1, 2, 3] }, [1, 2, 3, 4, 5, 6]),
      90,
    ),
  ).toBeNull()
})

test('what is damaged on the way is refused', () => {
  const bytes = encodeSweepBundle(field, [1, 2, 3, 4, 5, 6])
  const code = (of: Uint8Array<ArrayBuffer>) => {
    try {
      decodeSweepBundle(of)
      return null
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  expect(code(bytes.slice(0, -1))).toBe('sweepBundle.truncated')
  expect(code(bytes.slice(0, 5))).toBe('sweepBundle.truncated')
  expect(code(bytes.with(0, 65) as Uint8Array<ArrayBuffer>)).toBe('sweepBundle.magic')
  expect(code(bytes.with(8, 65) as Uint8Array<ArrayBuffer>)).toBe('sweepBundle.header')
  expect(code(bytes.with(bytes.length - 1, 255) as Uint8Array<ArrayBuffer>)).toBe('sweepBundle.checksum')
})

test('the ray of an azimuth is the nearest one, also over north; none where a sector was not swept', () => {
  const rays = Array.from({ length: 36 }, (_, k) => 5 + 10 * k)
  expect(rayFinder(rays)(4)).toBe(0)
  expect(rayFinder(rays)(359)).toBe(35)
  expect(rayFinder(rays.slice(0, 18))(270)).toBe(-1)
  expect(rayFinder(rays.slice(0, 18))(184)).toBe(-1)
  expect(rayFinder(rays.slice(0, 18))(181)).toBe(17)
  expect(rayFinder([])(0)).toBe(-1)
})
