import { durationFr } from '@radx/charts'
import type { Gauge, LatLng, MontanaTable, RainMethod, ReportBlock } from '@radx/contracts'
import { countFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { rarestDepth } from '@radx/rainfall/storms/rarest'
import { type ReportedGauge, reportedGauges } from '../gauges/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import { rareDepths } from '../storms/api.ts'
import type { AnswerContext } from '../threads/answers.ts'
import { heading, table, text } from './blocks.ts'

/** Gauges of one table: more of them are told by number. */
const MOST_GAUGES = 12
const mm = (value: number) => formatQuantityFr(value, 'mm', 1)

/** Rain gauges that have readings in the period, beside the radar over them, with how rare their own depths are. */
export async function groundGauges(
  context: AnswerContext,
  product: StoredProduct,
  asked: { gauges: readonly Gauge[]; span: Span; near: LatLng; method: RainMethod },
  montana: MontanaTable | null,
): Promise<ReportBlock[]> {
  const { gauges } = await reportedGauges(context, product, asked)
  const title = heading('Pluviomètres au sol')
  if (gauges.length === 0)
    return [title, text('Aucun pluviomètre au sol n’a de mesure sous ce produit radar pendant la période.')]
  const shown = gauges.slice(0, MOST_GAUGES)
  const nearest = shown.length < gauges.length ? ` Les ${shown.length} plus proches sont donnés.` : ''
  return [
    title,
    text(
      `${countFr(gauges.length, 'pluviomètre a', 'pluviomètres ont')} des mesures sur cette période.${nearest} ` +
        'Mesure et radar sont comptés sur le temps que tous deux connaissent ; les mesures douteuses sont laissées de côté.',
    ),
    table(
      'Mesure au sol et radar au même endroit',
      [
        'Pluviomètre',
        'Mesuré',
        'Radar',
        'Mesuré / radar',
        ...(montana ? ['Période de retour de la mesure'] : []),
      ],
      shown.map((one) => [
        one.gauge.name,
        mm(one.depth.gaugeMm),
        mm(one.depth.radarMm),
        one.depth.radarMm > 0 ? formatNumberFr(one.depth.gaugeMm / one.depth.radarMm, 2) : '–',
        ...(montana ? [rarestFr(one, montana)] : []),
      ]),
    ),
  ]
}

/** "10 à 20 ans sur 30 min" of what a gauge measured. */
function rarestFr({ rain, startMs, intervalMin }: ReportedGauge, { laws }: MontanaTable): string {
  const rarest = rarestDepth({ depths: rareDepths(rain, startMs, laws, intervalMin - 1e-6) })
  return rarest ? `${rarest.period.label} sur ${durationFr(rarest.durationMin)}` : 'hors du tableau'
}
