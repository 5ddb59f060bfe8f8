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

  test('the index of a cell, and its bounds by hand', () => {
    expect(cellIndexOf(dpsri, { lat: 48.84251, lng: 2.58871 })).toBe(199 * 400 + 200)
    const { ul, lr } = cellBounds(dpsri, 100, 300)
    expect(ul.lat).toBeCloseTo(49.29013 - 0.899277 / 4, 9)
    expect(ul.lng).toBeCloseTo(1.899286 + 1.378614 * 0.75, 9)
    expect(lr.lat).toBeCloseTo(49.29013 - (0.899277 * 101) / 400, 9)
    expect(lr.lng).toBeCloseTo(1.899286 + (1.378614 * 301) / 400, 9)
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
    const known = [dpsri, { ...dpsri, shortName: 'sri' }]
    expect(() => productBounds(known, 'nope')).toThrow(UnknownProductError)
    expect(() => productBounds(known, 'nope')).toThrow(
      expect.objectContaining({
        name: 'UnknownProductError',
        code: 'product.unknown',
        status: 404,
        message: "Le produit radar « nope » n'existe pas. Produits disponibles : dpsri, sri.",
        details: { product: 'nope', known: ['dpsri', 'sri'] },
      }),
    )
  })

  test('a degree of latitude is 111.2 km', () => {
    expect(distanceM({ lat: 48, lng: 2 }, { lat: 49, lng: 2 })).toBeCloseTo(
      (EARTH_RADIUS_M * Math.PI) / 180,
      6,
    )
  })

  test('distances across meridians, by the angle between directions from the centre of the Earth', () => {
    const direction = ({ lat, lng }: { lat: number; lng: number }) => {
      const rad = Math.PI / 180
      return [
        Math.cos(lat * rad) * Math.cos(lng * rad),
        Math.cos(lat * rad) * Math.sin(lng * rad),
        Math.sin(lat * rad),
      ]
    }
    for (const [a, b] of [
      [
        { lat: 48, lng: 2 },
        { lat: 49, lng: 5 },
      ],
      [
        { lat: -20, lng: 170 },
        { lat: 35, lng: -160 },
      ],
      [
        { lat: 60, lng: 0 },
        { lat: 60, lng: 180 },
      ],
    ]) {
      const [u, v] = [direction(a), direction(b)]
      const angle = Math.acos(u[0] * v[0] + u[1] * v[1] + u[2] * v[2])
      expect(distanceM(a, b)).toBeCloseTo(EARTH_RADIUS_M * angle, 2)
    }
    expect(distanceM({ lat: 0, lng: 0 }, { lat: 0, lng: 180 })).toBeCloseTo(EARTH_RADIUS_M * Math.PI, 3)
  })
})
