import classes from './RadarFigure.module.css'

const GATES = 12
const BASE = 268
const TOP = 28
const half = (y: number) => 4 + ((BASE - y) / (BASE - TOP)) * 46
/** Drops of the figure: place in the beam (-1 to 1, 0 to 1), radius. */
const DROPS = [
  [-0.5, 0.12, 2],
  [0.4, 0.2, 3.5],
  [-0.1, 0.3, 2.5],
  [0.6, 0.42, 2],
  [-0.6, 0.5, 4],
  [0.2, 0.58, 3],
  [-0.3, 0.7, 2],
  [0.5, 0.78, 2.5],
  [-0.4, 0.88, 1.8],
  [0.1, 0.94, 1.8],
] as const
/** Liquid water of the figure's gates, from below. */
const PROFILE = [0.55, 0.6, 0.62, 0.68, 0.72, 0.8, 1, 0.5, 0.24, 0.12, 0.06, 0.02]

/** The radar, its beam, its gates, falling drops and the profile they add up to. */
export function RadarFigure({ step }: { step: number }) {
  const gateY = (i: number) => BASE - ((i + 1) / GATES) * (BASE - TOP)
  return (
    <svg className={classes.root} viewBox="0 0 360 300" data-step={step} role="img" aria-hidden="true">
      <line className={classes.ground} x1={0} x2={360} y1={286} y2={286} />
      <path
        className={classes.beam}
        d={`M116 ${BASE}L${120 - half(TOP)} ${TOP}H${120 + half(TOP)}L124 ${BASE}Z`}
      />
      {[0, 1, 2].map((k) => (
        <path
          key={k}
          className={classes.wave}
          style={{ animationDelay: `${k * 0.6}s` }}
          d="M104 262Q120 246 136 262"
        />
      ))}
      <g className={classes.gates}>
        {Array.from({ length: GATES - 1 }, (_, i) => (
          <line key={i} x1={120 - half(gateY(i))} x2={120 + half(gateY(i))} y1={gateY(i)} y2={gateY(i)} />
        ))}
        <text x={120 + half(TOP) + 8} y={TOP + 8}>
          {'4\u202f000\u00a0m'}
        </text>
        <text x={120 + half(gateY(0)) + 8} y={gateY(0) + 4}>
          35 m
        </text>
      </g>
      <g className={classes.drops}>
        {DROPS.map(([across, up, radius]) => {
          const y = BASE - up * (BASE - TOP)
          const x = 120 + across * half(y) * 0.8
          return (
            <g key={`${across} ${up}`} style={{ animationDuration: `${3.4 - radius * 0.5}s` }}>
              <circle cx={x} cy={y} r={radius} />
              <line x1={x} x2={x} y1={y + radius + 2} y2={y + radius + 2 + radius * 4} />
            </g>
          )
        })}
      </g>
      <g className={classes.profile}>
        <line x1={220} x2={220} y1={TOP} y2={BASE} />
        {PROFILE.map((share, i) => (
          <rect key={i} x={221} y={gateY(i) + 2} width={share * 110} height={(BASE - TOP) / GATES - 4} />
        ))}
        <text x={220} y={TOP - 10}>
          g/m³
        </text>
      </g>
      <path className={classes.dish} d="M100 270Q120 290 140 270Z" />
      <line className={classes.mast} x1={120} x2={120} y1={280} y2={286} />
    </svg>
  )
}
