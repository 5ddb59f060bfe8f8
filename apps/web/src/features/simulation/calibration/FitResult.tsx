import { Button } from '@mantine/core'
import type { CalibrationResult, FittedParameter, SeriesScores } from '@radx/contracts/calibration'
import { parameterKey } from '@radx/contracts/calibration-constants'
import { csvText } from '@radx/locale/csv'
import { formatNumberFr, MISSING_FR } from '@radx/locale/format-fr'
import { saveCsv } from '../../../app/csv.ts'
import { fitTexts as texts } from '../../../texts/calibration.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { TableHead } from '../../../ui/TableHead.tsx'
import table from '../result/ResultTable.module.css'
import classes from './Calibration.module.css'
import { figure, parameterText } from './parameters.ts'
import { signed } from './words.ts'

/** What the fit was made good by, before and after, for the events that it saw and for the others. */
export function ScoreSummary({ result: { objective, before, after } }: { result: CalibrationResult }) {
  const caption = texts.summary(texts.objectives[objective])
  const rows = (['calibration', 'validation'] as const).map((use) => [
    texts[use],
    formatNumberFr(before[use], 3),
    formatNumberFr(after[use], 3),
  ])
  return (
    <div className={`${table.table} ${classes.narrow}`}>
      <DataTable caption={caption} head={texts.summaryHead} rows={rows} />
    </div>
  )
}

export function FittedParameters({ result: { parameters, good, threshold } }: { result: CalibrationResult }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={table.table} aria-label={texts.result} tabIndex={0}>
        <table>
          <caption>{texts.result}</caption>
          <TableHead names={texts.resultHead} />
          <tbody>
            {parameters.map((parameter) => (
              <tr key={parameterText(parameter)}>
                <th scope="row">{parameterText(parameter)}</th>
                <td>{figure(parameter.before)}</td>
                <td>
                  <strong>{figure(parameter.value)}</strong>
                </td>
                <td>{texts.band(figure(parameter.low), figure(parameter.median), figure(parameter.high))}</td>
                <td>{texts.range(figure(parameter.min), figure(parameter.max))}</td>
                <td>
                  <Place parameter={parameter} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={classes.note}>{texts.bandNote(good, formatNumberFr(threshold, 3))}</p>
      <Button
        variant="default"
        className={classes.start}
        onClick={() => saveCsv(parametersCsv(parameters), texts.parametersFile)}
      >
        {texts.parametersCsv}
      </Button>
    </>
  )
}

function parametersCsv(parameters: readonly FittedParameter[]): string {
  const head = ['parameter', 'before', 'fitted', 'glue_5', 'glue_50', 'glue_95', 'min', 'max', 'scale']
  return csvText([
    head,
    ...parameters.map((one) => [
      parameterKey(one),
      ...[one.before, one.value, one.low, one.median, one.high, one.min, one.max],
      one.scale,
    ]),
  ])
}

/** Band, found value and the one before between the bounds; the columns beside it say the same. */
function Place({ parameter }: { parameter: FittedParameter }) {
  const { min, max, scale, low, high, value, before } = parameter
  const at = (x: number) => {
    const on = (y: number) => (scale === 'log' ? Math.log(y) : y)
    return 100 * Math.max(0, Math.min(1, (on(x) - on(min)) / (on(max) - on(min))))
  }
  return (
    <span className={classes.place} aria-hidden>
      <i className={classes.band} style={{ left: `${at(low)}%`, right: `${100 - at(high)}%` }} />
      <i className={classes.was} style={{ left: `${at(before)}%` }} />
      <i className={classes.found} style={{ left: `${at(value)}%` }} />
    </span>
  )
}

/** How each series stood at each event, before and after. */
export function ScoreTable({ result: { scores } }: { result: CalibrationResult }) {
  const change = (one: SeriesScores, text: (scores: NonNullable<SeriesScores['after']>) => string) =>
    texts.change(one.before ? text(one.before) : MISSING_FR, one.after ? text(one.after) : MISSING_FR)
  const percent = (value: number | null) => signed(value === null ? null : 100 * value, 1)
  const rows = scores.map((one) => [
    `${one.event}, ${one.series}`,
    texts[one.use],
    change(one, ({ nse }) => formatNumberFr(nse, 2)),
    change(one, ({ kge }) => formatNumberFr(kge, 2)),
    change(one, ({ peakError }) => percent(peakError)),
    change(one, ({ peakDelayS }) => signed(peakDelayS / 60, 1)),
    change(one, ({ volumeError }) => percent(volumeError)),
    formatNumberFr(one.coverage === null ? null : 100 * one.coverage, 0),
  ])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={table.table} aria-label={texts.scores} tabIndex={0}>
      <DataTable caption={texts.scores} head={texts.scoresHead} rows={rows} />
    </section>
  )
}
