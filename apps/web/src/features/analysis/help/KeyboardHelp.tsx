import { analysisTexts as texts } from '../../../texts/analysis.ts'
import classes from './HelpDialog.module.css'

/** The player's keys. */
export function KeyboardHelp() {
  return (
    <p className={classes.keys}>
      {texts.keys.map(({ key, action }) => (
        <span key={key}>
          <kbd>{key}</kbd> {action}
        </span>
      ))}
    </p>
  )
}
