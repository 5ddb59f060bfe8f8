import { Button, FileButton, NativeSelect, NumberInput, Textarea } from '@mantine/core'
import type { GaugeUpload } from '@radx/contracts/gauges'
import { punctuated } from '@radx/locale/punctuation-fr'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, genericErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { gaugeComparisonTexts as texts } from '../../../texts/gauge-comparison.ts'
import { AskedRemoval } from '../../../ui/AskedRemoval.tsx'
import { fileText } from '../../../ui/file-text.ts'
import { Message } from '../../../ui/Message.tsx'
import { gaugesQuery, useAddGauges, useRemoveGauge } from './api.ts'
import classes from './GaugeComparison.module.css'

type Unit = keyof typeof texts.units

/** Depths that a tip of a bucket can have, mm. */
const TIP_MM = { least: 0.01, most: 10 }

/** What the server says of a file stands as it is: it names line and column. */
const refusal = (error: Error) =>
  error instanceof ApiError && error.serverMessage ? punctuated(error.serverMessage) : genericErrorText(error)

/** Gauges of the account: what it has, and a CSV with more. */
export function OwnGauges() {
  const { civilZone: timeZone } = useSite()
  const gauges = useQuery(gaugesQuery)
  const own = gauges.data?.filter(({ owner }) => owner === 'user') ?? []
  const add = useAddGauges()
  const remove = useRemoveGauge()
  const [csv, setCsv] = useState('')
  const [name, setName] = useState('pluviometres.csv')
  const [unit, setUnit] = useState<Unit>('auto')
  // As it stands in the field: half a number is none yet.
  const [tip, setTip] = useState<number | string>(0.2)
  const [zone, setZone] = useState('UTC')
  const tipMm = Number(tip)
  const isTipWrong = unit === 'tips' && !(tipMm >= TIP_MM.least && tipMm <= TIP_MM.most)
  const submit = () => {
    if (csv.trim() === '' || isTipWrong) return
    const body: GaugeUpload = {
      csv,
      name,
      timeZone: zone,
      ...(unit === 'auto' ? {} : { unit }),
      ...(unit === 'tips' && { tipMm }),
    }
    // What was pasted meanwhile is another file.
    add.mutate(body, { onSuccess: () => setCsv((now) => (now === csv ? '' : now)) })
  }
  return (
    <details className={classes.add}>
      <summary>{texts.add}</summary>
      <div className={classes.form}>
        {own.length > 0 && (
          <ul className={classes.own} aria-label={texts.own}>
            {own.map((gauge) => (
              <li key={gauge.id}>
                {gauge.name}
                <AskedRemoval
                  label={texts.removed}
                  name={texts.remove(gauge.name)}
                  ask={texts.removeAsk(gauge.name)}
                  onYes={() => remove.mutate(gauge.id)}
                />
              </li>
            ))}
          </ul>
        )}
        <div className={classes.bar}>
          <NativeSelect
            label={texts.unit}
            value={unit}
            data={Object.entries(texts.units).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget }) => setUnit(currentTarget.value as Unit)}
          />
          {unit === 'tips' && (
            <NumberInput
              label={texts.tip}
              value={tip}
              min={TIP_MM.least}
              max={TIP_MM.most}
              step={0.1}
              decimalSeparator=","
              error={isTipWrong ? texts.tipRange : null}
              onChange={setTip}
            />
          )}
          <NativeSelect
            label={texts.zone}
            value={zone}
            data={[
              { value: 'UTC', label: texts.zones.UTC },
              { value: timeZone, label: texts.zones.site(timeZone) },
              { value: 'Etc/GMT-1', label: texts.zones['Etc/GMT-1'] },
            ]}
            onChange={({ currentTarget }) => setZone(currentTarget.value)}
          />
        </div>
        <Textarea
          label={texts.csv}
          description={texts.addHelp}
          placeholder={texts.csvExample}
          autosize
          minRows={4}
          maxRows={10}
          value={csv}
          classNames={{ error: classes.lines }}
          error={add.error ? refusal(add.error) : null}
          onChange={({ currentTarget }) => {
            setCsv(currentTarget.value)
            if (add.isError) add.reset()
          }}
        />
        <div className={classes.bar}>
          <FileButton
            accept=".csv,.txt,text/csv"
            onChange={(file) => {
              if (!file) return
              setName(file.name)
              void fileText(file).then(setCsv)
            }}
          >
            {(props) => (
              <Button {...props} variant="default">
                {texts.file}
              </Button>
            )}
          </FileButton>
          <Button loading={add.isPending} disabled={csv.trim() === '' || isTipWrong} onClick={submit}>
            {texts.save}
          </Button>
        </div>
        {remove.error && <Message kind="error">{refusal(remove.error)}</Message>}
        {add.data && (
          <Message kind="nfo">
            {texts.added(
              add.data.gauges.length,
              add.data.gauges.reduce((sum, { readings }) => sum + readings, 0),
            )}
          </Message>
        )}
        {add.data?.remarksFr.map((remark) => (
          <Message key={remark} kind="warning">
            {punctuated(remark)}
          </Message>
        ))}
      </div>
    </details>
  )
}
