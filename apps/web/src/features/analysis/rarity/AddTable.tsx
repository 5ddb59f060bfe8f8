import { Button, FileButton, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import type { MontanaTableBody } from '@radx/contracts/storms'
import { useState } from 'react'
import { ApiError, genericErrorText } from '../../../app/api/errors.ts'
import { useAddTable } from '../../../storms/api.ts'
import { stormTexts as texts } from '../../../texts/storms.ts'
import { fileText } from '../../../ui/file-text.ts'
import { Message } from '../../../ui/Message.tsx'
import { LineTable } from './LineTable.tsx'
import { type LineText, nextLine, readLines } from './lines.ts'
import classes from './Rarity.module.css'

type Units = MontanaTableBody['units']
const UNITS = Object.keys(texts.unitsOf) as Units[]

/** A table of the account's own, line by line, pasted or read from a file; what cannot be stands at the field. */
export function AddTable({ onAdded }: { onAdded: (id: string) => void }) {
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const [units, setUnits] = useState<Units>('mm-min')
  const [by, setBy] = useState<'lines' | 'csv'>('lines')
  const [lines, setLines] = useState<LineText[]>([nextLine([])])
  const [csv, setCsv] = useState('')
  const [tried, setTried] = useState(false)
  const add = useAddTable()
  const refused = add.error instanceof ApiError && add.error.status === 422 ? add.error.serverMessage : null

  const read = readLines(lines, units)

  const submit = () => {
    setTried(true)
    if (name.trim() === '' || (by === 'csv' ? csv.trim() === '' : read.issues.length > 0)) return
    const source = by === 'csv' ? { csv } : { laws: read.laws }
    add.mutate({ name, note, units, source }, { onSuccess: ({ id }) => onAdded(id) })
  }

  return (
    <details className={classes.add}>
      <summary>{texts.add}</summary>
      <div className={classes.form}>
        <TextInput
          label={texts.name}
          value={name}
          maxLength={120}
          error={tried && name.trim() === '' ? texts.required : null}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label={texts.source}
          value={note}
          maxLength={600}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <NativeSelect
          label={texts.unitsLabel}
          value={units}
          data={UNITS.map((value) => ({ value, label: texts.unitsOf[value] }))}
          onChange={({ currentTarget }) => setUnits(currentTarget.value as Units)}
        />
        <SegmentedControl
          aria-label={texts.by}
          value={by}
          onChange={(value) => setBy(value as 'lines' | 'csv')}
          data={(['lines', 'csv'] as const).map((value) => ({ value, label: texts.byOf[value] }))}
        />
        {by === 'lines' ? (
          <LineTable lines={lines} issues={tried ? read.issues : []} onChange={setLines} />
        ) : (
          <Textarea
            label={texts.csv}
            description={texts.csvHelp}
            placeholder={texts.csvExample}
            autosize
            minRows={4}
            maxRows={12}
            value={csv}
            classNames={{ error: classes.lines }}
            error={refused ?? (tried && csv.trim() === '' ? texts.required : null)}
            onChange={({ currentTarget }) => {
              setCsv(currentTarget.value)
              if (add.isError) add.reset()
            }}
          />
        )}
        <div className={classes.actions}>
          {by === 'csv' && (
            <FileButton
              accept=".csv,.txt,text/csv"
              onChange={(file) => file && void fileText(file).then(setCsv)}
            >
              {(props) => (
                <Button {...props} variant="default">
                  {texts.file}
                </Button>
              )}
            </FileButton>
          )}
          <Button loading={add.isPending} onClick={submit}>
            {texts.save}
          </Button>
        </div>
        {add.error && (refused === null || by === 'lines') && (
          <Message kind="error">{genericErrorText(add.error)}</Message>
        )}
        {add.data?.remarksFr?.map((remark) => (
          <Message key={remark} kind="warning">
            {remark}
          </Message>
        ))}
      </div>
    </details>
  )
}
