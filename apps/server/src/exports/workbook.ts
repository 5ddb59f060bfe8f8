import { crc32, deflateRawSync } from 'node:zlib'

/** A value of a cell: a number or a date with how it is shown, or a text; null leaves it empty. */
export type Cell =
  | { kind: 'number'; value: number; format: string }
  | { kind: 'date'; ms: number }
  | { kind: 'text'; value: string }
  | { kind: 'head'; value: string }
  | null

export interface Sheet {
  name: string
  /** Widths in characters. */
  widths: number[]
  /** Whether the first row stays in sight. */
  sticky: boolean
  rows: Iterable<Cell[]>
}

const DATE_FORMAT = 'dd/mm/yyyy hh:mm:ss'
/** Days from 30 December 1899, where spreadsheets begin to count, to 1970. */
const EPOCH_DAYS = 25_569
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/**
 * A workbook (Office Open XML, ECMA-376 part 1, chapter 18) of plain sheets, written for tables of some 100,000 rows.
 * Texts are inline strings, never formulas, whatever they begin with.
 */
export function workbook(sheets: Sheet[]): Buffer {
  const styles = new Styles()
  const parts: [string, string][] = sheets.map((sheet, k) => [
    `xl/worksheets/sheet${k + 1}.xml`,
    sheetXml(sheet, styles),
  ])
  const each = (of: (k: number, name: string) => string) =>
    sheets.map(({ name }, k) => of(k + 1, escapeXml(name))).join('')
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const relations = (list: string) =>
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list}</Relationships>`
  const type = (part: string, what: string) =>
    `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${what}+xml"/>`
  return zip([
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${type('xl/workbook.xml', 'sheet.main')}${type('xl/styles.xml', 'styles')}${each((k) => type(`xl/worksheets/sheet${k}.xml`, 'worksheet'))}</Types>`,
    ],
    ['_rels/.rels', relations(relation('rId1', 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each((k, name) => `<sheet name="${name}" sheetId="${k}" r:id="rId${k}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        each((k) => relation(`rId${k}`, 'worksheet', `worksheets/sheet${k}.xml`)) +
          relation(`rId${sheets.length + 1}`, 'styles', 'styles.xml'),
      ),
    ],
    ['xl/styles.xml', styles.xml()],
    ...parts,
  ])
}

function sheetXml({ widths, sticky, rows }: Sheet, styles: Styles): string {
  const columns = widths.map(
    (width, k) => `<col min="${k + 1}" max="${k + 1}" width="${width}" customWidth="1"/>`,
  )
  const pane = sticky
    ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>'
    : ''
  let xml = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`
  const letters = widths.map((_, k) => columnName(k))
  let r = 0
  for (const row of rows) {
    r++
    xml += `<row r="${r}">`
    for (let k = 0; k < row.length; k++) {
      const cell = row[k]
      if (cell !== null) xml += cellXml(cell, letters[k] + r, styles)
    }
    xml += '</row>'
  }
  return `${xml}</sheetData></worksheet>`
}

function cellXml(cell: NonNullable<Cell>, at: string, styles: Styles): string {
  switch (cell.kind) {
    case 'number':
      return `<c r="${at}" s="${styles.of(cell.format)}"><v>${cell.value}</v></c>`
    case 'date':
      return `<c r="${at}" s="${styles.of(DATE_FORMAT)}"><v>${cell.ms / 86_400_000 + EPOCH_DAYS}</v></c>`
    case 'head':
      return textCell(at, Styles.HEAD, cell.value)
    case 'text':
      return textCell(at, Styles.TEXT, cell.value)
  }
}

const textCell = (at: string, style: number, value: string): string =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`

/** A, B, … Z, AA … */
function columnName(k: number): string {
  const rest = Math.floor(k / 26)
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (k % 26))
}

/** What XML 1.0 cannot hold is left out. */
const escapeXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML 1.0 forbids
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .toWellFormed()
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')

/** Number formats of a workbook, numbered as its cells name them. */
class Styles {
  static readonly TEXT = 0
  static readonly HEAD = 1
  private readonly formats: string[] = []
  private readonly numbers = new Map<string, number>()

  of(format: string): number {
    let style = this.numbers.get(format)
    if (style === undefined) {
      style = 2 + this.formats.push(format) - 1
      this.numbers.set(format, style)
    }
    return style
  }

  xml(): string {
    /** Numbers below 164 are the spreadsheets' own formats. */
    const id = (k: number) => 164 + k
    const formats = this.formats.map((f, k) => `<numFmt numFmtId="${id(k)}" formatCode="${escapeXml(f)}"/>`)
    const cells = this.formats.map(
      (_, k) => `<xf numFmtId="${id(k)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    )
    const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"'
    const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
    return `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats.join('')}</numFmts><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1">${plain}/></cellStyleXfs><cellXfs count="${2 + cells.length}">${plain} xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment wrapText="1"/></xf>${cells.join('')}</cellXfs></styleSheet>`
  }
}

/** A ZIP archive (APPNOTE 6.3.10) of texts, none of 4 GiB or more. */
function zip(files: [string, string][]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of files) {
    const plain = Buffer.from(text)
    const packed = deflateRawSync(plain, { level: 3 })
    const path = Buffer.from(name)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    // UTF-8 names, deflate, 1 January 1980: the same selection makes the same bytes.
    about.writeUInt16LE(0x0800, 2)
    about.writeUInt16LE(8, 4)
    about.writeUInt16LE(0x21, 8)
    about.writeUInt32LE(crc32(plain), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(plain.length, 18)
    about.writeUInt16LE(path.length, 22)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(offset, 10)
    bodies.push(Buffer.from('PK\x03\x04'), about, path, packed)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), about, entry, path)
    offset += 30 + path.length + packed.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, entries, end])
}
