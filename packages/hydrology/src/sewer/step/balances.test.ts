import { describe, expect, test } from 'vitest'
import { planSewer } from '../network/plan.ts'
import { heap } from '../network/room.ts'
import { conduit, network, outfall, section, tank } from '../testing/build.ts'
import { createBalances } from './balances.ts'
import { createState, emptyPart } from './kernel.ts'
import type { ConduitLaws } from './momentum.ts'
import { takeAll } from './part.ts'

/** Two tanks 10 m deep over an outfall; the pipes only give the matrix its pattern and store next to nothing. */
function tanks(shape: [a0: number, a1: number]) {
  const shaped = (name: string) =>
    tank(name, 100, 0, { fullDepthM: 10, shape: { type: 'quadratic', a0: shape[0], a1: shape[1], a2: 0 } })
  const hair = section('CIRCULAR', 0.0001)
  const net = network(
    [shaped('A'), shaped('B'), outfall('O', 90)],
    [
      conduit('AB', 0, 1, 1, { ...hair, barrels: 3 }, { inOffsetM: 9 }),
      conduit('BA', 1, 0, 1, hair, { inOffsetM: 8 }),
      conduit('BO', 1, 2, 1, hair, { inOffsetM: 9 }),
    ],
  )
  const plan = planSewer(net)
  const state = createState(plan, heap, plan.elimination)
  state.floodLevel.fill(Infinity)
  const laws: ConduitLaws = {
    constant: new Float64Array(3),
    fromSlope: new Float64Array(3),
    toSlope: new Float64Array(3),
    low: new Float64Array(3).fill(-Infinity),
    high: new Float64Array(3).fill(Infinity),
    highSlope: new Float64Array(3),
    weight: new Float64Array(3).fill(1),
    carried: new Float64Array(3),
  }
  const balances = createBalances(plan, state)
  return {
    ...balances,
    flows: balances.flows(laws),
    plan,
    state,
    laws,
    part: takeAll(emptyPart(heap, plan)),
    at: (...values: number[]) => Float64Array.from(plan.nodeOf, (node) => values[node]),
    by: (values: Float64Array) => [values[plan.positionOf[0]], values[plan.positionOf[1]]],
    link: (index: number) => Array.from(plan.conduits.link).indexOf(index),
  }
}

describe('what a node holds', () => {
  test.each([
    ['in the middle', 4, 20 * 4 + 5 * 16, 60],
    ['near the bottom', 0.01, 0.2 + 5e-4, 20.1],
    ['at the bottom', 0, 0, 20],
    // Below its bottom and above its top a node's surface goes on as it was.
    ['below the bottom', -2, -40, 20],
    ['at the top', 10, 700, 120],
    ['above the top', 13, 700 + 3 * 120, 120],
  ])('%s: area 20 + 10 d, volume 20 d + 5 d2', (_, depth, volume, surface) => {
    const { stored, state, part, at, by } = tanks([20, 10])
    stored(at(100 + depth, 100, 90), at(1000, 0, 0), part)
    expect(by(state.vector)[0]).toBeCloseTo(1000 - volume, 3)
    expect(by(state.diagonal)[0]).toBeCloseTo(surface, 3)
    expect(by(state.vector)[1]).toBeCloseTo(0, 3)
  })

  test('above its level it gives out over the area that takes it', () => {
    const { stored, state, part, at, by } = tanks([20, 0])
    state.floodLevel.set(at(104, 104).subarray(0, 2))
    state.floodArea.fill(30)
    stored(at(106, 104, 90), at(0, 0, 0), part)
    expect(by(state.vector)[0]).toBeCloseTo(-(20 * 6 + 30 * 2), 3)
    expect(by(state.diagonal)[0]).toBeCloseTo(50, 3)
    expect(by(state.vector)[1]).toBeCloseTo(-80, 3)
    expect(by(state.diagonal)[1]).toBeCloseTo(20, 3)
  })

  test.each([
    ['both inside', 3, 5],
    ['outer below the bottom', 3, -1],
    ['now below the bottom', -1, 5],
    ['outer above the top', 4, 12],
    ['now above the top', 12, 4],
    ['between rows', 0.03, 0.09],
  ])('nested: where the surface shrinks, V2 is its tangent at the outer iterate (%s)', (_, depth, outer) => {
    // Area 120 - 10 d = p1 - p2 with p1 = 120, p2 = 10 d: V1 = 120 d, V2 = 5 d2; p2 stays 0 below and 100 above.
    const p2 = (d: number) => 10 * Math.min(Math.max(d, 0), 10)
    const v2 = (d: number) => (d <= 0 ? 0 : d <= 10 ? 5 * d * d : 500 + 100 * (d - 10))
    const { stored, state, part, at, by } = tanks([120, -10])
    stored(at(100 + depth, 100, 90), at(0, 0, 0), part, at(100 + outer, 100, 90))
    expect(by(state.vector)[0]).toBeCloseTo(-(120 * depth - v2(outer) - p2(outer) * (depth - outer)), 4)
    expect(by(state.diagonal)[0]).toBeCloseTo(120 - p2(outer), 4)
  })

  test('the rest of the matrix is emptied, for the nodes of the part alone', () => {
    const { stored, state, part, at, plan } = tanks([20, 0])
    state.upper.fill(7)
    state.lower.fill(7)
    state.vector.fill(7)
    state.diagonal.fill(7)
    const none = { ...part, nodeCount: 0 }
    stored(at(101, 101, 90), at(0, 0, 0), none)
    expect([state.upper[0], state.lower[0], state.vector[0], state.diagonal[0]]).toEqual([7, 7, 7, 7])
    stored(at(101, 101, 90), at(0, 0, 0), part)
    expect(plan.elimination.pairs).toBe(1)
    expect([state.upper[0], state.lower[0]]).toEqual([0, 0])
  })
})

describe('what conduits carry', () => {
  /** Vector and diagonal of A and B, entries (A, B) and (B, A), and the flow of one conduit by the law it has. */
  function carried(index: number, law: Partial<Record<keyof ConduitLaws, number>>, dt = 2) {
    const { flows, laws, state, part, at, by, link, plan } = tanks([20, 0])
    const c = link(index)
    for (const [name, value] of Object.entries(law)) laws[name as keyof ConduitLaws][c] = value
    flows(dt, at(105, 102, 95), part)
    const [ab, ba] =
      plan.positionOf[0] < plan.positionOf[1] ? [state.upper, state.lower] : [state.lower, state.upper]
    return {
      q: state.conduitFlow[c],
      vector: by(state.vector),
      diagonal: by(state.diagonal),
      pair: [ab[0], ba[0]],
    }
  }

  test('Q = constant + s1 H1 - s2 H2, by barrels and time, out of one node and into the other', () => {
    const law = { constant: 1, fromSlope: 0.1, toSlope: 0.2 }
    const q = 1 + 10.5 - 20.4
    const found = carried(0, law)
    expect(found.q).toBeCloseTo(q, 9)
    expect(found.vector[0]).toBeCloseTo(-6 * q, 9)
    expect(found.vector[1]).toBeCloseTo(6 * q, 9)
    expect(found.diagonal[0]).toBeCloseTo(0.6, 12)
    expect(found.diagonal[1]).toBeCloseTo(1.2, 12)
    // Rows are nodes: what A gives falls as B rises, what B gets rises as A rises.
    expect(found.pair[0]).toBeCloseTo(-1.2, 12)
    expect(found.pair[1]).toBeCloseTo(-0.6, 12)
  })

  test('a conduit the other way round fills the same places', () => {
    const found = carried(1, { constant: 1, fromSlope: 0.1, toSlope: 0.2 })
    const q = 1 + 10.2 - 21
    expect(found.q).toBeCloseTo(q, 9)
    expect(found.vector).toEqual([2 * found.q, -2 * found.q])
    expect(found.diagonal).toEqual([0.4, 0.2])
    expect(found.pair).toEqual([-0.2, -0.4])
  })

  test('one that ends in an outfall has no pair', () => {
    const found = carried(2, { constant: 1, fromSlope: 0.1, toSlope: 0.05 })
    const q = 1 + 10.2 - 4.75
    expect(found.vector[0]).toBe(0)
    expect(found.vector[1]).toBeCloseTo(-2 * q, 9)
    expect(found.diagonal).toEqual([0, 0.2])
    expect(found.pair).toEqual([0, 0])
  })

  test('a cap follows the upper head with its own slope', () => {
    const law = { constant: 0, fromSlope: 0.1, toSlope: 0, high: 0.5, highSlope: 0.01 }
    const found = carried(1, law)
    expect(found.q).toBeCloseTo(0.5 + 1.02, 12)
    expect(found.diagonal[1]).toBeCloseTo(0.02, 12)
    expect(found.diagonal[0]).toBe(0)
    expect(found.pair[0]).toBeCloseTo(-0.02, 12)
    expect(carried(1, { ...law, high: 50 }).q).toBeCloseTo(10.2, 12)
    // The cap takes the lower head's slope away too.
    const backed = carried(1, { constant: 20, fromSlope: 0.1, toSlope: 0.1, high: 0.5, highSlope: 0.01 })
    expect(backed.diagonal[0]).toBe(0)
  })

  test('a floor holds it without slopes', () => {
    const law = { constant: -20, fromSlope: 0.1, toSlope: 0.1, low: -0.5 }
    const found = carried(1, law)
    expect(found.q).toBe(-0.5)
    expect(found.vector).toEqual([-1, 1])
    expect(found.diagonal).toEqual([0, 0])
    expect(found.pair.map(Math.abs)).toEqual([0, 0])
    expect(carried(1, { ...law, low: -50 }).q).toBeCloseTo(-20 + 10.2 - 10.5, 9)
  })

  test('only those of the part', () => {
    const { flows, laws, state, part, at } = tanks([20, 0])
    laws.constant.fill(1)
    flows(2, at(105, 102, 95), { ...part, conduitCount: 0 })
    expect(Array.from(state.vector)).toEqual([0, 0])
  })
})
