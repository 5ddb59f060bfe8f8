import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildCatchment, checkRecipe } from '../../apps/server/src/builder/api.ts'
import { writeSources } from '../../apps/server/src/builder/testing/derived-sources.ts'
import type { CatchmentPackage } from '../../apps/server/src/simulation/catchment/catchment-package.ts'
import { readCatchmentPackage } from '../../apps/server/src/simulation/catchment/catchment-package.ts'
import { OUTPUT } from '../../apps/server/src/simulation/run/outputs.ts'
import { runSimulation } from '../../apps/server/src/simulation/run/run.ts'
import { readMelun } from './melun.ts'
import { hasReferenceData } from './reference-data.ts'

const available = hasReferenceData()

describe.skipIf(!available)('a town built from sources that were derived from its package', () => {
  const root = mkdtempSync(join(tmpdir(), 'radx-builder-'))
  const folder = join(root, 'sources')
  let melun: CatchmentPackage
  let recipe: Record<string, unknown>
  afterAll(() => rmSync(root, { recursive: true }))
  beforeAll(async () => {
    melun = await readMelun()
    recipe = writeSources(folder, melun)
  })

  const build = async (name: string, changes: Record<string, unknown>) => {
    const out = join(root, name)
    const report = await buildCatchment(checkRecipe({ ...recipe, ...changes }), { folder, out })
    return { out, report, built: await readCatchmentPackage(out) }
  }
  const asIs = {
    landUse: { permanentWaterCode: 6, layers: [{ kind: 'raster', file: 'sols.tif', map: 'same' }] },
    sewer: { inp: 'reseau.inp' },
  }
  const inFeet = (z: string) => (z === '-9999' ? z : (Number(z) / 0.3048).toFixed(3))
  const peaks = async (dir: string, given: CatchmentPackage) => {
    const outDir = join(root, `run-${dir}`)
    await runSimulation({
      catchment: given,
      rain: uniformRain(new Array(10).fill(120), 60),
      options: { soil: true, drainage: true },
      outDir,
    })
    const [names, ...rows] = readFileSync(join(outDir, OUTPUT.flow), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    return { names, peaks: names.map((_, k) => Math.max(...rows.map((row) => Math.abs(Number(row[k]))))) }
  }

  test('from tiles, polygons, pipes and manholes comes the same package, which runs the same', async () => {
    const options = Object.fromEntries(
      /\[OPTIONS\]\n([\s\S]*?)\n\n/
        .exec(melun.networkText!)![1]
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter(([name]) => name !== 'FLOW_UNITS' && name !== 'LINK_OFFSETS'),
    )
    const { built, report } = await build('layers', {
      sewer: { ...(recipe.sewer as Record<string, unknown>), options },
    })
    expect(built.elevation).toEqual(melun.elevation)
    expect(built.landUse.data).toEqual(melun.landUse.data)
    const { title: _, ...network } = melun.network
    expect(built.network).toMatchObject(JSON.parse(JSON.stringify(network)))
    expect(built.network.nodes).toHaveLength(2225)
    const gullies = (rows: CatchmentPackage['gullies']) =>
      rows.map(({ name, row, col, junction }) => [name, row, col, junction])
    expect(gullies(built.gullies)).toEqual(gullies(melun.gullies))
    expect(built.masks).toEqual(melun.masks)
    expect(built.warnings).toEqual(melun.warnings)
    expect(report.findings.some(({ text }) => /0 cuvette/.test(text))).toBe(true)
    const [own, given] = [await peaks('layers', built), await peaks('given', melun)]
    expect(own.names).toEqual(given.names)
    expect(own.peaks).toEqual(given.peaks)
    expect(Math.max(...own.peaks.slice(1))).toBeGreaterThan(0.1)
  })

  test('from rasters and the network as it is comes the same', async () => {
    const { built } = await build('rasters', asIs)
    expect(built.elevation.data).toEqual(melun.elevation.data)
    expect(built.landUse.data).toEqual(melun.landUse.data)
    expect(built.networkText).toBe(melun.networkText)
  })

  test('gullies placed by rule lie on roads, apart, within reach of their junctions, about as many as by hand', async () => {
    const { built } = await build('automatic', {
      landUse: {
        permanentWaterCode: 6,
        layers: [{ kind: 'raster', file: 'sols.tif', map: { 1: 1, 2: 2, 3: 3, 4: 4, 5: 2, 6: 6 } }],
      },
      gullies: { automatic: { spacing: 35, reach: 60 } },
    })
    const { cellSize, xll, yll, nrows } = built.elevation
    const at = built.gullies.map(({ row, col }) => [
      xll + (col + 0.5) * cellSize,
      yll + (nrows - row - 0.5) * cellSize,
    ])
    const nodes = new Map(built.network.nodes.map((node) => [node.name, node]))
    const away = built.gullies.map(({ junction }, k) => {
      const { x = 0, y = 0 } = nodes.get(junction)!
      return Math.hypot(x - at[k][0], y - at[k][1])
    })
    expect(Math.max(...away)).toBeLessThanOrEqual(60)
    let nearest = Number.POSITIVE_INFINITY
    at.forEach(([x, y], k) => {
      for (let n = 0; n < k; n++) nearest = Math.min(nearest, Math.hypot(x - at[n][0], y - at[n][1]))
    })
    expect(nearest).toBeGreaterThanOrEqual(35 - 1e-6)
    for (const { row, col } of built.gullies)
      expect([2, 5]).toContain(melun.landUse.data[row * melun.landUse.ncols + col])
    expect(built.gullies.length).toBeGreaterThan(1500)
    expect(built.gullies.length).toBeLessThan(2 * melun.gullies.length)
  })

  test('what is in feet, or elsewhere, is told from the network', async () => {
    const feet = readFileSync(join(root, 'rasters', 'elevation.asc'), 'utf8')
      .split('\n')
      .map((line) => (/^-?\d/.test(line) ? line.split(' ').map(inFeet).join(' ') : line))
    writeFileSync(join(folder, 'pieds.asc'), feet.join('\n'))
    await expect(build('told', { ...asIs, terrain: { files: ['pieds.asc'] } })).rejects.toThrow(
      'il est en pieds. Ajoutez "unit": "ft"',
    )
    const { built } = await build('unit', {
      ...asIs,
      terrain: { files: [{ file: 'pieds.asc', unit: 'ft' }] },
    })
    const worst = built.elevation.data.reduce(
      (most, value, cell) => Math.max(most, Math.abs(value - melun.elevation.data[cell]) || 0),
      0,
    )
    expect(worst).toBeLessThan(0.0011)
  })
})
