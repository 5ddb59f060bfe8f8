import { Slider } from '@mantine/core'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { useMemo, useState } from 'react'
import { formTexts as texts } from '../../../texts/simulation.ts'
import classes from './CityScene.module.css'
import {
  type Box,
  facesOf,
  PIPES,
  paintOrder,
  project,
  ROTATION_MAX,
  rotationDeg,
  STANDING,
  SURFACE,
  UNDERGROUND,
} from './city-scene.ts'

interface Props {
  soil: boolean
  drainage: boolean
}

/** A town block cut open: what each module adds lights up. */
export function CityScene({ soil, drainage }: Props) {
  const [step, setStep] = useState(5)
  const deg = rotationDeg(step)
  const standing = useMemo(() => paintOrder(STANDING, deg), [deg])
  return (
    <div className={classes.root}>
      <svg
        viewBox="-170 -190 340 330"
        className={classes.scene}
        data-soil={soil}
        data-drainage={drainage}
        data-deg={deg}
        role="img"
        aria-label={texts.city}
      >
        <Faces boxes={UNDERGROUND} deg={deg} />
        <g className={classes.infiltration}>
          {[4, 9, 14, 26, 31, 36].map((x) => (
            <Arrow key={x} from={project(x, 0, -0.4, deg)} to={project(x, 0, -2.5, deg)} />
          ))}
          {[5, 11, 27, 33, 37].map((y) => (
            <Arrow key={y} from={project(40, y, -0.4, deg)} to={project(40, y, -2.5, deg)} />
          ))}
        </g>
        <PipeEnds deg={deg} />
        <Faces boxes={SURFACE} deg={deg} />
        <g className={classes.pipes}>
          <Faces boxes={PIPES} deg={deg} />
        </g>
        <Faces boxes={standing} deg={deg} />
        <Rain />
      </svg>
      <div className={classes.slider}>
        <span id="rotation">{texts.rotation}</span>
        <Slider
          min={0}
          max={ROTATION_MAX}
          step={1}
          value={step}
          onChange={setStep}
          label={null}
          size="sm"
          thumbProps={{ 'aria-labelledby': 'rotation' }}
          thumbValueText={(at) => formatQuantityFr(rotationDeg(at), '°', 0)}
        />
      </div>
    </div>
  )
}

function Faces({ boxes, deg }: { boxes: readonly Box[]; deg: number }) {
  return boxes.flatMap((entry) =>
    facesOf(entry, deg).map(({ kind, side, points }) => (
      <polygon
        key={`${kind} ${entry.x} ${entry.y} ${entry.z} ${side}`}
        className={classes[kind]}
        data-side={side}
        points={points}
      />
    )),
  )
}

/** Where the pipes come out of the cut faces. */
function PipeEnds({ deg }: { deg: number }) {
  const ends: [number, number][] = [project(20, 0, -5.5, deg), project(40, 20, -5.3, deg)]
  return ends.map(([x, y]) => <circle key={x} cx={x} cy={y} r={7} className={classes.end} />)
}

function Arrow({ from, to }: { from: [number, number]; to: [number, number] }) {
  return <path d={`M${from[0]} ${from[1]}L${to[0]} ${to[1]}m-2.5 -3.5l2.5 3.5l2.5 -3.5`} />
}

/** Fixed strokes, spread by the golden ratio. */
function Rain() {
  return (
    <g className={classes.rain}>
      {Array.from({ length: 46 }, (_, k) => {
        const x = ((k * 0.618034) % 1) * 300 - 150
        const y = ((k * 0.381966 * 7) % 1) * 190 - 185 + Math.abs(x) * 0.16
        return <path key={k} d={`M${x.toFixed(1)} ${y.toFixed(1)}l-2 9`} />
      })}
    </g>
  )
}
