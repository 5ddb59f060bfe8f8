import { RADX_VERSION, type RainMethod } from '@radx/contracts'
import { formatNumberFr } from '@radx/locale/format-fr'
import { cumulate, periodQuality, type Representativeness, representativeness } from '@radx/rainfall'
import type { Catchment } from '../config/catchments.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { FrameSummary, Span } from '../store/frame-index.ts'
import { movedTime, RAIN_METHOD_FR } from '../store/moved/moved-rain.ts'
import type { Store } from '../store/open-store.ts'

/** A period of a product, with the time that each frame stands for. */
export interface Selection {
  product: StoredProduct
  span: Span
  zone: Catchment | null
  frames: FrameSummary[]
  /** Time that each frame stands for by the method. */
  time: Representativeness
  /** How totals take the rain between frames: `raw` also where it has not been followed yet. */
  method: RainMethod
}

export async function readSelection(
  { index }: Store,
  product: StoredProduct,
  span: Span,
  zone: Catchment | null,
  wanted: RainMethod = 'moved',
): Promise<Selection> {
  const frames = await index.summaries(product, span, zone?.key ?? null)
  const times = frames.map(({ timeMs }) => timeMs)
  const method = wanted === 'moved' && frames.every(({ moved }) => moved !== null) ? 'moved' : 'raw'
  const time =
    method === 'moved'
      ? movedTime(product, times, span)
      : representativeness(times, span, product.frameSeconds)
  return { product, span, zone, frames, time, method }
}

/** Mean over the zone or the catchment that totals take of each frame, mm/h; null without data. */
export function meansOf({ frames, method }: Selection, of: 'zone' | 'catchment'): (number | null)[] {
  return frames.map((frame) =>
    method === 'moved' ? frame.moved![of] : of === 'zone' ? frame.zone.mean : (frame.catchment?.mean ?? null),
  )
}

/** Running cumul of the zone (no `of`) or of the catchment, mm. */
export function runningMm(selection: Selection, of: 'zone' | 'catchment'): number[] {
  return cumulate(meansOf(selection, of), selection.time).runningMm
}

/** Whether any frame says something of the quality of its rain. */
export const hasQuality = ({ frames }: Pick<Selection, 'frames'>): boolean =>
  frames.some(({ quality }) => quality !== null)

/** Quality of the total over the zone or the catchment; null where no frame says anything of it. */
export const qualityOf = (selection: Selection, of: 'zone' | 'catchment') =>
  periodQuality(
    selection.frames.map(({ quality }) => quality?.[of] ?? null),
    meansOf(selection, of),
    selection.time.seconds,
  )

/** What is known of the quality of a selection, for people. */
function qualityLine(selection: Selection): string {
  const found = qualityOf(selection, selection.zone ? 'catchment' : 'zone')
  if (!found) return 'inconnue'
  const share = found.share < 0.995 ? `, connue pour ${formatNumberFr(100 * found.share, 0)} % du temps` : ''
  return `${formatNumberFr(found.mean, 2)} (0 à 1, pondérée par la pluie)${share}`
}

/** Where an export comes from, as lines of name and value; every export carries them. */
export function provenance(
  selection: Selection,
  site: { name: string },
  now: Date,
): [string, string | number][] {
  const { product, span, zone, frames, time, method } = selection
  const iso = (ms: number) => new Date(ms).toISOString()
  const rows: [string, string | number][] = [
    ['Source', `${site.name}, produit ${product.shortName} (${product.longName})`],
    ['Logiciel', `RadX ${RADX_VERSION}`],
    ['Exporté le (UTC)', now.toISOString()],
    ['Début (UTC)', iso(span.startMs)],
    ['Fin exclue (UTC)', iso(span.endMs)],
    ['Images', frames.length],
    ['Durée sans image (s)', Math.round(time.missingSeconds)],
    ['Lacunes', time.gaps.map((gap) => `${iso(gap.startMs)}/${iso(gap.endMs)}`).join(' ') || 'aucune'],
    ['Cumuls', RAIN_METHOD_FR[method]],
    ['Qualité', qualityLine(selection)],
    ['Bassin', zone ? `${zone.name} (${zone.key})` : 'aucun'],
  ]
  if (zone?.note) rows.push(['Contour du bassin', zone.note])
  rows.push([
    'Moyenne de bassin',
    'pondérée par la part de chaque pixel à l’intérieur du contour ; les pixels sans donnée sont écartés',
  ])
  return rows
}

/** `dpsri-20210704T1550-20210704T1900` */
export function fileStem({ product, span, zone }: Pick<Selection, 'product' | 'span' | 'zone'>): string {
  const at = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace(/[-:]/g, '')
  return [product.shortName, at(span.startMs), at(span.endMs), zone?.key].filter(Boolean).join('-')
}
