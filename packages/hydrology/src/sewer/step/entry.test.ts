import { describe, expect, test } from 'vitest'
import { layOutSections } from '../network/conduit-sections.ts'
import { planSewer } from '../network/plan.ts'
import { heap } from '../network/room.ts'
import { createViews } from '../results/views.ts'
import { conduit, junction, network, outfall, section } from '../testing/build.ts'
import { createEntry } from './entry.ts'
import { createState } from './kernel.ts'

/** One junction, bottom at 10 m, rim at 15 m. */
function junctionOf(coupled: boolean) {
  const net = network(
    [outfall('O', 9), junction('J', 10, { surchargeDepthM: 0.25 })],
    [conduit('C', 1, 0, 50, section('CIRCULAR', 1))],
  )
  const plan = planSewer(net)
  const state = createState(plan, heap, plan.elimination)
  const views = createViews(net, plan, layOutSections(plan.conduits, net.options), state, coupled)
  const lateral = Float64Array.of(100, 6)
  const entry = createEntry(plan, state, views, lateral, coupled)
  return {
    state,
    views,
    entry,
    enter(head: number, volume: number, dt = 2, share = 1) {
      state.head[0] = head
      state.volume[0] = volume
      entry.enter(0, dt, share)
      return {
        leaves: state.canLeave[0],
        wanted: state.wanted[0],
        level: state.floodLevel[0],
        area: state.floodArea[0],
      }
    },
  }
}

describe('a node enters a step', () => {
  test('with what it holds and its share of what comes', () => {
    const { enter } = junctionOf(false)
    expect(enter(11, 4).wanted).toBe(10)
    expect(enter(11, 4, 2, 0.5).wanted).toBe(7)
  })

  test('may give water if it has some, deeper than a film', () => {
    const { enter } = junctionOf(false)
    expect(
      [enter(11, 4), enter(11, 0), enter(10 + 2e-5, 4), enter(10 + 4e-5, 4), enter(9, 4)].map(
        (e) => e.leaves,
      ),
    ).toEqual([1, 0, 0, 1, 0])
  })

  test('alone it lets go above its rim and what surcharge that bears, over a large area', () => {
    const { enter, views } = junctionOf(false)
    views.surfaceLevels.fill(20)
    views.openingAreas.fill(1)
    expect(enter(11, 4)).toMatchObject({ level: 15.25, area: 1e4 })
  })

  test('coupled it does so above the surface’s level, through its opening', () => {
    const { enter, views } = junctionOf(true)
    expect(enter(11, 4)).toMatchObject({ level: 15.25, area: 1e4 })
    views.surfaceLevels[1] = 16
    expect(enter(11, 4).level).toBe(16)
    views.surfaceLevels[1] = 12
    expect(enter(11, 4).level).toBe(15.25)
    // Q = 0.6 A sqrt(2 g h), h the head over the level before the step: Q / h stands for the area, 1 cm at least.
    views.surfaceLevels[1] = 16
    views.openingAreas[1] = 0.3
    expect(enter(16.5, 4).area * 0.5).toBeCloseTo(2 * 0.6 * 0.3 * Math.sqrt(2 * 9.81 * 0.5), 9)
    const least = 2 * 0.6 * 0.3 * Math.sqrt((2 * 9.81) / 0.01)
    for (const head of [11, 16, 16.005, 16.01]) expect(enter(head, 4).area).toBeCloseTo(least, 9)
    expect(enter(16.02, 4).area).toBeLessThan(least)
    expect(enter(16.5, 4, 4).area).toBeCloseTo(2 * enter(16.5, 4).area, 9)
    views.surfaceLevels[1] = Infinity
    expect(enter(11, 4)).toMatchObject({ level: Infinity, area: 0 })
  })
})

test('a dry node that rises by more than 10 cm in a step is heaped up', () => {
  const { state, entry } = junctionOf(true)
  const heaped = (from: number, to: number) => {
    state.head[0] = 10 + from
    state.trial[0] = 10 + to
    expect(entry.floodsDryNode()).toBe(entry.floodsDry(0))
    return entry.floodsDry(0)
  }
  expect(heaped(0.01, 0.12)).toBe(true)
  expect(heaped(0.01, 0.1)).toBe(false)
  expect(heaped(0.03, 0.5)).toBe(false)
})
