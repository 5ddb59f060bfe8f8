import { formatDateTimeFr } from '@radx/locale/format-fr'
import { sewerTexts as texts } from '../../texts/sewer.ts'
import { PlayButtons } from '../PlayButtons.tsx'
import { usePlayerKeys } from '../usePlayerKeys.ts'
import classes from './ClockControls.module.css'
import { SPEEDS, type Speed, setSpeed, stepClock, togglePlaying, useClock } from './clock.ts'
import { formatElapsed } from './elapsed.ts'

/** Buttons, keys and speed of the clock of a run. */
export function ClockControls() {
  const { endS, playing, speed } = useClock()
  usePlayerKeys({ step: stepClock, togglePlay: togglePlaying })
  return (
    <div className={classes.controls}>
      <PlayButtons playing={playing} empty={endS <= 0} onStep={stepClock} onToggle={togglePlaying} />
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
    </div>
  )
}

interface TimeProps {
  /** When the run began, ms; null where its rain fell on no day. */
  startMs: number | null
  timeZone: string
  className?: string
}

/** The moment of the clock: since the start of the run, and on the calendar. */
export function ClockTime({ startMs, timeZone, className = '' }: TimeProps) {
  const { timeS } = useClock()
  return (
    <p className={`${classes.time} ${className}`}>
      <span className="rx-visually-hidden">{texts.time}</span>
      <time data-testid="elapsed">{formatElapsed(timeS)}</time>
      {startMs !== null && <small>{formatDateTimeFr(startMs + timeS * 1000, timeZone)}</small>}
    </p>
  )
}
