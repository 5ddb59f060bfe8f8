import { ANTECEDENT_DAYS, EV7, type SimulationInput } from '@radx/contracts'
import type { RadarPeriod } from '../../jobs/api.ts'

const DAY_MS = 86_400_000

/** A run's input without what the archive told of the days before: their rain. */
export function withoutArchive<Input extends Partial<Pick<SimulationInput, 'soilBefore'>>>(
  input: Input,
): Input {
  if (input.soilBefore?.choice !== 'archive') return input
  const { soilBefore: _told, ...kept } = input
  return kept as Input
}

/** Time of the archive that a run shows something of, the days before included; null for virtual rain alone. */
export function radarPeriodOf(
  input: Pick<SimulationInput, 'rainfallSelection' | 'rainfallStart' | 'rainfallEnd' | 'soilBefore'>,
): RadarPeriod | null {
  const spans: [number, number][] = []
  if (input.rainfallSelection === 'ev7') spans.push([Date.parse(EV7.start), Date.parse(EV7.end)])
  if (input.rainfallSelection === 'radar')
    spans.push([Date.parse(input.rainfallStart), Date.parse(input.rainfallEnd)])
  const before = input.soilBefore?.end ?? null
  if (before !== null) spans.push([Date.parse(before) - ANTECEDENT_DAYS * DAY_MS, Date.parse(before)])
  if (spans.length === 0) return null
  return {
    start: new Date(Math.min(...spans.map(([start]) => start))),
    end: new Date(Math.max(...spans.map(([, end]) => end))),
  }
}
