import { formatNumberFr } from '@radx/locale/format-fr'
import type { CSSProperties } from 'react'
import legend from '../../map/controls/Legend.module.css'
import { LegendScale } from '../../map/controls/LegendScale.tsx'
import classes from './ScaleLegend.module.css'
import { bytesOf, type Scale, unitText } from './scales.ts'

/** Colours of a field with what they mean. */
export function ScaleLegend({ scale, unit }: { scale: Scale; unit: string }) {
  const title = unitText(unit)
  return (
    <div className={`${legend.root} ${classes.root}`} data-testid="sweep-legend">
      {title !== '' && <p className={legend.title}>{title}</p>}
      {scale.kind === 'classes' ? <LegendScale classes={scale.classes} /> : <Bar {...scale} />}
    </div>
  )
}

const STOPS = 16

function Bar({ low, high, palette, ticks, decimals }: Extract<Scale, { kind: 'range' }>) {
  const bytes = bytesOf(palette)
  const stops = Array.from({ length: STOPS + 1 }, (_, k) => {
    const at = 4 * Math.round((k / STOPS) * 255)
    return `rgb(${bytes[at]} ${bytes[at + 1]} ${bytes[at + 2]})`
  })
  return (
    <div className={classes.bar}>
      <div className={classes.colors} style={{ '--colors': stops.join(', ') } as CSSProperties} />
      <div className={classes.ticks}>
        {ticks.map((tick) => (
          <span key={tick} style={{ '--at': `${((tick - low) / (high - low)) * 100}%` } as CSSProperties}>
            {formatNumberFr(tick, decimals)}
          </span>
        ))}
      </div>
    </div>
  )
}
