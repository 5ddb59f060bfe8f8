import type { ShapeFeature } from '@radx/contracts/shapefiles'
import { expect, test } from 'vitest'
import { labelsOf } from './labels.ts'

const feature = (type: string, coordinates: unknown, properties: object = { Text: 'A' }) =>
  ({ type: 'Feature', properties, geometry: { type, coordinates } }) as ShapeFeature
const placeOf = (type: string, coordinates: unknown) => labelsOf([feature(type, coordinates)])[0]?.at

test('[MAP-17] a label is the Text, else the node_id; without either there is none', () => {
  const at = [2, 48]
  expect(
    labelsOf([
      feature('Point', at, { Text: 'Gare', node_id: 'N1' }),
      feature('Point', at, { Text: ' ', node_id: 12 }),
      feature('Point', at, {}),
    ]).map(({ name, kind }) => [name, kind]),
  ).toEqual([
    ['Gare', 'point'],
    ['12', 'point'],
  ])
})

test('it stands inside a surface, also a bent one or one with a hole', () => {
  const square = [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
    [0, 0],
  ]
  expect(placeOf('Polygon', [square])).toEqual([2, 2])
  // A U, whose middle lies outside.
  const bent = [
    [0, 0],
    [6, 0],
    [6, 4],
    [4, 4],
    [4, 1],
    [1, 1],
    [1, 4],
    [0, 4],
    [0, 0],
  ]
  expect(placeOf('Polygon', [bent])).toEqual([5, 2])
  const hole = [
    [1, 1],
    [3, 1],
    [3, 3],
    [1, 3],
    [1, 1],
  ]
  expect(placeOf('Polygon', [square, hole])).toEqual([0.5, 2])
  const far = square.map(([x, y]) => [x / 10 + 50, y / 10])
  expect(placeOf('MultiPolygon', [[far], [square]])).toEqual([2, 2])
})

test('it stands halfway along a line, and at a point', () => {
  expect(
    placeOf('LineString', [
      [0, 0],
      [2, 0],
      [2, 6],
    ]),
  ).toEqual([2, 2])
  expect(
    placeOf('MultiLineString', [
      [
        [9, 9],
        [9, 9.5],
      ],
      [
        [0, 0],
        [2, 0],
      ],
    ]),
  ).toEqual([1, 0])
  expect(placeOf('Point', [2.5, 48.5])).toEqual([2.5, 48.5])
})
