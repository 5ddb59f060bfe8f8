import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AdjustMethod, adjust, type BiasRule } from '@radx/rainfall/gauges/adjust'
import { describe, expect, test } from 'vitest'
import { hasReferenceData, REFERENCE_DATA } from './reference-data.ts'

interface Notebook {
  gauge: (number | null)[]
  radar: number[]
  results: Record<string, { values: number[] }>
}

const reference = (): {
  notebook_1d: Notebook & { gauge_km: number[] }
  notebook_2d: Notebook & { grid_xy: [number, number][]; gauge_index: number[] }
} => JSON.parse(readFileSync(join(REFERENCE_DATA, 'radar-science/gauge-adjust-reference.json'), 'utf8'))

const METHODS: Record<string, { method: AdjustMethod; bias?: BiasRule }> = {
  add: { method: 'additive' },
  multiply: { method: 'multiplicative' },
  mixed: { method: 'mixed' },
  mfb_median: { method: 'mfb', bias: 'median' },
  mfb: { method: 'mfb', bias: 'regression' },
}

describe.skipIf(!hasReferenceData())('adjustment to gauges against wradlib', () => {
  test('a profile of 101 cells with ten gauges', () => {
    const { gauge_km, gauge, radar, results } = reference().notebook_1d
    const input = {
      grid: { nrows: 1, ncols: radar.length, x0: 0, dx: 1, y0: 0, dy: 1 },
      radar: Float64Array.from(radar),
      gauges: { x: Float64Array.from(gauge_km), y: new Float64Array(gauge_km.length) },
      observed: Float64Array.from(gauge, (v) => v ?? Number.NaN),
    }
    for (const [name, method] of Object.entries(METHODS)) {
      if (!results[name]) continue
      const { field } = adjust(input, { ...method, nearestCells: 3, limits: [0, 100] })
      const far = results[name].values.map((v, i) => Math.abs(field[i] - v))
      expect(Math.max(...far), name).toBeLessThan(1e-6)
    }
  })

  test('a square of 100 cells with ten gauges', () => {
    const { grid_xy, gauge_index, gauge, radar, results } = reference().notebook_2d
    const [x0, y0] = grid_xy[0]
    const input = {
      grid: { nrows: 10, ncols: 10, x0, dx: 1, y0, dy: 1 },
      radar: Float64Array.from(radar),
      gauges: {
        x: Float64Array.from(gauge_index, (i) => grid_xy[i][0]),
        y: Float64Array.from(gauge_index, (i) => grid_xy[i][1]),
      },
      observed: Float64Array.from(gauge, (v) => v ?? Number.NaN),
    }
    const fourthIsTied = (cell: number): boolean => {
      const [x, y] = grid_xy[cell]
      const squares = gauge_index.map((i) => (grid_xy[i][0] - x) ** 2 + (grid_xy[i][1] - y) ** 2)
      squares.sort((a, b) => a - b)
      return squares[3] === squares[4]
    }
    expect(radar.filter((_, i) => fourthIsTied(i)).length).toBeLessThan(15)
    for (const [name, method] of Object.entries(METHODS)) {
      if (!results[name]) continue
      const { field } = adjust(input, { ...method, limits: [0, 100] })
      // Of gauges equally far, which is the fourth is chance in the reference: seven cells have such a pair.
      const far = results[name].values.map((v, i) => (fourthIsTied(i) ? 0 : Math.abs(field[i] - v)))
      expect(Math.max(...far), name).toBeLessThan(1e-6)
    }
  })
})
