import type { SewerLink, SewerNode, SewerOptions, SewerStorage } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { conduit, junction, network, outfall, section, tank } from '../testing/build.ts'
import { orifice, pump, weir } from '../testing/devices.ts'
import { volumeAt } from './node-volume.ts'
import { planSewer } from './plan.ts'

/** An open channel 2 m wide, and one whose width grows by 2 m a metre of depth: their formulas are exact. */
const CHANNEL = section('RECT_OPEN', 3, 2)
const TRAPEZIUM = section('TRAPEZOIDAL', 3, 1, 1, 1)
const PIPE = section('CIRCULAR', 1)

function planned(
  nodes: SewerNode[],
  links: SewerLink[],
  options: Partial<SewerOptions> = {},
  middleDepthFromM?: number,
) {
  const plan = planSewer(network(nodes, links, { minSurfaceAreaM2: 0, ...options }), middleDepthFromM)
  const { positionOf, volumes, fullDepth, joined } = plan
  return {
    ...plan,
    /** By the file's order of nodes. */
    volume: (node: number, depthM: number) => volumeAt(volumes, positionOf[node], depthM),
    rims: Array.from(positionOf, (p) => fullDepth[p]),
    joinedNodes: Array.from(positionOf, (p) => joined[p]),
    /** By the file's order of links. */
    ofLink: <T>(values: ArrayLike<T>) => links.map((_, i) => values[plan.conduits.link.indexOf(i)]),
  }
}
const row = (count: number) =>
  Array.from({ length: count }, (_, i) => junction(`J${i}`, 10, { initDepthM: 0 }))

describe('places', () => {
  test('nodes that are solved for come first, then outfalls in the order of the file', () => {
    const nodes = [outfall('O', 5), junction('A', 10), outfall('P', 4), tank('B', 9, 1), outfall('Q', 3)]
    const plan = planned(nodes, [conduit('C', 1, 3, 10, PIPE), conduit('D', 3, 0, 10, PIPE)])
    expect(plan.unknowns).toBe(2)
    expect([...plan.nodeOf.subarray(0, 2)].sort()).toEqual([1, 3])
    expect([...plan.nodeOf.subarray(2)]).toEqual([0, 2, 4])
    expect(Array.from(plan.positionOf, (p) => plan.nodeOf[p])).toEqual([0, 1, 2, 3, 4])
    expect(Array.from(plan.positionOf, (p) => plan.invert[p])).toEqual([5, 10, 4, 9, 3])
  })

  test('pipes lie in the order in which the first of their nodes is eliminated', () => {
    // A row of five with two more at its middle, pipes in no order.
    const ends = [
      [3, 4],
      [0, 1],
      [2, 5],
      [2, 3],
      [6, 2],
      [1, 2],
    ]
    const { positionOf, conduits } = planned(
      row(7),
      ends.map(([from, to], i) => conduit(`C${i}`, from, to, 10, PIPE)),
    )
    const first = Array.from(conduits.link, (i) => Math.min(...ends[i].map((node) => positionOf[node])))
    expect(first).toEqual([...first].sort((a, b) => a - b))
    expect([...conduits.link].sort()).toEqual([0, 1, 2, 3, 4, 5])
    expect([...conduits.link]).not.toEqual([0, 1, 2, 3, 4, 5])
  })

  test('links have the pair of their two nodes in the matrix, none at an outfall or on one node alone', () => {
    const links = [
      conduit('C', 0, 1, 10, PIPE),
      conduit('D', 2, 1, 10, PIPE),
      conduit('E', 1, 0, 10, PIPE),
      conduit('F', 2, 3, 10, PIPE),
      conduit('G', 2, 2, 10, PIPE),
      pump({ from: 1, to: 2 }),
      orifice({ from: 3, to: 1 }),
    ]
    const plan = planned([...row(3), outfall('O', 5)], links)
    const { elimination, positionOf, devices } = plan
    const pairOf = (from: number, to: number) => {
      const [a, b] = [positionOf[from], positionOf[to]].sort((one, other) => one - other)
      const { start, partner } = elimination
      return partner.subarray(start[a], start[a + 1]).indexOf(b) + start[a]
    }
    expect(plan.ofLink(plan.conduitPair).slice(0, 5)).toEqual([
      pairOf(0, 1),
      pairOf(1, 2),
      pairOf(0, 1),
      -1,
      -1,
    ])
    expect(elimination.pairs).toBe(2)
    expect(devices).toEqual([5, 6])
    expect([...plan.devicePair]).toEqual([pairOf(1, 2), -1])
  })
})

describe('sections', () => {
  test('are tabulated once for all that are alike, and not for dummies and pumps', () => {
    const { sections, devices } = planned(row(2), [
      conduit('C', 0, 1, 10, section('RECT_CLOSED', 1, 12)),
      conduit('D', 0, 1, 20, section('RECT_CLOSED', 1, 12)),
      conduit('E', 0, 1, 10, section('RECT_CLOSED', 11, 2)),
      conduit('F', 0, 1, 10, section('DUMMY')),
      pump(),
    ])
    expect(sections.map((table) => table?.fullDepthM)).toEqual([1, 1, 11, undefined, undefined])
    expect(sections[1]).toBe(sections[0])
    expect(devices).toEqual([3, 4])
  })
})

describe('rims', () => {
  const nodes = (more = {}) => [
    junction('A', 10, { fullDepthM: 1, ...more }),
    junction('B', 10, { fullDepthM: 1, ...more }),
  ]
  const link = conduit('C', 0, 1, 10, PIPE, { inOffsetM: 0.5, outOffsetM: 0.75 })

  test('are raised to the highest crown at both ends of a pipe', () => {
    expect(planned(nodes(), [link]).rims).toEqual([1.5, 1.75])
    expect(planned(nodes({ fullDepthM: 4 }), [link]).rims).toEqual([4, 4])
    expect(planned(nodes(), []).rims).toEqual([1, 1])
  })

  test('are raised above the upper node of orifices and weirs, but not by a hole in the bottom', () => {
    expect(planned(nodes(), [weir({ offsetM: 0.5 })]).rims).toEqual([1.5, 1])
    expect(planned(nodes(), [orifice({ offsetM: 0.9 })]).rims).toEqual([1.3, 1])
    expect(planned(nodes(), [orifice({ offsetM: 0.9, orientation: 'bottom' })]).rims).toEqual([1, 1])
  })

  test('of a storage node are those of the file, unless it may be surcharged', () => {
    const tanks = (surchargeDepthM: number) => [
      tank('A', 10, 1, { fullDepthM: 1, surchargeDepthM }),
      junction('B', 10, { fullDepthM: 1 }),
    ]
    expect(planned(tanks(0), [link]).rims).toEqual([1, 1.75])
    expect(planned(tanks(0.1), [link]).rims).toEqual([1.5, 1.75])
  })
})

describe('what nodes hold', () => {
  test.each([
    ['from', 0, { inOffsetM: 0.5 }],
    ['to', 1, { outOffsetM: 0.5 }],
  ])('is half of each pipe, above its own end of it, in all barrels: %s', (_, high, ends) => {
    const made = planned(row(2), [conduit('C', 0, 1, 100, { ...CHANNEL, barrels: 3 }, ends)])
    // 2 m wide, 50 m long, three of them.
    expect(made.volume(high, 0.4)).toBeLessThan(1)
    expect(made.volume(high, 1.5) - made.volume(high, 0.75)).toBeCloseTo(0.75 * 300, 6)
    expect(made.volume(1 - high, 0.4)).toBeCloseTo(0.4 * 300, 6)
  })

  test('is of all pipes, up to the highest crown', () => {
    const made = planned(row(3), [conduit('C', 0, 1, 100, TRAPEZIUM), conduit('D', 2, 0, 40, TRAPEZIUM)])
    // y (1 + y) over 50 + 20 m.
    for (const depth of [0.5, 1, 2.5]) expect(made.volume(0, depth)).toBeCloseTo(70 * depth * (1 + depth), 1)
    expect(made.volume(1, 2)).toBeCloseTo(50 * 6, 1)
    expect(made.volume(2, 2)).toBeCloseTo(20 * 6, 1)
  })

  test('of a meandering channel is along the flood plain', () => {
    const transect = {
      name: 'T',
      stationsM: [0, 0, 4, 4],
      elevationsM: [2, 0, 0, 2],
      leftBankM: 0,
      rightBankM: 4,
      nLeft: 0.03,
      nRight: 0.03,
      nChannel: 0.03,
      lengthFactor: 1.25,
    }
    const made = planned(row(2), [conduit('C', 0, 1, 100, { ...section('IRREGULAR'), transect })])
    expect(made.volume(0, 1.5) / made.volume(0, 0.75)).toBeCloseTo(2, 1)
    expect(made.volume(0, 1.5)).toBeCloseTo(4 * 1.5 * 40, -1)
  })

  test('of a pipe that begins and ends at one node is one half of it', () => {
    const made = planned(row(1), [conduit('C', 0, 0, 100, CHANNEL)])
    expect(made.volume(0, 1)).toBeCloseTo(50 * 2, 2)
  })

  test('of a storage node is its own shape up to its top, with its pipes', () => {
    // 1 m2 at the bottom, 3 m2 in 4 m.
    const shape: SewerStorage['shape'] = { type: 'functional', coefficient: 0.5, exponent: 1, constant: 1 }
    const storage = tank('S', 10, 0, { fullDepthM: 4, shape })
    expect(planned([storage], []).volume(0, 4)).toBeCloseTo(8, 6)
    const made = planned([storage, junction('J', 10)], [conduit('C', 0, 1, 1, CHANNEL)])
    expect(made.volume(0, 4)).toBeCloseTo(8 + 4, 6)
    expect(made.volume(1, 4)).toBeCloseTo(4, 6)
  })

  test('has ponds above the rim where they are allowed', () => {
    const pond = [junction('J', 10, { fullDepthM: 2, pondedAreaM2: 500 })]
    const made = planned(pond, [], { allowPonding: true, minSurfaceAreaM2: 1 })
    expect(made.volume(0, 4) - made.volume(0, 3)).toBeCloseTo(500, 6)
    expect(planned(pond, [], { minSurfaceAreaM2: 1 }).volume(0, 4)).toBeCloseTo(4, 6)
  })
})

describe('what is solved otherwise', () => {
  const three = (lengthM: number, more = {}) => [
    conduit('C', 0, 1, lengthM, CHANNEL, more),
    conduit('D', 1, 2, 50, CHANNEL),
    conduit('E', 2, 3, 50, CHANNEL),
  ]

  test('pipes longer than 200 m store by themselves, their nodes next to nothing of them', () => {
    expect([...planned(row(4), three(200)).reaches]).toEqual([])
    const made = planned(row(4), three(201))
    expect(Array.from(made.reaches, (c) => made.conduits.link[c])).toEqual([0])
    expect(made.volume(0, 1)).toBeLessThan(0.16)
    expect(made.volume(1, 1)).toBeCloseTo(50, 1)
    expect(planned(row(4), three(60), {}, 50).reaches).toHaveLength(1)
  })

  test('the least surface of a node goes over into that of a long pipe', () => {
    // 201 m2 at each end of the pipe, where the least is 2 m2.
    const made = planned(row(2), [conduit('C', 0, 1, 201, CHANNEL)], { minSurfaceAreaM2: 2 })
    expect(made.volume(0, 0.1)).toBeCloseTo(0.2, 2)
    expect(made.volume(0, 2) - made.volume(0, 1)).toBeLessThan(0.16)
  })

  test('a lower end that hangs above its node leaves it its least surface', () => {
    const hung = [conduit('C', 0, 1, 100, CHANNEL, { outOffsetM: 0.5 })]
    const nodes = [junction('A', 12), junction('B', 10)]
    const made = planned(nodes, hung, { minSurfaceAreaM2: 2 })
    expect([...made.hanging]).toEqual([1])
    expect([...made.reaches]).toEqual([0])
    // The least surface of B stays.
    expect(made.volume(1, 2) - made.volume(1, 1)).toBeCloseTo(2, 2)
  })

  test.each<[string, [number, number], [number, number], number]>([
    ['the end of one that falls as it runs', [12, 10], [0, 0.5], 1],
    ['its begin', [12, 10], [0.5, 0], 0],
    ['the begin of one that rises', [10, 12], [0.5, 0], 1],
    ['the end of it', [10, 12], [0, 0.5], 0],
    ['a millimetre', [12, 10], [0, 0.001], 0],
    ['more than that', [12, 10], [0, 0.0011], 1],
    // Bottoms of the pipe count, not those of its nodes.
    ['an end under which the node lies higher', [10, 11], [3, 0.5], 1],
    ['one that only its begin’s height makes fall', [10, 11], [0.8, 0.5], 1],
    ['a level one: its end', [10, 10], [0.5, 0.5], 1],
    ['a level one that its end’s height makes', [10.5, 10], [0, 0.5], 1],
    ['none', [12, 10], [0, 0], 0],
  ])('a conduit hangs by %s', (_, bottoms, [inOffsetM, outOffsetM], hangs) => {
    const nodes = bottoms.map((invertM, i) => junction(`J${i}`, invertM))
    const made = planned(nodes, [conduit('C', 0, 1, 100, PIPE, { inOffsetM, outOffsetM })])
    expect([...made.hanging]).toEqual([hangs])
    expect(made.reaches).toHaveLength(hangs)
  })

  test('nothing hangs at an outfall, which has its own rule', () => {
    const falls = conduit('C', 0, 1, 100, PIPE, { outOffsetM: 0.5 })
    expect([...planned([junction('A', 12), outfall('O', 10)], [falls]).hanging]).toEqual([0])
    const rises = conduit('C', 0, 1, 100, PIPE, { inOffsetM: 0.5 })
    expect([...planned([outfall('O', 10), junction('A', 12)], [rises]).hanging]).toEqual([0])
  })

  test('nodes that a device, a long or a hanging pipe or one that seeps joins are solved with the whole', () => {
    expect(planned(row(4), three(50)).joinedNodes).toEqual([0, 0, 0, 0])
    expect(planned(row(4), three(201)).joinedNodes).toEqual([1, 1, 0, 0])
    expect(planned(row(4), three(50, { seepageMS: 1e-6 })).joinedNodes).toEqual([1, 1, 0, 0])
    expect(planned(row(4), three(50, { inOffsetM: 1, outOffsetM: 1 })).joinedNodes).toEqual([1, 1, 0, 0])
    expect(planned(row(4), [...three(50), pump({ from: 3, to: 1 })]).joinedNodes).toEqual([0, 1, 0, 1])
  })
})
