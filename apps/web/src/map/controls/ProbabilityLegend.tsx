import { formatNumberFr } from '@radx/locale/format-fr'
import { useColorScheme } from '../../app/color-scheme.ts'
import { futureTexts as texts } from '../../texts/future.ts'
import { mapTexts } from '../../texts/map.ts'
import { PROBABILITY_COLORS } from '../probability.ts'
import legend from './Legend.module.css'
import { LegendScale } from './LegendScale.tsx'

/** Probabilities in tenths, the highest on top, and of what. */
export default function ProbabilityLegend({ above }: { above: number }) {
  const colors = PROBABILITY_COLORS[useColorScheme()]
  const what = texts.views.chance(formatNumberFr(above, 1, true))
  return (
    <section className={legend.root} aria-label={what}>
      <p className={legend.title}>
        <span className={legend.words}>{texts.legend} </span>
        <span className="rx-unit">{texts.above(formatNumberFr(above, 1, true))}</span>
      </p>
      <LegendScale classes={colors.map((color, k) => ({ color, label: texts.percent((k + 1) * 10) }))} />
      <p className={legend.noData}>
        <span className={legend.hatch} /> {mapTexts.legendNoData}
      </p>
    </section>
  )
}
