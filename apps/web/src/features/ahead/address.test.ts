import { expect, test } from 'vitest'
import { readAddress } from './address.ts'

test('an address of the flood forecast is read whole, and nonsense counts as absent', () => {
  const read = (text: string) => readAddress(new URLSearchParams(text))
  expect(read('c=melun&t=2026-07-01T18:05:00Z&h=200&m=7&v=node:J:1')).toEqual({
    ...{ c: 'melun', t: '2026-07-01T18:05:00.000Z', above: 200, at: 7 },
    ...{ place: { kind: 'node', name: 'J:1' }, tried: null },
  })
  const plain = { c: null, t: null, above: 50, at: 0, place: null, tried: null }
  const [changed, unchanged] = [1, 2].map((k) => `${k}0000000-0000-4000-8000-000000000000`)
  expect(read(`e=${changed}.${unchanged}`)).toEqual({ ...plain, tried: { changed, unchanged } })
  for (const bad of [changed, `${changed}.`, `${changed}.x`]) expect(read(`e=${bad}`)).toEqual(plain)
  expect(read('')).toEqual(plain)
  expect(read('t=hier&h=70&m=-3&v=rue:12')).toEqual(plain)
  expect(read('m=x&v=cell:')).toEqual(plain)
})
