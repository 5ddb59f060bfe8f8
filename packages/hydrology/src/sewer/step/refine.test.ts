import type { SewerLink, SewerNode } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { volumeAt } from '../network/node-volume.ts'
import { conduit, junction, network, outfall, section, tank } from '../testing/build.ts'
import { pump } from '../testing/devices.ts'
import { solverParts } from '../testing/parts.ts'
import type { Newton } from './newton.ts'
import { takeAll } from './part.ts'
import { createRefinement } from './refine.ts'

/** A network at these heads, by the file's order of nodes; `solves`, if given, takes Newton's place. */
function made(
  nodes: SewerNode[],
  links: SewerLink[],
  heads: number[],
  { lateral = [], solves }: { lateral?: number[]; solves?: Newton['solve'] } = {},
) {
  const net = network(nodes, links, { surchargeMethod: 'EXTRAN' })
  const { plan, kernel, state, newton: real, entry } = solverParts(net, heads, lateral, true)
  const newton = solves ? { ...real, solve: solves } : real
  const refinement = createRefinement({ plan, kernel, newton, entry })
  const { positionOf, unknowns } = plan
  return {
    state,
    plan,
    refinement,
    inside: () => nodes.flatMap((_, n) => (refinement.inside[positionOf[n]] === 1 ? [n] : [])),
    insideLinks: () => links.flatMap((_, i) => (refinement.conduitInside[linkAt(i)] === 1 ? [i] : [])),
    gather(...seeds: number[]) {
      const marks = new Uint8Array(unknowns)
      for (const node of seeds) marks[positionOf[node]] = 1
      return refinement.gather(marks)
    },
    /** The step over the whole network. */
    whole(dt: number) {
      const all = takeAll(kernel.part())
      for (let k = 0; k < unknowns; k++) entry.enter(k, dt, 1)
      kernel.prepare(dt, state.head, all)
      expect(real.solve(dt, state.trial, state.head, state.wanted, all)).toBeGreaterThan(0)
    },
  }
  function linkAt(i: number) {
    return plan.conduits.link.indexOf(i)
  }
}

const PIPE = section('CIRCULAR', 0.6)
/** A street of shafts, the first the highest, down to an outfall. */
const street = (count: number) => ({
  nodes: [
    ...Array.from({ length: count }, (_, i) => junction(`J${i}`, 20 - 0.1 * i)),
    outfall('O', 20 - 0.1 * count),
  ],
  links: Array.from({ length: count }, (_, i) => conduit(`C${i}`, i, i + 1, 40, PIPE)),
})
const standing = (nodes: SewerNode[], depth = 0.3) => nodes.map((node) => node.invertM + depth)

describe('what is gathered', () => {
  const { nodes, links } = street(20)

  test('is what lies within three pipes, up or down, and not the outfall', () => {
    const of = (...seeds: number[]) => {
      const street = made(nodes, links, standing(nodes))
      return street.gather(...seeds) ? street.inside() : null
    }
    expect(of(10)).toEqual([7, 8, 9, 10, 11, 12, 13])
    expect(of(0)).toEqual([0, 1, 2, 3])
    expect(of(19)).toEqual([16, 17, 18, 19])
    expect(of(2, 5)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(of()).toEqual([])
  })

  test('also against the direction of pipes, and along branches', () => {
    // A star whose pipes run both ways, and a row behind each.
    const star = Array.from({ length: 30 }, (_, i) => junction(`J${i}`, 10))
    const rays = [0, 1, 2].flatMap((ray) =>
      Array.from({ length: 5 }, (_, i) => {
        const [near, far] = [i === 0 ? 0 : 5 * ray + i, 5 * ray + i + 1]
        return ray === 1
          ? conduit(`C${ray}${i}`, far, near, 40, PIPE)
          : conduit(`C${ray}${i}`, near, far, 40, PIPE)
      }),
    )
    const { gather, inside } = made(star, rays, standing(star))
    expect(gather(0)).toBe(true)
    expect(inside()).toEqual([0, 1, 2, 3, 6, 7, 8, 11, 12, 13])
  })

  test('is nothing where it is more than nine tenths of all nodes, or where a pump joins', () => {
    const short = street(7)
    const small = made(short.nodes, short.links, standing(short.nodes))
    expect(small.gather(3)).toBe(false)
    expect(small.inside()).toEqual([])
    const larger = street(8)
    expect(made(larger.nodes, larger.links, standing(larger.nodes)).gather(3)).toBe(true)

    const joined = made(nodes, [...links, pump({ from: 10, to: 19 })], standing(nodes))
    expect(joined.gather(10)).toBe(false)
    expect(joined.inside()).toEqual([])
    // Beside it, up to it.
    expect(joined.gather(8)).toBe(true)
    expect(joined.inside()).toEqual([5, 6, 7, 8, 9])
  })
})

describe('water of a part', () => {
  const { nodes, links } = street(30)
  const barrels = links.map((link, i) => (i % 2 ? link : { ...link, section: { ...PIPE, barrels: 2 } }))
  // Every third pipe runs uphill in the file.
  const mixed = barrels.map((link, i) => (i % 3 ? link : { ...link, from: link.to, to: link.from }))

  test.each([
    ['in the middle', [10], 1.5],
    ['at the outfall', [29], 1.5],
    ['at two places', [3, 12], 1.5],
    ['over a rim', [10], 30],
  ])('is all there: %s', (_, seeds, burst) => {
    const dt = 4
    const lateral = nodes.map((_, n) => (seeds.includes(n) ? burst : 0.01))
    const { state, plan, refinement, whole, gather, inside, insideLinks } = made(
      nodes,
      mixed,
      standing(nodes),
      { lateral },
    )
    const { positionOf, conduits } = plan
    whole(dt)
    const flows = state.meanFlow.slice()
    const before = { volume: state.volume.slice(), head: state.head.slice(), flow: state.flow.slice() }
    expect(gather(...seeds)).toBe(true)
    const part = inside()
    expect(refinement.run(dt, true)).toBe(true)
    expect(refinement.steps).toBeGreaterThan(1)
    expect(refinement.whole).toBe(false)
    // Pipes between two nodes of a part, and to the outfall.
    expect(insideLinks()).toEqual(
      mixed.flatMap(({ from, to }, i) => ([from, to].every((n) => part.includes(n) || n === 30) ? [i] : [])),
    )
    let flooded = 0
    nodes.slice(0, 30).forEach((_, n) => {
      const k = positionOf[n]
      if (!part.includes(n)) {
        expect([state.volume[k], state.head[k]]).toEqual([before.volume[k], before.head[k]])
        return
      }
      let comes = lateral[n]
      for (let c = 0; c < conduits.count; c++) {
        const moved = refinement.conduitInside[c]
          ? refinement.carried[c]
          : dt * conduits.barrels[c] * flows[c]
        if (conduits.from[c] === k) comes -= moved
        if (conduits.to[c] === k) comes += moved
      }
      flooded += refinement.flooded[k]
      expect(state.volume[k] - before.volume[k] + refinement.flooded[k]).toBeCloseTo(comes, 9)
      // Heads belong to the volumes, as well as Newton meets them.
      expect(volumeAt(plan.volumes, k, state.head[k] - plan.invert[k])).toBeCloseTo(state.volume[k], 2)
    })
    if (burst > 10) expect(flooded).toBeGreaterThan(1)
    else expect(flooded).toBe(0)
    for (let c = 0; c < conduits.count; c++) {
      if (refinement.conduitInside[c]) expect(state.lastStepS[c]).toBeGreaterThan(0)
      else expect([state.flow[c], state.lastStepS[c]]).toEqual([before.flow[c], 0])
    }
  })

  test('in one step is what the whole network came to', () => {
    const lateral = nodes.map((_, n) => (n === 10 ? 0.02 : 0))
    const { state, plan, refinement, whole, gather, inside } = made(nodes, mixed, standing(nodes), {
      lateral,
    })
    whole(4)
    const [heads, flows, before] = [state.trial.slice(), state.conduitFlow.slice(), state.head.slice()]
    expect(gather(10)).toBe(true)
    expect(refinement.run(4, false)).toBe(true)
    expect([refinement.steps, refinement.whole]).toEqual([1, true])
    let most = 0
    for (const n of inside()) {
      const k = plan.positionOf[n]
      expect(state.head[k]).toBeCloseTo(heads[k], 3)
      expect(state.rate[k]).toBeCloseTo((state.head[k] - before[k]) / 4, 12)
      most = Math.max(most, Math.abs(state.head[k] - before[k]))
    }
    expect(refinement.bendM).toBeCloseTo(most, 12)
    for (let c = 0; c < flows.length; c++)
      if (refinement.conduitInside[c]) {
        expect(state.flow[c]).toBeCloseTo(flows[c], 2)
        expect(refinement.carried[c]).toBeCloseTo(4 * plan.conduits.barrels[c] * state.meanFlow[c], 9)
      }
  })

  test('goes by laws that follow the water: pipes fill from step to step', () => {
    const lateral = nodes.map((_, n) => (n === 10 ? 1.5 : 0))
    const { state, plan, refinement, whole, gather } = made(nodes, links, standing(nodes), { lateral })
    whole(4)
    const before = state.nextArea.slice()
    gather(10)
    expect(refinement.run(4, true)).toBe(true)
    for (const link of [9, 10]) {
      const c = plan.conduits.link.indexOf(link)
      expect(state.area[c]).toBeGreaterThan(1.05 * before[c])
    }
  })

  test('and what pipes carried is taken back where it cannot be solved to the end', () => {
    let calls = 0
    const { state, refinement, gather } = made(nodes, links, standing(nodes), {
      solves: () => (++calls > 1 ? -1 : 1),
    })
    for (const values of [state.flow, state.area, state.lastStepS])
      values.forEach((_, c) => {
        values[c] = 0.01 * (c + 1)
      })
    state.conduitFlow.fill(3)
    const kept = [state.flow, state.area, state.lastStepS, state.volume, state.head].map((values) =>
      values.slice(),
    )
    gather(10)
    expect(refinement.run(4, true)).toBe(false)
    expect(calls).toBeGreaterThan(2)
    expect([state.flow, state.area, state.lastStepS, state.volume, state.head]).toEqual(kept)
    expect(refinement.conduitInside.includes(1)).toBe(false)
  })

  test('parts are forgotten, and others taken', () => {
    const { refinement, whole, gather, inside, insideLinks } = made(nodes, links, standing(nodes), {
      lateral: nodes.map((_, n) => (n === 5 ? 1.5 : 0)),
    })
    whole(4)
    gather(5)
    refinement.run(4, true)
    refinement.clear()
    expect([inside(), insideLinks(), refinement.whole, refinement.bendM]).toEqual([[], [], true, 0])
    gather(16)
    expect(refinement.run(4, false)).toBe(true)
    expect(inside()).toEqual([13, 14, 15, 16, 17, 18, 19])
    expect(insideLinks()).toEqual([13, 14, 15, 16, 17, 18])
  })
})

describe('how long steps of a part are', () => {
  /** `bends`: how far off its line A ends a step of this length; not solved where NaN. */
  const traced = (
    bends: (dt: number) => number,
    dt: number,
    swings: boolean,
    rate = 0,
    off = 0,
    depth = 1,
    others = 1,
  ) => {
    const taken: number[] = []
    let position = 0
    const calm = Array.from({ length: others }, (_, i) => tank(`B${i}`, 10, 10))
    const nodes = [tank('A', 10, 10), ...calm, outfall('O', 5)]
    const heads = [10 + depth, ...calm.map(() => 11), 5]
    const { state, plan, refinement, gather } = made(nodes, [], heads, {
      solves: (ds, heads, old) => {
        taken.push(ds)
        const bend = bends(ds)
        heads[position] = old[position] + ds * state.rate[position] + bend
        return Number.isNaN(bend) ? -1 : 1
      },
    })
    position = plan.positionOf[0]
    state.rate[position] = rate
    state.trial[position] = 10 + depth + dt * rate + off
    gather(0)
    const done = refinement.run(dt, swings)
    return { done, taken, state, refinement, head: state.head[position], position }
  }

  test('one where nothing swings', () => {
    const { done, taken, refinement, head, state, position } = traced(() => 0, 4, false, 0.02)
    expect([done, taken, refinement.whole]).toEqual([true, [4], true])
    expect(refinement.bendM).toBeCloseTo(0, 12)
    expect(head).toBeCloseTo(11.08, 12)
    expect(state.rate[position]).toBeCloseTo(0.02, 12)
    expect(traced(() => 0.04, 4, false).refinement.bendM).toBeCloseTo(0.04, 12)
  })

  test('where heads swing half of it at most, by how far they were off their line', () => {
    expect(traced(() => 0, 4, true).taken).toEqual([2, 2])
    // 4 x 0.9 x sqrt(0.0125 / 0.05) = 1.8: three of 4 / 3, then twice as long ones where nothing bends.
    expect(traced(() => 0, 4, true, 0.1, 0.05).taken[0]).toBeCloseTo(4 / 3, 12)
    expect(traced(() => 0, 4, true, 0.1, -0.05).taken).toHaveLength(2)
    // Of one node of two half a second is the least, an eighth where it is one of twenty.
    const least = traced(() => 0.02, 1, true, 0, 10)
    expect(least.taken).toEqual([0.5, 0.5])
    expect(least.refinement.whole).toBe(false)
    expect(least.refinement.steps).toBe(2)
    expect(traced(() => 0.02, 1, true, 0, 10, 1, 19).taken).toEqual(new Array(8).fill(0.125))
    // A step as short as that is taken as it is.
    expect(traced(() => 0, 0.1, true, 0, 10).taken).toEqual([0.1])
  })

  test('shorter after a bend, longer after none', () => {
    // 1 x 0.9 x sqrt(0.0125 / 0.0125) = 0.9 of two seconds: three of a third; without a bend twice as long.
    const { taken } = traced((ds) => (ds > 0.9 ? 0.0125 : 0), 2, true)
    expect(taken[0]).toBe(1)
    expect(taken[1]).toBeCloseTo(0.5, 12)
    expect(taken[2]).toBeCloseTo(0.5, 12)
    expect(taken).toHaveLength(3)
  })

  test('halved where heads bend by more than 10 cm, but not below half a second', () => {
    const { done, taken } = traced((ds) => (ds > 1 ? 0.11 : 0), 4, false)
    expect(done).toBe(true)
    expect(taken.slice(0, 3)).toEqual([4, 2, 1])
    // What was taken adds up; each step that was not is followed by its half.
    expect(taken.reduce((sum, ds) => sum + (ds > 1 ? 0 : ds), 0)).toBeCloseTo(4, 9)
    expect(traced(() => 0.0999, 4, false).taken).toEqual([4])
    const always = traced(() => 0.11, 1, false)
    expect(always.taken).toEqual([1, 0.5, 0.5])
    expect(always.done).toBe(true)
  })

  test('halved where a dry node is heaped up on its line', () => {
    expect(traced(() => 0, 1, false, 0.3, 0, 0.01).taken).toEqual([1, 0.5, 0.5])
    expect(traced(() => 0, 1, false, 0.3, 0, 0.03).taken).toEqual([1])
    expect(traced(() => 0, 1, false, 0.09, 0, 0.01).taken).toEqual([1])
  })

  test('halved where they are not solved, down to a twentieth of a second; then all is as it was', () => {
    const { done, taken, state, refinement, head, position } = traced(() => Number.NaN, 4, false, 0.02)
    expect(done).toBe(false)
    expect(taken).toEqual([4, 2, 1, 0.5, 0.25, 0.125, 0.0625])
    expect([head, state.rate[position]]).toEqual([11, 0.02])
    expect(state.volume[position]).toBeCloseTo(10, 9)
    expect([...refinement.inside]).toEqual([0, 0])
    const later = traced((ds) => (ds > 0.1 ? Number.NaN : 0), 0.4, false)
    expect(later.done).toBe(true)
    expect(later.taken.slice(0, 3)).toEqual([0.4, 0.2, 0.1])
  })

  test('what had gone well before is taken back too', () => {
    let calls = 0
    const { done, head, state, position } = traced(() => (++calls > 1 ? Number.NaN : 0.01), 4, true, 0.02)
    expect(done).toBe(false)
    expect(calls).toBeGreaterThan(2)
    expect([head, state.rate[position]]).toEqual([11, 0.02])
    expect(state.volume[position]).toBeCloseTo(10, 9)
  })
})
