import { Button } from '@mantine/core'
import type { LuseComparison } from '@radx/contracts/simulation'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { simulationTexts, detailTexts as texts } from '../../../../texts/simulation.ts'
import { Message } from '../../../../ui/Message.tsx'
import { Waiting } from '../../../../ui/Waiting.tsx'
import { comparisonQuery, type SimulationJob } from '../../api.ts'
import tables from '../../parts/Table.module.css'
import { ChordDiagram } from './ChordDiagram.tsx'
import classes from './Comparison.module.css'
import { type Change, changesOf } from './changes.ts'

const t = texts.comparison
const TABLE = { id: 'land-use-changes' }

/** What the run's land use changed in that of the catchment: who gave cells to whom, as a picture and in numbers. */
export function Comparison({ job: { input } }: { job: SimulationJob }) {
  const { catchmentId, luseId, caseStudyId } = input
  const comparison = useQuery(comparisonQuery({ catchmentId, luseId, caseStudyId }))
  return (
    <section aria-labelledby="comparison">
      <h2 id="comparison">{t.title}</h2>
      {comparison.isPending ? (
        <Waiting size="sm" label={texts.loading} />
      ) : comparison.isError ? (
        <Message
          kind="error"
          action={
            <Button size="compact-sm" variant="default" onClick={() => void comparison.refetch()}>
              {simulationTexts.retry}
            </Button>
          }
        >
          {genericErrorText(comparison.error)}
        </Message>
      ) : (
        <Changes comparison={comparison.data} caseStudyId={caseStudyId} />
      )}
    </section>
  )
}

function Changes({ comparison, caseStudyId }: { comparison: LuseComparison; caseStudyId: string }) {
  const changes = useMemo(() => changesOf(comparison), [comparison])
  const ground =
    caseStudyId === '' ? null : <p className={classes.note}>{t.ground(caseStudyId.toUpperCase())}</p>
  if (changes.length === 0)
    return (
      <>
        {ground}
        <p className={classes.note}>{t.none}</p>
      </>
    )
  const cells = changes.reduce((sum, change) => sum + change.cells, 0)
  const hectares = changes.reduce((sum, change) => sum + change.hectares, 0)
  const all = comparison.sourceOfLands.reduce((sum, count) => sum + count, 0)
  return (
    <>
      {ground}
      <p className={classes.total}>
        {t.total(cells, formatQuantityFr(hectares, 'ha', 2))}{' '}
        <small>{t.ofAll(formatQuantityFr((100 * cells) / Math.max(1, all), '%', 1))}</small>
      </p>
      <div className={classes.columns}>
        <ChordDiagram changes={changes} table={TABLE} />
        <ChangesTable changes={changes} />
      </div>
    </>
  )
}

function ChangesTable({ changes }: { changes: readonly Change[] }) {
  return (
    <div className={tables.scroll}>
      <table className={`${tables.table} ${classes.changes}`} id={TABLE.id} aria-label={t.title}>
        <thead>
          <tr>
            <th scope="col">{t.from}</th>
            <th scope="col">{t.to}</th>
            <th scope="col" className={tables.number}>
              {t.cells}
            </th>
            <th scope="col" className={tables.number}>
              {t.area}
            </th>
            <th scope="col" className={tables.number}>
              {t.share}
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ from, to, cells, hectares, share }) => (
            <tr key={`${from.code} ${to.code}`}>
              <td>
                <Land land={from} />
              </td>
              <td>
                <Land land={to} />
              </td>
              <td className={tables.number}>{formatNumberFr(cells)}</td>
              <td className={tables.number}>{formatQuantityFr(hectares, 'ha', 2)}</td>
              <td className={tables.number}>{formatQuantityFr(100 * share, '%', 1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Land = ({ land }: { land: Change['from'] }) => (
  <span className={classes.land}>
    <span className={classes.swatch} style={{ background: land.color }} />
    {land.title}
  </span>
)
