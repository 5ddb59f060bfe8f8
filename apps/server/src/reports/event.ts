import { catchmentHyetogram, hyetogram, lightTheme, type TimePoint } from '@radx/charts'
import type { Bounds, Gauge, LatLng, MontanaTable, RarePlace, Report, ReportBlock } from '@radx/contracts'
import { formatDuration } from '@radx/locale/duration'
import { countFr, formatDateTimeFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { isoSeconds } from '@radx/locale/time'
import { cellBounds, representativeness } from '@radx/rainfall'
import type { Catchment } from '../config/catchments.ts'
import { provenance, readSelection, runningMm, type Selection } from '../exports/api.ts'
import { type AdjustmentInput, adjustedRows, METHOD_FR } from '../gauges/api.ts'
import { NotFound } from '../http/errors.ts'
import { productOf } from '../radar/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import { totalsOf } from '../store/moved/totals.ts'
import { rarePlaces, seriesOf } from '../storms/api.ts'
import type { AnswerContext } from '../threads/answers.ts'
import { CHART_SIZE, chart, heading, periodFr, table, text } from './blocks.ts'
import { groundGauges } from './ground-gauges.ts'
import { rarity } from './rarity.ts'
import { totalsMap } from './totals-map.ts'

export interface EventReportInput {
  title: string
  product: string
  span: Span
  /** Key of the catchment or part of one; null for the whole product. */
  zone: string | null
  /** Pixels that the reader marked. */
  points: LatLng[]
  /** Rain gauges that the reader may see; those with readings in the period are told. */
  gauges: Gauge[]
  /** Null where there is none: return periods are then left out. */
  table: MontanaTable | null
  comment: string
  /** Also tells the product adjusted to gauges; null or absent does not. */
  adjusted?: AdjustmentInput | null
}

/** Gaps of one table: of a month there are hundreds. */
const MOST_GAPS = 12

/** How the cumul takes the rain between images. */
const METHOD_WORDS = {
  moved: 'pluie déplacée entre les images',
  raw: 'images tenues fixes, pluie non déplacée',
}

const theme = { ...lightTheme, fontFamily: 'Inter' }
const mm = (value: number | null) => formatQuantityFr(value, 'mm', 1)
const lasting = (seconds: number) => (seconds === 0 ? '0 s' : formatDuration(1000 * seconds))

/** Report of a period of the archive. @throws NotFound when it has no frame */
export async function eventReport(context: AnswerContext, input: EventReportInput): Promise<Report> {
  const { store, catchments, site } = context
  const product = productOf(store, { p: input.product })
  const zone = input.zone === null ? null : (catchments.get(input.zone) ?? null)
  const selection = await readSelection(store, product, input.span, zone)
  if (selection.frames.length === 0)
    throw new NotFound('L’archive n’a aucune image pour cette période : il n’y a pas de rapport à faire.')
  const parts = zone && zone.parent === null ? catchments.childrenOf(zone.key) : []
  const zones = zone ? [zone, ...parts] : []
  const { depthMm } = await totalsOf(store, product, input.span, selection.method)
  // Where nothing is chosen, the wettest pixel tells how rare the rain was.
  const isChosen = zones.length + input.points.length > 0
  const points = isChosen ? input.points : wettest(product, depthMm)
  const where = { span: input.span, zones, points }
  const series = (await seriesOf(context, product, where, selection.method)).map((one) =>
    isChosen ? one : { ...one, name: `Pixel le plus arrosé (${one.name})` },
  )
  const places = rarePlaces(series, product, input.span, input.table?.laws ?? [])
  const place = zone ? zone.name : `Produit ${product.shortName}`
  return {
    title: input.title === '' ? `Rapport d’évènement – ${place}` : `Rapport d’évènement – ${input.title}`,
    subtitle: `${periodFr(input.span.startMs, input.span.endMs, site.timeZone)}. ${place}, produit ${product.shortName}.`,
    fileName: `rapport-${product.shortName}-${isoSeconds(input.span.startMs).slice(0, 16).replace(/[-:]/g, '')}.pdf`,
    dated: isoSeconds(input.span.endMs),
    blocks: [
      ...keyFigures(selection, places, depthMm),
      ...(input.comment === '' ? [] : [heading('Commentaire'), text(input.comment)]),
      heading('Carte des cumuls'),
      totalsMap(selection, depthMm, { catchments: catchments.all, site, points }),
      ...hyetograms(selection, site.timeZone),
      ...placesTable(places, zones),
      ...(await groundGauges(
        context,
        product,
        { gauges: input.gauges, span: input.span, near: centreOf(zone ?? product), method: selection.method },
        input.table,
      )),
      ...(input.adjusted ? await adjustedBlocks(context, input.adjusted, selection) : []),
      ...rarity(places, input.table),
      ...quality(selection, site.timeZone, Boolean(input.adjusted)),
      heading('Provenance'),
      table(
        'D’où viennent ces chiffres',
        ['Élément', 'Valeur'],
        provenance(selection, site, new Date(input.span.endMs))
          // Gaps stand in a table of their own; of a month they would fill pages here.
          .filter(([name]) => name !== 'Exporté le (UTC)' && name !== 'Lacunes')
          .map(([name, value]) => [name, String(value)]),
      ),
    ],
  }
}

/** Centre of the cell with the largest total; nothing where no cell has rain. */
function wettest(product: StoredProduct, depthMm: Float32Array): LatLng[] {
  let most = -1
  for (let k = 0; k < depthMm.length; k++)
    if (depthMm[k] > 0 && !(most >= 0 && depthMm[k] <= depthMm[most])) most = k
  if (most < 0) return []
  return [centreOf({ bounds: cellBounds(product, Math.floor(most / product.steps), most % product.steps) })]
}

const centreOf = ({ bounds: { ul, lr } }: { bounds: Bounds }): LatLng => ({
  lat: (ul.lat + lr.lat) / 2,
  lng: (ul.lng + lr.lng) / 2,
})

const capital = (text: string) => text[0].toUpperCase() + text.slice(1)

/** The product adjusted to gauges beside the original: its name, its factor, its error. */
async function adjustedBlocks(
  context: AnswerContext,
  input: AdjustmentInput,
  { zone, frames }: Selection,
): Promise<ReportBlock[]> {
  const { about, rows } = await adjustedRows(context, { ...input, zone: zone?.key ?? null })
  const seconds = representativeness(
    frames.map(({ timeMs }) => timeMs),
    input.span,
    context.store.catalog.products.get(input.product)!.frameSeconds,
  ).seconds
  const depth = (of: 'originalMmH' | 'adjustedMmH') =>
    rows.reduce((sum, row, k) => sum + ((row[of] ?? 0) * (seconds[k] ?? 0)) / 3600, 0)
  const factors = rows.map(({ factor }) => factor)
  const number = (value: number) => formatNumberFr(value, 2)
  // A local method has a factor a cell: of its frames only the ratio over the whole product is one number.
  const factorFr =
    input.method === 'mfb' ? 'facteur' : 'rapport ajusté / original, moyenne de tout le produit'
  return [
    heading('Pluie ajustée aux pluviomètres'),
    text(
      `${about.name} : ${countFr(about.gauges, 'pluviomètre')}. Les autres chiffres de ce rapport sont ceux du produit d’origine. ${about.notesFr.join(' ')}`.trim(),
    ),
    table(
      'Original et ajusté (images tenues fixes)',
      ['Grandeur', 'Valeur'],
      [
        ['Cumul moyen, original', mm(depth('originalMmH'))],
        ['Cumul moyen, ajusté', mm(depth('adjustedMmH'))],
        [`Plus petit ${factorFr}`, number(Math.min(...factors))],
        [`Plus grand ${factorFr}`, number(Math.max(...factors))],
      ],
    ),
    ...(about.errors.length === 0
      ? []
      : [
          table(
            'Erreur, chaque pluviomètre estimé par les autres',
            ['Méthode', 'Biais', 'Écart quadratique'],
            about.errors.map(({ method, biasPct, rmse }) => [
              capital(METHOD_FR[method]),
              formatQuantityFr(biasPct, '%', 0),
              formatQuantityFr(rmse, 'mm', 2),
            ]),
          ),
        ]),
  ]
}

function keyFigures(
  selection: Selection,
  places: readonly RarePlace[],
  depthMm: Float32Array,
): ReportBlock[] {
  const { frames, time, span, zone } = selection
  const whole = runningMm(selection, 'zone').at(-1) ?? 0
  const most = depthMm.filter((value) => !Number.isNaN(value)).reduce((max, value) => Math.max(max, value), 0)
  const peak = frames.reduce((max, { maxMmH }) => Math.max(max, maxMmH ?? 0), 0)
  const seconds = (span.endMs - span.startMs) / 1000
  return [
    heading('Chiffres clés'),
    table(
      'La période en bref',
      ['Grandeur', 'Valeur'],
      [
        ...(zone ? [[`Cumul moyen du bassin ${zone.name}`, mm(places[0].totalMm)]] : []),
        ['Cumul moyen de la zone radar', mm(whole)],
        ['Plus grand cumul d’un pixel', mm(most)],
        ['Plus forte intensité d’un pixel', formatQuantityFr(peak, 'mm/h', 1)],
        ['Images', formatNumberFr(frames.length)],
        [
          'Durée sans image',
          `${lasting(time.missingSeconds)} (${formatQuantityFr((100 * time.missingSeconds) / seconds, '%', 1)})`,
        ],
      ],
    ),
  ]
}

function hyetograms(selection: Selection, timeZone: string): ReportBlock[] {
  const { frames, time, zone, span } = selection
  const points = (value: (i: number) => number | null): TimePoint[] =>
    frames.map(({ timeMs }, i) => ({ datetime: isoSeconds(timeMs), value: value(i) }))
  const common = {
    timeZone,
    gaps: time.gaps.map((gap) => ({ start: isoSeconds(gap.startMs), end: isoSeconds(gap.endMs) })),
    range: { start: isoSeconds(span.startMs), end: isoSeconds(span.endMs) },
  }
  const mean = (i: number) => (zone ? (frames[i].catchment?.mean ?? null) : frames[i].zone.nonzerosmean)
  const total = runningMm(selection, zone ? 'catchment' : 'zone')
  const { method } = selection
  const data = { ...common, points: points(mean), cumulMm: points((i) => total[i]), method }
  const option = (zone ? catchmentHyetogram : hyetogram)(data, theme, CHART_SIZE)
  const what = zone ? `moyenne du bassin ${zone.name}` : 'moyenne de la zone pluvieuse'
  const top = frames.reduce((max, _, i) => Math.max(max, mean(i) ?? 0), 0)
  return [
    heading('Hyétogramme'),
    chart(option, CHART_SIZE, {
      caption: `Intensité (${what}, barres, mm/h) et cumul (courbe, mm ; ${METHOD_WORDS[method]}). Les bandes grises sont sans image.`,
      alt: `Hyétogramme, ${what} : la plus forte intensité est ${formatQuantityFr(top, 'mm/h', 1)}, le cumul final ${mm(total[total.length - 1])}.`,
    }),
  ]
}

function placesTable(places: readonly RarePlace[], zones: readonly Catchment[]): ReportBlock[] {
  if (places.length === 0) return []
  return [
    heading('Cumuls par lieu'),
    table(
      'Bassins et pixels choisis',
      ['Lieu', 'Nature', 'Cumul', 'Sans donnée'],
      places.map(({ kind, name, totalMm, missingSeconds }, k) => [
        name,
        kind === 'pixel'
          ? `pixel ${k - zones.length + 1}`
          : zones[k].parent === null
            ? 'bassin'
            : 'sous-bassin',
        mm(totalMm),
        lasting(missingSeconds),
      ]),
    ),
  ]
}

function quality({ time, frames, product }: Selection, timeZone: string, adjusted: boolean): ReportBlock[] {
  const valid = frames.reduce((sum, { validPct }) => sum + validPct, 0) / frames.length
  const gaps = time.gaps.slice(0, MOST_GAPS)
  return [
    heading('Lacunes et qualité'),
    text(
      `${countFr(frames.length, 'image')}, une toutes les ${product.frameSeconds} s en théorie ; ${formatQuantityFr(valid, '%', 1)} des pixels ont une donnée en moyenne. ` +
        (gaps.length === 0
          ? 'Aucune lacune.'
          : `${countFr(time.gaps.length, 'lacune')}, ${lasting(time.missingSeconds)} au total : elles ne comptent pas pour zéro, les cumuls sont alors des minimums.`),
    ),
    ...(gaps.length === 0
      ? []
      : [
          table(
            time.gaps.length > gaps.length ? `Les ${gaps.length} premières lacunes` : 'Lacunes',
            ['Début', 'Fin', 'Durée'],
            gaps.map(({ startMs, endMs }) => [
              formatDateTimeFr(startMs, timeZone),
              formatDateTimeFr(endMs, timeZone),
              lasting((endMs - startMs) / 1000),
            ]),
          ),
        ]),
    text(
      adjusted
        ? 'Intensités mesurées par radar, sans ajustement hors de la partie « Pluie ajustée aux pluviomètres », qui chiffre l’écart entre les deux.'
        : 'Intensités mesurées par radar, sans ajustement aux pluviomètres au sol : leur incertitude propre n’est pas chiffrée ici.',
    ),
  ]
}
