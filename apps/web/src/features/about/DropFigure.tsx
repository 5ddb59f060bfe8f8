import { LOCALE } from '@radx/locale/language'
import { presentationTexts } from '../../texts/about.ts'
import classes from './figures.module.css'

const DIAMETERS_MM = [1, 2, 3, 4, 5, 6]
const PX_PER_MM = 13

/** Equilibrium axis ratio of a falling drop (Pruppacher and Beard, 1970); D in mm, for 1 to 9 mm. */
const axisRatio = (diameterMm: number) => Math.min(1, 1.03 - 0.062 * diameterMm)

/** Drops of 1 to 6 mm of equal-volume diameter, to scale among themselves. */
export function DropFigure() {
  return (
    <svg
      viewBox="0 0 720 172"
      role="img"
      aria-label={presentationTexts.figures.drops}
      className={classes.wide}
    >
      {DIAMETERS_MM.map((diameter, i) => {
        const ratio = axisRatio(diameter)
        // Of a spheroid of the same volume: a² b = (D/2)³, b = ratio · a.
        const a = (diameter / 2) * ratio ** (-1 / 3) * PX_PER_MM
        const b = a * ratio
        const x = 70 + i * 116
        return (
          <g key={diameter}>
            <ellipse cx={x} cy={72} rx={a} ry={b} className={classes.drop} />
            <path d={`M${x - a} 72h${2 * a}`} className={classes.axisH} />
            <path d={`M${x} ${72 - b}v${2 * b}`} className={classes.axisV} />
            <g className={classes.text} textAnchor="middle">
              <text x={x} y={138}>{`${diameter} mm`}</text>
              <text x={x} y={160} className={classes.small}>
                {`V/H ${ratio.toLocaleString(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`}
              </text>
            </g>
          </g>
        )
      })}
      <g className={classes.text}>
        <text x={70 + 5 * 116 + 52} y={77} className={classes.letterH}>
          H
        </text>
        <text x={70 + 5 * 116} y={30} textAnchor="middle" className={classes.letterV}>
          V
        </text>
      </g>
    </svg>
  )
}
