import type { MonthlyFactors, RunoffEvaporation, SewerOptions, SewerPattern } from '@radx/contracts'
import type { InpContext } from '../context.ts'
import type { InpLine } from '../lines.ts'
import { type InpTables, seriesAt } from '../nodes.ts'
import type { ReadSide } from '../tables.ts'
import { dailyEvaporation } from './daily-evaporation.ts'

export interface InpClimate {
  evaporation: RunoffEvaporation
  evaporatesWhenDryOnly: boolean
  recovery: MonthlyFactors
}

/** m of rain or hollows a unit of the file. */
export const depthUnit = (context: InpContext) => (context.units.us ? 0.0254 : 0.001)

/** [EVAPORATION]: in/day or mm/day, or daily out of the climate file of [TEMPERATURE]. */
export function readClimate(
  context: InpContext,
  tables: InpTables,
  options: SewerOptions,
  readFile: ReadSide | undefined,
): InpClimate {
  const perDay = depthUnit(context) / 86_400
  const climate: InpClimate = {
    evaporation: { type: 'constant', rate: 0 },
    evaporatesWhenDryOnly: false,
    recovery: null,
  }
  for (const line of context.lines('EVAPORATION')) {
    const kind = context.keyword(line, 0, "le type d'évaporation", [
      'CONSTANT',
      'MONTHLY',
      'TIMESERIES',
      'TEMPERATURE',
      'FILE',
      'RECOVERY',
      'DRY_ONLY',
    ] as const)
    if (kind === 'CONSTANT')
      climate.evaporation = { type: 'constant', rate: context.number(line, 1, "l'évaporation", 0) * perDay }
    else if (kind === 'MONTHLY')
      climate.evaporation = {
        type: 'monthly',
        rates: twelve(context, line, 1, 0).map((rate) => rate * perDay),
      }
    else if (kind === 'TIMESERIES') {
      const series = seriesAt(context, tables, line, 1)
      climate.evaporation = {
        type: 'series',
        timesS: series.timesS,
        rates: series.values.map((rate) => rate * perDay),
      }
    } else if (kind === 'RECOVERY') climate.recovery = monthly(context, tables, line, 1)
    else if (kind === 'DRY_ONLY') climate.evaporatesWhenDryOnly = context.yesNo(line, 1, 'DRY_ONLY', false)
    else {
      const pan =
        kind === 'FILE' && line.words.length > 1 && line.words[1] !== '*'
          ? twelve(context, line, 1, 1)
          : ALL_ONE
      const warmerC = warmer(context)
      climate.evaporation = dailyEvaporation(context, { line, kind, pan, warmerC }, options, readFile) ?? {
        type: 'constant',
        rate: 0,
      }
    }
  }
  return climate
}

const ALL_ONE: readonly number[] = Array.from({ length: 12 }, () => 1)

/** What [ADJUSTMENTS] adds to temperatures, in °C. */
function warmer(context: InpContext): number[] {
  const line = context.lines('ADJUSTMENTS').findLast(({ words }) => /^TEMP/i.test(words[0]))
  const degree = context.units.us ? 5 / 9 : 1
  return line
    ? twelve(context, line, 1, 0).map((value) => value * degree)
    : Array.from({ length: 12 }, () => 0)
}

/** Monthly factors of [ADJUSTMENTS] on the whole model, and on single subcatchments. */
export function readAdjustments(context: InpContext) {
  const all: { evaporation: MonthlyFactors; rain: MonthlyFactors; conductivity: MonthlyFactors } = {
    evaporation: null,
    rain: null,
    conductivity: null,
  }
  const single: { line: InpLine; kind: 'N-PERV' | 'DSTORE' | 'INFIL' }[] = []
  const perDay = depthUnit(context) / 86_400
  for (const line of context.lines('ADJUSTMENTS')) {
    const kind = context.keyword(line, 0, "l'ajustement", [
      'TEMPERATURE',
      'EVAPORATION',
      'RAINFALL',
      'CONDUCTIVITY',
      'N-PERV',
      'DSTORE',
      'INFIL',
    ] as const)
    if (kind === 'TEMPERATURE') continue
    if (kind === 'EVAPORATION') all.evaporation = twelve(context, line, 1, 0).map((value) => value * perDay)
    else if (kind === 'RAINFALL') all.rain = twelve(context, line, 1, 1)
    else if (kind === 'CONDUCTIVITY')
      all.conductivity = twelve(context, line, 1, 1).map((f) => (f > 0 ? f : 1))
    else single.push({ line, kind })
  }
  return { all, single }
}

/** Twelve numbers; missing ones are told and taken as `fallback`. */
function twelve(context: InpContext, line: InpLine, from: number, fallback: number): number[] {
  const given = line.words.length - from
  if (given < 12)
    context.warn(
      line.number,
      `« ${line.words[0]} » a ${given} valeur(s) au lieu de 12 : les autres valent ${fallback}.`,
    )
  return Array.from({ length: 12 }, (_, i) =>
    context.number(line, from + i, 'une valeur mensuelle', fallback),
  )
}

/** Factors of a monthly pattern; null, with a warning, where the pattern is none or of another kind. */
export function monthly(context: InpContext, tables: InpTables, line: InpLine, at: number): MonthlyFactors {
  const name = context.word(line, at, 'un profil')
  const pattern: SewerPattern | undefined = tables.patterns.get(name)
  if (pattern?.type !== 'monthly') {
    context.warn(line.number, `le profil « ${name} » n'est pas un profil mensuel : il est laissé de côté.`)
    return null
  }
  return Array.from({ length: 12 }, (_, i) => pattern.factors[i] ?? 1)
}
