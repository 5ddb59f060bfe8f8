import { Button } from '@mantine/core'
import { decideConsent, openConsentManagement } from '../../app/consent.ts'
import { consentTexts } from '../../texts/consent.ts'
import classes from './ConsentDialog.module.css'

/** Asks without standing in the way: the page works behind it, and refusing is as easy as accepting. */
export function ConsentDialog({ hidden }: { hidden: boolean }) {
  return (
    <section
      className={classes.root}
      hidden={hidden}
      role="dialog"
      aria-modal="false"
      aria-labelledby="consent-title"
    >
      <h2 id="consent-title">{consentTexts.title}</h2>
      <p>{consentTexts.text}</p>
      <div className={classes.actions}>
        <Button size="sm" onClick={() => decideConsent(true)}>
          {consentTexts.accept}
        </Button>
        <Button size="sm" variant="default" onClick={() => decideConsent(false)}>
          {consentTexts.refuse}
        </Button>
        <button type="button" className={classes.more} onClick={openConsentManagement}>
          {consentTexts.more}
        </button>
      </div>
    </section>
  )
}
