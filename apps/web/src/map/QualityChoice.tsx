import { qualityTexts as texts } from '../texts/quality-of-rain.ts'
import classes from './QualityChoice.module.css'

/** Whether the map shows the rain or how far it can be trusted. */
export default function QualityChoice({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label className={classes.root}>
      <input type="checkbox" checked={on} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {texts.choice}
    </label>
  )
}
