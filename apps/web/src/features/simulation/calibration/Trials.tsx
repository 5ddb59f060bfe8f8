import { Button, NativeSelect } from '@mantine/core'
import { runsChart } from '@radx/charts/runs-chart'
import type { CalibrationTrials } from '@radx/contracts/calibration'
import { parameterKey } from '@radx/contracts/calibration-constants'
import { csvText } from '@radx/locale/csv'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useCallback, useMemo, useState } from 'react'
import { saveCsv } from '../../../app/csv.ts'
import { fitTexts as texts } from '../../../texts/calibration.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { SeriesTable } from '../../../ui/SeriesTable.tsx'
import classes from './Calibration.module.css'
import { figure, parameterText } from './parameters.ts'

const parts = () => import('../compare/spread-parts.ts')
/** Worse trials would press all others into one line. */
const LEAST_SCORE = -1
const TRIAL = -1

interface Props {
  trials: CalibrationTrials
  /** Score above which a trial is a good one; null before the end. */
  threshold: number | null
}

/** The trials of a fit as points, over their number or over a parameter, and as a file. */
export function Trials({ trials, threshold }: Props) {
  const { parameters, objective } = trials
  const [axis, setAxis] = useState(TRIAL)
  const theme = useChartTheme()
  const points = useMemo(
    () =>
      trials.trials.flatMap(({ trial, score, values }) =>
        score === null || score < LEAST_SCORE
          ? []
          : [
              {
                title: `${texts.trial} ${trial + 1}`,
                x: axis === TRIAL ? trial + 1 : values[axis],
                y: score,
              },
            ],
      ),
    [trials.trials, axis],
  )
  const xName = axis === TRIAL ? texts.trial : parameterText(parameters[axis])
  const build = useCallback(() => {
    const isGood = ({ y }: { y: number }) => threshold !== null && y >= threshold
    return runsChart(
      {
        x: { name: xName, unit: '', decimals: axis === TRIAL ? 0 : 7 },
        y: { name: texts.objectives[objective], unit: '', decimals: 3 },
        groups: [
          { name: texts.goodTrials, points: points.filter(isGood) },
          { name: texts.otherTrials, points: points.filter((point) => !isGood(point)) },
        ].filter(({ points: own }) => own.length > 0),
      },
      theme,
    )
  }, [points, threshold, axis, xName, objective, theme])
  const left = trials.trials.length - points.length
  return (
    <section aria-label={texts.trials} className={classes.parts}>
      <div className={classes.bar}>
        <NativeSelect
          label={texts.axis}
          value={String(axis)}
          data={[
            { value: String(TRIAL), label: texts.trial },
            ...parameters.map((parameter, k) => ({ value: String(k), label: parameterText(parameter) })),
          ]}
          onChange={({ currentTarget }) => setAxis(Number(currentTarget.value))}
        />
        <Button variant="default" onClick={() => saveCsv(trialsCsv(trials), texts.trialsFile)}>
          {texts.trialsCsv}
        </Button>
      </div>
      <Chart
        label={texts.trials}
        height={340}
        build={build}
        parts={parts}
        table={
          <SeriesTable
            caption={texts.trials}
            head={[texts.trial, xName, texts.score]}
            count={points.length}
            row={(k) => [points[k].title, figure(points[k].x), formatNumberFr(points[k].y, 3)]}
          />
        }
      />
      {left > 0 && <p className={classes.note}>{texts.below(left)}</p>}
    </section>
  )
}

function trialsCsv({ parameters, trials }: CalibrationTrials): string {
  const head = ['trial', 'score', ...parameters.map(parameterKey), 'error']
  return csvText([
    head,
    ...trials.map(({ trial, score, values, error }) => [trial + 1, score, ...values, error ?? '']),
  ])
}
