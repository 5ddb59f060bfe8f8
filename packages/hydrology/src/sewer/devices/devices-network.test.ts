import type { SewerLink, SewerNetwork, SewerNode, SewerRule } from '@radx/contracts'
import { GRAVITY } from '@radx/contracts/constants'
import { expect, test } from 'vitest'
import { createSewer } from '../solver.ts'
import { conduit, junction, network, outfall, section, steady, tank } from '../testing/build.ts'
import { orifice, pump } from '../testing/devices.ts'

/** Tank, device, junction, pipe, outfall. */
function plant(device: SewerLink, inflow: number, more: Partial<SewerNetwork> = {}) {
  const nodes: SewerNode[] = [
    tank('T', 0, 50, { inflows: [steady(inflow)] }),
    junction('J', 0),
    outfall('O', -1),
  ]
  return { ...network(nodes, [device, conduit('C', 1, 2, 50, section('CIRCULAR', 0.8))]), ...more }
}
function run(net: SewerNetwork, seconds: number) {
  const sewer = createSewer(net)
  while (sewer.timeS < seconds) sewer.step(5)
  const { error, inflow } = sewer.totals()
  expect(Math.abs(error) / inflow).toBeLessThan(1e-9)
  return sewer
}

test('a tank behind an orifice settles where the orifice passes the inflow', () => {
  const sewer = run(plant(orifice({ offsetM: 0.5 }), 0.3), 20_000)
  expect(sewer.flows[0]).toBeCloseTo(0.3, 6)
  const head = (0.3 / (0.65 * Math.PI * 0.04)) ** 2 / (2 * GRAVITY)
  expect(sewer.heads[0]).toBeCloseTo(0.5 + 0.2 + head, 2)
})

test.each([
  ['1, by volume', pump({ type: 1, curve: { name: 'C', x: [20, 60, 100], y: [0.02, 0.05, 0.1] } })],
  ['2, by depth in steps', pump({ type: 2, curve: { name: 'C', x: [0.5, 1, 2], y: [0.02, 0.05, 0.1] } })],
  ['4, by depth', pump()],
  ['0, ideal', pump({ type: 0, curve: null })],
])('a pump of type %s passes what arrives in the end', (_, device) => {
  const sewer = run(plant(device, 0.05), 30_000)
  expect(sewer.totals().outfall / sewer.totals().inflow).toBeGreaterThan(0.9)
  expect(sewer.heads[0]).toBeGreaterThanOrEqual(0)
})

test('a pump by head works on its curve, and its speed shifts it by affinity', () => {
  const lift = (speed: number) => {
    const nodes = [
      tank('T', 0, 1e5, { initDepthM: 2 }),
      tank('U', 4, 1e5, { initDepthM: 1 }),
      outfall('O', 30),
    ]
    const device = pump({ type: 5, curve: { name: 'C', x: [0, 10], y: [0.4, 0] } })
    const net = network(nodes, [device, conduit('C', 1, 2, 50, section('CIRCULAR', 0.8), { inOffsetM: 19 })])
    net.rules = [
      {
        name: 'speed',
        premises: [
          {
            join: 'if',
            left: { type: 'attribute', target: { object: 'simulation' }, attribute: 'TIME' },
            relation: '>=',
            right: { type: 'value', value: 0 },
          },
        ],
        thenActions: [{ link: 0, setting: { type: 'value', value: speed } }],
        elseActions: [],
        priority: 0,
      },
    ]
    const sewer = createSewer(net)
    for (let i = 0; i < 10; i++) sewer.step(5)
    return sewer.flows[0]
  }
  expect(lift(1)).toBeCloseTo(0.4 * (1 - 3 / 10), 2)
  expect(lift(1.2)).toBeCloseTo(1.2 * 0.4 * (1 - 3 / 1.44 / 10), 2)
})

test('start and stop depths switch a pump', () => {
  const device = pump({
    type: 2,
    curve: { name: 'C', x: [10], y: [0.2] },
    initiallyOn: false,
    startDepthM: 2,
    stopDepthM: 0.5,
  })
  const sewer = createSewer(plant(device, 0.05))
  let on = 0
  let highest = 0
  let lowest = 9
  while (sewer.timeS < 20_000) {
    sewer.step(5)
    if (sewer.flows[0] > 0) on++
    highest = Math.max(highest, sewer.depths[0])
    if (sewer.timeS > 5000) lowest = Math.min(lowest, sewer.depths[0])
  }
  expect(highest).toBeCloseTo(2, 1)
  expect(lowest).toBeCloseTo(0.5, 1)
  expect((on * 5 * 0.2) / (20_000 * 0.05)).toBeCloseTo(1, 0)
})

const rule = (relation: '>' | '<', depth: number, value: number, priority = 0): SewerRule => ({
  name: `${relation}${depth}`,
  premises: [
    {
      join: 'if',
      left: { type: 'attribute', target: { object: 'node', index: 0 }, attribute: 'DEPTH' },
      relation,
      right: { type: 'value', value: depth },
    },
  ],
  thenActions: [{ link: 0, setting: { type: 'value', value } }],
  elseActions: [],
  priority,
})

test('rules open and shut an orifice between two levels', () => {
  const net = plant(orifice(), 0.05, { rules: [rule('>', 2, 1), rule('<', 1, 0)] })
  const sewer = createSewer(net)
  let lowest = 9
  let highest = 0
  while (sewer.timeS < 30_000) {
    sewer.step(5)
    if (sewer.timeS > 8000) {
      lowest = Math.min(lowest, sewer.depths[0])
      highest = Math.max(highest, sewer.depths[0])
    }
  }
  expect(highest).toBeCloseTo(2, 1)
  expect(lowest).toBeCloseTo(1, 1)
})

test('the rule with the higher priority wins', () => {
  const sewer = createSewer(plant(orifice(), 0.05, { rules: [rule('>', -1, 0, 1), rule('>', -1, 1, 5)] }))
  for (let i = 0; i < 100; i++) sewer.step(5)
  expect(sewer.flows[0]).toBeGreaterThan(0.01)
})

test('a slow gate opens at its own pace', () => {
  const net = plant(orifice({ openCloseS: 1000 }), 0.05, { rules: [rule('>', -1, 0)] })
  const sewer = createSewer(net)
  sewer.step(500)
  const half = sewer.flows[0]
  for (let i = 0; i < 120; i++) sewer.step(5)
  expect(half).toBeGreaterThan(0)
  expect(sewer.flows[0]).toBe(0)
})
