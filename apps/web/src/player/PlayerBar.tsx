import { MAX_SLIDER_TICKS } from '@radx/contracts/constants'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import type { ReactNode } from 'react'
import { useSite } from '../app/site.ts'
import { playerTexts as texts } from '../texts/player.ts'
import { RangeSlider } from '../ui/RangeSlider.tsx'
import classes from './PlayerBar.module.css'
import { oneDecimal } from './values.ts'

/** The bar on the lower edge of a map: time above, everything else in a row. */
export function PlayerBar({ time, children }: { time: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.root} aria-label={texts.region}>
      {time}
      <div className={classes.row}>{children}</div>
    </section>
  )
}

/** What stands at the other end of the bar, or together in a row of its own where the bar is narrow. */
export const BarEnd = ({ children }: { children: ReactNode }) => <div className={classes.end}>{children}</div>

/** The moment of the image, with words on how old it is where these say something. */
export function Clock({ datetime, age }: { datetime: string | null; age?: string }) {
  const { timeZone } = useSite()
  return (
    <div className={classes.clock}>
      <time dateTime={datetime ?? undefined} data-testid="clock">
        {datetime === null ? '–' : formatDateTimeFr(datetime, timeZone)}
      </time>
      {age !== undefined && (
        <span className={classes.age} data-testid="age">
          {age}
        </span>
      )}
    </div>
  )
}

interface OpacityProps {
  /** 0 to 100. */
  value: number
  onChange: (value: number) => void
  onEnd: (value: number) => void
}

export function OpacitySlider({ value, onChange, onEnd }: OpacityProps) {
  return (
    <div className={classes.opacity}>
      <span aria-hidden>{texts.opacity}</span>
      <RangeSlider
        className={classes.opacitySlider}
        size="sm"
        label={texts.opacity}
        min={0}
        max={100}
        value={value}
        valueText={`${value} %`}
        onChange={(next) => onChange(oneDecimal(next))}
        onEnd={(next) => onEnd(oneDecimal(next))}
      />
      <output className={classes.opacityValue} aria-hidden>
        {value}
        <span className="rx-unit">{'\u202f'}%</span>
      </output>
    </div>
  )
}

interface TimeProps {
  counter: number
  /** Instants of the frames, ascending. */
  times: readonly string[]
  /** How many of the frames can be shown already. */
  loaded: number
  onChoose: (counter: number) => void
}

export function TimeSlider({ counter, times, loaded, onChoose }: TimeProps) {
  const { timeZone } = useSite()
  const count = times.length
  const shown = times[counter]
  return (
    <div className={classes.time} data-loading={loaded < count}>
      <RangeSlider
        label={texts.time}
        min={0}
        max={Math.max(1, count - 1)}
        disabled={count === 0}
        value={counter}
        valueText={shown === undefined ? '' : formatDateTimeFr(shown, timeZone)}
        onChange={(value) => onChoose(oneDecimal(value))}
        ticks={count <= MAX_SLIDER_TICKS ? count : 0}
      />
      {loaded < count && (
        <progress
          className={classes.progress}
          max={count}
          value={loaded}
          aria-label={texts.framesLoading(loaded, count)}
        />
      )}
    </div>
  )
}
