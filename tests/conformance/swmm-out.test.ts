import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCatchmentPackage } from '../../apps/server/src/simulation/catchment-package.ts'
import { OUTPUT } from '../../apps/server/src/simulation/outputs.ts'
import { runSimulation } from '../../apps/server/src/simulation/run.ts'
import { readOverflowing } from '../../apps/server/src/simulation/sewer-results.ts'
import { writeSmallCatchment } from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { readOut, runEpa } from '../../tools/swmm/epa.ts'
import { sewerTown } from '../browser/sewer-town.ts'

/** Bytes of the tail: where names, input and results begin, periods, error, magic number. */
const TAIL = 24
/** Start and step of the report, the last of the head. */
const START = 12

describe('results of the network as EPA SWMM writes them', () => {
  const root = mkdtempSync(join(tmpdir(), 'radx-out-'))
  const dir = join(root, 'result')
  let ours: Buffer
  let epa: Uint8Array
  beforeAll(async () => {
    const catchment = await readCatchmentPackage(writeSmallCatchment(join(root, 'town'), sewerTown()))
    const rain = uniformRain([...new Array(20).fill(60), ...new Array(10).fill(0)], 60)
    await runSimulation({ catchment, rain, modules: { soil: false, drainage: true }, outDir: dir })
    ours = readFileSync(join(dir, OUTPUT.networkResults))
    const network = readFileSync(join(dir, OUTPUT.network), 'utf8')
    epa = (await runEpa(`${network}\n[REPORT]\nNODES ALL\nLINKS ALL\n`)).bytes
  })
  afterAll(() => rmSync(root, { recursive: true }))

  const tail = (bytes: Uint8Array) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset + bytes.byteLength - TAIL, TAIL)
    return Array.from({ length: 6 }, (_, k) => view.getInt32(4 * k, true))
  }

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
