import { csvText } from '@radx/locale/csv'
import { runningMm, type Selection } from './selection.ts'

const cell = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.round(value * 1e4) / 1e4

/** Hyetograms as CSV, comment lines with the provenance first. */
export function hyetogramCsv(selection: Selection, provenance: [string, string | number][]): string {
  const { frames, time, zone } = selection
  const zoneMm = runningMm(selection, 'zone')
  const catchmentMm = zone ? runningMm(selection, 'catchment') : null
  const lines = provenance.map(([name, value]) => `# ${name} : ${String(value).replace(/[\r\n]+/g, ' ')}`)
  const rows: (string | number | null)[][] = [
    [
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
    ],
  ]
  frames.forEach((frame, i) => {
    rows.push([
      new Date(frame.timeMs).toISOString(),
      cell(time.seconds[i]),
      cell(frame.zone.mean),
      cell(frame.zone.nonzerosmean),
      cell(frame.zone.nonzerospc),
      cell(frame.maxMmH),
      cell(frame.validPct),
      cell(zoneMm[i]),
      ...(zone && catchmentMm
        ? [
            cell(frame.catchment?.mean),
            cell(frame.catchment?.nonzerosmean),
            cell(frame.catchment?.nonzerospc),
            cell(catchmentMm[i]),
          ]
        : []),
    ])
  })
  return `${lines.join('\n')}\n${csvText(rows)}`
}
