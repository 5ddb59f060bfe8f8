import type { VolumeSection } from '@radx/contracts/radar-volumes'
import { formatNumberFr } from '@radx/locale/format-fr'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { sweepTexts } from '../../texts/sweep.ts'
import { Quantity } from '../../ui/Quantity.tsx'
import { ticksWithin } from './lines.ts'
import classes from './Panels.module.css'
import { colorer, type Scale, valueText } from './scales.ts'
import { extentOf, profileAbove, sectionValue } from './section.ts'

const texts = sweepTexts.section

interface Props {
  section: VolumeSection
  field: { name: string; unit: string }
  scale: Scale
  beamWidthDeg: number
  altitudeM: number
  azimuth: number
  /** Distance along the earth to the chosen place. */
  groundM: number
  onGround: (groundM: number) => void
}

const COLUMNS = 560
const ROWS = 220

/** What all elevations saw along an azimuth: each beam as wide as it is, and the values above the chosen place. */
export function Section(props: Props) {
  const { section, field, scale, beamWidthDeg, altitudeM, azimuth, groundM, onGround } = props
  const { sweeps } = section
  const canvas = useRef<HTMLCanvasElement>(null)
  const [said, setSaid] = useState<string | null>(null)
  const { reachM, topM } = extentOf(sweeps)
  useEffect(() => {
    if (canvas.current) paint(canvas.current, sweeps, scale, beamWidthDeg)
  }, [sweeps, scale, beamWidthDeg])
  const placeOf = (event: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    return {
      ground: ((event.clientX - left) / width) * reachM,
      height: (1 - (event.clientY - top) / height) * topM,
    }
  }
  const kilometres = Array.from({ length: Math.floor(topM / 1000) + 1 }, (_, km) => km).filter(
    (km) => topM <= 8000 || km % 3 === 0,
  )
  const azimuthText = formatNumberFr(sweeps[0]?.azimuthDeg ?? azimuth, 1)
  return (
    <>
      <div className={classes.bar}>
        <p>{sweeps.length > 1 ? texts.at(azimuthText) : texts.one}</p>
        <p className={classes.said}>{said}</p>
      </div>
      <div className={classes.section}>
        <div className={classes.heights} aria-hidden="true">
          {kilometres.map((km) => (
            <span key={km} style={{ bottom: `${((km * 1000) / topM) * 100}%` }}>
              {km}
            </span>
          ))}
        </div>
        <div
          className={classes.plane}
          onPointerMove={(event) => {
            const { ground, height } = placeOf(event)
            setSaid(
              `${formatNumberFr(ground / 1000, 1)}\u202fkm · ${formatNumberFr(altitudeM + height)}\u202fm · ${valueText(field, sectionValue(sweeps, beamWidthDeg, ground, height))}`,
            )
          }}
          onPointerLeave={() => setSaid(null)}
          onPointerDown={(event) => onGround(placeOf(event).ground)}
        >
          <canvas
            ref={canvas}
            width={COLUMNS}
            height={ROWS}
            role="img"
            aria-label={texts.label(sweepTexts.quantity(field.name), azimuthText)}
          />
          <div className={classes.here} style={{ left: `${(groundM / reachM) * 100}%` }} />
        </div>
      </div>
      <div className={classes.distances} aria-hidden="true">
        {ticksWithin(reachM).map((km) => (
          <span key={km} style={{ left: `${((km * 1000) / reachM) * 100}%` }}>
            {km}
          </span>
        ))}
      </div>
      <p className={classes.axes}>
        <span>{texts.height}</span>
        <span>{sweepTexts.scope.distance}</span>
      </p>
      <Profile {...props} />
    </>
  )
}

/** The values of the beams above the chosen place. */
function Profile({ section, field, altitudeM, groundM }: Props) {
  const rows = profileAbove(section.sweeps, groundM)
  if (rows.length === 0) return null
  return (
    <table className={classes.steps}>
      <caption>{texts.profile}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.elevation}</th>
          <th scope="col" className={classes.number}>
            {texts.heightM}
          </th>
          <th scope="col" className={classes.number}>
            {sweepTexts.quantity(field.name)}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.toReversed().map(({ elevationDeg, heightM, value }, k) => (
          <tr key={k}>
            <td>{formatNumberFr(elevationDeg, 1)}°</td>
            <td className={classes.number}>
              <Quantity value={altitudeM + heightM} unit="m" />
            </td>
            <td className={classes.number}>{valueText(field, value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function paint(
  canvas: HTMLCanvasElement,
  sweeps: VolumeSection['sweeps'],
  scale: Scale,
  beamWidthDeg: number,
): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const { reachM, topM } = extentOf(sweeps)
  const colorOf = colorer(scale)
  const image = context.createImageData(COLUMNS, ROWS)
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      const ground = ((column + 0.5) / COLUMNS) * reachM
      const height = (1 - (row + 0.5) / ROWS) * topM
      const value = sectionValue(sweeps, beamWidthDeg, ground, height)
      const color = value === null ? null : colorOf(value)
      if (color) image.data.set([color[0], color[1], color[2], 255], 4 * (row * COLUMNS + column))
    }
  context.putImageData(image, 0, 0)
}
