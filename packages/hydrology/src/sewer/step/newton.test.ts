import type { SewerLink, SewerNode, SewerStorage } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { createDevices } from '../devices/device-set.ts'
import { layOutSections } from '../network/conduit-sections.ts'
import { volumeAt } from '../network/node-volume.ts'
import { planSewer } from '../network/plan.ts'
import { createReaches } from '../network/reaches.ts'
import { conduit, junction, network, outfall, section, tank } from '../testing/build.ts'
import { orifice, outlet } from '../testing/devices.ts'
import { createNewton } from './newton.ts'
import { takeAll } from './part.ts'
import { createReferenceKernel } from './reference.ts'

const DT = 4

/** Surface against depth: wide for 10 cm only. Rows of the table lie on these depths. */
const shape: SewerStorage['shape'] = {
  type: 'tabular',
  table: { name: 'W', x: [0, 1.005, 1.02, 1.095, 1.11, 3], y: [0.15, 0.15, 100, 100, 0.15, 0.15] },
}
/** Depth of 5 m3: 0.15 m2 over 1.005 m, a trapezium of 1.5 cm, then 100 m2. */
const LEVEL = 1.02 + (5 - 0.15075 - 0.751125) / 100

/** Newton on a network; heads and volumes by the file's order of nodes. */
function balance(nodes: SewerNode[], links: SewerLink[]) {
  const net = network(nodes, links, { minSurfaceAreaM2: 0 })
  const plan = planSewer(net)
  const kernel = createReferenceKernel({
    plan,
    sections: layOutSections(plan.conduits, net.options),
    options: net.options,
    theta: 1,
    thetaFull: 1,
  })
  kernel.state.floodLevel.fill(Infinity)
  const devices = createDevices(net, plan, kernel.state.outfallGate)
  const reaches = createReaches(plan, net.options)
  const newton = createNewton({ plan, kernel, devices, reaches, overflows: false })
  const part = takeAll(kernel.part())
  const at = (values: number[]) => Float64Array.from(plan.nodeOf, (node) => values[node])
  return {
    kernel,
    plan,
    /** `only`: without all other nodes, as a part. */
    solve(
      from: number[],
      wanted: number[],
      { old = from, open, only }: { old?: number[]; open?: Uint8Array; only?: number[] } = {},
    ) {
      const heads = at(from)
      reaches.start(at(old), new Float64Array(plan.unknowns))
      kernel.prepare(DT, at(old), part)
      devices.prepare(DT, at(old), at(wanted), new Float64Array(nodes.length))
      const asked = only ? { ...kernel.part(), nodeCount: only.length } : part
      only?.forEach((node, j) => {
        asked.nodes[j] = plan.positionOf[node]
      })
      const used = newton.solve(DT, heads, at(old), at(wanted).subarray(0, plan.unknowns), asked, open)
      return { used, heads: Array.from(plan.positionOf, (p) => heads[p]), flow: Array.from(devices.flow) }
    },
  }
}

describe('heads that meet the balances', () => {
  test('a tank: volume over surface, one look to see it and one to know', () => {
    const { solve } = balance([tank('T', 10, 50)], [])
    const { used, heads } = solve([10], [100])
    expect(heads[0]).toBeCloseTo(12, 9)
    expect(used).toBe(2)
    expect(solve([12], [100]).used).toBe(1)
    // A thousandth of a millimetre is met, a tenth is not.
    expect(solve([12 + 1e-6], [100]).used).toBe(1)
    expect(solve([12 + 1e-4], [100]).used).toBe(2)
  })

  test('two tanks joined by a device, at the heads of the step’s end', () => {
    // Q = 0.5 (H1 - H2): A (H - H0) = dt Q, both sides alike, so the difference falls as 1 / (1 + 2 dt 0.5 / A).
    const link = outlet({ basis: 'head', rating: { type: 'functional', coefficient: 0.5, exponent: 1 } })
    const nodes = [tank('A', 10, 50), tank('B', 10, 50)]
    for (const [first, second, sign] of [
      [13, 11, 1],
      [11, 13, -1],
    ]) {
      const { heads, flow } = balance(nodes, [link]).solve(
        [first, second],
        [50 * (first - 10), 50 * (second - 10)],
      )
      const left = 2 / (1 + DT / 50)
      expect(heads[0] - heads[1]).toBeCloseTo(sign * left, 5)
      expect(heads[0] + heads[1]).toBeCloseTo(24, 5)
      expect(flow[0]).toBeCloseTo((sign * left) / 2, 5)
    }
  })

  test('two tanks joined by a pipe: what leaves one is in the other', () => {
    const made = balance(
      [tank('A', 10, 50), tank('B', 10, 50)],
      [conduit('C', 0, 1, 100, section('CIRCULAR', 1))],
    )
    // Full pipes hold nothing more in tanks of the same level.
    const { heads, used } = made.solve([13, 12], [150, 100])
    const flow = made.kernel.state.conduitFlow[0]
    expect(used).toBeGreaterThan(0)
    expect(flow).toBeGreaterThan(0.01)
    const held = (node: number) => volumeAt(made.plan.volumes, made.plan.positionOf[node], heads[node] - 10)
    expect(held(0)).toBeCloseTo(150 - DT * flow, 2)
    expect(held(1)).toBeCloseTo(100 + DT * flow, 2)
  })

  test('a law of one side’s head alone is met at once, whichever side is eliminated first', () => {
    const rating = { type: 'functional', coefficient: 0.5, exponent: 1 } as const
    const nodes = [tank('A', 10, 50), tank('B', 10, 50)]
    for (const [from, to] of [
      [0, 1],
      [1, 0],
    ]) {
      const { heads, used } = balance(nodes, [outlet({ rating, from, to })]).solve(
        from === 0 ? [13, 11] : [11, 13],
        from === 0 ? [150, 50] : [50, 150],
      )
      // A dH = -dt 0.5 (H - 10) on the giving side.
      const flow = (0.5 * 3) / (1 + (DT * 0.5) / 50)
      expect(heads[from]).toBeCloseTo(13 - (DT * flow) / 50, 9)
      expect(heads[to]).toBeCloseTo(11 + (DT * flow) / 50, 9)
      expect(used).toBe(2)
    }
  })

  test('a part of the network is solved without devices and long pipes, which join no part', () => {
    const nodes = [tank('A', 10, 50), tank('B', 10, 50)]
    const joint = balance(nodes, [orifice()]).solve([13, 11], [160, 50], { only: [0] })
    expect(joint.heads[0]).toBeCloseTo(13.2, 9)
    expect(joint.heads[1]).toBe(11)
    const long = conduit('C', 0, 1, 400, section('RECT_OPEN', 2.56, 2))
    const apart = balance(nodes, [long]).solve([11, 11], [60, 50], { only: [0] })
    expect(apart.heads[0]).toBeCloseTo(11.2, 9)
  })

  test('either way round the device is laid, and to an outfall', () => {
    const rating = { type: 'functional', coefficient: 0.5, exponent: 1 } as const
    const nodes = [tank('A', 10, 50), tank('B', 10, 80), outfall('O', 10)]
    const links = [
      outlet({ basis: 'head', rating }),
      outlet({ name: 'Q', basis: 'head', rating, from: 1, to: 0 }),
      outlet({ name: 'R', basis: 'head', rating, from: 1, to: 2 }),
    ]
    const { heads, used } = balance(nodes, links).solve([13, 11, 10], [150, 80, 0])
    // Three linear laws: each tank by hand.
    const [h1, h2] = heads
    expect(50 * (h1 - 10)).toBeCloseTo(150 - DT * (h1 - h2), 3)
    expect(80 * (h2 - 10)).toBeCloseTo(80 + DT * (h1 - h2) - DT * 0.5 * (h2 - 10), 3)
    expect(used).toBeLessThanOrEqual(3)
    expect(heads[2]).toBe(10)
  })

  test('roots of a device are found in a few looks', () => {
    const { heads, flow, used } = balance([tank('A', 10, 50), tank('B', 10, 50)], [orifice()]).solve(
      [13, 11],
      [150, 50],
    )
    expect(flow[0]).toBeCloseTo(0.65 * Math.PI * 0.04 * Math.sqrt(2 * 9.81 * (heads[0] - heads[1])), 4)
    expect(50 * (heads[0] - 10)).toBeCloseTo(150 - DT * flow[0], 2)
    expect(50 * (heads[1] - 10)).toBeCloseTo(50 + DT * flow[0], 2)
    expect(used).toBeLessThan(6)
  })

  test('a long pipe’s own volumes count', () => {
    // Level water in a channel of 400 m: 400 m2 a side, and what the nodes hold by themselves is next to nothing.
    const channel = section('RECT_OPEN', 2.56, 2)
    const made = balance([tank('A', 10, 50), tank('B', 10, 50)], [conduit('C', 0, 1, 400, channel)])
    const { used, heads } = made.solve([11, 11], [460, 460])
    expect(used).toBeGreaterThan(0)
    expect(heads[0]).toBeCloseTo(heads[1], 6)
    // Each end holds 100 m of 2 + 2 m2 at 1 m; 10 m3 more stand on 50 and, as it follows its own head, 400 m2.
    expect(heads[0] - 11).toBeCloseTo(10 / 450, 4)
  })
})

describe('where Newton swings', () => {
  // A shaft that is wide over 10 cm only: from below the first step goes far above, and back.
  const shaft = () => balance([tank('S', 10, 0, { fullDepthM: 3, shape })], [])

  test('nested Newton finds the volume', () => {
    const { used, heads } = shaft().solve([10.5], [5])
    expect(used).toBeGreaterThan(12)
    // Not all forty looks are needed.
    expect(used).toBeLessThan(30)
    expect(heads[0]).toBeCloseTo(10 + LEVEL, 6)
  })

  test('also where the shaft has narrowed again below it', () => {
    const twice: SewerStorage['shape'] = {
      type: 'tabular',
      table: {
        name: 'W',
        x: [0, 1.005, 1.02, 1.095, 1.11, 2.01, 2.025, 2.1, 2.115, 3],
        y: [0.15, 0.15, 100, 100, 0.15, 0.15, 100, 100, 0.15, 0.15],
      },
    }
    const { used, heads } = balance([tank('S', 10, 0, { fullDepthM: 3, shape: twice })], []).solve(
      [10.5],
      [13],
    )
    expect(used).toBeGreaterThan(12)
    // Two trapezia and 7.5 m3 up to 1.11 m, 0.135 m3 and one trapezium up to 2.025 m.
    expect(heads[0]).toBeCloseTo(10 + 2.025 + (13 - 0.15075 - 3 * 0.751125 - 7.5 - 0.135) / 100, 6)
  })

  test('it begins again from the heads before the step', () => {
    const { heads, used } = shaft().solve([1e5], [5], { old: [10.5] })
    expect(used).toBeGreaterThan(12)
    expect(heads[0]).toBeCloseTo(10 + LEVEL, 6)
  })
})

describe('what cannot be met', () => {
  test('is given up', () => {
    const { solve } = balance([tank('T', 10, 1)], [])
    expect(solve([10], [1e9]).used).toBe(-1)
    expect(solve([10], [Number.NaN]).used).toBe(-1)
  })
})

describe('balances left to others', () => {
  const nodes = [
    tank('T', 10, 50),
    tank('S', 10, 0, { fullDepthM: 3, shape }),
    junction('J', 10),
    junction('K', 10),
    outfall('O', 5),
  ]
  const open = () => Uint8Array.of(7, 7, 7, 7)

  test('are marked after two looks, those that are met are not', () => {
    const { solve, plan } = balance(nodes, [])
    const marks = open()
    const { used } = solve([10, 10.5, 10, 10, 5], [100, 5, 0, 0, 0], { open: marks })
    expect(used).toBe(2)
    expect(Array.from(plan.positionOf.subarray(0, 4), (p) => marks[p])).toEqual([0, 1, 0, 0])
  })

  test('are not those that a hair is missing, as a head', () => {
    // 50 m2 and 1 m2 more a metre of depth: one step ends 2.4e-7 m away, which is 1e-5 m3.
    const widening: SewerStorage['shape'] = { type: 'functional', coefficient: 1, exponent: 1, constant: 50 }
    const [, ...others] = nodes
    const { solve, plan } = balance([tank('T', 10, 0, { shape: widening }), ...others], [])
    const marks = open()
    const volume = 50 * 2.005 + 2.005 ** 2 / 2
    const { used } = solve([12, 10.5, 10, 10, 5], [volume, 5, 0, 0, 0], { open: marks })
    expect(used).toBe(2)
    expect(Array.from(plan.positionOf.subarray(0, 4), (p) => marks[p])).toEqual([0, 1, 0, 0])
  })

  test('may be where a device joins others, whose balances are met', () => {
    const { solve, plan } = balance(nodes, [orifice({ from: 2, to: 3 })])
    const marks = open()
    const { used } = solve([10, 10.5, 10, 10, 5], [0, 5, 0, 0, 0], { open: marks })
    expect(used).toBe(2)
    expect(Array.from(plan.positionOf.subarray(0, 4), (p) => marks[p])).toEqual([0, 1, 0, 0])
  })

  test('none are left where everything is met, or where no marks are asked for', () => {
    const { solve } = balance(nodes, [])
    const marks = open()
    expect(solve([12, 10, 10, 10, 5], [100, 0, 0, 0, 0], { open: marks }).used).toBe(1)
    expect(Array.from(marks)).toEqual([0, 0, 0, 0])
    expect(solve([10, 10.5, 10, 10, 5], [100, 5, 0, 0, 0]).used).toBeGreaterThan(12)
  })

  test('nor where a device joins them: they are solved with the whole network', () => {
    const { solve } = balance(nodes, [orifice({ from: 1, to: 3, offsetM: 2.9 })])
    const marks = open()
    const { used, heads } = solve([10, 10.5, 10, 10, 5], [100, 5, 0, 0, 0], { open: marks })
    expect(used).toBeGreaterThan(12)
    expect(Array.from(marks)).toEqual([0, 0, 0, 0])
    expect(heads[1]).toBeCloseTo(10 + LEVEL, 6)
  })

  test('nor where there are more than sixty', () => {
    const many = (count: number) => {
      const shafts = Array.from({ length: count }, (_, i) => tank(`S${i}`, 10, 0, { fullDepthM: 3, shape }))
      const marks = new Uint8Array(count)
      const { used } = balance(shafts, []).solve(new Array(count).fill(10.5), new Array(count).fill(5), {
        open: marks,
      })
      return [used, marks.reduce((sum, mark) => sum + mark, 0)]
    }
    expect(many(60)).toEqual([2, 60])
    expect(many(61)[0]).toBeGreaterThan(12)
    expect(many(61)[1]).toBe(0)
  })
})
