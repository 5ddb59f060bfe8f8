import { Button, Checkbox, NumberInput, TextInput } from '@mantine/core'
import {
  type NewToken,
  type OwnToken,
  type OwnTokens,
  TOKEN_DAYS_DEFAULT,
  TOKEN_DAYS_MAX,
  TOKEN_NAME_MAX,
  type TokenScope,
} from '@radx/contracts/access-tokens'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { civilDayRange } from '@radx/locale/time'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { serverErrorText } from '../../app/api/errors.ts'
import { useSite } from '../../app/site.ts'
import { accountTexts } from '../../texts/account.ts'
import { tokenTexts as texts } from '../../texts/tokens.ts'
import { DateField } from '../../ui/DateField.tsx'
import { onEscape, useInlineForm } from '../../ui/inline-form.ts'
import { Message } from '../../ui/Message.tsx'
import { useOneAtATime } from '../../ui/one-at-a-time.ts'
import { ownTokensQuery, useNewToken, useRevokeToken } from './api.ts'
import classes from './Security.module.css'

/** Tokens with which other programs read and act for the account. */
export function AccessTokens() {
  const { data, error } = useQuery(ownTokensQuery)
  const revoke = useRevokeToken()
  const [open, setOpen] = useState<'new' | NewToken | null>(null)
  const root = useInlineForm<HTMLDivElement>(open === null ? null : open === 'new' ? 'token' : 'shown')
  if (error && !data) return <Message kind="error">{texts.failed}</Message>
  if (!data) return <p role="status">{accountTexts.loading}</p>
  return (
    <div ref={root} className={classes.sessions}>
      <p>{texts.help}</p>
      {data.tokens.length === 0 ? (
        <p className={classes.dim}>{texts.none}</p>
      ) : (
        <ul>
          {data.tokens.map((token) => (
            <TokenLine
              key={token.id}
              token={token}
              busy={revoke.isPending}
              onRevoke={() => revoke.mutate(token.id)}
            />
          ))}
        </ul>
      )}
      {revoke.error && <Message kind="error">{serverErrorText(revoke.error)}</Message>}
      <p className={classes.dim} aria-live="polite">
        {revoke.isSuccess && texts.revoked}
      </p>
      {open === null && (
        <Button variant="default" data-opens="token" onClick={() => setOpen('new')}>
          {texts.add}
        </Button>
      )}
      {open === 'new' && <TokenForm scopes={data.scopes} onMade={setOpen} onCancel={() => setOpen(null)} />}
      {open !== null && open !== 'new' && <TokenShown made={open} onDone={() => setOpen(null)} />}
    </div>
  )
}

function TokenLine({ token, busy, onRevoke }: { token: OwnToken; busy: boolean; onRevoke: () => void }) {
  const { timeZone } = useSite()
  const at = (instant: string) => formatDateTimeFr(instant, timeZone)
  const dates = [token.from, token.to].map((instant) => (instant === null ? null : at(instant)))
  return (
    <li>
      <div>
        <b>{token.name}</b>
        {token.scopes.map((scope) => (
          <span key={scope}>{texts.scope[scope]}</span>
        ))}
        {dates.some((date) => date !== null) && <span>{texts.dates(dates[0], dates[1])}</span>}
        <span>
          {texts.expires(at(token.expiresAt))}{' '}
          {token.lastUsedAt === null ? texts.unused : texts.used(at(token.lastUsedAt), token.address)}
        </span>
      </div>
      <Button
        variant="default"
        size="xs"
        disabled={busy}
        aria-label={texts.revokeLabel(token.name)}
        onClick={onRevoke}
      >
        {texts.revoke}
      </Button>
    </li>
  )
}

interface FormProps {
  scopes: OwnTokens['scopes']
  onMade: (made: NewToken) => void
  onCancel: () => void
}

function TokenForm({ scopes: offered, onMade, onCancel }: FormProps) {
  const { timeZone } = useSite()
  const make = useNewToken()
  const once = useOneAtATime()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<TokenScope[]>(['read'])
  const [days, setDays] = useState<number | string>(TOKEN_DAYS_DEFAULT)
  const [from, setFrom] = useState<string | null>('')
  const [to, setTo] = useState<string | null>('')
  const life = Number(days)
  const lives = days !== '' && Number.isInteger(life) && life >= 1 && life <= TOKEN_DAYS_MAX
  const ready = name.trim() !== '' && scopes.length > 0 && lives
  const instant = (day: string) =>
    day === '' ? null : new Date(civilDayRange(day, timeZone).startMs).toISOString()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ready || from === null || to === null) return
    const body = { name: name.trim(), scopes, days: life, from: instant(from), to: instant(to) }
    once((ended) => make.mutate(body, { onSuccess: onMade, onSettled: ended }))
  }
  return (
    <form
      className={classes.form}
      aria-label={texts.add}
      data-form="token"
      onSubmit={submit}
      onKeyDown={onEscape(onCancel)}
      noValidate
    >
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        value={name}
        maxLength={TOKEN_NAME_MAX}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group
        label={texts.scopes}
        value={scopes}
        onChange={(given) => setScopes(given as TokenScope[])}
      >
        {offered.map((scope) => (
          <Checkbox key={scope} value={scope} label={texts.scope[scope]} mt={8} />
        ))}
      </Checkbox.Group>
      <NumberInput
        label={texts.days}
        description={texts.daysHint(TOKEN_DAYS_MAX)}
        value={days}
        min={1}
        max={TOKEN_DAYS_MAX}
        allowDecimal={false}
        clampBehavior="none"
        error={!lives && days !== '' ? texts.daysHint(TOKEN_DAYS_MAX) : null}
        onChange={setDays}
      />
      <DateField label={texts.from} description={texts.datesHint} value={from} onChange={setFrom} />
      <DateField label={texts.to} value={to} onChange={setTo} />
      {make.error && <Message kind="error">{serverErrorText(make.error)}</Message>}
      <div className={classes.row}>
        <Button type="submit" disabled={!ready || from === null || to === null} loading={make.isPending}>
          {texts.create}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}

function TokenShown({ made, onDone }: { made: NewToken; onDone: () => void }) {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(made.token).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  const title = texts.shown(made.created.name)
  return (
    <section className={classes.form} aria-label={title} data-form="shown">
      <p role="status">{texts.shownHelp}</p>
      <TextInput
        label={title}
        value={made.token}
        readOnly
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className={classes.row}>
        <Button onClick={() => void copy()}>{copied ? texts.copied : texts.copy}</Button>
        <Button variant="default" onClick={onDone}>
          {texts.kept}
        </Button>
      </div>
    </section>
  )
}
