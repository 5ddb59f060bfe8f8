import type { Battery } from '@radx/contracts/batteries'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { batteryTexts as texts } from '../../../texts/battery.ts'
import { compareTexts } from '../../../texts/compare.ts'
import { Boxes } from '../compare/Boxes.tsx'
import compare from '../compare/Compare.module.css'
import { QUANTITIES, type QuantityKey, quantityOf, sortRows } from '../compare/quantities.ts'
import { numberText } from '../compare/RunTable.tsx'
import { nextSort, type Sort, SortHead } from '../compare/SortHead.tsx'
import { QuantitySelect } from '../compare/Spread.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import table from '../parts/Table.module.css'
import classes from './Battery.module.css'

type Run = Battery['runs'][number]

/** Runs of a group below which there is no box. */
const FEWEST_IN_BOX = 2

/** The figures of an order: a row a run, and how they spread by rain and by land use. */
export function Results({ battery }: { battery: Battery }) {
  return (
    <>
      <RunsTable battery={battery} />
      <Spreads battery={battery} />
    </>
  )
}

function RunsTable({ battery: { rains, landUses, runs } }: { battery: Battery }) {
  const [sort, setSort] = useState<Sort>(null)
  const rows = sort ? sortRows(runs, sort.by, sort.ascending) : runs
  return (
    <section className={classes.part} aria-labelledby="battery-table">
      <h2 id="battery-table">{texts.table}</h2>
      <div className={table.scroll}>
        <table className={`${table.table} ${compare.runs}`} aria-labelledby="battery-table">
          <thead>
            <tr>
              {texts.about.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              {QUANTITIES.map(({ key }) => (
                <SortHead key={key} of={key} sort={sort} onSort={() => setSort(nextSort(sort, key))} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((run) => {
              const [rain, land] = [rains[run.rain], landUses[run.landUse].name]
              return (
                <tr key={run.jobId}>
                  <th scope="row">
                    <Link to={`/multihydro/${run.jobId}`} aria-label={texts.open(rain, land)}>
                      {rain}
                    </Link>
                  </th>
                  <td className={table.wrap}>{land}</td>
                  <td>
                    <StatusBadge status={run.status} cancelled={run.cancelled} />
                  </td>
                  <Figures run={run} />
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Figures({ run: { figures, withheld, error, cancelled } }: { run: Run }) {
  if (!figures)
    return (
      <td colSpan={QUANTITIES.length} className={classes.why}>
        {withheld ?? (cancelled ? null : error)}
      </td>
    )
  return QUANTITIES.map((quantity) => (
    <td key={quantity.key} className={table.number}>
      {numberText(quantity, quantity.of(figures))}
    </td>
  ))
}

/** One figure in boxes: over the land uses of each rain, and over the rains of each land use. */
function Spreads({ battery: { rains, landUses, runs } }: { battery: Battery }) {
  const [y, setY] = useState<QuantityKey>('deepestCm')
  const written = JSON.stringify(
    runs.flatMap(({ rain, landUse, figures }) => {
      const value = figures && quantityOf(y).of(figures)
      return value === null ? [] : [{ rain, landUse, value }]
    }),
  )
  const [byRain, byLand] = useMemo(() => {
    const points: { rain: number; landUse: number; value: number }[] = JSON.parse(written)
    const group = (names: readonly string[], key: 'rain' | 'landUse') =>
      names.map((name, k) => ({
        name,
        values: points.filter((at) => at[key] === k).map(({ value }) => value),
      }))
    return [
      group(rains, 'rain'),
      group(
        landUses.map(({ name }) => name),
        'landUse',
      ),
    ]
  }, [written, rains, landUses])
  const isEnough = [...byRain, ...byLand].some(({ values }) => values.length >= FEWEST_IN_BOX)
  if (!isEnough) return null
  const { name } = compareTexts.quantities[y]
  return (
    <section className={classes.part} aria-labelledby="battery-spread">
      <h2 id="battery-spread">{texts.spread}</h2>
      <div className={compare.axes}>
        <QuantitySelect label={texts.quantity} value={y} onChange={setY} />
      </div>
      <Boxes
        y={y}
        label={texts.byRain(name)}
        groupName={texts.about[0]}
        groups={byRain}
        fewest={FEWEST_IN_BOX}
      />
      <Boxes
        y={y}
        label={texts.byLand(name)}
        groupName={texts.about[1]}
        groups={byLand}
        fewest={FEWEST_IN_BOX}
      />
      <p className={classes.note}>{compareTexts.boxesNote}</p>
    </section>
  )
}
