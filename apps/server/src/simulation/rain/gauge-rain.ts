import type { Gauge, GaugeRain, GaugeRainRef } from '@radx/contracts'
import { countFr, formatDateTimeFr } from '@radx/locale/format-fr'
import { MAX_RATE_MM_H } from '@radx/rainfall/storms/design-choice'
import { ownRain } from '@radx/rainfall/virtual-rain'
import { Gauges, gaugeMinutes } from '../../gauges/api.ts'
import type { Deps } from '../../http/app.ts'
import type { Session } from '../../http/sessions.ts'
import { storeOf } from '../../store/open-store.ts'
import { SimulationFormError } from '../errors.ts'
import { type RainInput, virtualRainOf } from './rain-input.ts'

/** Whose gauges, and what holds their readings against the account's dates. */
interface Asker {
  session: Session
  allowPeriod(start: Date, end: Date): void
}
type Asked = Pick<GaugeRainRef, 'id' | 'start' | 'end'>

const MINUTE_MS = 60_000
const refuse = (message: string) => new SimulationFormError('gaugeRain', message)

/**
 * What a gauge that the account sees measured in a period, a minute at a time.
 * @throws Forbidden outside the account's dates, SimulationFormError for a gauge that is not there
 */
export async function gaugeRainOf(
  deps: Deps,
  asked: Asked,
  { session, allowPeriod }: Asker,
): Promise<GaugeRain & { gauge: Gauge }> {
  const span = { startMs: Date.parse(asked.start), endMs: Date.parse(asked.end) }
  allowPeriod(new Date(span.startMs), new Date(span.endMs))
  const gauge = (await new Gauges(deps).visible(session)).find(({ id }) => id === asked.id)
  if (!gauge)
    throw refuse('Ce pluviomètre n’existe pas, ou votre compte ne le voit pas. Choisissez-en un autre.')
  const store = await storeOf(deps)
  const products = [...store.catalog.products.values()]
  const product = store.catalog.products.get(deps.site.defaultProduct) ?? products[0]
  const minutes = Math.floor((span.endMs - span.startMs) / MINUTE_MS)
  const whole = { startMs: span.startMs, endMs: span.startMs + minutes * MINUTE_MS }
  const { rateMmH, intervalMs } = await gaugeMinutes({ db: deps.db, store }, product, gauge, whole)
  const known = Array.from(rateMmH, (rate) => (Number.isNaN(rate) ? null : rate))
  return {
    gauge,
    minutesMmH: known,
    totalMm: known.reduce<number>((sum, rate) => sum + (rate ?? 0) / 60, 0),
    missingMin: known.filter((rate) => rate === null).length,
    intervalMin: intervalMs === null ? null : intervalMs / MINUTE_MS,
  }
}

/**
 * The rain of a run that a gauge measured.
 * @throws SimulationFormError without readings or rain, and for gaps that nobody said to be dry
 */
export async function gaugeRainInput(deps: Deps, ref: GaugeRainRef, asker: Asker): Promise<RainInput> {
  const { gauge, minutesMmH, missingMin, intervalMin } = await gaugeRainOf(deps, ref, asker)
  if (intervalMin === null || missingMin === minutesMmH.length)
    throw refuse(`${gauge.name} n’a aucune mesure sur cette période. Choisissez-en une autre.`)
  if (missingMin > 0 && !ref.gapsDry)
    throw refuse(
      `Il manque ${countFr(missingMin, 'minute')} de mesures à ${gauge.name} sur cette période. Choisissez une autre période, ou dites que les lacunes comptent comme sèches.`,
    )
  const rates = minutesMmH.map((rate) => rate ?? 0)
  const iMax = rates.reduce((most, rate) => Math.max(most, rate), 0)
  if (iMax === 0)
    throw refuse(`${gauge.name} n’a pas reçu de pluie sur cette période : il n’y a rien à simuler.`)
  if (iMax > MAX_RATE_MM_H)
    throw refuse(`${gauge.name} a une mesure impossible sur cette période (plus de ${MAX_RATE_MM_H} mm/h).`)
  const edgesMin = Array.from({ length: rates.length + 1 }, (_, k) => k)
  const zone = deps.site.timeZone
  const [from, to] = [ref.start, ref.end].map((instant) => formatDateTimeFr(Date.parse(instant), zone))
  const gaps =
    missingMin > 0
      ? `, ${countFr(missingMin, 'minute manquante comptée sèche', 'minutes manquantes comptées sèches')}`
      : ''
  return {
    ...virtualRainOf({
      virtualRainShape: 'series',
      virtualParam: { step: intervalMin, iMax, calmAfter: ref.calmAfter },
      virtualData: ownRain({ edgesMin, ratesMmH: rates }, ref.calmAfter),
      virtualSource: `Pluviomètre ${gauge.name}, du ${from} au ${to}${gaps}`.slice(0, 300),
    }),
    gaugeRain: { ...ref, name: gauge.name },
  }
}
