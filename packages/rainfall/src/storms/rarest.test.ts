import { expect, test } from 'vitest'
import { rarestDepth } from './rarest.ts'

type Kind = 'outside' | 'below' | 'above' | 'between'
const depth = (durationMin: number, kind: Kind, years: number | null) => ({
  durationMin,
  depthMm: 10,
  from: '2021-07-04T10:00:00Z',
  missingMin: 0,
  period: { kind, years, label: `${kind} ${years}` },
})

test('the rarest depth is the one with the longest return period, beyond the table before its end', () => {
  const depths = [depth(6, 'outside', null), depth(30, 'below', 5), depth(60, 'between', 20)]
  expect(rarestDepth({ depths })?.durationMin).toBe(60)
  const beyond = [depth(15, 'between', 100), depth(30, 'above', 100), depth(60, 'between', 99)]
  expect(rarestDepth({ depths: beyond })?.durationMin).toBe(30)
  expect(rarestDepth({ depths: [depth(6, 'outside', null)] })).toBeNull()
  expect(rarestDepth({ depths: [] })).toBeNull()
})
