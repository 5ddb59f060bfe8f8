import { createRequire } from 'node:module'
import { type PaletteName, paletteBytes } from '@radx/charts/palettes'
import { MRR_VARIABLE_UNITS, type MrrVariableName } from '@radx/contracts'
import { hasRain } from '@radx/contracts/mrr-constants'
import { civilParts } from '@radx/locale/time'
import { Resvg } from '@resvg/resvg-js'
import { PNG } from 'pngjs'
import type { Profile } from './profiles.ts'

const require = createRequire(import.meta.url)
const FONTS = ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'].map((file) =>
  require.resolve(`@expo-google-fonts/inter/${file}`),
)
/** Sizes in units of the drawing; text of the small one is read in a column of a page, where it is shown at a third. */
const LAYOUTS = {
  wide: {
    width: 960,
    height: 420,
    plot: { left: 64, top: 44, width: 800, height: 316 },
    font: { text: 12, title: 15, words: 18 },
    titleX: 64,
    headY: 26,
    footY: 406,
    tickMs: 600_000,
    zoom: 1,
  },
  small: {
    width: 480,
    height: 210,
    plot: { left: 52, top: 34, width: 356, height: 124 },
    font: { text: 13, title: 14, words: 16 },
    titleX: 8,
    headY: 18,
    footY: 204,
    tickMs: 1_200_000,
    zoom: 2,
  },
} as const
/** A column of the picture stands for this long; profiles come every 10 s. */
const COLUMN_MS = 10_000

/** Range of values that the colours span; what lies above takes the last colour. */
const RANGES: Record<MrrVariableName, [number, number]> = {
  LWC: [0, 3],
  RR: [0, 30],
  Ze: [-10, 50],
  VEL: [0, 10],
}

export interface HourImageOptions {
  profiles: readonly Profile[]
  startMs: number
  endMs: number
  variable: MrrVariableName
  palette: PaletteName
  timeZone: string
  /** Upper end of the colours; the variable's own by default. */
  max?: number
  /** Pixels for one unit of the drawing. */
  scale?: number
  /** For a dark page; white otherwise. */
  dark?: boolean
  layout?: keyof typeof LAYOUTS
}

/** As the screens have them. */
const INKS = {
  light: { paper: '#ffffff', ink: '#374151', title: '#111827', tick: '#6b7280', empty: '#f3f4f6' },
  dark: { paper: '#0f1415', ink: '#b4c0c2', title: '#e8eeee', tick: '#6b7a80', empty: '#1a2325' },
}

/** Time-height picture of profiles as PNG, with axes and legend, local time. */
export function hourImage(options: HourImageOptions): Buffer {
  const { profiles, startMs, endMs, variable, timeZone } = options
  const { titleFr, unit } = MRR_VARIABLE_UNITS[variable]
  const inks = INKS[options.dark ? 'dark' : 'light']
  const { plot, font, tickMs, ...size } = LAYOUTS[options.layout ?? 'wide']
  const [low, high] = [RANGES[variable][0], options.max ?? RANGES[variable][1]]
  const top = Math.max(1000, ...profiles.slice(0, 1).map((p) => p.heightsM[p.heightsM.length - 1]))
  const x = (ms: number) => plot.left + ((ms - startMs) / (endMs - startMs)) * plot.width
  const y = (m: number) => plot.top + plot.height - (m / top) * plot.height
  const time = (ms: number) => {
    const { hour, minute } = civilParts(ms, timeZone)
    return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  }
  const day = (ms: number) => {
    const p = civilParts(ms, timeZone)
    return `${String(p.day).padStart(2, '0')}/${String(p.month).padStart(2, '0')}/${p.year}`
  }
  const number = (value: number) => String(Number(value.toPrecision(3))).replace('.', ',')
  const ticks: string[] = []
  for (let ms = Math.ceil(startMs / tickMs) * tickMs; ms <= endMs; ms += tickMs)
    ticks.push(
      `<line x1="${x(ms)}" x2="${x(ms)}" y1="${plot.top + plot.height}" y2="${plot.top + plot.height + 5}" stroke="${inks.tick}"/>`,
      `<text x="${x(ms)}" y="${plot.top + plot.height + 20}" text-anchor="middle">${time(ms)}</text>`,
    )
  for (let m = 0; m <= top; m += 1000)
    ticks.push(
      `<line x1="${plot.left - 5}" x2="${plot.left}" y1="${y(m)}" y2="${y(m)}" stroke="${inks.tick}"/>`,
      `<text x="${plot.left - 10}" y="${y(m) + 4}" text-anchor="end">${m / 1000}</text>`,
    )
  const isDry = !profiles.some(({ values }) => values[variable]?.some((value) => hasRain(variable, value)))
  const words = profiles.length === 0 ? 'Pas de mesure' : 'Pas de pluie pendant cette heure'
  const said = isDry
    ? `<text x="${plot.left + plot.width / 2}" y="${plot.top + plot.height / 2}" text-anchor="middle" font-size="${font.words}">${words}</text>`
    : ''
  const legend = plot.left + plot.width + 20
  for (let k = 0; k <= 4; k++) {
    const at = plot.top + plot.height - (k / 4) * plot.height
    ticks.push(`<text x="${legend + 18}" y="${at + 4}">${number(low + (k / 4) * (high - low))}</text>`)
  }
  const picture = (png: Buffer, px: number, py: number, w: number, h: number) =>
    `<image x="${px}" y="${py}" width="${w}" height="${h}" preserveAspectRatio="none" image-rendering="optimizeSpeed" href="data:image/png;base64,${png.toString('base64')}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" font-family="Inter" font-size="${font.text}" fill="${inks.ink}">
    <rect width="100%" height="100%" fill="${inks.paper}"/>
    <text x="${size.titleX}" y="${size.headY}" font-size="${font.title}" font-weight="600" fill="${inks.title}">${titleFr}</text>
    <text x="${plot.left + plot.width}" y="${size.headY}" text-anchor="end">${day(startMs)}, ${time(startMs)} – ${time(endMs)}</text>
    <rect x="${plot.left}" y="${plot.top}" width="${plot.width}" height="${plot.height}" fill="${inks.empty}"/>
    ${said}
    ${picture(paint(options, low, high, top), plot.left, plot.top, plot.width, plot.height)}
    ${picture(colourBar(options.palette), legend, plot.top, 12, plot.height)}
    ${ticks.join('')}
    <text x="${legend}" y="${plot.top - 12}">${unit}</text>
    <text x="16" y="${plot.top + plot.height / 2}" text-anchor="middle" transform="rotate(-90 16 ${plot.top + plot.height / 2})">Altitude (km)</text>
    <text x="${plot.left + plot.width / 2}" y="${size.footY}" text-anchor="middle">Heure locale</text>
  </svg>`
  const resvg = new Resvg(svg, {
    font: { fontFiles: FONTS, loadSystemFonts: false, defaultFontFamily: 'Inter' },
    fitTo: { mode: 'zoom', value: (options.scale ?? 1) * size.zoom },
  })
  return resvg.render().asPng()
}

/** A pixel a profile and gate; where nothing was seen it is transparent. */
function paint(
  { profiles, startMs, endMs, variable, palette }: HourImageOptions,
  low: number,
  high: number,
  top: number,
): Buffer {
  const rows = 256
  const columns = Math.max(1, Math.round((endMs - startMs) / COLUMN_MS))
  const pixels = new Uint32Array(rows * columns)
  const colors = new Uint32Array(paletteBytes(palette).buffer)
  for (const { timeMs, heightsM, values } of profiles) {
    const source = values[variable]
    const column = Math.floor((timeMs - startMs) / COLUMN_MS)
    if (!source || column < 0 || column >= columns) continue
    const spacing = heightsM.length > 1 ? heightsM[1] - heightsM[0] : top
    for (let row = 0; row < rows; row++) {
      const height = ((rows - row - 0.5) / rows) * top
      const gate = Math.round((height - heightsM[0]) / spacing)
      const value = source[gate]
      if (value === undefined || !hasRain(variable, value)) continue
      const share = Math.min(1, Math.max(0, (value - low) / (high - low)))
      pixels[row * columns + column] = colors[Math.round(255 * share)]
    }
  }
  return drawn(columns, rows, new Uint8Array(pixels.buffer))
}

function colourBar(palette: PaletteName): Buffer {
  const bar = paletteBytes(palette)
  new Uint32Array(bar.buffer).reverse()
  return drawn(1, 256, bar)
}

/** A picture that only goes into the drawing: what packs it smaller takes longer than all else. */
function drawn(width: number, height: number, rgba: Uint8Array): Buffer {
  const png = new PNG({ width, height })
  png.data = Buffer.from(rgba.buffer)
  return PNG.sync.write(png, { deflateLevel: 1, filterType: 0 })
}
