import { GRAVITY } from '@radx/contracts/constants'
import { describe, expect, test } from 'vitest'
import { SewerNetworkError, SewerStepError } from './errors.ts'
import { createPeaks } from './results/peaks.ts'
import { sectionTable, tableAt } from './sections/section-table.ts'
import { createSewer } from './solver.ts'
import { conduit, junction, network, outfall, section, steady, tank } from './testing/build.ts'
import { channel, closes } from './testing/channel.ts'
import { orifice, pump } from './testing/devices.ts'
import { clock, rule, set, when } from './testing/rules.ts'

describe('what goes in and out', () => {
  test('an open channel between two flooded nodes carries what its own fall drives, not the water over the rims', () => {
    // 1 m long, 2 cm of fall: a millimetre over a rim would be 2.5 % of the flow.
    const net = network(
      [
        junction('A', 10.02, { fullDepthM: 0.5, inflows: [steady(8)] }),
        junction('B', 10, { fullDepthM: 0.5, inflows: [steady(3)] }),
        outfall('O', 8),
      ],
      [
        conduit('AB', 0, 1, 1, section('RECT_OPEN', 0.5, 0.5)),
        conduit('BO', 1, 2, 400, section('RECT_OPEN', 0.5, 2.7)),
      ],
    )
    const sewer = createSewer(net)
    for (let i = 0; i < 60; i++) sewer.step(10)
    const normal = (0.25 * (0.25 / 1.5) ** (2 / 3) * Math.sqrt(0.02)) / 0.013
    expect(sewer.flows[0] / normal).toBeCloseTo(1, 3)
    expect(sewer.depths[0]).toBeCloseTo(0.5, 9)
    expect(sewer.floodVolumes[0]).toBeCloseTo(10 * (8 - sewer.flows[0]), 1)
    closes(sewer)
  })

  test('water that stands level with a fixed outfall from the start does not move', () => {
    const net = network(
      [junction('J', 0, { initDepthM: 0.6 }), outfall('O', 0, { boundary: { type: 'fixed', stageM: 0.6 } })],
      [conduit('C', 0, 1, 600, section('CIRCULAR', 1))],
    )
    const sewer = createSewer(net)
    for (let i = 0; i < 10; i++) {
      sewer.step(5)
      expect(sewer.heads[0]).toBeCloseTo(0.6, 6)
      expect(sewer.flows[0]).toBeCloseTo(0, 6)
    }
    closes(sewer)
  })

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
    expect(rate / (0.6 * 0.25 * Math.sqrt(2 * GRAVITY * (narrow.heads[0] - 12)))).toBeCloseTo(1, 2)

    const shut = make()
    shut.surfaceLevels[0] = Number.POSITIVE_INFINITY
    shut.step(10, new Float64Array([2, 0]))
    expect(shut.floodVolumes[0]).toBe(0)
    for (const sewer of [free, under, narrow, shut]) closes(sewer)
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
    expect(() =>
      createSewer(
        network([junction('J', 1), outfall('O', 0)], [conduit('C', 0, 1, 10, section('CIRCULAR', 0))]),
      ),
    ).toThrow(/n'a pas de géométrie valide \(.+\)\. Corrigez \[XSECTIONS\]\./)
  })
})

describe('a sewer before its first step', () => {
  const wet = network(
    [junction('J', 10, { initDepthM: 0.5 }), tank('T', 9, 4, { initDepthM: 1 }), outfall('O', 8)],
    [conduit('C', 0, 2, 100, section('RECT_OPEN', 2.56, 2)), pump({ from: 1, to: 0, initiallyOn: false })],
    { minSurfaceAreaM2: 0 },
  )

  test('knows nodes and links by name', () => {
    const sewer = createSewer(wet)
    expect(['J', 'T', 'O', 'j', 'C', ''].map((name) => sewer.nodeIndex(name))).toEqual([0, 1, 2, -1, -1, -1])
    expect(['C', 'P', 'J'].map((name) => sewer.linkIndex(name))).toEqual([0, 1, -1])
  })

  test('shows what the file begins with, and counts it', () => {
    const sewer = createSewer(wet, { middleDepthFromM: 200 })
    expect([...sewer.depths.subarray(0, 2)]).toEqual([0.5, 1])
    expect(sewer.volumes[1]).toBeCloseTo(4, 9)
    // Half of the channel, 2 m wide.
    expect(sewer.volumes[0]).toBeCloseTo(50 * 2 * 0.5, 6)
    expect(sewer.totals()).toMatchObject({ inflow: 0, outfall: 0, error: 0 })
    expect(sewer.totals().initial).toBeCloseTo(54, 6)
    expect([sewer.timeS, sewer.steps, sewer.rejectedSteps, sewer.nextStepS]).toEqual([0, 0, 0, 5])
    sewer.step(10)
    // Three steps of at most 4 s.
    expect([sewer.timeS, sewer.steps, sewer.rejectedSteps]).toEqual([10, 2, 0])
    closes(sewer)
  })

  test('speeds are described without depths being asked for', () => {
    const sewer = createSewer(wet)
    sewer.step(4)
    expect(sewer.velocities[0]).toBeGreaterThan(0)
  })

  test('a long pipe is filled as its ends are', () => {
    const sewer = createSewer(
      network(
        [junction('A', 10, { initDepthM: 1 }), junction('B', 10, { initDepthM: 1 }), outfall('O', 20)],
        [conduit('C', 0, 1, 400, section('RECT_OPEN', 2.56, 2))],
        { minSurfaceAreaM2: 0 },
      ),
    )
    expect(sewer.totals().initial).toBeCloseTo(800, 0)
    sewer.step(60)
    expect(sewer.depths[0]).toBeCloseTo(1, 5)
    closes(sewer)
  })
})

describe('steps of a sewer', () => {
  test('in parts know their time: what a series brings is its integral', () => {
    const series = { name: 'S', timesS: [0, 100], values: [0, 1] }
    const inflow = { series, scale: 1, baselineM3S: 0, patterns: [] }
    const sewer = createSewer(network([tank('A', 10, 50, { inflows: [inflow] }), outfall('O', 5)], []))
    sewer.step(12)
    expect(sewer.steps).toBe(3)
    expect(sewer.totals().inflow).toBeCloseTo(0.72, 9)
    expect(sewer.proceed()).toBe(false)
    expect(sewer.steps).toBe(3)
    closes(sewer)
  })

  test('that cannot be solved however short end in an error that names the node and the time', () => {
    const nodes = [junction('J', 10), junction('K', 10), outfall('O', 5)]
    const sewer = createSewer(network(nodes, []))
    sewer.step(7)
    const step = () => sewer.step(1, new Float64Array([1, 1e12, 0]))
    expect(step).toThrow(SewerStepError)
    expect(step).toThrow(/K/)
  })

  test('go by rules and gates that move', () => {
    const rules = [rule([when(clock('TIME'), '>=', 0)], [set(0, 0)])]
    const links = [orifice({ openCloseS: 100 }), pump()]
    const sewer = createSewer({
      ...network([tank('A', 10, 50, { initDepthM: 2 }), tank('B', 10, 50), outfall('O', 5)], links),
      rules,
    })
    sewer.step(4)
    const [first] = sewer.settings
    expect(first).toBeLessThan(1)
    sewer.step(4)
    expect(first - sewer.settings[0]).toBeCloseTo(0.04, 6)
  })

  test('grow when they are coupled and calm, unless pumps or rules may switch', () => {
    const calm = (links = [] as ReturnType<typeof pump>[], rules: ReturnType<typeof rule>[] = []) => {
      const sewer = createSewer(
        {
          ...network([tank('A', 10, 50), tank('B', 10, 50), outfall('O', 5)], [...links]),
          rules,
        },
        { coupled: true },
      )
      for (let i = 0; i < 5; i++) sewer.step(sewer.nextStepS)
      return sewer.nextStepS
    }
    expect(calm()).toBe(20)
    expect(calm([pump()])).toBe(5)
    expect(calm([], [rule([when(clock('TIME'), '<', 0)], [])])).toBe(5)
  })
})

test('many small inflows added to much water leave no balance open', () => {
  const nodes = Array.from({ length: 500 }, (_, i) => tank(`T${i}`, 0, 100))
  const sewer = createSewer(network([...nodes, outfall('O', 0)], []))
  const lateral = new Float64Array(501)
  lateral[0] = 1e6
  sewer.step(1, lateral)
  lateral.fill(1e-4, 0, 500)
  for (let i = 0; i < 200; i++) sewer.step(1, lateral)
  const { inflow, error } = sewer.totals()
  expect(inflow).toBeCloseTo(1e6 + 200 * 500 * 1e-4, 6)
  // Each of 100,000 additions to a million would round by up to 6e-11, and the same way.
  expect(Math.abs(error)).toBeLessThan(1e-7)
})
