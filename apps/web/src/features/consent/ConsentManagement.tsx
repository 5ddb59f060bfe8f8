import { Button, Switch } from '@mantine/core'
import { closeConsentManagement, decideConsent, setAnalyticsSwitch, useConsent } from '../../app/consent.ts'
import { useSite } from '../../app/site.ts'
import { consentTexts } from '../../texts/consent.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import classes from './ConsentManagement.module.css'

export function ConsentManagement({ opened }: { opened: boolean }) {
  return (
    <Dialog
      opened={opened}
      onClose={closeConsentManagement}
      title={consentTexts.management}
      size="lg"
      classNames={{ title: classes.title }}
    >
      <Categories />
    </Dialog>
  )
}

function Categories() {
  const analytics = useConsent((state) => state.switch.analytics)
  const { analytics: service } = useSite()
  return (
    <div className={classes.root}>
      <p className={classes.intro}>{consentTexts.managementText}</p>
      <section>
        <Switch
          checked
          disabled
          classNames={{ track: classes.alwaysTrack }}
          label={consentTexts.required}
          labelPosition="left"
        />
        <span className={classes.always}>{consentTexts.alwaysOn}</span>
        <p>{consentTexts.requiredText}</p>
      </section>
      <section>
        <Switch
          checked={analytics}
          onChange={(event) => setAnalyticsSwitch(event.currentTarget.checked)}
          label={consentTexts.analytics}
          labelPosition="left"
        />
        <p>
          {consentTexts.analyticsText} {service === null && consentTexts.analyticsNone}
        </p>
      </section>
      <Button onClick={() => decideConsent(analytics)}>{consentTexts.save}</Button>
    </div>
  )
}
