import type { CSSProperties } from 'react'
import classes from './RangeSlider.module.css'

interface Props {
  label: string
  min: number
  max: number
  step?: number
  value: number
  /** The value in words, for assistive technology. */
  valueText: string
  onChange: (value: number) => void
  /** The thumb was let go. */
  onEnd?: (value: number) => void
  disabled?: boolean
  /** Ticks under the track, one a step. */
  ticks?: number
  size?: 'sm' | 'md'
  className?: string
}

/** The browser's own slider in our dress: no script for what it already does. */
export function RangeSlider(props: Props) {
  const { label, min, max, step = 1, value, valueText, onChange, onEnd, disabled, ticks = 0 } = props
  const share = max > min ? (value - min) / (max - min) : 0
  const end = () => onEnd?.(value)
  return (
    <div className={`${classes.root} ${props.className ?? ''}`} data-size={props.size ?? 'md'}>
      <input
        type="range"
        className={classes.input}
        style={{ '--share': share } as CSSProperties}
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={disabled}
        aria-label={label}
        aria-valuetext={valueText}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
        onPointerUp={end}
        onKeyUp={end}
      />
      {ticks > 1 && (
        <div className={classes.ticks} aria-hidden>
          {Array.from({ length: ticks }, (_, i) => (
            <span key={i} data-tick />
          ))}
        </div>
      )}
    </div>
  )
}
