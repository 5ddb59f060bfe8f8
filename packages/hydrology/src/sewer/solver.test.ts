import type { SewerLink, SewerNetwork } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { SewerNetworkError } from './errors.ts'
import { createPeaks } from './peaks.ts'
import { G, normalDepth, sectionTable, tableAt } from './section-table.ts'
import { createSewer } from './solver.ts'
import { conduit, junction, network, outfall, section, steady, tank } from './testing/build.ts'

/** Pipe of 20 reaches on one slope, fed at the top. */
function channel(shape: ReturnType<typeof section>, slope: number, flow: number, options = {}): SewerNetwork {
  const reaches = 20
  const step = 25
  const nodes = Array.from({ length: reaches }, (_, i) =>
    junction(`J${i}`, 100 - i * step * slope, { inflows: i === 0 ? [steady(flow)] : [] }),
  )
  return network(
    [...nodes, outfall('O', 100 - reaches * step * slope, { boundary: { type: 'normal' } })],
    nodes.map((_, i) => conduit(`C${i}`, i, i + 1, step, shape)),
    options,
  )
}

const closes = (sewer: ReturnType<typeof createSewer>) => {
  const { error, inflow, initial } = sewer.totals()
  expect(Math.abs(error) / Math.max(1, inflow + initial)).toBeLessThan(1e-9)
}

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
          (2 * G),
      ],
    ] as const) {
      const flow = 0.3
      const sewer = createSewer(
        network(
          [
            tank('T', 0, 50, { inflows: [steady(flow)] }),
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
    expect((pipe(2) - pipe(0)) / ((2 * speed * speed) / (2 * G))).toBeCloseTo(1, 2)
  })
})

describe('surge between two tanks', () => {
  // Rigid column: L dQ/dt / (g A) = dz - r Q |Q|; areas F each side: omega^2 = 2 g A / (L F).
  const L = 400
  const D = 1
  const A = (Math.PI * D * D) / 4
  const F = 200
  const tanks = (roughness: number) =>
    createSewer(
      network(
        [tank('A', 0, F, { initDepthM: 6 }), tank('B', 0, F, { initDepthM: 5 }), outfall('O', 20)],
        [
          conduit('P', 0, 1, L, section('CIRCULAR', D), { roughness }),
          // The outfall hangs far above the water: it only makes the network a network.
          conduit('Q', 1, 2, 100, section('CIRCULAR', D), { inOffsetM: 19.9 }),
        ],
        { minSurfaceAreaM2: 0.01, surchargeMethod: 'EXTRAN' },
      ),
      { maxStepS: 0.5 },
    )

  test('its period is that of a rigid column', () => {
    const sewer = tanks(1e-4)
    const period = 2 * Math.PI * Math.sqrt((L * F) / (2 * G * A))
    const crossings: number[] = []
    let before = sewer.heads[0] - sewer.heads[1]
    while (crossings.length < 5 && sewer.timeS < 4000) {
      sewer.step(0.5)
      const now = sewer.heads[0] - sewer.heads[1]
      if (before > 0 && now <= 0) crossings.push(sewer.timeS - 0.5 * (now / (now - before)))
      before = now
    }
    const measured = (crossings[4] - crossings[0]) / 4
    expect(measured / period).toBeCloseTo(1, 2)
    closes(sewer)
  })

  test('its damping is that of quadratic friction', () => {
    const n = 0.02
    const sewer = tanks(n)
    // Reference by small explicit steps of the same ordinary differential equation.
    const friction = (G * n * n) / (D / 4) ** (4 / 3)
    let dz = 1
    let q = 0
    const peaks: number[] = []
    const reference: number[] = []
    const h = 0.01
    let last = dz
    for (let t = 0; t < 1500; t += h) {
      const v = q / A
      q += h * ((G * A * dz) / L - friction * v * Math.abs(v) * A)
      const next = dz - (2 * h * q) / F
      if (last < dz && next < dz) reference.push(dz)
      last = dz
      dz = next
    }
    let a = 1
    let b = 1
    while (sewer.timeS < 1500) {
      sewer.step(0.5)
      const now = sewer.heads[0] - sewer.heads[1]
      if (a < b && now < b) peaks.push(b)
      a = b
      b = now
    }
    expect(peaks.length).toBe(reference.length)
    peaks.forEach((peak, i) => {
      expect(Math.abs(peak - reference[i])).toBeLessThan(0.02)
    })
  })
})

describe('what goes in and out', () => {
  test('a flooded node gives its water out at the rim, and the balance closes', () => {
    const sewer = createSewer(
      network(
        [junction('J', 10, { fullDepthM: 2, inflows: [steady(1)] }), outfall('O', 9.9)],
        [conduit('C', 0, 1, 50, section('CIRCULAR', 0.3))],
      ),
    )
    const peaks = createPeaks(sewer)
    for (let i = 0; i < 100; i++) {
      sewer.step(5)
      peaks.observe(5)
    }
    expect(sewer.heads[0]).toBeCloseTo(12, 3)
    expect(peaks.node.floodVolume[0]).toBeCloseTo(sewer.totals().flooded, 6)
    expect(peaks.node.floodVolume[0]).toBeGreaterThan(300)
    closes(sewer)
  })

  test('ponded water stays and flows back', () => {
    const pond = network(
      [junction('J', 10, { fullDepthM: 1, pondedAreaM2: 500, inflows: [] }), outfall('O', 9.9)],
      [conduit('C', 0, 1, 50, section('CIRCULAR', 0.3))],
      { allowPonding: true },
    )
    const sewer = createSewer(pond)
    const water = new Float64Array(2)
    water[0] = 200
    sewer.step(60, water)
    expect(sewer.depths[0]).toBeGreaterThan(1.2)
    for (let i = 0; i < 2000; i++) sewer.step(10)
    expect(sewer.depths[0]).toBeLessThan(0.05)
    expect(sewer.totals().flooded).toBe(0)
    expect(sewer.totals().outfall).toBeGreaterThan(195)
    closes(sewer)
  })

  test('a coupled node keeps its water below the surface’s level, and gives through its opening', () => {
    const make = () =>
      createSewer(
        network(
          [junction('J', 10, { fullDepthM: 2 }), outfall('O', 9.9)],
          [conduit('C', 0, 1, 50, section('CIRCULAR', 0.3))],
        ),
        { coupled: true },
      )
    const water = new Float64Array([20, 0])
    const free = make()
    free.step(10, water)
    expect(free.floodVolumes[0]).toBeGreaterThan(10)
    expect(free.heads[0]).toBeCloseTo(12, 2)

    const under = make()
    under.surfaceLevels[0] = 13
    for (let i = 0; i < 10; i++) under.step(10, water)
    expect(under.heads[0]).toBeCloseTo(13, 2)

    const narrow = make()
    narrow.openingAreas[0] = 0.25
    for (let i = 0; i < 60; i++) narrow.step(10, water)
    const rate = narrow.floodVolumes[0] / 10
    expect(rate / (0.6 * 0.25 * Math.sqrt(2 * G * (narrow.heads[0] - 12)))).toBeCloseTo(1, 2)

    const shut = make()
    shut.surfaceLevels[0] = Number.POSITIVE_INFINITY
    shut.step(10, new Float64Array([2, 0]))
    expect(shut.floodVolumes[0]).toBe(0)
    for (const sewer of [free, under, narrow, shut]) closes(sewer)
  })

  test('where a few nodes swing, shorter steps of these alone follow what short steps of all do', () => {
    const reaches = 60
    const town = network(
      [
        ...Array.from({ length: reaches }, (_, i) =>
          junction(`J${i}`, 20 - 0.1 * i, { fullDepthM: 4, inflows: i === 0 ? [steady(0.1)] : [] }),
        ),
        outfall('O', 20 - 0.1 * reaches),
      ],
      Array.from({ length: reaches }, (_, i) => conduit(`C${i}`, i, i + 1, 40, section('CIRCULAR', 0.6))),
    )
    const burst = (at: number, maxStepS?: number) => {
      const sewer = createSewer(town, { coupled: true, maxStepS })
      const water = new Float64Array(reaches + 1)
      const highest = new Float64Array(reaches)
      for (let i = 0; i < 240; i++) {
        // Bursts of 15 s, one a minute.
        water[at] = i > 60 && i % 12 < 3 ? 5 : 0
        sewer.step(5, water)
        for (let k = 0; k < reaches; k++) highest[k] = Math.max(highest[k], sewer.heads[k])
      }
      closes(sewer)
      return { sewer, highest }
    }
    for (const at of [30, reaches - 2]) {
      const parted = burst(at)
      const all = burst(at, 0.5)
      const exact = burst(at, 0.1)
      expect(parted.sewer.steps).toBeLessThan(all.sewer.steps / 4)
      expect(parted.sewer.rejectedSteps).toBe(0)
      for (let k = 0; k < reaches; k++) {
        const off = Math.abs(all.highest[k] - exact.highest[k])
        expect(Math.abs(parted.highest[k] - exact.highest[k])).toBeLessThan(0.04 + 2 * off)
      }
    }
  })

  test('so they do in a network with a long pipe, an orifice and one that seeps, away from these', () => {
    const reaches = 60
    const circle = section('CIRCULAR', 0.6)
    const town = network(
      [
        ...Array.from({ length: reaches }, (_, i) =>
          junction(`J${i}`, 20 - 0.1 * i, { fullDepthM: 4, inflows: i === 0 ? [steady(0.1)] : [] }),
        ),
        outfall('O', 20 - 0.1 * reaches),
      ],
      Array.from({ length: reaches }, (_, i): SewerLink => {
        if (i === 4) return conduit('long', i, i + 1, 240, circle)
        if (i === 52) return conduit('leaky', i, i + 1, 40, circle, { seepageMS: 1e-6 })
        if (i !== 48) return conduit(`C${i}`, i, i + 1, 40, circle)
        const opening = section('RECT_CLOSED', 0.6, 0.8)
        return {
          ...{ kind: 'orifice', name: 'gate', from: i, to: i + 1, vertices: [], orientation: 'side' },
          ...{ offsetM: 0, dischargeCoefficient: 0.65, flapGate: false, openCloseS: 0, section: opening },
        }
      }),
    )
    const burst = (maxStepS?: number) => {
      const sewer = createSewer(town, { coupled: true, maxStepS })
      const water = new Float64Array(reaches + 1)
      const highest = new Float64Array(reaches)
      for (let i = 0; i < 240; i++) {
        water[26] = i > 60 && i % 12 < 3 ? 5 : 0
        sewer.step(5, water)
        for (let k = 0; k < reaches; k++) highest[k] = Math.max(highest[k], sewer.heads[k])
      }
      closes(sewer)
      return { sewer, highest }
    }
    const parted = burst()
    const all = burst(0.5)
    const exact = burst(0.1)
    expect(parted.sewer.steps).toBeLessThan(all.sewer.steps / 4)
    expect(parted.sewer.rejectedSteps).toBe(0)
    expect(parted.sewer.totals().loss).toBeGreaterThan(0)
    for (let k = 0; k < reaches; k++) {
      const off = Math.abs(all.highest[k] - exact.highest[k])
      expect(Math.abs(parted.highest[k] - exact.highest[k])).toBeLessThan(0.04 + 2 * off)
    }
  })

  test('where most nodes swing at once all take the shorter steps, as if they had been asked to', () => {
    const reaches = 6
    const street = network(
      [
        ...Array.from({ length: reaches }, (_, i) => junction(`J${i}`, 20 - 0.1 * i, { fullDepthM: 4 })),
        outfall('O', 20 - 0.1 * reaches),
      ],
      Array.from({ length: reaches }, (_, i) => conduit(`C${i}`, i, i + 1, 40, section('CIRCULAR', 0.6))),
    )
    const burst = (maxStepS?: number) => {
      const sewer = createSewer(street, { coupled: true, maxStepS })
      const highest = new Float64Array(reaches)
      for (let i = 0; i < 120; i++) {
        const water = new Float64Array(reaches + 1).fill(i % 12 < 3 ? 5 : 0)
        sewer.step(5, water)
        for (let k = 0; k < reaches; k++) highest[k] = Math.max(highest[k], sewer.heads[k])
      }
      closes(sewer)
      return { sewer, highest }
    }
    const own = burst()
    // Whole steps are thrown away, and the shorter ones are of the whole network.
    expect(own.sewer.rejectedSteps).toBeGreaterThan(0)
    expect(own.sewer.steps).toBeGreaterThan(240)
    const exact = burst(0.1)
    const all = burst(0.5)
    for (let k = 0; k < reaches; k++) {
      const off = Math.abs(all.highest[k] - exact.highest[k])
      expect(Math.abs(own.highest[k] - exact.highest[k])).toBeLessThan(0.04 + 2 * off)
    }
  })

  test('many small volumes add up to 1e-9', () => {
    const sewer = createSewer(
      network([junction('J', 10), outfall('O', 9)], [conduit('C', 0, 1, 100, section('CIRCULAR', 0.5))]),
    )
    const drop = new Float64Array([1e-4, 0])
    for (let i = 0; i < 20_000; i++) sewer.step(1, drop)
    const { inflow } = sewer.totals()
    expect(inflow).toBeCloseTo(2, 9)
    closes(sewer)
  })

  test('a flap gate lets nothing back', () => {
    const make = (flapGate: boolean) => {
      const sewer = createSewer(
        network(
          [junction('J', 0), outfall('O', 0, { boundary: { type: 'fixed', stageM: 2 }, flapGate })],
          [conduit('C', 0, 1, 100, section('CIRCULAR', 0.5))],
        ),
      )
      for (let i = 0; i < 100; i++) sewer.step(5)
      closes(sewer)
      return sewer.depths[0]
    }
    expect(make(true)).toBeLessThan(1e-6)
    expect(make(false)).toBeCloseTo(2, 2)
  })

  test('seepage leaves as loss', () => {
    const sewer = createSewer(
      network(
        [junction('J', 1, { inflows: [steady(0.1)] }), junction('K', 0.9), outfall('O', 0.8)],
        [
          conduit('C', 0, 1, 100, section('TRAPEZOIDAL', 1, 1, 1, 1), { seepageMS: 1e-5 }),
          conduit('D', 1, 2, 100, section('TRAPEZOIDAL', 1, 1, 1, 1)),
        ],
      ),
    )
    for (let i = 0; i < 500; i++) sewer.step(5)
    const table = sectionTable(section('TRAPEZOIDAL', 1, 1, 1, 1))
    const rate = 1e-5 * 100 * tableAt(table, sewer.linkDepths[0], 1)
    const before = sewer.totals().loss
    sewer.step(100)
    expect((sewer.totals().loss - before) / 100 / rate).toBeCloseTo(1, 2)
    closes(sewer)
  })

  test('exactly the time asked for passes, whatever the step', () => {
    const sewer = createSewer(channel(section('CIRCULAR', 1), 0.002, 0.2))
    for (const dt of [0.3, 7, 5.000001, 123]) {
      const before = sewer.timeS
      sewer.step(dt)
      expect(sewer.timeS).toBe(before + dt)
    }
  })

  test('a section without dimensions is refused in words', () => {
    expect(() =>
      createSewer(
        network([junction('J', 1), outfall('O', 0)], [conduit('C', 0, 1, 10, section('CIRCULAR', 0))]),
      ),
    ).toThrow(SewerNetworkError)
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
