import { expect, test } from 'vitest'
import { byHour } from './profiles.ts'

const HOUR = Date.parse('2026-05-04T08:00:00Z')
const SECOND = 1000
const cut = (seconds: number[]) =>
  byHour({
    timesMs: seconds.map((s) => HOUR + s * SECOND),
    heightsM: [35, 70],
    variables: { LWC: Float32Array.from(seconds.flatMap((_, i) => [i, i + 0.5])) },
  }).map(({ hourMs, chunk }) => ({
    hour: (hourMs - HOUR) / 3_600_000,
    seconds: chunk.timesMs.map((ms) => (ms - HOUR) / SECOND),
    LWC: Array.from(chunk.variables.LWC),
  }))

test('profiles in order are cut where the hour ends', () => {
  expect(cut([3580, 3590, 3600, 3610])).toEqual([
    { hour: 0, seconds: [3580, 3590], LWC: [0, 0.5, 1, 1.5] },
    { hour: 1, seconds: [3600, 3610], LWC: [2, 2.5, 3, 3.5] },
  ])
})

test('after a restart that goes back, each instant is there once, in order, as it came first', () => {
  expect(cut([3590, 3600, 10, 3590, 20])).toEqual([
    { hour: 0, seconds: [10, 20, 3590], LWC: [2, 2.5, 4, 4.5, 0, 0.5] },
    { hour: 1, seconds: [3600], LWC: [1, 1.5] },
  ])
})
