import {
  CLASS_NO_DATA,
  CUMUL_CLASS_BOUNDS_MM,
  CUMUL_CLASS_COLORS,
  CUMUL_CLASS_COLORS_DARK,
  INTENSITY_CLASSES,
} from '@radx/contracts/constants'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { Scheme } from '../map/basemap.ts'
import { NO_DATA } from '../map/createMap.ts'
import type { FrameCache } from '../map/frames/FrameCache.ts'
import { PROBABILITY_COLORS } from '../map/probability.ts'
import { QUALITY_COLORS } from '../map/quality.ts'
import { EDGE, type PaletteKind, palette } from '../map/radar-shader.ts'
import { futureTexts } from '../texts/future.ts'
import { mapTexts } from '../texts/map.ts'
import { qualityTexts } from '../texts/quality-of-rain.ts'
import type { PlateLegend } from './plate.ts'
import type { CodeLook } from './protocol.ts'
import type { FilmSubject } from './subject.ts'
import { zonedFr } from './words.ts'

/** The layer of radar frames. */
export const RADAR = 'radx-radar'
/** A frame that has not come by then does not come, ms. */
const WAIT_MS = 60_000

const CUMUL_LABELS = [
  ...CUMUL_CLASS_BOUNDS_MM.map((bound) => `<${bound}`),
  `>=${CUMUL_CLASS_BOUNDS_MM.at(-1)}`,
]

/** The legend of frames, in the words of the page's own. @param above of probabilities, mm/h */
export function rainLegend(kind: PaletteKind, scheme: Scheme, above = 0): PlateLegend {
  const noData = mapTexts.legendNoData
  const share = (k: number, of: number) => formatNumberFr((k + 1) / of, 1)
  switch (kind) {
    case 'intensity':
      return {
        title: mapTexts.legendTitle,
        unit: mapTexts.legendUnit,
        classes: INTENSITY_CLASSES.map(({ color, labelFr: label }) => ({ color, label })),
        noData,
      }
    case 'accumulation': {
      const colors = scheme === 'dark' ? CUMUL_CLASS_COLORS_DARK : CUMUL_CLASS_COLORS
      return {
        title: mapTexts.cumulTitle,
        unit: mapTexts.cumulUnit,
        classes: CUMUL_LABELS.map((label, k) => ({ color: colors[k], label })),
        noData,
      }
    }
    case 'probability':
      return {
        title: futureTexts.legend,
        unit: futureTexts.above(formatNumberFr(above, 1, true)),
        classes: PROBABILITY_COLORS[scheme].map((color, k) => ({
          color,
          label: futureTexts.percent((k + 1) * 10),
        })),
        noData,
      }
    case 'quality': {
      const colors = QUALITY_COLORS[scheme]
      return {
        title: qualityTexts.title,
        unit: '',
        classes: colors.map((color, k) => ({ color, label: share(k, colors.length) })),
        noData: qualityTexts.unknown,
      }
    }
  }
}

/** The colours of the map's own frames. @param opacity 0 to 1 */
export function rainLook(kind: PaletteKind, scheme: Scheme, opacity: number): CodeLook {
  const noData = NO_DATA[scheme]
  const table = palette(kind, scheme, noData)
  const bytes = Uint8Array.from(table, (channel) => Math.round(255 * channel))
  const [r, g, b] = bytes.subarray(4 * CLASS_NO_DATA)
  return {
    palette: bytes,
    noData: { code: CLASS_NO_DATA, color: [r, g, b, noData.alpha] },
    opacity,
    edge: EDGE[scheme],
  }
}

interface RainFilm {
  store: FrameCache
  times: readonly string[]
  kind: PaletteKind
  scheme: Scheme
  /** 0 to 100. */
  opacity: number
  title: string
  /** Of probabilities, mm/h. */
  above?: number
  timeZone: string
}

/** Frames of the map, one after the other. */
export function rainFilm({
  store,
  times,
  kind,
  scheme,
  opacity,
  title,
  above,
  timeZone,
}: RainFilm): FilmSubject {
  const { steps, bounds } = store.grid
  return {
    title,
    legend: rainLegend(kind, scheme, above),
    count: times.length,
    nrows: steps,
    ncols: steps,
    place: ({ view }) => ({ kind: 'latlng', bounds, view }),
    look: rainLook(kind, scheme, opacity / 100),
    clock: (moment) => zonedFr(times[moment], timeZone),
    codes: async (moment, signal) => {
      await here(store, times[moment], signal)
      const block = new Uint8Array(Math.ceil(steps ** 2 / 2))
      store.read(times[moment], block)
      return Uint8Array.from({ length: steps ** 2 }, (_, k) => (block[k >> 1] >> (k % 2 === 0 ? 4 : 0)) & 15)
    },
    moving: [RADAR],
  }
}

/** Waits for a frame that is on its way. @throws Error when it does not come; AbortError */
function here(store: FrameCache, time: string, signal: AbortSignal): Promise<void> {
  if (store.has(time)) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const waited = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)])
    const leave = store.subscribe(() => {
      if (!store.has(time)) return
      leave()
      resolve()
    })
    waited.addEventListener('abort', () => {
      leave()
      reject(waited.reason)
    })
  })
}
