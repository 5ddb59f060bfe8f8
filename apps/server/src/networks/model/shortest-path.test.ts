import { readInp } from '@radx/formats/inp/read'
import { seededRandom } from '@radx/scaling/random'
import { expect, test } from 'vitest'
import { pathThrough } from './path-through.ts'
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

test('through a node the path takes the other way round a loop, and comes by no node twice', () => {
  expect(pathThrough(network, 'A', 'O', 'B')).toEqual(['A', 'D', 'B', 'C', 'E', 'O'])
  expect(pathThrough(network, 'O', 'A', 'B')).toEqual(['O', 'E', 'C', 'B', 'D', 'A'])
  // The nearest way to B is by D, which is where the path has to end.
  expect(pathThrough(network, 'C', 'D', 'B')).toEqual(['C', 'B', 'D'])
  expect(pathThrough(network, 'D', 'C', 'A')).toEqual(['D', 'A', 'B', 'C'])
  expect(pathThrough(network, 'A', 'O', 'A')).toEqual(['A', 'D', 'C', 'E', 'O'])
  for (const [start, end, via] of [
    ['A', 'C', 'O'],
    ['A', 'C', 'X'],
    ['A', 'C', 'nowhere'],
    ['A', 'A', 'B'],
  ])
    expect(() => pathThrough(network, start, end, via)).toThrow('sans revenir sur ses pas')
})

test('in networks at random it is the shortest of all paths that pass there', () => {
  const { uniform } = seededRandom(7)
  let found = 0
  for (let round = 0; round < 120; round++) {
    const count = 4 + Math.floor(uniform() * 4)
    const pairs = Array.from({ length: count + 3 }, () => [
      Math.floor(uniform() * count),
      Math.floor(uniform() * count),
    ]).filter(([a, b]) => a !== b)
    const links = pairs.map(([from, to]) => ({
      kind: 'conduit',
      from,
      to,
      lengthM: 1 + Math.floor(uniform() * 99),
    }))
    const drawn = { nodes: Array.from({ length: count }, (_, k) => ({ name: `N${k}` })), links } as never
    const lengthOf = (path: readonly string[]) =>
      path.slice(1).reduce((sum, name, k) => {
        const ends = [Number(name.slice(1)), Number(path[k].slice(1))].sort()
        const between = links.filter(({ from, to }) => [from, to].sort().join() === ends.join())
        return sum + Math.min(...between.map(({ lengthM }) => lengthM))
      }, 0)
    /** All paths from N0 to N1 that come by no node twice. */
    const all = (path: number[]): number[][] =>
      path.at(-1) === 1
        ? [path]
        : links.flatMap(({ from, to }) => {
            const at = path.at(-1)
            const next = from === at ? to : to === at ? from : at
            return next === undefined || path.includes(next) ? [] : all([...path, next])
          })
    const lengths = all([0])
      .filter((path) => path.includes(2))
      .map((path) => lengthOf(path.map((k) => `N${k}`)))
    if (lengths.length === 0) {
      expect(() => pathThrough(drawn, 'N0', 'N1', 'N2')).toThrow()
      continue
    }
    found++
    const path = pathThrough(drawn, 'N0', 'N1', 'N2')
    expect([path[0], path.at(-1), path.includes('N2')]).toEqual(['N0', 'N1', true])
    expect(new Set(path).size).toBe(path.length)
    expect(lengthOf(path)).toBe(Math.min(...lengths))
  }
  expect(found).toBeGreaterThan(20)
})
