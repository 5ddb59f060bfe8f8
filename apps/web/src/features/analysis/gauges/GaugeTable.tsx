import type { GaugeComparison } from '@radx/contracts/gauges'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { gaugeComparisonTexts as texts } from '../../../texts/gauge-comparison.ts'
import { TableHead } from '../../../ui/TableHead.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import classes from './GaugeComparison.module.css'
import { kindOf } from './ratios.ts'
import { Scrolled } from './Scrolled.tsx'

interface Props {
  found: GaugeComparison
  chosen: string | null
  onChoose: (id: string) => void
}

const number = (value: number | null | undefined, digits: number) =>
  value == null ? texts.empty : formatNumberFr(value, digits)
const percent = (value: number | null | undefined) =>
  value == null ? texts.empty : formatQuantityFr(value, '%', 0)

/** A gauge a line; choosing one shows its series. */
export function GaugeTable({ found, chosen, onChoose }: Props) {
  return (
    <Scrolled label={texts.oneByOne}>
      <table aria-label={texts.oneByOne}>
        <TableHead names={texts.head} />
        <tbody>
          {found.gauges.map((gauge) => {
            const faults = gauge.faults.filter(({ kept }) => !kept).length
            return (
              <tr key={gauge.id} data-chosen={gauge.id === chosen || undefined}>
                <th scope="row">
                  <TextButton aria-pressed={gauge.id === chosen} onClick={() => onChoose(gauge.id)}>
                    {gauge.name}
                  </TextButton>
                </th>
                <td>{number(gauge.depth?.gaugeMm, 1)}</td>
                <td>{number(gauge.depth?.radarMm, 1)}</td>
                <td>
                  <span className={classes.cell} data-kind={kindOf(gauge.depth?.ratio)}>
                    {number(gauge.depth?.ratio, 2)}
                  </span>
                </td>
                <td>{percent(gauge.scores?.biasPct)}</td>
                <td>{number(gauge.scores?.rmse, 2)}</td>
                <td>{number(gauge.scores?.correlation, 2)}</td>
                <td>{percent(100 * gauge.knownShare)}</td>
                <td>
                  {[texts.states[gauge.state], texts.faultCount(faults)].filter((t) => t !== '').join(', ')}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scrolled>
  )
}
