import { editorTexts as texts } from '../../../texts/simulation.ts'
import classes from './GridEditor.module.css'

export function HelpPanel() {
  return (
    <section className={classes.help} aria-label={texts.help}>
      <dl>
        {texts.helpLines.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p>{texts.helpRules}</p>
    </section>
  )
}
