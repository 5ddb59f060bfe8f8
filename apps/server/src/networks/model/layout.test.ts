import { readInp } from '@radx/formats/inp/read'
import { expect, test } from 'vitest'
import { layoutOf } from './layout.ts'

const network = (coordinates: string) =>
  readInp(`[OPTIONS]
FLOW_UNITS CMS
END_TIME 01:00
[JUNCTIONS]
A 10 2
B 9 2
C 8 2
D 9 2
[OUTFALLS]
O 7 FREE NO
[CONDUITS]
AC A C 100 0.013 0 0
BC B C 100 0.013 0 0
CO C O 100 0.013 0 0
DB D B 100 0.013 0 0
[XSECTIONS]
AC CIRCULAR 1
BC CIRCULAR 1
CO CIRCULAR 1
DB CIRCULAR 1
[COORDINATES]
${coordinates}`).network

test('a file without positions becomes a tree from its outfall whose branches do not cross', () => {
  const { at, placed, guessed } = layoutOf(network(''))
  expect({ placed, guessed }).toEqual({ placed: 'layout', guessed: [] })
  const [a, b, c, d, o] = at
  // Columns by the number of links to the outfall; branches in rows of their own, what they meet in at their middle.
  expect([o, c, a, b, d].map(([x]) => x / 100 || 0)).toEqual([0, -1, -2, -2, -3])
  expect(a[1]).not.toBe(b[1])
  expect(b[1]).toBe(d[1])
  expect(c[1]).toBe((a[1] + b[1]) / 2)
  expect(new Set(at.map(String)).size).toBe(5)
})

test('a node that the file leaves out stands beside its neighbours, and is named', () => {
  const { at, placed, guessed } = layoutOf(network('A 0 0\nC 100 0\nO 200 0\nB 100 100'))
  expect({ placed, guessed }).toEqual({ placed: 'file', guessed: ['D'] })
  expect(at[3]).toEqual([100, 100])
})
