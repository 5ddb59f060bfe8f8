import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readInp } from '@radx/formats/inp/read'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { createSewer } from '@radx/hydrology/sewer/solver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCatchmentPackage } from '../../apps/server/src/simulation/catchment/catchment-package.ts'
import { OUTPUT } from '../../apps/server/src/simulation/run/outputs.ts'
import { runSimulation } from '../../apps/server/src/simulation/run/run.ts'
import { readOverflowing, SewerResults } from '../../apps/server/src/simulation/run/sewer-results.ts'
import { writeSmallCatchment } from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { devicesNetwork } from '../../tools/swmm/catalogue.ts'
import { FINE, SAME_EQUATIONS, SAME_STEPS } from '../../tools/swmm/compare.ts'
import { readOut, runEpa, withOptions } from '../../tools/swmm/epa.ts'
import { sewerTown } from '../browser/sewer-town.ts'

/** Bytes of the tail: where names, input and results begin, periods, error, magic number. */
const TAIL = 24
/** Start and step of the report, the last of the head. */
const START = 12

const tail = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + bytes.byteLength - TAIL, TAIL)
  return Array.from({ length: 6 }, (_, k) => view.getInt32(4 * k, true))
}

describe('results of the network as EPA SWMM writes them', () => {
  const root = mkdtempSync(join(tmpdir(), 'radx-out-'))
  const dir = join(root, 'result')
  let ours: Buffer
  let epa: Uint8Array
  beforeAll(async () => {
    const catchment = await readCatchmentPackage(writeSmallCatchment(join(root, 'town'), sewerTown()))
    const rain = uniformRain([...new Array(20).fill(60), ...new Array(10).fill(0)], 60)
    await runSimulation({ catchment, rain, options: { soil: false, drainage: true }, outDir: dir })
    ours = readFileSync(join(dir, OUTPUT.networkResults))
    const network = readFileSync(join(dir, OUTPUT.network), 'utf8')
    epa = (await runEpa(`${network}\n[REPORT]\nNODES ALL\nLINKS ALL\n`)).bytes
  })
  afterAll(() => rmSync(root, { recursive: true }))

  test('the head is that of EPA SWMM for the same network, byte for byte', () => {
    const [names, input, results] = tail(epa)
    expect(tail(ours).slice(0, 3)).toEqual([names, input, results])
    // Byte 4 is the version of the program.
    expect([...ours.subarray(0, 4)]).toEqual([...epa.subarray(0, 4)])
    expect([...ours.subarray(8, results - START)]).toEqual([...epa.subarray(8, results - START)])
    expect(tail(ours).slice(4)).toEqual(tail(epa).slice(4))
  })

  test('the reader of EPA SWMM’s files finds in it what the tables have', () => {
    const out = readOut(ours)
    const table = (name: string) =>
      readFileSync(join(dir, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('\t'))
    const [head, ...depths] = table(OUTPUT.height)
    expect(out.nodes).toEqual(head.slice(1))
    expect(out.links).toEqual(table(OUTPUT.flow)[0].slice(1))
    expect(out.timesS).toHaveLength(30)
    // A state at the end of a minute lies between the means around it, up to what moves within them.
    const node = out.nodes.indexOf('J-11')
    const series = out.nodeSeries(node, 'depth')
    expect(Math.max(...series)).toBeGreaterThan(0.4)
    const mean = depths.map((row) => Number(row[node + 1]))
    for (let k = 5; k < 29; k++) {
      const [low, high] = [Math.min(mean[k], mean[k + 1]), Math.max(mean[k], mean[k + 1])]
      expect(series[k]).toBeGreaterThan(low - 0.02)
      expect(series[k]).toBeLessThan(high + 0.02)
    }
    const flooded = out.nodeSeries(node, 'flooding').reduce((sum, rate) => sum + rate * 60, 0)
    const rows = readFileSync(join(dir, OUTPUT.sewerNodes), 'utf8').trim().split('\n')
    const noted = rows.find((row) => row.startsWith('J-11,'))?.split(',')
    expect(flooded).toBeGreaterThan(0.01)
    expect(flooded / Number(noted?.[5])).toBeCloseTo(1, 4)
    expect(readOverflowing(dir)).toContain('J-11')
    expect(readOverflowing(dir)).not.toContain('J-4')
    expect(readOverflowing(root)).toBeNull()
  })
})

test('pumps, orifices, weirs and outlets: flow, depth and setting as EPA SWMM writes them', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'radx-devices-out-'))
  const { inp, devices } = devicesNetwork()
  const text = withOptions(withOptions(inp, SAME_EQUATIONS), { ...FINE, REPORT_STEP: '00:01:00' })
  const epa = await runEpa(text)
  const { network } = readInp(text)
  const sewer = createSewer(network, SAME_STEPS)
  const results = new SewerResults(dir, sewer, network.options.startEpochS, 60)
  for (let minute = 1; minute <= 90; minute++) {
    for (let k = 0; k < 60; k++) {
      sewer.step(1)
      results.observe(1)
    }
    results.add(minute * 60)
  }
  results.finish()
  results.close()
  const bytes = readFileSync(join(dir, OUTPUT.networkResults))
  rmSync(dir, { recursive: true })
  const [, , from] = tail(epa.bytes)
  expect(tail(bytes)).toEqual(tail(epa.bytes))
  expect([...bytes.subarray(8, from - START)]).toEqual([...epa.bytes.subarray(8, from - START)])
  const ours = readOut(bytes)
  expect(ours.links).toEqual(epa.links)
  devices.forEach((device, i) => {
    const link = ours.links.indexOf(`D${i}`)
    const off = (variable: 'flow' | 'depth' | 'capacity') => {
      const theirs = epa.linkSeries(link, variable)
      return [...ours.linkSeries(link, variable)]
        .map((value, k) => Math.abs(value - theirs[k]))
        .sort((a, b) => a - b)
    }
    // The rule's gate and the stepped pumps switch from step to step: a state at an instant may be that before.
    const switching = i === 0 || /PUMP[ABC]/.test(device)
    const [flow, depth, setting] = [off('flow'), off('depth'), off('capacity')]
    const at = (values: number[], share: number) =>
      values[Math.floor((values.length - 1) * (switching ? 0.5 : share))]
    // Laws run straight through equal heads, within 1 cm of them: there flow and depth may differ for a moment.
    expect(at(flow, 0.95), `flow, ${device}`).toBeLessThan(0.003)
    expect(at(flow, 1), `flow, ${device}`).toBeLessThan(0.01)
    expect(at(depth, 0.95), `depth, ${device}`).toBeLessThan(0.003)
    expect(at(depth, 1), `depth, ${device}`).toBeLessThan(0.005)
    expect(at(setting, 1), `setting, ${device}`).toBeLessThan(1e-6)
  })
})
