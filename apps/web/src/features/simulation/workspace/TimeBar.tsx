import { runStartMs } from '@radx/contracts/simulation-constants'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useSite } from '../../../app/site.ts'
import {
  playEvenly,
  SPEEDS,
  type Speed,
  setSpeed,
  setTime,
  stepClock,
  useClock,
  watchMoment,
} from '../../../sewer/clock.ts'
import { formatElapsed } from '../../../sewer/elapsed.ts'
import { sewerTexts } from '../../../texts/sewer.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import type { SimulationJob } from '../api.ts'
import { courseQuery } from '../result/depth/api.ts'
import classes from './TimeBar.module.css'
import { barsPath, curvePath } from './time-paths.ts'

/** A moment of the bar, s. */
const STEP_S = 60

/** The one clock of the workspace, with rain and what the outfalls gave drawn in it. */
export function TimeBar({ job }: { job: SimulationJob }) {
  const { timeZone } = useSite()
  const { timeS, endS, playing, speed } = useClock()
  const elapsed = formatElapsed(timeS)
  // Virtual rain fell on no day.
  const moment =
    job.input.rainfallSelection === 'virtual'
      ? null
      : formatDateTimeFr(runStartMs(job.input) + timeS * 1000, timeZone)
  const head = useRef<HTMLSpanElement>(null)
  useEffect(
    () =>
      watchMoment((at) => {
        if (head.current) head.current.style.left = `${endS > 0 ? (100 * at) / endS : 0}%`
      }),
    [endS],
  )
  const last = Math.max(1, Math.floor(endS / STEP_S))
  return (
    <section className={classes.root} aria-label={texts.clock}>
      <div className={classes.buttons}>
        <IconButton
          label={playing ? sewerTexts.pause : sewerTexts.play}
          onClick={() => playEvenly(!playing)}
          variant="filled"
        >
          {playing ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </IconButton>
        <select
          aria-label={sewerTexts.speed}
          value={speed}
          onChange={(event) => {
            setSpeed(Number(event.currentTarget.value) as Speed)
            if (playing) playEvenly(true)
          }}
        >
          {SPEEDS.map((times) => (
            <option key={times} value={times}>
              {sewerTexts.times(times)}
            </option>
          ))}
        </select>
      </div>
      <div className={classes.track}>
        <Curves jobId={job.id} endS={endS} />
        <span ref={head} className={classes.head} aria-hidden />
        <input
          type="range"
          aria-label={sewerTexts.timeline}
          aria-valuetext={elapsed}
          min={0}
          max={last}
          value={Math.min(last, Math.round(timeS / STEP_S))}
          onChange={({ currentTarget }) => setTime(Math.min(endS, currentTarget.valueAsNumber * STEP_S))}
          onKeyDown={(event) => {
            if (event.key !== 'PageUp' && event.key !== 'PageDown') return
            event.preventDefault()
            stepClock(event.key === 'PageUp' ? 10 : -10)
          }}
        />
      </div>
      <p className={classes.time}>
        <span className="rx-visually-hidden">{sewerTexts.time}</span>
        <time data-testid="elapsed">{elapsed}</time>
        {moment && <small>{moment}</small>}
      </p>
    </section>
  )
}

const [WIDTH, HEIGHT] = [1000, 48]

/** Rain from above as bars, outflow from below as a curve. */
function Curves({ jobId, endS }: { jobId: string; endS: number }) {
  const { data: course } = useQuery(courseQuery(jobId))
  const paths = useMemo(
    () =>
      course && endS > 0
        ? {
            rain: barsPath(course.timesS, course.rainMmH, endS, WIDTH, HEIGHT),
            outflow: curvePath(course.timesS, course.outfallM3S, endS, WIDTH, HEIGHT),
          }
        : null,
    [course, endS],
  )
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {paths && (
          <>
            <path className={classes.outflow} d={paths.outflow} />
            <path className={classes.rain} d={paths.rain} />
          </>
        )}
      </svg>
      <p className={classes.key} aria-hidden>
        <span data-kind="rain">{texts.rainKey}</span>
        <span data-kind="outflow">{texts.outflowKey}</span>
      </p>
    </>
  )
}
