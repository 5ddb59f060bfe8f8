import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import type { DaySummary } from '@radx/contracts/radar'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { intensityClass } from '@radx/rainfall/classes'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { genericErrorText } from '../app/api/errors.ts'
import { selectionTexts as texts } from '../texts/selection.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Message } from '../ui/Message.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { monthQuery } from './api.ts'
import { calendarYears, clampMonth, dayIntensity, monthWeeks, shiftMonth } from './calendar.ts'
import { EmptyMonth } from './EmptyMonth.tsx'
import classes from './MonthCalendar.module.css'
import type { Selection } from './selection.ts'

interface Props {
  selection: Selection
  /** Civil day of today, `YYYY-MM-DD`. */
  today: string
  /** First and last chosen civil days. */
  range: { from: string | null; to: string | null }
  /** Civil days that the account may see, the first and the last; null is open. */
  allowed: { from: string | null; to: string | null }
  onDay: (day: string) => void
  onMonth: (month: string) => void
}

const monthName = new Intl.DateTimeFormat('fr-FR', { month: 'long', timeZone: 'UTC' })

const dayName = new Intl.DateTimeFormat('fr-FR', {
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
      <table className={classes.grid}>
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

const isOutside = (day: string, { from, to }: Props['allowed']) =>
  (from !== null && day < from) || (to !== null && day > to)

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
  onClick: () => void
}

function Day({ day, number, summary, meanmax, pending, active, mark, closed, onClick }: DayProps) {
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
      disabled={empty || closed}
      aria-pressed={active}
      aria-label={tip === undefined ? date : `${date}, ${tip}`}
      title={tip}
      data-class={row}
      style={row > 0 ? { '--tint': INTENSITY_CLASSES[row - 1].color } : undefined}
      onClick={onClick}
    >
      {number}
    </button>
  )
}
