import { Button, PasswordInput, TextInput } from '@mantine/core'
import type { Security, TotpStart } from '@radx/contracts/own-account'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { serverErrorText } from '../../app/api/errors.ts'
import { useSite } from '../../app/site.ts'
import { accountTexts } from '../../texts/account.ts'
import { securityTexts } from '../../texts/security.ts'
import { onEscape, useInlineForm } from '../../ui/inline-form.ts'
import { Message } from '../../ui/Message.tsx'
import {
  addPasskey,
  confirmTotp,
  hasPasskeys,
  removePasskey,
  removeTotp,
  renewCodes,
  securityQuery,
  startTotp,
  useFactorAction,
} from './api.ts'
import classes from './Security.module.css'

const texts = securityTexts.factor

/** What is being done; each asks for the password first. */
type Step =
  | { kind: 'addTotp' | 'addPasskey' | 'removeTotp' | 'renew' }
  | { kind: 'removePasskey'; id: string; name: string }
  | { kind: 'confirmTotp'; start: TotpStart }
  | { kind: 'codes'; codes: string[] }

const keyOf = (step: Step) => (step.kind === 'removePasskey' ? step.id : step.kind)

/** The second factors of one's own account. */
export function SecondFactor() {
  const { data, error } = useQuery(securityQuery)
  const [step, setStep] = useState<Step | null>(null)
  const root = useInlineForm<HTMLDivElement>(step && keyOf(step))
  // What was read stays where it cannot be read again: a form may stand in it, or codes that are shown once.
  if (error && !data) return <Message kind="error">{serverErrorText(error)}</Message>
  if (!data) return <p role="status">{accountTexts.loading}</p>
  const leave = () => setStep(null)
  const showCodes = (codes: string[]) => setStep(codes.length > 0 ? { kind: 'codes', codes } : null)
  return (
    <div ref={root} className={classes.sessions}>
      {data.awaited && <Message kind="warning">{texts.awaited}</Message>}
      {step === null && (
        <>
          <p>{texts.help}</p>
          <Standing security={data} onStep={setStep} />
        </>
      )}
      {step?.kind === 'codes' && <Codes codes={step.codes} onDone={leave} />}
      {step?.kind === 'confirmTotp' && (
        <ConfirmTotp start={step.start} onCodes={showCodes} onCancel={leave} />
      )}
      {step?.kind === 'addTotp' && (
        <WithPassword
          form="addTotp"
          title={texts.addTotp}
          act={startTotp}
          onDone={(start) => setStep({ kind: 'confirmTotp', start })}
          onCancel={leave}
        />
      )}
      {step?.kind === 'addPasskey' && <AddPasskey onCodes={showCodes} onCancel={leave} />}
      {step?.kind === 'removeTotp' && (
        <WithPassword
          form="removeTotp"
          title={texts.removeTotp}
          act={removeTotp}
          onDone={leave}
          onCancel={leave}
        />
      )}
      {step?.kind === 'removePasskey' && (
        <WithPassword
          form={step.id}
          title={texts.removePasskey(step.name)}
          act={(password) => removePasskey(step.id, password)}
          onDone={leave}
          onCancel={leave}
        />
      )}
      {step?.kind === 'renew' && (
        <WithPassword
          form="renew"
          title={texts.renew}
          act={renewCodes}
          onDone={({ codes }) => showCodes(codes)}
          onCancel={leave}
        />
      )}
    </div>
  )
}

function Standing({ security, onStep }: { security: Security; onStep: (step: Step) => void }) {
  const { timeZone } = useSite()
  const at = (instant: string) => formatDateTimeFr(instant, timeZone)
  const { totp, passkeys, recoveryCodes } = security
  const any = totp || passkeys.length > 0
  return (
    <>
      {any ? (
        <ul>
          {totp && (
            <li>
              <div>
                <b>{texts.totp}</b>
                <span>{texts.totpOn}</span>
              </div>
              <Button
                variant="default"
                size="xs"
                aria-label={texts.removeTotp}
                data-opens="removeTotp"
                onClick={() => onStep({ kind: 'removeTotp' })}
              >
                {texts.remove}
              </Button>
            </li>
          )}
          {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
            <li key={id}>
              <div>
                <b>{name}</b>
                <span>
                  {texts.added} {at(createdAt)}
                  {lastUsedAt !== null && `, ${texts.lastUsed} ${at(lastUsedAt)}`}
                </span>
              </div>
              <Button
                variant="default"
                size="xs"
                aria-label={texts.removePasskey(name)}
                data-opens={id}
                onClick={() => onStep({ kind: 'removePasskey', id, name })}
              >
                {texts.remove}
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p>{texts.none}</p>
      )}
      {any && <p className={classes.dim}>{texts.codesLeft(recoveryCodes)}</p>}
      <div className={classes.row}>
        {hasPasskeys() && (
          <Button variant="default" data-opens="addPasskey" onClick={() => onStep({ kind: 'addPasskey' })}>
            {texts.addPasskey}
          </Button>
        )}
        {!totp && (
          <Button variant="default" data-opens="addTotp" onClick={() => onStep({ kind: 'addTotp' })}>
            {texts.addTotp}
          </Button>
        )}
        {any && (
          <Button variant="default" data-opens="renew" onClick={() => onStep({ kind: 'renew' })}>
            {texts.renew}
          </Button>
        )}
      </div>
    </>
  )
}

interface FormProps {
  /** Key of its step. */
  form: string
  title: string
  ready: boolean
  busy: boolean
  error: unknown
  submit: string
  onSubmit: () => void
  onCancel: () => void
  children: ReactNode
}

function StepForm({ form, title, ready, busy, error, submit, onSubmit, onCancel, children }: FormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (ready && !busy) onSubmit()
  }
  return (
    <form
      className={classes.form}
      onSubmit={send}
      onKeyDown={onEscape(onCancel)}
      aria-label={title}
      data-form={form}
      noValidate
    >
      <h3>{title}</h3>
      {children}
      {error != null && <Message kind="error">{serverErrorText(error)}</Message>}
      <div className={classes.row}>
        <Button type="submit" disabled={!ready} loading={busy}>
          {submit}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}

function Password({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <PasswordInput
      label={texts.password}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': accountTexts.showPassword }}
    />
  )
}

interface WithPasswordProps<T> {
  form: string
  title: string
  act: (password: string) => Promise<T>
  onDone: (answer: T) => void
  onCancel: () => void
}

function WithPassword<T>({ form, title, act, onDone, onCancel }: WithPasswordProps<T>) {
  const [password, setPassword] = useState('')
  const action = useFactorAction(act)
  return (
    <StepForm
      form={form}
      title={title}
      ready={password !== ''}
      busy={action.isPending}
      error={action.error}
      submit={texts.go}
      onSubmit={() => action.mutate(password, { onSuccess: onDone })}
      onCancel={onCancel}
    >
      <Password value={password} onChange={setPassword} />
    </StepForm>
  )
}

interface WithCodes {
  onCodes: (codes: string[]) => void
  onCancel: () => void
}

function AddPasskey({ onCodes, onCancel }: WithCodes) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const action = useFactorAction(() => addPasskey(name.trim(), password))
  return (
    <StepForm
      form="addPasskey"
      title={texts.addPasskey}
      ready={name.trim() !== '' && password !== ''}
      busy={action.isPending}
      error={action.error}
      submit={texts.go}
      onSubmit={() => action.mutate(undefined, { onSuccess: ({ codes }) => onCodes(codes) })}
      onCancel={onCancel}
    >
      <TextInput
        label={texts.passkeyName}
        description={texts.passkeyNameHint}
        value={name}
        maxLength={60}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Password value={password} onChange={setPassword} />
    </StepForm>
  )
}

function ConfirmTotp({ start, onCodes, onCancel }: WithCodes & { start: TotpStart }) {
  const [code, setCode] = useState('')
  const action = useFactorAction(confirmTotp)
  return (
    <StepForm
      form="confirmTotp"
      title={texts.addTotp}
      ready={/^\d{6}$/.test(code.replaceAll(' ', ''))}
      busy={action.isPending}
      error={action.error}
      submit={texts.confirm}
      onSubmit={() => action.mutate(code.replaceAll(' ', ''), { onSuccess: ({ codes }) => onCodes(codes) })}
      onCancel={onCancel}
    >
      <p>{texts.scan}</p>
      <img
        className={classes.qr}
        src={`data:image/svg+xml,${encodeURIComponent(start.qr)}`}
        alt={texts.qr}
        width={200}
        height={200}
      />
      <p>
        {texts.secret} <code className={classes.secret}>{start.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <TextInput
        label={texts.code}
        value={code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </StepForm>
  )
}

function Codes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <section className={classes.form} aria-label={texts.codesTitle} data-form="codes">
      <h3 tabIndex={-1} data-autofocus>
        {texts.codesTitle}
      </h3>
      <p>{texts.codesHelp}</p>
      <ol className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={classes.row}>
        <Button onClick={onDone}>{texts.codesKept}</Button>
        <Button variant="default" onClick={() => void copy()}>
          {copied ? texts.copied : texts.copy}
        </Button>
      </div>
    </section>
  )
}
