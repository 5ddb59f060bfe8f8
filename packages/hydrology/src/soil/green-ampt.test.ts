import { describe, expect, test } from 'vitest'
import { greenAmptStep } from './green-ampt.ts'

/** Time to infiltrate F: K t = F - c ln(1 + F / c). */
const exactTime = (F: number, kh: number, c: number) => (F - c * Math.log1p(F / c)) / kh

/** Depth after `t` s, by bisection. */
function exactDepth(t: number, kh: number, c: number): number {
  let low = 0
  let high = 10
  for (let k = 0; k < 80; k++) {
    const middle = (low + high) / 2
    if (exactTime(middle, kh, c) > t) high = middle
    else low = middle
  }
  return low
}

describe('Green-Ampt', () => {
  test.each([
    { kh: 1.8e-6, c: 0.167 * 0.3, dt: 5 },
    { kh: 3e-6, c: 0.11 * 0.3, dt: 5 },
    { kh: 3e-6, c: 0.11 * 0.3, dt: 1 },
    { kh: 1e-4, c: 0.05, dt: 0.5 },
  ])(
    'stays within 0.5 %% of the trajectory from the first step on ($kh m/s, $c m, $dt s)',
    ({ kh, c, dt }) => {
      let F = 0
      for (let t = dt; t <= 3600; t += dt) {
        F += greenAmptStep(F, kh, c, dt)
        expect(Math.abs(F / exactDepth(t, kh, c) - 1)).toBeLessThan(0.005)
      }
    },
  )

  test('takes nothing without conductivity and never negative amounts', () => {
    expect(greenAmptStep(0, 0, 0.05, 5)).toBe(0)
    expect(greenAmptStep(0.1, 1e-6, 0, 5)).toBeCloseTo(5e-6, 12)
    for (const F of [0, 1e-9, 1e-3, 10]) expect(greenAmptStep(F, 1e-3, 0.1, 60)).toBeGreaterThan(0)
  })
})
