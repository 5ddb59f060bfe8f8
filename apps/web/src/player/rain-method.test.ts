import { expect, test } from 'vitest'
import { methodStatement, shownTotals } from './rain-method.ts'

test('totals of moved rain are shown once they are there, if they are wanted', () => {
  const both = { mm: 1, moved: { mm: 2 } }
  expect(shownTotals(both, 'moved')).toEqual({ totals: { mm: 2 }, method: 'moved' })
  expect(shownTotals(both, 'raw')).toEqual({ totals: both, method: 'raw' })
  expect(shownTotals({ ...both, moved: null }, 'moved').method).toBe('raw')
})

test('a reader can switch to the method that is not shown, and to none while the moved rain is waited for', () => {
  expect(methodStatement('moved', 'moved')).toEqual({ says: 'moved', other: 'raw' })
  expect(methodStatement('raw', 'raw')).toEqual({ says: 'raw', other: 'moved' })
  expect(methodStatement('moved', 'raw')).toEqual({ says: 'waiting', other: null })
})
