import { GRAVITY } from '@radx/contracts/constants'
import { describe, expect, test } from 'vitest'
import { junction, outfall } from '../testing/build.ts'
import { area, type PipeCase, pipeLaw, radius } from '../testing/pipe.ts'

/** Critical depth of the channel, 2 m wide: (q2 / g)^(1/3) with the flow a metre of width. */
const critical = (flow: number) => ((flow / 2) ** 2 / GRAVITY) ** (1 / 3)
const DT = 2
const FULL = { inertialDamping: 'FULL' } as const
const factor = (y: number) => area(y) * radius(y) ** (2 / 3)

describe('where water falls free', () => {
  // Flat channel whose ends lie 0.5 m above the bottoms of their nodes.
  const hanging = { inOffsetM: 0.5, outOffsetM: 0.5 }
  const flow = 2
  const yc = critical(flow)

  test('the lower end stands at critical depth, whatever the node below', () => {
    const given: PipeCase = { heads: [11.5, 10.6], more: hanging, flow, options: FULL }
    const law = pipeLaw(given)
    expect(law.endDepth).toBeCloseTo(yc, 3)
    expect(law.toSlope).toBe(0)
    expect(law.depth).toBeCloseTo((1 + yc) / 2, 3)
    // It does not matter how far below the end the node's water is, as long as there is some in the end.
    expect(pipeLaw({ ...given, heads: [11.5, 10.55] }).constant).toBe(law.constant)
  })

  test('the level that a free end takes stands in the constant part, at either end', () => {
    // Slowly enough for the middle area to count: Q = (q + g dt A / L (H1 - H2)) / (1 + dt drag).
    const q = 1
    const end = critical(q)
    const middle = (0.9 + end) / 2
    const kept = 1 / (1 + (DT * GRAVITY * 0.013 ** 2 * (q / area(middle))) / radius(middle) ** (4 / 3))
    const slope = (GRAVITY * DT * area(middle)) / 100
    const down = pipeLaw({ heads: [11.4, 10.6], more: hanging, flow: q, options: FULL })
    expect(down.constant).toBeCloseTo(kept * (q - slope * (10.5 + end)), 3)
    const back = pipeLaw({ heads: [10.6, 11.4], more: hanging, flow: -q, options: FULL })
    expect(back.constant).toBeCloseTo(kept * (-q + slope * (10.5 + end)), 3)
    // The same where the end is dry so far.
    const dry = pipeLaw({ heads: [10.2, 11.4], more: hanging, flow: -q, options: FULL })
    expect(dry.constant).toBeCloseTo(back.constant, 9)
  })

  test('deeper water than that is not drawn down', () => {
    const law = pipeLaw({ heads: [11.5, 11.3], more: hanging, flow, options: FULL })
    expect(law.endDepth).toBeCloseTo(yc, 3)
    expect(law.toSlope).toBe(law.fromSlope)
    expect(law.depth).toBeCloseTo(0.9, 12)
  })

  test('so does the upper end when the water runs back', () => {
    const law = pipeLaw({ heads: [10.6, 11.5], more: hanging, flow: -flow, options: FULL })
    expect(law.fromSlope).toBe(0)
    expect(law.toSlope).toBeGreaterThan(0)
    expect(law.depth).toBeCloseTo((1 + yc) / 2, 3)
    expect(law.endDepth).toBe(0)
    const deep = pipeLaw({ heads: [11.3, 11.5], more: hanging, flow: -flow, options: FULL })
    expect(deep.fromSlope).toBe(deep.toSlope)
  })

  test('at the end of a steep channel it is normal depth, where that is less', () => {
    // 5 % down to a lip half a metre above the node.
    const law = pipeLaw({
      bottoms: [15, 9.5],
      heads: [15.4, 10.05],
      more: { outOffsetM: 0.5 },
      flow,
      options: FULL,
    })
    const beta = Math.sqrt(5 / Math.sqrt(100 ** 2 - 5 ** 2)) / 0.013
    expect(law.endDepth).toBeLessThan(0.6 * yc)
    expect(factor(law.endDepth) * beta).toBeCloseTo(flow, 1)
  })

  test('an end that does not hang follows its node', () => {
    const law = pipeLaw({ heads: [11, 10.1], flow, options: FULL })
    expect(law.toSlope).toBe(law.fromSlope)
    expect(law.endDepth).toBe(0)
    const back = pipeLaw({ heads: [10.1, 11], flow: -flow, options: FULL })
    expect(back.toSlope).toBe(back.fromSlope)
  })

  test('a full end does not fall free', () => {
    const law = pipeLaw({ heads: [14, 13.06], more: hanging, flow, options: FULL })
    expect(law.endDepth).toBe(0)
    expect(law.toSlope).toBe(law.fromSlope)
    const back = pipeLaw({ heads: [13.06, 14], more: hanging, flow: -20, options: FULL })
    expect(back.toSlope).toBe(back.fromSlope)
  })

  test('an outfall’s own water takes from the drop', () => {
    const end = (stage: number) =>
      pipeLaw({
        nodes: [junction('A', 10), outfall('O', 10)],
        heads: [11.5, stage],
        more: hanging,
        flow,
        options: FULL,
      })
    expect(end(10.51).endDepth).toBe(0)
    expect(end(10.51).toSlope).toBe(end(10.51).fromSlope)
    const reversed = pipeLaw({
      nodes: [outfall('O', 10), junction('A', 10)],
      heads: [10.51, 11.5],
      more: hanging,
      flow: -flow,
      options: FULL,
    })
    expect(reversed.toSlope).toBe(reversed.fromSlope)
    // Below the end it leaves a drop, and the water falls free.
    expect(end(10.2).endDepth).toBeCloseTo(yc, 3)
    const falling = pipeLaw({
      nodes: [outfall('O', 10), junction('A', 10)],
      heads: [10.2, 11.5],
      more: hanging,
      flow: -flow,
      options: FULL,
    })
    expect(falling.depth).toBeCloseTo((1 + yc) / 2, 3)
  })
})

describe('where an end is dry', () => {
  test('nothing flows between dry ends', () => {
    const law = pipeLaw({ heads: [10, 10], flow: 1 })
    expect([law.constant, law.fromSlope, law.toSlope]).toEqual([0, 0, 0])
    expect([law.low, law.high, law.highSlope]).toEqual([-Infinity, Infinity, 0])
    expect(law.nextArea).toBeCloseTo(area(3.048e-5), 9)
  })

  test('nothing runs up to an end above the other’s water', () => {
    const dry = (bottoms: [number, number], heads: [number, number]) => {
      const law = pipeLaw({ bottoms, heads, flow: 1 })
      return law.constant === 0 && law.fromSlope === 0 && law.toSlope === 0
    }
    // The lower end has 0.5 m of water, the upper end lies 1 m higher, or 0.4 m.
    expect(dry([11, 10], [11, 10.5])).toBe(true)
    expect(dry([10.4, 10], [10.4, 10.5])).toBe(false)
  })

  test('the lower end of a channel that begins to fill: at its bottom, or falling free', () => {
    const filling = pipeLaw({ heads: [10.4, 10], flow: 0, options: FULL })
    // A film at the dry end, whose node has no say.
    expect(filling.depth).toBeCloseTo(0.2, 4)
    expect(filling.toSlope).toBe(0)
    expect(filling.fromSlope).toBeGreaterThan(0)
    expect(filling.constant).toBeCloseTo(-filling.fromSlope * 10, 9)

    const flow = 1
    const falling = pipeLaw({
      heads: [11.4, 10.2],
      more: { inOffsetM: 0.5, outOffsetM: 0.5 },
      flow,
      options: FULL,
    })
    expect(falling.endDepth).toBeCloseTo(critical(flow), 3)
    expect(falling.depth).toBeCloseTo((0.9 + critical(flow)) / 2, 3)
    expect(falling.toSlope).toBe(0)
    const from = falling.plan.friction[0]
    const r = (y: number) => radius(y) ** (4 / 3)
    const kept = 1 / (1 + (DT * from * (flow / area(falling.depth))) / r(falling.depth))
    expect(falling.constant).toBeCloseTo(
      kept * (flow - ((GRAVITY * DT * area(falling.depth)) / 100) * (10.5 + falling.endDepth)),
      3,
    )
  })

  test('a head below the bottom counts as the bottom', () => {
    const options = FULL
    const law = (heads: [number, number]) => pipeLaw({ heads, options, flow: 0.1 })
    expect(law([10.4, 9.9]).constant).toBeCloseTo(law([10.4, 10]).constant, 12)
    expect(law([10.4, 9.9]).toSlope).toBe(0)
    expect(law([9.9, 10.4]).constant).toBeCloseTo(law([10, 10.4]).constant, 12)
    expect(law([9.9, 10.4]).fromSlope).toBe(0)
  })

  test('the upper end of a channel that fills from below', () => {
    const filling = pipeLaw({ heads: [10, 10.4], flow: 0, options: FULL })
    expect(filling.depth).toBeCloseTo(0.2, 4)
    expect(filling.fromSlope).toBe(0)
    expect(filling.constant).toBeCloseTo(filling.toSlope * 10, 9)

    const flow = -1
    const falling = pipeLaw({
      heads: [10.2, 11.4],
      more: { inOffsetM: 0.5, outOffsetM: 0.5 },
      flow,
      options: FULL,
    })
    expect(falling.depth).toBeCloseTo((0.9 + critical(1)) / 2, 3)
    expect(falling.fromSlope).toBe(0)
    expect(falling.endDepth).toBe(0)
    expect(falling.toSlope).toBeGreaterThan(0)
  })

  test('a hanging end keeps a film when nothing flows', () => {
    const law = pipeLaw({ heads: [11.4, 10.2], more: { inOffsetM: 0.5, outOffsetM: 0.5 }, options: FULL })
    expect(law.endDepth).toBe(3.048e-5)
    expect(law.toSlope).toBe(0)
  })

  test('a pipe that a rule has shut carries nothing, but holds its water', () => {
    const law = pipeLaw({
      heads: [11.2, 11],
      flow: 1,
      prepare: (state) => {
        state.open[0] = 0
      },
    })
    expect([law.constant, law.fromSlope, law.toSlope]).toEqual([0, 0, 0])
    expect([law.low, law.high, law.highSlope]).toEqual([-Infinity, Infinity, 0])
    expect(law.nextArea).toBeCloseTo(area(1.1), 12)
  })
})
