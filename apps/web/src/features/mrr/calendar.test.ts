import { expect, test } from 'vitest'
import { moveDay, yearGrid } from './calendar.ts'

test('[MRR-07] a year is laid out in weeks from Monday, every day once', () => {
  const grid = yearGrid(2024)
  expect(grid.cells).toHaveLength(366)
  expect(grid.cells[0]).toEqual({ day: '2024-01-01', column: 0, row: 0 })
  expect(new Set(grid.cells.map((c) => `${c.column},${c.row}`)).size).toBe(366)
  expect(grid.months).toHaveLength(12)
  expect(yearGrid(2023).cells[0].row).toBe(6)
})

test('arrow keys move by a day or a week and stay in the year', () => {
  expect(moveDay('2024-03-10', 'ArrowDown')).toBe('2024-03-11')
  expect(moveDay('2024-03-10', 'ArrowLeft')).toBe('2024-03-03')
  expect(moveDay('2024-01-02', 'ArrowLeft')).toBeNull()
  expect(moveDay('2024-03-10', 'a')).toBeNull()
})
