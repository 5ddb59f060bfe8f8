import { Link } from 'react-router'
import { closeModal } from '../../../app/modals.ts'
import { analysisTexts as texts } from '../../../texts/analysis.ts'
import { AppModal } from '../../../ui/AppModal.tsx'
import classes from './HelpDialog.module.css'
import { KeyboardHelp } from './KeyboardHelp.tsx'

/** How the analysis screen is used. */
export function HelpDialog() {
  return (
    <AppModal type="help" title={texts.helpDialog.title} size="lg">
      <div className={classes.root}>
        {texts.helpDialog.sections.map(({ title, text }) => (
          <section key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </section>
        ))}
        <section>
          <h3>{texts.keysTitle}</h3>
          <KeyboardHelp />
        </section>
        <p>
          <Link to="/aide/hydrologue" onClick={closeModal}>
            {texts.helpDialog.guide}
          </Link>
        </p>
      </div>
    </AppModal>
  )
}
