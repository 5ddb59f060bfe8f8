import { expect, test } from 'vitest'
import { csvText } from './csv.ts'
import { NATURAL, pageOf, sortRows, toggleSort } from './rows.ts'

test('[SWMM-03] ten rows a page; a page that is not there is the nearest', () => {
  const rows = Array.from({ length: 25 }, (_, k) => k)
  expect(pageOf(rows, 1)).toEqual({ items: rows.slice(0, 10), page: 1, pages: 3 })
  expect(pageOf(rows, 9)).toMatchObject({ items: [20, 21, 22, 23, 24], page: 3 })
  expect(pageOf([], 0)).toEqual({ items: [], page: 1, pages: 1 })
})

test('figures begin with the largest, names with the first; the third click ends the sorting', () => {
  expect(toggleSort(NATURAL, 2)).toEqual({ column: 2, direction: 'desc' })
  expect(toggleSort(toggleSort(NATURAL, 0), 0)).toEqual({ column: 0, direction: 'desc' })
  expect(toggleSort(toggleSort(toggleSort(NATURAL, 2), 2), 2)).toEqual(NATURAL)
})

test('J-9 comes before J-10, and what is not known comes last', () => {
  const by = (rows: (string | number | null)[], direction: 'asc' | 'desc') =>
    sortRows(rows, (row) => row, { column: 0, direction })
  expect(by(['J-10', 'J-9', 'J-1'], 'asc')).toEqual(['J-1', 'J-9', 'J-10'])
  expect(by([1, null, 3], 'desc')).toEqual([3, 1, null])
  expect(by([1, null, 3], 'asc')).toEqual([1, 3, null])
})

test('fields of a CSV file are quoted where they must be', () => {
  expect(csvText(['t', 'J "1", nord'], [[60, 0.5]])).toBe('t,"J ""1"", nord"\n60,0.5\n')
})
