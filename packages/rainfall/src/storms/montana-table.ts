import { FormatError } from '@radx/contracts/errors'
import { type DelimitedRow, plainHeading, readDelimited, readNumber } from './delimited.ts'
import { lawIssues, lawRemarks, type MontanaLaw, type MontanaUnits, toMinutes } from './montana.ts'
import { intensityUnit, unitsFound } from './montana-units.ts'

/** Range that is taken where a table states none: the durations of the screens, min. */
export const UNSTATED_RANGE = { fromMin: 6, toMin: 1440 } as const

export interface MontanaTableText {
  /** In mm and minutes, whatever the file's units, in the order of its lines. */
  laws: MontanaLaw[]
  units: MontanaUnits
  /** What the file left open and how it was read, in French. */
  remarksFr: string[]
}

/** A line that cannot be used, with its place in the file. */
export interface TableIssue {
  line: number
  column: string
  messageFr: string
}

type Column = 'period' | 'a' | 'b' | 'from' | 'to'
const COLUMN_FR: Record<Column, string> = {
  period: 'période',
  a: 'a',
  b: 'b',
  from: 'durée min',
  to: 'durée max',
}

const isColumn: [Column, RegExp][] = [
  ['a', /^(a|coef a|coefficient a|montana a|a montana)( mm.*)?$/],
  ['b', /^(b|coef b|coefficient b|montana b|b montana)$/],
  ['to', /(^| )(to|end|fin|jusqu|max|maxi|maximum|maximale|upper|sup|superieure?|tmax|dmax|t2)( |$)/],
  ['from', /(^| )(from|start|debut|min|mini|minimum|minimale|lower|inf|inferieure?|de|tmin|dmin|t1)( |$)/],
  ['period', /^(t|tr|period|periode|retour|ans|annees?|years?|return|duree retour)( .*)?$/],
]
const RANGE = /^(plage|range|validite|durees?|domaine)/
const UNITS_COLUMN = /^(unites?|units?)( |$)/

/**
 * Reads a table of Montana coefficients: a line a law, with its return period in years, `a`, `b` and the range of
 * durations, in any order below headings in French or English, or without headings as T;a;b;from;to or T;from;to;a;b
 * (or T;a;b). Durations are minutes unless the heading or the cell says h or j.
 * @throws FormatError `montana.*`, all the places in the message and in `details.issues`
 */
export function readMontanaTable(
  text: string,
  file: string,
  { units, range }: { units?: MontanaUnits; range?: { fromMin: number; toMin: number } } = {},
): MontanaTableText {
  const { rows, separator } = readDelimited(text, file)
  if (rows.length === 0) refuse(file, [{ line: 1, column: '', messageFr: 'le tableau est vide.' }])
  const layout = headings(rows[0], file) ?? positions(rows, file, separator)
  const body = layout.headed ? rows.slice(1) : rows
  if (body.length === 0)
    refuse(file, [{ line: rows[0].line, column: '', messageFr: 'il n’y a aucune ligne de coefficients.' }])
  const stated = unitsFound({ ...statedUnits(rows[0], body, layout), asked: units }, rows[0].line)
  if ('messageFr' in stated) refuse(file, [stated])
  const remarksFr = [...ignoredColumns(rows[0], layout), ...stated.remarksFr]
  const found = stated.units
  if (layout.range === undefined && (layout.columns.from === undefined || layout.columns.to === undefined)) {
    const { fromMin, toMin } = range ?? UNSTATED_RANGE
    remarksFr.push(
      range
        ? `plage de durées donnée : ${fromMin} à ${toMin} min.`
        : `le tableau ne dit pas pour quelles durées il vaut : pris de ${fromMin} à ${toMin} min. À vérifier.`,
    )
  }
  const issues: TableIssue[] = []
  const bare = new Set<boolean>()
  const laws = body.map((row) => law(row, { layout, range, issues, bare }))
  if (bare.size > 1)
    issues.push({
      line: body[0].line,
      column: 'durée',
      messageFr: 'des durées portent une unité et d’autres non : écrire toutes les durées en minutes.',
    })
  if (issues.length > 0) refuse(file, issues)
  const inMinutes = laws.map((one) => ({ ...one, ...toMinutes(one, found) }))
  const wrong = lawIssues(inMinutes).map(({ index, field, messageFr }) => ({
    line: body[index].line,
    column: field === 'range' ? 'durée' : COLUMN_FR[field],
    messageFr: layout.headed ? messageFr : `${messageFr} ${ORDER_FR}`,
  }))
  if (wrong.length > 0) refuse(file, wrong)
  return { laws: inMinutes, units: found, remarksFr: [...remarksFr, ...lawRemarks(inMinutes)] }
}

interface Layout {
  headed: boolean
  /** Columns of the first line. */
  width: number
  columns: Partial<Record<Column, number>>
  /** Column that holds both ends of the range, such as "6 min - 2 h". */
  range?: number
  /** Minutes of a duration without a unit. */
  minutes: { from: number; to: number; range: number }
  /** Column that names the unit of each line. */
  unit?: number
}

function statedUnits(first: DelimitedRow, body: readonly DelimitedRow[], { headed, columns, unit }: Layout) {
  return {
    heading: headed ? intensityUnit(first.cells[columns.a ?? -1] ?? '') : undefined,
    cells: unit === undefined ? [] : body.map(({ line, cells }) => ({ line, text: cells[unit] ?? '' })),
  }
}

/** A column that is not read may be what tells two stations apart. */
function ignoredColumns({ cells }: DelimitedRow, { headed, columns, range, unit }: Layout): string[] {
  if (!headed) return []
  const read = new Set([...Object.values(columns), range, unit])
  return cells.flatMap((name, k) =>
    read.has(k) || name === '' ? [] : [`la colonne « ${name.slice(0, 40)} » n’est pas lue.`],
  )
}

function headings(row: DelimitedRow, file: string): Layout | null {
  if (row.cells.some((cell) => Number.isFinite(readNumber(cell)))) return null
  const names = row.cells.map(plainHeading)
  const columns: Partial<Record<Column, number>> = {}
  let range: number | undefined
  let unit: number | undefined
  row.cells.forEach((cell, k) => {
    // Without "(min)", which is a unit and not the shorter end; "de retour" is not "de".
    const name = plainHeading(cell.replace(/[([][^)\]]*[)\]]/g, ' ')).replace(/ de retour/, ' retour')
    // Without its accent "à" would be the coefficient.
    const column = /^à/i.test(cell.normalize('NFC'))
      ? 'to'
      : isColumn.find(([, pattern]) => pattern.test(name))?.[0]
    if (column !== undefined && columns[column] === undefined) columns[column] = k
    else if (UNITS_COLUMN.test(name)) unit = k
    else if (RANGE.test(name)) range = k
  })
  const absent = (['period', 'a', 'b'] as const).filter((column) => columns[column] === undefined)
  if (absent.length > 0)
    refuse(file, [
      {
        line: row.line,
        column: absent.map((column) => COLUMN_FR[column]).join(', '),
        messageFr: `colonne introuvable. ${HEADINGS_FR}${row.cells.length === 1 ? SEPARATORS_FR : ''}`,
      },
    ])
  const end = (['from', 'to'] as const).find((column) => columns[column] === undefined)
  if (end !== undefined && (columns.from ?? columns.to) !== undefined)
    refuse(file, [
      {
        line: row.line,
        column: COLUMN_FR[end],
        messageFr: `le tableau ne dit que l’autre bout de sa plage de durées. ${HEADINGS_FR}`,
      },
    ])
  const minutes = (place: number | undefined) => {
    const name = names[place ?? -1] ?? ''
    return / (h|heures?|hours?)$/.test(name) ? 60 : / (j|jours?|days?)$/.test(name) ? 1440 : 1
  }
  return {
    headed: true,
    width: row.cells.length,
    columns,
    ...(range !== undefined && columns.from === undefined && { range }),
    ...(unit !== undefined && { unit }),
    minutes: { from: minutes(columns.from), to: minutes(columns.to), range: minutes(range) },
  }
}

const HEADINGS_FR = 'En-têtes attendus : période ; a ; b ; durée min ; durée max.'
const SEPARATORS_FR = ' Séparer les colonnes par des points-virgules, des tabulations ou des virgules.'
/** How lines without headings are taken. */
const ORDER_FR = 'Sans en-têtes, les colonnes sont lues dans l’ordre période ; a ; b ; durée min ; durée max.'

/** Without headings `b` tells the order: it is the one column that lies between 0 and 1. */
function positions(rows: readonly DelimitedRow[], file: string, separator: string): Layout {
  const minutes = { from: 1, to: 1, range: 1 }
  const width = rows[0].cells.length
  const below1 = (k: number) => rows.every(({ cells }) => Math.abs(readNumber(cells[k] ?? '')) < 1)
  if (width === 3) return { headed: false, width, columns: { period: 0, a: 1, b: 2 }, minutes }
  if (width === 5 && below1(4) && !below1(2))
    return { headed: false, width, columns: { period: 0, from: 1, to: 2, a: 3, b: 4 }, minutes }
  if (width === 5)
    return { headed: false, width, columns: { period: 0, a: 1, b: 2, from: 3, to: 4 }, minutes }
  const comma =
    separator === ','
      ? ' Si les décimales sont des virgules, séparer les colonnes par des points-virgules.'
      : ''
  return refuse(file, [
    {
      line: rows[0].line,
      column: '',
      messageFr: `${width} colonnes : en attendre 5 (période ; a ; b ; durée min ; durée max).${comma}`,
    },
  ])
}

function law(
  row: DelimitedRow,
  given: {
    layout: Layout
    range: { fromMin: number; toMin: number } | undefined
    issues: TableIssue[]
    /** Whether durations come with a unit in their cell. */
    bare: Set<boolean>
  },
): MontanaLaw {
  const { layout, issues } = given
  const say = (column: string, messageFr: string) => issues.push({ line: row.line, column, messageFr })
  if (row.cells.slice(layout.width).some((text) => text !== ''))
    say(
      '',
      `${row.cells.length} colonnes au lieu de ${layout.width}. Si les décimales sont des virgules, séparer les colonnes par des points-virgules.`,
    )
  const cell = (column: Column) => row.cells[layout.columns[column] ?? -1] ?? ''
  const value = (column: 'period' | 'a' | 'b') => {
    const text =
      column === 'period'
        ? cell(column)
            .replace(/^T\s*=|(ans?|years?)$/gi, '')
            .trim()
        : cell(column)
    const read = readNumber(text)
    if (!Number.isFinite(read))
      say(COLUMN_FR[column], `« ${cell(column).slice(0, 40)} » n’est pas un nombre.`)
    return read
  }
  const minutes = (text: string, unit: number, column: Column) => {
    const read = readDuration(text, unit)
    if (Number.isNaN(read.minutes))
      say(COLUMN_FR[column], `« ${text.slice(0, 40)} » n’est pas une durée : donner des minutes.`)
    given.bare.add(read.bare)
    return read.minutes
  }
  const coefficients = { periodYears: value('period'), a: value('a'), b: value('b') }
  if (layout.columns.from !== undefined && layout.columns.to !== undefined)
    return {
      ...coefficients,
      fromMin: minutes(cell('from'), layout.minutes.from, 'from'),
      toMin: minutes(cell('to'), layout.minutes.to, 'to'),
    }
  if (layout.range !== undefined) {
    const ends = (row.cells[layout.range] ?? '').split(/[-–à]|to/)
    const [from, to = ''] = ends
    if (ends.length !== 2) {
      say('durée', `« ${(row.cells[layout.range] ?? '').slice(0, 40)} » n’est pas une plage : écrire 6-120.`)
      return { ...coefficients, ...UNSTATED_RANGE }
    }
    const { range: unit } = layout.minutes
    return { ...coefficients, fromMin: minutes(from, unit, 'from'), toMin: minutes(to, unit, 'to') }
  }
  return { ...coefficients, ...(given.range ?? UNSTATED_RANGE) }
}

/** A duration such as `30`, `6 min`, `2 h`, `1 j`, in minutes; NaN for anything else. */
export function readDuration(text: string, minutesOfBare = 1): { minutes: number; bare: boolean } {
  const found = /^([\d.,]+)\s*(min|mn|minutes?|h|heures?|j|jours?|d)?$/i.exec(text.trim())
  if (!found) return { minutes: Number.NaN, bare: true }
  const unit = found[2]?.toLowerCase()
  const factor =
    unit === undefined ? minutesOfBare : unit.startsWith('m') ? 1 : unit.startsWith('h') ? 60 : 1440
  return { minutes: readNumber(found[1]) * factor, bare: unit === undefined }
}

const SHOWN_ISSUES = 8

function refuse(file: string, issues: TableIssue[]): never {
  const lines = issues
    .slice(0, SHOWN_ISSUES)
    .map(
      ({ line, column, messageFr }) =>
        `${file}, ligne ${line}${column === '' ? '' : `, colonne ${column}`} : ${messageFr}`,
    )
  const more = issues.length > SHOWN_ISSUES ? [`et ${issues.length - SHOWN_ISSUES} autres lignes.`] : []
  throw new FormatError('montana.table', [...lines, ...more].join('\n'), { details: { file, issues } })
}
