import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import type { DaySummary } from '@radx/contracts/radar'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { LOCALE } from '@radx/locale/language'
import { intensityClass } from '@radx/rainfall/classes'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { genericErrorText } from '../app/api/errors.ts'
import { type AllowedDays, isOutside } from '../texts/restriction.ts'
import { selectionTexts as texts } from '../texts/selection.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Message } from '../ui/Message.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { monthQuery } from './api.ts'
import { calendarYears, clampMonth, dayByKey, dayIntensity, monthWeeks, shiftMonth } from './calendar.ts'
import { EmptyMonth } from './EmptyMonth.tsx'
import classes from './MonthCalendar.module.css'
import type { Selection } from './selection.ts'

interface Props {
  selection: Selection
  /** Civil day of today, `YYYY-MM-DD`. */
  today: string
  /** First and last chosen civil days. */
  range: { from: string | null; to: string | null }
  allowed: AllowedDays
  onDay: (day: string) => void
  onMonth: (month: string) => void
}

const monthName = new Intl.DateTimeFormat(LOCALE, { month: 'long', timeZone: 'UTC' })

const dayName = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** The days of a month, tinted by their rain; those without data cannot be chosen. */
export function MonthCalendar({ selection, today, range, allowed, onDay, onMonth }: Props) {
  const { dateCursor: month, selectedProduct, catchment, subcatchment, activeDay } = selection
  const { data, error, isPending, refetch } = useQuery(monthQuery(selectedProduct, month))
  const byDay = new Map(data?.map((summary) => [summary.day, summary]))
  const first = activeDay ?? range.from
  const keys = useDayKeys(
    month,
    [first, data?.at(-1)?.day].find((day) => day?.startsWith(month)) ?? `${month}-01`,
    today,
    onMonth,
  )
  const shown = (delta: number) => clampMonth(shiftMonth(month, delta), today)
  return (
    <section aria-label={texts.calendar} aria-busy={isPending}>
      <header className={classes.header}>
        <IconButton
          label={texts.previousMonth}
          disabled={shown(-1) === month}
          onClick={() => onMonth(shown(-1))}
        >
          <IconChevronLeft size={18} stroke={1.75} />
        </IconButton>
        <h2 className={classes.month} aria-live="polite">
          {monthName.format(new Date(`${month}-01T00:00:00Z`))}
        </h2>
        <select
          className={classes.year}
          aria-label={texts.year}
          value={month.slice(0, 4)}
          onChange={(event) => onMonth(clampMonth(`${event.target.value}${month.slice(4)}`, today))}
        >
          {calendarYears(today).map((year) => (
            <option key={year} value={year}>
              {year}
            </option>
          ))}
        </select>
        <IconButton label={texts.nextMonth} disabled={shown(1) === month} onClick={() => onMonth(shown(1))}>
          <IconChevronRight size={18} stroke={1.75} />
        </IconButton>
      </header>
      {error && (
        <Message kind="error" action={<TextButton onClick={() => void refetch()}>{texts.retry}</TextButton>}>
          {genericErrorText(error)}
        </Message>
      )}
      <table
        ref={keys.grid}
        className={classes.grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of dates, one tab stop
        role="grid"
        aria-label={texts.days}
        onKeyDown={keys.onKeyDown}
      >
        <thead>
          <tr>
            {texts.weekdays.map((short, i) => (
              <th key={short} scope="col" abbr={texts.weekdayNames[i]}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthWeeks(month).map((week) => (
            <tr key={week[0].day}>
              {week.map(({ day, number, inMonth }) => (
                <td key={day}>
                  {inMonth && (
                    <Day
                      day={day}
                      number={number}
                      summary={byDay.get(day)}
                      meanmax={dayValue(byDay.get(day), catchment, subcatchment)}
                      pending={isPending}
                      active={day === activeDay}
                      mark={markOf(day, range)}
                      closed={isOutside(day, allowed)}
                      tabStop={day === keys.stop}
                      onFocus={() => keys.setAt(day)}
                      onClick={() => onDay(day)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {data?.length === 0 && (
        <EmptyMonth product={selectedProduct} month={month} today={today} onMonth={onMonth} />
      )}
    </section>
  )
}

/** Days are one tab stop; arrows and pages lead from one to the next, and from month to month. */
function useDayKeys(month: string, first: string, today: string, onMonth: (month: string) => void) {
  const grid = useRef<HTMLTableElement>(null)
  const [at, setAt] = useState<string | null>(null)
  /** Day that the focus goes to once its month is shown, and the month asked for: keys may come faster than pages. */
  const wanted = useRef<string | null>(null)
  const asked = useRef(month)
  const stop = at?.startsWith(month) ? at : first
  useEffect(() => {
    asked.current = month
  }, [month])
  useLayoutEffect(() => {
    if (wanted.current === null || !wanted.current.startsWith(month)) return
    grid.current?.querySelector<HTMLElement>(`[data-day="${wanted.current}"]`)?.focus()
    wanted.current = null
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const day = dayByKey(wanted.current ?? stop, event.key, event.shiftKey, today)
    if (day === null) return
    event.preventDefault()
    wanted.current = day
    setAt(day)
    if (day.startsWith(asked.current)) return
    asked.current = day.slice(0, 7)
    onMonth(asked.current)
  }
  return { grid, stop, setAt, onKeyDown }
}

const dayValue = (summary: DaySummary | undefined, catchment: string | null, subcatchment: string | null) =>
  summary === undefined ? null : dayIntensity(summary, catchment, subcatchment)

function markOf(day: string, { from, to }: Props['range']): 'start' | 'end' | 'both' | 'within' | undefined {
  if (day === from) return to === from ? 'both' : 'start'
  if (day === to) return 'end'
  return from !== null && to !== null && day > from && day < to ? 'within' : undefined
}

interface DayProps {
  day: string
  number: number
  summary: DaySummary | undefined
  meanmax: DaySummary['meanmax'] | null
  pending: boolean
  active: boolean
  mark: ReturnType<typeof markOf>
  /** Outside the account's dates. */
  closed: boolean
  /** The one day that the Tab key stops at. */
  tabStop: boolean
  onFocus: () => void
  onClick: () => void
}

function Day({ day, number, summary, meanmax, pending, active, mark, closed, ...rest }: DayProps) {
  const { tabStop, onFocus, onClick } = rest
  const empty = summary === undefined
  const row = meanmax === null ? 0 : intensityClass(meanmax.value)
  const tip = closed
    ? texts.dayClosed
    : empty
      ? pending
        ? undefined
        : texts.noData
      : meanmax === null
        ? texts.dayDry
        : texts.dayTip(formatQuantityFr(meanmax.value, 'mm/h', 1), meanmax.desc)
  const date = dayName.format(new Date(`${day}T00:00:00Z`))
  return (
    <button
      type="button"
      className={classes.day}
      data-day={day}
      data-mark={mark}
      aria-disabled={empty || closed}
      tabIndex={tabStop ? 0 : -1}
      onFocus={onFocus}
      aria-pressed={active}
      aria-label={tip === undefined ? date : `${date}, ${tip}`}
      title={tip}
      data-class={row}
      style={row > 0 ? { '--tint': INTENSITY_CLASSES[row - 1].color } : undefined}
      onClick={() => !empty && !closed && onClick()}
    >
      {number}
    </button>
  )
}
