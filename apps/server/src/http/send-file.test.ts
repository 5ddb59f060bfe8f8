import { expect, test } from 'vitest'
import { partOf } from './send-file.ts'

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-5', { start: 95, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=100-', 'outside'],
  ['bytes=100-200', 'outside'],
  ['bytes=-0', 'outside'],
  // The whole file answers what is no single range of bytes.
  [undefined, null],
  ['', null],
  ['bytes=-', null],
  ['bytes=5-4', null],
  ['bytes=0-1,5-6', null],
  ['bytes=a-b', null],
  ['lines=0-1', null],
  ['bytes=0-99999999999999999999', null],
] as const)('of 100 bytes %s is %o', (header, part) => {
  expect(partOf(header, 100)).toEqual(part)
})
