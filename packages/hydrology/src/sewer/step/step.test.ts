import type { SewerLink, SewerNode } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { createOutfalls } from '../devices/outfalls.ts'
import { conduit, junction, network, outfall, section, tank } from '../testing/build.ts'
import { outlet, pump } from '../testing/devices.ts'
import { solverParts } from '../testing/parts.ts'
import { createRefinement } from './refine.ts'
import { createStep } from './step.ts'
import { createStepLength } from './step-length.ts'

/** Steps of a network from heads of its nodes; values by the file's order of nodes. */
function steps(
  nodes: SewerNode[],
  links: SewerLink[],
  heads: number[],
  lateral: number[] = [],
  refines = false,
) {
  const net = network(nodes, links, { surchargeMethod: 'EXTRAN' })
  const { plan, kernel, state, devices, newton, entry } = solverParts(net, heads, lateral, refines)
  const refinement = createRefinement({ plan, kernel, newton, entry })
  const outfalls = createOutfalls(net, plan, state.outfallGate)
  const arriving = new Float64Array(nodes.length)
  const lengths = createStepLength({ coupled: refines, switches: false })
  const rooms = { plan, kernel, newton, devices, outfalls, entry, refinement }
  const step = createStep({ ...rooms, refines, lengths, arriving })
  return { step, state, plan, devices, refinement, wanted: (n: number) => state.wanted[plan.positionOf[n]] }
}

describe('seepage through a conduit’s bed', () => {
  const BOX = section('RECT_CLOSED', 1.28, 2)
  const leaky = (more: Parameters<typeof conduit>[5] = {}, to = 1) =>
    conduit('C', 0, to, 100, { ...BOX, barrels: 3 }, { seepageMS: 1e-4, ...more })
  // 2 m wide, 100 m long, three barrels, a tenth of a millimetre a second.
  const rate = 1e-4 * 2 * 100 * 3
  const tanks = [
    tank('A', 10, 50),
    tank('B', 10, 50),
    outfall('O', 10, { boundary: { type: 'fixed', stageM: 11 } }),
  ]

  test('is speed times width times length, half from each end', () => {
    const { step, wanted } = steps(tanks, [leaky()], [11, 11, 11])
    const held = 50 + 150 * 2
    expect(step.solve(2, 0)).toBe(true)
    expect(step.lostM3).toBeCloseTo(2 * rate, 9)
    expect(wanted(0)).toBeCloseTo(held - rate, 4)
    expect(wanted(1)).toBeCloseTo(held - rate, 4)
  })

  test('all from the inner end of one at an outfall', () => {
    const { step, wanted } = steps(tanks, [leaky({}, 2)], [11, 11, 11])
    expect(step.solve(2, 0)).toBe(true)
    expect(step.lostM3).toBeCloseTo(2 * rate, 9)
    expect(wanted(0)).toBeCloseTo(50 + 300 - 2 * rate, 4)
    expect(wanted(1)).toBeCloseTo(50, 6)
  })

  test('above the widest depth by the largest width; none through a dry pipe, none from beds that hold', () => {
    const round = { ...leaky(), section: section('CIRCULAR', 1) } as SewerLink
    const full = steps(tanks, [round], [13, 13, 11]).step
    full.solve(2, 0)
    expect(full.lostM3).toBeCloseTo(1e-4 * 1 * 100 * 2, 4)
    const dry = steps(tanks, [leaky({ inOffsetM: 2, outOffsetM: 2 })], [11, 11, 11]).step
    dry.solve(2, 0)
    expect(dry.lostM3).toBe(0)
    const tight = steps(tanks, [leaky({ seepageMS: 0 })], [11, 11, 11]).step
    tight.solve(2, 0)
    expect(tight.lostM3).toBe(0)
  })

  test('of one conduit, whatever the beds of others', () => {
    const { step } = steps(tanks, [leaky(), conduit('D', 1, 0, 100, BOX)], [11, 11, 11])
    step.solve(2, 0)
    expect(step.lostM3).toBeCloseTo(2 * rate, 9)
  })

  test('never more than the ends hold, and counted anew in each step', () => {
    const { step, state } = steps(tanks, [leaky({ seepageMS: 4 })], [10.5, 10.5, 11])
    const held = state.volume[0] + state.volume[1]
    expect(step.solve(0.5, 0)).toBe(true)
    expect(step.lostM3).toBeCloseTo(held, 9)
    state.volume.fill(0)
    step.solve(0.1, 0)
    expect(step.lostM3).toBe(0)
  })
})

describe('steps that are refused', () => {
  const nodes = [junction('A', 11), outfall('O', 10)]

  test('over which a dry node is heaped up, down to half a second', () => {
    // Half a cubic metre into a dry shaft of 1.167 m2, which rises as it went before: by 0.2 m/s over 2 s.
    const at = (dt: number, volume: number) => {
      const { step, state } = steps(nodes, [], [11, 10], [volume])
      state.rate[0] = volume / 1.167 / dt
      return step.solve(dt, 0)
    }
    expect([2, 0.51, 0.5, 0.25].map((dt) => at(dt, 0.5))).toEqual([false, false, true, true])
    expect(at(2, 0.1)).toBe(true)
  })

  test('over which heads bend by more than 10 cm, down to half a second', () => {
    const tanks = [tank('A', 10, 10), outfall('O', 5)]
    const at = (dt: number, volume: number) => {
      const { step } = steps(tanks, [], [11, 5], [volume])
      return [step.solve(dt, 0), Number(step.bendM.toFixed(9))]
    }
    expect(at(2, 0.9)).toEqual([true, 0.09])
    expect(at(2, 1.1)).toEqual([false, 0.11])
    expect(at(0.51, 1.1)).toEqual([false, 0.11])
    expect(at(0.5, 1.1)).toEqual([true, 0.11])
    expect(at(2, -1.1)).toEqual([false, 0.11])
  })

  test('a bend is off the line on which a head went: 0.3 m/s over 2 s here', () => {
    const { step, state } = steps([tank('A', 10, 10), outfall('O', 5)], [], [11, 5], [6.5])
    state.rate[0] = 0.3
    expect(step.solve(2, 0)).toBe(true)
    expect(step.bendM).toBeCloseTo(0.05, 9)
  })

  test('outfalls stand where they will at the end of the step', () => {
    const series = { name: 'S', timesS: [0, 100], values: [5, 15] }
    const stage = outfall('O', 5, { boundary: { type: 'timeseries', series } })
    const { step, state, plan } = steps([tank('A', 10, 10), stage], [], [11, 5])
    step.solve(2, 40)
    expect(state.head[plan.positionOf[1]]).toBeCloseTo(9.2, 12)
    expect(state.trial[plan.positionOf[1]]).toBeCloseTo(9.2, 12)
  })

  test('pumps are set before, by what their wells hold', () => {
    const curve = { name: 'P', x: [5], y: [4] }
    const links = [pump({ type: 2, curve })]
    const { step, state, plan } = steps(
      [tank('A', 10, 100), tank('B', 9, 100), outfall('O', 5)],
      links,
      [10.05, 10, 5],
    )
    expect(step.solve(2, 0)).toBe(true)
    // It would take 8 m3, of 5.
    expect(state.trial[plan.positionOf[0]]).toBeCloseTo(10, 4)
    expect(state.trial[plan.positionOf[1]]).toBeCloseTo(10.05, 4)
  })
})

describe('a device that keeps Newton from settling', () => {
  // Nothing below a metre, all above: the balance jumps between half a metre and 3 m above the bottom.
  const curve = { name: 'P', x: [0, 1, 1.001, 9], y: [0, 0, 5, 5] }
  const nodes = [tank('A', 10, 2), tank('B', 5, 1e6), outfall('O', 5)]
  const made = (lateral = 4.2) => steps(nodes, [pump({ curve })], [10.9, 6, 5], [lateral])
  const at = (dt: number) => {
    const { step, state, plan, devices } = made()
    // It rises as it went before, so that it does not bend.
    state.rate[plan.positionOf[0]] = 2.1 / dt
    const solved = step.solve(dt, 0)
    return { solved, level: state.trial[plan.positionOf[0]], devices, state, plan }
  }

  test('is held as it was at the begin of the step, from a second down', () => {
    for (const dt of [1, 0.9]) {
      const { solved, level } = at(dt)
      expect(solved).toBe(true)
      expect(level).toBeCloseTo(13, 5)
    }
    expect(at(1.01).solved).toBe(false)
    expect(at(4).solved).toBe(false)
  })

  test('is let go after it', () => {
    const { devices, state, plan } = at(1)
    state.trial[plan.positionOf[0]] = 13
    devices.evaluate(state.trial, state.canLeave)
    expect(devices.flow[0]).toBeCloseTo(5, 9)
  })

  test('is not held where Newton settles', () => {
    const link = outlet({ basis: 'head', rating: { type: 'functional', coefficient: 0.5, exponent: 1 } })
    const { step, state, plan } = steps([tank('A', 10, 10), tank('B', 10, 10)], [link], [13, 12])
    expect(step.solve(1, 0)).toBe(true)
    const [a, b] = plan.positionOf
    expect(state.trial[a] - state.trial[b]).toBeCloseTo(1 / 1.1, 6)
  })

  test('is not to blame where nothing can be met', () => {
    expect(made(1e9).step.solve(0.5, 0)).toBe(false)
    expect(steps([tank('A', 10, 1), outfall('O', 5)], [], [11, 5], [1e9]).step.solve(0.5, 0)).toBe(false)
  })
})

describe('how far heads bend', () => {
  test.each([
    [0.4, 0.1],
    [0.1, 0.4],
  ])('is the most of all nodes: %f and %f m3 over 10 m2', (first, second) => {
    const nodes = [tank('A', 10, 10), tank('B', 10, 10), outfall('O', 5)]
    const { step } = steps(nodes, [], [11, 11, 5], [first, second])
    expect(step.apart).toBe(false)
    step.solve(2, 0)
    expect(step.bendM).toBeCloseTo(0.04, 9)
  })
})

describe('tanks that swing are solved apart', () => {
  // Volumes on 10 m2 each: what bends by more than 5 cm lets also what bends by more than 2.5 cm be solved again.
  const nodes = [...Array.from({ length: 4 }, (_, i) => tank(`T${i}`, 10, 10)), outfall('O', 5)]
  const solved = (volumes: number[], dt = 2, refines = true) => {
    const made = steps(nodes, [], [11, 11, 11, 11, 5], volumes, refines)
    const inside = () => Array.from(made.plan.positionOf.subarray(0, 4), (p) => made.refinement.inside[p])
    const level = (node: number) => made.state.head[made.plan.positionOf[node]]
    return { ...made, inside, level, solved: made.step.solve(dt, 0) }
  }

  test('those that bend, in shorter steps; the bend is that of the others', () => {
    const made = solved([0.9, 0.3, 0.2, 0])
    expect([made.solved, made.step.apart]).toEqual([true, true])
    expect(made.inside()).toEqual([1, 1, 0, 0])
    expect(made.refinement.steps).toBeGreaterThan(4)
    expect(made.refinement.whole).toBe(false)
    expect(made.step.bendM).toBeCloseTo(0.02, 9)
    // They have gone over the step; the others wait for it to be taken.
    expect(made.level(0)).toBeCloseTo(11.09, 5)
    expect(made.level(1)).toBeCloseTo(11.03, 5)
    expect(made.level(2)).toBe(11)
  })

  test('off the line on which they went', () => {
    const made = steps(nodes, [], [11, 11, 11, 11, 5], [0.9, 0.9, 0, 0], true)
    const [a, b] = made.plan.positionOf
    made.state.rate[a] = 0.045
    made.state.rate[b] = 0.01
    expect(made.step.solve(2, 0)).toBe(true)
    expect([made.refinement.inside[a], made.refinement.inside[b]]).toEqual([0, 1])
    expect(made.step.bendM).toBeLessThan(1e-6)
  })

  test('nothing where nothing bends by as much', () => {
    const made = solved([0.4, 0.3, 0, 0])
    expect([made.solved, made.step.apart, made.refinement.steps]).toEqual([true, true, 0])
    expect(made.inside()).toEqual([0, 0, 0, 0])
    expect(made.step.bendM).toBeCloseTo(0.04, 9)
  })

  test('in the shortest step too, so that the step of the others can grow again', () => {
    const made = solved([0.9, 0, 0, 0], 0.5)
    expect([made.solved, made.step.apart, made.refinement.steps]).toEqual([true, true, 1])
    expect(made.inside()).toEqual([1, 0, 0, 0])
    expect(made.step.bendM).toBeLessThan(1e-6)
  })

  test('nor where more than nine tenths of the nodes do: the step then stands up to 10 cm', () => {
    const made = solved([0.9, 0.9, 0.9, 0.9])
    expect([made.solved, made.step.apart, made.refinement.steps]).toEqual([true, false, 0])
    expect(made.step.bendM).toBeCloseTo(0.09, 9)
    expect(solved([1.1, 1.1, 1.1, 1.1]).solved).toBe(false)
    expect(solved([1.1, 1.1, 1.1, 0]).step.apart).toBe(true)
  })

  test('nor where it is not asked for', () => {
    const made = solved([0.9, 0.3, 0.2, 0], 2, false)
    expect([made.solved, made.step.apart, made.refinement.steps]).toEqual([true, false, 0])
  })

  test('a dry shaft that is heaped up is, though it rises as it went before', () => {
    const shafts = [...Array.from({ length: 4 }, (_, i) => junction(`J${i}`, 10)), outfall('O', 5)]
    const made = steps(shafts, [], [10, 10, 10, 10, 5], [0.5, 0.01, 0, 0], true)
    const [wetted, other] = made.plan.positionOf
    made.state.rate[wetted] = 0.5 / 1.167 / 2
    expect(made.step.solve(2, 0)).toBe(true)
    expect([made.refinement.inside[wetted], made.refinement.inside[other]]).toEqual([1, 0])
    expect(made.refinement.steps).toBeGreaterThan(1)
    expect(made.state.head[wetted]).toBeCloseTo(10 + 0.5 / 1.167, 5)
  })
})

describe('what swings is solved apart', () => {
  // A street of 20 shafts with a burst into one.
  const count = 20
  const nodes = [
    ...Array.from({ length: count }, (_, i) => junction(`J${i}`, 20 - 0.1 * i)),
    outfall('O', 20 - 0.1 * count),
  ]
  const links = Array.from({ length: count }, (_, i) =>
    conduit(`C${i}`, i, i + 1, 40, section('CIRCULAR', 0.6)),
  )
  const wet = nodes.map((node) => node.invertM + 0.3)
  const burst = (volume: number, at: number[], refines: boolean, dt = 4) => {
    const lateral = nodes.map((_, n) => (at.includes(n) ? volume : 0))
    const made = steps(nodes, links, wet, lateral, refines)
    return { ...made, solved: made.step.solve(dt, 0) }
  }

  test('around a burst, with three pipes on either side; what is left bends less', () => {
    const { solved, step, refinement, plan } = burst(3, [10], true)
    expect(solved).toBe(true)
    expect(step.apart).toBe(true)
    expect(step.bendM).toBeLessThan(0.1)
    const inside = plan.nodeOf.subarray(0, count).filter((_, p) => refinement.inside[p] === 1)
    expect(inside.includes(10)).toBe(true)
    expect(inside.length).toBeLessThanOrEqual(count / 2)
    expect(refinement.steps).toBeGreaterThan(1)
    expect(burst(3, [10], false).solved).toBe(false)
  })

  test('not where everything swings, nor in a step of half a second, nor where nothing does', () => {
    const everywhere = Array.from({ length: count }, (_, i) => i)
    expect(burst(3, everywhere, true).solved).toBe(false)
    const short = burst(0.1, [10], true, 0.5)
    expect([short.solved, short.refinement.steps]).toEqual([true, 0])
    const calm = burst(0.01, [10], true)
    expect([calm.solved, calm.refinement.steps]).toEqual([true, 0])
  })
})
