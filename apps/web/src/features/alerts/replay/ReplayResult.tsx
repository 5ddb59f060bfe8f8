import { Radio } from '@mantine/core'
import { scoreChart } from '@radx/charts/score-chart'
import type { ChartSize } from '@radx/charts/theme'
import type { AlertReplay } from '@radx/contracts/alerts'
import { ALERT_UNITS } from '@radx/contracts/alerts-constants'
import { formatDateTimeFr, formatNumberFr, MISSING_FR } from '@radx/locale/format-fr'
import { useCallback } from 'react'
import { useSite } from '../../../app/site.ts'
import { replayTexts as texts } from '../../../texts/alert-replay.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { Message } from '../../../ui/Message.tsx'
import { TableHead } from '../../../ui/TableHead.tsx'
import classes from '../Alerts.module.css'
import type { Trial } from './useReplay.ts'

const parts = () => import('../../../ui/chart-legend.ts')
const two = (value: number | null) => (value === null ? MISSING_FR : formatNumberFr(value, 2))

interface Props {
  trial: Trial
  /** The form looks at something else by now. */
  isStale: boolean
  /** The one in the form. */
  threshold: number
  onChoose(threshold: number): void
}

/** What a rule would have been worth, by threshold. */
export function ReplayResult({ trial: { body, result }, isStale, threshold, onChoose }: Props) {
  const unit = ALERT_UNITS[body.rule.measure.kind]
  if (result.samples === 0) return <Message kind="warning">{texts.noSamples}</Message>
  return (
    <>
      <p role="status">{texts.summary(result.samples, result.unknown, result.events)}</p>
      {result.events === 0 && <Message kind="nfo">{texts.noEvents}</Message>}
      {isStale && <Message kind="warning">{texts.stale}</Message>}
      <Thresholds {...{ result, unit, isStale, threshold, onChoose }} />
      <p className={classes.dim}>{texts.help}</p>
      <Curves rows={result.rows} unit={unit} />
      <List result={result} unit={unit} threshold={body.rule.threshold} />
    </>
  )
}

interface ThresholdProps extends Omit<Props, 'trial'> {
  result: AlertReplay
  unit: string
}

function Thresholds({ result: { rows }, unit, isStale, threshold: now, onChoose }: ThresholdProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys too
    <section className={`${classes.table} ${classes.scores}`} aria-label={texts.table} tabIndex={0}>
      <table id="alert-replay">
        <caption>{texts.table}</caption>
        <TableHead names={texts.head} />
        <tbody>
          {rows.map(({ threshold, alerts, hits, misses, falseAlarms, pod, far, leadMin }) => {
            const words = `${formatNumberFr(threshold, 2, true)} ${unit}`
            const isChosen = threshold === now && !isStale
            return (
              <tr key={threshold}>
                <th scope="row">
                  <Radio
                    name="alert-threshold"
                    aria-label={texts.chooseLabel(words)}
                    label={words}
                    checked={isChosen}
                    disabled={isStale}
                    onChange={() => onChoose(threshold)}
                  />
                </th>
                {[alerts, hits, misses, falseAlarms].map((count, i) => (
                  <td key={texts.head[i + 1]}>{formatNumberFr(count)}</td>
                ))}
                <td>{two(pod)}</td>
                <td>{two(far)}</td>
                <td>{leadMin === null ? MISSING_FR : formatNumberFr(leadMin, 0)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function Curves({ rows, unit }: { rows: AlertReplay['rows']; unit: string }) {
  const theme = useChartTheme()
  const build = useCallback(
    (size: ChartSize) =>
      scoreChart(
        {
          ...{ xName: texts.axis(unit), yName: texts.share },
          xMax: Math.max(...rows.map(({ threshold }) => threshold)),
          series: [
            { name: texts.pod, points: rows.map(({ threshold, pod }) => [threshold, pod] as const) },
            {
              name: texts.far,
              points: rows.map(({ threshold, far }) => [threshold, far] as const),
              dashed: true,
            },
          ],
        },
        theme,
        size,
      ),
    [rows, unit, theme],
  )
  return <Chart label={texts.chart} height={280} build={build} parts={parts} table={{ id: 'alert-replay' }} />
}

interface ListProps {
  result: AlertReplay
  unit: string
  threshold: number
}

/** Alerts of the rule as it was tried, and events that it missed, in the order of time. */
function List({ result: { alerts, missed }, unit, threshold }: ListProps) {
  const { timeZone } = useSite()
  const quantity = (value: number) => `${formatNumberFr(value, 2, true)} ${unit}`
  const at = (instant: string | null) =>
    instant === null ? texts.going : formatDateTimeFr(instant, timeZone)
  const title = texts.list(quantity(threshold))
  const rows = [
    ...alerts.map(({ told, value, ended, verdict }) => ({
      ...{ time: told, value: quantity(value), end: at(ended) },
      verdict: texts.verdicts[verdict],
    })),
    ...missed.map(({ start, end }) => ({
      ...{ time: start, value: MISSING_FR, end: at(end), verdict: texts.missed },
    })),
  ].sort((a, b) => Date.parse(a.time) - Date.parse(b.time))
  if (rows.length === 0) return <p className={classes.dim}>{texts.listEmpty}</p>
  return (
    <details>
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys too */}
      <section className={classes.table} aria-label={title} tabIndex={0}>
        <table aria-label={title}>
          <TableHead names={texts.listHead} />
          <tbody>
            {rows.map(({ time, value, end, verdict }) => (
              <tr key={`${time} ${verdict}`}>
                <td>{at(time)}</td>
                <td>{value}</td>
                <td>{end}</td>
                <td>{verdict}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
