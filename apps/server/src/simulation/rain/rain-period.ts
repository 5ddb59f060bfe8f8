import { EV7, type SimulationInput } from '@radx/contracts'
import type { RadarPeriod } from '../../jobs/api.ts'

/** Time of the radar rain of a run; null for virtual rain, which shows nothing of the archive. */
export function radarPeriodOf(
  input: Pick<SimulationInput, 'rainfallSelection' | 'rainfallStart' | 'rainfallEnd'>,
): RadarPeriod | null {
  if (input.rainfallSelection === 'virtual') return null
  const [start, end] =
    input.rainfallSelection === 'ev7' ? [EV7.start, EV7.end] : [input.rainfallStart, input.rainfallEnd]
  return { start: new Date(start), end: new Date(end) }
}
