import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import type { HourRow } from '@radx/contracts/radar'
import { formatDateFr, formatNumberFr } from '@radx/locale/format-fr'
import { intensityClass } from '@radx/rainfall/classes'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { genericErrorText } from '../app/api/errors.ts'
import { selectionTexts as texts } from '../texts/selection.ts'
import { Message } from '../ui/Message.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { hoursQuery } from './api.ts'
import { DayStrip } from './DayStrip.tsx'
import classes from './HoursTable.module.css'
import { type HourMark, markHour, type Selection } from './selection.ts'

interface Props {
  selection: Selection
  /** Instants between which the account may choose; null is open. */
  allowed: { from: string | null; to: string | null }
  onHour: (instant: string) => void
}

const NO_ROWS: HourRow[] = []

/** The images of the active day; a click chooses the start, the next one the end. */
export function HoursTable({ selection, allowed, onHour }: Props) {
  const { activeDay: day, selectedProduct, catchment, subcatchment } = selection
  const query = useQuery(hoursQuery(selectedProduct, day, { catchment, subcatchment }))
  const rows = query.data ?? NO_ROWS
  const marks = useMemo(
    () => rows.map(({ datetime }) => markHour(selection, datetime, allowed)),
    [rows, selection, allowed],
  )
  const table = useRef<HTMLDivElement>(null)
  const scrollTo = (index: number) =>
    table.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'center' })

  // What is chosen, or else the first rain, should be in view when a day opens.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new day scrolls
  useEffect(() => {
    if (rows.length === 0) return
    const marked = marks.findLastIndex((mark) => mark === 'markerStart' || mark === 'markerEnd')
    const wet = rows.findIndex((row) => (row.nonzerosmean ?? 0) >= 0.4)
    const body = table.current
    const row = body?.querySelector<HTMLElement>(`[data-index="${Math.max(0, marked >= 0 ? marked : wet)}"]`)
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
      {query.isSuccess && rows.length === 0 && <p className={classes.hint}>{texts.noHours}</p>}
      {rows.length > 0 && (
        <>
          <DayStrip rows={rows} marks={marks} onPick={scrollTo} />
          <div ref={table} className={classes.scroll}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">{texts.columns.time}</th>
                  <th scope="col">
                    {texts.columns.rain} <span className="rx-unit">mm/h</span>
                  </th>
                  <th scope="col">
                    {texts.columns.coverage} <span className="rx-unit">%</span>
                  </th>
                  {catchment !== null && (
                    <th scope="col">
                      {texts.columns.catchment} <span className="rx-unit">mm/h</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {rows.map((row, index) => (
                  <Row
                    key={row.datetime}
                    row={row}
                    index={index}
                    mark={marks[index]}
                    place={catchment !== null}
                    newHour={
                      index === 0 || row.localtime.slice(0, 2) !== rows[index - 1].localtime.slice(0, 2)
                    }
                    onChoose={onHour}
                  />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  )
}

interface RowProps {
  row: HourRow
  index: number
  mark: HourMark
  place: boolean
  newHour: boolean
  onChoose: (instant: string) => void
}

function Row({ row, index, mark, place, newHour, onChoose }: RowProps) {
  const code = row.nonzerosmean === null ? 0 : intensityClass(row.nonzerosmean)
  const unselectable = mark === 'unselectable'
  return (
    <tr
      className={classes.row}
      data-index={index}
      data-mark={mark ?? undefined}
      data-hour={newHour || undefined}
      onClick={() => !unselectable && onChoose(row.datetime)}
    >
      <td>
        <button
          type="button"
          disabled={unselectable}
          data-datetime={row.datetime}
          aria-pressed={mark === 'markerStart' || mark === 'markerEnd'}
          onClick={(event) => {
            event.stopPropagation()
            onChoose(row.datetime)
          }}
        >
          {row.localtime}
        </button>
        {(mark === 'markerStart' || mark === 'markerEnd') && (
          <span className={classes.marker}>{texts.markers[mark]}</span>
        )}
      </td>
      <td>
        <span
          className={classes.swatch}
          style={code > 0 ? { background: INTENSITY_CLASSES[code - 1].color } : undefined}
        />
        {formatNumberFr(row.nonzerosmean, 2)}
      </td>
      <td>{formatNumberFr(row.nonzerospc, 1)}</td>
      {place && <td>{formatNumberFr(row.catchment?.mean, 2)}</td>}
    </tr>
  )
}
