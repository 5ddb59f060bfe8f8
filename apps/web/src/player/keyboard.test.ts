import { expect, test } from 'vitest'
import { playerCommand } from './keyboard.ts'

test('[LIVE-12] z toggles, q steps back, d steps forward, in either case', () => {
  expect([...'zqdZQD'].map((key) => playerCommand({ key, typing: false }))).toEqual([
    'toggle',
    'previous',
    'next',
    'toggle',
    'previous',
    'next',
  ])
})

test('keys belong to the field while typing, and to the browser with a modifier', () => {
  expect(playerCommand({ key: 'z', typing: true })).toBeNull()
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
    expect(playerCommand({ key: 'z', typing: false, [modifier]: true })).toBeNull()
  expect(playerCommand({ key: 'a', typing: false })).toBeNull()
})
