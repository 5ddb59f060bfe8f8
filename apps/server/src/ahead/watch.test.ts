import { expect, test } from 'vitest'
import { placeNameFr, placesOf } from './places.ts'
import { countsOf, type Grid, sortWatch, watchElements, watchStreets } from './watch.ts'

const LEADS = [5, 10, 15]
/** A town of 6 rows and 10 columns. */
const grid: Grid = {
  ...{ nrows: 6, ncols: 10, at: (cell) => ({ lat: 48 + cell, lng: 2 }) },
  groundOf: (cells) => `${cells.length}`,
  nearTo: (cell) => `J-${cell}`,
  // The last row is a lawn.
  isSealed: (cell) => cell < 50,
}
/** Chances at each moment over each depth, % by cell; 0 elsewhere. */
const chances = (...moments: Record<number, number>[][]) =>
  moments.map((depths) => depths.map((own) => Uint8Array.from({ length: 60 }, (_, cell) => own[cell] ?? 0)))

test('puddles a cell apart are one place, told once at its worst depth; others are others', () => {
  const found = watchStreets(
    chances(
      [{ 0: 60, 2: 70 }, {}, {}],
      [{ 0: 90, 2: 90, 9: 80 }, { 2: 30 }, {}],
      [{ 0: 90, 2: 100, 9: 80 }, { 2: 50 }, {}],
    ),
    LEADS,
    grid,
  )
  expect(found).toMatchObject([
    { name: '1', cell: 2, cells: 1, depthMm: 200, percent: 50, fromMin: 10, gravity: 2, near: 'J-2' },
    { name: '2', cell: 9, cells: 1, depthMm: 50, percent: 80, fromMin: 10, gravity: 1 },
  ])
})

test('a wet road counts when it is likely, deeper water from a tenth of the members, and nothing outside the model', () => {
  const told = (depths: Record<number, number>[]) => watchStreets(chances(depths), [5], grid).length
  expect(told([{ 5: 49 }, {}, {}])).toBe(0)
  expect(told([{ 5: 50 }, {}, {}])).toBe(1)
  expect(told([{ 55: 100 }, {}, {}])).toBe(0)
  expect(told([{}, { 55: 50 }, {}])).toBe(1)
  expect(told([{}, { 5: 9 }, {}])).toBe(0)
  expect(told([{}, { 5: 10 }, {}])).toBe(1)
  expect(told([{ 5: 255 }, { 5: 255 }, { 5: 255 }])).toBe(0)
  expect(watchStreets([], [], grid)).toEqual([])
})

test('the list begins with what comes first, then what is worse; too many leave out the least grave', () => {
  const pipes = Array.from({ length: 110 }, (_, k) => ({
    ...{ name: `C-${k}`, cell: k, lat: 48, lng: 2, course: [0, Math.min(100, 1 + k), 100] },
  }))
  const node = { name: 'J-1', cell: 1, lat: 48, lng: 2, course: [0, 0, 40] }
  const found = [...watchElements('link', pipes, LEADS), ...watchElements('node', [node], LEADS)]
  expect(countsOf(found)).toEqual([
    { kind: 'street', certain: 0, likely: 0, possible: 0 },
    { kind: 'node', certain: 0, likely: 0, possible: 1 },
    { kind: 'link', certain: 110, likely: 0, possible: 0 },
  ])
  const all = sortWatch(found)
  expect(all).toHaveLength(100)
  expect(all.at(0)).toMatchObject({ kind: 'link', name: 'C-49', fromMin: 10, percent: 100 })
  expect(all.find(({ kind }) => kind === 'node')).toMatchObject({ fromMin: 15, percent: 40, gravity: 2 })
  expect(all.map(({ fromMin }) => fromMin)).toEqual(
    [...all.map(({ fromMin }) => fromMin)].sort((a, b) => a - b),
  )
})

test('a place is called after most of its ground, and after the nearest node that is near at all', () => {
  const elevation = { nrows: 1, ncols: 40, cellSize: 10 }
  const landUse = { data: Float64Array.from({ length: 40 }, (_, k) => (k < 3 ? 2 : 3)) }
  const classes = [
    { code: 2, title: 'Route', kh: 0 },
    { code: 3, title: 'Herbe', kh: 1e-6 },
  ]
  const network = { nodes: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] }
  const { groundOf, nearTo, isSealed } = placesOf({
    ...{ elevation, landUse, classes, network, nodeCells: Int32Array.of(0, 4, -1) },
  } as never)
  expect([groundOf([0, 1, 5]), groundOf([1, 5, 6])]).toEqual(['Route', 'Herbe'])
  expect([isSealed(2), isSealed(3)]).toEqual([true, false])
  expect([nearTo(1), nearTo(3), nearTo(19), nearTo(20)]).toEqual(['A', 'B', 'B', null])
})

test('a cell is called by its ground and the node near it, and by its place where there is none', () => {
  const town = {
    elevation: { ncols: 40, nrows: 2, cellSize: 10 },
    landUse: { data: Float64Array.from({ length: 80 }, () => 2) },
    classes: [{ code: 2, title: 'Route', kh: 0 }],
    network: { nodes: [{ name: 'J-1' }, { name: 'J-2' }] },
    nodeCells: Int32Array.of(3, -1),
  } as unknown as Parameters<typeof placeNameFr>[0]
  expect(placeNameFr(town, 5)).toBe('Route près du regard J-1')
  expect(placeNameFr(town, 70)).toBe('Route, ligne 2, colonne 31')
})
