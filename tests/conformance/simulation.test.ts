import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_LAND_USE } from '@radx/contracts/landuse'
import { readEsriAscii } from '@radx/formats/esri-ascii'
import { simd, threaded } from '@radx/hydrology/testing/kernels'
import { afterAll, describe, expect, test } from 'vitest'
import { OUTPUT } from '../../apps/server/src/simulation/run/outputs.ts'
import { runSimulation } from '../../apps/server/src/simulation/run/run.ts'
import { compareMaxima, melunSurface, readMelun, triangle } from './melun.ts'
import { hasReferenceData } from './reference-data.ts'

describe.skipIf(!hasReferenceData())('Melun', () => {
  const root = mkdtempSync(join(tmpdir(), 'radx-melun-'))
  afterAll(() => rmSync(root, { recursive: true }))

  test('the package passes its own checks', async () => {
    const melun = await readMelun()
    expect(melun.network.nodes).toHaveLength(2225)
    expect(melun.gullies).toHaveLength(3176)
    expect(melun.masks.get('eogn')?.reduce((sum, value) => sum + value, 0)).toBe(1479)
  })

  test('the chosen step and a quarter of it agree within 5 % at the 99th percentile in a cloudburst', async () => {
    const melun = await readMelun()
    const rain = triangle(320, 5)
    const [chosen, quarter] = [{}, { cfl: 0.175, maxStepS: 1.25 }].map((options) => {
      const run = melunSurface(melun, rain, simd(), options)
      run.advance(1800)
      return run
    })
    const found = compareMaxima(chosen, quarter)
    expect(found.cells).toBeGreaterThan(100_000)
    expect(found.relativeDepthP99).toBeLessThan(0.05)
    expect(found.relativeSpeedP99).toBeLessThan(0.05)
    expect(found.fastestMS).toBeLessThan(8)
  })

  test('one thread and two give the same bits', async () => {
    const melun = await readMelun()
    const [one, two] = [simd(), threaded(2)].map((choice) => {
      const run = melunSurface(melun, triangle(80, 5), choice)
      run.advance(900)
      const depth = run.surface.snapshot('depth')
      run.surface.dispose()
      return Buffer.from(depth.buffer)
    })
    expect(one.equals(two)).toBe(true)
  })

  test.each([
    ['a cloudburst that surcharges the sewer both ways', 320, 10],
    ['the 20 mm storm over 7 h', 80, 390],
  ])('%s balances to 1e-6, recomputed from the written files', async (name, iMax, calm) => {
    const melun = await readMelun()
    const outDir = join(root, name)
    const rain = triangle(iMax, calm)
    const cloudburst = iMax > 300
    const { balance } = await runSimulation({
      catchment: melun,
      rain,
      options: { soil: true, drainage: true },
      outDir,
    })
    const text = (name: string) => readFileSync(join(outDir, name), 'utf8')
    const area = 100
    const codes = melun.landUse.data
    const sum = (name: string) =>
      readEsriAscii(text(name), name).data.reduce(
        (all, value) => all + (Number.isNaN(value) ? 0 : value),
        0,
      ) * area
    const inside = codes.reduce((all, code) => all + (Number.isNaN(code) ? 0 : 1), 0)
    // 20 mm of rain in 30 min fills every interception store.
    const rainM3 = (iMax / 4 / 1000) * inside * area
    const store = new Map(DEFAULT_LAND_USE.map(({ code, interceptionclass }) => [code, interceptionclass]))
    store.set(6, 0)
    const interceptedM3 = codes.reduce((all, code) => all + (store.get(code) ?? 0), 0) * (area / 1000)
    const [header, ...rows] = text(OUTPUT.flow)
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    const outfalls = melun.network.links.flatMap(({ name, to }) =>
      melun.network.nodes[to].kind === 'outfall' ? [header.indexOf(name)] : [],
    )
    expect(outfalls).toHaveLength(25)
    const outfallM3 = rows.reduce(
      (all, row) => all + outfalls.reduce((flow, k) => flow + Number(row[k]) * 60, 0),
      0,
    )
    expect(Math.abs(rainM3 / balance.rainM3 - 1)).toBeLessThan(1e-9)
    expect(Math.abs(interceptedM3 / balance.interceptedM3 - 1)).toBeLessThan(1e-9)
    if (cloudburst) expect(balance.sewerM3).toBeGreaterThan(1000)
    const error =
      rainM3 -
      interceptedM3 -
      sum(OUTPUT.infiltration) -
      sum(OUTPUT.finalDepth) -
      balance.waterM3 -
      balance.edgeOutM3 -
      balance.sewerM3 -
      outfallM3
    expect(Math.abs(error) / rainM3).toBeLessThan(1e-6)
    // Both ways: gullies took water, and surcharged junctions gave some back.
    const [, taken, given] = /Avaloirs : (\d+) m³ pris, (\d+) m³ rendus/.exec(text(OUTPUT.log))!
    expect(Number(taken)).toBeGreaterThan(10_000)
    if (cloudburst) expect(Number(given)).toBeGreaterThan(100)
  })
})
