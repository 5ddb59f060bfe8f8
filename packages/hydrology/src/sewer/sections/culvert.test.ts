import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CULVERT_CODES, inletLaw } from './culvert.ts'
import { sectionTable } from './section-table.ts'

const pipe = sectionTable({ shape: 'CIRCULAR', dims: [1.2, 0, 0, 0], barrels: 1, culvertCode: 0 })
const box = sectionTable({ shape: 'RECT_CLOSED', dims: [1.5, 2, 0, 0], barrels: 1, culvertCode: 0 })

test('a submerged inlet follows FHWA’s equation in US units', () => {
  // Code 1, 1.2 m at 3 m of water, slope 0.01: HW/D = c (Q / (A D^0.5))^2 + Y - 0.5 S.
  const q = inletLaw(1, pipe, 0.01)(3)
  const [Q, A, D] = [q / 0.3048 ** 3, pipe.fullAreaM2 / 0.3048 ** 2, 1.2 / 0.3048]
  expect(0.0398 * (Q / (A * Math.sqrt(D))) ** 2 + 0.67 - 0.005).toBeCloseTo(3 / 1.2, 6)
})

test('a free inlet of form 1 stands at critical depth and its loss, one of form 2 follows a power', () => {
  // A box: critical depth has a closed form.
  const depth = 1
  const q = inletLaw(9, box, 0)(depth)
  const yc = Math.cbrt((q / 2) ** 2 / 9.81)
  const unit = q / 0.3048 ** 3 / ((3 / 0.3048 ** 2) * Math.sqrt(1.5 / 0.3048))
  expect(1.5 * yc + 1.5 * 0.026 * unit).toBeCloseTo(depth, 3)
  const power = inletLaw(12, box, 0)
  expect(power(1) / power(0.5)).toBeCloseTo(2 ** (1 / 0.667), 9)
})

test('every code is continuous, grows with the depth and is 0 without water', () => {
  for (let code = 1; code <= CULVERT_CODES; code++)
    for (const slope of [0.0001, 0.01, 0.05]) {
      const law = inletLaw(code, box, slope)
      expect(law(0)).toBe(0)
      let before = 0
      let least = Infinity
      let most = 0
      for (let y = 0.001; y < 6; y += 0.001) {
        const rise = law(y) - before
        least = Math.min(least, rise)
        if (y > 0.02) most = Math.max(most, rise)
        before += rise
      }
      expect(least).toBeGreaterThanOrEqual(-1e-9)
      // No jump, but where code and slope leave the two laws apart.
      expect(most).toBeLessThan(0.35)
    }
})

test('codes and sections at random give finite flows', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: CULVERT_CODES }),
      fc.double({ min: 0, max: 0.2, noNaN: true }),
      fc.double({ min: 0, max: 50, noNaN: true }),
      (code, slope, depth) => {
        const q = inletLaw(code, pipe, slope)(depth)
        expect(Number.isFinite(q) && q >= 0).toBe(true)
      },
    ),
  )
})
