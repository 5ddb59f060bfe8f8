import { expect, test } from 'vitest'
import { filterByTitle, foldComment, pageWindow, paginate, sortRows, toggleSort } from './list.ts'

test('[EVENT-07] the same column toggles the order, another one starts ascending', () => {
  const sort = { column: 'title', descending: false }
  expect(toggleSort(sort, 'title')).toEqual({ column: 'title', descending: true })
  expect(toggleSort(toggleSort(sort, 'title'), 'cumul')).toEqual({ column: 'cumul', descending: false })
  expect(sortRows(['é2', 'E10', 'a'], (t) => t, false)).toEqual(['a', 'é2', 'E10'])
  expect(sortRows([{ v: 2 }, { v: null }, { v: 10 }], (r) => r.v, true).map((r) => r.v)).toEqual([
    10,
    2,
    null,
  ])
})

test('[EVENT-21] the title filter ignores case', () => {
  const rows = [{ title: 'Orage du 4 juin' }, { title: 'BRUINE' }, { title: 'Été' }]
  expect(filterByTitle(rows, 'oRaGe')).toEqual([rows[0]])
  expect(filterByTitle(rows, 'ét')).toEqual([rows[2]])
  expect(filterByTitle(rows, '  ')).toBe(rows)
})

test('[EVENT-26] pages of five, the last one shorter, a vanished page becomes the last', () => {
  const rows = Array.from({ length: 12 }, (_, i) => i)
  expect(paginate(rows, 3, 5)).toEqual({ rows: [10, 11], page: 3, pages: 3 })
  expect(paginate(rows.slice(0, 5), 3, 5)).toEqual({ rows: [0, 1, 2, 3, 4], page: 1, pages: 1 })
  expect(paginate([], 1, 5)).toEqual({ rows: [], page: 1, pages: 1 })
})

test('[EVENT-27] the pagination shows a window around the current page', () => {
  expect(pageWindow(1, 1)).toEqual([1])
  expect(pageWindow(5, 9)).toEqual([1, null, 4, 5, 6, null, 9])
  expect(pageWindow(3, 5)).toEqual([1, 2, 3, 4, 5])
})

test('[EVENT-19] [EVENT-20] a comment is folded at 50 characters or when its first 50 hold a newline', () => {
  expect(foldComment('x'.repeat(49))).toBeNull()
  expect(foldComment('x'.repeat(50))).toBe('x'.repeat(50))
  expect(foldComment('x'.repeat(60))).toBe('x'.repeat(50))
  expect(foldComment('court\nmais deux lignes')).toBe('court\nmais deux lignes')
})
