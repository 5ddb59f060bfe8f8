import classes from './WaterLegend.module.css'
import type { WaterClass } from './water-classes.ts'
import { waterLabel } from './water-label.ts'

interface Props {
  /** What the colours say, and over which time. */
  title: string
  classes: readonly WaterClass[]
}

/** Classes of water with their colours, in cm. */
export function WaterLegend({ title, classes: water }: Props) {
  return (
    <figure className={classes.root} aria-label={title}>
      <figcaption>{title}</figcaption>
      <ul>
        {water.map(({ fromCm, toCm, color }) => (
          <li key={fromCm}>
            <span style={{ background: color }} aria-hidden />
            {waterLabel({ fromCm, toCm })}
          </li>
        ))}
      </ul>
    </figure>
  )
}
