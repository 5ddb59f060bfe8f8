import type { SewerOptions } from '@radx/contracts'
import { GRAVITY } from '@radx/contracts/constants'
import { describe, expect, test } from 'vitest'
import { junction, outfall, section } from '../testing/build.ts'
import { area, type PipeCase, pipeLaw, radius } from '../testing/pipe.ts'

const beta = (drop: number) => Math.sqrt(drop / Math.sqrt(100 ** 2 - drop ** 2)) / 0.013
const normal = (y: number, drop: number) => beta(drop) * area(y) * radius(y) ** (2 / 3)

describe('flow is held to normal flow', () => {
  // 1 m down; 0.5 m of water above, 1 m below: the water's slope is less than the channel's.
  const backed: PipeCase = { bottoms: [11, 10], heads: [11.5, 11], flow: 1 }
  const fast: PipeCase = { bottoms: [15, 10], heads: [15.5, 10.5], flow: 8 }
  const limited = (given: PipeCase, normalFlowLimited: SewerOptions['normalFlowLimited']) =>
    pipeLaw({ ...given, options: { ...given.options, normalFlowLimited } })

  test('where the water’s slope is below the channel’s', () => {
    const law = limited(backed, 'SLOPE')
    // Qn = sqrt(S) / n A R^(2/3) at the upper end, and how it grows with that end's depth.
    const atUpper = law.high + law.highSlope * 11.5
    expect(atUpper).toBeCloseTo(normal(0.5, 1), 9)
    expect(law.highSlope).toBeCloseTo((normal(0.51, 1) - normal(0.5, 1)) / 0.01, 6)
    expect(limited(backed, 'BOTH').high).toBe(law.high)
    expect(limited(backed, 'FROUDE').high).toBe(Infinity)
    expect(limited(backed, 'NONE').high).toBe(Infinity)
  })

  test('and not where it is as steep, or steeper', () => {
    expect(limited({ ...backed, heads: [11.5, 10.5] }, 'SLOPE').high).toBe(Infinity)
    expect(limited({ ...backed, heads: [11.5, 10.4] }, 'SLOPE').high).toBe(Infinity)
  })

  test('where it runs supercritically at the upper end', () => {
    const law = limited(fast, 'FROUDE')
    expect(law.high + law.highSlope * 15.5).toBeCloseTo(normal(0.5, 5), 9)
    expect(limited(fast, 'BOTH').high).toBe(law.high)
    expect(limited(fast, 'SLOPE').high).toBe(Infinity)
    expect(limited(fast, 'NONE').high).toBe(Infinity)
  })

  test('supercritical: from where Q2 W = g A3 on, by the flow of this step', () => {
    // The law's own answer is what counts, so the limit lies where that is critical: Q = A sqrt(g A / W).
    const flowAtLimit = area(0.5) * Math.sqrt((GRAVITY * area(0.5)) / 2)
    const answers = [2, 4, 4.5, 5, 6, 8].map((flow) => {
      const law = limited({ ...fast, flow, dt: 0.01 }, 'FROUDE')
      return { supercritical: law.free >= flowAtLimit, capped: law.high < Infinity }
    })
    expect(answers.map((answer) => answer.capped)).toEqual(answers.map((answer) => answer.supercritical))
    expect(new Set(answers.map((answer) => answer.capped)).size).toBe(2)
  })

  test('in an open channel up to its very rim, wherever rounding puts the water', () => {
    // EPA SWMM's own answer hangs on the last bit there: at 0.405 m of depth it jumps, at 0.403 m it does not.
    for (const off of [-1e-12, 0, 1e-12]) {
      const given: PipeCase = {
        ...backed,
        profile: section('RECT_OPEN', 1, 2),
        heads: [12 + off, 10.5],
        flow: 8,
      }
      const full = limited({ ...given, bottoms: [11, 6] }, 'FROUDE')
      expect(full.high + full.highSlope * (12 + off)).toBeCloseTo(beta(5) * 2 * 0.5 ** (2 / 3), 6)
    }
  })

  test('supercritical flow is let out into an outfall, and in from one', () => {
    const nodes = [outfall('O', 10), junction('J', 15), outfall('P', 15), junction('K', 10)]
    expect(limited({ ...fast, nodes: [nodes[1], nodes[0]] }, 'FROUDE').high).toBe(Infinity)
    expect(limited({ ...fast, nodes: [nodes[2], nodes[3]] }, 'FROUDE').high).toBe(Infinity)
    const slack: PipeCase = { ...backed, nodes: [junction('J', 11), outfall('O', 10)] }
    expect(limited(slack, 'SLOPE').high).toBeLessThan(Infinity)
  })

  test('not when it runs back, nor in a full pipe, nor where it falls free', () => {
    expect(limited({ ...backed, heads: [11.5, 12.5], flow: -3 }, 'SLOPE').high).toBe(Infinity)
    const full = {
      ...backed,
      profile: section('RECT_CLOSED', 0.5, 2),
      heads: [11.6, 11.9] as [number, number],
    }
    expect(limited({ ...full, flow: 3 }, 'SLOPE').high).toBe(Infinity)
    // A free end below: 0.5 m above its node.
    const free: PipeCase = {
      bottoms: [15, 9],
      heads: [15.3, 10.01],
      more: { outOffsetM: 1 },
      flow: 8,
    }
    expect(limited(free, 'BOTH').toSlope).toBe(0)
    expect(limited(free, 'BOTH').high).toBe(Infinity)
  })

  test('in the last share of a closed pipe, where it falls with depth, it stays as it is', () => {
    const profile = section('CIRCULAR', 1)
    // EPA SWMM's table of the section factor: largest at 0.94 of the depth.
    const law = limited({ bottoms: [11, 10], heads: [11.97, 10.99], flow: 1, profile }, 'SLOPE')
    expect(law.highSlope).toBe(0)
    const angle = 2 * Math.acos(1 - 2 * 0.97)
    const a = (angle - Math.sin(angle)) / 8
    expect(law.high).toBeCloseTo(beta(1) * a * (a / (angle / 2)) ** (2 / 3), 3)
  })
})

describe('a conduit’s own bounds', () => {
  const given: PipeCase = { heads: [11.2, 11], flow: 1, options: { normalFlowLimited: 'NONE' } }
  const bounds = (more: Partial<PipeCase>) => {
    const { low, high, highSlope } = pipeLaw({ ...given, ...more })
    return [low, high, highSlope]
  }

  test('a largest flow holds both ways', () => {
    expect(bounds({ more: { maxFlowM3S: 0.4 } })).toEqual([-0.4, 0.4, 0])
  })

  test('of normal flow and the largest flow the lower one', () => {
    const backed: PipeCase = { bottoms: [11, 10], heads: [11.5, 11], flow: 1, options: {} }
    const atNormal = normal(0.5, 1)
    expect(bounds({ ...backed, more: { maxFlowM3S: 0.9 * atNormal } })).toEqual([
      -0.9 * atNormal,
      0.9 * atNormal,
      0,
    ])
    const [low, high, slope] = bounds({ ...backed, more: { maxFlowM3S: 1.1 * atNormal } })
    expect(low).toBe(-1.1 * atNormal)
    expect(high + slope * 11.5).toBeCloseTo(atNormal, 9)
    expect(slope).toBeGreaterThan(0)
  })

  test('a flap gate lets water go its own way alone, also in a conduit that is laid the other way round', () => {
    expect(bounds({ more: { flapGate: true } })).toEqual([0, Infinity, 0])
    expect(bounds({ bottoms: [9.9, 10], more: { flapGate: true } })).toEqual([-Infinity, 0, 0])
    const backed: PipeCase = { bottoms: [10, 11], heads: [11, 11.5], flow: -1, options: {} }
    expect(bounds({ ...backed, more: { flapGate: true } })).toEqual([-Infinity, 0, 0])
  })

  test('a node with nothing to give gives nothing', () => {
    const dry = (node: number): Partial<PipeCase> => ({
      prepare: (state, positionOf) => {
        state.canLeave[positionOf[node]] = 0
      },
    })
    expect(bounds(dry(0))).toEqual([-Infinity, 0, 0])
    expect(bounds(dry(1))).toEqual([0, Infinity, 0])
    const backed: PipeCase = { bottoms: [11, 10], heads: [11.5, 11], flow: 1, options: {} }
    expect(bounds({ ...backed, ...dry(0) })).toEqual([-Infinity, 0, 0])
    expect(bounds({ ...dry(1), more: { maxFlowM3S: 0.4 } })).toEqual([0, 0.4, 0])
  })

  test('an outfall’s gate lets nothing in, at either end', () => {
    const gate: PipeCase['prepare'] = (state) => {
      state.outfallGate[0] = 1
    }
    const below: Partial<PipeCase> = { nodes: [junction('J', 10), outfall('O', 10)] }
    const above: Partial<PipeCase> = { nodes: [outfall('O', 10), junction('J', 10)] }
    expect(bounds({ ...below, prepare: gate })).toEqual([0, Infinity, 0])
    expect(bounds({ ...above, prepare: gate })).toEqual([-Infinity, 0, 0])
    expect(bounds(below)).toEqual([-Infinity, Infinity, 0])
    expect(bounds(above)).toEqual([-Infinity, Infinity, 0])
  })
})
