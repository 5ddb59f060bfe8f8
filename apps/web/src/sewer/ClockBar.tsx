import { PROFILE_FRAME_S } from '@radx/contracts/simulation-constants'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
} from '@tabler/icons-react'
import { sewerTexts as texts } from '../texts/sewer.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { RangeSlider } from '../ui/RangeSlider.tsx'
import classes from './ClockBar.module.css'
import { SPEEDS, type Speed, setSpeed, setTime, stepClock, togglePlaying, useClock } from './clock.ts'
import { formatElapsed } from './elapsed.ts'

interface Props {
  /** When it began, ms; null where its rain fell on no day. */
  startMs: number | null
  timeZone: string
}

/** Player of the one clock: a minute a frame, faster on demand. */
export function ClockBar({ startMs, timeZone }: Props) {
  const { timeS, endS, playing, speed } = useClock()
  const elapsed = formatElapsed(timeS)
  const moment = startMs === null ? null : formatDateTimeFr(startMs + timeS * 1000, timeZone)
  const last = Math.floor(endS / PROFILE_FRAME_S)
  return (
    <div className={classes.root}>
      <div className={classes.buttons}>
        <IconButton label={texts.previousMinute} onClick={() => stepClock(-1)}>
          <IconPlayerSkipBackFilled size={18} />
        </IconButton>
        <IconButton label={playing ? texts.pause : texts.play} onClick={togglePlaying} variant="filled">
          {playing ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </IconButton>
        <IconButton label={texts.nextMinute} onClick={() => stepClock(1)}>
          <IconPlayerSkipForwardFilled size={18} />
        </IconButton>
      </div>
      <select
        className={classes.speed}
        aria-label={texts.speed}
        value={speed}
        onChange={(event) => setSpeed(Number(event.currentTarget.value) as Speed)}
      >
        {SPEEDS.map((times) => (
          <option key={times} value={times}>
            {texts.times(times)}
          </option>
        ))}
      </select>
      <RangeSlider
        className={classes.slider}
        label={texts.timeline}
        min={0}
        max={Math.max(1, last)}
        value={Math.min(last, Math.floor(timeS / PROFILE_FRAME_S))}
        valueText={elapsed}
        onChange={(frame) => setTime(frame * PROFILE_FRAME_S)}
      />
      <p className={classes.time}>
        <span className="rx-visually-hidden">{texts.time}</span>
        <time data-testid="elapsed">{elapsed}</time>
        {moment && <small>{moment}</small>}
      </p>
    </div>
  )
}
