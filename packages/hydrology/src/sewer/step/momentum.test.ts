import { GRAVITY } from '@radx/contracts/constants'
import { describe, expect, test } from 'vitest'
import { sectionTable, tableAt } from '../sections/section-table.ts'
import { section } from '../testing/build.ts'
import { area, CHANNEL, type PipeCase, pipeLaw, radius } from '../testing/pipe.ts'

// SWMM Reference Manual II, eq. 3-14, with friction and heads implicit:
// Q (1 + dt drag) = q + inertia + g dt A (H1 - H2) / L.
const [DT, L, N] = [2, 100, 0.013]
const friction = (v: number, y: number) => (GRAVITY * N * N * v) / radius(y) ** (4 / 3)
const NONE = { inertialDamping: 'NONE' } as const
const FULL = { inertialDamping: 'FULL' } as const
const PARTIAL = { inertialDamping: 'PARTIAL' } as const

describe('in open water', () => {
  test('from rest it is the heads that set water going', () => {
    const law = pipeLaw({ heads: [11.2, 11] })
    const slope = (GRAVITY * DT * area(1.1)) / L
    expect(law.constant).toBe(0)
    expect(law.fromSlope).toBeCloseTo(slope, 12)
    expect(law.toSlope).toBeCloseTo(slope, 12)
    expect(law.nextArea).toBeCloseTo(area(1.1), 12)
    expect(law.depth).toBeCloseTo(1.1, 12)
    expect([law.low, law.high, law.highSlope]).toEqual([-Infinity, Infinity, 0])
  })

  test.each([
    ['with the fall', 1.1],
    ['against it', -1.1],
  ])('Manning’s friction slows it %s', (_, flow) => {
    const law = pipeLaw({ heads: [11.2, 11], flow, options: FULL })
    const drag = friction(0.5, 1.1)
    expect(law.constant).toBeCloseTo(flow / (1 + DT * drag), 12)
    expect(law.fromSlope).toBeCloseTo((GRAVITY * DT * area(1.1)) / L / (1 + DT * drag), 12)
    expect(law.toSlope).toBe(law.fromSlope)
  })

  test('rough, long and hardly wetted pipes slow it more', () => {
    const given: PipeCase = { heads: [10.4, 10.4], flow: 0.8, options: FULL }
    const law = pipeLaw({ ...given, more: { roughness: 0.02, lengthM: 250 } })
    const drag = (GRAVITY * 0.02 ** 2 * 1) / radius(0.4) ** (4 / 3)
    expect(law.constant).toBeCloseTo(0.8 / (1 + DT * drag), 12)
    expect(law.fromSlope).toBeCloseTo((GRAVITY * DT * area(0.4)) / 250 / (1 + DT * drag), 12)
  })

  test('inertia: v dA/dt since the last step, and v2 dA/dx along the pipe', () => {
    const flow = 1.1
    const v = flow / area(1.1)
    const given: PipeCase = { heads: [11.2, 11], flow, options: NONE }
    const constant = (inertia: number) => (flow + inertia) / (1 + DT * friction(v, 1.1))
    const along = (DT * v * v * (area(1) - area(1.2))) / L
    expect(pipeLaw(given).constant).toBeCloseTo(constant(along), 12)
    // The area changed by 0.1 m2 over 4 s: half of that in 2 s.
    const change = (v * (area(1.1) - 2.1) * DT) / 4
    expect(pipeLaw({ ...given, lastArea: 2.1, lastStepS: 4 }).constant).toBeCloseTo(
      constant(along + change),
      12,
    )
  })
})

describe('by Froude number', () => {
  // Both ends at 1 m: A = 2 m2, W = 2 m, c = sqrt(g A / W).
  const wave = Math.sqrt(GRAVITY)
  const at = (froude: number, options: PipeCase['options'], heads: [number, number] = [11, 11]) => {
    const flow = 2 * froude * wave
    const law = pipeLaw({ heads, flow, options, lastArea: 1.9, lastStepS: DT })
    const v = froude * wave
    // What of the inertia is left: v (A - A of the last step).
    return (law.constant * (1 + DT * friction(Math.abs(v), 1)) - flow) / (v * 0.1)
  }
  test.each([
    [0.3, 1, 1],
    [0.5, 1, 1],
    [0.7, 1, 0.6],
    [0.9, 1, 0.2],
    [1, 1, 0],
    [1.4, 1, 0],
  ])('%d: inertia counts whole without damping, else less and less', (froude, none, partial) => {
    expect(at(froude, NONE)).toBeCloseTo(none, 8)
    expect(at(froude, PARTIAL)).toBeCloseTo(partial, 8)
    expect(at(froude, FULL)).toBeCloseTo(0, 8)
    expect(at(-froude, PARTIAL)).toBeCloseTo(partial, 8)
  })

  test('area and radius move from the middle to the upper end as the water runs faster', () => {
    const law = (froude: number, heads: [number, number] = [11.2, 10.8]) => {
      const speed = froude * wave
      const { fromSlope, constant } = pipeLaw({ heads, flow: 2 * speed, options: FULL })
      // Friction from what is left of the flow, area from the slope.
      const kept = constant / (2 * speed)
      return {
        area: (fromSlope * L) / (GRAVITY * DT) / kept,
        drag: (1 / kept - 1) / DT / (GRAVITY * N * N * Math.abs(speed)),
      }
    }
    const hydraulic = (y: number) => radius(y) ** (4 / 3)
    for (const [froude, share] of [
      [0.4, 1],
      [0.7, 0.6],
      [1.2, 0],
    ]) {
      const { area: found, drag } = law(froude)
      expect(found).toBeCloseTo(area(1.2) + share * (area(1) - area(1.2)), 8)
      expect(1 / drag).toBeCloseTo(hydraulic(1.2) + share * (hydraulic(1) - hydraulic(1.2)), 8)
    }
    // Water that runs back or uphill is not weighted.
    expect(law(-0.7).area).toBeCloseTo(area(1), 8)
    expect(law(0.7, [10.8, 11.2]).area).toBeCloseTo(area(1), 8)
  })

  test('velocities are reckoned up to 50 ft/s', () => {
    const fast = (flow: number) => {
      const law = pipeLaw({ heads: [11, 11], flow, options: FULL })
      return (flow / law.constant - 1) / DT
    }
    expect(fast(2 * 15)).toBeCloseTo(friction(15, 1), 8)
    expect(fast(2 * 20)).toBeCloseTo(friction(15.24, 1), 8)
    expect(fast(-2 * 20)).toBeCloseTo(friction(15.24, 1), 8)
  })
})

describe('losses', () => {
  test('take k v2 / 2g at the inlet, the outlet and in the middle, by the areas there', () => {
    const flow = 1
    const drag = (more: PipeCase['more'], q = flow) => {
      const law = pipeLaw({ heads: [11.2, 11], flow: q, options: FULL, more })
      return (q / law.constant - 1) / DT - friction(Math.abs(q) / area(1.1), 1.1)
    }
    expect(drag({ lossInlet: 2 })).toBeCloseTo((2 * flow) / area(1.2) / (2 * L), 12)
    expect(drag({ lossOutlet: 2 })).toBeCloseTo((2 * flow) / area(1) / (2 * L), 12)
    expect(drag({ lossAverage: 2 })).toBeCloseTo((2 * flow) / area(1.1) / (2 * L), 12)
    expect(drag({ lossInlet: 2 }, -flow)).toBeCloseTo((2 * flow) / area(1.2) / (2 * L), 12)
    expect(drag({ lossInlet: 1, lossOutlet: 2, lossAverage: 3 })).toBeCloseTo(
      (flow / (2 * L)) * (1 / area(1.2) + 2 / area(1) + 3 / area(1.1)),
      12,
    )
  })
})

describe('in full pipes', () => {
  const D = 1
  const full = (Math.PI * D * D) / 4
  const profile = section('CIRCULAR', D)
  const manning = (v: number, r = D / 4) => (GRAVITY * N * N * v) / r ** (4 / 3)

  test('without a slot the area ends at the crown, and inertia with it', () => {
    for (const options of [NONE, PARTIAL, FULL]) {
      const law = pipeLaw({
        profile,
        heads: [13, 12],
        flow: 1,
        lastArea: 0.5,
        lastStepS: 2,
        options: { ...options, surchargeMethod: 'EXTRAN' },
      })
      const kept = 1 / (1 + DT * manning(1 / full))
      expect(law.constant).toBeCloseTo(kept, 5)
      expect(law.fromSlope).toBeCloseTo((GRAVITY * DT * full * kept) / L, 5)
      expect(law.nextArea).toBeCloseTo(full, 5)
      expect(law.depth).toBe(D)
    }
  })

  test('the slot adds its area above the crown (Sjoberg 1982)', () => {
    const law = pipeLaw({ profile, heads: [13, 12], options: { surchargeMethod: 'SLOT' } })
    // Middle at 2.5 diameters: beyond 1.78 the slot is 1 % of the width.
    expect(law.nextArea).toBeCloseTo(full + 1.5 * 0.01 * D, 5)
    const low = pipeLaw({ profile, heads: [11.3, 11.1], options: { surchargeMethod: 'SLOT' } })
    expect(low.nextArea).toBeCloseTo(full + 0.2 * 0.5423 * Math.exp(-(1.2 ** 2.4)), 5)
    expect(low.depth).toBe(D)
    expect(low.fromSlope).toBeCloseTo((GRAVITY * DT * low.nextArea) / L, 8)
  })

  test('one end full and the other not: the middle decides, inertia acts', () => {
    const profile = section('RECT_CLOSED', 1.28, 2)
    const given: PipeCase = { profile, heads: [11.88, 10.68], flow: 0.4, lastArea: 1, lastStepS: DT }
    const extran = pipeLaw({ ...given, options: { ...NONE, surchargeMethod: 'EXTRAN' } })
    // Ends at 1.28 (its crown) and 0.68 m, middle at 0.98 m.
    expect(extran.nextArea).toBeCloseTo(1.96, 10)
    const v = 0.4 / 1.96
    const inertia = v * 0.96 + (DT * v * v * (1.36 - 2.56)) / L
    const drag = (GRAVITY * N * N * v) / (1.96 / 3.96) ** (4 / 3)
    expect(extran.constant).toBeCloseTo((0.4 + inertia) / (1 + DT * drag), 10)
    const slot = pipeLaw({ ...given, options: { ...NONE, surchargeMethod: 'SLOT' } })
    // The middle of 1.88 and 0.68 m is the crown itself.
    expect(slot.nextArea).toBeCloseTo(2.56, 10)
  })

  test('an open channel that is full keeps its inertia, and its area at the top', () => {
    const law = pipeLaw({ heads: [13, 12.8], flow: 1, lastArea: 5, lastStepS: DT, options: NONE })
    const top = area(2.56)
    expect(law.nextArea).toBeCloseTo(top, 10)
    const inertia = (1 / top) * (top - 5)
    expect(law.constant).toBeCloseTo((1 + inertia) / (1 + DT * friction(1 / top, 2.56)), 10)
  })

  test('force mains lose by Hazen-Williams when full, and by an equal Manning n before', () => {
    const main = section('FORCE_MAIN', D, 120)
    const options = { ...FULL, surchargeMethod: 'EXTRAN' } as const
    const dragOf = (heads: [number, number]) => {
      const law = pipeLaw({ profile: main, heads, flow: 1, options })
      return { drag: (1 / law.constant - 1) / DT, law }
    }
    const v = 1 / full
    // S = (v / (0.849 C R^0.63))^1.852, and drag = g S / v.
    const slope = (v / (0.849 * 120 * 0.25 ** 0.63)) ** 1.852
    expect(dragOf([12, 11.8]).drag).toBeCloseTo((GRAVITY * slope) / v, 5)
    const { drag, law } = dragOf([10.5, 10.5])
    const n2 = law.plan.friction[0] / GRAVITY
    expect(drag).toBeCloseTo((GRAVITY * n2 * (2 * v)) / 0.25 ** (4 / 3), 5)
  })

  test('depths between the rows of a table lie on straight lines', () => {
    const table = sectionTable(profile)
    const y = 100.25 * table.stepM
    const law = pipeLaw({ profile, heads: [10 + y, 10 + y], flow: 0.2, options: FULL })
    const a = tableAt(table, y, 0)
    const drag = (GRAVITY * N * N * (0.2 / a)) / tableAt(table, y, 2)
    expect(law.nextArea).toBeCloseTo(a, 12)
    expect(law.constant).toBeCloseTo(0.2 / (1 + DT * drag), 12)
    expect(law.fromSlope).toBeCloseTo((GRAVITY * DT * a) / L / (1 + DT * drag), 12)
  })

  test('the table’s full area is the channel’s', () => {
    expect(sectionTable(CHANNEL).fullAreaM2).toBeCloseTo(area(2.56), 12)
  })
})
