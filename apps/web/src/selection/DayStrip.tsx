import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import type { HourRow } from '@radx/contracts/radar'
import { intensityClass } from '@radx/rainfall/classes'
import classes from './HoursTable.module.css'
import type { HourMark } from './selection.ts'

const WIDTH = 480
const HEIGHT = 40

interface Props {
  rows: readonly HourRow[]
  marks: readonly HourMark[]
  onPick: (index: number) => void
}

/** The day's rain at a glance, above its table; a click brings that time into view. */
export function DayStrip({ rows, marks, onPick }: Props) {
  const first = Date.parse(rows[0].datetime)
  const span = Math.max(1, Date.parse(rows[rows.length - 1].datetime) - first)
  const x = (row: HourRow) => ((Date.parse(row.datetime) - first) / span) * (WIDTH - 2)
  const top = Math.max(1, ...rows.map((row) => row.nonzerosmean ?? 0))
  const chosen = rows.filter(
    (_, i) => marks[i] === 'markerStart' || marks[i] === 'markerEnd' || marks[i] === 'selected',
  )
  return (
    <svg
      className={classes.strip}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect()
        const at = first + ((event.clientX - box.left) / box.width) * span
        onPick(
          rows.reduce(
            (near, row, i) =>
              Math.abs(Date.parse(row.datetime) - at) < Math.abs(Date.parse(rows[near].datetime) - at)
                ? i
                : near,
            0,
          ),
        )
      }}
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
