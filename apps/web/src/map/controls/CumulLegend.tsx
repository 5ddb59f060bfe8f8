import { CUMUL_CLASS_BOUNDS_MM, CUMUL_CLASS_COLORS, CUMUL_CLASS_COLORS_DARK } from '@radx/contracts/constants'
import { useColorScheme } from '../../app/color-scheme.ts'
import { useSite } from '../../app/site.ts'
import { periodText } from '../../selection/sentence.ts'
import { mapTexts } from '../../texts/map.ts'
import classes from './Legend.module.css'
import { LegendScale } from './LegendScale.tsx'

const LABELS = [...CUMUL_CLASS_BOUNDS_MM.map((bound) => `<${bound}`), `>=${CUMUL_CLASS_BOUNDS_MM.at(-1)}`]

/** Thresholds of the accumulation classes, the deepest on top, and the period that they are summed over. */
export function CumulLegend({ s, e }: { s: string; e: string }) {
  const { timeZone } = useSite()
  const colors = useColorScheme() === 'dark' ? CUMUL_CLASS_COLORS_DARK : CUMUL_CLASS_COLORS
  return (
    <section className={classes.root} aria-label={`${mapTexts.cumulTitle} (${mapTexts.cumulUnit})`}>
      <p className={classes.title}>
        <span className={classes.words}>{mapTexts.cumulTitle} </span>
        <span className="rx-unit">{mapTexts.cumulUnit}</span>
      </p>
      <p className={classes.period}>{periodText(s, e, timeZone)}</p>
      <LegendScale classes={LABELS.map((label, row) => ({ label, color: colors[row] }))} />
      <p className={classes.noData}>
        <span className={classes.hatch} /> {mapTexts.legendNoData}
      </p>
    </section>
  )
}
