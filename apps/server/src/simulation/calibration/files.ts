import { type CalibrationResult, parameterKey, type SeriesScores } from '@radx/contracts/calibration'
import { csvText } from '@radx/locale/csv'
import type { Fit, KeptTrial } from './fit.ts'

/** Files of a finished calibration. */
export const CALIBRATION_OUTPUT = {
  parameters: 'parameters.json',
  trials: 'trials.csv',
  scores: 'scores.json',
  bands: 'bands.csv',
  run: 'run.json',
} as const

/** The texts of the files of a fit, by name; `run` is what else is told of how it was made. */
export function calibrationFiles(
  fit: Fit,
  about: { catchment: string; title: string },
  run: Record<string, unknown>,
): Record<string, string> {
  const { result } = fit
  const { parameters, warnings, scores, before, after, objective } = result
  return {
    [CALIBRATION_OUTPUT.parameters]: json({
      ...about,
      values: fit.values,
      parameters: parameters.map((parameter) => ({ key: parameterKey(parameter), ...parameter })),
      warnings,
    }),
    [CALIBRATION_OUTPUT.trials]: trialsTable(fit.trials, result),
    [CALIBRATION_OUTPUT.scores]: json({ objective, before, after, series: scores, warnings }),
    [CALIBRATION_OUTPUT.bands]: bandsTable(fit),
    [CALIBRATION_OUTPUT.run]: json({
      ...about,
      objective,
      seed: result.seed,
      trials: result.trials,
      failed: result.failed,
      good: result.good,
      threshold: result.threshold,
      ...run,
    }),
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

function trialsTable(trials: readonly KeptTrial[], { parameters }: CalibrationResult): string {
  const head = ['trial', 'score', ...parameters.map(parameterKey), 'error']
  return csvText([
    head,
    ...trials.map(({ trial, score, values, error }) => [trial, score, ...values, error ?? '']),
  ])
}

function bandsTable({ bands }: Fit): string {
  const head = ['event', 'use', 'series', 'time_s', 'measured', 'before', 'fitted', 'low_5', 'high_95']
  const number = (value: number) => (Number.isNaN(value) ? '' : Number(value.toPrecision(7)))
  const rows = bands.flatMap(({ event, use, series, timesS, measured, before, after, low, high }) =>
    Array.from(timesS, (time, k) => [
      event,
      use,
      series,
      time,
      ...[measured, before, after, low, high].map((values) => number(values[k])),
    ]),
  )
  return csvText([head, ...rows])
}

/** A line a series: what a terminal shows of scores. */
export function scoreLinesFr(scores: readonly SeriesScores[], of: 'before' | 'after'): string[] {
  return scores.map((one) => {
    const found = one[of]
    const head = `${one.event} (${one.use === 'calibration' ? 'calage' : 'validation'}), ${one.series}`
    return found ? `${head} : ${scoresFr(found)}` : `${head} : trop peu de mesures pour un score`
  })
}

/** NSE, KGE, peak and volume in words. */
export function scoresFr(scores: NonNullable<SeriesScores['after']>): string {
  const { nse, kge, peakError, peakDelayS, volumeError, pairs, missing } = scores
  const said = (value: number | null) => (value === null ? '–' : value.toFixed(3).replace('.', ','))
  const percent = (value: number | null) =>
    value === null ? '–' : `${value > 0 ? '+' : ''}${(100 * value).toFixed(1).replace('.', ',')} %`
  const minutes = `${peakDelayS > 0 ? '+' : ''}${(peakDelayS / 60).toFixed(1).replace('.', ',')} min`
  const left = missing > 0 ? `, ${missing} laissées de côté` : ''
  return `NSE ${said(nse)}, KGE ${said(kge)}, pointe ${percent(peakError)} (${minutes}), volume ${percent(volumeError)} ; ${pairs} mesures${left}`
}
