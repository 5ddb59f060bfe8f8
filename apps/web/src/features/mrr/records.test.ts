import type { MrrRecord } from '@radx/contracts/mrr'
import { expect, test } from 'vitest'
import { advance, goTo, newPlayer, toggle } from './player.ts'
import { heightOf, lwcOf, nearestRecord, secondsApart, toHour } from './records.ts'

const record = (minute: number, lwc: (number | null)[], values?: (number | null)[]): MrrRecord => ({
  datetime: `2023-03-22T01:${String(minute).padStart(2, '0')}:00Z`,
  lwc,
  maxValue: 1,
  meters_between_gates: 35,
  meters_to_first_gate: 35,
  ...(values ? { values } : {}),
})

test('[MRR-15] a record of a single element is 128 zeros', () => {
  expect(lwcOf(record(0, [0]))).toEqual(new Array(128).fill(0))
  expect(lwcOf(record(0, [1, null]))).toEqual([1, null])
})

test('profiles become a field; what was not seen is not zero', () => {
  const hour = toHour([record(0, [1, null, 3]), record(5, [0.5, 0, 0])], Date.UTC(2023, 2, 22, 1), 'LWC')
  expect(hour.gates).toBe(3)
  expect([...hour.values]).toEqual([1, Number.NaN, 3, 0.5, 0, 0])
  expect(heightOf(hour, 2)).toBe(105)
  expect(nearestRecord(hour, Date.parse('2023-03-22T01:04:00Z'))).toBe(1)
  const other = toHour([record(0, [0], [7, 8, null])], 0, 'VEL')
  expect([...other.values.subarray(0, 3)]).toEqual([7, 8, Number.NaN])
})

test('[MRR-25] records of an hour are 3600/n seconds apart', () => {
  expect(secondsApart(360)).toBe(10)
})

test('[MRR-20] [MRR-09] the player ignores a frame outside the range and wraps after the last', () => {
  const player = newPlayer(3)
  expect(goTo(player, 2).frame).toBe(2)
  expect(goTo(player, 3)).toBe(player)
  expect(goTo(player, -1)).toBe(player)
  expect(advance(goTo(player, 2)).frame).toBe(0)
  expect(toggle(player).playing).toBe(true)
  expect(toggle(toggle(player)).playing).toBe(false)
  expect(toggle(newPlayer(0)).playing).toBe(false)
})
