import { expect, test } from 'vitest'
import { changesOf } from './changes.ts'

test('cells that changed their code, in cells, hectares and share of what they were', () => {
  const land = (code: number) => ({ code, title: String(code), color: '#000000' })
  const changes = changesOf({
    chords: [
      [90, 10, 0],
      [0, 50, 30],
      [0, 0, 5],
    ],
    sourceOfLands: [100, 80, 5],
    landCodes: [land(1), land(2), land(3)],
    cellSizeM: 10,
  })
  expect(
    changes.map(({ from, to, cells, hectares, share }) => [from.code, to.code, cells, hectares, share]),
  ).toEqual([
    [2, 3, 30, 0.3, 0.375],
    [1, 2, 10, 0.1, 0.1],
  ])
})
