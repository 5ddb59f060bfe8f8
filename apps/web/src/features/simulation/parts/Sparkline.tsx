import { detailTexts } from '../../../texts/simulation.ts'
import classes from './Sparkline.module.css'

const WIDTH = 120
const HEIGHT = 32

/** Rain over the whole duration as bars; nothing while it is unknown. Thinned: its largest value is no maximum. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const top = Math.max(...values, 0)
  if (top <= 0) return <span className={classes.root} aria-hidden />
  const step = WIDTH / values.length
  return (
    <svg
      className={classes.root}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={detailTexts.rain.curve}
    >
      <path
        d={values
          .map((value, k) => {
            const height = (value / top) * HEIGHT
            return height > 0
              ? `M${(k * step).toFixed(2)} ${HEIGHT}v${(-height).toFixed(2)}h${(step * 0.82).toFixed(2)}v${height.toFixed(2)}z`
              : ''
          })
          .join('')}
      />
    </svg>
  )
}
