import { Button, TextInput } from '@mantine/core'
import { LINK_NAME_MAX } from '@radx/contracts/links'
import { formatDateFr } from '@radx/locale/format-fr'
import { type FormEvent, useState } from 'react'
import { serverErrorText } from '../app/api/errors.ts'
import { isSignedIn, useAuth } from '../app/auth/store.ts'
import { useSite } from '../app/site.ts'
import { shareTexts } from '../texts/share.ts'
import { Message } from '../ui/Message.tsx'
import { useNewLink } from './links.ts'
import classes from './ShareDialog.module.css'

const texts = shareTexts.link

/** The view's own address, and a short name for it. */
export function LinkPart() {
  const signedIn = useAuth(isSignedIn)
  const { timeZone } = useSite()
  const [name, setName] = useState('')
  const make = useNewLink()
  const { pathname, search, hash, origin } = window.location
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = name.trim().toLowerCase()
    if (!make.isPending) make.mutate({ path: pathname + search + hash, ...(given && { name: given }) })
  }
  return (
    <div className={classes.part}>
      <p className={classes.help}>{texts.help}</p>
      <Copied label={texts.address} text={window.location.href} />
      {!signedIn && <p className={classes.help}>{texts.signIn}</p>}
      {signedIn && make.data && (
        <>
          <Copied label={texts.short} text={`${origin}/l/${make.data.name}`} />
          <p className={classes.help}>{texts.until(formatDateFr(make.data.expiresAt, timeZone))}</p>
        </>
      )}
      {signedIn && !make.data && (
        <form className={classes.row} onSubmit={submit} noValidate>
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            value={name}
            maxLength={LINK_NAME_MAX}
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={make.isPending}>
            {texts.shorten}
          </Button>
        </form>
      )}
      {make.error && <Message kind="error">{serverErrorText(make.error)}</Message>}
    </div>
  )
}

/** A text to take away. */
export function Copied({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <div className={classes.row}>
      <TextInput label={label} value={text} readOnly onFocus={(event) => event.currentTarget.select()} />
      <Button variant="default" onClick={() => void copy()} aria-live="polite">
        {copied ? texts.copied : texts.copy}
      </Button>
    </div>
  )
}
