import { expect, test } from 'vitest'
import { hashToken, newToken } from './tokens.ts'

test('tokens are 256 bits, never twice the same', () => {
  const tokens = new Set(Array.from({ length: 1000 }, newToken))
  expect(tokens.size).toBe(1000)
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
})

test('the stored hash is not the token and differs for each', () => {
  const [a, b] = [newToken(), newToken()]
  expect(hashToken(a)).toHaveLength(32)
  expect(hashToken(a)!.equals(hashToken(b)!)).toBe(false)
  expect(hashToken(a)!.toString('base64url')).not.toBe(a)
})

test('truncated, padded, lengthened and foreign texts are no token', () => {
  const token = newToken()
  for (const forged of [
    '',
    token.slice(0, -1),
    `${token}=`,
    `${token}a`,
    `${token}\n`,
    "' OR 1=1 --",
    'null',
    'undefined',
    'é'.repeat(43),
  ])
    expect(hashToken(forged)).toBeNull()
})
