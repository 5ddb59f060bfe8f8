import { expect, test } from 'vitest'
import { createSewer } from '../solver.ts'
import { conduit, junction, network, outfall, section, steady, tank } from '../testing/build.ts'

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
