import type { HourRow } from '@radx/contracts/radar'
import { expect, test } from 'vitest'
import { groupHours, rowByKey } from './hours.ts'

const rows = (...entries: [string, number | null][]): HourRow[] =>
  entries.map(([localtime, nonzerosmean], k) => ({
    time: localtime,
    localtime,
    datetime: new Date(Date.UTC(2026, 9, 24, 23, k * 20)).toISOString(),
    nonzerosmean,
    nonzerospc: 0,
    catchment: null,
  }))

test('images stand by the hour of the local clock; an hour gone through twice stands twice', () => {
  const groups = groupHours(
    rows(['01:40:00', 2], ['02:00:00', null], ['02:40:00', 4.5], ['02:10:00', 0], ['05:00:00', null]),
  )
  expect(groups.map(({ hour, first, rows, peakMmH }) => [hour, first, rows.length, peakMmH])).toEqual([
    ['01', 0, 1, 2],
    ['02', 1, 2, 4.5],
    ['02', 3, 1, 0],
    ['05', 4, 1, null],
  ])
  expect(groupHours([])).toEqual([])
})

test('keys lead by an image and by an hour, and stay within the day', () => {
  const groups = groupHours(rows(['01:40:00', 2], ['02:00:00', 1], ['02:40:00', 1], ['05:00:00', 1]))
  const by = (at: number, key: string) => rowByKey(groups, at, key)
  expect([by(0, 'ArrowUp'), by(0, 'ArrowDown'), by(3, 'ArrowDown')]).toEqual([0, 1, 3])
  expect([by(0, 'PageDown'), by(1, 'PageDown'), by(3, 'PageDown')]).toEqual([1, 3, 3])
  expect([by(3, 'PageUp'), by(2, 'PageUp'), by(1, 'PageUp'), by(0, 'PageUp')]).toEqual([1, 1, 0, 0])
  expect([by(2, 'Home'), by(1, 'End'), by(1, 'x')]).toEqual([0, 3, null])
  expect(rowByKey([], 0, 'ArrowDown')).toBeNull()
})
