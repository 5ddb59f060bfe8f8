import { Button, Checkbox, TextInput } from '@mantine/core'
import { ROLE_CATCHMENTS, ROLE_MANAGER, ROLES, USERNAME_MAX } from '@radx/contracts/accounts'
import type { AdminAccount } from '@radx/contracts/administration'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError, serverErrorText } from '../../../app/api/errors.ts'
import { useAuth } from '../../../app/auth/store.ts'
import { useSite } from '../../../app/site.ts'
import { administrationTexts } from '../../../texts/administration.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { onEscape, questionKeys, useInlineForm } from '../../../ui/inline-form.ts'
import { Message } from '../../../ui/Message.tsx'
import { useOneAtATime } from '../../../ui/one-at-a-time.ts'
import classes from '../AdminScreen.module.css'
import { type Made, useAccountAction, useSaveAccount } from './api.ts'
import { dayOf, instantOf } from './days.ts'

const texts = administrationTexts.accounts

interface Props {
  /** Null for a new one. */
  account: AdminAccount | null
  layers: string[]
  onLink: (made: Made) => void
  onClose: () => void
}

/** What the form holds of an account. */
interface Draft {
  manager: boolean
  catchments: boolean
  /** First and last day as the fields have them, `YYYY-MM-DD` or empty; null while one is not written whole. */
  from: string | null
  to: string | null
  shapefiles: string[]
}

const draftOf = (account: AdminAccount | null, timeZone: string): Draft => ({
  manager: account?.roles.includes(ROLE_MANAGER) ?? false,
  catchments: account?.roles.includes(ROLE_CATCHMENTS) ?? false,
  from: dayOf(account?.restriction.start ?? null, timeZone),
  to: dayOf(account?.restriction.end ?? null, timeZone),
  shapefiles: account?.shapefiles ?? [],
})

/** Rights of one account. What somebody else changed meanwhile is not overwritten: the server refuses, and it is read again. */
export function AccountForm({ account, layers, onLink, onClose }: Props) {
  const { civilZone: timeZone } = useSite()
  const [name, setName] = useState('')
  const [draft, setDraft] = useState(() => draftOf(account, timeZone))
  // The edition that the form shows, whatever is read meanwhile.
  const [version, setVersion] = useState(account?.version ?? 1)
  const form = useRef<HTMLFormElement>(null)
  const save = useSaveAccount()
  const once = useOneAtATime()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { from, to } = draft
    if (from === null || to === null) return
    const settings = {
      roles: ROLES.filter((role) => (role === ROLE_MANAGER ? draft.manager : draft.catchments)),
      restriction: {
        start: instantOf(from, account?.restriction.start ?? null, timeZone),
        end: instantOf(to, account?.restriction.end ?? null, timeZone),
      },
      shapefiles: draft.shapefiles,
    }
    const body = account ? { id: account.id, version, ...settings } : { name: name.trim(), ...settings }
    const onSuccess = (link: Made['link'] | null) => {
      if (link) onLink({ name: name.trim(), link })
      onClose()
    }
    once((ended) => save.mutate(body, { onSuccess, onSettled: ended }))
  }
  const showTheirs = () => {
    setDraft(draftOf(account, timeZone))
    setVersion(account?.version ?? 1)
    save.reset()
    form.current?.querySelector('input')?.focus()
  }
  const title = account ? texts.editLabel(account.name) : texts.create
  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={submit}
      onKeyDown={onEscape(onClose)}
      aria-label={title}
      data-form={account?.id ?? 'new'}
      noValidate
    >
      <h3>{title}</h3>
      {!account && (
        <TextInput
          label={texts.name}
          description={texts.nameHint}
          value={name}
          maxLength={USERNAME_MAX}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <Fields draft={draft} layers={layers} onChange={(change) => setDraft({ ...draft, ...change })} />
      {save.error && <Refused error={save.error} onTheirs={showTheirs} />}
      <div className={classes.bar}>
        <Button
          type="submit"
          loading={save.isPending}
          disabled={(!account && name.trim().length < 2) || draft.from === null || draft.to === null}
        >
          {account ? texts.save : texts.create}
        </Button>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
      {account && <Actions account={account} onLink={onLink} onClose={onClose} />}
    </form>
  )
}

function Fields({
  draft,
  layers,
  onChange,
}: {
  draft: Draft
  layers: string[]
  onChange: (change: Partial<Draft>) => void
}) {
  return (
    <>
      <Checkbox
        label={texts.manager}
        checked={draft.manager}
        onChange={(event) => onChange({ manager: event.currentTarget.checked })}
      />
      <Checkbox
        label={texts.catchments}
        description={texts.catchmentsHint}
        checked={draft.catchments}
        onChange={(event) => onChange({ catchments: event.currentTarget.checked })}
      />
      <DateField
        label={texts.from}
        description={texts.datesHint}
        value={draft.from}
        onChange={(from) => onChange({ from })}
      />
      <DateField label={texts.to} value={draft.to} onChange={(to) => onChange({ to })} />
      {layers.length > 0 && (
        <Checkbox.Group
          label={texts.layers}
          value={draft.shapefiles}
          onChange={(shapefiles) => onChange({ shapefiles })}
        >
          {layers.map((layer) => (
            <Checkbox key={layer} value={layer} label={layer} mt={4} />
          ))}
        </Checkbox.Group>
      )}
    </>
  )
}

/** Why nothing was saved; what another manager set meanwhile can be put into the form. */
function Refused({ error, onTheirs }: { error: unknown; onTheirs: () => void }) {
  const changed = error instanceof ApiError && error.code === 'accounts.changed'
  return (
    <Message
      kind="error"
      action={
        changed && (
          <Button variant="default" size="xs" onClick={onTheirs}>
            {texts.theirs}
          </Button>
        )
      }
    >
      {serverErrorText(error)}
    </Message>
  )
}

function Actions({ account, onLink, onClose }: Omit<Props, 'layers'> & { account: AdminAccount }) {
  const action = useAccountAction(account.id)
  const own = useAuth((state) => state.name) === account.name
  const [asked, setAsked] = useState<'disable' | 'end-sessions' | 'remove-factors' | null>(null)
  const root = useInlineForm<HTMLFieldSetElement>(asked)
  const act = (what: 'disable' | 'enable' | 'end-sessions' | 'remove-factors') =>
    action.mutate(what, { onSuccess: onClose })
  return (
    <fieldset ref={root} className={classes.actions}>
      <legend>{texts.actions}</legend>
      {action.error && <Message kind="error">{serverErrorText(action.error)}</Message>}
      {asked !== null ? (
        <div data-form={asked} {...questionKeys(() => setAsked(null))}>
          <p>{texts.sure[asked](account.name)}</p>
          <div className={classes.bar}>
            <Button color="red.9" loading={action.isPending} onClick={() => act(asked)}>
              {texts.act[asked]}
            </Button>
            <Button variant="default" data-autofocus onClick={() => setAsked(null)}>
              {texts.cancel}
            </Button>
          </div>
        </div>
      ) : (
        <div className={classes.bar}>
          {own ? (
            <p>{texts.own}</p>
          ) : (
            <Button
              variant="default"
              data-opens="link"
              loading={action.isPending}
              onClick={() =>
                action.mutate('link', {
                  onSuccess: (link) => link && onLink({ name: account.name, link }),
                })
              }
            >
              {texts.act.link}
            </Button>
          )}
          {account.lastUsedAt !== null && (
            <Button variant="default" data-opens="end-sessions" onClick={() => setAsked('end-sessions')}>
              {texts.act['end-sessions']}
            </Button>
          )}
          {account.secondFactor && !own && (
            <Button variant="default" data-opens="remove-factors" onClick={() => setAsked('remove-factors')}>
              {texts.act['remove-factors']}
            </Button>
          )}
          {account.disabled ? (
            <Button variant="default" loading={action.isPending} onClick={() => act('enable')}>
              {texts.act.enable}
            </Button>
          ) : (
            <Button variant="default" data-opens="disable" onClick={() => setAsked('disable')}>
              {texts.act.disable}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  )
}
