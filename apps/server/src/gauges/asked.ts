import type { GaugeMethod } from '@radx/contracts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../http/app.ts'
import { allowPeriod } from '../http/authorize.ts'
import type { Session } from '../http/sessions.ts'
import type { Span } from '../store/frame-index.ts'
import type { AdjustmentInput } from './adjustment.ts'
import { Gauges } from './service.ts'

/** Gauges of the day to come are none: clocks differ by less. */
const AHEAD_MS = 86_400_000

/**
 * An adjusted product as an account may have it: with the gauges that it sees, within its dates.
 * @param period that factors are made from in hindsight
 * @throws Forbidden outside the account's dates
 */
export async function adjustmentAsked(
  deps: Deps,
  request: FastifyRequest,
  {
    product,
    span,
    period = span,
    method,
    mode,
  }: Pick<AdjustmentInput, 'product' | 'span' | 'method' | 'mode'> & { period?: Span },
): Promise<AdjustmentInput> {
  allowPeriod(
    request,
    new Date(Math.min(span.startMs, period.startMs)),
    new Date(Math.max(span.endMs, period.endMs)),
  )
  const session = request.session as Session
  const dates = session.restriction
  const allowed = {
    startMs: dates?.start?.getTime() ?? 0,
    endMs: Math.min(dates?.end?.getTime() ?? Number.POSITIVE_INFINITY, deps.clock.now() + AHEAD_MS),
  }
  const gauges = await new Gauges(deps).visible(session)
  return { product, span, period, allowed, method, mode, gauges }
}

/** The same of a key such as `mfb.hindsight`; null without one. */
export async function adjustmentOfKey(
  deps: Deps,
  request: FastifyRequest,
  key: string | undefined,
  where: { product: string; span: Span; period?: Span },
): Promise<AdjustmentInput | null> {
  if (key === undefined) return null
  const [method, mode] = key.split('.') as [GaugeMethod, AdjustmentInput['mode']]
  return adjustmentAsked(deps, request, { ...where, method, mode })
}
