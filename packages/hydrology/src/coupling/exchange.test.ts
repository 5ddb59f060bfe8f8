import { describe, expect, test } from 'vitest'
import { drainFlow } from '../surface/drains.ts'
import { inletLaw } from './exchange.ts'

const inlet = { crestM: 50, ...inletLaw(0.5, 0.5) }

describe('exchange through an inlet', () => {
  test('a free weir while the sewer stays under the ground', () => {
    // 2/3 x 0.54 x 2 m x sqrt(2 g) x 0.1^1.5
    expect(drainFlow(inlet, 0.1, 48)).toBeCloseTo(0.100851, 5)
    expect(drainFlow(inlet, 0.1, 49.99)).toBe(drainFlow(inlet, 0.1, 40))
  })

  test('a submerged weir, then an orifice when the opening is full', () => {
    // 0.056 x 2 m x 0.1 x sqrt(2 g 0.05)
    expect(drainFlow(inlet, 0.1, 50.05)).toBeCloseTo(0.011093, 5)
    // 0.167 x 0.25 x sqrt(2 g 0.25)
    expect(drainFlow(inlet, 0.3, 50.05)).toBeCloseTo(0.092464, 5)
  })

  test('a long inlet has a longer weir and a larger orifice', () => {
    // 1 m x 0.2 m: 2.4 m around, 0.2 m2.
    const long = { crestM: 50, ...inletLaw(1, 0.2) }
    // 2/3 x 0.54 x 2.4 m x sqrt(2 g) x 0.01^1.5
    expect(drainFlow(long, 0.01, 48)).toBeCloseTo(0.003827042, 8)
    // 0.056 x 2.4 m x 0.08 x sqrt(2 g 0.03), up to a depth of area over perimeter
    expect(drainFlow(long, 0.08, 50.05)).toBeCloseTo(0.008248964, 8)
    // 0.167 x 0.2 x sqrt(2 g 0.25)
    expect(drainFlow(long, 0.3, 50.05)).toBeCloseTo(0.073971764, 8)
  })

  test('nothing from a dry cell, nor when the sewer stands above the water', () => {
    expect(drainFlow(inlet, 0, 48)).toBe(0)
    expect(drainFlow(inlet, 0.1, 50.1)).toBe(0)
    expect(drainFlow(inlet, 0.1, 53)).toBe(0)
  })
})
