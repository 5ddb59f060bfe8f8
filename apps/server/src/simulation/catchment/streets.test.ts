import { readEsriAscii } from '@radx/formats/esri-ascii'
import { expect, test } from 'vitest'
import { SMALL_CATCHMENT } from '../testing/small-catchment.ts'
import { readStreets } from './streets.ts'

const elevation = readEsriAscii(SMALL_CATCHMENT['elevation.asc'], 'elevation.asc')
const landUse = readEsriAscii(SMALL_CATCHMENT['luse.asc'], 'luse.asc')
const feature = (properties: object, type: string, coordinates: unknown) => ({
  type: 'Feature',
  properties,
  geometry: { type, coordinates },
})
const read = (features: unknown, toGrid = (x: number, y: number): [number, number] => [x, y]) =>
  readStreets(JSON.stringify({ type: 'FeatureCollection', features }), elevation, landUse, toGrid)
const cellsOf = ({ ofCell }: ReturnType<typeof read>, street: number) =>
  [...ofCell].flatMap((found, k) => (found === street ? [[Math.floor(k / 12), k % 12]] : []))

test('a street has the cells of its axis and the road within half its width', () => {
  // Along the middle of row 5, one cell south of the road: 2 x 10 m reach it, 10 m do not.
  const axis = [
    [1005, 2025],
    [1035, 2025],
  ]
  const narrow = read([feature({ name: 'Rue Basse' }, 'LineString', axis)])
  expect(narrow.names).toEqual(['Rue Basse'])
  expect(cellsOf(narrow, 0)).toEqual([0, 1, 2, 3].map((col) => [5, col]))
  const wide = read([feature({ name: 'Rue Basse', width: 20 }, 'LineString', axis)])
  expect(cellsOf(wide, 0)).toEqual([4, 5].flatMap((row) => [0, 1, 2, 3].map((col) => [row, col])))
})

test('pieces of one name are one street, areas are taken whole, and what has no name is left out', () => {
  const found = read([
    feature({ name: 'Place' }, 'Polygon', [
      [
        [1000, 2000],
        [1020, 2000],
        [1020, 2020],
        [1000, 2020],
        [1000, 2000],
      ],
    ]),
    feature({ name: 'Place' }, 'LineString', [
      [1105, 2065],
      [1106, 2065],
    ]),
    feature({ name: null }, 'LineString', [
      [1005, 2035],
      [1095, 2035],
    ]),
  ])
  expect(found.names).toEqual(['Place'])
  expect(cellsOf(found, 0)).toEqual([
    [1, 10],
    [6, 0],
    [6, 1],
    [7, 0],
    [7, 1],
  ])
})

test('longitude and latitude are taken as well; nothing lies outside the grid', () => {
  const toGrid = (lng: number, lat: number): [number, number] => [1000 + 1000 * lng, 2000 + 1000 * lat]
  const axis = [
    [-0.05, 0.035],
    [0.015, 0.035],
  ]
  const found = read([feature({ name: 'Quai' }, 'LineString', axis)], toGrid)
  expect(cellsOf(found, 0)).toEqual([
    [4, 0],
    [4, 1],
  ])
})

test('what is no street is refused in words', () => {
  expect(() => read([feature({ name: 'Puits' }, 'Point', [1005, 2005])])).toThrow(/est un point/)
  expect(() => read('rues')).toThrow(/^streets.geojson : features/)
  expect(() => readStreets('{', elevation, landUse, (x, y) => [x, y])).toThrow(/n’est pas du JSON/)
})
