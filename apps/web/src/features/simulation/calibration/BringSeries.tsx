import { Button, FileButton, NativeSelect, Textarea } from '@mantine/core'
import type { ObservedColumns } from '@radx/contracts/calibration'
import { OBSERVED_CSV_MAX } from '@radx/contracts/calibration-constants'
import { formatSpan } from '@radx/locale/duration'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSite } from '../../../app/site.ts'
import { measuredTexts as texts } from '../../../texts/calibration.ts'
import { fileText } from '../../../ui/file-text.ts'
import { Message } from '../../../ui/Message.tsx'
import { readColumns } from './api.ts'
import classes from './Calibration.module.css'
import { SeriesFields } from './SeriesFields.tsx'
import { refusalText } from './words.ts'

interface Props {
  catchmentId: string
  /** A run whose network names the places; null without one. */
  jobId: string | null
}

/** A table of measurements, pasted or from a file: what it holds, or what is wrong with it, then a place for a column. */
export function BringSeries({ catchmentId, jobId }: Props) {
  const { civilZone } = useSite()
  const [table, setTable] = useState({ csv: '', fileName: '', timeZone: civilZone })
  const file = { ...table, fileName: table.fileName === '' ? texts.pasted : table.fileName }
  const read = useMutation({ mutationFn: readColumns })
  const [kept, setKept] = useState<string | null>(null)
  const change = (part: Partial<typeof table>) => {
    setTable((before) => ({ ...before, ...part }))
    setKept(null)
    read.reset()
  }
  const isLong = table.csv.length > OBSERVED_CSV_MAX
  return (
    <details className={classes.bring}>
      <summary>{texts.bring}</summary>
      <div className={classes.form}>
        <p className={classes.note}>{texts.bringHelp}</p>
        <div>
          <FileButton
            accept=".csv,.txt,.tsv,text/csv"
            onChange={(chosen) =>
              chosen && void fileText(chosen).then((csv) => change({ csv, fileName: chosen.name }))
            }
          >
            {(props) => (
              <Button {...props} variant="default">
                {table.fileName === '' ? texts.file : texts.fileNamed(table.fileName)}
              </Button>
            )}
          </FileButton>
        </div>
        <Textarea
          label={texts.text}
          placeholder={texts.example}
          autosize
          minRows={4}
          maxRows={10}
          spellCheck={false}
          value={table.csv}
          error={isLong ? texts.tooLong : undefined}
          onChange={({ currentTarget }) => change({ csv: currentTarget.value, fileName: '' })}
        />
        <NativeSelect
          label={texts.timeZone}
          description={texts.timeZoneHelp}
          value={table.timeZone}
          data={[
            { value: civilZone, label: texts.zones.site(civilZone) },
            ...(civilZone === 'UTC' ? [] : [{ value: 'UTC', label: texts.zones.utc }]),
            { value: '+01:00', label: texts.zones.winter },
            { value: '+02:00', label: texts.zones.summer },
          ]}
          onChange={({ currentTarget }) => change({ timeZone: currentTarget.value })}
        />
        <Button
          className={classes.start}
          variant={read.data ? 'default' : 'filled'}
          disabled={table.csv.trim() === '' || isLong}
          loading={read.isPending}
          onClick={() => {
            setKept(null)
            read.mutate(file)
          }}
        >
          {texts.check}
        </Button>
        {read.error && <Message kind="error">{refusalText(read.error)}</Message>}
        {read.data && (
          <>
            <Found found={read.data} />
            <SeriesFields
              key={read.submittedAt}
              {...{ catchmentId, jobId, file, found: read.data }}
              onKept={setKept}
            />
          </>
        )}
        {kept !== null && <p role="status">{texts.kept(kept)}</p>}
      </div>
    </details>
  )
}

/** What the table holds, and what was noticed in it. */
function Found({ found: { first, last, count, stepS, gaps, remarksFr } }: { found: ObservedColumns }) {
  const { timeZone } = useSite()
  const moment = (at: string) => formatDateTimeFr(at, timeZone)
  return (
    <>
      <p role="status">
        {texts.read(count, formatSpan(stepS))} {texts.covers(moment(first), moment(last))}{' '}
        {gaps > 0 && texts.gaps(gaps)}
      </p>
      {remarksFr.map((remark) => (
        <Message key={remark} kind="warning">
          {remark}
        </Message>
      ))}
    </>
  )
}
