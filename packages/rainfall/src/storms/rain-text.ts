import type { CodeOf } from '@radx/contracts/errors'
import { FormatError } from '@radx/contracts/errors'
import { type DelimitedRow, plainHeading, readDelimited, readNumber } from './delimited.ts'
import type { SteppedRain } from './depth-duration.ts'
import { dateOf, timeNumber } from './rain-times.ts'
import { isRunningSum, unitOf, type WrittenUnit } from './rain-units.ts'

export type RainUnit = 'mm/h' | 'mm'

export interface RainText extends SteppedRain {
  /** Of the values as written; `mm` is what fell until the next time. */
  unit: RainUnit
  /** Neither the text nor who reads it said the unit. */
  unitAssumed: boolean
  /** What the text left open and how it was read, in French. */
  remarksFr: string[]
  /** First instant where times are dates as written (a local clock unless with Z or an offset), or null. */
  firstTime: string | null
}

const MAX_RATE_MM_H = 3000
const MAX_MINUTES = 40 * 366 * 1440
/** No gauge or radar has shorter steps, min; numbers of days of a spreadsheet look like it. */
const SHORTEST_STEP_MIN = 1 / 60
/** A step this many times the usual one is more likely a hole than a steady rain. */
const LONG_STEP = 5

/**
 * Reads a rain series: a line a step, time and value, a value holding from its time to the next (the last one for the
 * step before it). Times are dates (AAAA-MM-JJ, JJ/MM/AAAA or AAAAMMJJHHMN, in one column or two), hh:mm or minutes
 * (hours where the heading says so). Values are mm/h or mm as the heading says, else as `unit` does, else mm/h with a remark.
 * @param equal refuse unequal steps and missing values
 * @param complete refuse missing values; unequal steps are told
 * @throws FormatError `rain.*` with file and line
 */
export function readRainText(
  text: string,
  file: string,
  { unit, equal = false, complete = equal }: { unit?: RainUnit; equal?: boolean; complete?: boolean } = {},
): RainText {
  const { rows, separator } = readDelimited(text, file)
  const at = (line: number, code: CodeOf<'rain'>, message: string): never => {
    throw new FormatError(`rain.${code}`, `${file}, ligne ${line} : ${message}`, { details: { file, line } })
  }
  if (rows.length === 0) at(1, 'empty', 'il faut au moins deux lignes « temps ; intensité ».')
  const layout = layoutOf(rows, separator, at)
  const body = layout.headed ? rows.slice(1) : rows
  if (body.length < 2) at(rows[0].line, 'empty', 'il faut au moins deux lignes « temps ; intensité ».')
  if (layout.unit !== undefined && unit !== undefined && unitOnly(layout.unit) !== unit)
    at(rows[0].line, 'unit', `l’en-tête dit ${layout.unit}, la demande dit ${unit} : n’en garder qu’une.`)
  const remarksFr: string[] = []
  if (layout.unit === undefined && unit === undefined)
    remarksFr.push('le texte ne dit pas son unité : valeurs lues en mm/h.')
  const found = layout.unit ?? unit ?? 'mm/h'

  const times: number[] = []
  const values: number[] = []
  for (const row of body) {
    times.push(timeOf(row, layout, times, at))
    values.push(valueAt(row, layout, complete, at))
  }
  const stepsMin = times.slice(1).map((time, k) => time - times[k])
  if (layout.headed && isRunningSum(rows[0].cells[layout.value], values))
    at(
      rows[0].line,
      'sum',
      `« ${rows[0].cells[layout.value].slice(0, 40)} » ne décroît jamais : un cumul depuis le début, semble-t-il. Donner la pluie de chaque pas.`,
    )
  const { stepMin } = layout
  const other = stepMin === undefined ? -1 : stepsMin.findIndex((step) => Math.abs(step - stepMin) > 0.5 / 60)
  if (other >= 0)
    at(
      body[other].line,
      'step',
      `un pas de ${fr(stepsMin[other])} min, quand l’en-tête dit des mm par ${stepMin} min.`,
    )
  const tiny = stepsMin.findIndex((step) => step < SHORTEST_STEP_MIN)
  if (tiny >= 0)
    at(
      body[tiny + 1].line,
      'step',
      `${fr(stepsMin[tiny] * 60)} s après la ligne d’avant : trop court pour une pluie. Si les temps sont des dates en nombres d’un tableur, leur donner le format date avant de copier.`,
    )
  if (equal) checkEqual(stepsMin, body, at)
  else {
    if (complete) remarksFr.push(...unequalSteps(stepsMin, body))
    remarksFr.push(...longSteps(stepsMin, body))
  }
  const edgesMin = [...times, times[times.length - 1] + stepsMin[stepsMin.length - 1]].map(
    (time) => time - times[0],
  )
  if (edgesMin[edgesMin.length - 1] > MAX_MINUTES)
    at(body[0].line, 'length', 'la série dépasse quarante ans.')
  const ratesMmH = values.map((value, k) =>
    found === 'mm/min' ? value * 60 : found === 'mm' ? (value * 60) / (edgesMin[k + 1] - edgesMin[k]) : value,
  )
  ratesMmH.forEach((rate, k) => {
    if (rate > MAX_RATE_MM_H)
      at(
        body[k].line,
        'value',
        `${String(Math.round(rate)).replace('.', ',')} mm/h est impossible : attendre une valeur entre 0 et ${MAX_RATE_MM_H}. Unité ?`,
      )
  })
  return {
    edgesMin,
    ratesMmH,
    unit: unitOnly(found),
    unitAssumed: layout.unit === undefined && unit === undefined,
    remarksFr,
    firstTime: firstDate(body[0], layout),
  }
}

type Refuse = (line: number, code: CodeOf<'rain'>, message: string) => never
const unitOnly = (unit: WrittenUnit): RainUnit => (unit === 'mm' ? 'mm' : 'mm/h')

interface Layout {
  headed: boolean
  /** Columns of the first line. */
  width: number
  time: number
  /** Column of the clock where the date has one of its own. */
  clock: number | null
  value: number
  unit?: WrittenUnit
  /** Steps of which the values are depths, min, where the heading says so. */
  stepMin?: number
  /** Minutes of a time that is a number. */
  numberMin: number
}

const TIME =
  /^(t|temps|time|minutes?|min|heures?|h|date.*|datetime|instant|horodat.*|debut.*|timestamp|secondes?|s|aaaammjj[a-z]*|yyyymmdd[a-z]*)( |$|\/)/
const VALUE = /(mm|intens|pluie|rain|hauteur|lame|precip|depth|valeur|value|^rr|^i$)/

function layoutOf(rows: readonly DelimitedRow[], separator: string, at: Refuse): Layout {
  const [first] = rows
  const width = first.cells.length
  const headed = first.cells.every((cell) => dateOf(cell) === null && Number.isNaN(timeNumber(cell, 1)))
  if (!headed) {
    const clock = /^\d{1,3}:\d{2}/.test(first.cells[1] ?? '') ? 1 : null
    const value = clock === null ? 1 : 2
    const extra = first.cells.slice(value + 1).some((cell) => cell !== '')
    if (width <= value || extra) columnsWrong(first.line, width, separator, at)
    return { headed, width, time: 0, clock, value, numberMin: 1 }
  }
  const names = first.cells.map(plainHeading)
  const time = names.findIndex((name) => TIME.test(`${name} `))
  const clock = names.findIndex((name, k) => k !== time && /^(heure|time|hour)( |$)/.test(name))
  const candidates = names.map((name, k) => ({ name, k })).filter(({ k }) => k !== time && k !== clock)
  const named = candidates.filter(({ name }) => VALUE.test(name))
  const chosen = named.length > 0 ? named : candidates.filter(({ name }) => name !== '')
  if (chosen.length !== 1)
    at(
      first.line,
      'columns',
      chosen.length === 0
        ? 'colonne de pluie introuvable : attendre « temps ; mm/h » ou « temps ; mm ».'
        : `plusieurs colonnes de pluie (${chosen.map(({ k }) => first.cells[k]).join(', ')}) : n’en garder qu’une.`,
    )
  const timeColumn = Math.max(time, 0)
  const heading = names[timeColumn]
  const numberMin = /(^| )(h|heures?|hours?)$/.test(heading)
    ? 60
    : /(^| )(s|secondes?|sec)$/.test(heading)
      ? 1 / 60
      : 1
  const unit = unitOf(first.cells[chosen[0].k])
  if (unit === null)
    at(
      first.line,
      'unit',
      `« ${first.cells[chosen[0].k].slice(0, 40)} » : unité inconnue, rien n’est converti. Donner des mm/h, ou des mm par pas.`,
    )
  return {
    headed,
    width,
    time: timeColumn,
    clock: clock >= 0 && !/ /.test(heading.replace(/^date.*/, '')) && /^date/.test(heading) ? clock : null,
    value: chosen[0].k,
    ...unit,
    numberMin,
  }
}

function columnsWrong(line: number, width: number, separator: string, at: Refuse): never {
  const comma =
    separator === ',' && width > 2
      ? ' Si les décimales sont des virgules, séparer les colonnes par des points-virgules.'
      : ''
  return at(line, 'columns', `deux colonnes sont attendues, temps et pluie : il y en a ${width}.${comma}`)
}

function timeOf(row: DelimitedRow, layout: Layout, times: readonly number[], at: Refuse): number {
  const text = row.cells[layout.time] ?? ''
  const clock = layout.clock === null ? '' : (row.cells[layout.clock] ?? '')
  const date = dateOf(text, clock)
  const time = date ?? timeNumber(text, layout.numberMin)
  if (!Number.isFinite(time))
    at(
      row.line,
      'time',
      `« ${text.slice(0, 40)} » n’est pas une date : attendre AAAA-MM-JJThh:mm, JJ/MM/AAAA hh:mm, AAAAMMJJHHMN, hh:mm ou des minutes.`,
    )
  const before = times[times.length - 1]
  if (before !== undefined && !(time > before)) {
    // The hour that a local clock shows twice in autumn is in no order of its own.
    const autumn =
      date !== null && before - time <= 60
        ? ' À l’heure locale, le retour à l’heure d’hiver : donner l’UTC.'
        : date === null && /[:h]/.test(text)
          ? ' Si la série passe minuit, donner des dates.'
          : ''
    at(
      row.line,
      'order',
      time === before
        ? `le même temps qu’à la ligne d’avant : les dates doivent être croissantes.${autumn}`
        : `le temps recule : les dates doivent être croissantes. Trier la série.${autumn}`,
    )
  }
  return time
}

function valueAt(row: DelimitedRow, layout: Layout, complete: boolean, at: Refuse): number {
  const extra = row.cells.slice(layout.headed ? layout.width : layout.value + 1)
  if (extra.some((cell) => cell !== ''))
    at(
      row.line,
      'columns',
      'plus de colonnes que prévu : temps et pluie sont attendus. Si les décimales sont des virgules, séparer les colonnes par des points-virgules.',
    )
  const text = row.cells[layout.value] ?? ''
  if (/^(|nan|na|n\/a|nd|null|-|–)$/i.test(text)) {
    if (complete)
      at(
        row.line,
        'missing',
        'il n’y a pas de valeur. Combler la lacune ou raccourcir la série : rien n’est supposé.',
      )
    return Number.NaN
  }
  const value = readNumber(text)
  if (Number.isNaN(value))
    at(row.line, 'value', `« ${text.slice(0, 40)} » n’est pas un nombre. L’unité s’écrit dans l’en-tête.`)
  if (value < 0) at(row.line, 'value', `${text} est impossible : une pluie n’est pas négative.`)
  return value
}

const fr = (value: number) => String(Math.round(value * 1000) / 1000).replace('.', ',')

function checkEqual(stepsMin: readonly number[], body: readonly DelimitedRow[], at: Refuse): void {
  const wrong = stepsMin.findIndex((step) => Math.abs(step - stepsMin[0]) > 0.5 / 60)
  if (wrong >= 0)
    at(
      body[wrong + 1].line,
      'step',
      `pas de ${fr(stepsMin[wrong])} min au lieu de ${fr(stepsMin[0])} min. Donner une valeur (0 s’il ne pleut pas) à chaque pas.`,
    )
}

/** A line that is missing looks like a longer step: who reads the rain is to know. */
function unequalSteps(stepsMin: readonly number[], body: readonly DelimitedRow[]): string[] {
  const other = stepsMin.findIndex((step) => Math.abs(step - stepsMin[0]) > 0.5 / 60)
  if (other < 0) return []
  return [
    `ligne ${body[other + 1].line} : pas de ${fr(stepsMin[other])} min au lieu de ${fr(stepsMin[0])} min. Les pas sont inégaux : chaque valeur vaut jusqu’au temps suivant, la dernière autant que celle d’avant.`,
  ]
}

function longSteps(stepsMin: readonly number[], body: readonly DelimitedRow[]): string[] {
  const usual = [...stepsMin].sort((a, b) => a - b)[Math.floor(stepsMin.length / 2)]
  const long = stepsMin
    .map((step, k) => ({ step, line: body[k].line }))
    .filter(({ step }) => step > LONG_STEP * usual)
  if (long.length === 0) return []
  return [
    `ligne ${long[0].line} : un pas de ${fr(long[0].step)} min quand le pas usuel est ${fr(usual)} min ` +
      `(${long.length === 1 ? 'un seul cas' : `${long.length} cas`}) ; la valeur y est tenue constante.`,
  ]
}

function firstDate(row: DelimitedRow, layout: Layout): string | null {
  const text = row.cells[layout.time] ?? ''
  const clock = layout.clock === null ? '' : (row.cells[layout.clock] ?? '')
  return dateOf(text, clock) === null ? null : clock === '' ? text : `${text} ${clock}`
}
