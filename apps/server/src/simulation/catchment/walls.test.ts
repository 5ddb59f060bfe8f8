import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEsriAscii } from '@radx/formats/esri-ascii'
import { uniformRain } from '@radx/hydrology/rain/rain'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { OUTPUT } from '../run/outputs.ts'
import { runSimulation } from '../run/run.ts'
import { writeSmallCatchment } from '../testing/small-catchment.ts'
import { readCatchmentPackage } from './catchment-package.ts'
import { readWalls } from './walls.ts'

const root = mkdtempSync(join(tmpdir(), 'radx-walls-'))
afterAll(() => rmSync(root, { recursive: true }))

const SIDE = 12
const grid = {
  nrows: SIDE,
  ncols: SIDE,
  xll: 1000,
  yll: 2000,
  cellSize: 10,
  noData: -9999,
  data: new Float64Array(SIDE * SIDE).fill(5),
}
const toGrid = () => {
  throw new Error('coordinates are those of the grid')
}
const wall = (properties: object, coordinates: number[][], type = 'LineString') =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties, geometry: { type, coordinates } }],
  })
const read = (text: string) => readWalls(text, grid, toGrid)

/** How many cells can be reached from the first without crossing a raised face. */
function reached(raised: ReturnType<typeof read>['raised']): number {
  const walls = new Set(raised.map(({ cell, side }) => `${cell}:${side}`))
  const seen = new Set([0])
  for (const cell of seen) {
    const [row, col] = [Math.floor(cell / SIDE), cell % SIDE]
    if (col + 1 < SIDE && !walls.has(`${cell}:east`)) seen.add(cell + 1)
    if (col > 0 && !walls.has(`${cell - 1}:east`)) seen.add(cell - 1)
    if (row + 1 < SIDE && !walls.has(`${cell}:south`)) seen.add(cell + SIDE)
    if (row > 0 && !walls.has(`${cell - SIDE}:south`)) seen.add(cell - SIDE)
  }
  return seen.size
}

test('a wall along faces raises them, by its level or above the higher ground', () => {
  const line = [
    [1060, 2200],
    [1060, 1900],
  ]
  const faces = Array.from({ length: SIDE }, (_, row) => ({ cell: row * SIDE + 5, side: 'east', crestM: 7 }))
  expect(read(wall({ crest: 7 }, line)).raised).toEqual(faces)
  expect(read(wall({ height: 2 }, line)).raised).toEqual(faces)
})

test('a wall from one edge to another parts the grid, whatever its course, through centres and corners too', () => {
  // Whole and half cells, so that many lines meet centres and corners.
  const place = fc.integer({ min: 0, max: 48 }).map((n) => n * 2.5)
  const end = fc.integer({ min: 3, max: 44 }).map((n) => n * 2.5)
  fc.assert(
    fc.property(end, end, fc.array(fc.tuple(place, place), { maxLength: 4 }), (west, east, turns) => {
      const line = [[980, 2000 + west], ...turns.map(([x, y]) => [1000 + x, 2000 + y]), [1140, 2000 + east]]
      const { raised } = read(wall({ crest: 9 }, line))
      // The north-west and the south-east corner lie on two sides of it.
      expect(reached(raised)).toBeLessThan(SIDE * SIDE)
    }),
    { numRuns: 300 },
  )
})

test('an outline closes in what it holds', () => {
  const ring = [
    [1023, 2031],
    [1087, 2031],
    [1087, 2094],
    [1023, 2094],
    [1023, 2031],
  ]
  const { raised } = read(wall({ height: 1 }, [ring] as unknown as number[][], 'Polygon'))
  expect(reached(raised)).toBe(SIDE * SIDE - 7 * 6)
})

test.each([
  [wall({}, [[1000, 2000]], 'LineString'), /ni crest ni height/],
  [wall({ crest: 7, height: 2 }, [[1000, 2000]]), /à la fois/],
  [wall({ name: 'Quai', height: -1 }, [[1000, 2000]]), /« Quai » : height -1/],
  [wall({ crest: 12_000 }, [[1000, 2000]]), /pas une altitude/],
  [wall({ crest: 'haut' }, [[1000, 2000]]), /walls.geojson : .*crest/],
  [wall({ crest: 7 }, [1050, 2050] as unknown as number[][], 'Point'), /comme ligne/],
  [
    wall({ crest: 7 }, [
      [1051, 2051],
      [1052, 2052],
    ]),
    /aucune paire de mailles/,
  ],
  ['{', /JSON/],
])('a file that cannot be meant is refused: %s', (text, message) => {
  expect(() => read(text)).toThrow(message)
})

test('a crest under the ground is told', () => {
  const { raised, warnings } = read(
    wall({ name: 'Digue', crest: 4 }, [
      [1060, 2200],
      [1060, 1900],
    ]),
  )
  expect([raised, warnings.length]).toEqual([[], 1])
  expect(warnings[0]).toContain('« Digue » (4 m)')
})

test.each(['blocked', 'raised', 'porous', { '4': 'blocked' }])(
  'a way of treating buildings that no run knows is refused, not passed over: %j',
  async (buildings) => {
    const dir = writeSmallCatchment(mkdtempSync(join(root, 'buildings-')))
    const catchment = JSON.parse(readFileSync(join(dir, 'catchment.json'), 'utf8'))
    writeFileSync(join(dir, 'catchment.json'), JSON.stringify({ ...catchment, buildings }))
    await expect(readCatchmentPackage(dir)).rejects.toThrow(/buildings : .*walls\.geojson/)
  },
)

test.each(['inertial', 'full'] as const)(
  'a run keeps water behind a wall of its package, %s',
  async (scheme) => {
    const level = async (name: string, files: Record<string, string>) => {
      const dir = writeSmallCatchment(join(root, `${scheme}-${name}`))
      const catchment = JSON.parse(readFileSync(join(dir, 'catchment.json'), 'utf8'))
      writeFileSync(join(dir, 'catchment.json'), JSON.stringify({ ...catchment, edges: 'closed' }))
      for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text)
      const outDir = join(root, `${scheme}-${name}-out`)
      const { balance } = await runSimulation({
        catchment: await readCatchmentPackage(dir),
        rain: uniformRain(new Array(30).fill(200), 60),
        options: { soil: false, drainage: false },
        scheme,
        outDir,
      })
      expect(Math.abs(balance.relativeError)).toBeLessThan(1e-9)
      return readEsriAscii(readFileSync(join(outDir, OUTPUT.finalDepth), 'utf8'), 'depth').data
    }
    const free = await level('free', {})
    const walled = await level('walled', {
      'walls.geojson': wall({ height: 3 }, [
        [1060, 2200],
        [1060, 1900],
      ]),
    })
    // The street falls along its row: what would run on stands before the wall.
    const before = (depths: ArrayLike<number>) => Math.max(depths[4 * 12 + 5], depths[4 * 12 + 6])
    expect(before(walled)).toBeGreaterThan(before(free) + 0.02)
  },
)
