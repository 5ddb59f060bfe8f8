import type { PlanePoint } from './gates.ts'
import { ticksWithin } from './lines.ts'
import classes from './Ppi.module.css'
import type { PpiView } from './PpiPainter.ts'

interface Props {
  view: PpiView
  size: { width: number; height: number }
  /** To the end of the sweep, along the earth. */
  reachM: number
  point: PlanePoint | null
}

const STEP_DEG = 30
const RAD = Math.PI / 180
/** From the end of the sweep to the azimuth's name, px. */
const MARK_PX = 16

/** Rings every few kilometres, a line every thirty degrees with its azimuth, and the gate that is chosen. */
export function PpiGrid({ view, size, reachM, point }: Props) {
  const { width, height } = size
  const { centre, metresPerPixel } = view
  const place = ({ eastM, northM }: PlanePoint): [number, number] => [
    width / 2 + (eastM - centre.eastM) / metresPerPixel,
    height / 2 - (northM - centre.northM) / metresPerPixel,
  ]
  const [x0, y0] = place({ eastM: 0, northM: 0 })
  const reach = reachM / metresPerPixel
  const towards = (deg: number, radius: number): [number, number] => [
    x0 + radius * Math.sin(deg * RAD),
    y0 - radius * Math.cos(deg * RAD),
  ]
  const [px, py] = point ? place(point) : [0, 0]
  const far = reach / Math.max(1, Math.hypot(px - x0, py - y0))
  const rings = ticksWithin(reachM).slice(1)
  const inner = ((rings[0] ?? 0) * 1000) / metresPerPixel
  return (
    <svg className={classes.grid} width={width} height={height} aria-hidden="true">
      {rings.map((km) => {
        const radius = (km * 1000) / metresPerPixel
        const [x, y] = towards(45, radius)
        return (
          <g key={km}>
            <circle cx={x0} cy={y0} r={radius} className={classes.ring} />
            <text x={x} y={y} className={classes.ringText}>
              {km}
              {'\u202f'}km
            </text>
          </g>
        )
      })}
      <circle cx={x0} cy={y0} r={reach} className={classes.edge} />
      {Array.from({ length: 360 / STEP_DEG }, (_, k) => k * STEP_DEG).map((deg) => {
        const [[x1, y1], [x2, y2], [x, y]] = [
          towards(deg, inner),
          towards(deg, reach),
          towards(deg, reach + MARK_PX),
        ]
        return (
          <g key={deg}>
            <line x1={x1} y1={y1} x2={x2} y2={y2} className={classes.ring} />
            <text x={x} y={y} className={classes.azimuth}>
              {deg}°
            </text>
          </g>
        )
      })}
      {point && (
        <g>
          <line x1={x0} y1={y0} x2={x0 + (px - x0) * far} y2={y0 + (py - y0) * far} className={classes.ray} />
          <circle cx={px} cy={py} r={6} className={classes.pointHalo} />
          <circle cx={px} cy={py} r={6} className={classes.point} />
        </g>
      )}
    </svg>
  )
}
