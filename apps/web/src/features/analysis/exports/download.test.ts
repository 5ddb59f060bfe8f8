import { expect, test } from 'vitest'
import { nameInHeader } from './download.ts'

test('a file has the name that its answer gives', () => {
  expect(nameInHeader('attachment; filename="radx-dpsri.xlsx"')).toBe('radx-dpsri.xlsx')
  expect(nameInHeader('attachment')).toBeNull()
  expect(nameInHeader(null)).toBeNull()
})
