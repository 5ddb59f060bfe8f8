import { expect, test } from 'vitest'
import { accountKey, addressKey } from './throttle.ts'

test('an IPv6 customer counts once, an IPv4 address behind IPv6 as itself', () => {
  expect(addressKey('192.0.2.1')).toBe('address:192.0.2.1')
  expect(addressKey('::ffff:192.0.2.1')).toBe('address:192.0.2.1')
  const one = addressKey('2001:db8:1:2::1')
  expect(addressKey('2001:0DB8:0001:0002:ffff:1:2:3')).toBe(one)
  expect(addressKey('2001:db8:1:3::1')).not.toBe(one)
  expect(addressKey('::1')).toBe('address:0:0:0:0::/64')
  expect(addressKey('fe80::1%eth0')).toBe('address:fe80:0:0:0::/64')
})

test('an account has one budget in whatever case it is typed, and a key of fixed length', () => {
  expect(accountKey(' Demo ')).toBe(accountKey('demo'))
  expect(accountKey('x'.repeat(64))).toHaveLength(accountKey('y').length)
})
