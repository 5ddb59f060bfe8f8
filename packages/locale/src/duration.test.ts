import { expect, test } from 'vitest'
import { formatSpan } from './duration.ts'

test('a span is told in the units that matter, and never breaks between a number and its unit', () => {
  const texts = [0, 59.6, 119.4, 119.6, 3569, 3599, 4918, 86_370, 86_399, 100_000, 2_412_116].map((s) =>
    formatSpan(s),
  )
  expect(texts.map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
    '0 s',
    '60 s',
    '119 s',
    '2 min',
    '59 min',
    '1 h 00',
    '1 h 22',
    '1 j 0 h',
    '1 j 0 h',
    '1 j 4 h',
    '27 j 22 h',
  ])
  expect(texts.filter((text) => text.includes(' '))).toEqual([])
})
