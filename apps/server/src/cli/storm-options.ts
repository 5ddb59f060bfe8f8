import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { FormatError } from '@radx/contracts/errors'
import { readNumber } from '@radx/rainfall/storms/delimited'
import { MONTANA_UNITS, type MontanaCoefficients, type MontanaUnits } from '@radx/rainfall/storms/montana'
import {
  type MontanaTableText,
  readDuration,
  readMontanaTable,
  UNITS_FR,
} from '@radx/rainfall/storms/montana-table'
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

/** The text of a file. @throws FormatError `file.unreadable` */
export async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new FormatError(
      'file.unreadable',
      `${path} ne peut être lu (${(error as NodeJS.ErrnoException).code}). Vérifier le chemin et les droits.`,
    )
  }
}

/**
 * Coefficients written as `a,b` (or `a;b` with decimal commas), or those of a return period in a table that is valid
 * at `durationMin`.
 * @throws UsageError, FormatError
 */
export async function lawOf(
  values: { montana?: string; period?: string },
  option: string,
  durationMin: number,
): Promise<MontanaCoefficients> {
  const { montana, period } = values
  if (montana === undefined) throw new UsageError(`il manque ${option} A,B, par exemple ${option} 5.9,0.59.`)
  const parts = montana.split(montana.includes(';') ? ';' : ',').map((part) => readNumber(part.trim()))
  if (parts.length === 2 && parts.every(Number.isFinite)) {
    if (period !== undefined)
      throw new UsageError(`--period se lit dans un tableau : ${option} donne déjà des coefficients.`)
    return coefficients(option, parts[0], parts[1])
  }
  if (/^[\d.,;+\s-]+$/.test(montana))
    throw new UsageError(
      `${option} vaut « ${montana} » : donner deux nombres, 5.9,0.59 ou « 5,9;0,59 » avec des virgules décimales.`,
    )
  const { laws } = readMontanaTable(await textOf(montana), basename(montana))
  const years = period === undefined ? Number.NaN : readNumber(period)
  if (!Number.isFinite(years))
    throw new UsageError(`avec un tableau, donner la période de retour : --period ANS.`)
  const law = laws.find(
    ({ periodYears, fromMin, toMin }) =>
      periodYears === years && durationMin >= fromMin && durationMin <= toMin,
  )
  if (law) return law
  const lines = laws.map(
    ({ periodYears, fromMin, toMin }) => `${periodYears} ans de ${fromMin} à ${toMin} min`,
  )
  throw new UsageError(
    `${basename(montana)} n’a pas de ligne pour ${years} ans et ${durationMin} min. Il donne : ${lines.join(', ')}.`,
  )
}

function coefficients(option: string, a: number, b: number): MontanaCoefficients {
  const fr = (value: number) => String(value).replace('.', ',')
  if (!(a > 0)) throw new UsageError(`${option} : a vaut ${fr(a)}, il doit être positif.`)
  if (b < 0)
    throw new UsageError(`${option} : b vaut ${fr(b)}, il est ici positif (i = a t^-b). Changer son signe.`)
  if (!(b > 0 && b < 1))
    throw new UsageError(
      `${option} : b vaut ${fr(b)}, il doit être entre 0 et 1, sinon la hauteur ne croît plus avec la durée.`,
    )
  return { a, b }
}

/** A table with the units and range that the command line gives for what the file leaves open. */
export async function tableOf(
  path: string,
  { units, valid }: { units?: string; valid?: string },
): Promise<MontanaTableText> {
  if (units !== undefined && !MONTANA_UNITS.includes(units as MontanaUnits))
    throw new UsageError(
      `--units vaut « ${units} » : ${MONTANA_UNITS.map((name) => `${name} (${UNITS_FR[name]})`).join(', ')}.`,
    )
  return readMontanaTable(await textOf(path), basename(path), {
    ...(units !== undefined && { units: units as MontanaUnits }),
    ...(valid !== undefined && { range: rangeOf(valid) }),
  })
}

function rangeOf(text: string): { fromMin: number; toMin: number } {
  const [from, to] = text.split('-').map((part) => readDuration(part, 1).minutes)
  if (!(from > 0 && to > from))
    throw new UsageError(`--valid vaut « ${text} » : donner deux durées en minutes, par exemple 6-120.`)
  return { fromMin: from, toMin: to }
}
