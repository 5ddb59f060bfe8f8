import { expect, test } from 'vitest'
import { hitOf, positionOf } from './hit.ts'

/** Ten by ten cells of a thousandth of a degree, north-west corner at 48.51 N, 2.60 E. */
const place = {
  ...{ nrows: 10, ncols: 10, cellSizeM: 100, crs: 'EPSG:2154', xll: 0, yll: 0 },
  corners: { sw: [2.6, 48.5], se: [2.61, 48.5], ne: [2.61, 48.51], nw: [2.6, 48.51] },
} as const
const network = {
  nodes: [
    { name: 'A', lat: 48.505, lng: 2.602 },
    { name: 'B', lat: 48.505, lng: 2.608 },
  ],
  links: [{ name: 'A-B', kind: 'conduit', from: 0, to: 1 }],
} as never
const quiet = { place, nodes: [], links: [] } as never
const full = { place, nodes: [], links: [{ name: 'A-B', percent: [0, 80] }] } as never
const middle = { lat: 48.505, lng: 2.605 }
/** Some 40 m beside the pipe. */
const beside = { lat: 48.50536, lng: 2.605 }
const CLOSE = 18
const WIDE = 12

test('any node and pipe is hit where it lies, the cell elsewhere and where the network is not shown', () => {
  expect(hitOf(quiet, network, 0, middle, CLOSE)).toEqual({ kind: 'link', name: 'A-B' })
  expect(hitOf(quiet, network, 0, { lat: 48.505, lng: 2.602 }, CLOSE)).toEqual({ kind: 'node', name: 'A' })
  expect(hitOf(quiet, network, 0, beside, CLOSE)).toEqual({ kind: 'cell', name: '45' })
  expect(hitOf(quiet, undefined, 0, middle, CLOSE)).toMatchObject({ kind: 'cell' })
  expect(hitOf(quiet, network, 0, { lat: 48.6, lng: 2.605 }, CLOSE)).toBeNull()
})

test('what is in danger at the moment is hit from farther away, the street above quiet pipes is not lost', () => {
  expect(hitOf(quiet, network, 1, beside, WIDE)).toEqual({ kind: 'cell', name: '45' })
  expect(hitOf(full, network, 0, beside, WIDE)).toEqual({ kind: 'cell', name: '45' })
  expect(hitOf(full, network, 1, beside, WIDE)).toEqual({ kind: 'link', name: 'A-B' })
})

test('a chosen place is found again on the map; one that this town does not have is nowhere', () => {
  expect(positionOf({ kind: 'cell', name: '45' }, place as never, network)).toEqual({
    lat: expect.closeTo(48.5055, 6),
    lng: expect.closeTo(2.6055, 6),
  })
  expect(positionOf({ kind: 'node', name: 'B' }, place as never, network)).toMatchObject({ lng: 2.608 })
  expect(positionOf({ kind: 'link', name: 'A-B' }, place as never, network)).toMatchObject({
    lng: expect.closeTo(2.605, 6),
  })
  for (const name of ['100', '-1', 'x'])
    expect(positionOf({ kind: 'cell', name }, place as never, network)).toBeNull()
  expect(positionOf({ kind: 'link', name: 'C' }, place as never, network)).toBeNull()
})
