import { Button, Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import type { Reprocessed, ReprocessingParameters } from '@radx/contracts/reprocessing'
import { countFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { useOrder } from '../../../jobs/useOrder.ts'
import { reprocessingTexts as texts } from '../../../texts/reprocessing.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Message } from '../../../ui/Message.tsx'
import { instantOf, localText } from '../../../ui/moments.ts'
import { TextButton } from '../../../ui/TextButton.tsx'
import classes from '../AdminScreen.module.css'
import { newestVolumeQuery, useProductsChanged } from './api.ts'
import { type Draft, horizonOf, horizonText, NO_CHANGE, parametersOf } from './draft.ts'

const DAY_MS = 86_400_000
const NAME_MAX = 32
const TITLE_MAX = 80

interface Props {
  /** What stands where a field is left empty. */
  site: ReprocessingParameters
}

/** Orders a reprocessing, and tells how it stands. */
export function OrderForm({ site }: Props) {
  const { products, timeZone, defaultProduct } = useSite()
  const [chosen, setChosen] = useState<string | null>(null)
  // Where nothing was chosen, the product of the newest volume: most products are of none.
  const newest = useQuery(newestVolumeQuery).data?.[0]
  const source = chosen ?? newest?.product ?? defaultProduct
  const [name, setName] = useState('')
  const [longName, setLongName] = useState('')
  const [from, setFrom] = useState<string | null>(() => localText(Date.now() - DAY_MS, timeZone))
  const [to, setTo] = useState<string | null>(() => localText(Date.now(), timeZone))
  const [draft, setDraft] = useState(NO_CHANGE)
  const [replace, setReplace] = useState(false)
  const order = useOrder('/api/job/reprocessing')
  const changed = useProductsChanged()
  const { done, busy } = order
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is over
  useEffect(() => {
    if (done) changed()
  }, [done])
  const [startMs, endMs] = [instantOf(from, timeZone), instantOf(to, timeZone)]
  const parameters = parametersOf(draft)
  const isWhole = name !== '' && startMs !== null && endMs !== null && parameters !== null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isWhole) return
    const [start, end] = [startMs, endMs].map((ms) => new Date(ms).toISOString())
    const title = longName.trim() === '' ? {} : { longName }
    order.place({ source, name, ...title, start, end, parameters, replace })
  }
  return (
    <form className={classes.form} aria-label={texts.title} onSubmit={submit} noValidate>
      <NativeSelect
        label={texts.source}
        value={source}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        data={products.map(({ shortName, longName }) => ({
          value: shortName,
          label: `${longName} (${shortName})`,
        }))}
      />
      <DateField withTime label={texts.from} value={from} onChange={setFrom} />
      <DateField withTime label={texts.to} value={to} onChange={setTo} />
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        value={name}
        maxLength={NAME_MAX}
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => setName(currentTarget.value.trim())}
      />
      <TextInput
        label={texts.longName}
        value={longName}
        maxLength={TITLE_MAX}
        onChange={({ currentTarget }) => setLongName(currentTarget.value)}
      />
      <Parameters site={site} draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
      <Checkbox
        label={texts.replace}
        checked={replace}
        onChange={({ currentTarget }) => setReplace(currentTarget.checked)}
      />
      <Button type="submit" disabled={!isWhole || busy} loading={order.order.isPending}>
        {texts.submit}
      </Button>
      <State order={order} />
    </form>
  )
}

interface ParametersProps extends Props {
  draft: Draft
  onChange: (change: Partial<Draft>) => void
}

function Parameters({ site, draft, onChange }: ParametersProps) {
  const field = (
    key: Exclude<keyof Draft, 'noPhase' | 'noHorizon' | 'horizon'>,
    kept: number | undefined,
  ) => (
    <NumberInput
      mt={8}
      label={texts[key]}
      value={draft[key]}
      placeholder={kept === undefined ? texts.ofBand : String(kept).replace('.', ',')}
      decimalSeparator=","
      allowNegative={false}
      hideControls
      onChange={(value) => onChange({ [key]: value })}
    />
  )
  return (
    <fieldset className={classes.actions}>
      <legend>{texts.parameters}</legend>
      {field('sweeps', site.sweeps)}
      {field('highestDeg', site.highestDeg)}
      {field('alpha', site.alpha)}
      {field('b', site.b)}
      {field('rainA', site.rainOfA?.a)}
      {field('rainB', site.rainOfA?.b)}
      <NativeSelect
        mt={8}
        label={texts.noPhase}
        value={draft.noPhase}
        onChange={({ currentTarget }) => onChange({ noPhase: currentTarget.value as Draft['noPhase'] })}
        data={[
          { value: '', label: texts.ofSite },
          ...Object.entries(texts.noPhases).map(([value, label]) => ({ value, label })),
        ]}
      />
      {(site.horizon?.length ?? 0) > 0 && (
        <Checkbox
          mt={8}
          label={texts.noHorizon}
          checked={draft.noHorizon}
          onChange={({ currentTarget }) => onChange({ noHorizon: currentTarget.checked })}
        />
      )}
      {!draft.noHorizon && (
        <Textarea
          mt={8}
          label={texts.horizon}
          description={texts.horizonHint}
          value={draft.horizon}
          placeholder={horizonText(site.horizon ?? [])}
          error={horizonOf(draft.horizon) === null ? texts.horizonWrong : undefined}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          onChange={({ currentTarget }) => onChange({ horizon: currentTarget.value })}
        />
      )}
    </fieldset>
  )
}

/** How an order stands, and the way to cancel it. */
function State({
  order: { job, running, progress, lineError, error, order, cancel },
}: {
  order: ReturnType<typeof useOrder>
}) {
  const made = job?.status === 'done' ? (job.result as Reprocessed | null) : null
  const failure = order.error ?? error ?? cancel.error
  return (
    <>
      {running && (
        <p role="status">
          {progress.max > 0 ? texts.making(progress.value, progress.max) : texts.waiting}{' '}
          <TextButton disabled={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
            {cancel.isSuccess ? texts.cancelling : texts.cancel}
          </TextButton>
        </p>
      )}
      {lineError !== null && <Message kind="warning">{lineError}</Message>}
      {made && <p role="status">{texts.done(countFr(made.frames, 'image'), restOf(made))}</p>}
      {job?.status === 'error' && (
        <Message kind={cancel.isSuccess ? 'nfo' : 'error'}>
          {cancel.isSuccess ? texts.cancelled : (job.output?.error ?? texts.failed)}
        </Message>
      )}
      {failure && <Message kind="error">{genericErrorText(failure)}</Message>}
    </>
  )
}

const restOf = ({ lost, others }: Reprocessed): string =>
  (lost > 0 ? texts.lost(countFr(lost, 'volume')) : '') +
  (others > 0 ? texts.others(countFr(others, 'image')) : '')
