import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cellBounds,
  cellCentre,
  cellIndexOf,
  cellOf,
  distanceM,
  EARTH_RADIUS_M,
  productBounds,
  rowCellAreasM2,
  UnknownProductError,
} from './grid.ts'

const dpsri = {
  shortName: 'dpsri',
  bounds: { ul: { lat: 49.29013, lng: 1.899286 }, lr: { lat: 48.390853, lng: 3.2779 } },
  steps: 400,
}

describe('product grid', () => {
  test('the cell of the radar is the one that the formula gives by hand', () => {
    // (49.29013 - 48.84251) / 0.899277 * 400 = 199.10; (2.58871 - 1.899286) / 1.378614 * 400 = 200.03
    expect(cellOf(dpsri, { lat: 48.84251, lng: 2.58871 })).toEqual({ row: 199, col: 200 })
  })

  test('[GAUGE-07] a point outside the bounds has no cell, on every side', () => {
    for (const point of [
      { lat: 49.2902, lng: 2.5 },
      { lat: 48.3908, lng: 2.5 },
      { lat: 48.8, lng: 1.8992 },
      { lat: 48.8, lng: 3.278 },
      { lat: Number.NaN, lng: 2.5 },
    ]) {
      expect(cellOf(dpsri, point)).toBeNull()
      expect(cellIndexOf(dpsri, point)).toBe(-1)
    }
    expect(cellOf(dpsri, dpsri.bounds.ul)).toEqual({ row: 0, col: 0 })
    expect(cellOf(dpsri, dpsri.bounds.lr)).toBeNull()
  })

  test('the centre of every cell lies in it, and the bounds of cells join', () => {
    fc.assert(
      fc.property(fc.nat(399), fc.nat(399), (row, col) => {
        expect(cellOf(dpsri, cellCentre(dpsri, row, col))).toEqual({ row, col })
        const { ul, lr } = cellBounds(dpsri, row, col)
        const next = cellBounds(dpsri, row + 1, col + 1)
        expect(lr).toEqual(next.ul)
        expect(ul.lat).toBeGreaterThan(lr.lat)
      }),
    )
  })

  test('cell areas grow southwards and add up to the spherical rectangle', () => {
    const areas = rowCellAreasM2(dpsri)
    expect(areas[0]).toBeLessThan(areas[399])
    const rad = Math.PI / 180
    const { ul, lr } = dpsri.bounds
    const whole =
      EARTH_RADIUS_M ** 2 * (lr.lng - ul.lng) * rad * (Math.sin(ul.lat * rad) - Math.sin(lr.lat * rad))
    expect((areas.reduce((a, b) => a + b, 0) * 400) / whole).toBeCloseTo(1, 12)
    // About 250 m x 250 m.
    expect(Math.sqrt(areas[200])).toBeGreaterThan(245)
    expect(Math.sqrt(areas[200])).toBeLessThan(255)
  })

  test('[MAP-24] bounds of an unknown product throw', () => {
    expect(productBounds([dpsri], 'dpsri')).toBe(dpsri.bounds)
    expect(() => productBounds([dpsri], 'nope')).toThrow(UnknownProductError)
  })

  test('a degree of latitude is 111.2 km', () => {
    expect(distanceM({ lat: 48, lng: 2 }, { lat: 49, lng: 2 })).toBeCloseTo(
      (EARTH_RADIUS_M * Math.PI) / 180,
      6,
    )
  })
})
