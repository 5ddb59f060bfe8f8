import type { NodePath } from '@radx/contracts/simulation'
import { PROFILE_GEOMETRY } from '@radx/contracts/simulation-constants'
import { expect, test } from 'vitest'
import { pipeLabel } from './pipe-label.ts'
import { energyIn, momentAt, polygonPath, profileOf, ticks, waterIn } from './profile.ts'

const node = (Name: string, Elevation: number, MaxDepth = 2) => ({
  Name,
  Elevation,
  MaxDepth,
  InitDepth: 0,
  SurDepth: 0,
  Aponded: 0,
})
const link = (From_Node: string, To_Node: string, Length: number, offsets = [0, 0], Geom1 = 0.5) => ({
  Name: `${From_Node}${To_Node}`,
  From_Node,
  To_Node,
  Length,
  Roughness: 0.013,
  InOffset: offsets[0],
  OutOffset: offsets[1],
  InitFlow: 0,
  MaxFlow: 0,
  Shape: 'CIRCULAR',
  Geom1,
  Barrels: 1,
})
const PATH: NodePath = {
  nodes: [node('A', 10), node('B', 9), node('C', 8)],
  // The second pipe was drawn against the path.
  links: [link('A', 'B', 50, [0.2, 0.1]), link('C', 'B', 40, [0.3, 0.4])],
  data: [
    { timeS: 0, depths: [0, 0, 0] },
    { timeS: 600, depths: [1, 0.5, 4] },
  ],
}

test('[SWMM-26] the profile keeps the margins, the shaft width and the link spacing of the specification', () => {
  expect(PROFILE_GEOMETRY).toEqual({ linkSpacing: 0.05, nodeWidth: 1, elevationMargin: 1, distanceMargin: 5 })
  const profile = profileOf(PATH)
  expect(profile.nodes.map(({ x }) => x)).toEqual([0, 50, 90])
  expect(profile.x).toEqual([-5, 95])
  // From the lowest invert to the highest level ever reached, 8 + 4.
  expect(profile.z).toEqual([7, 13])
  expect(profile.pipes[0]).toMatchObject({ x0: 0.55, x1: 49.45, invert0M: 10.2, invert1M: 9.1 })
  expect(profile.pipes[1]).toMatchObject({ invert0M: 9.4, invert1M: 8.3 })
  expect(profile.pipes.map(pipeLabel)).toEqual(['Ø\u00a0500 · 2,20\u00a0%', 'Ø\u00a0500 · 2,75\u00a0%'])
  const [up] = profileOf({
    ...PATH,
    links: [{ ...PATH.links[0], InOffset: -1, Shape: 'EGG' }, PATH.links[1]],
  }).pipes
  expect(pipeLabel(up)).toBe('h\u00a0500 · −0,20\u00a0%')
})

test('a pump or a weir has no pipe, and its two shafts do not fall together', () => {
  const { nodes, pipes } = profileOf({ ...PATH, links: [PATH.links[0], link('B', 'C', 0, [0, 0], 0)] })
  expect(pipes).toHaveLength(1)
  expect(nodes[2].x).toBeCloseTo(51.1, 9)
})

test('[SWMM-29] depths go linearly from one datum to the next, and stay beyond the last', () => {
  expect(momentAt(PATH.data, 0).depths).toEqual([0, 0, 0])
  expect(momentAt(PATH.data, 60)).toEqual({ depths: [0.1, 0.05, 0.4] })
  expect(momentAt(PATH.data, 6000).depths).toEqual([1, 0.5, 4])
  expect(momentAt([], 60)).toEqual({ depths: [] })
  const flowing = PATH.data.map((entry, k) => ({ ...entry, speeds: [2 * k, k] }))
  expect(momentAt(flowing, 300).speeds).toEqual([1, 0.5])
})

test('water in a pipe is cut by its invert and its crown', () => {
  const pipe = { name: 'p', x0: 0, x1: 10, invert0M: 1, invert1M: 0, heightM: 0.5 }
  expect(waterIn(pipe, 1, 0)).toBeNull()
  expect(Object.values(waterIn(pipe, 9, 9) ?? {})).toEqual([0, 1.5, 10, 0.5, 10, 0, 0, 1])
  // Full at the far end only: the level meets the crown half way.
  expect(Object.values(waterIn(pipe, 1, 1) ?? {})).toEqual([0, 1, 5, 1, 10, 0.5, 10, 0, 5, 0.5, 0, 1])
})

test('[SWMM-27] a polygon with an odd number of coordinate keys is an error', () => {
  const scales = { x: (v: number) => v, y: (v: number) => v }
  expect(polygonPath({ x0: 0, y0: 1, x1: 2, y1: 3 }, scales)).toBe('M0.0 1.0L2.0 3.0Z')
  expect(() => polygonPath({ x0: 0, y0: 1, x1: 2 }, scales)).toThrow('odd number')
})

test('ticks are round', () => {
  expect(ticks([36.2, 99.7], 7)).toEqual([40, 50, 60, 70, 80, 90])
  expect(ticks([0, 1], 4)).toEqual([0, 0.5, 1])
})

test('the energy line stands the height of the speed above the water, and the drawing has room for it', () => {
  const [pipe] = profileOf(PATH).pipes
  // 3 m/s are 3² / 2g = 0.459 m; at the lower end the water falls out of the pipe above the level of the node.
  expect(energyIn(pipe, [10.5, 9], 3)).toEqual([expect.closeTo(10.959, 3), expect.closeTo(9.559, 3)])
  expect(energyIn(pipe, [10.5, 9], 0)).toBeNull()
  expect(energyIn(pipe, [10.5, 9], undefined)).toBeNull()
  const fast = { ...PATH, data: PATH.data.map((entry) => ({ ...entry, speeds: [9, 0] })) }
  expect(profileOf(fast).pipes.map(({ energyTopM }) => energyTopM)).toEqual([
    expect.closeTo(11 + 9 ** 2 / 19.6133, 6),
    null,
  ])
  expect(profileOf(fast).z[1]).toBeCloseTo(1 + 11 + 9 ** 2 / 19.6133, 6)
})
