import { Button } from '@mantine/core'
import type { WaterBalance } from '@radx/contracts/simulation'
import { BALANCE_PARTS, MEASURE_PARTS } from '@radx/contracts/simulation-constants'
import { csvText } from '@radx/locale/csv'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { IconDownload } from '@tabler/icons-react'
import { saveCsv } from '../../../../app/csv.ts'
import { courseTexts as texts } from '../../../../texts/flood.ts'
import { detailTexts } from '../../../../texts/simulation.ts'
import classes from './Timeline.module.css'

interface Props {
  own: WaterBalance
  other: WaterBalance
  /** Title of the reference run. */
  reference: string
}

/** Parts of two balances, those of measures where either run has any. */
function partsOf(own: WaterBalance, other: WaterBalance) {
  const ofMeasures = MEASURE_PARTS.filter((part) => own[part] !== undefined || other[part] !== undefined)
  return [...BALANCE_PARTS, ...ofMeasures].map((part) => {
    const [ownM3, otherM3] = [own[part] ?? 0, other[part] ?? 0]
    return { part, ownM3, otherM3, change: ownM3 - otherM3 }
  })
}

/** Where the rain went in two runs, side by side. */
export function Balances({ own, other, reference }: Props) {
  const parts = partsOf(own, other)
  const most = Math.max(...parts.map(({ ownM3, otherM3 }) => Math.max(ownM3, otherM3)), 1)
  const bar = (volume: number) => (
    <td className={classes.bar} aria-hidden>
      <span style={{ width: `${Math.max(0, (100 * volume) / most)}%` }} />
    </td>
  )
  return (
    <div className={classes.scroll}>
      <table className={classes.balances}>
        <caption>{texts.balances}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="rx-visually-hidden">{texts.part}</span>
            </th>
            <th scope="colgroup" colSpan={2}>
              {texts.own}
            </th>
            <th scope="colgroup" colSpan={2}>
              {texts.reference}
              {reference !== '' && <small>{reference}</small>}
            </th>
            <th scope="col">{texts.change}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ part, ownM3, otherM3, change }) => (
            <tr key={part}>
              <th scope="row">{detailTexts.balance[part]}</th>
              <td>{formatQuantityFr(ownM3, 'm³')}</td>
              {bar(ownM3)}
              <td>{formatQuantityFr(otherM3, 'm³')}</td>
              {bar(otherM3)}
              <td>
                {change > 0.5 ? '+' : ''}
                {formatNumberFr(change)}
                {'\u202f'}
                <span className="rx-unit">m³</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button
        className={classes.save}
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
        onClick={() => saveCsv(balancesCsv(own, other), 'bilans.csv')}
      >
        {texts.balancesCsv}
      </Button>
    </div>
  )
}

/** Volumes of both runs, m3: a line a part of the balance. */
const balancesCsv = (own: WaterBalance, other: WaterBalance): string =>
  csvText([
    ['part', 'run_m3', 'reference_m3', 'difference_m3'],
    ...partsOf(own, other).map(({ part, ownM3, otherM3, change }) => [part, ownM3, otherM3, change]),
  ])
