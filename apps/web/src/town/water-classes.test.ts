import { expect, test } from 'vitest'
import { readLimits, waterClasses, waterPicture } from './water-classes.ts'

test('classes begin where water is shown from, and cover all that is deeper', () => {
  expect(waterClasses('light', 5).map(({ fromCm, toCm }) => [fromCm, toCm])).toEqual([
    [5, 10],
    [10, 20],
    [20, 30],
    [30, 50],
    [50, 100],
    [100, null],
  ])
  expect(waterClasses('dark', 15)[0]).toMatchObject({ fromCm: 15, toCm: 20 })
})

test('a cell has the colour of its class; shallow, dry and outside have none', () => {
  const classes = waterClasses('light', 5)
  const { data } = waterPicture({ nrows: 1, ncols: 5 }, [4.9, 5, 250, 0, Number.NaN], classes)
  const shown = [0, 1, 2, 3, 4].map((k) => data[4 * k + 3])
  expect(shown).toEqual([0, 255, 255, 0, 0])
  expect([...data.subarray(4, 7)]).toEqual([0xa4, 0xd0, 0xee])
  expect([...data.subarray(8, 11)]).toEqual([0x0b, 0x2a, 0x5e])
})

test('own classes are read whatever stands between them; what is no ascending list is none', () => {
  for (const text of ['5 20 50,5', '5-20-50.5', ' 5; 20 ;50,5 ', '5, 20, 50,5'])
    expect(readLimits(text)).toEqual([5, 20, 50.5])
  for (const text of ['', 'a', '20 5', '0 5', '5 5', '1 2 3 4 5 6 7 8', '5 500', '5 1e9'])
    expect(readLimits(text)).toBeNull()
  const classes = waterClasses('light', 20, [20, 60])
  expect(classes.map(({ fromCm, toCm }) => [fromCm, toCm])).toEqual([
    [20, 60],
    [60, null],
  ])
  expect(new Set(classes.map(({ color }) => color)).size).toBe(2)
})
