import { formatNumberFr } from '@radx/locale/format-fr'
import { useColorScheme } from '../../app/color-scheme.ts'
import { qualityTexts as texts } from '../../texts/quality-of-rain.ts'
import { QUALITY_COLORS } from '../quality.ts'
import legend from './Legend.module.css'
import { LegendScale } from './LegendScale.tsx'

/** Quality in tenths, the best on top. */
export default function QualityLegend() {
  const colors = QUALITY_COLORS[useColorScheme()]
  return (
    <section className={legend.root} aria-label={texts.legend}>
      <p className={legend.title}>{texts.title}</p>
      <LegendScale
        classes={colors.map((color, k) => ({ color, label: formatNumberFr((k + 1) / colors.length, 1) }))}
      />
      <p className={legend.noData}>
        <span className={legend.hatch} /> {texts.unknown}
      </p>
    </section>
  )
}
