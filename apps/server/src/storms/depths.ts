import type { LatLng, MontanaTable, RainMethod, RarePlace, ReturnPeriods } from '@radx/contracts'
import { isoSeconds } from '@radx/locale/time'
import {
  cellOf,
  cumulate,
  decodeRates,
  type FrameSteps,
  frameSteps,
  type Representativeness,
  representativeness,
  steppedRates,
} from '@radx/rainfall'
import {
  DURATIONS_MIN,
  isAtLeast,
  largestDepths,
  type SteppedRain,
} from '@radx/rainfall/storms/depth-duration'
import { returnPeriod, returnPeriodFr } from '@radx/rainfall/storms/montana'
import { BadRequest } from '../http/errors.ts'
import { productOf } from '../radar/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import { BRIDGED_S } from '../store/moved/moved-frame.ts'
import type { GridCell } from '../store/tile-file.ts'
import type { AnswerContext, AnswerKind } from '../threads/answers.ts'

/** What is asked: a period of a product at zones (by key) and at points. */
export interface DepthsInput {
  product: string
  span: Span
  zones: { key: string; name: string }[]
  points: LatLng[]
  table: MontanaTable
  /** How rain is to be taken between frames; moved only where it was followed. */
  method: RainMethod
}

/** Values of one place, one a frame, null or NaN where it has none. */
export interface PlaceSeries {
  kind: 'zone' | 'pixel'
  name: string
  timesMs: number[]
  ratesMmH: ArrayLike<number | null>
  /** Frames up to this far apart, s, share all that lies between them: rain that was moved. */
  bridgedS: number
}

/** Largest depths by duration of places with their return periods. Series that share their times share their steps. */
export function rarePlaces(
  series: readonly PlaceSeries[],
  product: StoredProduct,
  span: Span,
  laws: MontanaTable['laws'],
): RarePlace[] {
  const known = new Map<readonly number[], Timing>()
  return series.map(({ kind, name, timesMs, ratesMmH, bridgedS }) => {
    const timing = known.get(timesMs) ?? timingOf(timesMs, product, span, bridgedS)
    known.set(timesMs, timing)
    const { totalMm, missingSeconds } = cumulate(ratesMmH, timing.time)
    const rain = steppedRates(timing.steps, ratesMmH)
    return { kind, name, totalMm, missingSeconds, depths: rareDepths(rain, span.startMs, laws) }
  })
}

/** What frames stand for within a period. */
interface Timing {
  time: Representativeness
  steps: FrameSteps
}

const timingOf = (
  timesMs: readonly number[],
  { frameSeconds }: StoredProduct,
  span: Span,
  bridgedS: number,
): Timing => ({
  time: representativeness(timesMs, span, frameSeconds, bridgedS),
  steps: frameSteps(timesMs, span, frameSeconds, bridgedS),
})

/** Largest depths of a rain with their return periods, by the durations of the screens from `shortestMin` on. */
export function rareDepths(
  rain: SteppedRain,
  startMs: number,
  laws: MontanaTable['laws'],
  shortestMin = 0,
): RarePlace['depths'] {
  const durations = DURATIONS_MIN.filter((minutes) => minutes >= shortestMin)
  return largestDepths(rain, durations).map(({ durationMin, depthMm, fromMin, missingMin }) => {
    const period = returnPeriod(laws, durationMin, depthMm)
    return {
      durationMin,
      depthMm: Number.isNaN(depthMm) ? null : depthMm,
      from: isoSeconds(startMs + fromMin * 60_000),
      missingMin,
      period: {
        kind: period.kind,
        years: 'years' in period ? period.years : null,
        label: returnPeriodFr(period, isAtLeast({ missingMin })),
      },
    }
  })
}

const coordinates = ({ lat, lng }: LatLng) =>
  `${lat.toFixed(4).replace('.', ',')} N, ${lng.toFixed(4).replace('.', ',')} E`

/**
 * Series of the zones and points asked for, in that order.
 * @param method `moved` only where the rain of all frames was followed
 * @throws BadRequest for a point outside the product
 */
export async function seriesOf(
  { store }: Pick<AnswerContext, 'store'>,
  product: StoredProduct,
  { span, zones, points }: Pick<DepthsInput, 'span' | 'zones' | 'points'>,
  method: RainMethod,
): Promise<PlaceSeries[]> {
  const isMoved = method === 'moved'
  const bridgedS = isMoved ? BRIDGED_S : 0
  const cells = points.map((point) => {
    const cell = cellOf(product, point)
    if (!cell) throw new BadRequest('place', 'g', `Le point ${coordinates(point)} est hors du produit radar.`)
    return cell
  })
  const ofZones = zones.map(async ({ key, name }): Promise<PlaceSeries> => {
    const frames = await store.index.summaries(product, span, key)
    return {
      kind: 'zone',
      name,
      timesMs: frames.map(({ timeMs }) => timeMs),
      ratesMmH: frames.map(({ catchment, moved }) => (isMoved ? moved?.catchment : catchment?.mean) ?? null),
      bridgedS,
    }
  })
  const [zoneSeries, ofPoints] = await Promise.all([
    Promise.all(ofZones),
    cells.length === 0 ? [] : pixelSeries(store, product, cells, span, isMoved),
  ])
  return [
    ...zoneSeries,
    ...ofPoints.map((series, k): PlaceSeries => ({ kind: 'pixel', name: coordinates(points[k]), ...series })),
  ]
}

/** Series of pixels, read together. */
async function pixelSeries(
  { pixels, moved }: Pick<AnswerContext['store'], 'pixels' | 'moved'>,
  product: StoredProduct,
  cells: GridCell[],
  span: Span,
  isMoved: boolean,
): Promise<Pick<PlaceSeries, 'timesMs' | 'ratesMmH' | 'bridgedS'>[]> {
  const followed = isMoved ? await moved.readCells(product, cells, span) : null
  const { timesMs, codes } = followed ?? (await pixels.readCells(product, cells, span))
  return codes.map((column) => ({
    timesMs,
    ratesMmH: decodeRates(column, new Float64Array(column.length)),
    bridgedS: followed ? BRIDGED_S : 0,
  }))
}

export const returnPeriodsAnswer: AnswerKind<DepthsInput, ReturnPeriods> = {
  name: 'return-periods',
  async run(context, input) {
    const product = productOf(context.store, { p: input.product })
    const isMoved = input.method === 'moved' && (await context.store.moved.isReady(product, input.span))
    const method = isMoved ? 'moved' : 'raw'
    const series = await seriesOf(context, product, input, method)
    return {
      table: input.table,
      method,
      places: rarePlaces(series, product, input.span, input.table.laws),
    }
  },
}
