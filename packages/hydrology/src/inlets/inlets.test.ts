import { GRATE_KINDS, type InletDesign } from '@radx/contracts/inlets'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FOOT_M } from '../runoff/constants.ts'
import { flowArea, type Gutter, gutterOf, gutterShare, spreadOf } from './gutter.ts'
import { gradeFlow } from './on-grade.ts'
import { sagFlow } from './on-sag.ts'

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const ft = (feet: number) => feet * FOOT_M

const plane: Gutter = gutterOf({ crossSlope: 0.02, crown: 30, n: 0.016, sides: 1 }, 0.01, 0, 0)
const gutter: fc.Arbitrary<Gutter> = fc
  .tuple(real(0.005, 0.08), real(0.0005, 0.1), real(0, 0.3), real(0, 3), real(8, 40))
  .map(([crossSlope, slope, depression, width, crown]) =>
    gutterOf({ crossSlope, crown, n: 0.016, sides: 1 }, slope, depression, width),
  )
const none = { drop: false, grate: null, curb: null, slot: null, custom: null }
const grate = fc.record({
  lengthM: real(ft(1), ft(5)),
  widthM: real(ft(0.8), ft(3)),
  kind: fc.constantFrom(...GRATE_KINDS),
  openShare: real(0.1, 1),
  splashMS: real(0, 3),
})
const curb = fc.record({
  lengthM: real(ft(1), ft(20)),
  heightM: real(ft(0.3), ft(0.8)),
  throat: fc.constantFrom('horizontal' as const, 'inclined' as const, 'vertical' as const),
})
const slot = fc.record({ lengthM: real(ft(1), ft(20)), widthM: real(ft(0.1), ft(0.4)) })
const design: fc.Arbitrary<InletDesign> = fc.oneof(
  grate.map((one) => ({ ...none, name: 'G', grate: one })),
  curb.map((one) => ({ ...none, name: 'C', curb: one })),
  slot.map((one) => ({ ...none, name: 'S', slot: one })),
  fc.tuple(grate, curb).map(([g, c]) => ({ ...none, name: 'GC', grate: g, curb: c })),
)

describe('a gutter', () => {
  test('has the spread of the circular’s example: 1.77 ft3/s on 1 % along and 2 % across', () => {
    // Izzard's law by hand: (Q n / (0.56 Sx^1.67 SL^0.5))^0.375.
    expect(spreadOf(plane, 1.77)).toBeCloseTo(
      (1.77 * 0.016) ** 0.375 / (0.56 * 0.02 ** 1.67 * 0.1) ** 0.375,
      1,
    )
  })
  test('spreads so far that its two parts carry the flow, to the crown at most', () => {
    fc.assert(
      fc.property(gutter, real(0.01, 10), (one, flow) => {
        const spread = spreadOf(one, flow)
        expect(spread).toBeGreaterThan(0)
        expect(spread).toBeLessThanOrEqual(one.crown)
        expect(flowArea(one, spread)).toBeGreaterThan(0)
        if (one.depression === 0 || spread <= one.width || spread >= one.crown) return
        const beyond = (1 - gutterShare(one, spread, one.width)) * flow
        expect(one.factor * (spread - one.width) ** 2.67).toBeCloseTo(beyond, 3)
      }),
    )
  })
  test('spreads farther with more flow', () => {
    fc.assert(
      fc.property(gutter, real(0.05, 5), (one, flow) => {
        expect(spreadOf(one, 1.2 * flow)).toBeGreaterThanOrEqual(spreadOf(one, flow) - 1e-4)
      }),
    )
  })
})

describe('an inlet on a slope', () => {
  test('of 10 ft of kerb takes 61 % of 1.77 ft3/s, as in the circular’s example', () => {
    const opening: InletDesign = {
      ...none,
      name: 'C',
      curb: { lengthM: ft(10), heightM: ft(0.5), throat: 'vertical' },
    }
    // Full capture asks for 23.94 ft.
    expect(gradeFlow(opening, plane, null, 1.77, 0)).toBeCloseTo(1.77 * (1 - (1 - 10 / 23.94) ** 1.8), 2)
  })
  test('never takes more than comes, nor less than nothing', () => {
    fc.assert(
      fc.property(design, gutter, real(0.001, 20), (one, along, flow) => {
        const taken = gradeFlow(one, along, null, flow, 0)
        expect(taken).toBeLessThanOrEqual(flow * (1 + 1e-9))
        expect(Number.isFinite(taken)).toBe(true)
      }),
    )
  })
})

describe('an inlet in a sag', () => {
  test('takes nothing when dry, and more the deeper the water stands', () => {
    fc.assert(
      fc.property(design, gutter, real(0.01, 3), (one, along, depth) => {
        expect(sagFlow(one, along, 0)).toBe(0)
        const [less, more] = [sagFlow(one, along, depth), sagFlow(one, along, 1.1 * depth)]
        expect(less).toBeGreaterThanOrEqual(0)
        // A grate changes from weir to orifice where both are only nearly the same.
        expect(more).toBeGreaterThan(0.75 * less)
      }),
    )
  })
  test('of a slot passes from weir to orifice without a jump', () => {
    const one: InletDesign = { ...none, name: 'S', slot: { lengthM: ft(5), widthM: ft(0.2) } }
    const at = 2.587 * 0.2
    expect(sagFlow(one, plane, at * 1.0001) / sagFlow(one, plane, at)).toBeCloseTo(1, 2)
  })
})
