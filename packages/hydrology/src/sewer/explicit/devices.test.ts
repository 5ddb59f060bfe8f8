import type { SewerLink } from '@radx/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { layOutSections } from '../network/conduit-sections.ts'
import { planSewer } from '../network/plan.ts'
import { heap } from '../network/room.ts'
import { network, section, tank } from '../testing/build.ts'
import { orifice, outlet, pump, weir } from '../testing/devices.ts'
import { explicitArrays } from './arrays.ts'
import { createDeviceFlows } from './devices.ts'

/** Flow of a device between two large tanks with their bottoms at 0, by depths, m, and its setting. */
function flowsOf(link: SewerLink) {
  const net = network([tank('A', 0, 1000), tank('B', 0, 1000)], [link])
  const plan = planSewer(net, 0)
  const arrays = explicitArrays(heap, net, plan)
  const devices = createDeviceFlows({
    network: net,
    plan,
    sections: layOutSections(plan.conduits, net.options),
    arrays,
  })
  return (y1: number, y2: number, setting = 1) => {
    for (const [node, y] of [y1, y2].entries()) {
      const p = plan.positionOf[node]
      arrays.head[p] = arrays.depth[p] = arrays.oldDepth[p] = y
      arrays.own[p] = arrays.oldOwn[p] = 1000 * y
    }
    for (const values of [arrays.inflow, arrays.outflow, arrays.surface, arrays.slopes]) values.fill(0)
    devices.setting[0] = setting
    devices.trial(1, 0)
    return arrays.deviceFlow[0]
  }
}

const REGULATORS: Record<string, SewerLink> = {
  'an orifice in a wall': orifice({ offsetM: 0.5 }),
  'a rectangular orifice in a wall': orifice({ offsetM: 0.3, section: section('RECT_CLOSED', 0.4, 0.8) }),
  'an orifice in a floor': orifice({ offsetM: 0.5, orientation: 'bottom' }),
  'a weir': weir({ offsetM: 0.6 }),
  'a weir under a deck': weir({ offsetM: 0.6, section: section('RECT_OPEN', 0.5, 2) }),
  'a V-notch': weir({ form: 'vnotch', offsetM: 0.4, section: section('TRIANGULAR', 1, 2) }),
  'a trapezoidal weir': weir({
    form: 'trapezoidal',
    offsetM: 0.4,
    endCoefficient: 1.4,
    section: section('TRAPEZOIDAL', 1, 1, 0.5, 0.5),
  }),
  'an outlet by head': outlet({ offsetM: 0.4, basis: 'head' }),
}

const depth = fc.double({ min: 0, max: 3, noNaN: true })
/** Heads within 1e-4 ft of a crest count as level: the step that this leaves, and that of a square root over 1e-9 m, m3/s. */
const JUMP = 0.02
const TINY = 1e-9

describe('regulators of the explicit scheme', () => {
  test.each(Object.entries(REGULATORS))('%s: no jump at equal heads, crest or crown, wherever', (_, link) => {
    const flow = flowsOf(link)
    const marks = fc.oneof(depth, fc.constantFrom(0.3, 0.4, 0.5, 0.6, 0.7, 0.9, 1.1, 1.4, 1.6))
    fc.assert(
      fc.property(marks, marks, fc.boolean(), (a, b, level) => {
        const y1 = a
        const y2 = level ? a : b
        for (const [d1, d2] of [
          [TINY, 0],
          [0, TINY],
        ])
          expect(Math.abs(flow(y1 + d1, y2 + d2) - flow(y1, y2))).toBeLessThan(JUMP)
      }),
      { numRuns: 300 },
    )
  })

  test.each(Object.entries(REGULATORS))(
    '%s: water runs down, alike both ways, and more so from higher',
    (_, link) => {
      const flow = flowsOf(link)
      fc.assert(
        fc.property(depth, depth, depth, (y1, y2, more) => {
          expect(flow(y1, y2)).toBeCloseTo(-flow(y2, y1), 12)
          expect(flow(y1, y2) * (y1 - y2)).toBeGreaterThanOrEqual(0)
          expect(flow(y1 + more, y2)).toBeGreaterThanOrEqual(flow(y1, y2) - JUMP)
        }),
        { numRuns: 200 },
      )
    },
  )

  test.each(Object.entries(REGULATORS))(
    '%s: shut it carries nothing, half open no more than open',
    (_, link) => {
      const flow = flowsOf(link)
      fc.assert(
        fc.property(depth, depth, fc.double({ min: 0, max: 1, noNaN: true }), (y1, y2, setting) => {
          expect(flow(y1, y2, 0)).toBe(0)
          expect(Math.abs(flow(y1, y2, setting))).toBeLessThanOrEqual(Math.abs(flow(y1, y2)) + 1e-3)
        }),
        { numRuns: 200 },
      )
    },
  )

  test.each(['an orifice in a wall', 'a weir', 'an outlet by head'])(
    '%s with a gate lets nothing back',
    (name) => {
      const flow = flowsOf({ ...REGULATORS[name], flapGate: true } as SewerLink)
      expect(flow(1, 2)).toBe(0)
      const open = flow(2, 1)
      expect(open).toBeGreaterThan(0)
      expect(open).toBeLessThanOrEqual(flowsOf(REGULATORS[name])(2, 1))
    },
  )
})

describe('pumps of the explicit scheme', () => {
  test('by lift: less against more, nothing beyond the shut-off head, no jump there', () => {
    const flow = flowsOf(pump({ type: 3, curve: { name: 'C', x: [0, 1, 2], y: [0.3, 0.2, 0] } }))
    expect(flow(1, 1)).toBeCloseTo(0.3, 12)
    expect(flow(1, 2)).toBeCloseTo(0.2, 12)
    expect(flow(1, 3 - TINY)).toBeLessThan(1e-8)
    expect(flow(1, 3)).toBe(0)
    expect(flow(1, 9)).toBe(0)
  })

  test('by depth: along the curve or by its steps; never more than the well holds', () => {
    const along = flowsOf(pump({ type: 4, curve: { name: 'C', x: [0, 2], y: [0, 0.2] } }))
    expect(along(1, 0)).toBeCloseTo(0.1, 12)
    const steps = flowsOf(pump({ type: 2, curve: { name: 'C', x: [0.5, 1], y: [0.05, 0.1] } }))
    expect(steps(0.7, 0)).toBeCloseTo(0.1, 12)
    const strong = flowsOf(pump({ type: 4, curve: { name: 'C', x: [0, 1], y: [50, 50] } }))
    expect(strong(0.01, 0)).toBeCloseTo(10, 12)
  })
})
