import type { ComparedGauge, Gauge, GaugeComparison, RainMethod } from '@radx/contracts'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { civilMonth, isoSeconds } from '@radx/locale/time'
import { BIN_MS, wholeBins } from '@radx/rainfall/gauges/bins'
import {
  type CommonDepth,
  commonDepth,
  doubleMass,
  type GaugeBeside,
  isRatioTold,
  type PairedSteps,
  pairedSteps,
  rainSpells,
  wetScores,
} from '@radx/rainfall/gauges/compare'
import type { GaugeScores } from '@radx/rainfall/gauges/scores'
import { productOf } from '../radar/api.ts'
import type { Span } from '../store/frame-index.ts'
import type { AnswerContext, AnswerKind } from '../threads/answers.ts'
import { type GaugeOverPeriod, gaugesOverPeriod } from './compared.ts'
import { corrections } from './readings.ts'

export interface ComparisonInput {
  product: string
  span: Span
  stepMin: number
  gauges: Gauge[]
  /** Gauge whose series is wanted. */
  chosen: string | null
  raw: boolean
  /** How rain is to be taken between frames; moved only where it was followed. */
  method: RainMethod
}

const MOST_SCATTER = 4_000
const MOST_MASS = 300
const MOST_POINTS = 3_000
const MOST_EVENTS = 100
const STEPS = [1, 3, 12, 288]

/** Gauges over a period beside the radar. */
export const comparisonAnswer: AnswerKind<ComparisonInput, { body: Uint8Array }> = {
  name: 'gauge-comparison',
  async run(context, input) {
    return { body: new TextEncoder().encode(JSON.stringify(await comparisonOf(context, input))) }
  },
}

export async function comparisonOf(
  context: Pick<AnswerContext, 'db' | 'store' | 'site'>,
  input: ComparisonInput,
): Promise<GaugeComparison> {
  const product = productOf(context.store, { p: input.product })
  const span = wholeBins(input.span)
  const { places, flags, method } = await gaugesOverPeriod(context, product, { ...input, span })
  const ids = input.gauges.map(({ id }) => id)
  const corrected = await corrections(context.db, ids, span)
  const count = Math.round((input.stepMin * 60_000) / BIN_MS)
  const fine = (place: GaugeOverPeriod) => (place.intervalMs ?? 0) <= 1.5 * input.stepMin * 60_000
  const compared = places.map((place) => {
    const steps =
      place.state === 'compared' && fine(place) ? pairedSteps(place.beside!, span.startMs, count) : null
    return { place, steps }
  })
  const paired = compared.flatMap(({ steps }) => (steps ? [steps] : []))
  const besides = places.flatMap(({ state, beside }) => (state === 'compared' ? [beside!] : []))
  return {
    product: product.shortName,
    start: isoSeconds(span.startMs),
    end: isoSeconds(span.endMs),
    stepMin: input.stepMin,
    method,
    gauges: compared.map(({ place, steps }) => gaugeOf(place, steps)),
    all: allOf(wetScores(paired)),
    scatter: scatterOf(compared.map(({ steps }) => steps)),
    events: rainSpells(besides)
      .slice(-MOST_EVENTS)
      .map(({ from, to }) => spanOf(besides, span, from, to)),
    months: monthsOf(besides, span, context.site.timeZone),
    series: seriesOf(places, input.chosen, span, count),
    flags,
    notesFr: [...notesOf(compared, input), ...correctedNotes(input.gauges, corrected, context.site.timeZone)],
  }
}

const scoresOf = ({ pairs, biasPct, rmse, correlation }: GaugeScores, told = true) => ({
  pairs,
  biasPct: told ? biasPct : null,
  rmse,
  correlation,
})

const depthOf = (depth: CommonDepth) => {
  const { gaugeMm, radarMm, lowMm, highMm } = depth
  return {
    gaugeMm,
    radarMm,
    lowMm,
    highMm,
    ratio: radarMm > 0 && isRatioTold(depth) ? gaugeMm / radarMm : null,
  }
}

function allOf(scores: GaugeScores): GaugeComparison['all'] {
  const { pairs, gaugeMean, radarMean, ratioOfSums, medianRatio } = scores
  const told = isRatioTold({ gaugeMm: pairs * (gaugeMean ?? 0), radarMm: pairs * (radarMean ?? 0) })
  return {
    ...scoresOf(scores, told),
    ratio: told ? ratioOfSums : null,
    medianRatio: told ? medianRatio : null,
  }
}

function gaugeOf(
  { gauge, beside, intervalMs, faults, state }: GaugeOverPeriod,
  steps: PairedSteps | null,
): ComparedGauge {
  const depth = state === 'compared' ? commonDepth(beside!) : null
  return {
    ...gauge,
    state: state === 'compared' && steps === null ? 'tooCoarse' : state,
    intervalMin: intervalMs === null ? null : intervalMs / 60_000,
    depth: depth && depthOf(depth),
    knownShare: depth ? depth.steps / beside!.gauge.length : 0,
    scores: steps && scoresOf(wetScores([steps]), depth !== null && isRatioTold(depth)),
    doubleMass: state === 'compared' ? doubleMass(beside!, MOST_MASS) : [],
    faults,
  }
}

/** Wet pairs of all gauges; of many every so manieth. */
function scatterOf(steps: readonly (PairedSteps | null)[]): GaugeComparison['scatter'] {
  let count = 0
  for (const one of steps)
    for (let i = 0; i < (one?.gauge.length ?? 0); i++) if (one!.gauge[i] > 0 || one!.radar[i] > 0) count++
  const every = Math.max(1, Math.ceil(count / MOST_SCATTER))
  const pairs: GaugeComparison['scatter'] = []
  let k = 0
  for (const [g, one] of steps.entries())
    for (let i = 0; i < (one?.gauge.length ?? 0); i++) {
      if (!(one!.gauge[i] > 0 || one!.radar[i] > 0)) continue
      if (k++ % every === 0) pairs.push([g, round(one!.radar[i]), round(one!.gauge[i])])
    }
  return pairs
}

const round = (mm: number) => Math.round(mm * 1000) / 1000

/** Means over the gauges of [from, to). */
function spanOf(besides: readonly GaugeBeside[], { startMs }: Span, from: number, to: number) {
  const depths = besides.map((beside) => commonDepth(beside, from, to)).filter(({ steps }) => steps > 0)
  const mean = (field: 'gaugeMm' | 'radarMm' | 'lowMm' | 'highMm') =>
    depths.reduce((sum, depth) => sum + depth[field], 0) / Math.max(1, depths.length)
  return {
    start: isoSeconds(startMs + from * BIN_MS),
    end: isoSeconds(startMs + to * BIN_MS),
    gauges: depths.length,
    depth: depthOf({
      gaugeMm: mean('gaugeMm'),
      radarMm: mean('radarMm'),
      lowMm: mean('lowMm'),
      highMm: mean('highMm'),
      steps: 0,
    }),
  }
}

function monthsOf(besides: readonly GaugeBeside[], span: Span, timeZone: string) {
  const count = besides[0]?.gauge.length ?? 0
  const edges: number[] = []
  const HOUR = 12
  let month = ''
  for (let i = 0; i < count; i += i % HOUR === 0 ? HOUR : HOUR - (i % HOUR)) {
    const here = civilMonth(span.startMs + i * BIN_MS, timeZone)
    if (here !== month) edges.push(i)
    month = here
  }
  return edges
    .map((from, k) => spanOf(besides, span, from, edges[k + 1] ?? count))
    .filter(({ gauges }) => gauges > 0)
}

/** The chosen gauge in steps as fine as asked for, coarser where there would be too many. */
function seriesOf(
  places: readonly GaugeOverPeriod[],
  chosen: string | null,
  span: Span,
  count: number,
): GaugeComparison['series'] {
  const place = places.find(({ gauge }) => gauge.id === chosen)
  if (!place?.beside) return null
  const length = place.beside.gauge.length
  const fitting =
    STEPS.find((step) => step >= count && length / step <= MOST_POINTS) ?? STEPS[STEPS.length - 1]
  // What one of the two does not know is shown of the other all the same.
  const of = (values: Float64Array) => pairedSteps({ gauge: values, radar: values }, span.startMs, fitting)
  const gauge = of(place.beside.gauge)
  const numbers = (values: Float64Array) => Array.from(values, (v) => (Number.isNaN(v) ? null : round(v)))
  const { radar, low, high } = place.beside
  const seen = (values: Float64Array) =>
    numbers(of(values.map((v, i) => (Number.isNaN(radar[i]) ? Number.NaN : v))).gauge)
  return {
    gauge: place.gauge.id,
    stepMin: (fitting * BIN_MS) / 60_000,
    times: Array.from(gauge.gauge, (_, i) => isoSeconds(gauge.startMs + i * gauge.stepMs)),
    gaugeMm: numbers(gauge.gauge),
    radarMm: seen(radar),
    lowMm: seen(low),
    highMm: seen(high),
  }
}

function correctedNotes(
  gauges: readonly Gauge[],
  corrected: Awaited<ReturnType<typeof corrections>>,
  timeZone: string,
): string[] {
  const said = gauges.flatMap(({ id, name }) => {
    const found = corrected.get(id)
    return found ? [`${name} (${found.count}, le ${formatDateTimeFr(found.at.getTime(), timeZone)})`] : []
  })
  return said.length === 0
    ? []
    : [`Mesures corrigées par un fichier plus récent, celles d’avant gardées à part : ${said.join(', ')}.`]
}

function notesOf(
  compared: readonly { place: GaugeOverPeriod; steps: PairedSteps | null }[],
  { raw }: ComparisonInput,
): string[] {
  const names = (state: GaugeOverPeriod['state']) =>
    compared.filter(({ place }) => place.state === state).map(({ place }) => place.gauge.name)
  const coarse = compared
    .filter(({ place, steps }) => place.state === 'compared' && steps === null)
    .map(({ place }) => place.gauge.name)
  const said = (list: string[], text: string) => (list.length > 0 ? [`${text} : ${list.join(', ')}.`] : [])
  const faulty = compared.filter(({ place }) => place.faults.some(({ kept }) => !kept))
  return [
    ...said(names('outside'), 'Hors de ce produit radar'),
    ...said(names('noReadings'), 'Sans mesure sur la période'),
    ...said(names('noRadar'), 'Sans donnée radar sur la période'),
    ...said(names('excluded'), 'Écartés sur toute la période commune'),
    ...said(coarse, 'Mesures plus espacées que le pas choisi'),
    ...(faulty.length > 0
      ? said(
          faulty.map(({ place }) => place.gauge.name),
          raw ? 'Mesures douteuses, comptées à votre demande' : 'Mesures douteuses, laissées de côté',
        )
      : []),
  ]
}
