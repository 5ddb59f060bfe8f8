import type { ReportBlock } from '@radx/contracts'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { punctuated } from '@radx/locale/punctuation-fr'
import type { EChartsOption } from 'echarts'
import { drawSvg, svgPng } from '../exports/api.ts'

export const heading = (text: string): ReportBlock => ({ kind: 'heading', text })
export const text = (content: string): ReportBlock => ({ kind: 'text', text: punctuated(content) })
export const table = (caption: string, head: string[], rows: string[][]): ReportBlock => ({
  kind: 'table',
  caption,
  head,
  rows,
})

/** Points of a figure's width on the page, and pixels for one of them. */
const FIGURE_WIDTH = 483
const SCALE = 2

const FIGURE_HEIGHT = 380

/** Size on the page of a drawing, in its proportion: a tall one leaves room for its heading. */
export function fitted(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(FIGURE_WIDTH / width, FIGURE_HEIGHT / height)
  return { width: width * scale, height: height * scale }
}

export const picture = (
  svg: string,
  { caption, alt, width, height }: { caption: string; alt: string; width: number; height: number },
): ReportBlock => ({
  kind: 'figure',
  caption: punctuated(caption),
  alt: punctuated(alt),
  png: Buffer.from(svgPng(svg, SCALE)).toString('base64'),
  width,
  height,
})

/** A chart of the screens on white. */
export function chart(
  option: EChartsOption,
  size: { width: number; height: number },
  about: { caption: string; alt: string },
): ReportBlock {
  const svg = drawSvg({ ...option, backgroundColor: '#ffffff' }, size)
  return picture(svg, { ...about, width: FIGURE_WIDTH, height: (FIGURE_WIDTH * size.height) / size.width })
}

export const CHART_SIZE = { width: 760, height: 280 }

export const escapeXml = (content: string): string =>
  content.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')

/** "Du … au …, heure locale". */
export const periodFr = (startMs: number, endMs: number, timeZone: string): string =>
  `Du ${formatDateTimeFr(startMs, timeZone)} au ${formatDateTimeFr(endMs, timeZone)} (heure locale)`
