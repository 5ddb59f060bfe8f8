import { Button, PasswordInput } from '@mantine/core'
import { NEW_PASSWORD_MIN } from '@radx/contracts/accounts'
import type { OwnSession } from '@radx/contracts/own-account'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { serverErrorText } from '../../app/api/errors.ts'
import { useSite } from '../../app/site.ts'
import { accountTexts } from '../../texts/account.ts'
import { securityTexts } from '../../texts/security.ts'
import { Message } from '../../ui/Message.tsx'
import { ownSessionsQuery, useEndSessions, useOwnPassword } from './api.ts'
import classes from './Security.module.css'

/** Changes one's own password. */
export function PasswordForm() {
  const change = useOwnPassword()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const differ = again !== '' && again !== password
  const ready = current !== '' && [...password].length >= NEW_PASSWORD_MIN && again === password
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ready || change.isPending) return
    change.mutate(
      { current, password },
      {
        onSuccess: () => {
          setCurrent('')
          setPassword('')
          setAgain('')
        },
      },
    )
  }
  const visibilityToggleButtonProps = { 'aria-label': accountTexts.showPassword }
  return (
    <form className={classes.form} onSubmit={submit} aria-label={securityTexts.title} noValidate>
      <PasswordInput
        label={securityTexts.current}
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        autoComplete="current-password"
        visibilityToggleButtonProps={visibilityToggleButtonProps}
      />
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
        error={differ ? securityTexts.differ : null}
        onChange={(event) => setAgain(event.currentTarget.value)}
        autoComplete="new-password"
        visibilityToggleButtonProps={visibilityToggleButtonProps}
      />
      {change.error && <Message kind="error">{serverErrorText(change.error)}</Message>}
      {change.isSuccess && current === '' && <Message kind="nfo">{securityTexts.changed}</Message>}
      <Button type="submit" disabled={!ready} loading={change.isPending}>
        {securityTexts.change}
      </Button>
    </form>
  )
}

/** Where one is signed in, with ending it. */
export function SessionList() {
  const { timeZone } = useSite()
  const texts = securityTexts.sessions
  const { data, error } = useQuery(ownSessionsQuery)
  const end = useEndSessions()
  if (error && !data) return <Message kind="error">{texts.failed}</Message>
  if (!data) return <p role="status">{accountTexts.loading}</p>
  return (
    <div className={classes.sessions}>
      <ul>
        {data.sessions.map((session) => (
          <SessionLine
            key={session.id}
            session={session}
            timeZone={timeZone}
            busy={end.isPending}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </ul>
      {error && <Message kind="error">{texts.failed}</Message>}
      {end.error && <Message kind="error">{serverErrorText(end.error)}</Message>}
      <p className={classes.dim} aria-live="polite">
        {end.isSuccess && texts.ended(end.data.ended)}
      </p>
      {data.sessions.length > 1 && (
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate(null)}>
          {texts.endOthers}
        </Button>
      )}
      {data.idleMinutes !== null && <p className={classes.dim}>{texts.idle(data.idleMinutes)}</p>}
    </div>
  )
}

interface LineProps {
  session: OwnSession
  timeZone: string
  busy: boolean
  onEnd: () => void
}

function SessionLine({ session, timeZone, busy, onEnd }: LineProps) {
  const texts = securityTexts.sessions
  const at = (instant: string) => formatDateTimeFr(instant, timeZone)
  return (
    <li>
      <div>
        <b>{session.device}</b>
        <span>{session.address ?? texts.unknownAddress}</span>
        <span>
          {texts.used} {at(session.lastUsedAt)}. {texts.opened} {at(session.createdAt)}.
        </span>
      </div>
      {session.current ? (
        <span className={classes.mark}>{texts.current}</span>
      ) : (
        <Button
          variant="default"
          size="xs"
          disabled={busy}
          aria-label={texts.endLabel(session.device)}
          onClick={onEnd}
        >
          {texts.end}
        </Button>
      )}
    </li>
  )
}
