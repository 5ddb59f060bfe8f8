import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { hourImage } from './hour-image.ts'
import type { Profile } from './profiles.ts'

const START = Date.parse('2026-05-06T08:00:00Z')
const heightsM = Array.from({ length: 40 }, (_, k) => 35 * (k + 1))
const hour = (value: number): Profile[] =>
  Array.from({ length: 360 }, (_, k) => ({
    timeMs: START + k * 10_000,
    heightsM,
    values: {
      RR: new Float32Array(heightsM.length).fill(value),
      LWC: new Float32Array(heightsM.length).fill(value),
    },
  }))

/** Colours in the middle of the plot, where words of a dry hour stand. */
function middle(profiles: Profile[], variable: 'RR' | 'LWC', dark: boolean): Set<string> {
  const options = {
    startMs: START,
    endMs: START + 3_600_000,
    palette: 'turbo' as const,
    timeZone: 'UTC',
    scale: 1,
  }
  const { data, width } = PNG.sync.read(hourImage({ ...options, profiles, variable, dark }))
  const found = new Set<string>()
  for (let row = 190; row < 212; row++)
    for (let col = 360; col < 570; col++)
      found.add(data.subarray(4 * (row * width + col), 4 * (row * width + col) + 3).join())
  return found
}

test.each([false, true])('a dry hour, or one without measures, says so in the picture; dark: %s', (dark) => {
  for (const variable of ['RR', 'LWC'] as const) {
    // Anti-aliased letters on an empty plot.
    expect(middle(hour(0), variable, dark).size).toBeGreaterThan(10)
    expect(middle([], variable, dark).size).toBeGreaterThan(10)
    // One colour where it rains the same everywhere.
    expect(middle(hour(2), variable, dark).size).toBe(1)
  }
})

test('the picture for a column of a page has letters that are read at a third of its size', () => {
  const options = { startMs: START, endMs: START + 3_600_000, palette: 'turbo' as const, timeZone: 'UTC' }
  const [wide, small] = (['wide', 'small'] as const).map((layout) => {
    const { data, width, height } = PNG.sync.read(
      hourImage({ ...options, profiles: hour(0), variable: 'LWC', layout }),
    )
    expect([width, height]).toEqual([960, 420])
    // Rows of the plot that the words of a dry hour stand in.
    const colour = (row: number, col: number) =>
      data.subarray(4 * (row * width + col), 4 * (row * width + col) + 3)
    const rows = Array.from({ length: 240 }, (_, k) => 75 + k)
    const isInk = (row: number) =>
      Array.from({ length: 560 }, (_, k) => 150 + k).some((col) => colour(row, col)[0] < 0xa0)
    return rows.filter(isInk).length
  })
  expect(wide).toBeGreaterThan(10)
  expect(small).toBeGreaterThan(1.6 * wide)
})
