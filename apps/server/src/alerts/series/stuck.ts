import type { Gauge } from '@radx/contracts'
import { risesOf } from '@radx/rainfall/gauges/bins'
import type { Sample } from '../machine.ts'
import type { Rates } from './rain.ts'
import { rollingTotals } from './rolling.ts'

/** What a gauge may say of dry weather: a tip of dew, mm. */
const DRY_MM = 0.2
const MOST_MISSING = 0.1

/**
 * Rain of the radar over a gauge that says none, at each of its readings, over the minutes before it; 0 where the gauge
 * tells of rain. Without the radar a reading says nothing.
 * @param bridgedMs farther apart than this frames of the radar say nothing of what lies between
 */
export function stuckSamples(
  { measure }: Pick<Gauge, 'measure'>,
  readings: { timesMs: Float64Array; mm: Float64Array },
  radar: Rates,
  minutes: number,
  bridgedMs: number,
  startMs: number,
): Sample[] {
  const depths = measure === 'total' ? risesOf(readings.timesMs, readings.mm) : readings.mm
  const totals = rollingTotals(radar.timesMs, radar.mmH, minutes, bridgedMs)
  const samples: Sample[] = []
  let [first, frame, sum, missing] = [0, -1, 0, 0]
  readings.timesMs.forEach((timeMs, k) => {
    if (Number.isNaN(depths[k])) missing++
    else sum += depths[k]
    for (; readings.timesMs[first] <= timeMs - minutes * 60_000; first++)
      if (Number.isNaN(depths[first])) missing--
      else sum -= depths[first]
    while (frame + 1 < radar.timesMs.length && radar.timesMs[frame + 1] <= timeMs) frame++
    if (timeMs < startMs) return
    if (sum > DRY_MM) samples.push({ timeMs, value: 0 })
    else if (frame < 0 || missing > 0 || timeMs - radar.timesMs[frame] > bridgedMs)
      samples.push({ timeMs, value: null })
    else if (totals[frame].missing <= MOST_MISSING) samples.push({ timeMs, value: totals[frame].mm })
    else samples.push({ timeMs, value: null, atLeast: totals[frame].mm })
  })
  return samples
}
