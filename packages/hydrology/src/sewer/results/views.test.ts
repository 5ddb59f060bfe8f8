import type { SewerLink, SewerNetwork, SewerNode, SewerOptions } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { layOutSections } from '../network/conduit-sections.ts'
import { planSewer } from '../network/plan.ts'
import { heap } from '../network/room.ts'
import { FLOOD_AREA_M2 } from '../step/entry.ts'
import { createState } from '../step/kernel.ts'
import { conduit, junction, network, outfall, section, tank } from '../testing/build.ts'
import { pump } from '../testing/devices.ts'
import { createViews } from './views.ts'

/** A channel 2 m wide and a square pipe: their tables are exact at whole centimetres. */
const CHANNEL = section('RECT_OPEN', 2.56, 2)
const BOX = section('RECT_CLOSED', 1.28, 2)

interface Given {
  options?: Partial<SewerOptions>
  coupled?: boolean
  rules?: SewerNetwork['rules']
}
function seen(nodes: SewerNode[], links: SewerLink[], { options, coupled = false, rules = [] }: Given = {}) {
  const net = { ...network(nodes, links, options), rules }
  const plan = planSewer(net)
  const state = createState(plan, heap, plan.elimination)
  const views = createViews(net, plan, layOutSections(plan.conduits, net.options), state, coupled)
  return {
    views,
    state,
    plan,
    /** Heads by the file's order of nodes. */
    stand(...heads: number[]) {
      heads.forEach((head, n) => {
        state.head[plan.positionOf[n]] = head
      })
    },
  }
}

describe('what stays', () => {
  const nodes = [
    outfall('O', 9),
    junction('A', 11, { fullDepthM: 2, surchargeDepthM: 0.5, pondedAreaM2: 10 }),
    junction('B', 10, { fullDepthM: 3 }),
  ]
  const links = [
    conduit('C', 1, 2, 50, BOX, { inOffsetM: 0.5, outOffsetM: 0.25 }),
    conduit('D', 2, 1, 50, CHANNEL, { inOffsetM: 0.1, outOffsetM: 0.2 }),
    pump({ from: 2, to: 0 }),
    conduit('E', 2, 0, 50, BOX),
  ]

  test('elevations, by the file', () => {
    const { views } = seen(nodes, links)
    expect([...views.invertElevations]).toEqual([9, 11, 10])
    // A's rim is raised to the channel's crown, the outfall's to the pipe's.
    expect(Array.from(views.groundElevations, (z) => Number(z.toFixed(9)))).toEqual([10.28, 13.76, 13])
    expect([...views.linkFullDepths]).toEqual([1.28, 2.56, 0, 1.28])
    // The channel rises: it is solved the other way round.
    expect(Array.from(views.crowns, (z) => Number(z.toFixed(9)))).toEqual([
      12.78, 11.53, 12.66, 13.76, 0, 0, 11.28, 10.28,
    ])
  })

  test('levels above which nodes give out: rim and surcharge, never where water ponds', () => {
    const levels = (given: Given, pondedAreaM2 = 10) => {
      const { views } = seen([nodes[0], { ...nodes[1], pondedAreaM2 }, nodes[2]], links, given)
      expect([...views.surfaceLevels]).toEqual([...views.rim])
      return Array.from(views.rim, (z) => Number(z.toFixed(9)))
    }
    expect(levels({})).toEqual([10.28, 14.26, 13])
    const options = { allowPonding: true }
    expect(levels({ options })).toEqual([10.28, Infinity, 13])
    expect(levels({ options }, 0)).toEqual([10.28, 14.26, 13])
    expect(levels({ options, coupled: true })).toEqual([10.28, 14.26, 13])
  })

  test('openings are without bounds until the surface says another', () => {
    expect([...seen(nodes, links).views.openingAreas]).toEqual([Infinity, Infinity, Infinity])
  })
})

describe('after a step', () => {
  const nodes = [tank('A', 10, 5), outfall('O', 9), tank('B', 11, 5)]

  test('heads, depths and volumes, by the file; a head below the bottom is the bottom', () => {
    const { views, state, plan, stand } = seen(nodes, [])
    stand(12, 9.5, 10.9)
    state.volume[plan.positionOf[0]] = 7
    state.volume[plan.positionOf[2]] = 0.5
    views.publish(2)
    expect([...views.heads]).toEqual([12, 9.5, 11])
    expect([...views.depths]).toEqual([2, 0.5, 0])
    expect([...views.volumes]).toEqual([7, 0, 0.5])
  })

  test('what leaves at once leaves the head at its level; through an opening it stands above', () => {
    const { views, state, plan, stand } = seen(nodes, [])
    stand(12.002, 9, 12.5)
    const [a, , b] = plan.positionOf
    state.floodLevel.fill(12)
    state.floodArea[a] = FLOOD_AREA_M2
    state.floodArea[b] = 3
    views.publish(2)
    expect([...views.heads]).toEqual([12, 9, 12.5])
    // Below the level it is the head.
    stand(11.5, 9, 11.5)
    views.publish(2)
    expect([...views.heads]).toEqual([11.5, 9, 11.5])
  })

  test('flows are what links carried over the time; none before the first step', () => {
    const { views } = seen(nodes, [conduit('C', 0, 1, 10, BOX), pump({ from: 0, to: 2 })])
    views.passed.set([6, -3])
    views.publish(2)
    expect([...views.flows]).toEqual([3, -1.5])
    views.publish(0)
    expect([...views.flows]).toEqual([0, 0])
  })

  test('volumes of the step are forgotten together', () => {
    const { views } = seen(nodes, [conduit('C', 0, 1, 10, BOX)])
    const all = [views.floodVolumes, views.outfallVolumes, views.lateralVolumes, views.passed]
    for (const values of all) values.fill(4)
    views.clear()
    for (const values of all) expect(new Set(values)).toEqual(new Set([0]))
  })
})

describe('links', () => {
  const nodes = [junction('A', 10), junction('B', 10), outfall('O', 9)]
  const at = (link: SewerLink, heads: number[], carried = 6) => {
    const { views, stand } = seen(nodes, [link])
    stand(...heads)
    views.passed.fill(carried)
    views.publish(2)
    views.describeLinks()
    return [views.linkDepths[0], views.velocities[0]]
  }

  test('have the mean depth of their ends, and the speed of a barrel', () => {
    const [depth, speed] = at(conduit('C', 0, 1, 100, { ...CHANNEL, barrels: 3 }), [10.6, 10.2, 9])
    expect(depth).toBeCloseTo(0.4, 12)
    // 3 m3/s in three barrels of 2 m x 0.4 m.
    expect(speed).toBeCloseTo(1 / 0.8, 9)
    const [back] = [at(conduit('C', 1, 0, 100, CHANNEL), [10.6, 10.2, 9], -6)]
    expect(back[0]).toBeCloseTo(0.4, 12)
    expect(back[1]).toBeCloseTo(-3 / 0.8, 9)
  })

  test('between two rows of the table as well', () => {
    const [depth, speed] = at(conduit('C', 0, 1, 100, CHANNEL), [10.403, 10.403, 9])
    expect(depth).toBeCloseTo(0.403, 12)
    expect(speed).toBeCloseTo(3 / 0.806, 9)
  })

  test('each end counts from its own bottom, from nothing to full', () => {
    const offsets = { inOffsetM: 0.5, outOffsetM: 0.3 }
    expect(at(conduit('C', 0, 1, 100, BOX, offsets), [11, 10.4, 9])[0]).toBeCloseTo((0.5 + 0.1) / 2, 12)
    expect(at(conduit('C', 0, 1, 100, BOX, offsets), [10.2, 10.7, 9])[0]).toBeCloseTo(0.2, 12)
    expect(at(conduit('C', 0, 1, 100, BOX, offsets), [10.9, 10.1, 9])[0]).toBeCloseTo(0.2, 12)
    expect(at(conduit('C', 0, 1, 100, BOX, offsets), [10.9, 30, 9])[0]).toBeCloseTo((0.4 + 1.28) / 2, 12)
    expect(at(conduit('C', 0, 1, 100, BOX, offsets), [30, 10.5, 9])[0]).toBeCloseTo((1.28 + 0.2) / 2, 12)
  })

  test('full ones have the whole section', () => {
    const [depth, speed] = at(conduit('C', 0, 1, 100, BOX), [20, 18, 9])
    expect(depth).toBe(1.28)
    expect(speed).toBeCloseTo(3 / 2.56, 9)
  })

  test('a film has no speed, up to a hundredth of a foot', () => {
    const speeds = [0.003048, 0.0031].map((film) => {
      const { views, state } = seen([junction('A', 0), junction('B', 0)], [conduit('C', 0, 1, 100, CHANNEL)])
      state.head.fill(film)
      views.passed.fill(0.01)
      views.publish(1)
      views.describeLinks()
      return views.velocities[0]
    })
    expect(speeds[0]).toBe(0)
    expect(speeds[1]).toBeCloseTo(0.01 / (2 * 0.0031), 9)
    // One that has run dry no longer has the speed that it had.
    const { views, stand } = seen(nodes, [conduit('C', 0, 1, 100, CHANNEL)])
    stand(10.5, 10.5, 9)
    views.passed.fill(1)
    views.publish(1)
    views.describeLinks()
    expect(views.velocities[0]).toBeGreaterThan(0)
    stand(10, 10, 9)
    views.publish(1)
    views.describeLinks()
    expect(views.velocities[0]).toBe(0)
  })

  test('each of several has its own section', () => {
    const links = [conduit('C', 0, 1, 100, BOX), conduit('D', 1, 2, 50, section('RECT_OPEN', 2.56, 5))]
    const { views, stand } = seen([junction('A', 10), junction('B', 10), outfall('O', 10)], links)
    stand(10.5, 10.5, 10.5)
    views.passed.fill(1)
    views.publish(1)
    views.describeLinks()
    expect(views.velocities[0]).toBeCloseTo(1, 9)
    expect(views.velocities[1]).toBeCloseTo(1 / 2.5, 9)
  })

  test('are described when they are asked for, once a step; at once where rules may ask', () => {
    const link = conduit('C', 0, 1, 100, CHANNEL)
    const { views, stand } = seen(nodes, [link])
    stand(10.5, 10.5, 9)
    views.publish(1)
    expect(views.linkDepths[0]).toBe(0)
    views.describeLinks()
    expect(views.linkDepths[0]).toBeCloseTo(0.5, 12)
    stand(10.8, 10.8, 9)
    views.describeLinks()
    expect(views.linkDepths[0]).toBeCloseTo(0.5, 12)
    views.publish(1)
    expect(views.linkDepths[0]).toBeCloseTo(0.5, 12)
    views.describeLinks()
    expect(views.linkDepths[0]).toBeCloseTo(0.8, 12)

    const rule = { name: 'R' } as SewerNetwork['rules'][number]
    const ruled = seen(nodes, [link], { rules: [rule] })
    ruled.stand(10.5, 10.5, 9)
    ruled.views.publish(1)
    expect(ruled.views.linkDepths[0]).toBeCloseTo(0.5, 12)
  })
})
