import type { SewerLink, SewerNode } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { layOutSections } from './conduit-sections.ts'
import { createDevices } from './device-set.ts'
import { createEntry } from './entry.ts'
import { createNewton } from './newton.ts'
import { volumeAt } from './node-volume.ts'
import { createOutfalls } from './outfalls.ts'
import { planSewer } from './plan.ts'
import { createReaches } from './reaches.ts'
import { createReferenceKernel } from './reference.ts'
import { createRefinement } from './refine.ts'
import { createStep } from './step.ts'
import { conduit, junction, network, outfall, section, tank } from './testing/build.ts'
import { pump } from './testing/devices.ts'
import { createViews } from './views.ts'

/** Steps of a network from heads of its nodes; values by the file's order of nodes. */
function steps(
  nodes: SewerNode[],
  links: SewerLink[],
  heads: number[],
  lateral: number[] = [],
  refines = false,
) {
  const net = network(nodes, links, { surchargeMethod: 'EXTRAN' })
  const plan = planSewer(net)
  const sections = layOutSections(plan.conduits, net.options)
  const kernel = createReferenceKernel({ plan, sections, options: net.options })
  const { state } = kernel
  const views = createViews(net, plan, sections, state, refines)
  const devices = createDevices(net, plan, state.outfallGate)
  const newton = createNewton({ plan, kernel, devices, reaches: createReaches(plan, net.options) })
  const entering = new Float64Array(nodes.length)
  entering.set(lateral)
  const entry = createEntry(plan, state, views, entering, refines)
  const refinement = createRefinement({ plan, kernel, newton, entry })
  const outfalls = createOutfalls(net, plan, state.outfallGate)
  const arriving = new Float64Array(nodes.length)
  const step = createStep({ plan, kernel, newton, devices, outfalls, entry, refinement, refines, arriving })
  nodes.forEach((_, n) => {
    const p = plan.positionOf[n]
    state.head[p] = heads[n]
    state.trial[p] = heads[n]
    if (p < plan.unknowns) state.volume[p] = volumeAt(plan.volumes, p, heads[n] - plan.invert[p])
  })
  return { step, state, plan, refinement, wanted: (n: number) => state.wanted[plan.positionOf[n]] }
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
