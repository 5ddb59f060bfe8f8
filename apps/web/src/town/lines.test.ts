import { expect, test } from 'vitest'
import { chained, contourStep, contours, lngLatAt, outline, smoothed } from './lines.ts'

test('segments in any order and direction become lines, rings among them', () => {
  expect(chained([1, 2, 3, 2, 9, 8, 3, 4])).toEqual([
    [4, 3, 2, 1],
    [8, 9],
  ])
  const [ring] = chained([1, 2, 2, 3, 3, 1])
  expect(ring[0]).toBe(ring.at(-1))
  expect(ring).toHaveLength(4)
})

test('a slope has straight contour lines at whole steps, between the middles of its cells', () => {
  // Four rows of five cells, one metre higher each column to the east.
  const slope = Float32Array.from({ length: 20 }, (_, k) => 0.25 + (k % 5))
  const found = contours(slope, 5, 2)
  expect([...found.keys()]).toEqual([2, 4])
  const [line] = found.get(2) ?? []
  expect([...line].filter((_, k) => k % 2 === 0).every((x) => Math.abs(x - 2.25) < 1e-6)).toBe(true)
  expect([...line].filter((_, k) => k % 2 === 1).sort()).toEqual([0.5, 1.5, 2.5, 3.5])
})

test('a line ends where the model does, and a hill has a ring', () => {
  const hill = Float32Array.from({ length: 25 }, (_, k) => 3 - Math.hypot((k % 5) - 2, Math.floor(k / 5) - 2))
  const [ring] = contours(hill, 5, 2).get(2) ?? []
  expect([ring[0], ring[1]]).toEqual([ring.at(-2), ring.at(-1)])
  const slope = Float32Array.from({ length: 35 }, (_, k) => 0.25 + (k % 5))
  slope[3 * 5 + 1] = Number.NaN
  const lines = contours(slope, 5, 2).get(2) ?? []
  expect(lines.map((line) => line.filter((_, k) => k % 2 === 1).toSorted())).toEqual([
    Float32Array.of(0.5, 1.5, 2.5),
    Float32Array.of(4.5, 5.5, 6.5),
  ])
})

test('the outline goes round the cells of the model, holes too, without points along straight sides', () => {
  const block = outline((k) => k % 4 > 0 && k % 4 < 3 && k >= 4 && k < 12, 4, 4)
  expect(block).toHaveLength(1)
  expect(block[0].length / 2).toBeLessThanOrEqual(6)
  expect(Math.max(...block[0])).toBe(3)
  expect(outline((k) => k !== 4, 3, 3)).toHaveLength(2)
})

test('steps are usual ones, and a mean over cells leaves the outside alone', () => {
  expect(contourStep([36, 101])).toBe(5)
  expect(contourStep([30, 31.2, Number.NaN])).toBe(0.1)
  expect([...smoothed(Float32Array.of(1, 3, Number.NaN, 5), 4)]).toEqual([2, 2, Number.NaN, 5])
})

test('cells lie between the corners', () => {
  const corners = { nw: [2, 49], ne: [3, 49], sw: [2, 48], se: [3, 48] } as never
  expect(lngLatAt({ nrows: 4, ncols: 2, corners }, 1, 1)).toEqual([2.5, 48.75])
})
