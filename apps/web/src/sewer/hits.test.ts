import { expect, test } from 'vitest'
import { toMercator } from '../map/mercator.ts'
import { hitGrids } from './hits.ts'
import { networkOf } from './network.ts'

const at = (lng: number, lat: number) => toMercator({ lng, lat })

test('the grid finds what a look at all of them finds', () => {
  const nodes = Array.from({ length: 400 }, (_, k) => ({
    name: `n${k}`,
    lon: 2.6 + 0.0007 * ((k * 37) % 101),
    lat: 48.5 + 0.0005 * ((k * 53) % 97),
    kind: 'junction',
  }))
  const grids = hitGrids(networkOf(nodes, [], []))
  const reach = 0.000003
  let found = 0
  for (let k = 0; k < 300; k++) {
    const point = at(2.6 + 0.0003 * ((k * 71) % 239), 48.5 + 0.0002 * ((k * 29) % 251))
    const distances = nodes.map(({ name, lon, lat }) => {
      const place = at(lon, lat)
      return { name, distance: Math.hypot(place.x - point.x, place.y - point.y) }
    })
    const best = distances.reduce((a, b) => (b.distance < a.distance ? b : a))
    const name = grids.nodes.nearest(point, reach)
    expect(name === null).toBe(best.distance > reach)
    if (name === null) continue
    found++
    expect(distances.find((entry) => entry.name === name)?.distance).toBe(best.distance)
  }
  expect(found).toBeGreaterThan(30)
})

test('a long link is found along its whole length; one without a place is not', () => {
  const link = {
    Length: 1,
    Roughness: 0,
    InOffset: 0,
    OutOffset: 0,
    InitFlow: 0,
    MaxFlow: 0,
    Shape: '',
    Geom1: 0,
    Barrels: 1,
    data: [],
  }
  const { links } = hitGrids(
    networkOf(
      [
        { name: 'a', lon: 2.6, lat: 48.5, kind: 'junction' },
        { name: 'b', lon: 2.7, lat: 48.5, kind: 'junction' },
      ],
      [],
      [
        { ...link, Name: 'c', From_Node: 'a', To_Node: 'b' },
        { ...link, Name: 'd', From_Node: 'a', To_Node: 'nowhere' },
      ],
    ),
  )
  for (const lng of [2.6, 2.637, 2.7]) expect(links.nearest(at(lng, 48.5), 1e-9)).toBe('c')
  expect(links.nearest(at(2.65, 48.51), 1e-6)).toBeNull()
  expect(hitGrids(networkOf([], [], [])).nodes.nearest(at(2.6, 48.5), 1)).toBeNull()
})
