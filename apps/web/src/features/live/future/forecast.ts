import type { Nowcast } from '@radx/contracts/nowcast'

const MINUTE_MS = 60_000

/** A forecast issued longer ago than an image every 206 s and the way to here explain is told as old, ms. */
const OLD_MS = 8 * MINUTE_MS

export interface Lead {
  /** When it is valid, UTC. */
  time: string
  /** From the issue on. */
  leadMin: number
}

/** A forecast that has pictures. */
export interface Forecast {
  issued: string
  /** Product that it was made from. */
  product: string
  leads: readonly Lead[]
  /** Lead up to which it can be trusted, minutes; null where that could not be told. */
  horizonMin: number | null
  /** Members that probabilities are counted from; 0 while there are none. */
  members: number
}

/**
 * Why there is no picture to show: the server's reason, a forecast whose last lead is past, or a call that failed.
 */
export type NoForecast = NonNullable<Nowcast['reason']> | 'over' | 'failed'

/** The forecast that the server answered, or why it has none. */
export function forecastOf(about: Nowcast): Forecast | NonNullable<Nowcast['reason']> {
  const { issued, reason, times, horizonMin, product, members = 0 } = about
  if (reason !== null) return reason
  if (issued === null) return 'few-frames'
  if (times.length === 0) return 'missing'
  const from = Date.parse(issued)
  const leads = times.map((time) => ({ time, leadMin: Math.round((Date.parse(time) - from) / MINUTE_MS) }))
  return { issued, product, leads, horizonMin, members }
}

/** Every moment that it tells of is past. */
export const isOver = ({ leads }: Pick<Forecast, 'leads'>, nowMs: number): boolean =>
  Date.parse(leads[leads.length - 1].time) <= nowMs

export const isOld = (issued: string, nowMs: number): boolean => nowMs - Date.parse(issued) > OLD_MS

/** How many leads lie within the horizon: the first `n`. Without a known horizon none does. */
export function trustedLeads({ leads, horizonMin }: Pick<Forecast, 'leads' | 'horizonMin'>): number {
  if (horizonMin === null) return 0
  const beyond = leads.findIndex(({ leadMin }) => leadMin > horizonMin)
  return beyond < 0 ? leads.length : beyond
}

/** Minutes from now to a moment; below 0 when it is past. */
export const minutesTo = (time: string, nowMs: number): number =>
  Math.round((Date.parse(time) - nowMs) / MINUTE_MS)

/** The lead of a new forecast that is nearest to a moment; null without leads. */
export function sameMoment(shown: string, leads: readonly Lead[]): number | null {
  const wanted = Date.parse(shown)
  const away = ({ time }: Lead) => Math.abs(Date.parse(time) - wanted)
  return leads.length === 0
    ? null
    : leads.reduce((best, lead, k) => (away(lead) < away(leads[best]) ? k : best), 0)
}
