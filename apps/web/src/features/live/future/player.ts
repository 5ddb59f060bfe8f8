import { type Forecast, trustedLeads } from './forecast.ts'

/** Where the player stands: on an image of the window, or on a lead that follows the last one. */
export interface Position {
  /** Images in the window. */
  count: number
  counter: number
  /** null on an image. */
  lead: number | null
  forecast: Pick<Forecast, 'leads' | 'horizonMin'> | null
}

/** Images and leads in a row: which of them is on the map. */
export const placeOf = ({ count, counter, lead }: Position): number =>
  lead === null ? counter : count + lead

/** One step over images and leads. After the last lead comes the first image; before that, the last image. */
export function stepped(position: Position, by: 1 | -1): number {
  const { count, forecast } = position
  const at = placeOf(position)
  if (by < 0) return at === 0 ? count - 1 : at - 1
  return (at + 1) % (count + (forecast?.leads.length ?? 0))
}

/**
 * How many images and leads play goes round: leads up to the horizon; who stands beyond it already goes on to the last.
 */
export function played({ count, lead, forecast }: Position): number {
  if (forecast === null) return count
  const trusted = trustedLeads(forecast)
  return count + (lead !== null && lead >= trusted ? forecast.leads.length : trusted)
}
