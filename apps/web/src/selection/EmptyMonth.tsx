import { LOCALE } from '@radx/locale/language'
import { useQuery } from '@tanstack/react-query'
import { selectionTexts as texts } from '../texts/selection.ts'
import { Message } from '../ui/Message.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { monthsQuery } from './api.ts'
import { nearestMonths } from './calendar.ts'
import classes from './MonthCalendar.module.css'

interface Props {
  product: string
  /** `YYYY-MM`, without data. */
  month: string
  /** Civil day of today, `YYYY-MM-DD`. */
  today: string
  onMonth: (month: string) => void
}

const nameOf = (month: string) =>
  new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )

/** Says that a month has no images, and leads to the nearest ones that have. */
export function EmptyMonth({ product, month, today, onMonth }: Props) {
  const { data } = useQuery(monthsQuery(product))
  if (data === undefined) return null
  const { before, after } = nearestMonths(data, month, today)
  if (before === undefined && after === undefined)
    return <Message kind="nfo">{texts.emptyArchive(product)}</Message>
  return (
    <Message kind="nfo">
      {texts.emptyMonth(product, nameOf(month))}
      <span className={classes.ways}>
        {before && (
          <TextButton onClick={() => onMonth(before)}>{texts.monthBefore(nameOf(before))}</TextButton>
        )}
        {after && <TextButton onClick={() => onMonth(after)}>{texts.monthAfter(nameOf(after))}</TextButton>}
      </span>
    </Message>
  )
}
