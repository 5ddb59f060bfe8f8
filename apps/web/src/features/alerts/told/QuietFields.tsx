import { TextInput } from '@mantine/core'
import type { Quiet } from '@radx/contracts/alert-notices'
import { noticeTexts as texts } from '../../../texts/alert-notices.ts'
import classes from '../Alerts.module.css'

interface Props {
  quiet: Quiet
  onChange(quiet: Quiet): void
}

/** Two times of day; the end before the start is of the next day. */
export function QuietFields({ quiet, onChange }: Props) {
  return (
    <div className={classes.fields}>
      {(['from', 'to'] as const).map((key) => (
        <TextInput
          key={key}
          type="time"
          label={texts[key]}
          value={quiet[key]}
          onChange={({ currentTarget }) => onChange({ ...quiet, [key]: currentTarget.value })}
        />
      ))}
    </div>
  )
}
