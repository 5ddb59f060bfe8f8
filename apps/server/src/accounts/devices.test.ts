import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isDeviceOf, newDevice } from './devices.ts'

const secret = randomBytes(32)
const anne = { id: 'anne', password_hash: '$argon2id$one' }

test('a device is known to its account only, until its password changes', () => {
  const token = newDevice(secret, anne)
  expect(isDeviceOf(secret, anne, token)).toBe(true)
  expect(newDevice(secret, anne)).not.toBe(token)
  expect(isDeviceOf(secret, { ...anne, id: 'bruno' }, token)).toBe(false)
  expect(isDeviceOf(secret, { ...anne, password_hash: '$argon2id$two' }, token)).toBe(false)
  expect(isDeviceOf(randomBytes(32), anne, token)).toBe(false)
})

test.each([undefined, '', '.', 'a.b', `${'a'.repeat(22)}.${'a'.repeat(43)}`, 'é'.repeat(66)])(
  'a forged device is not known: %s',
  (token) => expect(isDeviceOf(secret, anne, token)).toBe(false),
)
