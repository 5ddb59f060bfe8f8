import type { RunoffGage } from '@radx/contracts'
import { type InpContext, Named, parseDate, parseTime } from '../context.ts'
import type { InpLine } from '../lines.ts'
import { type InpTables, seriesAt } from '../nodes.ts'
import type { ReadSide } from '../tables.ts'
import { depthUnit } from './climate.ts'
import { readRainFile } from './rain-file.ts'

const KINDS = ['INTENSITY', 'VOLUME', 'CUMULATIVE'] as const
type Kind = (typeof KINDS)[number]

/** [RAINGAGES]: rain comes out in m/s over recording intervals. */
export function readGages(context: InpContext, tables: InpTables, readFile: ReadSide | undefined) {
  const gages: RunoffGage[] = []
  const index = new Named<number>()
  for (const line of context.lines('RAINGAGES')) {
    const name = line.words[0]
    if (index.has(name))
      throw context.fail(
        line,
        'duplicate',
        `le pluviographe « ${name} » existe déjà. Donnez un nom unique à chacun.`,
      )
    index.set(name, gages.length)
    const kind = context.keyword(line, 1, 'le type de pluie', KINDS)
    const intervalS = interval(context, line)
    const source = context.keyword(line, 4, 'la source de la pluie', ['TIMESERIES', 'FILE'] as const)
    if (source === 'TIMESERIES') {
      const series = seriesAt(context, tables, line, 5)
      gages.push({
        name,
        ...rated(kind, series.timesS, series.values, intervalS, depthUnit(context)),
        intervalS: checkInterval(context, line, name, intervalS, series.timesS),
      })
    } else gages.push({ name, ...fromFile(context, line, kind, intervalS, readFile) })
  }
  return { gages, index }
}

function interval(context: InpContext, line: InpLine): number {
  const word = context.word(line, 2, "l'intervalle de mesure")
  const seconds = Math.floor(parseTime(word) + 0.5)
  if (!(seconds > 0))
    throw context.fail(
      line,
      'time',
      `l'intervalle de « ${line.words[0]} » vaut « ${word} » : écrivez h:mm ou des heures, plus que zéro.`,
    )
  return seconds
}

/** EPA SWMM refuses a gage that is coarser than its series; here each value then holds until the next one. */
function checkInterval(
  context: InpContext,
  line: InpLine,
  name: string,
  intervalS: number,
  timesS: number[],
) {
  let shortest = Infinity
  for (let i = 1; i < timesS.length; i++) shortest = Math.min(shortest, timesS[i] - timesS[i - 1])
  if (shortest < Infinity && intervalS > shortest + 0.5) {
    context.warn(
      line.number,
      `l'intervalle de « ${name} » (${intervalS} s) dépasse le pas de sa série (${shortest} s), qui est pris à sa place.`,
    )
    return Math.max(1, Math.round(shortest))
  }
  if (shortest < Infinity && intervalS < shortest - 0.5)
    context.warn(
      line.number,
      `l'intervalle de « ${name} » (${intervalS} s) est plus court que le pas de sa série (${shortest} s) : il ne pleut pas entre les deux.`,
    )
  return intervalS
}

/** Rates by the kind of value; intervals without rain are left out. */
function rated(kind: Kind, timesS: number[], values: number[], intervalS: number, unitM: number) {
  const startsS: number[] = []
  const rates: number[] = []
  let sum = 0
  for (let i = 0; i < timesS.length; i++) {
    let value = values[i]
    if (kind === 'CUMULATIVE') {
      const total = value
      value = total < sum ? total : total - sum
      sum = total
    }
    const rate = (value * unitM) / (kind === 'INTENSITY' ? 3600 : intervalS)
    if (rate === 0) continue
    startsS.push(timesS[i])
    rates.push(rate)
  }
  return { startsS, rates }
}

function fromFile(
  context: InpContext,
  line: InpLine,
  kind: Kind,
  intervalS: number,
  readFile: ReadSide | undefined,
): Omit<RunoffGage, 'name'> {
  const name = line.words[0]
  const file = context.word(line, 5, 'un nom de fichier')
  const station = line.words[6] ?? '*'
  const units = context.keyword(
    line,
    7,
    "l'unité de la pluie",
    ['IN', 'MM'] as const,
    context.units.us ? 'IN' : 'MM',
  )
  const text = readFile?.(file) ?? null
  if (text === null)
    throw context.fail(
      line,
      'rainFile',
      `la pluie de « ${name} » est dans le fichier « ${file} », qui n'a pas pu être lu. Placez-le à côté du .inp.`,
    )
  const rain = readRainFile(text, station)
  if (rain.records.length === 0)
    throw context.fail(
      line,
      'rainFile',
      `le fichier de pluie « ${file} » n'a aucune valeur de la station « ${station} »${
        rain.others.length > 0
          ? `, mais de : ${rain.others.slice(0, 5).join(', ')}. Corrigez le nom, ou écrivez * pour toutes.`
          : ` (${rain.lost} ligne(s) illisible(s)). Écrivez par ligne : station année mois jour heure minute valeur.`
      }`,
    )
  if (rain.unordered > 0)
    context.warn(
      line.number,
      `${rain.unordered} valeur(s) du fichier de pluie « ${file} » ne suivent pas l'ordre du temps : elles sont rangées, et de celles d'un même moment la première compte.`,
    )
  if (rain.lost > 0)
    context.warn(
      line.number,
      `${rain.lost} ligne(s) du fichier de pluie « ${file} » ne se lisent pas et manquent.`,
    )
  const from = line.words[8] && line.words[8] !== '*' ? parseDate(line.words[8]) : -Infinity
  const records = rain.records.filter(({ epochS }) => !(epochS < from))
  const step = rain.intervalS ?? intervalS
  if (records.every(({ epochS }) => epochS + step <= context.startEpochS))
    context.warn(
      line.number,
      `toutes les valeurs du fichier de pluie « ${file} » précèdent le début de la simulation : il ne pleut pas.`,
    )
  return {
    intervalS: step,
    ...rated(
      rain.unitM === null ? kind : 'VOLUME',
      records.map(({ epochS }) => epochS - context.startEpochS),
      records.map(({ value }) => value),
      step,
      rain.unitM ?? (units === 'IN' ? 0.0254 : 0.001),
    ),
  }
}
