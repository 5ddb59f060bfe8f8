import { CUMUL_CLASS_BOUNDS_MM, CUMUL_CLASS_COLORS } from '@radx/contracts/constants'
import { mapTexts } from '../../texts/map.ts'
import classes from './Legend.module.css'

const LABELS = [...CUMUL_CLASS_BOUNDS_MM.map((bound) => `<${bound}`), `>=${CUMUL_CLASS_BOUNDS_MM.at(-1)}`]

/** Thresholds of the accumulation classes, the deepest on top. */
export function CumulLegend() {
  return (
    <section className={classes.root} aria-label={`${mapTexts.cumulTitle} (${mapTexts.cumulUnit})`}>
      <p className={classes.title}>
        {mapTexts.cumulTitle} <span className="rx-unit">{mapTexts.cumulUnit}</span>
      </p>
      <ol className={classes.scale}>
        {LABELS.map((label, row) => ({ label, color: CUMUL_CLASS_COLORS[row] }))
          .reverse()
          .map(({ label, color }) => (
            <li key={label}>
              <span className={classes.swatch} style={{ background: color }} />
              {label}
            </li>
          ))}
      </ol>
      <p className={classes.noData}>
        <span className={classes.hatch} /> {mapTexts.legendNoData}
      </p>
    </section>
  )
}
