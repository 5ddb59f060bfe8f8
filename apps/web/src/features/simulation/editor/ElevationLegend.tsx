import { PALETTES } from '@radx/charts/palettes'
import { editorTexts as texts } from '../../../texts/simulation.ts'
import classes from './GridEditor.module.css'

const STOPS = 12

/** Viridis between the ends, which are multiples of 5 m. */
export function ElevationLegend({ low, high }: { low: number; high: number }) {
  const colors = Array.from({ length: STOPS + 1 }, (_, k) => PALETTES.viridis(k / STOPS))
  const middle = Math.round((low + high) / 10) * 5
  return (
    <figure className={classes.legend}>
      <figcaption>{texts.elevationLegend}</figcaption>
      <span style={{ background: `linear-gradient(to right, ${colors.join(', ')})` }} />
      <p>
        <span>{low}</span>
        {middle !== low && middle !== high && <span>{middle}</span>}
        <span>{high}</span>
      </p>
    </figure>
  )
}
