import { Button, PasswordInput, TextInput } from '@mantine/core'
import { LOGIN_MIN } from '@radx/contracts/constants'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useAuth } from '../../app/auth/store.ts'
import { useSite } from '../../app/site.ts'
import { accountTexts } from '../../texts/account.ts'
import { securityTexts } from '../../texts/security.ts'
import { Message } from '../../ui/Message.tsx'
import { asksFactor, hasPasskeys, useLogin, usePasskeyLogin } from './api.ts'
import { DemoAccounts } from './DemoAccounts.tsx'
import classes from './LoginForm.module.css'

const texts = securityTexts.login

/** @param notice why the form stands here, before its fields */
export function LoginForm({ notice }: { notice?: ReactNode }) {
  const { demo } = useSite()
  const login = useLogin()
  const error = useAuth((state) => state.error)
  const redirectPath = useAuth((state) => state.redirectPath)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const passkey = usePasskeyLogin()
  const valid = username.trim().length >= LOGIN_MIN && password.length >= LOGIN_MIN
  useEffect(() => () => useAuth.setState({ error: null }), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!valid || login.isPending) return
    const typed = { username: username.trim(), password }
    login.mutate(needsCode && code.trim() !== '' ? { ...typed, code } : typed, {
      onError: (failure) => setNeedsCode((shown) => shown || asksFactor(failure)),
    })
  }

  return (
    <div className={classes.root}>
      <section className={classes.intro}>
        <Rings />
        <h1>{accountTexts.loginTitle}</h1>
        <p>{accountTexts.intro}</p>
        <p className={classes.dim}>{accountTexts.howTo}</p>
      </section>
      <form className={classes.form} onSubmit={submit} aria-label={accountTexts.loginTitle} noValidate>
        {notice}
        {redirectPath !== null && <Message kind="nfo">{accountTexts.redirected}</Message>}
        <TextInput
          label={accountTexts.username}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          size="md"
        />
        <PasswordInput
          label={accountTexts.password}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': accountTexts.showPassword }}
          size="md"
        />
        {needsCode && (
          <>
            <TextInput
              label={texts.code}
              description={texts.codeHint}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={40}
              size="md"
              ref={focusOnce}
            />
            <p className={classes.dim}>{texts.lost}</p>
          </>
        )}
        {error !== null && <Message kind="error">{error}</Message>}
        <Button type="submit" size="md" disabled={!valid} loading={login.isPending}>
          {accountTexts.submit}
        </Button>
        {hasPasskeys() && (
          <Button variant="default" size="md" loading={passkey.isPending} onClick={() => passkey.mutate()}>
            {texts.passkey}
          </Button>
        )}
        {demo && (
          <DemoAccounts
            onPick={(account) => {
              setUsername(account.name)
              setPassword(account.password)
            }}
          />
        )}
      </form>
    </div>
  )
}

/** The field comes after the button was pressed: whoever types goes on typing. */
const focusOnce = (field: HTMLInputElement | null) => field?.focus()

/** The sweep of the radar, as in the product's mark. */
function Rings() {
  return (
    <svg viewBox="0 0 320 320" className={classes.rings} aria-hidden>
      {[40, 80, 120, 160, 200, 240, 280].map((r) => (
        <circle key={r} cx="300" cy="300" r={r} />
      ))}
      <path d="M300 300 74 137A278 278 0 0 1 158 60Z" className={classes.beam} />
      <circle cx="300" cy="300" r="5" className={classes.dot} />
    </svg>
  )
}
