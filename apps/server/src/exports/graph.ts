import {
  CHART_TITLES,
  CUMUL_NAMES,
  catchmentHyetogram,
  coverage,
  cumul,
  hyetogram,
  lightTheme,
  pixelHyetogram,
  type TimePoint,
} from '@radx/charts'
import { type GaugeAdjustment, type GraphType, HISTOGRAM_SVG, RADX_VERSION } from '@radx/contracts'
import { countFr, formatDateTimeFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { isoSeconds } from '@radx/locale/time'
import type { EChartsOption } from 'echarts'
import { drawSvg, svgPng } from './picture.ts'
import { runningMm, type Selection } from './selection.ts'

/** Pixels for one of the drawing's: 300 dots an inch on a page 20 cm wide. */
const PRINT_SCALE = 2.4
const FOOT_PX = 26

export interface PixelValues {
  points: TimePoint[]
  cumulMm: TimePoint[]
  place: string
}

const TITLES: Record<GraphType, string> = {
  hyetogram: CHART_TITLES.hyetogram,
  coverage: CHART_TITLES.coverage,
  catchment: 'Hyétogramme du bassin',
  cumul: 'Cumul de pluie',
  pixel: 'Hyétogramme du pixel',
}

/**
 * A graph as the screen draws it, at print quality: PNG with title, period, units, source and version.
 * @param about of the product adjusted to gauges that the selection is of
 */
export function graphPng(
  type: GraphType,
  selection: Selection,
  pixel: PixelValues | null,
  site: { name: string; timeZone: string },
  about: GaugeAdjustment | null = null,
): Uint8Array {
  const { product, span, zone, method } = selection
  const size = { width: HISTOGRAM_SVG.width, height: HISTOGRAM_SVG.height }
  const title = graphTitle(type, { pixel: pixel?.place, zone: zone?.name }, about !== null)
  const chart = drawSvg(option(type, selection, pixel, title, site.timeZone), size)
  const period = `${formatDateTimeFr(span.startMs, site.timeZone)} au ${formatDateTimeFr(span.endMs, site.timeZone)} (heure locale)`
  const totals = type === 'coverage' ? '' : `${CUMUL_NAMES[method]} · `
  const source = `${totals}${site.name}, produit ${product.shortName} · RadX ${RADX_VERSION}`
  const height = size.height + FOOT_PX * (about ? 2 : 1)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${height}" font-family="Inter" font-size="12" fill="#55636a">
    <rect width="100%" height="100%" fill="#ffffff"/>${chart}
    ${about ? `<text x="16" y="${size.height + FOOT_PX - 10}">${escapeXml(adjustmentFr(about))}</text>` : ''}
    <text x="16" y="${height - 10}">${escapeXml(period)}</text>
    <text x="${size.width - 16}" y="${height - 10}" text-anchor="end">${escapeXml(source)}</text>
  </svg>`
  return svgPng(svg, PRINT_SCALE)
}

/** What a graph shows, of which place, as the page says it. */
export function graphTitle(
  type: GraphType,
  place: { pixel?: string; zone?: string },
  adjusted: boolean,
): string {
  const of = {
    pixel: place.pixel && `, ${place.pixel}`,
    catchment: place.zone && ` ${place.zone}`,
    cumul: place.zone && `, bassin ${place.zone}`,
    hyetogram: '',
    coverage: '',
  }[type]
  return `${TITLES[type]}${of ?? ''}${adjusted ? ', produit ajusté' : ''}`
}

/** Name, factors and error of an adjusted product in a line. */
function adjustmentFr({ name, method, gauges, frames, errors, unchanged }: GaugeAdjustment): string {
  const factors = frames.map(({ factor }) => factor)
  const [least, most] = [Math.min(...factors), Math.max(...factors)].map((one) => formatNumberFr(one, 2))
  const error = errors.find((one) => one.method === method)
  return [
    name,
    least === most ? `facteur ${least}` : `facteurs ${least} à ${most}`,
    countFr(gauges, 'pluviomètre'),
    ...(error ? [`validation croisée : biais ${formatQuantityFr(error.biasPct, '%', 0)}`] : []),
    ...(unchanged ? ['trop peu de pluviomètres : l’original'] : []),
  ].join(' · ')
}

function option(
  type: GraphType,
  selection: Selection,
  pixel: PixelValues | null,
  title: string,
  timeZone: string,
): EChartsOption {
  const { frames, time, method } = selection
  const points = (value: (i: number) => number | null): TimePoint[] =>
    frames.map(({ timeMs }, i) => ({ datetime: isoSeconds(timeMs), value: value(i) }))
  const running = (of: 'zone' | 'catchment') => {
    const mm = runningMm(selection, of)
    return points((i) => mm[i])
  }
  const common = {
    title,
    timeZone,
    gaps: time.gaps.map((gap) => ({ start: isoSeconds(gap.startMs), end: isoSeconds(gap.endMs) })),
  }
  const size = { width: HISTOGRAM_SVG.width, height: HISTOGRAM_SVG.height }
  const theme = { ...lightTheme, fontFamily: 'Inter' }
  switch (type) {
    case 'coverage':
      return coverage({ ...common, points: points((i) => frames[i].zone.nonzerospc) }, theme, size)
    case 'catchment':
      return catchmentHyetogram(
        {
          ...common,
          points: points((i) => frames[i].catchment?.mean ?? null),
          cumulMm: running('catchment'),
          method,
        },
        theme,
        size,
      )
    case 'cumul':
      return cumul({ ...common, method, points: running(selection.zone ? 'catchment' : 'zone') }, theme, size)
    case 'pixel':
      return pixelHyetogram(
        { ...common, points: pixel?.points ?? [], cumulMm: pixel?.cumulMm ?? [], method, color: 0 },
        theme,
        size,
      )
    case 'hyetogram':
      return hyetogram(
        { ...common, points: points((i) => frames[i].zone.nonzerosmean), cumulMm: running('zone') },
        theme,
        size,
      )
  }
}

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
