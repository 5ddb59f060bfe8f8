import type { SewerConduit, SewerNode, SewerOptions, SewerSection } from '@radx/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conduit, junction, network, outfall, section, tank } from '../testing/build.ts'
import { area, CHANNEL } from '../testing/pipe.ts'
import { planSewer } from './plan.ts'
import { createReaches } from './reaches.ts'

interface Case {
  lengthM?: number
  profile?: SewerSection
  more?: Partial<SewerConduit>
  bottoms?: [number, number]
  nodes?: SewerNode[]
  options?: Partial<SewerOptions>
}
/** One pipe between two nodes; values by the file's order of nodes. */
function reach({ lengthM = 400, profile = CHANNEL, more, bottoms = [10, 10], nodes, options }: Case = {}) {
  const net = network(
    nodes ?? [junction('A', bottoms[0]), junction('B', bottoms[1])],
    [conduit('C', 0, 1, lengthM, profile, more)],
    options,
  )
  const plan = planSewer(net)
  const reaches = createReaches(plan, net.options)
  const at = (values: number[]) => Float64Array.from(plan.nodeOf, (node) => values[node])
  const by = (values: Float64Array) => Array.from(plan.positionOf, (p) => (p < plan.unknowns ? values[p] : 0))
  const volume = new Float64Array(plan.unknowns)
  return {
    count: reaches.count,
    start(heads: number[]) {
      reaches.start(at(heads), volume)
      return by(volume)
    },
    /** What the ends hold at some heads, and their surfaces. */
    add(heads: number[]) {
      const residual = new Float64Array(plan.unknowns)
      const diagonal = new Float64Array(plan.unknowns)
      reaches.add(at(heads), residual, diagonal)
      return { holds: by(residual.map((value) => -value)), surface: by(diagonal) }
    },
    /** Settles; answers what passes from one node to the other. */
    update(heads: number[], freeDepth = 0) {
      const before = by(volume)
      reaches.update(at(heads), Float64Array.of(freeDepth), volume)
      const after = by(volume)
      return after.map((value, k) => value - before[k])
    },
  }
}
const close = (...values: number[]) => values.map((value) => expect.closeTo(value, 8))

describe('a long pipe', () => {
  // SWMM Reference Manual II, 3.3.2: L / 4 (A1 + 2 Am + A2), each end its own and the middle area.
  const held = (y1: number, y2: number, lengthM = 400) => {
    const middle = area((y1 + y2) / 2)
    return [(lengthM / 4) * (area(y1) + middle), (lengthM / 4) * (area(y2) + middle)]
  }

  test('is one of more than 200 m, or of the length asked for', () => {
    expect(reach({ lengthM: 200 }).count).toBe(0)
    expect(reach({ lengthM: 200.1 }).count).toBe(1)
  })

  test('stores at each end what lies there and half of the middle', () => {
    expect(reach().start([11, 10.5])).toEqual(close(...held(1, 0.5)))
    expect(reach({ more: { inOffsetM: 0.2, outOffsetM: 0.1 } }).start([11, 10.5])).toEqual(
      close(...held(0.8, 0.4)),
    )
    expect(reach({ profile: { ...CHANNEL, barrels: 3 } }).start([11, 10.5])).toEqual(
      close(...held(1, 0.5, 1200)),
    )
    expect(reach().start([9, 9])).toEqual([0, 0])
  })

  test('each end follows its own head, the other one standing where it was', () => {
    const pipe = reach()
    pipe.start([11, 10.5])
    const still = pipe.add([11, 10.5])
    expect(still.holds).toEqual(close(...held(1, 0.5)))
    // dV/dH: L / 4 (W + 2 W / 2), W = 2 m.
    expect(still.surface).toEqual(close(400, 400))
    const risen = pipe.add([11.2, 10.5])
    expect(risen.holds).toEqual(close(held(1, 0.5)[0] + 400 * 0.2, held(1, 0.5)[1]))
    const both = pipe.add([11.2, 10.3])
    expect(both.holds).toEqual(close(held(1, 0.5)[0] + 80, held(1, 0.5)[1] - 80))
    // Below its bottom an end holds no more.
    const dry = pipe.add([9, 10.5])
    expect(dry.holds[0]).toBeCloseTo(held(1, 0.5)[0] - 400, 8)
    expect(dry.surface).toEqual(close(0, 400))
  })

  test('then the ends share what they hold again, and nothing is made or lost', () => {
    const pipe = reach()
    pipe.start([11, 10.5])
    // A rises by 0.4 m: it took on 160 m3, of which the middle that B shares is a quarter.
    const [a, b] = pipe.update([11.4, 10.5])
    expect([a, b]).toEqual(close(-40, 40))
    expect(pipe.add([11.4, 10.5]).holds).toEqual(close(...held(1.4, 0.5)))
    expect(pipe.update([11.4, 10.5])).toEqual(close(0, 0))
  })

  test('what falls out between both sums is shared evenly', () => {
    // In a V both ends' changes of the middle do not add up.
    const v = reach({ profile: section('TRIANGULAR', 2.56, 5.12) })
    const start = v.start([11, 10.5])
    const wet = (y: number) => y * y
    const ends = (y1: number, y2: number) => [
      100 * (wet(y1) + wet((y1 + y2) / 2)),
      100 * (wet(y2) + wet((y1 + y2) / 2)),
    ]
    expect(start[0]).toBeCloseTo(ends(1, 0.5)[0], 2)
    const before = [
      ends(1, 0.5)[0] + 100 * (wet(1.4) - wet(1) + 2 * (wet(0.95) - wet(0.75))),
      ends(1, 0.5)[1] + 100 * (wet(0.8) - wet(0.5) + 2 * (wet(0.9) - wet(0.75))),
    ]
    const after = ends(1.4, 0.8)
    const off = before[0] + before[1] - after[0] - after[1]
    const [a, b] = v.update([11.4, 10.8])
    expect(a).toBeCloseTo(-(before[0] - after[0] - off / 2), 1)
    expect(a + b).toBeCloseTo(0, 9)
  })

  test('a pipe that does not hang knows no free end', () => {
    const pipe = reach()
    pipe.start([11, 10.5])
    expect(pipe.update([11, 10.5], 2)).toEqual(close(0, 0))
    expect(pipe.add([11, 10.5]).holds).toEqual(close(...held(1, 0.5)))
  })

  test('each pipe has its own section', () => {
    const net = network(
      [junction('A', 10), junction('B', 10), junction('C', 10)],
      [conduit('AB', 0, 1, 400, CHANNEL), conduit('BC', 1, 2, 400, section('RECT_OPEN', 5.12, 3))],
    )
    const plan = planSewer(net)
    const reaches = createReaches(plan, net.options)
    const volume = new Float64Array(3)
    reaches.start(new Float64Array(3).fill(11), volume)
    // 200 m of 2 m2 and of 3 m2 a metre.
    expect(Array.from(plan.positionOf, (p) => volume[p])).toEqual(close(400, 1000, 600))
  })

  test('at an outfall the other end follows the middle once, and passes nothing on', () => {
    const pipe = reach({ nodes: [junction('A', 10), outfall('O', 10)] })
    expect(pipe.start([11, 10.5])).toEqual(close(100 * (2 + 1.5), 0))
    const { holds, surface } = pipe.add([11.2, 10.5])
    expect(holds[0]).toBeCloseTo(350 + 100 * (0.4 + 0.2), 8)
    expect(surface[0]).toBeCloseTo(300, 8)
    expect(pipe.update([11.4, 10.9])).toEqual([0, 0])
    const v = reach({
      nodes: [junction('A', 10), outfall('O', 10)],
      profile: section('TRIANGULAR', 2.56, 5.12),
    })
    v.start([11, 10.5])
    expect(v.update([11.4, 10.9])).toEqual([0, 0])
    const back = reach({ nodes: [outfall('O', 10.1), junction('A', 10)] })
    expect(back.start([11.1, 10.5])).toEqual(close(0, 100 * (1 + 1.5)))
    expect(back.add([11.1, 10.5]).holds).toEqual(close(0, 250))
  })
})

describe('above the crown', () => {
  const BOX = section('RECT_CLOSED', 1.28, 2)
  test('the slot adds its width, step by step the integral of Sjoberg’s', () => {
    const pipe = reach({ profile: BOX, options: { surchargeMethod: 'SLOT' } })
    let sum = 0
    const n = 7800
    for (let k = 0; k < n; k++) {
      const share = 1 + ((k + 0.5) / n) * 0.78
      sum += (0.78 / n) * 1.28 * 2 * 0.5423 * Math.exp(-(share ** 2.4))
    }
    const top = 1.78 * 1.28
    // Both ends and the middle alike: L / 2 of the area at each end.
    expect(pipe.start([10 + top, 10 + top])[0]).toBeCloseTo(200 * (2.56 + sum), 2)
    const above = reach({ profile: BOX, options: { surchargeMethod: 'SLOT' } })
    expect(above.start([12.5, 12.5])[0]).toBeCloseTo(200 * (2.56 + sum + (2.5 - top) * 0.02), 2)
    expect(above.add([12.5, 12.5]).surface[0]).toBeCloseTo(200 * 0.02, 8)
    const within = reach({ profile: BOX, options: { surchargeMethod: 'SLOT' } })
    const y = 1.305 * 1.28
    within.start([10 + y, 10 + y])
    expect(within.add([10 + y, 10 + y]).surface[0]).toBeCloseTo(
      200 * 2 * 0.5423 * Math.exp(-(1.305 ** 2.4)),
      1,
    )
  })

  test('the slot’s area grows without jumps through crown and 1.78', () => {
    const holds = (y: number) =>
      reach({ profile: BOX, options: { surchargeMethod: 'SLOT' } }).start([10 + y, 10 + y])[0]
    for (const y of [1.28, 1.29, 1.5, 1.78 * 1.28])
      expect(holds(y + 1e-9) - holds(y - 1e-9)).toBeLessThan(1e-5)
    expect(holds(1.284) - holds(1.28)).toBeCloseTo(200 * 0.004 * 2 * 0.5423 * Math.exp(-1), 1)
  })

  test('EXTRAN holds the width at 0.96 of the depth, an open channel its top width', () => {
    const extran = reach({ profile: BOX, options: { surchargeMethod: 'EXTRAN' } })
    // Up to the crown; above it the nodes close.
    expect(extran.start([11.28, 11.28])).toEqual(close(200 * 2.56, 200 * 2.56))
    expect(extran.add([11.28, 11.28]).surface).toEqual(close(200 * 2, 200 * 2))
    expect(extran.add([12.56, 12.56]).surface[0]).toBeLessThan(0.001)
    const open = reach()
    expect(open.start([13.56, 13.56])).toEqual(close(200 * (5.12 + 2), 200 * (5.12 + 2)))
  })
})

describe('a pipe whose lower end hangs above its node', () => {
  // 40 m, its end 0.5 m above the bottom of the lower node.
  const hanging: Case = { lengthM: 40, bottoms: [11, 10], more: { outOffsetM: 0.5 } }

  test('stores by itself, whatever its length, but for ends at outfalls', () => {
    expect(reach(hanging).count).toBe(1)
    expect(reach({ ...hanging, more: { outOffsetM: 0.0005 } }).count).toBe(0)
    expect(reach({ ...hanging, more: { inOffsetM: 0.5 } }).count).toBe(0)
    // Against its direction it is the other end that counts.
    expect(reach({ ...hanging, bottoms: [10, 11], more: { inOffsetM: 0.5 } }).count).toBe(1)
    expect(reach({ ...hanging, nodes: [junction('A', 11), outfall('O', 10)] }).count).toBe(0)
  })

  test('belongs to the upper node while the water falls free', () => {
    const pipe = reach(hanging)
    const [a, b] = pipe.start([12, 10.2])
    // No flow yet, so the end is dry: L / 4 (A1 + 2 Am + A2), A2 = 0.
    expect([a, b]).toEqual(close(10 * (2 + 2 * 1), 0))
    // 0.3 m deep at the free end: what that adds is the upper node's too.
    expect(pipe.update([12, 10.2], 0.3)).toEqual(close(0, 0))
    const { holds, surface } = pipe.add([12, 10.2])
    expect(holds).toEqual(close(10 * (2 + 2 * 1.3 + 0.6), 0))
    // All of dV/dH at the upper end, twice L / 4 (W + 2 W / 2).
    expect(surface).toEqual(close(20 * 4, 0))
  })

  test('passes its lower half to the lower node as the water there reaches the free depth', () => {
    const pipe = reach(hanging)
    pipe.start([12, 10.2])
    // Twice: so much at once is paid back over two steps.
    pipe.update([12, 10.65], 0.3)
    pipe.update([12, 10.65], 0.3)
    // Half way up: half of the lower half has passed over.
    const lower = 10 * (1.3 + 0.6)
    expect(pipe.add([12, 10.65]).holds).toEqual(close(10 * (2 + 1.3) + lower / 2, lower / 2))
    pipe.update([12, 10.9], 0.3)
    const drowned = [10 * (2 + 1.4), 10 * (1.4 + 0.8)]
    expect(pipe.add([12, 10.9]).holds).toEqual(close(...drowned))
    expect(pipe.add([12, 10.9]).surface).toEqual(close(40, 40))
    // A dry end passes over within 2 cm.
    pipe.update([12, 10.51], 0.001)
    const half = 10 * (1.01 + 0.02)
    expect(pipe.add([12, 10.51]).holds).toEqual(close(10 * (2 + 1.01) + half / 2, half / 2))
  })

  test('the free end is never deeper than the upper one', () => {
    const pipe = reach(hanging)
    pipe.start([11.2, 10.2])
    pipe.update([11.2, 10.2], 0.3)
    expect(pipe.add([11.2, 10.2]).holds[0]).toBeCloseTo(10 * (0.4 + 2 * 0.4 + 0.4), 8)
  })

  test('the water below changes nothing in the end before it reaches the free depth', () => {
    const pipe = reach(hanging)
    pipe.start([12, 10.2])
    pipe.update([12, 10.65], 0.3)
    const before = pipe.add([12, 10.65])
    const risen = pipe.add([12, 10.75])
    // Its own area alone, by the half of it that has passed over: 5 m of length.
    expect(risen.holds[1] - before.holds[1]).toBeCloseTo(5 * 2 * 0.1, 8)
    expect(risen.surface[1]).toBeCloseTo(5 * 2, 8)
    const above = pipe.add([12, 10.9])
    // From 0.3 m on the middle follows too.
    expect(above.holds[1] - before.holds[1]).toBeCloseTo(5 * (0.5 + 2 * 0.1), 8)
    expect(above.surface[1]).toBeCloseTo(5 * 4, 8)
  })

  test('what passes over leaves the other node', () => {
    const pipe = reach(hanging)
    pipe.start([12, 10.2])
    for (const [head, free] of [
      [10.2, 0.3],
      [10.65, 0.3],
      [10.9, 0.3],
      [10.4, 0.2],
    ]) {
      const [a, b] = pipe.update([12, head], free)
      expect(a + b).toBeCloseTo(0, 9)
    }
  })
})

describe('EXTRAN: an end above its crown', () => {
  /** A culvert of 2 x 2 m between two tanks, which never close. */
  const culvert = (from = 10, to = 10) =>
    reach({
      profile: section('RECT_CLOSED', 2, 2),
      nodes: [tank('A', from, 8), tank('B', to, 8)],
      options: { surchargeMethod: 'EXTRAN' },
    })
  const FULL = 4

  test('leaves the middle at the crown, and stores by the width found there as it rises', () => {
    const pipe = culvert()
    const [start] = pipe.start([12, 11])
    expect(start).toBeCloseTo(100 * (FULL + 3), 6)
    // B stands half full: the middle at 1.5 m is 2 m wide, and A's end too.
    const risen = pipe.add([13, 11])
    expect(risen.holds[0] - start).toBeCloseTo(100 * (2 + 2), 6)
    expect(risen.surface[0]).toBeCloseTo(100 * (2 + 2), 6)
    expect(pipe.update([13, 11])).toEqual(close(0, 0))
    expect(pipe.add([13, 11]).holds[0]).toBeCloseTo(risen.holds[0], 8)
    // Down again: all of it is given back.
    expect(pipe.add([12, 11]).holds[0]).toBeCloseTo(start, 8)
    expect(pipe.update([12, 11])).toEqual(close(0, 0))
    expect(pipe.add([12, 11]).holds[0]).toBeCloseTo(start, 8)
  })

  test('under a node that closes at that crown nothing is added to the middle', () => {
    const pipe = reach({ profile: section('RECT_CLOSED', 2, 2), options: { surchargeMethod: 'EXTRAN' } })
    const [start] = pipe.start([12, 11])
    // Far above, A's own end has stored 8/9 of a fifteenth of the crown.
    expect(pipe.add([20, 11]).holds[0] - start).toBeCloseTo((100 * 2 * 2 * 8) / 15 / 9, 6)
  })

  const level = fc.double({ min: 9.9, max: 16, noNaN: true })
  test('grows with its head without a jump, and makes or loses nothing on any way [property]', () => {
    fc.assert(
      fc.property(
        fc.tuple(level, level),
        fc.array(fc.tuple(level, level), { minLength: 1, maxLength: 12 }),
        level,
        (first, way, other) => {
          const pipe = culvert(10, 10.5)
          pipe.start([...first])
          for (const heads of way) {
            const [a, b] = pipe.update([...heads])
            expect(a + b).toBeCloseTo(0, 6)
          }
          const [h1, h2] = way.at(-1) as [number, number]
          const [low, high] = [Math.min(h1, other), Math.max(h1, other)]
          let before = pipe.add([low, h2])
          for (let i = 1; i <= 50; i++) {
            const now = pipe.add([low + ((high - low) * i) / 50, h2])
            const rise = now.holds[0] - before.holds[0]
            expect(rise).toBeGreaterThanOrEqual(-1e-6)
            // No wider than both its ends and the middle: 2 m over 100 m each, twice for the middle.
            expect(rise).toBeLessThanOrEqual(100 * 2 * 3 * ((high - low) / 50) + 1e-6)
            before = now
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
