import { expect, test } from 'vitest'
import { straysOf } from './strays.ts'

const at = (minute: number, value: number) => ({ time: `10:0${minute}`, value, p10: 1, p90: 2 })

test('a deterministic course outside its fan is told, from when to when; less than a chart shows is not', () => {
  expect(straysOf([at(0, 1), at(1, 1.5), at(2, 2.04)], 1)).toBeNull()
  expect(straysOf([at(0, 1.5), at(1, 0.9), at(2, 1.2), at(3, 2.1)], 1)).toEqual({
    from: '10:01',
    to: '10:03',
  })
  expect(straysOf([], 1)).toBeNull()
})
