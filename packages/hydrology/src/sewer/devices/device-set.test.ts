import type { SewerLink, SewerNode } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { planSewer } from '../network/plan.ts'
import { conduit, junction, network, outfall, section, tank } from '../testing/build.ts'
import { orifice, outlet, pump, weir } from '../testing/devices.ts'
import { createDevices } from './device-set.ts'

/** A tank, a junction behind a device, and an outfall. Values by the file's order of nodes. */
function devicesOf(
  links: SewerLink[],
  nodes: SewerNode[] = [tank('T', 10, 50), junction('J', 9), outfall('O', 8)],
) {
  const net = network(nodes, links)
  const plan = planSewer(net)
  const gates = new Uint8Array(1)
  const devices = createDevices(net, plan, gates)
  const at = (values: number[]) => Float64Array.from(plan.nodeOf, (node) => values[node])
  const leave = new Uint8Array(3).fill(1)
  return {
    devices,
    gates,
    at,
    position: (node: number) => plan.positionOf[node],
    leave,
    evaluate(heads: number[]) {
      devices.evaluate(at(heads), leave)
      return devices.flow[0]
    },
    /** Flow that stands for a step of 2 s. */
    prepare(heads: number[], available = [1e9, 1e9, 0], arriving = [0, 0, 0]) {
      devices.prepare(2, at(heads), at(available), at(arriving))
      return devices.flow[0]
    },
  }
}

describe('pumps by steps', () => {
  const steps = { name: 'C', x: [1, 2, 4], y: [0.02, 0.05, 0.1] }

  test('type 2 goes by the depth of its well, never by less than nothing', () => {
    const { prepare } = devicesOf([pump({ type: 2, curve: steps })])
    expect([9, 10, 10.9, 11, 11.9, 12, 13, 20].map((head) => prepare([head, 9, 8]))).toEqual([
      0.02, 0.02, 0.02, 0.05, 0.05, 0.1, 0.1, 0.1,
    ])
    const back = { ...steps, y: [-1, 0.05, 0.1] }
    expect(devicesOf([pump({ type: 2, curve: back })]).prepare([10.5, 9, 8])).toBe(0)
  })

  test('type 1 goes by the volume of a tank', () => {
    const curve = { name: 'C', x: [50, 100], y: [0.02, 0.05] }
    const { prepare } = devicesOf([pump({ type: 1, curve })])
    // 50 m2: up to 1 m deep, and above.
    expect([10.99, 11.01, 12.5, 40].map((head) => prepare([head, 9, 8]))).toEqual([0.02, 0.05, 0.05, 0.05])
    expect(prepare([9, 9, 8])).toBe(0.02)
    // Between the rows of the tank's table too, and beyond its last one, 20 m up.
    const high = { name: 'C', x: [500.2, 1000], y: [0.02, 0.05] }
    const tall = devicesOf([pump({ type: 1, curve: high })]).prepare
    expect([19.99, 20.003, 20.01, 29.99, 35].map((head) => tall([head, 9, 8]))).toEqual([
      0.02, 0.02, 0.05, 0.05, 0.05,
    ])
  })

  test('type 1 by the volume of a tank that widens', () => {
    // 20 d + 5 d2: 60 m3 at 2 m.
    const shape = { type: 'quadratic', a0: 20, a1: 10, a2: 0 } as const
    const nodes = [tank('T', 10, 0, { shape }), junction('J', 9), outfall('O', 8)]
    const { prepare } = devicesOf(
      [pump({ type: 1, curve: { name: 'C', x: [60, 300], y: [0.02, 0.05] } })],
      nodes,
    )
    expect([11.99, 12.01].map((head) => prepare([head, 9, 8]))).toEqual([0.02, 0.05])
  })

  test('type 1 at a junction takes the curve’s last volume as its full depth', () => {
    const curve = { name: 'C', x: [50, 100], y: [0.02, 0.05] }
    const { prepare } = devicesOf([pump({ type: 1, curve, from: 1, to: 0 })])
    // The junction is 5 m deep: half of 100 m3 is 2.5 m.
    expect([9 + 2.49, 9 + 2.51].map((head) => prepare([10, head, 8]))).toEqual([0.02, 0.05])
  })

  test('the setting scales the flow; what is off stands still', () => {
    const { devices, prepare } = devicesOf([pump({ type: 2, curve: steps })])
    devices.setting[0] = 0.5
    expect(prepare([11, 9, 8])).toBe(0.025)
    devices.setting[0] = 0
    expect(prepare([11, 9, 8])).toBe(0)
  })

  test('an ideal pump, or one without its curve, passes what arrives', () => {
    for (const more of [
      { type: 0 as const, curve: steps },
      { type: 2 as const, curve: null },
    ]) {
      const { prepare, devices } = devicesOf([pump(more)])
      expect(prepare([11, 9, 8], undefined, [0.7, 3, 4])).toBe(0.7)
      expect(prepare([11, 9, 8], undefined, [-0.7, 3, 4])).toBe(0)
      devices.setting[0] = 0
      expect(prepare([11, 9, 8], undefined, [0.7, 3, 4])).toBe(0)
    }
  })

  test('none takes more than its well has, but for an outfall’s', () => {
    const { prepare } = devicesOf([pump({ type: 2, curve: steps })])
    expect(prepare([13, 9, 8], [0.1, 0, 0])).toBe(0.05)
    expect(prepare([13, 9, 8], [-1, 0, 0])).toBe(0)
    const fromOutfall = devicesOf([pump({ type: 2, curve: steps, from: 2, to: 1 })])
    expect(fromOutfall.prepare([10, 9, 11], [0, 0, 0])).toBe(0.1)
  })

  test('a pipe without a section passes what arrives', () => {
    const { prepare } = devicesOf([conduit('D', 0, 1, 10, section('DUMMY'))])
    expect(prepare([11, 9, 8], undefined, [0.7, 3, 4])).toBe(0.7)
  })
})

describe('start and stop', () => {
  const flow = { name: 'C', x: [9], y: [0.2] }
  const made = (more: object) =>
    devicesOf([pump({ type: 2, curve: flow, startDepthM: 2, stopDepthM: 0.5, ...more })])

  test('a pump starts above its start depth and stops below its stop depth', () => {
    const { devices, prepare } = made({ initiallyOn: false })
    expect(devices.setting[0]).toBe(0)
    const depths = [1.9, 2, 2.1, 1, 0.5, 0.4, 1.9, 2.1]
    expect(depths.map((depth) => prepare([10 + depth, 9, 8]))).toEqual([0, 0, 0.2, 0.2, 0.2, 0, 0, 0.2])
    // A rule's wish goes with it: it must not be undone by the next move.
    expect(devices.target[0]).toBe(1)
    prepare([10.4, 9, 8])
    expect(devices.target[0]).toBe(0)
  })

  test('depths of 0 are not used', () => {
    expect(made({ stopDepthM: 0 }).prepare([9.9, 9, 8])).toBe(0.2)
    expect(made({ startDepthM: 0, initiallyOn: false }).prepare([15, 9, 8])).toBe(0)
  })
})

describe('pumps by head and depth', () => {
  const curve = { name: 'C', x: [0, 10], y: [0.4, 0.1] }

  test('type 3 goes by the head gain, type 5 by affinity: head with the square of the speed', () => {
    const { evaluate } = devicesOf([pump({ type: 3, curve })])
    expect(evaluate([12, 17, 8])).toBeCloseTo(0.4 - 0.03 * 5, 12)
    expect(evaluate([12, 11, 8])).toBeCloseTo(0.4, 12)
    const speedy = (type: 3 | 5, setting: number) => {
      const made = devicesOf([pump({ type, curve })])
      made.devices.setting[0] = setting
      return made.evaluate([12, 17, 8])
    }
    expect(speedy(3, 1.5)).toBeCloseTo(1.5 * (0.4 - 0.03 * 5), 12)
    expect(speedy(5, 1.5)).toBeCloseTo(1.5 * (0.4 - (0.03 * 5) / 2.25), 12)
    expect(speedy(5, 0)).toBe(0)
    const back = { ...curve, y: [0.4, -0.4] }
    expect(devicesOf([pump({ type: 3, curve: back })]).evaluate([12, 21, 8])).toBe(0)
  })

  test('type 4 goes by the depth', () => {
    const rising = { name: 'C', x: [0, 2], y: [0, 0.2] }
    const { evaluate, devices } = devicesOf([pump({ curve: rising })])
    expect(evaluate([11, 9, 8])).toBeCloseTo(0.1, 12)
    devices.setting[0] = 0.5
    expect(evaluate([11, 9, 8])).toBeCloseTo(0.05, 12)
    const back = devicesOf([pump({ curve: { ...rising, y: [-1, -1] } })])
    expect(back.evaluate([11, 9, 8])).toBe(0)
  })

  test.each([3, 4, 5] as const)('type %d fades out over the last 2 cm of its well', (type) => {
    const steady = { name: 'C', x: [0, 10], y: [0.3, 0.3] }
    const { evaluate } = devicesOf([pump({ type, curve: steady })])
    expect([9, 10, 10.005, 10.02, 10.5].map((head) => Number(evaluate([head, 11, 8]).toFixed(9)))).toEqual([
      0, 0, 0.075, 0.3, 0.3,
    ])
  })
})

describe('laws of the heads', () => {
  test('slopes are those of the law, the sender’s up and the receiver’s down', () => {
    // Q = 2 h^1.5, dQ/dh = 3 h^0.5, between both sides.
    const { devices, evaluate } = devicesOf([outlet({ basis: 'head' })])
    expect(evaluate([11, 10.75, 8])).toBeCloseTo(0.25, 9)
    expect(devices.fromSlope[0]).toBeCloseTo(1.5, 3)
    expect(devices.toSlope[0]).toBeCloseTo(-1.5, 3)
    expect(evaluate([10.75, 11, 8])).toBeCloseTo(-0.25, 9)
    expect(devices.fromSlope[0]).toBeCloseTo(1.5, 3)
    expect(devices.toSlope[0]).toBeCloseTo(-1.5, 3)
  })

  test('slopes never have the wrong sign', () => {
    // A rating that falls with the head.
    const table = { name: 'R', x: [0, 1], y: [1, 0.5] }
    const falling = devicesOf([outlet({ basis: 'head', rating: { type: 'tabular', table } })])
    falling.evaluate([11, 10.5, 8])
    expect([falling.devices.fromSlope[0], falling.devices.toSlope[0]]).toEqual([0, 0])
  })

  test('a crest counts from the sender’s bottom, and never lies below the receiver’s', () => {
    const link = outlet({ offsetM: 0.5 })
    expect(devicesOf([link]).evaluate([11, 9.5, 8])).toBeCloseTo(2 * 0.5 ** 1.5, 9)
    expect(devicesOf([outlet({ offsetM: -0.5 })]).evaluate([11, 9.5, 8])).toBeCloseTo(2, 9)
    const nodes = [tank('T', 10, 50), junction('J', 10.8), outfall('O', 8)]
    expect(devicesOf([link], nodes).evaluate([11, 9.5, 8])).toBeCloseTo(2 * 0.2 ** 1.5, 9)
  })

  test('what is shut, by its setting or by what its ends allow, has neither flow nor slopes', () => {
    const shut = (
      prepare: (made: ReturnType<typeof devicesOf>) => void,
      link: SewerLink,
      heads: number[],
    ) => {
      const made = devicesOf([link])
      // Slopes from before must not stay.
      made.evaluate(link.from === 2 ? [10, 10, 11] : link.to === 2 ? [10, 11, 10] : [12, 11, 8])
      prepare(made)
      const q = made.evaluate(heads)
      expect([made.devices.fromSlope[0], made.devices.toSlope[0]].every((s) => s === 0)).toBe(q === 0)
      return q === 0
    }
    const forward = [11, 10.5, 8]
    const backward = [10.5, 11, 8]
    const dry = (node: number) => (made: ReturnType<typeof devicesOf>) => {
      made.leave[made.position(node)] = 0
    }
    const link = outlet({ basis: 'head' })
    expect(shut(() => {}, link, forward)).toBe(false)
    expect(shut((made) => made.devices.setting.fill(0), link, forward)).toBe(true)
    expect(shut(dry(0), link, forward)).toBe(true)
    expect(shut(dry(0), link, backward)).toBe(false)
    expect(shut(dry(1), link, forward)).toBe(false)
    expect(shut(dry(1), link, backward)).toBe(true)
    const flap = orifice({ flapGate: true })
    expect(shut(() => {}, flap, forward)).toBe(false)
    expect(shut(() => {}, flap, backward)).toBe(true)
    expect(shut(() => {}, orifice(), backward)).toBe(false)
    // An outfall's gate lets nothing in.
    const gate = (made: ReturnType<typeof devicesOf>) => made.gates.fill(1)
    const toOutfall = outlet({ basis: 'head', from: 1, to: 2 })
    const fromOutfall = outlet({ basis: 'head', from: 2, to: 1 })
    expect(shut(gate, toOutfall, [10, 11, 10.5])).toBe(false)
    expect(shut(gate, toOutfall, [10, 10.5, 11])).toBe(true)
    expect(shut(gate, fromOutfall, [10, 10.5, 11])).toBe(true)
    expect(shut(gate, fromOutfall, [10, 11, 10.5])).toBe(false)
    expect(shut(gate, link, forward)).toBe(false)
    expect(shut(() => {}, toOutfall, [10, 10.5, 11])).toBe(false)
    expect(shut(() => {}, fromOutfall, [10, 10.5, 11])).toBe(false)
  })

  test('level water has no flow but a slope: Newton must see that it may flow', () => {
    const { devices, evaluate } = devicesOf([orifice()])
    expect(evaluate([11, 11, 8])).toBe(0)
    expect(devices.fromSlope[0]).toBeGreaterThan(0)
    expect(devices.toSlope[0]).toBeLessThan(0)
  })

  test('the iteration leaves flows that stand for the step', () => {
    const { evaluate, prepare } = devicesOf([pump({ type: 2, curve: { name: 'C', x: [9], y: [0.2] } })])
    expect(prepare([11, 9, 8])).toBe(0.2)
    expect(evaluate([15, 9, 8])).toBe(0.2)
  })

  test('a road that a rule has shut lets nothing over', () => {
    const made = devicesOf([weir({ form: 'roadway', coefficient: 1.5 })])
    expect(made.evaluate([11, 9, 8])).toBeCloseTo(3, 9)
    made.devices.setting[0] = 0
    expect(made.evaluate([11, 9, 8])).toBe(0)
    expect([made.devices.fromSlope[0], made.devices.toSlope[0]]).toEqual([0, 0])
  })

  test('what is off has no flow, even without a difference of heads', () => {
    const made = devicesOf([pump({ type: 5, curve: { name: 'C', x: [0, 10], y: [0.4, 0.1] } })])
    made.devices.setting[0] = 0
    expect(made.evaluate([12, 12, 8])).toBe(0)
    expect([made.devices.fromSlope[0], made.devices.toSlope[0]].map(Math.abs)).toEqual([0, 0])
  })

  test('prepare leaves flows by laws to the iteration', () => {
    const { evaluate, prepare } = devicesOf([outlet({ basis: 'head' })])
    evaluate([11, 10.75, 8])
    expect(prepare([15, 9, 8])).toBeCloseTo(0.25, 9)
  })
})

describe('held through a step', () => {
  const heads = [11, 10, 8]
  test('flows stand as they are at its start, within what the giver has, without slopes', () => {
    const { devices, at, leave, evaluate } = devicesOf([outlet({ basis: 'head' })])
    const freeze = (available: number[], from = heads) => {
      devices.freeze(2, at(from), leave, at(available))
      const flow = devices.flow[0]
      // Other heads change nothing until it ends.
      expect(evaluate([14, 10, 8])).toBe(flow)
      expect([devices.fromSlope[0], devices.toSlope[0]]).toEqual([0, 0])
      devices.thaw()
      expect(evaluate([12, 11, 8])).toBeCloseTo(2, 9)
      expect(devices.fromSlope[0]).toBeGreaterThan(0)
      return flow
    }
    expect(freeze([1e9, 0, 0])).toBeCloseTo(2, 9)
    expect(freeze([1, 1e9, 0])).toBe(0.5)
    expect(freeze([-1, 1e9, 0])).toBe(0)
    // The other way round the other one gives.
    expect(freeze([0, 1e9, 0], [10, 11, 8])).toBeCloseTo(-2, 9)
    expect(freeze([1e9, 1, 0], [10, 11, 8])).toBe(-0.5)
  })

  test('an outfall has what it takes', () => {
    const { devices, at, leave } = devicesOf([outlet({ basis: 'head', from: 2, to: 1 })])
    devices.freeze(2, at([10, 10, 11]), leave, at([0, 0, 0]))
    expect(devices.flow[0]).toBeCloseTo(2, 9)
  })
})
