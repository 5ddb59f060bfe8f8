import { createRequire } from 'node:module'
import { RADX_VERSION, type Report, type ReportBlock } from '@radx/contracts'

const require = createRequire(import.meta.url)
const font = (file: string) => require.resolve(`@expo-google-fonts/inter/${file}`)
const FONTS = {
  text: font('400Regular/Inter_400Regular.ttf'),
  strong: font('600SemiBold/Inter_600SemiBold.ttf'),
}

/** A4 in points, and its margins. */
const PAGE = { width: 595.28, height: 841.89 }
const MARGIN = { left: 56, right: 56, top: 64, bottom: 64 }
const WIDTH = PAGE.width - MARGIN.left - MARGIN.right
const BOTTOM = PAGE.height - MARGIN.bottom
const COLOR = { text: '#15201f', dim: '#55636a', line: '#c9d1d3', accent: '#0b5a63' }
const ROW_PAD = 4

type Doc = PDFKit.PDFDocument
type Struct = PDFKit.PDFStructureElement

/** What later pages of a long table begin with again. */
interface Table {
  doc: Doc
  columns: number[]
  /** Whether a column holds numbers, which stand below each other by their last figure. */
  numeric: boolean[]
}

/** Fewer pages are no report to hand on: chapters then begin pages of their own. */
const LEAST_PAGES = 4
/** Room below which a chapter begins a new page, tried from the closest layout to the airiest, points. */
const CHAPTER_ROOM = [140, 240, 340, 440, 540, BOTTOM - MARGIN.top]

/**
 * A report as PDF of four pages or more: tagged (titles, tables with headings, figures with alternative texts), in
 * French, fonts embedded. Nothing in it but the report itself: the same report gives the same bytes.
 */
export async function reportPdf(report: Report): Promise<Uint8Array> {
  let laid = await layOut(report, CHAPTER_ROOM[0])
  for (const chapterRoom of CHAPTER_ROOM.slice(1)) {
    if (laid.pages >= LEAST_PAGES) break
    laid = await layOut(report, chapterRoom)
  }
  return laid.bytes
}

async function layOut(report: Report, chapterRoom: number): Promise<{ bytes: Uint8Array; pages: number }> {
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    margins: MARGIN,
    lang: 'fr-FR',
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    bufferPages: true,
    info: {
      Title: report.title,
      Subject: report.subtitle,
      Creator: `RadX ${RADX_VERSION}`,
      Producer: `RadX ${RADX_VERSION}`,
      CreationDate: new Date(report.dated),
    },
  })
  const done = collect(doc)
  doc.registerFont('text', FONTS.text).registerFont('strong', FONTS.strong)
  const root = doc.struct('Document')
  doc.addStructure(root)
  title(doc, root, report)
  for (const [k, block] of report.blocks.entries()) {
    // The first chapter stays below the title.
    if (block.kind === 'heading' && k > 0) room(doc, chapterRoom)
    draw(doc, root, block, report.blocks[k + 1])
  }
  root.end()
  const pages = doc.bufferedPageRange().count
  footers(doc, report.title)
  doc.end()
  return { bytes: await done, pages }
}

function collect(doc: Doc): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    doc.on('data', (part: Buffer) => parts.push(part))
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
    doc.on('error', reject)
  })
}

/** Text as a structure element of its own. */
function say(
  doc: Doc,
  root: Struct,
  type: string,
  text: string,
  style: { font: 'text' | 'strong'; size: number; color: string; gap: number },
): void {
  const element = doc.struct(type, {}, () => {
    doc.font(style.font).fontSize(style.size).fillColor(style.color)
    doc.text(text, MARGIN.left, doc.y, { width: WIDTH, lineGap: 2 })
  })
  root.add(element)
  element.end()
  doc.y += style.gap
}

const LONG_TITLE = 160

function title(doc: Doc, root: Struct, { title, subtitle }: Report): void {
  // A title as long as a comment would fill a page.
  const size = title.length > LONG_TITLE ? 14 : 22
  say(doc, root, 'H1', title, { font: 'strong', size, color: COLOR.text, gap: 4 })
  say(doc, root, 'P', subtitle, { font: 'text', size: 11, color: COLOR.dim, gap: 14 })
}

function draw(doc: Doc, root: Struct, block: ReportBlock, next: ReportBlock | undefined): void {
  switch (block.kind) {
    case 'heading':
      // A heading stays with what follows.
      room(doc, next?.kind === 'figure' ? figureSize(next).height + 80 : 140)
      doc.y += 8
      say(doc, root, 'H2', block.text, { font: 'strong', size: 14, color: COLOR.accent, gap: 4 })
      break
    case 'text': {
      doc.font('text').fontSize(10)
      room(doc, doc.heightOfString(block.text, { width: WIDTH, lineGap: 2 }))
      say(doc, root, 'P', block.text, { font: 'text', size: 10, color: COLOR.text, gap: 6 })
      break
    }
    case 'table':
      table(doc, root, block)
      break
    case 'figure':
      figure(doc, root, block)
      break
  }
}

function room(doc: Doc, height: number): void {
  if (doc.y + height > BOTTOM && doc.y > MARGIN.top) doc.addPage()
}

function figureSize(block: ReportBlock & { kind: 'figure' }): { width: number; height: number } {
  const width = Math.min(WIDTH, block.width)
  return { width, height: (width * block.height) / block.width }
}

function figure(doc: Doc, root: Struct, block: ReportBlock & { kind: 'figure' }): void {
  const { width, height } = figureSize(block)
  room(doc, height + 30)
  const element = doc.struct('Figure', { alt: block.alt }, () => {
    doc.image(Buffer.from(block.png, 'base64'), MARGIN.left, doc.y, { width, height })
  })
  root.add(element)
  element.end()
  doc.y += height + 4
  say(doc, root, 'Caption', block.caption, { font: 'text', size: 9, color: COLOR.dim, gap: 10 })
}

/** The last rows of a table stay together: one alone on a page is easily missed. */
const LAST_ROWS = 3

function table(doc: Doc, root: Struct, block: ReportBlock & { kind: 'table' }): void {
  room(doc, 90)
  say(doc, root, 'P', block.caption, { font: 'strong', size: 10, color: COLOR.text, gap: 2 })
  const parts: Table = { doc, columns: columnsOf(doc, block), numeric: numericOf(block) }
  const element = doc.struct('Table')
  root.add(element)
  row(parts, element, block.head, 'head')
  for (const [i, cells] of block.rows.entries()) {
    const together = i > 0 && i === block.rows.length - LAST_ROWS ? block.rows.slice(i) : [cells]
    const height = together.reduce((sum, each) => sum + rowHeight(parts, each, 'text'), 0)
    if (doc.y + height > BOTTOM) {
      doc.addPage()
      row(parts, element, block.head, 'head')
    }
    row(parts, element, cells, 'body')
  }
  element.end()
  doc.y += 12
}

const numericOf = ({ head, rows }: ReportBlock & { kind: 'table' }): boolean[] =>
  head.map((_, k) => k > 0 && rows.every((cells) => /^(au moins )?[\d–\u2212-]/.test(cells[k] ?? '')))

/** Widths by what the cells need, the first column taking what is left. */
function columnsOf(doc: Doc, { head, rows }: ReportBlock & { kind: 'table' }): number[] {
  doc.font('strong').fontSize(9)
  const needs = head.map((_, k) =>
    Math.max(...[head, ...rows].map((cells) => doc.widthOfString(cells[k] ?? '') + 2 * ROW_PAD + 2)),
  )
  const total = needs.reduce((sum, need) => sum + need, 0)
  if (total <= WIDTH) return needs.map((need, k) => (k === 0 ? need + WIDTH - total : need))
  return needs
    .map((need) => Math.max(44, (need * WIDTH) / total))
    .map((width, _k, all) => {
      const sum = all.reduce((one, other) => one + other, 0)
      return (width * WIDTH) / sum
    })
}

function rowHeight({ doc, columns }: Table, cells: readonly string[], style: 'text' | 'strong'): number {
  doc.font(style).fontSize(9)
  return (
    Math.max(
      ...cells.map((cell, k) => doc.heightOfString(cell || ' ', { width: columns[k] - 2 * ROW_PAD })),
    ) +
    2 * ROW_PAD
  )
}

function row(parts: Table, element: Struct, cells: readonly string[], part: 'head' | 'body'): void {
  const { doc, columns, numeric } = parts
  const style = part === 'head' ? 'strong' : 'text'
  const height = rowHeight(parts, cells, style)
  const top = doc.y
  const line = doc.struct('TR')
  element.add(line)
  let x = MARGIN.left
  cells.forEach((cell, k) => {
    const at = x
    const own = doc.struct(part === 'head' || k === 0 ? 'TH' : 'TD', {}, () => {
      doc
        .font(style)
        .fontSize(9)
        .fillColor(part === 'head' ? COLOR.dim : COLOR.text)
      doc.text(cell || ' ', at + ROW_PAD, top + ROW_PAD, {
        width: columns[k] - 2 * ROW_PAD,
        align: numeric[k] ? 'right' : 'left',
      })
    })
    line.add(own)
    own.end()
    x += columns[k]
  })
  line.end()
  doc.markContent('Artifact', { type: 'Layout' })
  doc
    .moveTo(MARGIN.left, top + height)
    .lineTo(MARGIN.left + WIDTH, top + height)
    .lineWidth(0.5)
    .strokeColor(COLOR.line)
    .stroke()
  doc.endMarkedContent()
  doc.y = top + height
}

/** As much of a text as a line has room for. */
function cut(doc: Doc, text: string, width: number): string {
  if (doc.widthOfString(text) <= width) return text
  let end = text.length
  while (end > 0 && doc.widthOfString(`${text.slice(0, end)}…`) > width) end--
  return `${text.slice(0, end).trimEnd()}…`
}

function footers(doc: Doc, text: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let k = 0; k < count; k++) {
    doc.switchToPage(start + k)
    // Below the margin, where text would otherwise open a page.
    doc.page.margins.bottom = 0
    doc.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] })
    doc.font('text').fontSize(8).fillColor(COLOR.dim)
    doc.text(cut(doc, text, WIDTH - 60), MARGIN.left, PAGE.height - 44, { lineBreak: false })
    doc.text(`${k + 1} / ${count}`, MARGIN.left + WIDTH - 60, PAGE.height - 44, {
      width: 60,
      align: 'right',
      lineBreak: false,
    })
    doc.endMarkedContent()
  }
}
