import { expect, test } from 'vitest'
import { boundsOf, featuresOf } from './features.ts'
import { networkOf } from './network.ts'

const place = (name: string, kind = 'junction') => ({ name, lon: 2.6, lat: 48.5, kind })
const junction = (Name: string, MaxDepth: number, peak: number | null) => ({
  Name,
  Elevation: 40,
  MaxDepth,
  InitDepth: 0,
  SurDepth: 0,
  Aponded: 0,
  data: [],
  peak,
})
const link = (Name: string, From_Node: string, To_Node: string, peak: number | null) => ({
  Name,
  From_Node,
  To_Node,
  Length: 10,
  Roughness: 0.013,
  InOffset: 0,
  OutOffset: 0,
  InitFlow: 0,
  MaxFlow: 0,
  Shape: 'CIRCULAR',
  Geom1: 0.3,
  Barrels: 1,
  data: [],
  peak,
})

test('[SWMM-15] a junction overflows when its water reaches its rim; an outfall never does', () => {
  const { node, link: links } = networkOf(
    [place('a'), place('b'), place('o', 'outfall'), place('x')],
    [junction('a', 1.5, 1.5), junction('b', 1.5, 1.49), junction('o', 0, 0.2)],
    [link('c', 'a', 'b', 0.4)],
  )
  expect(['a', 'b', 'o', 'x'].map((name) => node.get(name)?.overflows)).toEqual([true, false, false, false])
  expect(node.get('x')).toMatchObject({ elevationM: null, peakM: null })
  expect(links.get('c')?.peakM3S).toBe(0.4)
})

test('what the run noted of overflows counts more than its means', () => {
  const { node } = networkOf(
    [place('a'), place('b')],
    [junction('a', 1, 0.4), junction('b', 1, 1.2)],
    [],
    ['a'],
  )
  expect([node.get('a')?.overflows, node.get('b')?.overflows]).toEqual([true, false])
})

test('a link whose node has no place is in the table and not on the map', () => {
  const network = networkOf(
    [place('a'), place('b')],
    [],
    [link('c', 'a', 'b', null), link('d', 'a', 'nowhere', null)],
  )
  expect(network.links).toHaveLength(2)
  expect(featuresOf(network).links.features.map(({ properties }) => properties.name)).toEqual(['c'])
  expect(boundsOf(network)).toEqual([
    [2.6, 48.5],
    [2.6, 48.5],
  ])
  expect(boundsOf(networkOf([], [], []))).toBeNull()
})
