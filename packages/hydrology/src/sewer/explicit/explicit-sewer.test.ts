import type { SewerConduit, SewerStorageLosses } from '@radx/contracts'
import { expect, test } from 'vitest'
import { explicitSewerWasm } from '../../testing/kernels.ts'
import { createSewer } from '../solver.ts'
import { conduit, junction, network, outfall, section, steady, tank } from '../testing/build.ts'
import { pump } from '../testing/devices.ts'

const line = (flow: number, options = {}) =>
  network(
    [
      junction('A', 10, { fullDepthM: 2, inflows: [steady(flow)] }),
      junction('B', 9.8, { fullDepthM: 2 }),
      junction('C', 9.6, { fullDepthM: 2 }),
      outfall('O', 9.4, { boundary: { type: 'free' } }),
    ],
    [0, 1, 2].map((i) => conduit(`C${i}`, i, i + 1, 100, section('CIRCULAR', 0.8))),
    { routingStepS: 5, inertialDamping: 'PARTIAL', ...options },
  )

test('both schemes carry the same steady flow at the same depths', () => {
  const [explicit, implicit] = (['explicit', 'implicit'] as const).map((scheme) => {
    const sewer = createSewer(line(0.3), { scheme })
    for (let i = 0; i < 120; i++) sewer.step(60)
    return sewer
  })
  for (let n = 0; n < 3; n++)
    expect(Math.abs(explicit.depths[n] / implicit.depths[n] - 1)).toBeLessThan(0.002)
  for (let i = 0; i < 3; i++) expect(explicit.flows[i]).toBeCloseTo(0.3, 4)
})

test('what enters is stored, flooded or left, to rounding, also over full pipes and rims', () => {
  for (const surchargeMethod of ['EXTRAN', 'SLOT'] as const) {
    const sewer = createSewer(line(2.5, { surchargeMethod }), { scheme: 'explicit' })
    for (let i = 0; i < 60; i++) sewer.step(60)
    const { inflow, flooded, outfall: left, error } = sewer.totals()
    expect(flooded).toBeGreaterThan(0.1 * inflow)
    expect(left).toBeGreaterThan(0.1 * inflow)
    expect(Math.abs(error)).toBeLessThan(1e-12 * inflow)
    expect(Math.abs(sewer.drift?.() ?? Number.NaN)).toBeLessThan(0.02 * inflow)
  }
})

test('a conduit that has run dry, or is held shut, loses nothing more into the ground', () => {
  const net = line(0)
  const links = net.links.with(1, { ...(net.links[1] as SewerConduit), seepageMS: 1e-4 })
  for (const wasm of [undefined, explicitSewerWasm()]) {
    const sewer = createSewer({ ...net, links }, { scheme: 'explicit', wasm })
    sewer.step(300, Float64Array.of(60, 0, 0, 0))
    sewer.step(7200)
    const { loss } = sewer.totals()
    expect(loss).toBeGreaterThan(0.1)
    sewer.step(7200)
    const { loss: later, error } = sewer.totals()
    expect(later).toBe(loss)
    expect(Math.abs(error)).toBeLessThan(1e-9)
  }
})

/** A tank of 100 m2 with 2 m of water that leads nowhere. */
const losing = (losses: SewerStorageLosses, rate = 0) => {
  const basin = { ...tank('T', 0, 100), initDepthM: 2, losses }
  const net = network(
    [basin, junction('A', 5, { fullDepthM: 2 }), outfall('O', 4.5)],
    [conduit('C', 1, 2, 50, section('CIRCULAR', 0.5))],
    { routingStepS: 5 },
  )
  const adjustments = { evaporation: null, conductivity: null }
  const climate = { evaporation: { type: 'constant' as const, rate }, adjustments, recovery: null }
  return createSewer({ ...net, climate }, { scheme: 'explicit', wasm: explicitSewerWasm() })
}
const STILL = { evaporationShare: 0, conductivity: 0, suctionM: 0, deficit: 0 }

test('a storage node loses to the air and through its bed what its surface and its soil let go, never more than it holds', () => {
  const air = losing({ ...STILL, evaporationShare: 0.5 }, 1e-6)
  const ground = losing({ ...STILL, conductivity: 1e-5 })
  const soil = losing({ ...STILL, conductivity: 1e-5, suctionM: 0.1, deficit: 0.3 })
  for (const sewer of [air, ground, soil]) for (let i = 0; i < 60; i++) sewer.step(60)
  // 100 m2 over an hour, of which the first step takes in half.
  expect(air.totals().loss).toBeCloseTo(100 * 0.5e-6 * 3600, 2)
  expect(air.totals().evaporation).toBe(air.totals().loss)
  expect(ground.totals().loss).toBeCloseTo(100 * 1e-5 * 3600, 2)
  expect(ground.totals().evaporation).toBe(0)
  // Dry soil under a metre or two of water takes several times its conductivity.
  expect(soil.totals().loss).toBeGreaterThan(2 * ground.totals().loss)
  for (const sewer of [air, ground, soil]) {
    const { initial, inflow, stored, loss, error } = sewer.totals()
    expect(inflow).toBeCloseTo(0, 9)
    expect(stored).toBeCloseTo(initial - loss, 9)
    expect(Math.abs(error)).toBeLessThan(1e-9)
  }
  for (let i = 0; i < 100; i++) soil.step(3600)
  const { initial, loss } = soil.totals()
  // Means of the rates at both ends of a step may pass the last drop.
  expect(loss).toBeLessThan(1.0001 * initial)
  expect(loss).toBeGreaterThan(0.99 * initial)
})

test('tides go by the hours of the run from the curve’s first one on, as EPA SWMM reads them, whatever the hour of the start', () => {
  const curve = { name: 'T', x: [2, 4, 26], y: [9.6, 10.4, 9.6] }
  const tidal = outfall('O', 9.4, { boundary: { type: 'tidal', curve } })
  const base = line(0.01, { startEpochS: 13 * 3600 })
  const sewer = createSewer({ ...base, nodes: base.nodes.with(3, tidal) }, { scheme: 'explicit' })
  sewer.step(3600)
  expect(sewer.heads[3]).toBeCloseTo(10, 3)
  sewer.step(3600)
  expect(sewer.heads[3]).toBeCloseTo(10.4, 3)
})

test('what comes in through an outfall is told beside the net of both ways', () => {
  const high = { type: 'fixed' as const, stageM: 11 }
  const net = network(
    [junction('A', 10, { fullDepthM: 3 }), outfall('O', 9.9, { boundary: high })],
    [conduit('C', 0, 1, 50, section('CIRCULAR', 0.5))],
    { routingStepS: 1 },
  )
  for (const wasm of [undefined, explicitSewerWasm()]) {
    const sewer = createSewer(net, { scheme: 'explicit', wasm })
    sewer.step(600)
    const { outfall: left, backflow = 0, stored, initial } = sewer.totals()
    expect(left).toBeLessThan(0)
    expect(backflow).toBeGreaterThanOrEqual(-left)
    expect(stored - initial).toBeCloseTo(-left, 9)
  }
})

test('a pump by its well’s volume at a junction reads the depth as a share of its curve, and takes no more than is there', () => {
  const curve = { name: 'P', x: [10, 20, 40], y: [0.01, 0.05, 0.1] }
  const net = network(
    [junction('W', 0, { fullDepthM: 4, inflows: [steady(0.03)] }), outfall('O', 2)],
    [pump({ type: 1, curve })],
    { routingStepS: 1 },
  )
  const sewer = createSewer(net, { scheme: 'explicit' })
  sewer.step(600)
  // A metre of depth is a quarter of 40 m3: the pump goes from 10 to 50 l/s there and holds the well.
  expect(sewer.depths[0]).toBeGreaterThan(0.95)
  expect(sewer.depths[0]).toBeLessThan(1.1)
  expect(sewer.totals().outfall).toBeCloseTo(sewer.totals().inflow - sewer.volumes[0], 9)
})

test('under SLOT a channel’s walls go on above its rim, up to the nodes’ own: it fills more slowly there', () => {
  const filled = (surchargeMethod: 'EXTRAN' | 'SLOT') => {
    const net = network(
      [junction('A', 0, { fullDepthM: 3 }), junction('B', 0, { fullDepthM: 3 }), outfall('O', 2.9)],
      [
        conduit('C', 0, 1, 50, section('TRAPEZOIDAL', 1, 1, 1, 1)),
        conduit('D', 1, 2, 50, section('CIRCULAR', 0.3), { inOffsetM: 2.9 }),
      ],
      { routingStepS: 1, surchargeMethod, inertialDamping: 'FULL' },
    )
    const sewer = createSewer(net, { scheme: 'explicit' })
    for (let i = 0; i < 40; i++) sewer.step(60, Float64Array.of(6, 0, 0))
    return sewer.depths[0]
  }
  // 240 m3 over 50 m: 4.8 m2 of a channel that goes on as it is, or with upright walls above 1 m.
  expect(filled('SLOT')).toBeCloseTo((Math.sqrt(1 + 4 * 4.8) - 1) / 2, 1)
  expect(filled('EXTRAN')).toBeGreaterThan(filled('SLOT') + 0.2)
})

test('a conduit’s largest flow holds for each of its barrels', () => {
  const net = line(0.4)
  const first = net.links[0] as SewerConduit
  const links = net.links.with(0, { ...first, maxFlowM3S: 0.1, section: { ...first.section, barrels: 2 } })
  for (const scheme of ['explicit', 'implicit'] as const) {
    const sewer = createSewer({ ...net, links }, { scheme })
    for (let i = 0; i < 30; i++) sewer.step(60)
    expect(sewer.flows[0]).toBeCloseTo(0.2, 6)
  }
})

test('the caller’s step ends without a sliver of a step', () => {
  const sewer = createSewer(line(0.3, { routingStepS: 5, courantFactor: 0 }), { scheme: 'explicit' })
  const ends: number[] = []
  sewer.begin(15.01)
  let more = true
  while (more) {
    more = sewer.proceed()
    ends.push(sewer.timeS)
  }
  expect(ends.map((s) => +s.toFixed(6))).toEqual([5, 10, 12.505, 15.01])
})

test('volumes given by the step arrive in full, however the step is cut', () => {
  const net = network(
    [tank('T', 0, 50), outfall('O', -1)],
    [conduit('C', 0, 1, 50, section('CIRCULAR', 0.5))],
    { routingStepS: 2 },
  )
  const sewer = createSewer(net, { scheme: 'explicit' })
  for (const dt of [7, 0.3, 61, 13]) sewer.step(dt, Float64Array.of(1.5, 0))
  expect(sewer.totals().inflow).toBeCloseTo(6, 12)
  expect(sewer.timeS).toBeCloseTo(81.3, 9)
})

test('no state is made of it', () => {
  const sewer = createSewer(line(0.3), { scheme: 'explicit' })
  expect(() => sewer.visit({} as never)).toThrow(/no state/)
})
