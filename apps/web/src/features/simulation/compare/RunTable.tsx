import { Button } from '@mantine/core'
import { formatNumberFr, MISSING_FR } from '@radx/locale/format-fr'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { saveCsv } from '../../../app/csv.ts'
import { compareTexts as texts } from '../../../texts/compare.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import table from '../parts/Table.module.css'
import type { CompareAddress } from './address.ts'
import classes from './Compare.module.css'
import { compareCsv, QUANTITIES, type Quantity, type QuantityKey, sortRows } from './quantities.ts'
import { nextSort, SortHead } from './SortHead.tsx'
import type { ComparedRun } from './useRuns.ts'

interface Props {
  runs: readonly ComparedRun[]
  address: CompareAddress
  change(values: Partial<CompareAddress>): void
  onRemove(id: string): void
}

/** A row a run, a column a number; against the base each number says how it differs. */
export function RunTable({ runs, address: { sort, base }, change, onRemove }: Props) {
  const order = sort ? sortRows(runs, sort.by, sort.ascending) : runs
  const rows = order.map(({ id }) => runs.find((run) => run.id === id)!)
  const baseRun = runs.find(({ id }) => id === base)
  const sortBy = (by: QuantityKey) => change({ sort: nextSort(sort, by) })
  return (
    <section aria-label={texts.table}>
      <div className={classes.bar}>
        <h2>{texts.table}</h2>
        <Button variant="default" onClick={() => saveCsv(compareCsv(rows), texts.file)}>
          {texts.download}
        </Button>
      </div>
      <div className={table.scroll}>
        <table className={`${table.table} ${classes.runs}`} aria-label={texts.table}>
          <thead>
            <tr>
              {texts.about.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              {QUANTITIES.map(({ key }) => (
                <SortHead key={key} of={key} sort={sort} onSort={() => sortBy(key)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((run) => (
              <tr key={run.id} data-base={run.id === base || undefined}>
                <th scope="row">
                  <div>
                    <IconButton label={texts.remove(run.title)} onClick={() => onRemove(run.id)}>
                      <IconX size={16} stroke={1.75} />
                    </IconButton>
                    {run.item ? <Link to={`/multihydro/${run.id}/espace`}>{run.title}</Link> : run.title}
                  </div>
                </th>
                <td>{run.catchment}</td>
                <td>{run.rain}</td>
                <td className={table.wrap}>{run.land}</td>
                <td>{run.equations}</td>
                <Numbers run={run} base={baseRun} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Numbers({ run, base }: { run: ComparedRun; base: ComparedRun | undefined }) {
  if (run.failed) return <td colSpan={QUANTITIES.length}>{genericErrorText(run.failed)}</td>
  if (!run.figures)
    return (
      <td colSpan={QUANTITIES.length} aria-busy={run.item !== null}>
        {run.item ? texts.loading : MISSING_FR}
      </td>
    )
  const { figures } = run
  return QUANTITIES.map((quantity) => (
    <td key={quantity.key} className={table.number}>
      {numberText(quantity, quantity.of(figures))}
      {base && base.id !== run.id && base.figures && (
        <small>{differenceText(quantity, quantity.of(figures), quantity.of(base.figures))}</small>
      )}
    </td>
  ))
}

export const numberText = ({ decimals }: Quantity, value: number | null) => formatNumberFr(value, decimals)

function differenceText({ decimals }: Quantity, value: number | null, base: number | null): string {
  if (value === null || base === null) return ''
  const change = value - base
  return `${change > 0 ? '+' : ''}${formatNumberFr(change, decimals)}`
}
