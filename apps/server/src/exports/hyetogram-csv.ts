import { type CsvTable, csvComments } from '@radx/locale/csv'
import type { AdjustedSelection } from './adjusted-selection.ts'
import { hasQuality, runningMm, type Selection } from './selection.ts'

const cell = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.round(value * 1e4) / 1e4

/**
 * Hyetograms as a CSV that says where it comes from.
 * @param adjusted the same selection in the product adjusted to gauges: columns more, with the factor of each frame
 */
export function hyetogramCsv(
  selection: Selection,
  provenance: [string, string | number][],
  adjusted: AdjustedSelection | null = null,
): CsvTable {
  return { comments: csvComments(provenance), rows: rowsOf(selection, adjusted) }
}

/** The columns' names, then a row a frame: a year of them need not be held at once. */
function* rowsOf(
  selection: Selection,
  adjusted: AdjustedSelection | null,
): Generator<(string | number | null)[]> {
  const { frames, time, zone } = selection
  const zoneMm = runningMm(selection, 'zone')
  const catchmentMm = zone ? runningMm(selection, 'catchment') : null
  const more = adjusted && adjustedColumns(adjusted)
  const withQuality = hasQuality(selection)
  yield [
    'time_utc',
    'represented_s',
    'mean_mm_h',
    'mean_wet_mm_h',
    'coverage_pct',
    'max_mm_h',
    'valid_pct',
    'cumul_mm',
    ...(zone
      ? ['catchment_mean_mm_h', 'catchment_mean_wet_mm_h', 'catchment_coverage_pct', 'catchment_cumul_mm']
      : []),
    ...(withQuality ? ['quality', ...(zone ? ['catchment_quality'] : [])] : []),
    ...(more?.head ?? []),
  ]
  for (const [i, frame] of frames.entries())
    yield [
      new Date(frame.timeMs).toISOString(),
      cell(time.seconds[i]),
      cell(frame.zone.mean),
      cell(frame.zone.nonzerosmean),
      cell(frame.zone.nonzerospc),
      cell(frame.maxMmH),
      cell(frame.validPct),
      cell(zoneMm[i]),
      ...(catchmentMm
        ? [
            cell(frame.catchment?.mean),
            cell(frame.catchment?.nonzerosmean),
            cell(frame.catchment?.nonzerospc),
            cell(catchmentMm[i]),
          ]
        : []),
      ...(withQuality ? [cell(frame.quality?.zone), ...(zone ? [cell(frame.quality?.catchment)] : [])] : []),
      ...(more?.cells(frame.timeMs) ?? []),
    ]
}

/** Columns of the adjusted product, by the instant of a frame. */
function adjustedColumns({ selection, about }: AdjustedSelection) {
  const { frames, zone } = selection
  const zoneMm = runningMm(selection, 'zone')
  const catchmentMm = zone ? runningMm(selection, 'catchment') : null
  const at = new Map(frames.map(({ timeMs }, i) => [timeMs, i]))
  const made = new Map(about.frames.map((frame) => [Date.parse(frame.time), frame]))
  const head = [
    'adjusted_mean_mm_h',
    'adjusted_mean_wet_mm_h',
    'adjusted_max_mm_h',
    'adjusted_cumul_mm',
    ...(zone ? ['adjusted_catchment_mean_mm_h', 'adjusted_catchment_cumul_mm'] : []),
    'adjustment_factor',
    'already_adjusted_how_bias',
  ]
  const cells = (timeMs: number): (number | null)[] => {
    const i = at.get(timeMs)
    if (i === undefined) return head.map(() => null)
    const { zone: mean, catchment, maxMmH } = frames[i]
    return [
      cell(mean.mean),
      cell(mean.nonzerosmean),
      cell(maxMmH),
      cell(zoneMm[i]),
      ...(catchmentMm ? [cell(catchment?.mean), cell(catchmentMm[i])] : []),
      cell(made.get(timeMs)?.factor),
      cell(made.get(timeMs)?.already),
    ]
  }
  return { head, cells }
}
