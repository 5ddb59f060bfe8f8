import { expect, test } from 'vitest'
import { checkLiveResponse } from './api.ts'

test("[LIVE-37] an answer without an images array is a 500 'Bad API request'", () => {
  for (const answer of [null, {}, [], { images: null }, { images: {} }])
    expect(() => checkLiveResponse(answer)).toThrow(
      expect.objectContaining({ status: 500, message: 'Bad API request' }),
    )
})

test('[LIVE-25] an answer with images passes as it is, even without any', () => {
  const answer = { images: [], isRadarDown: true }
  expect(checkLiveResponse(answer)).toBe(answer)
})
