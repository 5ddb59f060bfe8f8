import type { SewerNetwork } from '@radx/contracts'
import { expect, test } from 'vitest'
import { layOutSections } from '../network/conduit-sections.ts'
import { planSewer } from '../network/plan.ts'
import { heap } from '../network/room.ts'
import { createState } from '../step/kernel.ts'
import { conduit, junction, network, outfall, section } from '../testing/build.ts'
import { pump } from '../testing/devices.ts'
import { createLedger, type LedgerInput } from './ledger.ts'
import { createViews } from './views.ts'

const PIPE = section('CIRCULAR', 1)

/** The ledger of a network of two conduits at the most, with what it reads. */
function ledgerOf(net: SewerNetwork) {
  const plan = planSewer(net)
  const state = createState(plan, heap, plan.elimination)
  state.floodLevel.fill(Infinity)
  const views = createViews(net, plan, layOutSections(plan.conduits, net.options), state, false)
  const pumps = net.links.flatMap((link, k) => (link.kind === 'pump' ? [{ ...link, k }] : []))
  const devices = {
    count: pumps.length,
    from: Int32Array.from(pumps, ({ from }) => plan.positionOf[from]),
    to: Int32Array.from(pumps, ({ to }) => plan.positionOf[to]),
    link: Int32Array.from(pumps, ({ k }) => k),
    flow: new Float64Array(pumps.length),
  }
  const refinement = {
    inside: new Uint8Array(2),
    conduitInside: new Uint8Array(2),
    carried: new Float64Array(2),
    flooded: new Float64Array(2),
  }
  const lateral = new Float64Array(net.nodes.length)
  const updates: Float64Array[] = []
  const reaches = { count: 0, update: (heads: Float64Array) => updates.push(heads.slice()) }
  const read = { plan, state, views, lateral, devices, refinement, reaches, overflows: false }
  return { ...read, updates, ledger: createLedger(read as unknown as LedgerInput) }
}

/** A and B over an outfall; the pipe from A to B is laid against its fall and has two barrels. */
function books() {
  const opened = ledgerOf(
    network(
      [junction('A', 10), junction('B', 11), outfall('O', 9)],
      [
        conduit('AB', 0, 1, 50, { ...PIPE, barrels: 2 }),
        conduit('BO', 1, 2, 50, PIPE),
        pump({ to: 2, type: 0, curve: null }),
      ],
    ),
  )
  const [A, B, O] = opened.plan.positionOf
  const c = (link: number) => Array.from(opened.plan.conduits.link).indexOf(link)
  return { ...opened, A, B, O, ab: c(0), bo: c(1) }
}

test('what leaves one node enters the other, by all barrels; the link shows it in its own direction', () => {
  const { ledger, state, views, devices, A, B, O, ab, bo } = books()
  // From B, the higher one, to A: 0.5 m3/s a barrel.
  state.conduitFlow[ab] = state.meanFlow[ab] = 0.5
  state.conduitFlow[bo] = state.meanFlow[bo] = 0.3
  devices.flow[0] = 0.2
  state.wanted[A] = 5
  state.wanted[B] = 20
  state.nextArea[ab] = 0.7
  ledger.accept(4, 0.25)
  expect(state.volume[A]).toBeCloseTo(5 + 4 * (1 - 0.2), 12)
  expect(state.volume[B]).toBeCloseTo(20 - 4 * (1 + 0.3), 12)
  expect(Array.from(views.passed, (volume) => Number(volume.toFixed(12)))).toEqual([-4, 1.2, 0.8])
  expect([state.flow[ab], state.area[ab], state.lastStepS[ab]]).toEqual([0.5, 0.7, 4])
  expect(ledger.totals.outfall).toBeCloseTo(4 * 0.5, 12)
  expect(views.outfallVolumes[2]).toBeCloseTo(2, 12)
  expect(ledger.totals.loss).toBe(0.25)
  // What arrives, m3/s: only what flows in counts.
  expect(ledger.arriving[A]).toBeCloseTo(1, 12)
  expect(ledger.arriving[B]).toBe(0)
  expect(ledger.arriving[O]).toBeCloseTo(0.5, 12)
})

test('backflow arrives at the upper end, and counts as negative at the outfall', () => {
  const { ledger, state, views, A, B, O, ab, bo } = books()
  state.conduitFlow[ab] = state.meanFlow[ab] = -0.5
  state.conduitFlow[bo] = state.meanFlow[bo] = -0.3
  ledger.accept(2, 0)
  expect(ledger.arriving[B]).toBeCloseTo(1.3, 12)
  expect(ledger.arriving[A]).toBe(0)
  expect(ledger.arriving[O]).toBe(0)
  expect(views.outfallVolumes[2]).toBeCloseTo(-0.6, 12)
  ledger.accept(2, 0.5)
  // Sums of the caller's step and of all time, and what arrives is of the last step.
  expect(ledger.totals.outfall).toBeCloseTo(-1.2, 12)
  expect(views.outfallVolumes[2]).toBeCloseTo(-1.2, 12)
  expect(views.passed[1]).toBeCloseTo(-1.2, 12)
  expect(ledger.totals.loss).toBe(0.5)
  expect(ledger.arriving[B]).toBeCloseTo(1.3, 12)
})

test('inflows are counted, arrive at their node, and pass straight through an outfall', () => {
  const { ledger, views, lateral, A, O } = books()
  lateral.set([6, 0, 3])
  ledger.accept(2, 0)
  ledger.accept(2, 0)
  expect(ledger.totals.inflow).toBe(18)
  expect(Array.from(views.lateralVolumes)).toEqual([12, 0, 6])
  expect(ledger.arriving[A]).toBe(3)
  expect(ledger.arriving[O]).toBe(0)
  expect(ledger.totals.outfall).toBe(6)
})

test('water above a node’s level leaves by the area that takes it; heads and their speed go on', () => {
  const { ledger, state, views, A, B } = books()
  state.head[A] = 10
  state.trial[A] = 13
  state.floodLevel[A] = 12.5
  state.floodArea[A] = 4
  state.wanted[A] = 10
  state.trial[B] = 12
  state.floodLevel[B] = 12
  state.floodArea[B] = 4
  state.head[B] = 12.5
  ledger.accept(2, 0)
  expect(state.volume[A]).toBe(8)
  expect(Array.from(views.floodVolumes)).toEqual([2, 0, 0])
  expect([state.head[A], state.rate[A]]).toEqual([13, 1.5])
  expect([state.head[B], state.rate[B]]).toEqual([12, -0.25])
  ledger.accept(2, 0)
  expect(ledger.totals.flooded).toBe(4)
  expect(views.floodVolumes[0]).toBe(4)
})

test('a part that was solved apart keeps its state; its volumes are those that it carried', () => {
  const { ledger, state, views, refinement, lateral, A, B, ab, bo } = books()
  const set = (k: number) => {
    refinement.inside[k] = 1
    refinement.flooded[k] = 0.5
    state.volume[k] = 7
    state.head[k] = 11
    state.trial[k] = 15
    state.floodLevel[k] = 12
    state.floodArea[k] = 1
  }
  set(A)
  set(B)
  lateral[0] = 2
  refinement.conduitInside.fill(1)
  refinement.carried[ab] = 1.5
  refinement.carried[bo] = 0.25
  state.conduitFlow.fill(9)
  state.meanFlow.fill(9)
  state.flow[ab] = 0.1
  ledger.accept(2, 0)
  expect([state.volume[A], state.head[A], state.flow[ab]]).toEqual([7, 11, 0.1])
  expect(Array.from(views.passed)).toEqual([-1.5, 0.25, 0])
  expect(Array.from(views.floodVolumes)).toEqual([0.5, 0.5, 0])
  expect(ledger.totals.flooded).toBe(1)
  expect(ledger.totals.outfall).toBe(0.25)
  expect(ledger.totals.inflow).toBe(2)
})

test('reaches settle their volumes at the new heads, if there are any', () => {
  const none = books()
  none.ledger.accept(1, 0)
  expect(none.updates).toEqual([])
  const some = books()
  some.reaches.count = 1
  some.state.trial[some.A] = 10.5
  some.ledger.accept(1, 0)
  expect(some.updates.map((heads) => heads[some.A])).toEqual([10.5])
})

test('a refined pipe whose upper end is an outfall brings its water in from there', () => {
  // An outfall above the junction: the plan turns the pipe round.
  const { ledger, plan, views, refinement } = ledgerOf(
    network([junction('A', 10), outfall('O', 11)], [conduit('C', 0, 1, 50, PIPE)]),
  )
  expect(plan.conduits.from[0]).toBe(plan.positionOf[1])
  refinement.conduitInside[0] = 1
  refinement.carried[0] = 0.75
  ledger.accept(1, 0)
  expect(ledger.totals.outfall).toBe(-0.75)
  expect(views.passed[0]).toBe(-0.75)
})
