import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import type { HourRow } from '@radx/contracts/radar'
import { intensityClass } from '@radx/rainfall/classes'
import { useRef } from 'react'
import classes from './HoursTable.module.css'
import type { HourMark } from './selection.ts'
import type { RangeDrag } from './useRangeDrag.ts'

const WIDTH = 480
const HEIGHT = 40
/** A click may slip by this, px: an image is hardly a pixel wide. */
const SLIP_PX = 5

interface Props {
  rows: readonly HourRow[]
  marks: readonly HourMark[]
  drag: RangeDrag
  onPick: (index: number) => void
}

/** The day's rain at a glance, above its table: a click brings that time into view, dragging chooses a stretch. */
export function DayStrip({ rows, marks, drag, onPick }: Props) {
  const pressedX = useRef(0)
  const first = Date.parse(rows[0].datetime)
  const span = Math.max(1, Date.parse(rows[rows.length - 1].datetime) - first)
  const x = (row: HourRow) => ((Date.parse(row.datetime) - first) / span) * (WIDTH - 2)
  const top = Math.max(1, ...rows.map((row) => row.nonzerosmean ?? 0))
  const indexAt = ({ currentTarget, clientX }: { currentTarget: Element; clientX: number }) => {
    const box = currentTarget.getBoundingClientRect()
    return nearestRow(rows, first + ((clientX - box.left) / box.width) * span)
  }
  const chosen = rows.filter(
    (_, i) => marks[i] === 'markerStart' || marks[i] === 'markerEnd' || marks[i] === 'selected',
  )
  return (
    <svg
      className={classes.strip}
      data-testid="day-strip"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        pressedX.current = event.clientX
        drag.begin(indexAt(event))
      }}
      onPointerMove={(event) => {
        if (Math.abs(event.clientX - pressedX.current) > SLIP_PX) drag.over(indexAt(event))
      }}
      onClick={(event) => onPick(indexAt(event))}
    >
      {chosen.length > 0 && (
        <rect
          className={classes.stripChosen}
          x={x(chosen[0])}
          width={Math.max(3, x(chosen[chosen.length - 1]) - x(chosen[0]) + 2)}
          height={HEIGHT}
        />
      )}
      {rows.map((row) => {
        const rate = row.nonzerosmean ?? 0
        const code = intensityClass(rate)
        const height = Math.max(1, (rate / top) * (HEIGHT - 4))
        return (
          <rect
            key={row.datetime}
            x={x(row)}
            y={HEIGHT - height}
            width={Math.max(1, (WIDTH / Math.max(rows.length, 100)) * 0.8)}
            height={height}
            fill={code > 0 ? INTENSITY_CLASSES[code - 1].color : 'var(--rx-line)'}
          />
        )
      })}
    </svg>
  )
}

function nearestRow(rows: readonly HourRow[], atMs: number): number {
  const away = (k: number) => Math.abs(Date.parse(rows[k].datetime) - atMs)
  return rows.reduce((near, _, k) => (away(k) < away(near) ? k : near), 0)
}
