/** One square a day: weeks are columns, Monday first. Civil days only. */
interface CalendarCell {
  day: string
  column: number
  /** 0 Monday to 6 Sunday. */
  row: number
}

export interface YearGrid {
  cells: CalendarCell[]
  columns: number
  /** Column in which each month begins. */
  months: number[]
}

export function yearGrid(year: number): YearGrid {
  const first = Date.UTC(year, 0, 1)
  const lead = (new Date(first).getUTCDay() + 6) % 7
  const cells: CalendarCell[] = []
  const months: number[] = []
  for (let ms = first; new Date(ms).getUTCFullYear() === year; ms += 86_400_000) {
    const index = lead + cells.length
    const date = new Date(ms)
    if (date.getUTCDate() === 1) months.push(Math.floor(index / 7))
    cells.push({ day: date.toISOString().slice(0, 10), column: Math.floor(index / 7), row: index % 7 })
  }
  return { cells, columns: Math.ceil((lead + cells.length) / 7), months }
}

/** The day an arrow key leads to; null when it leaves the year. */
export function moveDay(day: string, key: string): string | null {
  const by = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 }[key]
  if (by === undefined) return null
  const moved = new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10)
  return moved.slice(0, 4) === day.slice(0, 4) ? moved : null
}
