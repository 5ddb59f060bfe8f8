import { Button, NativeSelect, PasswordInput, Radio } from '@mantine/core'
import type { OwnData } from '@radx/contracts/own-account'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { download } from '../../app/api/download.ts'
import { serverErrorText } from '../../app/api/errors.ts'
import { accountTexts } from '../../texts/account.ts'
import { securityTexts } from '../../texts/security.ts'
import { onEscape, useInlineForm } from '../../ui/inline-form.ts'
import { Message } from '../../ui/Message.tsx'
import { ownDataQuery, useErase } from './api.ts'
import classes from './Security.module.css'

const texts = securityTexts.data

/** What is kept of the person, to take along or to erase. */
export function OwnDataSection() {
  const { data, error } = useQuery(ownDataQuery)
  const [erasing, setErasing] = useState(false)
  const root = useInlineForm<HTMLDivElement>(erasing ? 'erase' : null)
  const take = useMutation({ mutationFn: () => download('/api/users/data.json', 'radx-donnees.json') })
  if (error && !data) return <Message kind="error">{serverErrorText(error)}</Message>
  if (!data) return <p role="status">{accountTexts.loading}</p>
  const count = (n: number) => formatNumberFr(n, 0)
  return (
    <div ref={root} className={classes.sessions}>
      <p>{texts.help}</p>
      <dl className={classes.facts}>
        {texts.facts.map(([key, label]) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{count(data[key])}</dd>
          </div>
        ))}
      </dl>
      {take.error && <Message kind="error">{serverErrorText(take.error)}</Message>}
      {erasing ? (
        <EraseForm data={data} onCancel={() => setErasing(false)} />
      ) : (
        <div className={classes.row}>
          <Button variant="default" loading={take.isPending} onClick={() => take.mutate()}>
            {texts.take}
          </Button>
          <Button variant="default" data-opens="erase" onClick={() => setErasing(true)}>
            {texts.erase}
          </Button>
        </div>
      )}
    </div>
  )
}

function EraseForm({ data, onCancel }: { data: OwnData; onCancel: () => void }) {
  const [password, setPassword] = useState('')
  const [runs, setRuns] = useState<'delete' | 'hand' | null>(null)
  const [to, setTo] = useState(data.managers[0] ?? '')
  const erase = useErase()
  const ready = password !== '' && (runs === 'delete' || (runs === 'hand' && to !== ''))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ready || erase.isPending) return
    erase.mutate({ password, after: runs === 'hand' ? { runs, to } : { runs: 'delete' } })
  }
  return (
    <form
      className={classes.form}
      onSubmit={submit}
      onKeyDown={onEscape(onCancel)}
      aria-label={texts.erase}
      data-form="erase"
      noValidate
    >
      <h3>{texts.erase}</h3>
      <p>{texts.eraseHelp}</p>
      <Radio.Group
        label={texts.runs}
        value={runs ?? ''}
        onChange={(value) => setRuns(value as 'delete' | 'hand')}
      >
        <Radio value="delete" label={texts.deleteRuns} mt={6} />
        <Radio
          value="hand"
          label={texts.handRuns}
          description={data.managers.length === 0 ? texts.noManager : null}
          mt={6}
          disabled={data.managers.length === 0}
        />
      </Radio.Group>
      {runs === 'hand' && (
        <NativeSelect
          label={texts.to}
          value={to}
          data={data.managers}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      )}
      <PasswordInput
        label={securityTexts.current}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': accountTexts.showPassword }}
      />
      {erase.error && <Message kind="error">{serverErrorText(erase.error)}</Message>}
      <div className={classes.row}>
        <Button type="submit" color="red.9" disabled={!ready} loading={erase.isPending}>
          {texts.eraseNow}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {securityTexts.factor.cancel}
        </Button>
      </div>
    </form>
  )
}
