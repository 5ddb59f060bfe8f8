import { presentationTexts } from '../../texts/about.ts'
import classes from './figures.module.css'

const labels = presentationTexts.figures.beamLabels
/** Scattered evenly (two irrational steps), clear of the height arrow and of its label. */
const RAIN = Array.from({ length: 44 }, (_, i) => ({
  x: 454 + Math.round(((i * 0.754878) % 1) * 110),
  y: 98 + Math.round(((i * 0.56984) % 1) * 116),
})).filter(({ x, y }) => Math.abs(x - 496) > 10 && (x < 496 || y < 158 || y > 192))

/** Antenna, widening beam, the volume that one pulse fills, and the rain below it. */
export function BeamFigure() {
  return (
    <svg
      viewBox="0 0 720 260"
      role="img"
      aria-label={presentationTexts.figures.beam}
      className={classes.wide}
    >
      <defs>
        <linearGradient id="beam-fade" x1="0" x2="1">
          <stop offset="0" stopColor="var(--rx-accent)" stopOpacity="0.34" />
          <stop offset="1" stopColor="var(--rx-accent)" stopOpacity="0.04" />
        </linearGradient>
      </defs>
      <path d="M84 168 704 28 704 110 84 172Z" fill="url(#beam-fade)" />
      <path d="M84 168 704 28M84 172 704 110" className={classes.thin} />

      <path
        d="M400 92c-16-2-22-22-8-30 0-20 28-28 40-14 10-18 44-18 52 2 18-8 38 2 36 20 16 4 14 22-2 24Z"
        className={classes.cloud}
        transform="translate(24 -14) scale(1.06)"
      />
      {RAIN.map(({ x, y }) => (
        <path key={`${x}-${y}`} d={`M${x} ${y}l-3 12`} className={classes.rain} />
      ))}

      <path d="M466 82 496 75 496 130 466 133Z" className={classes.volume} />
      <path d="M496 138v92" className={classes.dash} />
      <path d="M490 146l6-8 6 8M490 222l6 8 6-8" className={classes.thin} />

      <path d="M250 116c14 6 22 26 12 42M280 104c20 8 30 34 16 56" className={classes.echo} />

      <path d="M0 232C120 226 200 236 330 230s260 6 390-2" className={classes.ground} />
      <g className={classes.body}>
        <path d="M74 230 80 186H88L94 230M77 210H91" />
        <path d="M66 176a22 22 0 0 1 14-30l20 40a22 22 0 0 1-34-10Z" className={classes.solid} />
        <path d="M90 166 106 160" />
      </g>
      <g className={classes.houses}>
        <path d="M560 230v-22l12-10 12 10v22M592 229v-34h22v34M624 229v-18l10-8 10 8v18" />
      </g>

      <path d="M444 182 468 138" className={classes.leader} />
      <g className={classes.text}>
        <text x="84" y="253" textAnchor="middle">
          {labels.radar}
        </text>
        <text x="692" y="22" textAnchor="end" transform="rotate(-12.7 692 22)">
          {labels.beam}
        </text>
        <text x="440" y="196" textAnchor="end">
          {labels.volume}
        </text>
        <text x="262" y="92" textAnchor="middle">
          {labels.echo}
        </text>
        <text x="508" y="186">
          {labels.height}
        </text>
        <text x="505" y="253" textAnchor="middle">
          {labels.ground}
        </text>
      </g>
    </svg>
  )
}
