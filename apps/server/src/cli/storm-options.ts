import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { FormatError } from '@radx/contracts/errors'
import { decodeText } from '@radx/formats/decode-text'
import { readNumber } from '@radx/rainfall/storms/delimited'
import {
  MONTANA_UNITS,
  type MontanaCoefficients,
  type MontanaLaw,
  type MontanaUnits,
  montanaDepthMm,
  toMinutes,
} from '@radx/rainfall/storms/montana'
import { type MontanaTableText, readDuration, readMontanaTable } from '@radx/rainfall/storms/montana-table'
import { UNITS_FR } from '@radx/rainfall/storms/montana-units'
import { UsageError } from './command.ts'

/** A duration in minutes, such as `30`, `30 min` or `2 h`. @throws UsageError naming the option */
export function durationOf(option: string, text: string | undefined): number {
  if (text === undefined) throw new UsageError(`il manque ${option}, une durée en minutes.`)
  const { minutes } = readDuration(text, 1)
  if (!(minutes > 0))
    throw new UsageError(
      `${option} vaut « ${text} » : donner une durée positive en minutes (120) ou en heures (2h).`,
    )
  return minutes
}

/** @throws UsageError naming the option */
export function shareOf(option: string, text: string): number {
  const share = readNumber(text)
  if (!(share >= 0 && share <= 1))
    throw new UsageError(`${option} vaut « ${text} » : donner une part de la durée, de 0 à 1 (0,4 souvent).`)
  return share
}

/** The text of a file, in whatever a spreadsheet writes: UTF-8, UTF-16 or Windows-1252. @throws FormatError `file.unreadable` */
export async function textOf(path: string): Promise<string> {
  try {
    return decodeText(await readFile(path))
  } catch (error) {
    throw new FormatError(
      'file.unreadable',
      `${path} ne peut être lu (${(error as NodeJS.ErrnoException).code}). Vérifier le chemin et les droits.`,
    )
  }
}

/** What says by which law a storm is made. */
export interface LawOptions {
  montana?: string
  period?: string
  units?: string
  valid?: string
}

/**
 * Coefficients written as `a,b` (or `a;b` with decimal commas), or the law of a return period in a table that is valid
 * at `durationMin`; where two ranges meet, that of the shorter durations. What was left open is told on stderr.
 * @throws UsageError, FormatError
 */
export async function lawOf(
  values: LawOptions,
  option: string,
  durationMin: number,
): Promise<MontanaCoefficients & Partial<MontanaLaw>> {
  const { montana, period, valid } = values
  if (montana === undefined) throw new UsageError(`il manque ${option} A,B, par exemple ${option} 5.9,0.59.`)
  const parts = montana.split(montana.includes(';') ? ';' : ',').map((part) => readNumber(part.trim()))
  if (parts.length === 2 && parts.every(Number.isFinite)) {
    for (const [name, given] of Object.entries({ period, valid }))
      if (given !== undefined)
        throw new UsageError(`--${name} se lit dans un tableau : ${option} donne déjà des coefficients.`)
    return coefficients(option, parts, unitsOf(values.units) ?? 'mm-min')
  }
  if (/^[\d.,;+\s-]+$/.test(montana))
    throw new UsageError(
      `${option} vaut « ${montana} » : donner deux nombres, 5.9,0.59 ou « 5,9;0,59 » avec des virgules décimales.`,
    )
  const { laws, remarksFr } = await tableOf(montana, values)
  for (const remark of remarksFr) console.error(`attention : ${remark}`)
  const years = period === undefined ? Number.NaN : readNumber(period)
  if (!Number.isFinite(years))
    throw new UsageError(`avec un tableau, donner la période de retour : --period ANS.`)
  const law = laws
    .filter(
      ({ periodYears, fromMin, toMin }) =>
        periodYears === years && durationMin >= fromMin && durationMin <= toMin,
    )
    .sort((one, other) => one.fromMin - other.fromMin)[0]
  if (law) return law
  const lines = laws.map(
    ({ periodYears, fromMin, toMin }) => `${periodYears} ans de ${fromMin} à ${toMin} min`,
  )
  throw new UsageError(
    `${basename(montana)} n’a pas de ligne pour ${years} ans et ${durationMin} min. Il donne : ${lines.join(', ')}.`,
  )
}

/** Depth of an hour beyond which coefficients look like those of other units, mm. */
const HOUR_MOST_MM = 500
/** No rain: three times the most that was ever measured, and less than a trace. */
const HOUR_IMPOSSIBLE = { above: 1000, below: 0.05 } as const

function coefficients(
  option: string,
  [given, b]: readonly number[],
  units: MontanaUnits,
): MontanaCoefficients {
  const { a } = toMinutes({ a: given, b }, units)
  const fr = (value: number) => String(value).replace('.', ',')
  if (!(a > 0)) throw new UsageError(`${option} : a vaut ${fr(a)}, il doit être positif.`)
  if (b < 0)
    throw new UsageError(`${option} : b vaut ${fr(b)}, il est ici positif (i = a t^-b). Changer son signe.`)
  if (!(b > 0 && b < 1))
    throw new UsageError(
      `${option} : b vaut ${fr(b)}, il doit être entre 0 et 1, sinon la hauteur ne croît plus avec la durée.`,
    )
  const hourMm = montanaDepthMm({ a, b }, 60)
  if (hourMm > HOUR_IMPOSSIBLE.above || hourMm < HOUR_IMPOSSIBLE.below)
    throw new UsageError(
      `${option} : a = ${fr(given)} et b = ${fr(b)} font ${fr(Number(hourMm.toPrecision(4)))} mm en une heure, lu comme ${UNITS_FR[units]} : impossible. Dire les unités : --units ${MONTANA_UNITS.filter((other) => other !== units).join(' ou ')}.`,
    )
  if (hourMm > HOUR_MOST_MM)
    console.error(
      `attention : ${option} fait ${fr(Math.round(hourMm))} mm en une heure, lu comme ${UNITS_FR[units]}. Autres unités : --units.`,
    )
  return { a, b }
}

/** A table with the units and range that the command line gives for what the file leaves open. */
export async function tableOf(
  path: string,
  { units, valid }: { units?: string; valid?: string },
): Promise<MontanaTableText> {
  const known = unitsOf(units)
  return readMontanaTable(await textOf(path), basename(path), {
    ...(known !== undefined && { units: known }),
    ...(valid !== undefined && { range: rangeOf(valid) }),
  })
}

/** @throws UsageError for units that there are not */
function unitsOf(units: string | undefined): MontanaUnits | undefined {
  const known = MONTANA_UNITS.find((name) => name === units)
  if (units !== undefined && known === undefined)
    throw new UsageError(
      `--units vaut « ${units} » : ${MONTANA_UNITS.map((name) => `${name} (${UNITS_FR[name]})`).join(', ')}.`,
    )
  return known
}

function rangeOf(text: string): { fromMin: number; toMin: number } {
  const [from, to] = text.split('-').map((part) => readDuration(part, 1).minutes)
  if (!(from > 0 && to > from))
    throw new UsageError(`--valid vaut « ${text} » : donner deux durées en minutes, par exemple 6-120.`)
  return { fromMin: from, toMin: to }
}
