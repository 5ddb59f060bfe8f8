import { ARCHIVE_STEP_LIMITS_S, RadxError } from '@radx/contracts'
import { shortText } from '@radx/contracts/bounds'
import { instantSchema } from '@radx/contracts/radar'
import { productNamed } from '@radx/rainfall'
import { z } from 'zod'
import type { Catchment, Catchments } from '../config/catchments.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { Store } from '../store/open-store.ts'
import { BadRequest } from './errors.ts'

/** Query of calls about a product. */
export const productQuery = z.object({ p: shortText().min(1) })
export const periodQuery = productQuery.extend({ s: instantSchema, e: instantSchema })
export const catchmentQuery = { c: shortText().optional(), sc: shortText().optional() }

/** A coarser step, in seconds: the first frame of each step, counted from midnight UTC, stands for it. */
export const stepQuery = {
  step: z.coerce.number().int().min(ARCHIVE_STEP_LIMITS_S.min).max(ARCHIVE_STEP_LIMITS_S.max).optional(),
}

/** Which of ascending instants stand for their step: the first of each; all of them without a step. */
export function firstOfSteps(timesMs: readonly number[], step: number | undefined): (i: number) => boolean {
  if (step === undefined) return () => true
  const slot = (i: number) => Math.floor(timesMs[i] / (1000 * step))
  return (i) => i === 0 || slot(i) !== slot(i - 1)
}

/** The product that a call names. @throws UnknownProductError */
export function productOf({ catalog }: Store, { p }: { p: string }): StoredProduct {
  return productNamed([...catalog.products.values()], p)
}

const EARLIEST_MS = Date.parse('1000-01-01T00:00:00Z')
const LATEST_MS = Date.parse('9000-01-01T00:00:00Z')

/** Whether a moment lies in the years that dates are written of with four digits, far from either end; ms. */
export const isCivil = (ms: number): boolean => ms >= EARLIEST_MS && ms < LATEST_MS

/** The period [s, e). @throws BadRequest when it is reversed, empty, longer than `maxDays` or of no year that there is */
export function spanOf({ s, e }: { s: string; e: string }, maxDays: number): Span {
  const span = { startMs: Date.parse(s), endMs: Date.parse(e) }
  if (!(span.startMs < span.endMs))
    throw new BadRequest('period', 'e', 'La fin de la période doit venir après son début.')
  if (!isCivil(span.startMs) || !isCivil(span.endMs))
    throw new BadRequest('period', 's', 'Les dates vont de l’an 1000 à l’an 9000.')
  if (span.endMs - span.startMs > maxDays * 86_400_000)
    throw new BadRequest(
      'periodTooLong',
      'e',
      `La période dépasse ${maxDays} jours. Choisir une période plus courte.`,
    )
  return span
}

/** The zone that a call names by `c` and `sc`; null when it names none. @throws RadxError 404, BadRequest for `sc` without `c` */
export function zoneOf(catchments: Catchments, { c, sc }: { c?: string; sc?: string }): Catchment | null {
  if (!c && sc)
    throw new BadRequest(
      'catchment',
      'c',
      `Le sous-bassin « ${sc} » (sc) demande aussi son bassin versant (c).`,
    )
  if (!c) return null
  const zone = catchments.find(c, sc || null)
  if (!zone)
    throw new RadxError(
      'catchment.unknown',
      404,
      `Le bassin « ${sc ? `${c} / ${sc}` : c} » n'existe pas. Bassins disponibles : ${catchments.parents.map(({ key }) => key).join(', ')}.`,
      { details: { c, sc } },
    )
  return zone
}
