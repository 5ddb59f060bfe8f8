import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { devicesNetwork, shapesNetwork } from '../../tools/swmm/catalogue.ts'
import {
  absolute,
  type Comparison,
  compareWithEpa,
  mainLinks,
  type Pair,
  quantile,
  relative,
  runOurs,
  SAME_EQUATIONS,
  stepErrors,
} from '../../tools/swmm/compare.ts'
import { readColumns } from '../../tools/swmm/envelope.ts'
import { withOptions } from '../../tools/swmm/epa.ts'
import { loopedNetwork } from '../../tools/swmm/looped.ts'
import { hasReferenceData, REFERENCE_DATA } from './reference-data.ts'

const read = (path: string) => readFileSync(join(REFERENCE_DATA, path), 'utf8')

/** Left out of the tolerances, each with its cause; at most 2 % of the links. */
const PUMP = 'beside the pump EPA SWMM moves by 1 to 7 % itself, from steps of 1 s to 0.25 s'
const EXCUSED: Record<string, string> = {
  'extran6/8061': PUMP,
  'extran6/1600': PUMP,
  'extran6/1602': PUMP,
  'extran6/1030': PUMP,
  'extran6/1630': PUMP,
}

const MODELS = ['extran1', 'extran2', 'extran3', 'extran4', 'extran5', 'extran6', 'extran7', 'extran9']
let compared = 0

/** The tolerances, each model by itself: peaks of links that carry more than 2 % of the largest flow, and depths. */
function within(name: string, all: Pair[], depthErrorsM: number[], depthBoundM = 0.02, median = 0.001) {
  const links = mainLinks(all)
  compared += links.length
  const of = (full: boolean) =>
    links.filter((link) => link.full === full && !EXCUSED[`${name}/${link.name}`]).map(relative)
  expect(quantile(of(false), 0.5)).toBeLessThan(median)
  expect(quantile(of(false), 0.95)).toBeLessThan(0.005)
  expect(quantile(of(true), 0.5)).toBeLessThan(0.01)
  expect(quantile(of(true), 0.95)).toBeLessThan(0.1)
  expect(quantile(depthErrorsM, 0.95)).toBeLessThan(depthBoundM)
}

/** What holds for every model: balance, outfall volume, flooding, times of peak. */
function common(result: Comparison) {
  expect(result.ours.relativeError).toBeLessThan(1e-9)
  const { reference, value } = result.outfall
  const slack = 0.005 + Math.abs(result.epa.continuityPercent) / 100
  expect(Math.abs(value / reference - 1)).toBeLessThan(slack)
  const flood = result.flooded
  // Flooding is what is left of large volumes: within 5 %, or a thousandth of what flows out.
  expect(Math.abs(flood.value - flood.reference)).toBeLessThan(0.05 * flood.reference + 0.001 * reference)
}

describe.skipIf(!hasReferenceData())('peaks hardly hang on the step: 1 s against 0.25 s', () => {
  const files = ['extran4', 'extran5', 'extran6', 'extran7']
  const models = files.map((name): [string, () => string] => [name, () => read(`sewer/${name}.inp`)])
  test.each([...models, ['looped', loopedNetwork] as [string, () => string]])('%s', (_, inp) => {
    const { open, full } = stepErrors(inp())
    expect(open.length + full.length).toBeGreaterThan(5)
    expect(quantile(open, 0.5)).toBeLessThan(0.003)
    expect(quantile(open, 0.95)).toBeLessThan(0.02)
    expect(quantile(full, 0.5)).toBeLessThan(0.01)
    expect(quantile(full, 0.95)).toBeLessThan(0.08)
  })
})

describe.skipIf(!hasReferenceData())('beside EPA SWMM, same equations (no damping, slot)', () => {
  test.each(MODELS)('%s', async (name) => {
    const result = await compareWithEpa(name, read(`sewer/${name}.inp`))
    within(name, result.links, result.depths.map(absolute))
    common(result)
  })

  test('every shape of section', async () => {
    const { inp, shapes } = shapesNetwork()
    const result = await compareWithEpa('shapes', inp)
    common(result)
    shapes.forEach((shape, i) => {
      // EPA SWMM takes the radius of the empty pipe for a filled one, and leaves normal depth in rounded
      // rectangles: both are checked against their formulas in the unit tests instead.
      if (shape === 'FILLED_CIRCULAR' || shape === 'RECT_ROUND') return
      const link = result.links.find((pair) => pair.name === `C${i}_1`) as Pair
      const node = result.depths.find((pair) => pair.name === `S${i}_1`) as Pair
      expect(relative(link), shape).toBeLessThan(0.005)
      expect(absolute(node), shape).toBeLessThan(0.004)
    })
  })

  test('every kind of orifice, weir, outlet and pump, flap gates and a rule', async () => {
    const { inp, devices } = devicesNetwork()
    const result = await compareWithEpa('devices', inp)
    common(result)
    devices.forEach((device, i) => {
      const link = result.links.find((pair) => pair.name === `D${i}`) as Pair
      const tank = result.depths.find((pair) => pair.name === `T${i}`) as Pair
      // The rule's gate and the pump on an empty well switch in every step: their peak hangs on its length.
      const switching = i === 0 || device.includes('PUMPC')
      expect(relative(link), device).toBeLessThan(switching ? 0.06 : 0.005)
      expect(absolute(tank), device).toBeLessThan(0.01)
    })
  })

  test('a looped network with three outfalls', async () => {
    const result = await compareWithEpa('looped', loopedNetwork())
    common(result)
    within('looped', result.links, result.depths.map(absolute))
    const late = mainLinks(result.links).map((link) => Math.abs(link.timeS - link.referenceTimeS))
    expect(quantile(late, 0.95)).toBeLessThan(60)
  })

  test('1,020 junctions in heavy surcharge', async () => {
    // The peak is over after an hour and a half.
    const inp = withOptions(read('sewer/synth_1020.inp'), { END_TIME: '01:30:00' })
    const result = await compareWithEpa('synth_1020', inp)
    expect(result.ours.relativeError).toBeLessThan(1e-9)
    // Nearer to a quarter of EPA SWMM's step than to its own; sealed nodes store a little (docs/decisions/0102).
    within('synth_1020', result.links, result.depths.map(absolute), 0.02, 0.003)
  })

  test('Melun, against the stored peaks', () => {
    const inp = withOptions(read('melun/network-with-inflows.inp'), {
      ...SAME_EQUATIONS,
      END_TIME: '02:00:00',
    })
    const ours = runOurs(inp)
    const envelope = columns('melun/envelope-links.csv')
    const links = mainLinks(
      envelope.map(({ name, values }): Pair => {
        const i = ours.sewer.linkIndex(name)
        return {
          name,
          reference: values.none_slot,
          value: ours.peaks.link.maxAbsFlow[i],
          referenceTimeS: 0,
          timeS: ours.peaks.link.timeS[i],
          full: ours.peaks.link.maxFullDepthRatio[i] >= 0.999,
        }
      }),
    )
    expect(links.length).toBeGreaterThan(900)
    const depths = columns('melun/envelope-nodes.csv').map(({ name, values }) =>
      Math.abs(ours.peaks.node.maxDepth[ours.sewer.nodeIndex(name)] - values.none_slot),
    )
    within('melun', links, depths)
    expect(Math.abs(ours.totals.error) / ours.totals.inflow).toBeLessThan(1e-9)
  })

  test('at most 2 % of all links are excused', () => {
    expect(compared).toBeGreaterThan(1000)
    expect(Object.keys(EXCUSED).length / compared).toBeLessThan(0.02)
  })
})

describe.skipIf(!hasReferenceData())('Melun with the file’s own options (partial damping, EXTRAN)', () => {
  test('peaks lie in the envelope that EPA SWMM spans against itself, widened by 2 %', () => {
    const ours = runOurs(read('melun/network-with-inflows.inp'), { middleDepthFromM: 0 })
    const rows = columns('melun/envelope-links.csv')
    const largest = Math.max(...rows.map((row) => row.values.partial_extran))
    const main = rows.filter((row) => row.values.partial_extran > 0.02 * largest)
    const outside = main.filter(({ name, values }) => {
      const peak = ours.peaks.link.maxAbsFlow[ours.sewer.linkIndex(name)]
      const spread = Object.values(values)
      return peak > 1.02 * Math.max(...spread) || peak < 0.98 * Math.min(...spread)
    })
    // Two of some 900 that swing about their crowns, half a percent beyond (docs/decisions/0102).
    expect(outside.length).toBeLessThanOrEqual(2)

    const reference = columns('melun/reference-links.csv')
    const late = main.map(({ name }) => {
      const known = reference.find((row) => row.name === name)
      return Math.abs(ours.peaks.link.timeS[ours.sewer.linkIndex(name)] / 3600 - (known?.values.time_h ?? 0))
    })
    // Peaks are plateaux: their moment is sharp only where the flow still moves.
    expect(quantile(late, 0.5)).toBeLessThan(0.05)

    // Heads of nodes: what lies beyond EPA SWMM's spread lies lower, where its EXTRAN spikes for single steps.
    const nodes = columns('melun/envelope-nodes.csv')
    const depth = (name: string) => ours.peaks.node.maxDepth[ours.sewer.nodeIndex(name)]
    const beyond = nodes.filter(({ name, values }) => {
      const spread = Object.values(values)
      return depth(name) > 1.02 * Math.max(...spread) || depth(name) < 0.98 * Math.min(...spread)
    })
    expect(beyond.length).toBeLessThan(0.01 * nodes.length)
    const off = nodes.map(({ name, values }) => Math.abs(depth(name) - values.partial_extran))
    expect(quantile(off, 0.95)).toBeLessThan(0.02)
    // Peaks of depth: two minutes' difference is a tenth of the storm's rise.
    const lateNodes = columns('melun/reference-nodes.csv')
      .filter(({ values }) => values.max_depth_m > 0.05)
      .map(({ name, values }) =>
        Math.abs(ours.peaks.node.timeS[ours.sewer.nodeIndex(name)] - 3600 * values.time_h),
      )
    expect(quantile(lateNodes, 0.5)).toBeLessThan(120)

    // EPA SWMM flooded 2 m3 in all, over a few of its steps.
    expect(Math.abs(ours.totals.flooded - 2)).toBeLessThan(0.0001 * 73_080)
    // EPA SWMM let out 73,080 m3 with an error of 0.028 %.
    expect(Math.abs(ours.totals.outfall / 73_080 - 1)).toBeLessThan(0.005 + 0.00028)
    expect(Math.abs(ours.totals.error) / ours.totals.inflow).toBeLessThan(1e-9)
  })

  test('a quarter of the step changes the largest depths and velocities by less than 5 % at the 99th percentile', () => {
    const inp = withOptions(read('melun/network-with-inflows.inp'), { END_TIME: '01:00:00' })
    const coarse = runOurs(inp)
    const fine = runOurs(inp, { maxStepS: 1 })
    const change = (a: Float64Array, b: Float64Array, least: number) =>
      quantile(
        Array.from(a, (value, i) => (b[i] > least ? Math.abs(value / b[i] - 1) : 0)),
        0.99,
      )
    expect(change(coarse.peaks.node.maxDepth, fine.peaks.node.maxDepth, 0.05)).toBeLessThan(0.05)
    expect(change(coarse.peaks.link.maxVelocity, fine.peaks.link.maxVelocity, 0.1)).toBeLessThan(0.05)
    expect(Math.max(...coarse.peaks.link.maxVelocity)).toBeLessThan(12)
  })
})

const columns = (path: string) => readColumns(join(REFERENCE_DATA, path))
