import type { Observation } from '@radx/contracts/calibration'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import type { UseQueryResult } from '@tanstack/react-query'
import { useSite } from '../../../app/site.ts'
import { measuredTexts as texts } from '../../../texts/calibration.ts'
import { AskedRemoval } from '../../../ui/AskedRemoval.tsx'
import { Message } from '../../../ui/Message.tsx'
import { QueryState } from '../../../ui/QueryState.tsx'
import { TableHead } from '../../../ui/TableHead.tsx'
import table from '../result/ResultTable.module.css'
import { useRemoveSeries } from './api.ts'
import { placeText, refusalText, UNIT_NAMES } from './words.ts'

/** The account's series of a catchment; nothing where it has none. */
export function OwnSeries({ series }: { series: UseQueryResult<Observation[]> }) {
  const { timeZone } = useSite()
  const remove = useRemoveSeries()
  if (!series.data) return <QueryState query={series} there={false} waits={texts.loading} />
  if (series.data.length === 0) return null
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={table.table} aria-label={texts.own} tabIndex={0}>
        <table>
          <caption>{texts.own}</caption>
          <TableHead names={texts.ownHead} />
          <tbody>
            {series.data.map(({ id, name, place, quantity, unit, first, last, count, missing }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                <td>{placeText(place)}</td>
                <td>
                  {texts.quantities[quantity]} ({UNIT_NAMES[unit]})
                </td>
                <td>
                  {formatDateTimeFr(first, timeZone)}
                  <br />
                  {formatDateTimeFr(last, timeZone)}
                </td>
                <td>
                  {formatNumberFr(count)} {missing > 0 && texts.missing(missing)}
                </td>
                <td>
                  <AskedRemoval
                    label={texts.remove}
                    name={texts.removeOf(name)}
                    ask={texts.removeAsk(name)}
                    onYes={() => remove.mutate(id)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {remove.error && <Message kind="error">{refusalText(remove.error)}</Message>}
    </>
  )
}
