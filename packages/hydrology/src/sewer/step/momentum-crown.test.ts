import { GRAVITY } from '@radx/contracts/constants'
import { describe, expect, test } from 'vitest'
import { section } from '../testing/build.ts'
import { type PipeCase, pipeLaw } from '../testing/pipe.ts'

/**
 * A closed section 1.28 m high and 2 m wide: rows every half centimetre, and up to the last share its walls alone are
 * wet.
 */
const BOX = section('RECT_CLOSED', 1.28, 2)
const radius = (y: number) => (2 * y) / (2 + 2 * y)
const [DT, L, N] = [2, 100, 0.013]
const friction = (v: number, y: number) => (GRAVITY * N * N * v) / radius(y) ** (4 / 3)
const EXTRAN = { surchargeMethod: 'EXTRAN' } as const

describe('where a closed pipe is full at one end', () => {
  test('its lower end counts up to the crown, without a slot', () => {
    const law = pipeLaw({ profile: BOX, heads: [10.68, 11.88], flow: -0.4, options: EXTRAN })
    expect(law.nextArea).toBeCloseTo(2 * 0.98, 10)
    expect(law.depth).toBeCloseTo(0.98, 10)
  })

  test('it is not full: inertia acts', () => {
    const given: Omit<PipeCase, 'heads'> = {
      profile: BOX,
      flow: 0.4,
      lastArea: 1,
      lastStepS: DT,
      options: EXTRAN,
    }
    const v = 0.4 / 1.96
    const inertia = (heads: [number, number], bottoms: [number, number]) =>
      pipeLaw({ ...given, heads, bottoms }).constant * (1 + DT * friction(v, 0.98)) - 0.4
    const change = v * (1.96 - 1)
    const along = (DT * v * v * (2.56 - 1.36)) / L
    // Ends at 0.68 m and the crown, and the other way round.
    expect(inertia([12.18, 11.5], [11.5, 10])).toBeCloseTo(change + along, 8)
    expect(inertia([11.88, 10.68], [10, 10])).toBeCloseTo(change - along, 8)
  })

  test('fast water takes area and radius from the upper end, full as it is', () => {
    // Middle 0.98 m deep, Froude number 0.7: 0.6 of the middle, 0.4 of the upper end.
    const v = 0.7 * Math.sqrt(GRAVITY * 0.98)
    const { fromSlope, constant } = pipeLaw({
      profile: BOX,
      heads: [11.88, 10.68],
      flow: 1.96 * v,
      options: { ...EXTRAN, inertialDamping: 'FULL' },
    })
    const kept = constant / (1.96 * v)
    expect((fromSlope * L) / (GRAVITY * DT * kept)).toBeCloseTo(2.56 + 0.6 * (1.96 - 2.56), 8)
    // Full, the roof is wet too.
    const full = (2.56 / (4 + 2.56)) ** (4 / 3)
    const weighted = full + 0.6 * (radius(0.98) ** (4 / 3) - full)
    expect((1 / kept - 1) / DT).toBeCloseTo((GRAVITY * N * N * v) / weighted, 6)
  })

  test('losses are by the areas of the ends, the slot’s included', () => {
    const drag = (more: PipeCase['more'], heads: [number, number], options: PipeCase['options'] = {}) => {
      const q = 0.1
      const at = (loss: PipeCase['more']) =>
        q /
        pipeLaw({
          profile: BOX,
          heads,
          flow: q,
          more: loss,
          options: { ...options, inertialDamping: 'FULL' },
        }).constant
      return (at(more) - at({})) / DT
    }
    const slot = 2.56 + 1.72 * 0.01 * 2
    expect(drag({ lossInlet: 2 }, [13, 13])).toBeCloseTo(0.1 / slot / L, 9)
    expect(drag({ lossOutlet: 2 }, [13, 13])).toBeCloseTo(0.1 / slot / L, 9)
    expect(drag({ lossInlet: 2 }, [13, 13], EXTRAN)).toBeCloseTo(0.1 / 2.56 / L, 9)
    expect(drag({ lossOutlet: 2 }, [13, 13], EXTRAN)).toBeCloseTo(0.1 / 2.56 / L, 9)
  })
})

describe('Froude number in the middle', () => {
  const sigma = (
    given: Omit<PipeCase, 'heads' | 'flow'> & { heads: [number, number] },
    a: number,
    v: number,
    drag: number,
  ) => {
    const flow = a * v
    const law = pipeLaw({
      ...given,
      flow,
      lastArea: a - 0.1,
      lastStepS: DT,
      options: { ...given.options, inertialDamping: 'PARTIAL' },
    })
    return (law.constant * (1 + DT * drag) - flow) / (v * 0.1)
  }

  test('damps in closed pipes that are not full', () => {
    const v = 0.7 * Math.sqrt(GRAVITY * 0.64)
    expect(sigma({ profile: BOX, heads: [10.64, 10.64] }, 1.28, v, friction(v, 0.64))).toBeCloseTo(0.6, 7)
  })

  test('does not where the middle is at the crown', () => {
    // The middle of 1.88 and 0.68 m; the slot carries nothing of it, and waves are no measure there.
    const v = 0.9 * Math.sqrt(GRAVITY * 1.28)
    const law = (lastArea: number) =>
      pipeLaw({
        profile: BOX,
        heads: [11.88, 10.68],
        flow: 2.56 * v,
        lastArea,
        lastStepS: DT,
        options: { inertialDamping: 'PARTIAL' },
      })
    const drag = (GRAVITY * N * N * v) / (2.56 / 6.56) ** (4 / 3)
    expect((law(2.46).constant - law(2.56).constant) * (1 + DT * drag)).toBeCloseTo(v * 0.1, 7)
  })

  // Sides 1 on 1 from a bottom of 1 m: rows every centimetre.
  const ditch = section('TRAPEZOIDAL', 2.56, 1, 1, 1)
  const wet = (y: number) => ({ a: y * (1 + y), w: 1 + 2 * y, r: (y * (1 + y)) / (1 + y * Math.sqrt(8)) })

  test('goes by the width between two rows', () => {
    const y = 0.806
    const { a, w, r } = wet(y)
    const v = 0.7 * Math.sqrt((GRAVITY * a) / w)
    const found = sigma(
      { profile: ditch, heads: [10 + y, 10 + y] },
      a,
      v,
      (GRAVITY * N * N * v) / r ** (4 / 3),
    )
    expect(found).toBeCloseTo(0.6, 2)
  })

  test('and by the top width where an open channel is full', () => {
    const { a, w, r } = wet(2.56)
    const v = 0.7 * Math.sqrt((GRAVITY * a) / w)
    const found = sigma({ profile: ditch, heads: [13, 13] }, a, v, (GRAVITY * N * N * v) / r ** (4 / 3))
    // The last row's width is that of the interval below it.
    expect(found).toBeCloseTo(0.6, 1)
  })

  test('supercritical at the upper end: by the width there', () => {
    const { a, w } = wet(0.806)
    const limit = a * Math.sqrt((GRAVITY * a) / w)
    const capped = (flow: number) => {
      const law = pipeLaw({
        profile: ditch,
        bottoms: [15, 10],
        heads: [15.806, 10.806],
        flow,
        dt: 1e-6,
        options: { normalFlowLimited: 'FROUDE' },
      })
      return law.high < Infinity
    }
    expect(capped(0.999 * limit)).toBe(false)
    expect(capped(1.001 * limit)).toBe(true)
  })
})

test('the largest velocity keeps its sign', () => {
  // 20 m/s back in 2 m2: 15.24 counts, and its inertia acts backwards.
  const law = (lastArea: number) =>
    pipeLaw({
      profile: BOX,
      heads: [11, 11],
      flow: -40,
      lastArea,
      lastStepS: DT,
      options: { inertialDamping: 'NONE' },
    })
  expect((law(1.9).constant - law(2).constant) * (1 + DT * friction(15.24, 1))).toBeCloseTo(-15.24 * 0.1, 7)
})
