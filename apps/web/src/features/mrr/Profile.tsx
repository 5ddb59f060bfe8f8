import { formatNumberFr } from '@radx/locale/format-fr'
import { mrrTexts as texts } from '../../texts/mrr.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import classes from './HourExplorer.module.css'
import { type Hour, heightOf, type Melting } from './records.ts'

interface Props {
  hour: Hour
  frame: number
  range: [number, number]
  /** What is measured. */
  title: string
  unit: string
  melting: Melting | null
}

/** Left of the curve stand the heights; the picture's box and this one's are as high as each other. */
const SIZE = { width: 240, height: 388, bottom: 28, left: 40 }

/** The vertical profile of the chosen instant; the line breaks where nothing was seen. */
export function Profile({ hour, frame, range: [low, high], title, unit, melting }: Props) {
  const top = heightOf(hour, hour.gates - 1)
  const x = (value: number) =>
    Math.min(1, Math.max(0, (value - low) / (high - low))) * (SIZE.width - SIZE.left - 8) + SIZE.left + 4
  const y = (m: number) => (1 - m / top) * (SIZE.height - SIZE.bottom)
  const points = Array.from({ length: hour.gates }, (_, gate) => ({
    value: hour.values[frame * hour.gates + gate],
    height: heightOf(hour, gate),
  }))
  let path = ''
  let open = false
  for (const { value, height } of points) {
    if (Number.isNaN(value)) {
      open = false
      continue
    }
    path += `${open ? 'L' : 'M'}${x(value).toFixed(1)} ${y(height).toFixed(1)}`
    open = true
  }
  const ticks = [low, (low + high) / 2, high]
  const seen = points.filter(({ value }) => !Number.isNaN(value) && value > low)
  return (
    <figure className={classes.profile}>
      <svg
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.explorer.profile}
      >
        {melting && (
          <rect
            className={classes.melting}
            x={SIZE.left}
            width={SIZE.width - SIZE.left}
            y={y(melting.topM)}
            height={y(melting.bottomM) - y(melting.topM)}
          />
        )}
        {[0, 1000, 2000, 3000, 4000, 5000, 6000]
          .filter((m) => m < top)
          .map((m) => (
            <g key={m}>
              <line className={classes.gridLine} x1={SIZE.left} x2={SIZE.width} y1={y(m)} y2={y(m)} />
              <text x={SIZE.left - 6} y={y(m) + 4} textAnchor="end" data-height={m}>
                {formatNumberFr(m, 0)}
              </text>
            </g>
          ))}
        <path className={classes.line} d={path} />
        {ticks.map((value, i) => (
          <text
            key={value}
            x={x(value)}
            y={SIZE.height - 8}
            textAnchor={['start', 'middle', 'end'][i] as 'start'}
          >
            {formatNumberFr(value, 2, true)}
          </text>
        ))}
      </svg>
      <figcaption className={classes.caption}>
        {texts.explorer.profile} (<span className="rx-unit">{unit}</span>)
      </figcaption>
      <div className="rx-visually-hidden" data-testid="mrr-profile-table">
        <DataTable
          caption={texts.explorer.profile}
          head={[texts.explorer.height, `${title} (${unit})`]}
          rows={seen.map(({ value, height }) => [formatNumberFr(height, 0), formatNumberFr(value, 2)])}
        />
      </div>
    </figure>
  )
}
