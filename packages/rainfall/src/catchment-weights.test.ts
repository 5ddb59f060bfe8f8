import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AreaGeometry,
  catchmentStatistics,
  catchmentWeights,
  catchmentZoneStats,
} from './catchment-weights.ts'
import { cellBounds, cellOf, rowCellAreasM2 } from './grid.ts'
import { RATE_NO_DATA } from './rates.ts'

const grid = { bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3.5 } }, steps: 40 }

const box = (w: number, s: number, e: number, n: number) => [
  [w, s],
  [e, s],
  [e, n],
  [w, n],
  [w, s],
]
const ofCells = (r0: number, c0: number, r1: number, c1: number) => {
  const a = cellBounds(grid, r0, c0)
  const b = cellBounds(grid, r1, c1)
  return box(a.ul.lng, b.lr.lat, b.lr.lng, a.ul.lat)
}

describe('catchment weights', () => {
  test('a polygon made of whole cells weighs them whole', () => {
    const w = catchmentWeights(grid, { type: 'Polygon', coordinates: [ofCells(3, 5, 4, 7)] })
    const areas = rowCellAreasM2(grid)
    expect([...w.cells]).toEqual([125, 126, 127, 165, 166, 167])
    w.cells.forEach((cell, k) => {
      expect(w.areasM2[k] / areas[Math.floor(cell / 40)]).toBeCloseTo(1, 9)
    })
  })

  test('a hole is left out, whichever way its ring turns', () => {
    const outline = ofCells(0, 0, 4, 4)
    const hole = ofCells(1, 1, 2, 2)
    const w = catchmentWeights(grid, { type: 'Polygon', coordinates: [outline, hole] })
    const turned = catchmentWeights(grid, { type: 'Polygon', coordinates: [outline, [...hole].reverse()] })
    expect(w.cells).toHaveLength(21)
    expect([...w.cells]).not.toContain(41)
    expect(turned).toEqual(w)
  })

  test('weights add up to the area of the polygon, whatever its shape', () => {
    // A star around a point is simple whatever the radii: concave corners included.
    const star = fc.array(fc.double({ min: 0.01, max: 0.2, noNaN: true }), { minLength: 3, maxLength: 24 })
    fc.assert(
      fc.property(star, (radii) => {
        const ring = radii.map((r, i) => {
          const angle = (2 * Math.PI * i) / radii.length
          return [2.7 + r * Math.cos(angle), 48.5 + r * Math.sin(angle)]
        })
        const w = catchmentWeights(grid, { type: 'Polygon', coordinates: [ring] })
        // Cells left with less than a square centimetre are dropped.
        expect(Math.abs(w.insideM2 - w.totalM2)).toBeLessThan(w.totalM2 * 1e-9 + 0.2)
        const areas = rowCellAreasM2(grid)
        w.areasM2.forEach((area, k) => {
          expect(area).toBeLessThanOrEqual(areas[Math.floor(w.cells[k] / 40)] * (1 + 1e-9))
        })
      }),
      { numRuns: 60 },
    )
  })

  test('the part outside the grid counts in the whole area only', () => {
    const w = catchmentWeights(grid, { type: 'Polygon', coordinates: [box(3.4, 48.2, 3.6, 48.4)] })
    expect(w.insideM2 / w.totalM2).toBeCloseTo(0.5, 6)
    const away = catchmentWeights(grid, { type: 'Polygon', coordinates: [box(10, 10, 11, 11)] })
    expect(away.cells).toHaveLength(0)
    expect(catchmentStatistics(new Uint16Array(1600), away).meanMmH).toBeNull()
  })

  test('parts of a multipolygon in one cell add up there', () => {
    const a = box(2.001, 48.99, 2.011, 48.995)
    const b = box(2.02, 48.98, 2.03, 48.985)
    const both: AreaGeometry = { type: 'MultiPolygon', coordinates: [[a], [b]] }
    const w = catchmentWeights(grid, both)
    expect([...w.cells]).toEqual([0])
    expect(w.insideM2).toBeCloseTo(w.totalM2, 3)
  })

  test('means weigh cells by their part inside', () => {
    // Half of cell (10, 10) and the whole of (10, 11).
    const { ul, lr } = cellBounds(grid, 10, 10)
    const next = cellBounds(grid, 10, 11)
    const w = catchmentWeights(grid, {
      type: 'Polygon',
      coordinates: [box((ul.lng + lr.lng) / 2, lr.lat, next.lr.lng, ul.lat)],
    })
    const codes = new Uint16Array(1600)
    codes[410] = 600
    const s = catchmentStatistics(codes, w)
    expect(s.meanMmH).toBeCloseTo(2, 9)
    expect(s.wetMeanMmH).toBeCloseTo(6, 9)
    expect(s.wetPct).toBeCloseTo(100 / 3, 6)
    codes[411] = RATE_NO_DATA
    const partly = catchmentStatistics(codes, w)
    expect(partly.meanMmH).toBeCloseTo(6, 9)
    expect(partly.validPct).toBeCloseTo(100 / 3, 6)
  })

  test('cells are listed in order, with bounds of any height, rings closed or not', () => {
    const tall = { bounds: { ul: { lat: 50, lng: 2 }, lr: { lat: 46, lng: 6 } }, steps: 4 }
    const areas = rowCellAreasM2(tall)
    const closed = box(2, 47, 4, 49)
    const part = (ring: number[][]) =>
      catchmentWeights(tall, { type: 'MultiPolygon', coordinates: [[box(5, 46, 6, 47)], [ring]] })
    const w = part(closed)
    expect([...w.cells]).toEqual([4, 5, 8, 9, 15])
    ;[1, 1, 2, 2, 3].forEach((row, k) => {
      expect(w.areasM2[k] / areas[row]).toBeCloseTo(1, 9)
    })
    expect(part(closed.slice(0, -1))).toEqual(w)
    // Two points that share a longitude or latitude with the first are not its repetition.
    const corner = [
      [2, 47],
      [4, 47],
      [4, 49],
      [2, 49],
    ]
    expect(part(corner).totalM2).toBeCloseTo(w.totalM2, 3)
    expect(part([corner[1], corner[2], corner[3], corner[0]]).totalM2).toBeCloseTo(w.totalM2, 3)
  })

  test('a dry catchment has means of 0, the three means are those of calls', () => {
    const w = catchmentWeights(grid, { type: 'Polygon', coordinates: [ofCells(3, 5, 4, 7)] })
    const dry = catchmentStatistics(new Uint16Array(1600), w)
    expect(catchmentZoneStats(dry)).toEqual({ mean: 0, nonzerosmean: 0, nonzerospc: 0 })
    expect(dry.validPct).toBe(100)
    const nothing = catchmentStatistics(new Uint16Array(1600).fill(RATE_NO_DATA), w)
    expect(catchmentZoneStats(nothing)).toEqual({ mean: null, nonzerosmean: null, nonzerospc: null })
    expect(nothing.validPct).toBe(0)
    const away = catchmentWeights(grid, { type: 'Polygon', coordinates: [box(10, 10, 11, 11)] })
    expect(catchmentStatistics(new Uint16Array(1600), away).validPct).toBe(0)
  })

  test('a catchment smaller than a cell takes the value of its cell', () => {
    const w = catchmentWeights(grid, { type: 'Polygon', coordinates: [box(2.66, 48.54, 2.661, 48.541)] })
    const cell = cellOf(grid, { lat: 48.5405, lng: 2.6605 })!
    const codes = new Uint16Array(1600)
    codes[cell.row * 40 + cell.col] = 1234
    expect(catchmentStatistics(codes, w).meanMmH).toBeCloseTo(12.34, 9)
  })
})
