import { expect, test } from 'vitest'
import { missingRanges } from './ranges.ts'

const times = ['2021-07-04T15:50:00Z', '2021-07-04T15:53:26Z', '2021-07-04T15:56:52Z', '2021-07-04T16:00:18Z']

test('the newest frame is asked for first, then the rest in one stretch', () => {
  expect(missingRanges(times, () => false)).toEqual([
    { s: times[3], e: '2021-07-04T16:00:18.001Z' },
    { s: times[0], e: '2021-07-04T15:56:52.001Z' },
  ])
})

test('after a refresh only what is missing is asked for', () => {
  expect(missingRanges(times, (time) => time !== times[3])).toEqual([
    { s: times[3], e: '2021-07-04T16:00:18.001Z' },
  ])
  expect(missingRanges(times, (time) => time === times[1] || time === times[3])).toEqual([
    { s: times[0], e: '2021-07-04T15:50:00.001Z' },
    { s: times[2], e: '2021-07-04T15:56:52.001Z' },
  ])
  expect(missingRanges(times, () => true)).toEqual([])
  expect(missingRanges([], () => false)).toEqual([])
})
