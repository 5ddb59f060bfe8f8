import { expect, test } from 'vitest'
import { profileOf } from './profile.ts'
import { isNearest, isWhole, levelsIn, moveSpan, thinned, zoomSpan } from './profile-view.ts'

const WHOLE = [-5, 1005] as const

test('zooming keeps what is under the pointer and stays on the path', () => {
  const near = zoomSpan(WHOLE, WHOLE, 0.5, 247.5)
  expect(near[1] - near[0]).toBeCloseTo(505)
  expect((247.5 - near[0]) / 505).toBeCloseTo(0.25)
  expect(zoomSpan(WHOLE, near, 10)).toEqual(WHOLE)
  // At the end of the path its end stays.
  expect(zoomSpan(WHOLE, [805, 1005], 2, 805)).toEqual([605, 1005])
  let span: readonly [number, number] = WHOLE
  for (let k = 0; k < 20; k++) span = zoomSpan(WHOLE, span, 0.5)
  expect(isNearest(span)).toBe(true)
  expect(span[1] - span[0]).toBeCloseTo(20)
  expect([isWhole(WHOLE, WHOLE), isWhole(WHOLE, near)]).toEqual([true, false])
})

test('moving ends where the path does; a short path is always whole', () => {
  expect(moveSpan(WHOLE, [100, 200], 50)).toEqual([150, 250])
  expect(moveSpan(WHOLE, [100, 200], -500)).toEqual([-5, 95])
  expect(moveSpan(WHOLE, [100, 200], 5000)).toEqual([905, 1005])
  expect(zoomSpan([-5, 10], [-5, 10], 0.1)).toEqual([-5, 10])
})

const node = (Name: string, Elevation: number) => ({
  Name,
  Elevation,
  MaxDepth: 2,
  InitDepth: 0,
  SurDepth: 0,
  Aponded: 0,
})
const link = (Name: string, From_Node: string, To_Node: string) => ({
  Name,
  From_Node,
  To_Node,
  Length: 100,
  Roughness: 0.013,
  InOffset: 0,
  OutOffset: 0,
  InitFlow: 0,
  MaxFlow: 0,
  Shape: 'CIRCULAR',
  Geom1: 0.5,
  Barrels: 1,
})

test('the levels are those of the part that is shown, whatever the water does in it', () => {
  const profile = profileOf({
    nodes: [node('a', 50), node('b', 40), node('c', 30)],
    links: [link('ab', 'a', 'b'), link('bc', 'b', 'c')],
    data: [
      { timeS: 0, depths: [0, 0, 0] },
      { timeS: 600, depths: [0, 0, 3.5] },
    ],
  })
  expect(levelsIn(profile, profile.x)).toEqual(profile.z)
  expect(levelsIn(profile, [195, 205])[1]).toBe(34.5)
  const [low, high] = levelsIn(profile, [40, 60])
  expect(low).toBeCloseTo(50 - 6 - 1, 1)
  expect(high).toBeCloseTo(50 - 4 + 0.5 + 1, 1)
})

test('labels that would stand on each other are left out', () => {
  const labels = Array.from({ length: 100 }, (_, k) => ({ name: `R-${k}`, x: 7 * k }))
  const kept = thinned(labels, ({ x }) => x)
  expect(kept.length).toBeGreaterThan(10)
  expect(kept[0].name).toBe('R-0')
  for (let k = 1; k < kept.length; k++)
    expect(kept[k].x - kept[k - 1].x).toBeGreaterThan(
      (7 * (kept[k].name.length + kept[k - 1].name.length)) / 2,
    )
  expect(thinned(labels.slice(0, 3), ({ x }) => 20 * x)).toHaveLength(3)
})
