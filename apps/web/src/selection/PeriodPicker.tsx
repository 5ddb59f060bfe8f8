import { formatDateFr, formatTimeFr } from '@radx/locale/format-fr'
import { IconArrowBackUp, IconArrowRight, IconTrash } from '@tabler/icons-react'
import { useSite } from '../app/site.ts'
import { selectionTexts as texts } from '../texts/selection.ts'
import { IconButton } from '../ui/IconButton.tsx'
import classes from './PeriodPicker.module.css'
import type { Selection, SelectionDate } from './selection.ts'

interface Props {
  selection: Selection
  /** Brings the day of an end into the calendar. */
  onShow: (date: SelectionDate) => void
  onStepBack: () => void
  onClear: () => void
}

/** Start and end, each a date and an hour; which of them comes next is marked. */
export function PeriodPicker({ selection, onShow, onStepBack, onClear }: Props) {
  const { start, end } = selection.selectionDates
  return (
    <div className={classes.root}>
      <End label={texts.start} date={start} next={!start.setHour} onShow={onShow} />
      <IconArrowRight className={classes.arrow} size={16} stroke={1.75} aria-hidden />
      <End label={texts.end} date={end} next={start.setHour && !end.setHour} onShow={onShow} />
      <div className={classes.tools}>
        <IconButton label={texts.stepBack} disabled={!start.setHour} onClick={onStepBack}>
          <IconArrowBackUp size={18} stroke={1.75} />
        </IconButton>
        <IconButton label={texts.clear} disabled={start.date === null} onClick={onClear}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      </div>
    </div>
  )
}

interface EndProps {
  label: string
  date: SelectionDate
  next: boolean
  onShow: (date: SelectionDate) => void
}

function End({ label, date, next, onShow }: EndProps) {
  const { civilZone: timeZone } = useSite()
  const isDay = date.date !== null && date.date.length === 10
  const day =
    date.date === null
      ? null
      : isDay
        ? formatDateFr(`${date.date}T12:00:00Z`, 'UTC')
        : formatDateFr(date.date, timeZone)
  const hour = date.date !== null && date.setHour ? formatTimeFr(date.date, timeZone) : null
  return (
    <button
      type="button"
      className={classes.end}
      data-next={next}
      data-set={date.setHour}
      disabled={day === null}
      onClick={() => onShow(date)}
      data-testid={label === texts.start ? 'period-start' : 'period-end'}
    >
      <span className={classes.label}>{label}</span>
      <span className={classes.date}>{day ?? texts.date}</span>
      <span className={classes.hour}>{hour ?? texts.hour}</span>
    </button>
  )
}
