import type { ObservedRun, ObservedRuns } from '@radx/contracts/calibration'
import { csvText } from '@radx/locale/csv'
import { placeText } from './words.ts'

const SCORE_HEAD = [
  'series',
  'place',
  'quantity',
  'nse',
  'kge',
  'peak_error',
  'peak_measured_si',
  'peak_simulated_si',
  'peak_delay_s',
  'volume_error',
  'pairs',
  'missing',
]

/** A line a series; errors are shares, peaks m or m3/s. */
export function scoresCsv(series: readonly ObservedRun[]): string {
  const rows = series.flatMap(({ name, place, quantity, scores }) =>
    scores === null
      ? []
      : [
          [
            name,
            placeText(place),
            quantity,
            scores.nse,
            scores.kge,
            scores.peakError,
            scores.peakMeasured,
            scores.peakSimulated,
            scores.peakDelayS,
            scores.volumeError,
            scores.pairs,
            scores.missing,
          ],
        ],
  )
  return csvText([SCORE_HEAD, ...rows])
}

/** A line a moment and series, m or m3/s; empty where nothing was measured. */
export function curvesCsv({ start, series }: ObservedRuns): string {
  const startMs = Date.parse(start)
  const rows = series.flatMap(({ name, quantity, timesS, measured, simulated }) =>
    timesS.map((timeS, k) => [
      name,
      quantity,
      new Date(startMs + 1000 * timeS).toISOString(),
      timeS,
      measured[k],
      simulated[k],
    ]),
  )
  return csvText([['series', 'quantity', 'instant', 'time_s', 'measured_si', 'simulated_si'], ...rows])
}
