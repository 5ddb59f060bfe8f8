import { metricScale } from '../map/controls/metric-scale.ts'

/** A box of colours with what they mean, the strongest first. */
export interface PlateLegend {
  title: string
  unit: string
  /** From the lowest class to the highest. */
  classes: readonly { color: string; label: string }[]
  /** What hatched cells mean; left out where there are none. */
  noData?: string
}

/** What is written on a picture. */
export interface Plate {
  /** What it shows. */
  title: string
  legend: PlateLegend
  /** Whose data and background it is. */
  attribution: string
  /** Where the map stands, for its scale. */
  lat: number
  zoom: number
}

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

const FONT = "'Inter Variable', system-ui, sans-serif"
const MARGIN = 16
const PAD = 12
/** The box of title and clock. */
export const CLOCK = { left: MARGIN, top: MARGIN, width: 440, height: 66 } as const

function colors() {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string, instead: string) => style.getPropertyValue(name).trim() || instead
  return {
    ink: read('--rx-text', '#12181a'),
    quiet: read('--rx-dim', '#4a565a'),
    card: read('--rx-surface', '#ffffff'),
  }
}

function card(context: Context, x: number, y: number, width: number, height: number, fill: string): void {
  context.globalAlpha = 0.92
  context.fillStyle = fill
  context.beginPath()
  context.roundRect(x, y, width, height, 8)
  context.fill()
  context.globalAlpha = 1
}

function write(
  context: Context,
  text: string,
  x: number,
  y: number,
  size: number,
  weight: number,
  ink: string,
) {
  context.font = `${weight} ${size}px ${FONT}`
  context.fillStyle = ink
  context.textBaseline = 'middle'
  context.fillText(text, x, y)
}

/** A text that is cut where its room ends. */
function fitting(context: Context, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text
  let end = text.length
  while (end > 0 && context.measureText(`${text.slice(0, end)}…`).width > room) end--
  return `${text.slice(0, end).trimEnd()}…`
}

/** Title and clock, from the corner of their own box on. @param room width of the box, px of the layout */
export function drawClock(context: Context, title: string, clock: string, room: number = CLOCK.width): void {
  const { ink, quiet, card: fill } = colors()
  card(context, 0, 0, room, CLOCK.height, fill)
  context.font = `500 14px ${FONT}`
  write(context, fitting(context, title, room - 2 * PAD), PAD, 20, 14, 500, quiet)
  context.font = `600 20px ${FONT}`
  write(context, fitting(context, clock, room - 2 * PAD), PAD, 46, 20, 600, ink)
}

const ROW = 20
const SWATCH = 18

/** Legend, scale and attribution. @param width of the picture, px of the layout @param height likewise */
export function drawPlate(context: Context, plate: Plate, width: number, height: number): void {
  const { ink, quiet, card: fill } = colors()
  const { legend } = plate
  const rows = legend.classes.length + (legend.noData === undefined ? 0 : 1)
  const heading = `${legend.title} `
  context.font = `600 13px ${FONT}`
  const labels = [...legend.classes.map(({ label }) => label), ...(legend.noData ? [legend.noData] : [])]
  const headWidth = context.measureText(heading + legend.unit).width
  context.font = `500 13px ${FONT}`
  const longest = Math.max(...labels.map((label) => context.measureText(label).width + SWATCH + 8), headWidth)
  const scale = metricScale(plate.lat, plate.zoom, 112)
  const box = { width: longest + 2 * PAD, height: 2 * PAD + ROW * (rows + 1) }
  const top = height - MARGIN - box.height
  card(context, MARGIN, top, box.width, box.height, fill)
  const x = MARGIN + PAD
  let y = top + PAD + ROW / 2
  write(context, heading, x, y, 13, 600, ink)
  const after = context.measureText(heading).width
  write(context, legend.unit, x + after, y, 13, 400, quiet)
  for (const { color, label } of legend.classes.toReversed()) {
    y += ROW
    context.fillStyle = color
    context.fillRect(x, y - ROW / 2, SWATCH, ROW)
    write(context, label, x + SWATCH + 8, y, 13, 500, ink)
  }
  if (legend.noData !== undefined) {
    y += ROW
    hatch(context, x, y - 7, SWATCH, 14, quiet)
    write(context, legend.noData, x + SWATCH + 8, y, 13, 400, quiet)
  }

  const left = MARGIN + box.width + 12
  card(context, left, height - MARGIN - 36, scale.widthPx + 2 * PAD, 36, fill)
  write(context, scale.label, left + PAD, height - MARGIN - 23, 12, 500, ink)
  context.fillStyle = ink
  context.fillRect(left + PAD, height - MARGIN - 11, scale.widthPx, 2)

  context.font = `400 12px ${FONT}`
  const room = Math.max(120, width - left - scale.widthPx - 2 * PAD - 2 * MARGIN - 16)
  const text = fitting(context, plate.attribution, room)
  const textWidth = context.measureText(text).width
  card(context, width - MARGIN - textWidth - 16, height - MARGIN - 24, textWidth + 16, 24, fill)
  write(context, text, width - MARGIN - textWidth - 8, height - MARGIN - 12, 12, 400, quiet)
}

function hatch(context: Context, x: number, y: number, width: number, height: number, ink: string): void {
  context.save()
  context.beginPath()
  context.rect(x, y, width, height)
  context.clip()
  context.strokeStyle = ink
  context.lineWidth = 1
  for (let at = -height; at < width; at += 5) {
    context.beginPath()
    context.moveTo(x + at, y + height)
    context.lineTo(x + at + height, y)
    context.stroke()
  }
  context.restore()
}
