import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeLine, type Ground } from './ground.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const FILE = join(ROOT, 'site/ground.json')
const ground = JSON.parse(readFileSync(FILE, 'utf8')) as Ground

test('the ground is small, names its sources and licences, and lies around the radar', () => {
  expect(statSync(FILE).size).toBeLessThan(400_000)
  for (const named of ['IGN', 'Licence Ouverte', 'OpenStreetMap', 'ODbL'])
    expect(ground.attribution).toContain(named)
  const lines = [
    ...ground.departments,
    ...ground.rivers.map((r) => r.line),
    ...ground.roads.map((r) => r.line),
  ]
  expect(lines.length).toBeGreaterThan(300)
  const points = lines.flatMap(decodeLine)
  expect(points.filter(([lng, lat]) => !(lng > -1 && lng < 6 && lat > 46.5 && lat < 51))).toEqual([])
  expect(lines.filter((line) => decodeLine(line).length < 2)).toEqual([])
  expect(new Set(ground.roads.map(({ rank }) => rank))).toEqual(new Set([1, 2, 3]))
  expect(ground.rivers.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Seine', 'Marne', 'Oise', 'Yonne']),
  )
  const names = ground.towns.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['Paris', 'Melun']))
  expect(new Set(names).size).toBe(names.length)
})

const SOURCE = join(ROOT, '../shared/data/admin/rivers_ign_idf.geojson')
test.skipIf(!existsSync(SOURCE))('rivers end where those of the source end', () => {
  const { features } = JSON.parse(readFileSync(SOURCE, 'utf8'))
  const ends = features.flatMap(({ geometry }: { geometry: { coordinates: [number, number][] } }) => [
    geometry.coordinates[0],
    geometry.coordinates.at(-1)!,
  ])
  for (const { name, line } of ground.rivers) {
    const points = decodeLine(line)
    for (const [lng, lat] of [points[0], points[points.length - 1]])
      expect(
        ends.some(([x, y]: [number, number]) => Math.hypot(x - lng, y - lat) < 2e-4),
        name,
      ).toBe(true)
  }
})
