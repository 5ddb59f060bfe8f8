import type { RunoffModel, SewerOptions } from '@radx/contracts'
import { type InpContext, type Named, parseTime } from '../context.ts'
import type { InpTables } from '../nodes.ts'
import type { ReadSide } from '../tables.ts'
import { readAdjustments, readClimate } from './climate.ts'
import { readGages } from './gages.ts'
import { readControls, readUsage } from './measures.ts'
import { readRainInflows } from './rdii.ts'
import { readSubcatchments } from './subcatchments.ts'

/** Sections that make up rain and runoff. */
export const RUNOFF_SECTIONS =
  'EVAPORATION TEMPERATURE ADJUSTMENTS RAINGAGES SUBCATCHMENTS SUBAREAS INFILTRATION LID_CONTROLS LID_USAGE HYDROGRAPHS RDII'.split(
    ' ',
  )

const WET_STEP_S = 300
const DRY_STEP_S = 3600

/**
 * Rain and runoff of a file in SI; null where it has none or IGNORE_RAINFALL asks for none.
 * @throws FormatError with file, line and remedy
 */
export function readRunoff(
  context: InpContext,
  tables: InpTables,
  options: SewerOptions,
  readFile: ReadSide | undefined,
): RunoffModel | null {
  const hasAny = ['SUBCATCHMENTS', 'RDII'].some((name) => context.lines(name).length > 0)
  if (!hasAny || isYes(context, 'IGNORE_RAINFALL')) return null
  const { gages, index } = readGages(context, tables, readFile)
  const { all, single } = readAdjustments(context)
  const { subcatchments, index: names } = readSubcatchments(context, tables, index, single)
  const designs = readControls(context, tables)
  readUsage(context, designs, subcatchments, names)
  const { groups, inflows } = readRainInflows(context, index)
  for (const { hydrographs } of inflows)
    if (groups[hydrographs].gage < 0) {
      context.warnings.push(
        `${context.file} : le groupe « ${groups[hydrographs].name} » de [HYDROGRAPHS] n'a pas de pluviographe : il n'apporte rien.`,
      )
    }
  const wetStepS = Math.min(stepOf(context, 'WET_STEP', WET_STEP_S), ...usedIntervals(gages, subcatchments))
  return {
    startEpochS: options.startEpochS,
    durationS: options.durationS,
    wetStepS,
    dryStepS: Math.max(wetStepS, stepOf(context, 'DRY_STEP', DRY_STEP_S)),
    dryDays: Math.max(0, Number(optionOf(context, 'DRY_DAYS')?.words[1] ?? 0) || 0),
    gages,
    ...readClimate(context, tables, options, readFile),
    adjustments: all,
    subcatchments,
    controls: designs.controls,
    unitHydrographs: groups,
    infiltrationInflows: isYes(context, 'IGNORE_RDII') ? [] : inflows,
    returns: readReturns(context, names),
  }
}

/** Outfalls that lead onto a subcatchment of the file. */
function readReturns(context: InpContext, names: Named<number>): RunoffModel['returns'] {
  return context.outfallReturns.flatMap(({ node, to, line }) => {
    const subcatchment = names.get(to)
    if (subcatchment !== undefined) return [{ node, subcatchment }]
    context.warn(
      line.number,
      `l'exutoire « ${line.words[0]} » mène au bassin versant « ${to} », qui n'existe pas : son eau quitte le calcul.`,
    )
    return []
  })
}

/** A gage finer than the wet step sets the step. */
function usedIntervals(gages: RunoffModel['gages'], subcatchments: RunoffModel['subcatchments']): number[] {
  const used = new Set(subcatchments.map((one) => one.gage))
  return gages.flatMap((gage, g) => (used.has(g) ? [gage.intervalS] : []))
}

const optionOf = (context: InpContext, name: string) =>
  context.lines('OPTIONS').findLast((line) => line.words[0].toUpperCase() === name)

const isYes = (context: InpContext, name: string) =>
  optionOf(context, name)?.words[1]?.toUpperCase() === 'YES'

function stepOf(context: InpContext, name: string, fallback: number): number {
  const line = optionOf(context, name)
  if (!line) return fallback
  const word = context.word(line, 1, `l'option ${name}`)
  const seconds = word.includes(':') ? parseTime(word) : Number(word)
  if (!(seconds > 0))
    throw context.fail(
      line,
      'time',
      `${name} vaut « ${word} » : écrivez hh:mm:ss ou des secondes, plus que zéro.`,
    )
  return Math.max(1, Math.round(seconds))
}
