import type { EsriGrid } from '@radx/formats/esri-ascii'
import { describe, expect, test } from 'vitest'
import { readBoundaries } from './boundaries.ts'

/** 3 rows and 5 columns of 10 m; the cell at row 0, column 0 lies outside. */
const grid: EsriGrid = {
  ncols: 5,
  nrows: 3,
  xll: 1000,
  yll: 2000,
  cellSize: 10,
  noData: -9999,
  data: Float64Array.from({ length: 15 }, (_, cell) => (cell === 0 ? Number.NaN : 1)),
}
const toGrid = (lng: number, lat: number): [number, number] => [1000 + lng * 100, 2000 + lat * 100]

function read(geometry: object, properties: object, csv: string | null = null) {
  const feature = { type: 'Feature', properties: { name: 'a', ...properties }, geometry }
  const text = JSON.stringify({ type: 'FeatureCollection', features: [feature] })
  return readBoundaries(text, csv, grid, toGrid).boundaries[0]
}
const line = (...coordinates: number[][]) => ({ type: 'LineString', coordinates })
const level = { kind: 'level', value: 3 }

test('a table of a French spreadsheet is read, and boundaries that lie on one another are told', () => {
  const edge = line([1050, 2000], [1050, 2030])
  const feature = (name: string, kind: string) => ({
    type: 'Feature',
    properties: { name, kind },
    geometry: edge,
  })
  const readAll = (...features: object[]) =>
    readBoundaries(
      JSON.stringify({ type: 'FeatureCollection', features }),
      '\ufeffname;time_s;value\r\n"aval; mer";0;1,5\r\n"aval; mer";600;-0,25\r\n',
      grid,
      toGrid,
    )
  const alone = readAll(feature('aval; mer', 'level'))
  expect(alone.boundaries[0].series).toEqual({ timesS: [0, 600], values: [1.5, -0.25] })
  expect(alone.warnings).toEqual([])
  expect(readAll(feature('aval; mer', 'level'), feature('mur', 'closed')).warnings).toEqual([
    'boundaries.geojson : les limites « aval; mer » et « mur » se recouvrent ; là, « mur » l’emporte.',
  ])
  // Both hold: the level says how deep fast flow enters.
  expect(readAll(feature('aval; mer', 'discharge'), feature('aval; mer', 'level')).warnings).toEqual([])
})

describe('where a boundary holds', () => {
  test.each([
    ['on the border', 1050],
    ['just outside', 1055],
    ['in the cells beside it', 1045],
  ])('a line along the eastern edge takes its faces, not those of the corners’ other sides (%s)', (_, x) => {
    const { faces, cells } = read(line([x, 2000], [x, 2030]), level)
    expect(faces.map(({ cell, side }) => [cell, side])).toEqual([
      [14, 0],
      [9, 0],
      [4, 0],
    ])
    expect(cells).toEqual([])
  })

  test('an end that just touches the next cell does not take it; longitude and latitude do as well', () => {
    for (const geometry of [line([1050, 2010], [1050, 2020]), line([0.5, 0.1], [0.5, 0.2])])
      expect(read(geometry, level).faces).toEqual([{ cell: 9, side: 0 }])
  })

  test('a point takes the nearest outer face, or its cell within', () => {
    const point = (x: number, y: number) =>
      read({ type: 'Point', coordinates: [x, y] }, { kind: 'discharge', value: 1 })
    expect(point(1049, 2005).faces).toEqual([{ cell: 14, side: 0 }])
    expect(point(1045, 2001).faces).toEqual([{ cell: 14, side: 2 }])
    expect(point(1025, 2015)).toMatchObject({ faces: [], cells: [7] })
  })

  test('a polygon takes the outer faces of its cells', () => {
    const coordinates = [
      [
        [1039, 1999],
        [1051, 1999],
        [1051, 2031],
        [1039, 2031],
        [1039, 1999],
      ],
    ]
    const { faces } = read({ type: 'Polygon', coordinates }, { kind: 'closed' })
    expect(faces).toHaveLength(5)
  })

  test.each([
    [line([5000, 5000], [5010, 5010]), level, 'ne touche aucune maille'],
    [line([1020, 2015], [1030, 2015]), { kind: 'critical' }, 'ne touche pas le bord'],
    [line([1050, 2000], [1050, 2030]), { kind: 'marée' }, 'les genres connus'],
    [line([1050, 2000], [1050, 2030]), { kind: 'normal' }, 'demande une pente'],
    [line([1050, 2000], [1050, 2030]), { kind: 'level' }, 'n’a pas de valeurs'],
  ])('one that cannot be is refused with what to do (%#)', (geometry, properties, message) => {
    expect(() => read(geometry, properties)).toThrow(message)
  })
})

describe('values over time', () => {
  const at = line([1050, 2000], [1050, 2030])
  const series = { timesS: [0, 60], values: [1, 2.5] }
  test.each([
    ['time_s,a\n0,1\n60,2.5\n', 'level'],
    ['time_s;b;a\n0;9;1\n30;9;\n60;9;2.5\n', 'level'],
    ['name,time_s,value\na,0,1\na,60,2.5\n', 'level'],
    ['time_s,name,kind,value\n0,a,level,1\n60,a,level,2.5\n', undefined],
  ])('a column each, or a line each (%#)', (csv, kind) => {
    expect(read(at, { kind }, csv)).toMatchObject({ kind: 'level', series })
  })

  test.each([
    ['a,b\n0,1\n', 'il manque la colonne time_s'],
    ['time_s,a\n0,1\n0,2\n', 'ligne 3 : les temps de « a » ne vont pas en croissant'],
    ['time_s,a\n0,beaucoup\n', 'ligne 2 : a vaut « beaucoup »'],
  ])('what cannot be read is refused with its line (%#)', (csv, message) => {
    expect(() => read(at, { kind: 'level' }, csv)).toThrow(message)
  })

  test('normal flow has its slope in the kind', () => {
    expect(read(at, { kind: 'normal:0.002' })).toMatchObject({ kind: 'normal', slope: 0.002 })
  })
})
