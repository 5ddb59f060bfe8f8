import { Button, Checkbox, TextInput } from '@mantine/core'
import type { AlertPerson, Quiet } from '@radx/contracts/alert-notices'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { hasManagerRole, useAuth } from '../../../app/auth/store.ts'
import { useSite } from '../../../app/site.ts'
import { noticeTexts as texts } from '../../../texts/alert-notices.ts'
import { alertTexts } from '../../../texts/alerts.ts'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import classes from '../Alerts.module.css'
import { USUAL_QUIET } from '../draft.ts'
import { personQuery, useConfirmEmail, useSavePerson, useSubscribe, useUnsubscribe } from './api.ts'
import { QuietFields } from './QuietFields.tsx'
import { canSubscribe, NotSubscribed, subscribe } from './subscribe.ts'
import { Webhooks } from './Webhooks.tsx'

/** How the account is told of alerts while no page is open. */
export function Person() {
  const person = useQuery(personQuery)
  const manager = useAuth(hasManagerRole)
  return (
    <section aria-labelledby="told" className={classes.told}>
      <h2 id="told">{texts.title}</h2>
      <p className={classes.dim}>{texts.intro}</p>
      {person.isPending && <p role="status">{alertTexts.loading}</p>}
      {person.error && <Message kind="error">{serverErrorText(person.error)}</Message>}
      {person.data && (
        <>
          {person.data.shared && <Message kind="nfo">{texts.shared}</Message>}
          <Settings key={JSON.stringify(person.data.quiet)} person={person.data} />
          {!person.data.shared && <Devices person={person.data} />}
          {manager && !person.data.shared && <Webhooks />}
        </>
      )}
    </section>
  )
}

function Settings({ person }: { person: AlertPerson }) {
  const [email, setEmail] = useState(person.email ?? '')
  const [isQuiet, setIsQuiet] = useState(person.quiet !== null)
  const [quiet, setQuiet] = useState<Quiet>(person.quiet ?? USUAL_QUIET)
  const save = useSavePerson()
  const address = email.trim()
  const keep = () =>
    save.mutate({
      email: person.shared || address === '' ? null : address,
      quiet: isQuiet ? quiet : null,
    })
  const canMail = person.hasMail && !person.shared
  return (
    <>
      <form
        className={classes.form}
        aria-label={texts.title}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          keep()
        }}
        noValidate
      >
        <div className={classes.fields}>
          {!person.shared && (
            <TextInput
              type="email"
              autoComplete="email"
              label={texts.email}
              description={
                person.hasMail
                  ? person.email === null
                    ? undefined
                    : person.confirmed
                      ? texts.confirmed
                      : texts.unconfirmed
                  : texts.noMail
              }
              disabled={!person.hasMail}
              value={email}
              maxLength={254}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            />
          )}
        </div>
        <Checkbox
          label={texts.quiet}
          description={texts.quietHint}
          checked={isQuiet}
          onChange={({ currentTarget }) => setIsQuiet(currentTarget.checked)}
        />
        {isQuiet && <QuietFields quiet={quiet} onChange={setQuiet} />}
        {save.error && <Message kind="error">{serverErrorText(save.error)}</Message>}
        <div className={classes.actions}>
          <Button type="submit" variant="default" loading={save.isPending}>
            {texts.save}
          </Button>
          {save.isSuccess && <span role="status">{texts.saved}</span>}
        </div>
      </form>
      {canMail && person.email !== null && !person.confirmed && <Confirm onAgain={keep} />}
    </>
  )
}

function Confirm({ onAgain }: { onAgain(): void }) {
  const [code, setCode] = useState('')
  const confirm = useConfirmEmail()
  return (
    <form
      className={classes.form}
      aria-label={texts.confirm}
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim() !== '') confirm.mutate(code.trim())
      }}
      noValidate
    >
      <div className={classes.fields}>
        <TextInput
          label={texts.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          maxLength={6}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
      </div>
      {confirm.error && <Message kind="error">{serverErrorText(confirm.error)}</Message>}
      <div className={classes.actions}>
        <Button type="submit" loading={confirm.isPending}>
          {texts.confirm}
        </Button>
        <TextButton onClick={onAgain}>{texts.again}</TextButton>
      </div>
    </form>
  )
}

function Devices({ person: { devices, pushKey } }: { person: AlertPerson }) {
  const { timeZone } = useSite()
  const add = useSubscribe()
  const remove = useUnsubscribe()
  const failure = add.error ?? remove.error
  return (
    <>
      <h3>{texts.push.title}</h3>
      {devices.length === 0 && <p className={classes.dim}>{texts.push.none}</p>}
      <ul className={classes.list} hidden={devices.length === 0}>
        {devices.map(({ id, label, created }) => (
          <li key={id}>
            <div>{texts.push.since(label, formatDateTimeFr(created, timeZone))}</div>
            <Button
              size="compact-md"
              variant="default"
              aria-label={texts.push.removeLabel(label)}
              disabled={remove.isPending}
              onClick={() => remove.mutate(id)}
            >
              {texts.push.remove}
            </Button>
          </li>
        ))}
      </ul>
      {failure && (
        <Message kind="error">
          {failure instanceof NotSubscribed ? failure.message : serverErrorText(failure)}
        </Message>
      )}
      {canSubscribe() ? (
        <div className={classes.actions}>
          <Button
            variant="default"
            loading={add.isPending}
            onClick={() => add.mutate(() => subscribe(pushKey))}
          >
            {texts.push.add}
          </Button>
          {add.isSuccess && <span role="status">{texts.push.added}</span>}
        </div>
      ) : (
        <p className={classes.dim}>{texts.push.unsupported}</p>
      )}
    </>
  )
}
