import { expect, test } from 'vitest'
import { type Spot, spreadApart } from './spread.ts'

const placed = (spots: readonly Spot[]) => {
  const down = spreadApart(spots)
  return spots.map(({ x, y }, k) => ({ x, y: y + down[k] }))
}
const overlaps = (spots: readonly Spot[]) =>
  spots.some((a, i) => spots.some((b, j) => j > i && Math.abs(a.x - b.x) < 44 && Math.abs(a.y - b.y) < 26))

test('badges that stand apart stay where they are', () => {
  expect(
    spreadApart([
      { x: 0, y: 0 },
      { x: 0, y: 40 },
      { x: 60, y: 5 },
    ]),
  ).toEqual([0, 0, 0])
})

test('badges that would cover each other part, in their order, also many at one place', () => {
  const two = placed([
    { x: 10, y: 12 },
    { x: 14, y: 10 },
  ])
  expect(overlaps(two)).toBe(false)
  expect(two[0].y).toBeGreaterThan(two[1].y)
  const pile = Array.from({ length: 6 }, (_, k) => ({ x: 3 * k, y: 100 }))
  expect(overlaps(placed(pile))).toBe(false)
})
