import type { SewerOptions } from '@radx/contracts'
import { type InpContext, parseDate, parseTime } from './context.ts'
import type { InpLine } from './lines.ts'
import { FLOW_UNITS, inpUnits } from './units.ts'

/** Without effect on the scheme used here, or on hydraulics at all. */
const WITHOUT_EFFECT = new Set([
  'INFILTRATION',
  'SWEEP_START',
  'SWEEP_END',
  'DRY_DAYS',
  'WET_STEP',
  'DRY_STEP',
  'SYS_FLOW_TOL',
  'LAT_FLOW_TOL',
  'THREADS',
  'TEMPDIR',
  'IGNORE_RAINFALL',
  'IGNORE_SNOWMELT',
  'IGNORE_GROUNDWATER',
  'IGNORE_RDII',
  'IGNORE_QUALITY',
  'COMPATIBILITY',
  'SLOPE_WEIGHTING',
])

/** Manhole area that EPA SWMM takes where the file gives none: 12.566 ft2. */
const DEFAULT_SURFACE_M2 = 12.566 * 0.3048 ** 2

export function readOptions(context: InpContext): SewerOptions {
  const given = new Map<string, InpLine>()
  for (const line of context.lines('OPTIONS')) given.set(line.words[0].toUpperCase(), line)
  const take = (name: string) => {
    const line = given.get(name)
    given.delete(name)
    return line
  }
  const keyword: Keyword = (name, known, fallback) => {
    const line = take(name)
    return line ? context.keyword(line, 1, `l'option ${name}`, known, fallback) : fallback
  }
  /** A length of time, s. A plain number is seconds for some steps and decimal hours for others, as in EPA SWMM. */
  const step = (name: string, fallback: number, plain: 'secondes' | 'heures', least: 'zero' | 'more') => {
    const line = take(name)
    if (!line) return fallback
    const what = `l'option ${name}`
    const word = context.word(line, 1, what)
    const clock = plain === 'heures' || word.includes(':')
    const value = clock ? parseTime(word) : context.number(line, 1, what)
    if (!(least === 'zero' ? value >= 0 : value > 0))
      throw context.fail(
        line,
        'time',
        `${name} vaut « ${word} » : écrivez hh:mm:ss ou des ${plain}${least === 'zero' ? '' : ', plus que zéro'}.`,
      )
    return value
  }
  const moment = (prefix: string, fallback: number) => {
    const dateLine = take(`${prefix}_DATE`)
    const timeLine = take(`${prefix}_TIME`)
    const date = dateLine ? parseDate(context.word(dateLine, 1, 'une date')) : day(fallback)
    if (dateLine && Number.isNaN(date))
      throw context.fail(
        dateLine,
        'date',
        `« ${dateLine.words[1]} » n'est pas une date. Écrivez mois/jour/année.`,
      )
    const time = timeLine ? parseTime(context.word(timeLine, 1, 'une heure'), timeLine.words[2]) : 0
    if (Number.isNaN(time))
      throw context.fail(timeLine as InpLine, 'time', `« ${timeLine?.words[1]} » n'est pas une heure.`)
    return dateLine || timeLine ? date + time : fallback
  }

  const flowUnits = keyword('FLOW_UNITS', FLOW_UNITS, 'CFS')
  context.units = inpUnits(flowUnits)
  context.elevationOffsets = keyword('LINK_OFFSETS', ['DEPTH', 'ELEVATION'] as const, 'DEPTH') === 'ELEVATION'
  tellRouting(context, given, keyword)

  const start = moment('START', Date.UTC(2004, 0, 1) / 1000)
  context.startEpochS = start
  const endLine = given.get('END_TIME') ?? given.get('END_DATE')
  const end = moment('END', day(start))
  if (!(end > start))
    throw context.fail(
      endLine ?? context.sections('OPTIONS')[0]?.line ?? 1,
      'period',
      'la simulation finit avant de commencer. Donnez START_DATE, START_TIME, END_DATE et END_TIME dans [OPTIONS].',
    )
  const reportStart = moment('REPORT_START', start)

  const lengthening = given.get('LENGTHENING_STEP')
  context.lengtheningS = step('LENGTHENING_STEP', 0, 'secondes', 'zero')
  context.lengtheningLine = lengthening?.number ?? 1
  const area = take('MIN_SURFAREA')
  const areaM2 = area ? context.within(area, 1, 'MIN_SURFAREA', 0, 1e6) * context.units.area : 0
  const slope = take('MIN_SLOPE')
  const options: SewerOptions = {
    flowUnits,
    routing: 'DYNWAVE',
    startEpochS: start,
    durationS: end - start,
    reportStartS: Math.max(0, reportStart - start),
    reportStepS: step('REPORT_STEP', 900, 'heures', 'more'),
    routingStepS: step('ROUTING_STEP', 20, 'secondes', 'more'),
    ...(context.lengtheningS > 0 ? { lengtheningStepS: context.lengtheningS } : {}),
    ...schemeOptions(context, take),
    ruleStepS: step('RULE_STEP', 0, 'heures', 'zero'),
    inertialDamping: keyword('INERTIAL_DAMPING', ['NONE', 'PARTIAL', 'FULL'] as const, 'FULL'),
    surchargeMethod: keyword('SURCHARGE_METHOD', ['EXTRAN', 'SLOT'] as const, 'EXTRAN'),
    normalFlowLimited: normalFlow(keyword('NORMAL_FLOW_LIMITED', NORMAL_FLOW, 'BOTH')),
    forceMainEquation: keyword('FORCE_MAIN_EQUATION', ['H-W', 'D-W'] as const, 'H-W'),
    minSurfaceAreaM2: areaM2 > 0 ? areaM2 : DEFAULT_SURFACE_M2,
    minSlope: slope ? context.within(slope, 1, 'MIN_SLOPE', 0, 100) / 100 : 0,
    allowPonding: keyword('ALLOW_PONDING', ['YES', 'NO'] as const, 'NO') === 'YES',
  }
  for (const [name, line] of given) {
    if (!WITHOUT_EFFECT.has(name))
      throw context.fail(
        line,
        'option',
        `l'option « ${name} » n'est pas connue. Retirez-la, ou corrigez son nom d'après le manuel de SWMM 5.2.`,
      )
  }
  return options
}

type Keyword = <K extends string>(name: string, known: readonly K[], fallback: K) => K

/** Options of routing that are read past: each is told. */
function tellRouting(context: InpContext, given: Map<string, InpLine>, keyword: Keyword): void {
  const routingLine = given.get('FLOW_ROUTING')
  const routing = keyword(
    'FLOW_ROUTING',
    ['DYNWAVE', 'KINWAVE', 'STEADY', 'DW', 'KW', 'SF'] as const,
    'DYNWAVE',
  )
  if (routing !== 'DYNWAVE' && routing !== 'DW')
    context.warn(
      routingLine?.number ?? 1,
      `FLOW_ROUTING ${routing} est calculé en onde dynamique : remous et mises en charge agissent, les débits diffèrent.`,
    )
  const ignore = given.get('IGNORE_ROUTING')
  if (keyword('IGNORE_ROUTING', ['YES', 'NO'] as const, 'NO') === 'YES')
    context.warn(ignore?.number ?? 1, 'IGNORE_ROUTING YES : le réseau est calculé tout de même.')
  const steady = given.get('SKIP_STEADY_STATE')
  if (keyword('SKIP_STEADY_STATE', ['YES', 'NO'] as const, 'NO') === 'YES')
    context.warn(
      steady?.number ?? 1,
      'SKIP_STEADY_STATE YES : chaque pas est calculé, en régime permanent aussi ; les débits sont ceux de NO.',
    )
}

/** Options of EPA SWMM's own scheme; 0 stands for its defaults in the last two. */
function schemeOptions(
  context: InpContext,
  take: (name: string) => InpLine | undefined,
): Pick<SewerOptions, 'courantFactor' | 'minRoutingStepS' | 'maxTrials' | 'headToleranceM'> {
  const number = (name: string, most: number) => {
    const line = take(name)
    return line ? context.within(line, 1, name, 0, most) : undefined
  }
  const courantFactor = number('VARIABLE_STEP', 2)
  const minRoutingStepS = number('MINIMUM_STEP', 86400)
  const maxTrials = number('MAX_TRIALS', 1000)
  const tolerance = number('HEAD_TOLERANCE', 1e6)
  return {
    ...(courantFactor === undefined ? {} : { courantFactor }),
    ...(minRoutingStepS === undefined ? {} : { minRoutingStepS }),
    ...(maxTrials ? { maxTrials: Math.max(1, Math.floor(maxTrials)) } : {}),
    ...(tolerance ? { headToleranceM: tolerance * context.units.length } : {}),
  }
}

const NORMAL_FLOW = ['SLOPE', 'FROUDE', 'BOTH', 'NONE', 'YES', 'NO'] as const

/** Before version 5.1.13 the option said YES (slope and Froude) or NO. */
function normalFlow(word: (typeof NORMAL_FLOW)[number]): SewerOptions['normalFlowLimited'] {
  if (word === 'YES') return 'BOTH'
  return word === 'NO' ? 'NONE' : word
}

const day = (epochS: number) => Math.floor(epochS / 86400) * 86400
