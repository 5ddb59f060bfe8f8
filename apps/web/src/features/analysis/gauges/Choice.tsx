import { SegmentedControl } from '@mantine/core'
import classes from './GaugeComparison.module.css'

interface Props<Value extends string> {
  label: string
  /** What is said of each value, in the order shown. */
  names: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
  disabled?: boolean
}

/** One of a few, with its label above as a field has it. */
export function Choice<Value extends string>({ label, names, onChange, ...rest }: Props<Value>) {
  return (
    <div>
      <p className={classes.label} aria-hidden>
        {label}
      </p>
      <SegmentedControl
        aria-label={label}
        data={Object.entries<string>(names).map(([value, name]) => ({ value, label: name }))}
        onChange={(value) => onChange(value as Value)}
        {...rest}
      />
    </div>
  )
}
