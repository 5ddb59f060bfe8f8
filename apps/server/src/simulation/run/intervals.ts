import type { Rain } from '@radx/hydrology/rain/rain'
import { StateError } from '../state/errors.ts'

/** Depth frames are not written more often than this, s. */
const MIN_FRAME_S = 300
/** Moments this close are the same, s. */
const SAME_S = 1e-6

/** The part of a run's time that is computed, in intervals of its output. */
export interface Intervals {
  intervalS: number
  /** Intervals from one depth frame to the next. */
  perFrame: number
  /** The moment that it starts from, s, after so many intervals since the start of the run. */
  fromS: number
  done: number
  /** The last interval of this part, and that of the whole rain. */
  last: number
  whole: number
}

/** What of a state says which part of time is left. */
export interface Begun {
  timeS: number
  intervals: number
  intervalS: number
  perFrame: number
}

interface Wanted {
  rain: Pick<Rain, 'durationS' | 'intervalS'>
  intervalS?: number
  /** The moment at which this part ends, s; the end of the rain by default. */
  untilS?: number
  from?: Begun
}

/** End of an interval, s since the start of the run. */
export const endOf = (interval: number, intervalS: number, durationS: number): number =>
  Math.min(interval * intervalS, durationS)

/**
 * The intervals of a run, or of the part of it that follows a state.
 *
 * @throws StateError `state.moment` when a state is not of such intervals, or the part's end is none of an interval
 */
export function intervalsOf({ rain, intervalS: asked, untilS, from }: Wanted): Intervals {
  const { durationS } = rain
  const intervalS = asked ?? from?.intervalS ?? rain.intervalS
  const whole = Math.max(1, Math.ceil(durationS / intervalS - 1e-9))
  // Who asks for an interval wants to see the water that often.
  const perFrame = from?.perFrame ?? (asked ? 1 : Math.max(1, Math.ceil(MIN_FRAME_S / intervalS - 1e-9)))
  if (from) checkBegun(from, intervalS, durationS)
  const done = from?.intervals ?? 0
  const fromS = from?.timeS ?? 0
  const last = untilS === undefined ? whole : intervalEndingAt(untilS, { intervalS, done, whole, durationS })
  return { intervalS, perFrame, fromS, done, last, whole }
}

function checkBegun({ timeS, intervals, intervalS: own }: Begun, intervalS: number, durationS: number): void {
  if (Math.abs(own - intervalS) > SAME_S)
    throw new StateError(
      'state.moment',
      `L’état est celui d’un calcul au pas de ${own} s, celui demandé est de ${intervalS} s. Donner --interval ${own}, ou rien.`,
    )
  if (timeS > durationS + SAME_S)
    throw new StateError(
      'state.moment',
      `L’état est à ${timeS} s, après la fin de la pluie (${durationS} s). Donner une pluie qui commence au même instant et dure plus longtemps.`,
    )
  if (Math.abs(endOf(intervals, intervalS, durationS) - timeS) > SAME_S)
    throw new StateError(
      'state.moment',
      `L’état est à ${timeS} s, à la fin d’une pluie qui ne tombe pas sur la fin d’un pas de ${intervalS} s : il ne peut être suivi d’une pluie plus longue.`,
    )
}

function intervalEndingAt(
  untilS: number,
  {
    intervalS,
    done,
    whole,
    durationS,
  }: { intervalS: number; done: number; whole: number; durationS: number },
): number {
  const at = (interval: number) => endOf(interval, intervalS, durationS)
  const near = Math.max(done, Math.min(whole, Math.floor(untilS / intervalS + SAME_S)))
  const nearest = [near, Math.min(whole, near + 1)]
  const found = nearest.find((interval) => Math.abs(at(interval) - untilS) <= SAME_S)
  if (found !== undefined) return found
  const names = [...new Set(nearest.map(at))].map((moment) => `${Number(moment.toFixed(3))} s`)
  throw new StateError(
    'state.moment',
    `${untilS} s n’est pas la fin d’un pas des résultats (${intervalS} s, de ${Number(at(done).toFixed(3))} à ${durationS} s). Le plus proche : ${names.join(' ou ')}.`,
    { nearestS: nearest.map(at) },
  )
}
