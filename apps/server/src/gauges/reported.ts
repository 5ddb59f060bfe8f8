import type { Gauge, GaugeComparison, LatLng, RainMethod, Site } from '@radx/contracts'
import { distanceM } from '@radx/rainfall'
import { BIN_MS, wholeBins } from '@radx/rainfall/gauges/bins'
import { type CommonDepth, commonDepth } from '@radx/rainfall/gauges/compare'
import type { SteppedRain } from '@radx/rainfall/storms/depth-duration'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { AnswerContext } from '../threads/answers.ts'
import { gaugesOverPeriod } from './compared.ts'

/** A gauge that knows part of a period, beside the radar over it. */
export interface ReportedGauge {
  gauge: Gauge
  /** Over what gauge and radar both know, as the comparison gives it. */
  depth: CommonDepth
  /** Its own rain in steps of five minutes from `startMs`, mm/h, NaN where it has none or was left out. */
  rain: SteppedRain
  startMs: number
  /** Distance of its readings: within less, its rain is not known, min. */
  intervalMin: number
}

/** Gauges of a site as everyone sees them. */
export const siteGauges = ({ gauges }: Pick<Site, 'gauges'>): Gauge[] =>
  gauges.map(({ id, name, position, measure }) => ({ id, name, owner: 'site', position, measure }))

/** Those of the given gauges that a period can be told by, the nearest to a place first. */
export async function reportedGauges(
  context: Pick<AnswerContext, 'db' | 'store'>,
  product: StoredProduct,
  input: { gauges: readonly Gauge[]; span: Span; method: RainMethod; near: LatLng },
): Promise<{ gauges: ReportedGauge[]; method: GaugeComparison['method'] }> {
  const span = wholeBins(input.span)
  const { places, method } = await gaugesOverPeriod(context, product, { ...input, span, raw: false })
  const gauges = places.flatMap(({ gauge, beside, intervalMs, state }): ReportedGauge[] => {
    if (state !== 'compared' || beside === null) return []
    return [
      {
        gauge,
        depth: commonDepth(beside),
        rain: {
          edgesMin: Float64Array.from({ length: beside.gauge.length + 1 }, (_, k) => (k * BIN_MS) / 60_000),
          ratesMmH: beside.gauge.map((mm) => (mm * 3_600_000) / BIN_MS),
        },
        startMs: span.startMs,
        intervalMin: (intervalMs ?? BIN_MS) / 60_000,
      },
    ]
  })
  const far = ({ gauge }: ReportedGauge) => distanceM(gauge.position, input.near)
  return { gauges: gauges.sort((a, b) => far(a) - far(b)), method }
}
