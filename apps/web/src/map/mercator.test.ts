import { describe, expect, test } from 'vitest'
import { latOfMercatorY, mercatorY, rowFraction, rowPolynomial } from './mercator.ts'

const GRIDS = [
  { name: 'dpsri', steps: 400, ul: { lat: 49.29013, lng: 1.899286 }, lr: { lat: 48.390853, lng: 3.2779 } },
  { name: 'sri', steps: 500, ul: { lat: 49.733573, lng: 1.197286 }, lr: { lat: 47.935293, lng: 3.98 } },
  { name: 'a 5 degree grid', steps: 2000, ul: { lat: 53, lng: 4 }, lr: { lat: 48, lng: 10 } },
  { name: 'a southern grid', steps: 500, ul: { lat: -20, lng: 4 }, lr: { lat: -22, lng: 7 } },
]

describe('placement of the rows on the map', () => {
  test.each(GRIDS)('$name: no point is off by a quarter cell', ({ steps, ...bounds }) => {
    const polynomial = rowPolynomial(bounds)
    const top = mercatorY(bounds.ul.lat)
    const bottom = mercatorY(bounds.lr.lat)
    let worst = 0
    for (let i = 0; i <= 20_000; i++) {
      const t = i / 20_000
      const lat = latOfMercatorY(top + t * (bottom - top))
      const exact = ((bounds.ul.lat - lat) / (bounds.ul.lat - bounds.lr.lat)) * steps
      // In single precision, as the graphics card computes.
      const drawn = Math.fround(rowFraction(Math.fround(t), polynomial.map(Math.fround) as never)) * steps
      worst = Math.max(worst, Math.abs(drawn - exact))
    }
    expect(worst).toBeLessThan(0.02)
  })

  test('an image stretched over the bounds would be off by more than a quarter cell', () => {
    const { steps, ...bounds } = GRIDS[1]
    const polynomial = rowPolynomial(bounds)
    expect(Math.abs(rowFraction(0.5, polynomial) - 0.5) * steps).toBeGreaterThan(0.25)
  })
})

test('latitude survives the way to Mercator and back', () => {
  for (const lat of [-60, -0.5, 0, 48.84251, 71]) expect(latOfMercatorY(mercatorY(lat))).toBeCloseTo(lat, 10)
})
