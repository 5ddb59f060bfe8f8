import { Button, TextInput } from '@mantine/core'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useState } from 'react'
import { useSite } from '../../../app/site.ts'
import { administrationTexts } from '../../../texts/administration.ts'
import { onEscape } from '../../../ui/inline-form.ts'
import classes from '../AdminScreen.module.css'
import type { Made } from './api.ts'

const texts = administrationTexts.accounts

/** A one-time link, to be handed to the account's holder. */
export function LinkShown({ made, onClose }: { made: Made; onClose: () => void }) {
  const { timeZone } = useSite()
  const [copied, setCopied] = useState(false)
  const address = `${location.origin}/compte#lien=${made.link.token}`
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <section
      className={classes.form}
      aria-label={texts.linkTitle(made.name)}
      data-form="link"
      onKeyDown={onEscape(onClose)}
    >
      <p role="status">{texts.linkHelp(made.name, formatDateTimeFr(made.link.expiresAt, timeZone))}</p>
      <TextInput
        label={texts.linkTitle(made.name)}
        value={address}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className={classes.bar}>
        <Button onClick={() => void copy()}>{copied ? texts.copied : texts.copy}</Button>
        <Button variant="default" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </section>
  )
}
