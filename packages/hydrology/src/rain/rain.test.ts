import { describe, expect, test } from 'vitest'
import { Simulation } from '../simulation.ts'
import { createSurface } from '../surface/surface.ts'
import { reference } from '../testing/kernels.ts'
import { radarRain, uniformRain } from './rain.ts'

const grid = { nrows: 2, ncols: 3, cellSizeM: 10, elevationM: new Float64Array(6) }
const params = { manning: new Float64Array(6).fill(0.03), edges: 'closed' as const }

describe('rain', () => {
  test('a uniform series falls at its own interval, whatever the output times', () => {
    const rain = uniformRain([0, 60, 30], 60)
    const simulation = new Simulation({ surface: createSurface(grid, params, reference), rain })
    simulation.advance(45)
    expect(simulation.balance().rainM3).toBe(0)
    simulation.advance(90)
    expect(simulation.balance().rainM3).toBeCloseTo((60 / 3.6e6) * 30 * 600, 12)
    simulation.advance(400)
    expect(simulation.balance().rainM3).toBeCloseTo((90 / 3.6e6) * 60 * 600, 12)
    expect(simulation.timeS).toBe(400)
    expect(Math.abs(simulation.balance().relativeError)).toBeLessThan(1e-12)
  })

  test('radar rain falls cell by cell at the radar’s own times; gaps are dry and counted', () => {
    const cellOfModel = Int32Array.from([0, 0, 1, 1, -1, 0])
    const rain = radarRain(
      [
        { fromS: 0, toS: 206, ratesMmH: [10, 20] },
        { fromS: 300, toS: 506, ratesMmH: [30, Number.NaN] },
      ],
      cellOfModel,
      { durationS: 600, intervalS: 206 },
    )
    const simulation = new Simulation({ surface: createSurface(grid, params, reference), rain })
    simulation.advance(600)
    const exactM3 = ((206 * (10 * 3 + 20 * 2) + 206 * 30 * 3) / 3.6e6) * 100
    expect(simulation.balance().rainM3).toBeCloseTo(exactM3, 10)
    // Gaps of 188 s, one cell of six outside, two of six without data in the second frame.
    expect(rain.missingShare).toBeCloseTo((188 + 206 * (1 / 6) + 206 * (3 / 6)) / 600, 12)
  })

  test('gaps, negative and absurd rates and frames out of order are refused with a remedy', () => {
    const refused = (code: string) => expect.objectContaining({ code })
    expect(() => uniformRain([], 60)).toThrow(refused('rain.empty'))
    expect(() => uniformRain([1, -1], 60)).toThrow(refused('rain.range'))
    expect(() => uniformRain([1, 1e5], 60)).toThrow(refused('rain.range'))
    expect(() => uniformRain([1, Number.NaN, 2], 60)).toThrow(refused('rain.gap'))
    const frame = { fromS: 0, toS: 206, ratesMmH: [0] }
    const period = { durationS: 600, intervalS: 206 }
    expect(() => radarRain([frame, frame], new Int32Array(1), period)).toThrow(refused('rain.order'))
    expect(() => radarRain([{ ...frame, ratesMmH: [-3] }], new Int32Array(1), period)).toThrow(
      refused('rain.range'),
    )
  })
})
