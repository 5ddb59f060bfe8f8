import { formatNumberFr } from '@radx/locale/format-fr'
import { townTexts as texts } from '../texts/town.ts'
import classes from './WaterLegend.module.css'
import type { WaterClass } from './water-classes.ts'

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
            {toCm === null
              ? texts.from(formatNumberFr(fromCm, 0))
              : texts.between(formatNumberFr(fromCm, 0), formatNumberFr(toCm, 0))}
          </li>
        ))}
      </ul>
    </figure>
  )
}
