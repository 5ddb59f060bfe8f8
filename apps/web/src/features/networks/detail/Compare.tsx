import { Button, FileButton, NativeSelect } from '@mantine/core'
import type { NetworkComparison, NetworkRun } from '@radx/contracts/networks'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { punctuated } from '@radx/locale/punctuation-fr'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { networkTexts } from '../../../texts/networks.ts'
import { Message } from '../../../ui/Message.tsx'
import { compareWithFile, comparisonQuery } from '../api.ts'
import classes from '../Networks.module.css'
import { rainName } from './RunList.tsx'

const texts = networkTexts.compare
/** Rows of a table: those that differ most. */
const FIRST = 20

const TABLES = ['links', 'nodes', 'runoffPeaks', 'runoffDepths'] as const

interface Props {
  run: NetworkRun
  others: readonly NetworkRun[]
}

/** Sets a run beside another one, or beside a result of EPA SWMM. */
export function Compare({ run, others }: Props) {
  const { timeZone } = useSite()
  const [other, setOther] = useState('')
  const own = useQuery(comparisonQuery(run.id, other))
  const theirs = useMutation({ mutationFn: (file: File) => compareWithFile(run.id, file) })
  const choices = others.filter(({ id, status, result }) => id !== run.id && status === 'done' && result)
  const shown = other === '' ? theirs.data : own.data
  const chosen = choices.find(({ id }) => id === other)
  const named = (one: NetworkRun) => `${formatDateTimeFr(one.createdAt, timeZone)}, ${rainName(one)}`
  const error = other === '' ? theirs.error : own.error
  return (
    <section aria-labelledby="compare" className={classes.panel}>
      <h2 id="compare">{texts.title}</h2>
      <p className={classes.dim}>{texts.help}</p>
      <div className={classes.actions}>
        {choices.length > 0 && (
          <NativeSelect
            aria-label={texts.other}
            value={other}
            onChange={({ currentTarget }) => setOther(currentTarget.value)}
            data={[
              { value: '', label: `${texts.other} : ${texts.none}` },
              ...choices.map((one) => ({
                value: one.id,
                label: named(one),
              })),
            ]}
          />
        )}
        <FileButton
          accept=".rpt,.out"
          onChange={(file) => {
            if (!file || theirs.isPending) return
            setOther('')
            theirs.mutate(file)
          }}
        >
          {(props) => (
            <Button {...props} variant="default" loading={theirs.isPending}>
              {texts.upload}
            </Button>
          )}
        </FileButton>
      </div>
      {other !== '' && own.isPending && <p role="status">{texts.waiting}</p>}
      {error && <Message kind="error">{serverErrorText(error)}</Message>}
      {shown && <Comparison comparison={shown} name={chosen ? texts.run(named(chosen)) : shown.name} />}
    </section>
  )
}

interface ComparisonProps {
  comparison: NetworkComparison
  /** Of the other one. */
  name: string
}

function Comparison({ comparison: { sampled, doubts, ...tables }, name }: ComparisonProps) {
  return (
    <div data-testid="network-comparison">
      <h3>{texts.with(name)}</h3>
      {sampled && <p className={classes.dim}>{texts.sampled}</p>}
      {doubts.map((doubt) => (
        <Message key={doubt} kind="warning">
          {punctuated(doubt)}
        </Message>
      ))}
      <div className={classes.columns}>
        {TABLES.filter((of) => tables[of].common > 0).map((of) => (
          <Table key={of} title={texts[of]} table={tables[of]} />
        ))}
      </div>
    </div>
  )
}

function Table({ title, table }: { title: string; table: NetworkComparison['links'] }) {
  const { unit, common, ranked, medianPercent, p95Percent, rows } = table
  const { columns } = texts
  const percent = (value: number) => formatNumberFr(value, 2)
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <caption>
          {title} ({unit})
          <br />
          <small>{texts.facts(common, ranked, percent(medianPercent), percent(p95Percent))}</small>
        </caption>
        <thead>
          <tr>
            {[columns.name, columns.theirs, columns.ours, `${columns.difference} (%)`].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, FIRST).map((row) => (
            <tr key={row.name}>
              <th scope="row">
                {row.name} {row.doubtful && <small>{texts.doubtful}</small>}
              </th>
              <td>{formatNumberFr(row.theirs, 3)}</td>
              <td>{formatNumberFr(row.ours, 3)}</td>
              <td>{formatNumberFr(row.difference, 2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > FIRST && <p className={classes.dim}>{texts.rest(rows.length - FIRST)}</p>}
    </div>
  )
}
