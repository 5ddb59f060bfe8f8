import type { Watch } from '@radx/contracts/ahead'
import { expect, test } from 'vitest'
import { levelOf, sentences } from './certainty.ts'

const one = (kind: Watch['kind'], percent: number): Watch => ({
  ...{ kind, name: 'a', cell: 0, lat: 0, lng: 0, cells: 1, depthMm: 200, percent, fromMin: 5, gravity: 1 },
})

test('probabilities have three words, each with what it counts, the surest first', () => {
  expect([100, 90, 89, 50, 49, 1].map(levelOf)).toEqual([
    ...['certain', 'certain', 'likely', 'likely', 'possible', 'possible'],
  ])
  const told = sentences([one('link', 40), one('street', 95), one('street', 90), one('node', 95)])
  expect(told.map(({ level }) => level)).toEqual(['certain', 'possible'])
  expect(told[0].text).toMatch(/^Certain\u00a0: 2\s?lieux inondés, 1\s?regard qui déborde\.$/)
  expect(told[1].text).toMatch(/^Possible\u00a0: 1\s?conduite pleine/)
  expect(sentences([])).toEqual([])
})
