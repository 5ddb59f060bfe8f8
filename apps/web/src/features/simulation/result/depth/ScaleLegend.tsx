import { DEPTH_LEGEND_TICKS } from '@radx/contracts/flood-constants'
import { formatNumberFr } from '@radx/locale/format-fr'
import classes from './Depth.module.css'

interface Props {
  title: string
  low: number
  high: number
  /** Colour of a share from 0 to 1. */
  color: (share: number) => string
}

/** A colour scale with its eleven ticks, in cm. */
export function ScaleLegend({ title, low, high, color }: Props) {
  const shares = Array.from({ length: DEPTH_LEGEND_TICKS }, (_, k) => k / (DEPTH_LEGEND_TICKS - 1))
  const values = shares.map((share) => low + share * (high - low))
  const decimals = high - low >= 20 ? 0 : high - low >= 2 ? 1 : 2
  return (
    <figure className={classes.scale} aria-label={title} data-signed={low < 0}>
      <figcaption>{title}</figcaption>
      <div
        className={classes.ramp}
        style={{ background: `linear-gradient(to right, ${shares.map(color).join(', ')})` }}
        aria-hidden
      />
      <ol>
        {values.map((value, k) => (
          <li key={shares[k]} data-edge={k === 0 ? 'low' : k === values.length - 1 ? 'high' : undefined}>
            {formatNumberFr(value, decimals, true)}
          </li>
        ))}
      </ol>
    </figure>
  )
}
