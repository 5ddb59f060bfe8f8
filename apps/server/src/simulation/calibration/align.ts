import type { ObservedPlace, ObservedQuantity, ObservedUnit } from '@radx/contracts/calibration'
import { RadxError } from '@radx/contracts/errors'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { targetOf } from './places.ts'
import { checkUnit, OBSERVED_FACTOR } from './read-observed.ts'
import type { ObservedSeries } from './trial.ts'

/** A measured series as it was read. */
export interface MeasuredSeries {
  name: string
  place: ObservedPlace
  quantity: ObservedQuantity
  unit: ObservedUnit
  /** ms UTC, or s since the start of the run where `isRelative`; ascending. */
  times: ArrayLike<number>
  isRelative: boolean
  /** In its unit; NaN = missing. */
  values: ArrayLike<number>
  /** Only this part counts, ms UTC. */
  fromMs?: number
  toMs?: number
}

/** The time of an event on a catchment. */
export interface EventSpan {
  catchment: Pick<CatchmentPackage, 'network' | 'elevation' | 'streets'>
  /** Null where nobody told when the rain begins. */
  startMs: number | null
  durationS: number
}

class AlignError extends RadxError {
  override readonly name = 'AlignError'
  constructor(messageFr: string) {
    super('calibration.config', 422, messageFr)
  }
}

/**
 * What of a series lies in the time of an event, in SI and above the bottom of its place.
 * @throws AlignError where dates meet an event without one, PlaceError, FormatError for a unit of another quantity
 */
export function observedSeries(
  series: MeasuredSeries,
  { catchment, startMs, durationS }: EventSpan,
): ObservedSeries {
  const { name, place, quantity, unit, isRelative, values } = series
  checkUnit(unit, quantity)
  const { target, datumM } = targetOf(place, quantity, catchment)
  if (startMs === null && (!isRelative || series.fromMs !== undefined || series.toMs !== undefined))
    throw new AlignError(
      `${name} : les mesures ont des dates, il faut dire quand la pluie commence (« start »), ou les donner en secondes (colonne time_s).`,
    )
  const factor = OBSERVED_FACTOR[unit]
  const timesS: number[] = []
  const kept: number[] = []
  for (let k = 0; k < series.times.length; k++) {
    const seconds = isRelative ? series.times[k] : (series.times[k] - startMs!) / 1000
    if (!(seconds >= 0 && seconds <= durationS)) continue
    const ms = startMs === null ? null : startMs + seconds * 1000
    const counts = ms === null || (ms >= (series.fromMs ?? ms) && ms <= (series.toMs ?? ms))
    timesS.push(seconds)
    kept.push(counts ? values[k] * factor - datumM : Number.NaN)
  }
  return { name, quantity, target, timesS: Float64Array.from(timesS), values: Float64Array.from(kept) }
}
