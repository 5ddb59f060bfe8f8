import { ANTECEDENT_DAYS, EV7, type SimulationInput } from '@radx/contracts'
import type { RadarPeriod } from '../../jobs/api.ts'

const DAY_MS = 86_400_000

/** A run's input without what instruments told: the rain of the days before, and that of a gauge. */
export function withoutArchive<
  Input extends Partial<Pick<SimulationInput, 'soilBefore' | 'gaugeRain' | 'virtualData' | 'virtualParam'>>,
>(input: Input): Input {
  const kept = { ...input }
  if (kept.soilBefore?.choice === 'archive') delete kept.soilBefore
  if (kept.gaugeRain && kept.virtualData) {
    kept.virtualData = []
    kept.virtualParam = null
  }
  return kept
}

/**
 * Time of the archive that a run shows something of, the readings of a gauge and the days before included; null for
 * virtual rain and pictures of one's own alone.
 */
export function radarPeriodOf(
  input: Pick<
    SimulationInput,
    'rainfallSelection' | 'rainfallStart' | 'rainfallEnd' | 'soilBefore' | 'gaugeRain' | 'ownRain'
  >,
): RadarPeriod | null {
  const spans: [number, number][] = []
  if (input.rainfallSelection === 'ev7') spans.push([Date.parse(EV7.start), Date.parse(EV7.end)])
  if (input.rainfallSelection === 'radar' && !input.ownRain)
    spans.push([Date.parse(input.rainfallStart), Date.parse(input.rainfallEnd)])
  if (input.gaugeRain) spans.push([Date.parse(input.gaugeRain.start), Date.parse(input.gaugeRain.end)])
  const before = input.soilBefore?.end ?? null
  if (before !== null) spans.push([Date.parse(before) - ANTECEDENT_DAYS * DAY_MS, Date.parse(before)])
  if (spans.length === 0) return null
  return {
    start: new Date(Math.min(...spans.map(([start]) => start))),
    end: new Date(Math.max(...spans.map(([, end]) => end))),
  }
}
