import { expect, test } from 'vitest'
import { KeptBytes } from './kept-bytes.ts'

test('keeps what was asked for last within its bytes, and nothing that is larger than all of them', () => {
  const kept = new KeptBytes(10)
  kept.set('a', Buffer.alloc(4))
  kept.set('b', Buffer.alloc(4))
  expect(kept.get('a')).toHaveLength(4)
  kept.set('c', Buffer.alloc(4))
  expect([kept.get('a'), kept.get('b'), kept.get('c')].map((one) => one?.length)).toEqual([4, undefined, 4])
  kept.set('a', Buffer.alloc(6))
  expect([kept.get('a')?.length, kept.get('c')?.length]).toEqual([6, 4])
  kept.set('d', Buffer.alloc(11))
  expect(['a', 'c', 'd'].map((key) => kept.get(key))).toEqual([undefined, undefined, undefined])
  kept.set('e', Buffer.alloc(10))
  expect(kept.get('e')).toHaveLength(10)
})
