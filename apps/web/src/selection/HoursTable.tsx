import type { HourRow } from '@radx/contracts/radar'
import { formatDateFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { genericErrorText } from '../app/api/errors.ts'
import { DAY_OUTSIDE } from '../texts/restriction.ts'
import { selectionTexts as texts } from '../texts/selection.ts'
import { Message } from '../ui/Message.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { hoursQuery } from './api.ts'
import { DayStrip } from './DayStrip.tsx'
import { HourRows } from './HourRows.tsx'
import classes from './HoursTable.module.css'
import { markHour, type Selection } from './selection.ts'
import { useRangeDrag } from './useRangeDrag.ts'

interface Props {
  selection: Selection
  /** Instants between which the account may choose; null is open. */
  allowed: { from: string | null; to: string | null }
  /** The account may see nothing of the active day. */
  closed: boolean
  onHour: (instant: string) => void
  /** A stretch was drawn. */
  onRange: (one: string, other: string) => void
}

const NO_ROWS: HourRow[] = []

/** The images of the active day; a click chooses the start, the next one the end. */
export function HoursTable({ selection, allowed, closed, onHour, onRange }: Props) {
  const { activeDay: day, selectedProduct, catchment, subcatchment } = selection
  const query = useQuery(hoursQuery(selectedProduct, day, { catchment, subcatchment }))
  const rows = query.data ?? NO_ROWS
  const drag = useRangeDrag(rows, selection, allowed, onRange)
  const marks = useMemo(
    () => rows.map(({ datetime }) => markHour(drag.shown, datetime, allowed)),
    [rows, drag.shown, allowed],
  )
  const table = useRef<HTMLDivElement>(null)
  const scrollTo = (index: number) =>
    table.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'center' })

  const marked = marks.findLastIndex((mark) => mark === 'markerStart' || mark === 'markerEnd')
  const wet = useMemo(() => rows.findIndex((row) => (row.nonzerosmean ?? 0) >= 0.4), [rows])
  const inView = Math.max(0, marked >= 0 ? marked : wet)

  // What is chosen, or else the first rain, should be in view when a day opens.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new day scrolls
  useEffect(() => {
    const body = table.current
    const row = body?.querySelector<HTMLElement>(`[data-index="${inView}"]`)
    if (body && row) body.scrollTop = row.offsetTop - 64
  }, [rows])

  if (day === null)
    return (
      <section className={classes.root} aria-label={texts.hours}>
        <p className={classes.hint}>{texts.pickDate}</p>
      </section>
    )
  const date = formatDateFr(`${day}T12:00:00Z`, 'UTC')
  return (
    <section className={classes.root} aria-label={texts.hours} aria-busy={query.isPending}>
      <h2 className={classes.title}>{texts.hoursOf(date)}</h2>
      {query.error && (
        <Message
          kind="error"
          action={<TextButton onClick={() => void query.refetch()}>{texts.retry}</TextButton>}
        >
          {genericErrorText(query.error)}
        </Message>
      )}
      {query.isPending && <div className={classes.skeleton} />}
      {query.isSuccess && rows.length === 0 && (
        <p className={classes.hint}>{closed ? DAY_OUTSIDE : texts.noHours}</p>
      )}
      {rows.length > 0 && (
        <>
          <DayStrip rows={rows} marks={marks} drag={drag} onPick={scrollTo} />
          <p className={classes.dragNote}>{texts.drag}</p>
          <div ref={table} className={classes.scroll}>
            <HourRows
              rows={rows}
              marks={marks}
              place={catchment !== null}
              scroll={table}
              drag={drag}
              first={inView}
              onChoose={onHour}
            />
          </div>
        </>
      )}
    </section>
  )
}
