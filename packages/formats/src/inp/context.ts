import type { SewerNode } from '@radx/contracts'
import type { CodeOf } from '@radx/contracts/errors'
import { type InpDocument, type InpLine, type InpSection, refuse } from './lines.ts'
import type { InpUnits } from './units.ts'

/** What the readers of single sections share. */
export class InpContext {
  readonly file: string
  readonly warnings: string[] = []
  readonly document: InpDocument
  units!: InpUnits
  /** LINK_OFFSETS ELEVATION. */
  elevationOffsets = false
  startEpochS = 0
  /** LENGTHENING_STEP, s, and its line; 0 when the file does not ask for it. */
  lengtheningS = 0
  lengtheningLine = 1
  /** Outfalls that give their water to a subcatchment, by its name. */
  readonly outfallReturns: { node: number; to: string; line: InpLine }[] = []
  readonly nodes: SewerNode[] = []
  readonly nodeIndex = new Names()
  readonly nodeLine: number[] = []
  readonly linkIndex = new Names()
  readonly linkLine: number[] = []

  constructor(document: InpDocument) {
    this.document = document
    this.file = document.file
  }

  fail(line: InpLine | number, code: CodeOf<'inp'>, messageFr: string) {
    return refuse(this.file, typeof line === 'number' ? line : line.number, code, messageFr)
  }

  warn(line: number, messageFr: string) {
    this.warnings.push(`${this.file}, ligne ${line} : ${messageFr}`)
  }

  sections(name: string): InpSection[] {
    return this.document.sections.filter((section) => section.name === name)
  }

  lines(name: string): InpLine[] {
    return this.sections(name).flatMap((section) => section.lines)
  }

  /** A number that must be there, or `fallback` where the word is missing. */
  number(line: InpLine, at: number, what: string, fallback?: number): number {
    const word = line.words[at]
    if (word === undefined || word === '*') {
      if (fallback !== undefined) return fallback
      throw this.fail(line, 'missing', `il manque ${what} pour « ${line.words[0]} ». Complétez la ligne.`)
    }
    const value = parseNumber(word)
    if (Number.isNaN(value) || !Number.isFinite(value))
      throw this.fail(
        line,
        'number',
        `« ${word} » n'est pas un nombre (${what} de « ${line.words[0]} »). Corrigez cette valeur.`,
      )
    return value
  }

  /** As `number`, refusing what lies outside [low, high]. */
  within(line: InpLine, at: number, what: string, low: number, high: number, fallback?: number): number {
    const value = this.number(line, at, what, fallback)
    if (value < low || value > high)
      throw this.fail(
        line,
        'range',
        `${what} de « ${line.words[0]} » vaut ${value}, hors de ${low} à ${high}. Corrigez cette valeur.`,
      )
    return value
  }

  word(line: InpLine, at: number, what: string): string {
    const word = line.words[at]
    if (word === undefined)
      throw this.fail(line, 'missing', `il manque ${what} pour « ${line.words[0]} ». Complétez la ligne.`)
    return word
  }

  /** The first of the keywords that the word begins with, as in EPA SWMM, in capitals. */
  keyword<K extends string>(line: InpLine, at: number, what: string, known: readonly K[], fallback?: K): K {
    const word = line.words[at]?.toUpperCase()
    if (word === undefined || word === '*') {
      if (fallback !== undefined) return fallback
      throw this.fail(line, 'missing', `il manque ${what} pour « ${line.words[0]} ». Complétez la ligne.`)
    }
    const found = known.find((key) => word.startsWith(key))
    if (!found)
      throw this.fail(
        line,
        'keyword',
        `« ${line.words[at]} » n'est pas reconnu (${what} de « ${line.words[0]} »). Valeurs possibles : ${known.join(', ')}.`,
      )
    return found
  }

  yesNo(line: InpLine, at: number, what: string, fallback: boolean): boolean {
    return this.keyword(line, at, what, ['YES', 'NO'] as const, fallback ? 'YES' : 'NO') === 'YES'
  }

  node(line: InpLine, at: number): number {
    const name = this.word(line, at, 'un nœud')
    const index = this.nodeIndex.find(name)
    if (index < 0)
      throw this.fail(
        line,
        'node',
        `« ${line.words[0]} » renvoie au nœud « ${name} », qui n'existe pas. Ajoutez-le à [JUNCTIONS], [OUTFALLS] ou [STORAGE], ou corrigez le nom.`,
      )
    return index
  }

  addNode(line: InpLine, node: SewerNode) {
    if (!this.nodeIndex.add(node.name, this.nodes.length))
      throw this.fail(
        line,
        'duplicate',
        `le nœud « ${node.name} » existe déjà. Donnez un nom unique à chaque nœud.`,
      )
    this.nodes.push(node)
    this.nodeLine.push(line.number)
  }
}

/** Things by name; where the case differs a thing is still found, as in EPA SWMM. */
export class Named<T> extends Map<string, T> {
  private readonly folded = new Map<string, string>()
  override set(name: string, thing: T): this {
    const low = name.toLowerCase()
    if (!this.folded.has(low)) this.folded.set(low, name)
    return super.set(name, thing)
  }
  override get(name: string): T | undefined {
    return super.get(name) ?? super.get(this.folded.get(name.toLowerCase()) ?? name)
  }
  override has(name: string): boolean {
    return this.folded.has(name.toLowerCase())
  }
}

/** Names to numbers; where the case differs the name is still found, as in EPA SWMM. */
export class Names {
  private readonly exact = new Map<string, number>()
  private readonly folded = new Map<string, number>()
  add(name: string, index: number): boolean {
    if (this.exact.has(name)) return false
    this.exact.set(name, index)
    const low = name.toLowerCase()
    if (!this.folded.has(low)) this.folded.set(low, index)
    return true
  }
  find(name: string): number {
    return this.exact.get(name) ?? this.folded.get(name.toLowerCase()) ?? -1
  }
}

function parseNumber(word: string): number {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)([eEdD][+-]?\d+)?$/.test(word)
    ? Number(word.replace(/[dD]/, 'e'))
    : Number.NaN
}

/** Hours as a decimal or h:mm(:ss), with AM or PM, to seconds; NaN when it is neither. */
export function parseTime(word: string, suffix?: string): number {
  let seconds: number
  const parts = word.split(':')
  if (parts.length === 1) seconds = parseNumber(word) * 3600
  else if (parts.length <= 3 && parts.every((part) => /^\d+(\.\d*)?$/.test(part)))
    seconds = Number(parts[0]) * 3600 + Number(parts[1]) * 60 + Number(parts[2] ?? 0)
  else return Number.NaN
  if (suffix?.toUpperCase() === 'PM' && seconds < 43200) seconds += 43200
  if (suffix?.toUpperCase() === 'AM' && seconds >= 43200) seconds -= 43200
  return seconds
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** month/day/year to seconds since 1970-01-01 (the file's clock taken as UTC); NaN when it is no date. */
export function parseDate(word: string): number {
  const match = /^(\d{1,2}|[A-Za-z]{3})[/-](\d{1,2})[/-](\d{4})$/.exec(word)
  if (!match) return Number.NaN
  const named = MONTHS.indexOf(match[1].toUpperCase())
  const month = named >= 0 ? named : Number(match[1]) - 1
  const ms = Date.UTC(Number(match[3]), month, Number(match[2]))
  const date = new Date(ms)
  // A day that the month does not have falls into another month.
  return date.getUTCMonth() === month ? ms / 1000 : Number.NaN
}
