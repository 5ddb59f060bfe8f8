import { PROFILE_FRAME_S, runStartMs } from '@radx/contracts/simulation-constants'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useSite } from '../../../app/site.ts'
import { ClockControls, ClockTime } from '../../../player/run/ClockControls.tsx'
import { setTime, stepClock, useClock, watchMoment } from '../../../player/run/clock.ts'
import { formatElapsed } from '../../../player/run/elapsed.ts'
import { sewerTexts } from '../../../texts/sewer.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { SimulationJob } from '../api.ts'
import { flowsQuery } from './api.ts'
import classes from './TimeBar.module.css'
import { barsPath, curvePath } from './time-paths.ts'

/** The one clock of the workspace, with rain and what the outfalls gave drawn in it. */
export function TimeBar({ job }: { job: SimulationJob }) {
  const { timeZone } = useSite()
  const { timeS, endS } = useClock()
  // Virtual rain fell on no day.
  const startMs = job.input.rainfallSelection === 'virtual' ? null : runStartMs(job.input)
  const head = useRef<HTMLSpanElement>(null)
  useEffect(
    () =>
      watchMoment((at) => {
        if (head.current) head.current.style.left = `${endS > 0 ? (100 * at) / endS : 0}%`
      }),
    [endS],
  )
  const last = Math.max(1, Math.floor(endS / PROFILE_FRAME_S))
  return (
    <section className={classes.root} aria-label={texts.clock}>
      <ClockControls />
      <div className={classes.track}>
        <Curves jobId={job.id} endS={endS} />
        <span ref={head} className={classes.head} aria-hidden />
        <input
          type="range"
          aria-label={sewerTexts.timeline}
          aria-valuetext={formatElapsed(timeS)}
          min={0}
          max={last}
          value={Math.min(last, Math.round(timeS / PROFILE_FRAME_S))}
          onChange={({ currentTarget }) =>
            setTime(Math.min(endS, currentTarget.valueAsNumber * PROFILE_FRAME_S))
          }
          onKeyDown={(event) => {
            if (event.key !== 'PageUp' && event.key !== 'PageDown') return
            event.preventDefault()
            stepClock(event.key === 'PageUp' ? 10 : -10)
          }}
        />
      </div>
      <ClockTime className={classes.time} startMs={startMs} timeZone={timeZone} />
    </section>
  )
}

const [WIDTH, HEIGHT] = [1000, 48]

/** Rain from above as bars, outflow from below as a curve. */
function Curves({ jobId, endS }: { jobId: string; endS: number }) {
  const { data: flows } = useQuery(flowsQuery(jobId))
  const paths = useMemo(
    () =>
      flows && endS > 0
        ? {
            rain: barsPath(flows.timesS, flows.rainMmH, endS, WIDTH, HEIGHT),
            outflow: curvePath(flows.timesS, flows.outfallM3S, endS, WIDTH, HEIGHT),
          }
        : null,
    [flows, endS],
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
