import type { ReactNode } from 'react'
import classes from './figures.module.css'

/** Line drawings of the instruments; what each one senses is in the accent. */

function Figure({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 200 160" aria-hidden className={classes.wide}>
      <g className={classes.body}>{children}</g>
    </svg>
  )
}

function RadarFigure() {
  return (
    <Figure>
      <path d="M118 70 188 22 194 62Z" className={classes.soft} />
      <path
        d="M136 68a24 24 0 0 0-6-12M152 64a40 40 0 0 0-10-19M168 60a56 56 0 0 0-14-26"
        className={classes.hot}
      />
      <path d="M64 138 74 104H102L112 138M68 122H108M74 104 108 122M102 104 68 122" />
      <path d="M52 138H124" />
      <path d="M80 104V94H96V104" />
      <path d="M66 80A30 30 0 0 1 92 34L112 88A30 30 0 0 1 66 80Z" className={classes.solid} />
      <path d="M92 34 112 88" />
      <path d="M100 58 116 66 108 78" />
      <circle cx="117" cy="67" r="3" className={classes.fill} />
    </Figure>
  )
}

function MrrFigure() {
  const gates = [18, 34, 50, 66]
  return (
    <Figure>
      <path d="M70 84 52 8H148L130 84Z" className={classes.soft} />
      {gates.map((y) => (
        <path
          key={y}
          d={`M${70 - (84 - y) * 0.237} ${y}H${130 + (84 - y) * 0.237}`}
          className={classes.hot}
          strokeOpacity="0.5"
        />
      ))}
      <path
        d="M84 14v8M112 24v9M98 40v10M76 46v7M122 50v10M92 62v8M110 68v8"
        className={classes.hot}
        strokeWidth="2.25"
      />
      <path d="M64 92A37 14 0 0 0 136 92Z" className={classes.solid} />
      <path d="M64 92H136" />
      <path d="M100 92V78M96 78H104" />
      <path d="M100 106V124M86 124H114V138H86ZM72 138H128" />
    </Figure>
  )
}

function DisdrometerFigure() {
  return (
    <Figure>
      <path d="M64 54H136V66H64Z" className={classes.soft} />
      <path d="M64 54H136M64 66H136" className={classes.hot} strokeDasharray="2 4" />
      <path d="M84 20v10M104 10v12M120 26v9M94 38v8M112 44v7" className={classes.hot} strokeWidth="2" />
      <ellipse cx="90" cy="60" rx="4.500" ry="4" className={classes.fill} />
      <ellipse cx="110" cy="61" rx="6" ry="4.800" className={classes.fill} />
      <path d="M88 78v8M112 82v10M100 92v6" className={classes.hot} strokeWidth="2" />
      <path d="M40 42H64V78H40ZM136 42H160V78H136Z" className={classes.solid} />
      <path d="M52 78V104H148V78M100 104V138M76 138H124" />
    </Figure>
  )
}

function StationFigure() {
  return (
    <Figure>
      <path d="M100 138V30M80 138H120" />
      <path d="M70 30H130" />
      <path d="M70 30V22M70 22a9 9 0 1 0-9 7M70 22a9 9 0 1 1 8 9" className={classes.hot} />
      <circle cx="59" cy="21" r="5" className={classes.fill} />
      <circle cx="81" cy="21" r="5" className={classes.fill} />
      <path d="M130 30V20M112 20H146M146 20l-8-5v10ZM112 14v12l8-6Z" className={classes.hot} />
      <path
        d="M84 58H116M82 66H118M82 74H118M82 82H118M84 90H116M88 58V90M112 58V90"
        className={classes.solid}
      />
      <path d="M82 104H118V122H82Z" className={classes.solid} />
      <path d="M88 116v-6M94 116v-4M100 116v-8M106 116v-5M112 116v-7" className={classes.hot} />
    </Figure>
  )
}

function AnemometerFigure() {
  return (
    <Figure>
      <path d="M100 138V96M80 138H120M92 96H108V106H92Z" />
      <path d="M100 96C70 92 62 74 66 54M100 96C130 92 138 74 134 54M100 96V84" />
      <path d="M100 20C70 22 62 32 66 44M100 20C130 22 138 32 134 44M100 20V30" />
      <path d="M70 50 130 74M130 50 70 74M100 34V80" className={classes.hot} strokeDasharray="3 4" />
      {[
        [68, 49],
        [132, 49],
        [68, 75],
        [132, 75],
        [100, 32],
        [100, 82],
      ].map(([x, y]) => (
        <circle key={`${x}-${y}`} cx={x} cy={y} r="4.500" className={classes.fill} />
      ))}
      <path d="M20 54H48M40 48l8 6-8 6M24 70H46" className={classes.hot} strokeOpacity="0.6" />
      <path d="M164 78V50M158 57l6-7 6 7" className={classes.hot} strokeOpacity="0.6" />
    </Figure>
  )
}

export const INSTRUMENT_FIGURES = {
  radar: RadarFigure,
  mrr: MrrFigure,
  disdrometer: DisdrometerFigure,
  station: StationFigure,
  anemometer: AnemometerFigure,
}
