import { Button, PasswordInput } from '@mantine/core'
import { NEW_PASSWORD_MIN } from '@radx/contracts/accounts'
import { type FormEvent, useState } from 'react'
import { serverErrorText } from '../../app/api/errors.ts'
import { accountTexts } from '../../texts/account.ts'
import { securityTexts } from '../../texts/security.ts'
import { Message } from '../../ui/Message.tsx'
import { useLinkPassword } from './api.ts'
import classes from './Security.module.css'

const texts = securityTexts.link

/** Sets a password with the token of a manager's link. */
export function LinkForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const set = useLinkPassword()
  const ready = [...password].length >= NEW_PASSWORD_MIN && again === password
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready && !set.isPending) set.mutate({ token, password })
  }
  const visibilityToggleButtonProps = { 'aria-label': accountTexts.showPassword }
  return (
    <div className={classes.page}>
      <h1>{texts.title}</h1>
      {set.data ? (
        <>
          <Message kind="nfo">{texts.done(set.data.name)}</Message>
          <Button onClick={onDone}>{accountTexts.submit}</Button>
        </>
      ) : (
        <form className={classes.form} onSubmit={submit} aria-label={texts.title} noValidate>
          <p>{texts.help}</p>
          <PasswordInput
            label={securityTexts.next}
            description={securityTexts.nextHint}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="new-password"
            visibilityToggleButtonProps={visibilityToggleButtonProps}
          />
          <PasswordInput
            label={securityTexts.again}
            value={again}
            error={again !== '' && again !== password ? securityTexts.differ : null}
            onChange={(event) => setAgain(event.currentTarget.value)}
            autoComplete="new-password"
            visibilityToggleButtonProps={visibilityToggleButtonProps}
          />
          {set.error && <Message kind="error">{serverErrorText(set.error)}</Message>}
          <Button type="submit" disabled={!ready} loading={set.isPending}>
            {texts.submit}
          </Button>
        </form>
      )}
    </div>
  )
}
