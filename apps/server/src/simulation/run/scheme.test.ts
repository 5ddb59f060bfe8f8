import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { afterAll, describe, expect, test } from 'vitest'
import { readCatchmentPackage } from '../catchment/catchment-package.ts'
import { OUTPUT } from './outputs.ts'
import { runSimulation } from './run.ts'
import type { SchemeChoice } from './scheme.ts'

const root = mkdtempSync(join(tmpdir(), 'radx-scheme-'))
afterAll(() => rmSync(root, { recursive: true }))
const NCOLS = 30
const asc = (values: number[]) =>
  `ncols ${NCOLS}\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n${values.join(' ')}\n`
const cells = (value: (col: number) => number) => Array.from({ length: NCOLS }, (_, col) => value(col))

/** A flume of 30 m without sewer and gullies. */
function writeFlume(name: string, files: Record<string, string>): string {
  const dir = join(root, name)
  mkdirSync(dir)
  const all = {
    'catchment.json': JSON.stringify({
      id: 'flume',
      display: 'Canal',
      crs: 'EPSG:2154',
      cellSize: 1,
      ncols: NCOLS,
      nrows: 1,
      xll: 0,
      yll: 0,
      edges: 'closed',
    }),
    'elevation.asc': asc(cells(() => 0)),
    'luse.asc': asc(cells(() => 2)),
    'parameters.json': '{"2": {"n": 0.03, "khMS": 0, "capshM": 0, "soilmd": 0, "interceptionM": 0}}',
    'points.csv': 'name,x,y\namont,2.5,0.5\naval,27.5,0.5\n',
    ...files,
  }
  for (const [file, text] of Object.entries(all)) writeFileSync(join(dir, file), text)
  return dir
}

const river = (values: string) => ({
  'initial-depth.asc': asc(cells(() => 1)),
  'boundaries.geojson': JSON.stringify({
    type: 'FeatureCollection',
    features: ['in', 'out'].map((name, k) => ({
      type: 'Feature',
      properties: { name, kind: ['discharge', 'level'][k] },
      geometry: {
        type: 'LineString',
        coordinates: [
          [30 * k, 0],
          [30 * k, 1],
        ],
      },
    })),
  }),
  'boundaries.csv': values,
})

async function run(dir: string, scheme: SchemeChoice, name: string, intervalS = 50, threads = 1) {
  const catchment = await readCatchmentPackage(dir)
  const outDir = join(root, name)
  const warnings: string[] = []
  const result = await runSimulation({
    catchment,
    rain: uniformRain(new Array(5).fill(0), 60),
    options: { soil: false, drainage: false },
    scheme,
    threads,
    intervalS,
    outDir,
    onWarning: (warning) => warnings.push(warning),
  })
  const points = readFileSync(join(outDir, OUTPUT.points), 'utf8').trimEnd().split('\n')
  return { ...result, points, warnings, outDir }
}

describe('a package without a sewer, with water at the start and boundaries', () => {
  test.each(['full', 'inertial'] as const)('a river settles between its boundaries (%s)', async (scheme) => {
    const dir = writeFlume(`river-${scheme}`, river('time_s,in,out\n0,0.5,1\n300,0.5,1\n'))
    const { points, balance, run: told, warnings, outDir } = await run(dir, scheme, `out-${scheme}`)
    expect(readFileSync(join(outDir, OUTPUT.log), 'utf8')).toMatch(
      /^Eau au départ : 30 m³\nEntré par les limites \(sorti : négatif\) : in 150 m³, out -\d+ m³$/m,
    )
    expect(points[0]).toBe('time_s,name,depth_m,level_m,speed_m_s')
    expect(points).toHaveLength(1 + 2 * 7)
    for (const line of points.slice(-2)) {
      const [time, , depth, level, speed] = line.split(',')
      expect(time).toBe('300')
      expect(level).toBe(depth)
      // Local inertia sloshes for longer: friction alone calms it.
      const near = scheme === 'full' ? 0.02 : 0.1
      expect(Math.abs(Number(depth) - 1)).toBeLessThan(near)
      expect(Math.abs(Number(speed) - 0.5)).toBeLessThan(near)
    }
    expect(told).toMatchObject({ scheme, boundaries: [{ name: 'in', kind: 'discharge' }, { name: 'out' }] })
    expect(told.boundaries[0].inM3).toBeCloseTo(150, 6)
    expect(Math.abs(balance.errorM3)).toBeLessThan(1e-9)
    expect(balance.initialM3).toBe(30)
    expect(warnings).toEqual([])
  })

  test('the full equations on two threads write the same files', async () => {
    const dir = writeFlume('threads', river('time_s,in,out\n0,0.5,1\n300,0.5,1\n'))
    const one = await run(dir, 'full', 'out-one-thread')
    const two = await run(dir, 'full', 'out-two-threads', 50, 2)
    expect([one.run.threads, two.run.threads]).toEqual([1, 2])
    expect(two.points).toEqual(one.points)
    expect(two.balance).toEqual(one.balance)
  })

  test('auto takes local inertia for slow water and the full equations for a dam break, and says why', async () => {
    const slow = await run(
      writeFlume('slow', river('time_s,in,out\n0,0.2,1\n300,0.2,1\n')),
      'auto',
      'out-slow',
    )
    expect(slow.run.scheme).toBe('inertial')
    expect(slow.run.schemeReason).toMatch(/Froude.*inertie locale suffit/)
    const dam = writeFlume('dam', { 'initial-depth.asc': asc(cells((col) => (col < 15 ? 2 : 0))) })
    const fast = await run(dam, 'auto', 'out-dam')
    expect(fast.run).toMatchObject({ scheme: 'full', order: 1 })
    expect(fast.run.schemeReason).toMatch(/Froude.*équations complètes/)
    expect(fast.balance.surfaceM3).toBeCloseTo(30, 9)
  })

  test('auto sees water that is fast for a while between outputs', async () => {
    const dam = writeFlume('brief', { 'initial-depth.asc': asc(cells((col) => (col < 15 ? 2 : 0))) })
    const { run: told } = await run(dam, 'auto', 'out-brief', 300)
    expect(told.scheme).toBe('full')
    // More than one look at 30 cells.
    expect(told.froude?.looked).toBeGreaterThan(200)
  })

  test('auto goes over to the full equations where local inertia cannot go on', async () => {
    const fall = writeFlume('fall', {
      'elevation.asc': asc(cells((col) => (col < 3 ? 20 : 18 * Math.exp(-(col - 3) / 4)))),
      'initial-depth.asc': asc(cells((col) => (col < 3 ? 60 : 0))),
    })
    await expect(run(fall, 'inertial', 'out-fall-inertial')).rejects.toThrow(
      /ligne 1 de la grille, colonne \d+,.*vitesse \S+ m\/s.*--scheme full/,
    )
    const { run: told, balance } = await run(fall, 'auto', 'out-fall')
    expect(told).toMatchObject({ scheme: 'full', order: 1 })
    expect(told.schemeReason).toMatch(/s’emballe.*équations complètes/)
    expect(balance.surfaceM3).toBeCloseTo(180, 6)
  })

  test('a series that ends early and a level under the bed are told', async () => {
    const dir = writeFlume('short', river('time_s,in,out\n0,0.5,1\n100,0.5,-0.5\n'))
    const { warnings } = await readCatchmentPackage(dir)
    expect(warnings.join()).toMatch(/« out » descend à -0.5 m à 100 s.*ligne 1 de la grille, colonne 30/)
    const short = await run(dir, 'full', 'out-short')
    expect(short.warnings.join()).toMatch(/« in » s’arrête à 100 s, avant la fin du calcul \(300 s\)/)
  })

  let nextWrong = 1
  test.each([
    [{ 'points.csv': 'name,x,y\na,99,0.5\n' }, 'ligne 2 : le point « a »'],
    [{ 'points.csv': 'name,x,y\na,1,0.5\na,2,0.5\n' }, 'ligne 3 : le nom « a » est déjà pris'],
    [
      { 'initial-depth.asc': asc(cells((col) => (col === 4 ? -1 : 0))) },
      'valeur -1 à la ligne 1 de la grille, colonne 5',
    ],
    [{ 'parameters.json': '{"2": {"n": -1}}' }, 'parameters.json : 2.n'],
    [{ 'luse.asc': asc(cells(() => 17)) }, 'code(s) sans paramètres : 17'],
    [{ 'elevation.asc': asc(cells((col) => (col === 3 ? 1e5 : 0))) }, 'altitude impossible'],
  ])('what is wrong is refused with its place (%#)', async (files, message) => {
    const dir = writeFlume(`wrong-${nextWrong++}`, files as Record<string, string>)
    await expect(readCatchmentPackage(dir)).rejects.toThrow(message)
  })
})
