import { formatQuantityFr } from '@radx/locale/format-fr'
import { rainTexts as texts } from '../../../../texts/simulation.ts'
import { RainCurve } from '../../parts/RainCurve.tsx'
import classes from './VirtualRain.module.css'

/** A virtual rain as it will fall, one value a minute in mm/h; `empty` says what is missing. */
export function RainPreview({ rateMmH, empty }: { rateMmH: readonly number[]; empty: string }) {
  const depthMm = rateMmH.reduce((sum, rate) => sum + rate / 60, 0)
  return (
    <div className={classes.curve}>
      {rateMmH.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <>
          <RainCurve rateMmH={rateMmH} />
          <dl className={classes.facts}>
            <div>
              <dt>{texts.depth}</dt>
              <dd>{formatQuantityFr(depthMm, 'mm', 1)}</dd>
            </div>
            <div>
              <dt>{texts.duration}</dt>
              <dd>{formatQuantityFr(rateMmH.length, 'min')}</dd>
            </div>
          </dl>
        </>
      )}
    </div>
  )
}
