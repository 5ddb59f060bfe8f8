import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEsriAscii } from '@radx/formats/esri-ascii'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { afterAll, expect, test } from 'vitest'
import { readCatchmentPackage } from '../catchment/catchment-package.ts'
import { writeSmallCatchment } from '../testing/small-catchment.ts'
import { OUTPUT } from './outputs.ts'
import { runSimulation } from './run.ts'

const root = mkdtempSync(join(tmpdir(), 'radx-exposure-'))
afterAll(() => rmSync(root, { recursive: true }))

const square = (west: number, south: number, sizeM: number) => [
  [west, south],
  [west + sizeM, south],
  [west + sizeM, south + sizeM],
  [west, south + sizeM],
  [west, south],
]
const collection = (features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })
const area = (properties: object, ...rings: number[][][]) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: rings },
})

async function run(name: string, files: Record<string, string>) {
  const dir = writeSmallCatchment(join(root, name))
  // Closed, so that water stays.
  const catchment = JSON.parse(readFileSync(join(dir, 'catchment.json'), 'utf8'))
  writeFileSync(join(dir, 'catchment.json'), JSON.stringify({ ...catchment, edges: 'closed' }))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text)
  const outDir = join(root, `${name}-out`)
  await runSimulation({
    catchment: await readCatchmentPackage(dir),
    rain: uniformRain(new Array(30).fill(200), 60),
    options: { soil: false, drainage: false },
    outDir,
  })
  const text = (file: string) => readFileSync(join(outDir, file), 'utf8')
  const table = (file: string) => {
    const [head, ...rows] = text(file)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','))
    return rows.map((row) => Object.fromEntries(head.map((column, k) => [column, row[k]])))
  }
  return { text, table, deepest: readEsriAscii(text(OUTPUT.maxDepth), 'max.txt') }
}

test('streets, buildings and communes have the water of their cells, as CSV and as GeoJSON', async () => {
  const { table, text, deepest } = await run('exposed', {
    'streets.geojson': collection([
      {
        type: 'Feature',
        properties: { name: 'Rue Basse', width: 9 },
        geometry: {
          type: 'LineString',
          coordinates: [
            [1005, 2035],
            [1115, 2035],
          ],
        },
      },
    ]),
    'footprints.geojson': collection([
      area({ id: 'B-1', height: 6.5, use: 'habitation' }, square(1021, 2051, 18)),
      // Less than a cell.
      area({ id: 'B-2', use: 'école' }, square(1101, 2031, 2)),
      area({ use: 'habitation' }, square(5000, 2031, 20)),
    ]),
    'communes.geojson': collection([
      area(
        { nom: 'Ouest', insee: '77001' },
        square(1000, 2000, 80).map(([x, y]) => [x > 1040 ? 1060 : x, y]),
      ),
      area({ nom: 'Est', insee: '77002' }, square(1060, 2000, 80)),
    ]),
  })
  const at = (row: number, col: number) => deepest.data[row * 12 + col]
  const most = (rows: number[], cols: number[]) =>
    Math.max(...rows.flatMap((row) => cols.map((col) => at(row, col))))
  const across = Array.from({ length: 12 }, (_, col) => col)

  const [street] = table(OUTPUT.streets)
  expect(street).toMatchObject({ name: 'Rue Basse', area_m2: '1200' })
  expect(Number(street.max_depth_m)).toBeCloseTo(most([4], across), 4)
  const wet = across.filter((col) => at(4, col) > 0.05).length
  expect(wet).toBeGreaterThan(0)
  expect(Number(street.over_5cm_m2)).toBe(100 * wet)

  // Under it rows 1 and 2, columns 2 and 3; one cell round it.
  const buildings = table(OUTPUT.buildings)
  expect(buildings.map(({ id, use, height_m }) => [id, use, height_m])).toEqual([
    ['B-1', 'habitation', '6.5'],
    ['B-2', 'école', ''],
  ])
  expect(Number(buildings[0].max_depth_m)).toBeCloseTo(most([0, 1, 2, 3], [1, 2, 3, 4]), 4)
  expect(Number(buildings[1].max_depth_m)).toBeCloseTo(most([3, 4, 5], [9, 10, 11]), 4)
  expect(Number(buildings[1].over_5cm_s)).toBeGreaterThan(0)
  expect(Number(buildings[1].arrival_s) + Number(buildings[1].over_5cm_s)).toBeGreaterThan(1500)

  const communes = table(OUTPUT.communes)
  expect(communes.map(({ name, code, area_m2 }) => [name, code, area_m2])).toEqual([
    ['Ouest', '77001', '4700'],
    ['Est', '77002', '4800'],
  ])
  const over = deepest.data.filter((depth) => depth > 0.05).length
  expect(communes.reduce((sum, row) => sum + Number(row.over_5cm_m2), 0)).toBe(100 * over)
  expect(communes.map((row) => row.buildings_over_5cm)).toEqual(
    buildings.map((row) => (Number(row.max_depth_m) > 0.05 ? '1' : '0')),
  )

  const map = JSON.parse(text(OUTPUT.buildingsMap))
  expect(map.features.map(({ properties }: { properties: { id: string } }) => properties.id)).toEqual([
    'B-1',
    'B-2',
  ])
  const [[[[lng, lat]]]] = map.features[0].geometry.coordinates
  expect(Math.abs(lng)).toBeLessThan(180)
  expect(Math.abs(lat)).toBeLessThan(90)
  expect(JSON.parse(text(OUTPUT.streetsMap)).features[0].geometry.type).toBe('MultiLineString')
  expect(table(OUTPUT.exposure).map(({ what, use, count }) => [what, use, count])).toEqual([
    ['streets', '', '1'],
    ['buildings', '', '2'],
    ['buildings', 'habitation', '1'],
    ['buildings', 'école', '1'],
  ])
})

test('without any of them the catchment is one commune', async () => {
  const { table } = await run('plain', {})
  expect(table(OUTPUT.communes).map(({ name, area_m2 }) => [name, area_m2])).toEqual([
    ['Petit bassin', '9500'],
  ])
})

test.each([
  [
    'footprints.geojson',
    collection([{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [1005, 2005] } }]),
    /surfaces/,
  ],
  ['footprints.geojson', collection([area({ height: 'haut' }, square(1000, 2000, 10))]), /height/],
  ['footprints.geojson', '{', /JSON/],
  ['communes.geojson', collection([area({}, square(1000, 2000, 10))]), /pas de nom/],
])('%s that cannot be read is refused', async (name, text, message) => {
  const dir = writeSmallCatchment(mkdtempSync(join(root, 'bad-')))
  writeFileSync(join(dir, name), text)
  await expect(readCatchmentPackage(dir)).rejects.toThrow(message)
})
