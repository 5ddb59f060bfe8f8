import { PROFILE_FRAME_S } from '@radx/contracts/simulation-constants'
import { sewerTexts as texts } from '../../texts/sewer.ts'
import { RangeSlider } from '../../ui/RangeSlider.tsx'
import classes from './ClockBar.module.css'
import { ClockControls, ClockTime } from './ClockControls.tsx'
import { setTime, useClock } from './clock.ts'
import { formatElapsed } from './elapsed.ts'

interface Props {
  /** When the run began, ms; null where its rain fell on no day. */
  startMs: number | null
  timeZone: string
}

/** The player of a run in a row: a minute a frame, faster on demand. */
export function ClockBar({ startMs, timeZone }: Props) {
  const { timeS, endS } = useClock()
  const last = Math.floor(endS / PROFILE_FRAME_S)
  return (
    <div className={classes.root}>
      <ClockControls />
      <RangeSlider
        className={classes.slider}
        label={texts.timeline}
        min={0}
        max={Math.max(1, last)}
        value={Math.min(last, Math.floor(timeS / PROFILE_FRAME_S))}
        valueText={formatElapsed(timeS)}
        onChange={(frame) => setTime(frame * PROFILE_FRAME_S)}
      />
      <ClockTime startMs={startMs} timeZone={timeZone} />
    </div>
  )
}
