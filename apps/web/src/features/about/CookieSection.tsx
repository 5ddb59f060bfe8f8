import { Button } from '@mantine/core'
import { openConsentManagement, useConsent } from '../../app/consent.ts'
import { cookieTexts } from '../../texts/about.ts'
import classes from './CookieSection.module.css'

export function CookieSection() {
  const choice = useConsent((state) => state.allowCookie)
  const state = choice === null ? cookieTexts.unset : choice ? cookieTexts.allowed : cookieTexts.refused
  return (
    <div className={classes.root}>
      <p>{cookieTexts.text}</p>
      <div className={classes.choice}>
        <p aria-live="polite">{state}</p>
        <Button variant="default" onClick={openConsentManagement}>
          {cookieTexts.change}
        </Button>
      </div>
    </div>
  )
}
