import { expect, test } from 'vitest'
import { joinPaths, piecesOf } from './pieces.ts'

test('a long path is fetched in pieces and put together again', () => {
  const path = ['a', 'b', 'c', 'd', 'e']
  expect(piecesOf(path, 2)).toEqual([
    ['a', 'b', 'c'],
    ['c', 'd', 'e'],
  ])
  expect(piecesOf(path, 3)).toEqual([
    ['a', 'b', 'c', 'd'],
    ['d', 'e'],
  ])
  expect(piecesOf(path, 400)).toEqual([path])
  const answer = (names: readonly string[]) => ({
    nodes: names.map((Name) => ({ Name, Elevation: 0, MaxDepth: 1, InitDepth: 0, SurDepth: 0, Aponded: 0 })),
    links: names.slice(1).map(() => ({}) as never),
    data: [0, 600].map((timeS) => ({
      timeS,
      depths: names.map((name) => name.charCodeAt(0) + timeS),
      speeds: names.slice(1).map((name) => name.charCodeAt(0) / 100 + timeS),
    })),
  })
  expect(joinPaths(piecesOf(path, 2).map(answer))).toEqual(answer(path))
})
