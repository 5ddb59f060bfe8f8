import type { NetworkModel, NetworkPeaks } from '@radx/contracts/networks'
import { expect, test } from 'vitest'
import { toMercator } from '../../map/mercator.ts'
import { featuresOf } from '../../sewer/features.ts'
import { areaAt, hitGrids } from '../../sewer/hits.ts'
import { sewerOf } from './place.ts'

const MODEL = {
  placed: 'file',
  nodes: [
    { name: 'J1', kind: 'junction', at: [1_000, 50], invertM: 10, depthM: 2 },
    { name: 'O1', kind: 'outfall', at: [1_200, 150], invertM: 9, depthM: 0 },
  ],
  links: [{ name: 'C1', kind: 'conduit', from: 0, to: 1, bends: [[1_100, 150]], lengthM: 90 }],
  subcatchments: [
    {
      name: 'S1',
      areaM2: 20_000,
      ring: [
        [1_000, 50],
        [1_200, 50],
        [1_100, 150],
      ],
    },
    { name: 'S2', areaM2: 10_000, ring: [] },
  ],
} as unknown as NetworkModel

test('a plane is drawn true to its form about a place without a base map, degrees where they are', () => {
  const { node } = sewerOf(MODEL, null)
  const [a, b] = [node.get('J1')!, node.get('O1')!]
  expect([a.lon + b.lon, a.lat + b.lat].map((sum) => sum || 0)).toEqual([0, 0])
  expect((b.lon - a.lon) / (b.lat - a.lat)).toBeCloseTo(2, 12)
  const degrees = sewerOf({ ...MODEL, placed: 'degrees' }, null)
  expect(degrees.node.get('J1')).toMatchObject({ lon: 1_000, lat: 50 })
})

test('links keep their bends; one place alone has one', () => {
  const { links } = featuresOf(sewerOf(MODEL, null))
  expect(links.features[0].geometry.coordinates).toHaveLength(3)
  const one = { ...MODEL, nodes: [MODEL.nodes[0]], links: [] } as NetworkModel
  expect(sewerOf(one, null).nodes[0]).toMatchObject({ lon: 0, lat: 0 })
})

test('what a run did is told, and left open without one', () => {
  const peaks = {
    nodes: { maxDepthM: [2.5, 0.1], floodedM3: [3, 0] },
    links: { maxFlowM3S: [0.4] },
    subcatchments: { runoffMm: [], peakM3S: [] },
  } as unknown as NetworkPeaks
  const { nodes, links } = sewerOf(MODEL, peaks)
  expect(nodes.map(({ peakM, overflows }) => [peakM, overflows])).toEqual([
    [2.5, true],
    [0.1, false],
  ])
  expect(links[0].peakM3S).toBe(0.4)
  expect(sewerOf(MODEL, null).nodes[0]).toMatchObject({ peakM: null, overflows: false })
})

test('a bent link is hit on its line, not on the straight way between its ends', () => {
  const network = sewerOf(MODEL, null)
  const { links } = hitGrids(network)
  const at = (x: number, y: number) => {
    const [lng, lat] = [((x - 1_100) / 200) * 0.02, ((y - 100) / 200) * 0.02]
    return { lng, lat }
  }
  expect(links.nearest(toMercator(at(1_100, 150)), 1e-9)).toBe('C1')
  expect(links.nearest(toMercator(at(1_100, 100)), 1e-9)).toBeNull()
})

test('subcatchments with an outline are areas, coloured by what ran off', () => {
  const peaks = {
    nodes: { maxDepthM: [0, 0], floodedM3: [0, 0] },
    links: { maxFlowM3S: [0] },
    subcatchments: { runoffMm: [12, 3], peakM3S: [0.2, 0.1] },
  } as unknown as NetworkPeaks
  const network = sewerOf(MODEL, peaks)
  expect(network.areas).toMatchObject([{ name: 'S1', runoffMm: 12, peakM3S: 0.2 }])
  expect(featuresOf(network).areas.features[0].properties).toEqual({ name: 'S1', share: 1 })
  const [lng, lat] = network.areas?.[0].ring[0] ?? [0, 0]
  expect(areaAt(network.areas ?? [], lng + 0.01, lat + 0.001)).toBe('S1')
  expect(areaAt(network.areas ?? [], lng - 0.001, lat + 0.001)).toBeNull()
})
