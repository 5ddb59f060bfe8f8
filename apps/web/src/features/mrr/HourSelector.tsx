import { PALETTES } from '@radx/charts/palettes'
import type { MrrBin } from '@radx/contracts/mrr'
import { MRR, type MrrPalette } from '@radx/contracts/mrr-constants'
import { formatDateFr, formatNumberFr } from '@radx/locale/format-fr'
import { LOCALE } from '@radx/locale/language'
import { civilDayRange } from '@radx/locale/time'
import { type KeyboardEvent, memo, useMemo } from 'react'
import { useSite } from '../../app/site.ts'
import { mrrTexts as texts } from '../../texts/mrr.ts'
import { DAY_OUTSIDE } from '../../texts/restriction.ts'
import { Message } from '../../ui/Message.tsx'
import { SeriesTable } from '../../ui/SeriesTable.tsx'
import classes from './HourSelector.module.css'
import { WINDOW_MS } from './records.ts'

interface Props {
  day: string
  bins: readonly MrrBin[]
  /** The account may see nothing of the day. */
  closed: boolean
  /** Start of the hour that is explored. */
  hour: string | null
  palette: MrrPalette
  threshold: number
  onSelect: (instant: string) => void
}

const BIN_MS = MRR.binMinutes * 60_000
/** A day of 25 hours. */
const MAX_BINS = (25 * 60) / MRR.binMinutes
const SIZE = { width: 1000, height: 120, bottom: 20 }

/** Five-minute maxima of a day: a click, or the arrow keys, set hour and minute of the hour to explore. */
export function HourSelector({ day, bins, closed, hour, palette, threshold, onSelect }: Props) {
  const { timeZone, civilZone } = useSite()
  const { startMs, endMs } = useMemo(() => civilDayRange(day, civilZone), [day, civilZone])
  const chosen = hour === null ? null : Date.parse(hour)
  const x = (ms: number) => ((ms - startMs) / (endMs - startMs)) * SIZE.width
  const high = SIZE.height - SIZE.bottom
  const top = Math.max(threshold, ...bins.map((bin) => bin.maxValue))
  const pick = (ms: number) => {
    const snapped = startMs + Math.floor((ms - startMs) / BIN_MS) * BIN_MS
    onSelect(new Date(Math.min(endMs - BIN_MS, Math.max(startMs, snapped))).toISOString())
  }
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -12, PageDown: 12 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    pick((chosen ?? Date.parse(bins[0]?.datetime ?? new Date(startMs).toISOString())) + by * BIN_MS)
  }
  const clock = (ms: number) =>
    new Intl.DateTimeFormat(LOCALE, { timeZone, hour: '2-digit', minute: '2-digit' }).format(ms)
  const title = texts.hours.title(formatDateFr(startMs, civilZone))
  if (bins.length === 0)
    return (
      <>
        <h2>{title}</h2>
        <p className={classes.hint}>{closed ? DAY_OUTSIDE : texts.hours.none}</p>
      </>
    )
  return (
    <>
      <h2>{title}</h2>
      {bins.every(({ maxValue }) => maxValue === 0) && <Message kind="nfo">{texts.hours.dry}</Message>}
      <p className={classes.hint}>{texts.hours.pick}</p>
      <div
        className={classes.root}
        role="slider"
        tabIndex={0}
        aria-label={texts.hours.label}
        aria-valuemin={0}
        aria-valuemax={(endMs - startMs) / BIN_MS - 1}
        aria-valuenow={chosen === null ? 0 : Math.round((chosen - startMs) / BIN_MS)}
        aria-valuetext={chosen === null ? undefined : clock(chosen)}
        data-testid="mrr-hours"
        onKeyDown={onKey}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          pick(startMs + ((event.clientX - box.left) / box.width) * (endMs - startMs))
        }}
      >
        <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} preserveAspectRatio="none" aria-hidden="true">
          {chosen !== null && (
            <rect
              className={classes.window}
              x={x(chosen)}
              y={0}
              width={x(startMs + WINDOW_MS)}
              height={high}
            />
          )}
          {bins.map(({ datetime, time, maxValue }) => {
            const height = Math.max(1.5, (maxValue / top) * (high - 4))
            const left = x(Date.parse(datetime))
            return (
              <rect
                key={datetime}
                x={left + 0.3}
                y={high - height}
                width={x(startMs + BIN_MS) - 0.6}
                height={height}
                // The lowest colour of a palette is lost on a dark page, and a dry measure would look like none.
                fill={maxValue > 0 ? PALETTES[palette](Math.min(1, maxValue / threshold)) : 'var(--rx-dim)'}
              >
                <title>{`${time} : ${formatNumberFr(maxValue, 2)} g/m³`}</title>
              </rect>
            )
          })}
          <line className={classes.axis} x1={0} x2={SIZE.width} y1={high} y2={high} />
        </svg>
        <div className={classes.ticks} aria-hidden="true">
          {Array.from({ length: 9 }, (_, k) => (
            <span key={k}>{clock(startMs + (k / 8) * (endMs - startMs))}</span>
          ))}
        </div>
      </div>
      <Bins bins={bins} title={title} />
    </>
  )
}

/** The bars as a table: what is inside a slider is not read. */
const Bins = memo(({ bins, title }: { bins: readonly MrrBin[]; title: string }) => (
  <div className="rx-visually-hidden">
    <SeriesTable
      caption={title}
      head={[texts.hours.time, texts.hours.most]}
      count={bins.length}
      most={MAX_BINS}
      row={(k) => [bins[k].time, formatNumberFr(bins[k].maxValue, 2)]}
    />
  </div>
))
