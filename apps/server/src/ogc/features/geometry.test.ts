import { describe, expect, test } from 'vitest'
import { type Geometry, meets } from './geometry.ts'

const BOX = { west: 2, south: 48, east: 3, north: 49 }
const square = (west: number, south: number, east: number, north: number): [number, number][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

describe('what a box selects', () => {
  test.each<[string, Geometry, boolean]>([
    ['a point on its edge', { type: 'Point', coordinates: [2, 48.5] }, true],
    ['a point beside it', { type: 'Point', coordinates: [1.999, 48.5] }, false],
    [
      'a line through it without a corner inside',
      {
        type: 'LineString',
        coordinates: [
          [1, 47.5],
          [4, 49.5],
        ],
      },
      true,
    ],
    [
      'a line past its corner, whose own box meets it',
      {
        type: 'LineString',
        coordinates: [
          [1.5, 48.4],
          [2.4, 47.5],
        ],
      },
      false,
    ],
    ['a polygon around it', { type: 'Polygon', coordinates: [square(0, 40, 10, 60)] }, true],
    [
      'a polygon around it with a hole that holds it',
      { type: 'Polygon', coordinates: [square(0, 40, 10, 60), square(1, 45, 5, 55)] },
      false,
    ],
    ['the second of several polygons', polygons(square(0, 0, 1, 1), square(2.5, 48.5, 8, 50)), true],
    ['polygons elsewhere', polygons(square(0, 0, 1, 1), square(5, 48.5, 8, 50)), false],
  ])('%s', (_, geometry, found) => {
    expect(meets(geometry, [BOX])).toBe(found)
  })

  test('of two boxes, as on both sides of 180 degrees, either', () => {
    const east = { west: 170, south: -10, east: 180, north: 10 }
    const west = { west: -180, south: -10, east: -170, north: 10 }
    expect(meets({ type: 'Point', coordinates: [-175, 0] }, [east, west])).toBe(true)
    expect(meets({ type: 'Point', coordinates: [0, 0] }, [east, west])).toBe(false)
  })
})

function polygons(...rings: [number, number][][]): Geometry {
  return { type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) }
}
