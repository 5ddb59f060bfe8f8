import { createRequire } from 'node:module'
import { INTENSITY_CLASSES, type LatLng } from '@radx/contracts'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { Resvg } from '@resvg/resvg-js'
import { CRS, wmsPicture } from '../ogc/api.ts'
import type { AnswerKind } from '../threads/answers.ts'

/** What the pages that show a link before it is opened ask for (Open Graph), px. */
export const CARD = { width: 1200, height: 630 } as const
const LAND = '#edf0ef'
const INK = '#24343a'
const QUIET = '#55636a'
/** Metres of Web Mercator between two rows at most, for a product of some 100 km. */
const AROUND = 1.15
const TOWNS = 14
const MERCATOR = 'EPSG:3857'

const require = createRequire(import.meta.url)
const FONTS = ['500Medium/Inter_500Medium.ttf', '600SemiBold/Inter_600SemiBold.ttf'].map((file) =>
  require.resolve(`@expo-google-fonts/inter/${file}`),
)

export interface CardInput {
  site: string
  timeZone: string
  product: { shortName: string; bounds: { ul: LatLng; lr: LatLng } }
  /** Frame to draw; null while there is none. */
  timeMs: number | null
  towns: { name: string; position: LatLng; rank: number }[]
}

/** The newest image of the radar as a card of a link: what everyone may see, drawn in a thread. */
export const cardAnswer: AnswerKind<CardInput, { body: Uint8Array }> = {
  name: 'link-card',
  run: async ({ store }, input) => {
    const window = windowOf(input.product.bounds)
    const { shortName } = input.product
    const rain =
      input.timeMs === null
        ? null
        : await wmsPicture(store, { p: shortName, timeMs: input.timeMs, window, ground: null, noData: true })
    return { body: cardPng(input, window, rain) }
  },
}

interface CardWindow {
  crs: string
  west: number
  south: number
  east: number
  north: number
  width: number
  height: number
}

/** The product in the middle, with its surroundings. */
function windowOf({ ul, lr }: CardInput['product']['bounds']): CardWindow {
  const { fromLngLat } = CRS.get(MERCATOR)!
  const [west, north] = fromLngLat(ul.lng, ul.lat)
  const [east, south] = fromLngLat(lr.lng, lr.lat)
  const [x, y] = [(west + east) / 2, (north + south) / 2]
  const high = (AROUND * (north - south)) / 2
  const wide = (high * CARD.width) / CARD.height
  return { crs: MERCATOR, west: x - wide, east: x + wide, south: y - high, north: y + high, ...CARD }
}

const xml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

function cardPng(input: CardInput, window: CardWindow, rain: Uint8Array | null): Uint8Array {
  const { fromLngLat } = CRS.get(MERCATOR)!
  const place = ({ lng, lat }: LatLng): [number, number] => {
    const [x, y] = fromLngLat(lng, lat)
    return [
      ((x - window.west) / (window.east - window.west)) * CARD.width,
      ((window.north - y) / (window.north - window.south)) * CARD.height,
    ]
  }
  const [left, top] = place(input.product.bounds.ul)
  const [right, bottom] = place(input.product.bounds.lr)
  const towns = input.towns
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, TOWNS)
    .map(({ name, position }) => {
      const [x, y] = place(position)
      return `<circle cx="${x}" cy="${y}" r="4" fill="${INK}" stroke="#fff" stroke-width="2"/><text x="${x + 10}" y="${y + 6}" font-size="20" paint-order="stroke" stroke="#fff" stroke-width="4" stroke-linejoin="round">${xml(name)}</text>`
    })
  const legend = INTENSITY_CLASSES.map(
    ({ color, labelFr }, k) =>
      `<rect x="48" y="${540 - 28 * k}" width="26" height="28" fill="${color}"/><text x="84" y="${560 - 28 * k}" font-size="19">${labelFr}</text>`,
  )
  const clock =
    input.timeMs === null
      ? 'Aucune image pour le moment'
      : `${formatDateTimeFr(input.timeMs, input.timeZone)}`
  const image =
    rain === null
      ? ''
      : `<image width="${CARD.width}" height="${CARD.height}" href="data:image/png;base64,${Buffer.from(rain).toString('base64')}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}" font-family="Inter" font-weight="500" fill="${INK}">
    <rect width="100%" height="100%" fill="${LAND}"/>
    ${image}
    <rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}" fill="none" stroke="${INK}" stroke-opacity="0.4" stroke-dasharray="10 8"/>
    ${towns.join('')}
    <rect x="24" y="24" width="530" height="108" rx="12" fill="#fff" fill-opacity="0.94"/>
    <text x="48" y="68" font-size="30" font-weight="600">${xml(input.site)}, pluie par radar</text>
    <text x="48" y="108" font-size="26" fill="${QUIET}">${xml(clock)} (${xml(input.timeZone)})</text>
    <rect x="24" y="288" width="210" height="318" rx="12" fill="#fff" fill-opacity="0.94"/>
    <text x="48" y="326" font-size="20" font-weight="600">Intensité <tspan font-weight="500" fill="${QUIET}">mm/h</tspan></text>
    ${legend.join('')}
  </svg>`
  const resvg = new Resvg(svg, {
    font: { fontFiles: FONTS, loadSystemFonts: false, defaultFontFamily: 'Inter' },
  })
  // Memory of our own: that of the renderer cannot leave its thread.
  return new Uint8Array(resvg.render().asPng())
}
