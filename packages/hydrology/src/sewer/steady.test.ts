import { GRAVITY } from '@radx/contracts/constants'
import { describe, expect, test } from 'vitest'
import { normalDepth, sectionTable, tableAt } from './sections/section-table.ts'
import { createSewer } from './solver.ts'
import { conduit, junction, network, outfall, section, steady, tank } from './testing/build.ts'
import { channel, closes } from './testing/channel.ts'

describe('steady flow', () => {
  test.each([
    ['CIRCULAR', section('CIRCULAR', 1), 0.002],
    ['CIRCULAR steep', section('CIRCULAR', 1), 0.02],
    ['RECT_CLOSED', section('RECT_CLOSED', 1, 1.2), 0.003],
    ['EGG', section('EGG', 1.2), 0.003],
    ['TRAPEZOIDAL', section('TRAPEZOIDAL', 1, 1, 1.5, 1.5), 0.001],
    ['HORSESHOE', section('HORSESHOE', 1.2), 0.004],
  ])('%s pipes stand at normal depth within 0.5 %%', (_, shape, slope) => {
    const table = sectionTable(shape)
    const beta = Math.sqrt(slope / Math.sqrt(1 - slope * slope)) / 0.013
    for (const fill of [0.15, 0.4, 0.7]) {
      const flow = (Math.sqrt(slope) / 0.013) * tableAt(table, fill * table.fullDepthM, 3)
      // Undamped inertia has a saw-toothed second answer in supercritical flow, in EPA SWMM too.
      const sewer = createSewer(channel(shape, slope, flow, { inertialDamping: 'PARTIAL' }))
      for (let i = 0; i < 1200; i++) sewer.step(5)
      const expected = normalDepth(table, flow, beta)
      for (let i = 6; i < 15; i++) expect(Math.abs(sewer.linkDepths[i] / expected - 1)).toBeLessThan(0.005)
      expect(sewer.flows[10] / flow).toBeCloseTo(1, 3)
      closes(sewer)
    }
  })

  test('a full force main loses head by Hazen-Williams and by Darcy-Weisbach', () => {
    for (const [equation, dims, slopeOf] of [
      ['H-W', [0.5, 120], (v: number) => (v / (0.849 * 120 * 0.125 ** 0.63)) ** 1.852],
      [
        'D-W',
        [0.5, 0.0005],
        (v: number) =>
          ((0.25 / Math.log10(0.0005 / 3.7 / 0.5 + 5.74 / ((0.5 * v) / 1.022e-6) ** 0.9) ** 2 / 0.5) *
            (v * v)) /
          (2 * GRAVITY),
      ],
    ] as const) {
      const flow = 0.3
      const sewer = createSewer(
        network(
          [
            tank('T', 0, 20, { inflows: [steady(flow)] }),
            junction('J', 0, { fullDepthM: 50 }),
            outfall('O', 0, { boundary: { type: 'fixed', stageM: 5 } }),
          ],
          [
            conduit('A', 0, 1, 500, section('FORCE_MAIN', ...dims)),
            conduit('B', 1, 2, 500, section('FORCE_MAIN', ...dims)),
          ],
          // The slot method widens a full pipe: pressurised flow is checked without it.
          { forceMainEquation: equation, surchargeMethod: 'EXTRAN' },
        ),
      )
      for (let i = 0; i < 4000; i++) sewer.step(5)
      const speed = flow / (Math.PI * 0.0625)
      expect((sewer.heads[1] - 5) / 500 / slopeOf(speed)).toBeCloseTo(1, 2)
      expect(sewer.flows[1]).toBeCloseTo(flow, 4)
    }
  })

  test('local losses take k v²/2g', () => {
    const pipe = (loss: number) => {
      const sewer = createSewer(
        network(
          [
            tank('T', 0, 20, { inflows: [steady(0.4)] }),
            outfall('O', 0, { boundary: { type: 'fixed', stageM: 3 } }),
          ],
          [conduit('A', 0, 1, 100, section('CIRCULAR', 0.6), { lossInlet: loss })],
          { surchargeMethod: 'EXTRAN' },
        ),
      )
      for (let i = 0; i < 2000; i++) sewer.step(5)
      return sewer.heads[0]
    }
    const speed = 0.4 / (Math.PI * 0.09)
    expect((pipe(2) - pipe(0)) / ((2 * speed * speed) / (2 * GRAVITY))).toBeCloseTo(1, 2)
  })
})

describe('convergence', () => {
  test('a wave’s outflow settles with smaller steps at first order', () => {
    const wave = channel(section('CIRCULAR', 1), 0.002, 0)
    wave.nodes[0].inflows = [
      {
        series: { name: 'S', timesS: [0, 300, 600, 3600], values: [0.02, 0.5, 0.02, 0.02] },
        scale: 1,
        baselineM3S: 0,
        patterns: [],
      },
    ]
    const outflow = (maxStepS: number) => {
      const sewer = createSewer(wave, { maxStepS })
      return Array.from({ length: 60 }, () => {
        sewer.step(24)
        return sewer.totals().outfall
      })
    }
    const finest = outflow(0.125)
    const errors = [8, 4, 2].map((dt) =>
      outflow(dt).reduce((sum, volume, i) => sum + Math.abs(volume - finest[i]), 0),
    )
    expect(errors[1]).toBeLessThan(errors[0])
    expect(errors[2]).toBeLessThan(errors[1])
    const order = Math.log2(errors[0] / errors[2]) / 2
    expect(order).toBeGreaterThan(0.7)
  })
})
