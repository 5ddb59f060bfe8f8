import { NativeSelect } from '@mantine/core'
import { PALETTES } from '@radx/charts/palettes'
import type { MrrDay, MrrPalette } from '@radx/contracts/mrr'
import { formatDateFr, formatNumberFr } from '@radx/locale/format-fr'
import { LOCALE } from '@radx/locale/language'
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { mrrTexts as texts } from '../../texts/mrr.ts'
import { moveDay, yearGrid } from './calendar.ts'
import classes from './DayCalendar.module.css'

interface Props {
  days: readonly MrrDay[]
  selected: string | null
  palette: MrrPalette
  threshold: number
  onSelect: (day: string) => void
}

const MONTHS = Array.from({ length: 12 }, (_, m) =>
  new Intl.DateTimeFormat(LOCALE, { month: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, m, 1)),
)
const dateText = (day: string) => formatDateFr(Date.parse(`${day}T12:00:00Z`), 'UTC')

/** The day of the year that the keyboard enters at: the chosen one, else the last with data. */
function entryOf(year: number, selected: string | null, values: ReadonlyMap<string, number>) {
  if (selected?.startsWith(`${year}-`) && values.has(selected)) return selected
  return [...values.keys()]
    .filter((day) => day.startsWith(`${year}-`))
    .sort()
    .at(-1)
}

/** A year of daily maxima outside the melting layer; days without a measure cannot be chosen. */
export function DayCalendar({ days, selected, palette, threshold, onSelect }: Props) {
  const years = useMemo(
    () => [...new Set(days.map(({ day }) => Number(day.slice(0, 4))))].sort((a, b) => b - a),
    [days],
  )
  const [picked, setPicked] = useState<number | null>(null)
  const selectedYear = Number(selected?.slice(0, 4))
  // An address may name a day of a year that the account has nothing of.
  const year = picked ?? (years.includes(selectedYear) ? selectedYear : years[0])
  const values = useMemo(
    () => new Map(days.map(({ day, maxValue, rainMaxValue }) => [day, rainMaxValue ?? maxValue])),
    [days],
  )
  const grid = useMemo(() => yearGrid(year), [year])
  const root = useRef<HTMLDivElement>(null)
  const entry = useMemo(() => entryOf(year, selected, values), [year, selected, values])
  // Where a year is wider than the page, what has data is in sight.
  useLayoutEffect(() => {
    const day = root.current?.querySelector<HTMLElement>(`[data-day="${entry}"]`)
    const scroll = root.current?.parentElement
    if (!day || !scroll) return
    const [at, frame] = [day.getBoundingClientRect(), scroll.getBoundingClientRect()]
    if (at.left < frame.left || at.right > frame.right)
      scroll.scrollLeft += (at.left + at.right - frame.left - frame.right) / 2
  }, [entry])
  if (years.length === 0) return <p className={classes.none}>{texts.calendar.none}</p>

  const onKey = (event: KeyboardEvent, day: string) => {
    // Arrows walk to the next day that has data in that direction.
    let next = moveDay(day, event.key)
    while (next !== null && !values.has(next)) next = moveDay(next, event.key)
    if (next === null) return
    event.preventDefault()
    root.current?.querySelector<HTMLButtonElement>(`[data-day="${next}"]`)?.focus()
  }
  return (
    <div className={classes.root}>
      <NativeSelect
        size="xs"
        w={96}
        label={texts.calendar.year}
        data={years.map(String)}
        value={String(year)}
        onChange={(event) => setPicked(Number(event.currentTarget.value))}
      />
      <div className={classes.scroll}>
        <div
          ref={root}
          className={classes.grid}
          style={{ gridTemplateColumns: `repeat(${grid.columns}, minmax(10px, 1fr))` }}
          data-testid="mrr-calendar"
        >
          {grid.months.map((column, month) => (
            <span key={MONTHS[month]} className={classes.month} style={{ gridColumn: column + 1 }}>
              {MONTHS[month]}
            </span>
          ))}
          {grid.cells.map(({ day, column, row }) => {
            const value = values.get(day)
            const place = { gridColumn: column + 1, gridRow: row + 2 }
            if (value === undefined)
              return <span key={day} className={classes.empty} style={place} title={texts.calendar.noData} />
            const label = texts.calendar.day(dateText(day), formatNumberFr(value, 2))
            return (
              <button
                key={day}
                type="button"
                data-day={day}
                className={classes.day}
                style={{ ...place, background: PALETTES[palette](Math.min(1, value / threshold)) }}
                title={label}
                aria-label={label}
                aria-pressed={day === selected}
                tabIndex={day === entry ? 0 : -1}
                onClick={() => onSelect(day)}
                onKeyDown={(event) => onKey(event, day)}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
