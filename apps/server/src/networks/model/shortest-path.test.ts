import { readInp } from '@radx/formats/inp/read'
import { expect, test } from 'vitest'
import { shortestPath } from './shortest-path.ts'

/** A ring of four manholes with a short cut against the flow, two pipes side by side, and one manhole apart. */
const { network } = readInp(`
[OPTIONS]
FLOW_UNITS CMS
START_DATE 01/01/2026
END_DATE 01/02/2026
[JUNCTIONS]
A 10 2
B 9 2
C 8 2
D 9 2
E 7.5 2
X 5 2
Y 4 2
[OUTFALLS]
O 7 FREE
[CONDUITS]
AB A B 100 0.013
BC B C 100 0.013
AD A D 40 0.013
CD C D 90 0.013
BD B D 30 0.013
CE1 C E 60 0.013
CE2 C E 20 0.013
EO E O 20 0.013
XY X Y 10 0.013
[XSECTIONS]
AB CIRCULAR 0.5
BC CIRCULAR 0.5
AD CIRCULAR 0.5
CD CIRCULAR 0.5
BD CIRCULAR 0.5
CE1 CIRCULAR 0.5
CE2 CIRCULAR 0.5
EO CIRCULAR 0.5
XY CIRCULAR 0.5
`)

test('in a looped network the path is the shortest way round, with or against the flow', () => {
  // A-D-C is 130 m, A-D-B-C 170 m, A-B-C 200 m.
  expect(shortestPath(network, 'A', 'O')).toEqual(['A', 'D', 'C', 'E', 'O'])
  expect(shortestPath(network, 'O', 'A')).toEqual(['O', 'E', 'C', 'D', 'A'])
  // 70 m against the flow of B to D, not the 100 m of the pipe between them.
  expect(shortestPath(network, 'A', 'B')).toEqual(['A', 'D', 'B'])
  expect(shortestPath(network, 'A', 'A')).toEqual(['A'])
  expect(() => shortestPath(network, 'A', 'X')).toThrow('Aucun chemin ne relie A à X')
  expect(() => shortestPath(network, 'A', 'nowhere')).toThrow('Aucun chemin')
})
