import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import { mapTexts } from '../../texts/map.ts'
import classes from './Legend.module.css'
import { LegendScale } from './LegendScale.tsx'

const CLASSES = INTENSITY_CLASSES.map(({ color, labelFr: label }) => ({ color, label }))

/** Thresholds of the intensity classes, the strongest on top. */
export function IntensityLegend() {
  return (
    <section className={classes.root} aria-label={`${mapTexts.legendTitle} (${mapTexts.legendUnit})`}>
      <p className={classes.title}>
        <span className={classes.words}>{mapTexts.legendTitle} </span>
        <span className="rx-unit">{mapTexts.legendUnit}</span>
      </p>
      <LegendScale classes={CLASSES} />
      <p className={classes.noData}>
        <span className={classes.hatch} /> {mapTexts.legendNoData}
      </p>
    </section>
  )
}
