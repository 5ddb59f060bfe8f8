import { Button } from '@mantine/core'
import type { WaterBalance } from '@radx/contracts/simulation'
import { BALANCE_PARTS } from '@radx/contracts/simulation-constants'
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

/** Where the rain went in two runs, side by side. */
export function Balances({ own, other, reference }: Props) {
  const most = Math.max(...BALANCE_PARTS.map((part) => Math.max(own[part], other[part])), 1)
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
          {BALANCE_PARTS.map((part) => {
            const change = own[part] - other[part]
            return (
              <tr key={part}>
                <th scope="row">{detailTexts.balance[part]}</th>
                <td>{formatQuantityFr(own[part], 'm³')}</td>
                {bar(own[part])}
                <td>{formatQuantityFr(other[part], 'm³')}</td>
                {bar(other[part])}
                <td>
                  {change > 0.5 ? '+' : ''}
                  {formatNumberFr(change)}
                  {'\u202f'}
                  <span className="rx-unit">m³</span>
                </td>
              </tr>
            )
          })}
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
    ...BALANCE_PARTS.map((part) => [part, own[part], other[part], own[part] - other[part]]),
  ])
