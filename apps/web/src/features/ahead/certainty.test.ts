import { certaintyOf } from '@radx/contracts/ahead'
import { expect, test } from 'vitest'
import { sentences } from './certainty.ts'

const counts = [
  { kind: 'street' as const, certain: 2, likely: 0, possible: 0 },
  { kind: 'node' as const, certain: 1, likely: 0, possible: 0 },
  { kind: 'link' as const, certain: 0, likely: 0, possible: 1 },
]

test('probabilities have three words, each with what it counts, the surest first', () => {
  expect([100, 90, 89, 50, 49, 1].map(certaintyOf)).toEqual([
    ...['certain', 'certain', 'likely', 'likely', 'possible', 'possible'],
  ])
  const told = sentences({ counts, members: 20 })
  expect(told.map(({ level }) => level)).toEqual(['certain', 'possible'])
  expect(told[0].text).toMatch(/^Certain\u00a0: 2\s?lieux inondés, 1\s?regard qui déborde\.$/)
  expect(told[1].text).toMatch(/^Possible\u00a0: 1\s?conduite pleine/)
  expect(sentences({ counts: [], members: 20 })).toEqual([])
})

test('one course alone is sure of nothing', () => {
  const told = sentences({ counts, members: 0 })
  expect(told).toHaveLength(1)
  expect(told[0].text).toMatch(
    /^Prévu, sans certitude\u00a0: 2\s?lieux inondés, 1\s?regard .*, 1\s?conduite pleine/,
  )
})
