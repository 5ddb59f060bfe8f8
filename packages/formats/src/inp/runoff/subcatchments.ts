import type { RunoffInfiltration, RunoffSubcatchment } from '@radx/contracts'
import { type InpContext, Named } from '../context.ts'
import type { InpLine } from '../lines.ts'
import type { InpTables } from '../nodes.ts'
import { depthUnit, monthly, type readAdjustments } from './climate.ts'

const METHODS = ['HORTON', 'MODIFIED_HORTON', 'GREEN_AMPT', 'MODIFIED_GREEN_AMPT', 'CURVE_NUMBER'] as const
type Method = (typeof METHODS)[number]

/** m2 in an acre or a hectare. */
export const landUnit = (context: InpContext) => (context.units.us ? 43_560 * 0.3048 ** 2 : 10_000)

/** [SUBCATCHMENTS], [SUBAREAS] and [INFILTRATION]. */
export function readSubcatchments(
  context: InpContext,
  tables: InpTables,
  gages: Named<number>,
  adjustments: ReturnType<typeof readAdjustments>['single'],
) {
  const index = new Named<number>()
  const lines = context.lines('SUBCATCHMENTS')
  lines.forEach((line, i) => {
    if (index.has(line.words[0]))
      throw context.fail(
        line,
        'duplicate',
        `le bassin versant « ${line.words[0]} » existe déjà. Donnez un nom unique à chacun.`,
      )
    index.set(line.words[0], i)
  })
  const subcatchments = lines.map((line) => readSubcatchment(context, line, gages, index))
  const at = (line: InpLine, section: string) => {
    const found = index.get(line.words[0])
    if (found === undefined)
      throw context.fail(
        line,
        'subcatchment',
        `[${section}] décrit « ${line.words[0]} », qui n'est pas un bassin versant. Retirez la ligne ou corrigez le nom.`,
      )
    return subcatchments[found]
  }
  const described = new Set<string>()
  for (const line of context.lines('SUBAREAS')) {
    readSubarea(context, line, at(line, 'SUBAREAS'))
    described.add(at(line, 'SUBAREAS').name)
  }
  const method = defaultMethod(context)
  for (const line of context.lines('INFILTRATION'))
    at(line, 'INFILTRATION').infiltration = readInfiltration(context, line, method)
  subcatchments.forEach((one, i) => {
    if (!described.has(one.name))
      context.warn(
        lines[i].number,
        `« ${one.name} » n'a pas de ligne dans [SUBAREAS] : son eau s'écoule sans rugosité ni rétention.`,
      )
  })
  for (const { line, kind } of adjustments) {
    const one = subcatchments[index.get(line.words[1] ?? '') ?? -1]
    if (!one) {
      context.warn(
        line.number,
        `[ADJUSTMENTS] parle de « ${line.words[1]} », qui n'est pas un bassin versant.`,
      )
      continue
    }
    const key = ({ 'N-PERV': 'roughness', DSTORE: 'store', INFIL: 'conductivity' } as const)[kind]
    one.monthly[key] = monthly(context, tables, line, 2)
  }
  tellCircles(context, subcatchments, lines)
  return { subcatchments, index, lines }
}

function readSubcatchment(
  context: InpContext,
  line: InpLine,
  gages: Named<number>,
  index: Named<number>,
): RunoffSubcatchment {
  const { length } = context.units
  const name = line.words[0]
  const gageName = context.word(line, 1, 'un pluviographe')
  const gage = gageName === '*' ? -1 : gages.get(gageName)
  if (gage === undefined)
    throw context.fail(
      line,
      'gage',
      `« ${name} » renvoie au pluviographe « ${gageName} », qui n'existe pas. Ajoutez-le à [RAINGAGES].`,
    )
  return {
    name,
    gage,
    outlet: outletOf(context, line, index),
    areaM2: context.within(line, 3, 'la surface', 0, 1e9) * landUnit(context),
    imperviousShare: Math.min(100, context.within(line, 4, 'la part imperméable', 0, 1e6)) / 100,
    widthM: context.within(line, 5, 'la largeur', 0, 1e9) * length,
    slope: context.within(line, 6, 'la pente', 0, 1e6, 0) / 100,
    imperviousN: 0,
    perviousN: 0,
    imperviousStoreM: 0,
    perviousStoreM: 0,
    bareShare: 0,
    routeTo: 'outlet',
    routedShare: 1,
    infiltration: NO_INFILTRATION,
    measures: [],
    monthly: { roughness: null, store: null, conductivity: null },
  }
}

/** Ground that takes nothing. */
const NO_INFILTRATION: RunoffInfiltration = {
  type: 'horton',
  maxRate: 0,
  minRate: 0,
  decay: 0,
  dryingS: 86_400,
  maxVolumeM: 0,
}

/** Where a subcatchment or a drain leads; a node before a subcatchment of the same name, as a warning says. */
function outletOf(context: InpContext, line: InpLine, index: Named<number>): RunoffSubcatchment['outlet'] {
  const name = context.word(line, 2, 'un exutoire')
  if (name === '*') {
    context.warn(line.number, `« ${line.words[0]} » n'a pas d'exutoire : son eau quitte le calcul.`)
    return null
  }
  const found = placeOf(context, name, index)
  if (!found)
    throw context.fail(
      line,
      'outlet',
      `« ${line.words[0]} » s'écoule vers « ${name} », qui n'est ni un nœud ni un bassin versant. Corrigez le nom.`,
    )
  return found
}

export function placeOf(context: InpContext, name: string, index: Named<number>) {
  const node = context.nodeIndex.find(name)
  if (node >= 0) return { node }
  const subcatchment = index.get(name)
  return subcatchment === undefined ? null : { subcatchment }
}

function readSubarea(context: InpContext, line: InpLine, one: RunoffSubcatchment) {
  const depth = depthUnit(context)
  const positive = (at: number, what: string) => context.within(line, at, what, 0, 1e9)
  one.imperviousN = positive(1, 'la rugosité imperméable')
  one.perviousN = positive(2, 'la rugosité perméable')
  one.imperviousStoreM = positive(3, 'la rétention imperméable') * depth
  one.perviousStoreM = positive(4, 'la rétention perméable') * depth
  one.bareShare = Math.min(100, positive(5, 'la part sans rétention')) / 100
  const route = context.keyword(line, 6, 'le cheminement', ['OUTLET', 'IMPERV', 'PERV'] as const, 'OUTLET')
  one.routeTo = ({ OUTLET: 'outlet', IMPERV: 'impervious', PERV: 'pervious' } as const)[route]
  one.routedShare = context.within(line, 7, 'la part dirigée', 0, 100, 100) / 100
}

function defaultMethod(context: InpContext): Method {
  const line = context.lines('OPTIONS').find((option) => option.words[0].toUpperCase() === 'INFILTRATION')
  return line ? methodOf(context, line, 1) : 'HORTON'
}

function methodOf(context: InpContext, line: InpLine, at: number): Method {
  return context.keyword(line, at, "la méthode d'infiltration", METHODS)
}

function readInfiltration(context: InpContext, line: InpLine, usual: Method): RunoffInfiltration {
  const last = line.words[line.words.length - 1]
  const method =
    /^[A-Za-z]/.test(last) && line.words.length > 1 ? methodOf(context, line, line.words.length - 1) : usual
  const { rate } = context.units
  const depth = depthUnit(context)
  const value = (at: number, what: string, fallback?: number) =>
    line.words[at] === last && /^[A-Za-z]/.test(last)
      ? (fallback ?? 0)
      : context.within(line, at, what, 0, 1e9, fallback)
  if (method === 'HORTON' || method === 'MODIFIED_HORTON') {
    const maxRate = value(1, "l'infiltration initiale") * rate
    const minRate = value(2, "l'infiltration finale") * rate
    if (maxRate < minRate)
      throw context.fail(
        line,
        'infiltration',
        `« ${line.words[0]} » : l'infiltration finale dépasse l'infiltration initiale. Inversez les deux valeurs.`,
      )
    return {
      type: method === 'HORTON' ? 'horton' : 'modified-horton',
      maxRate,
      minRate,
      decay: value(3, 'la décroissance') / 3600,
      dryingS: value(4, 'le temps de séchage') * 86_400,
      maxVolumeM: value(5, 'le volume maximal', 0) * depth,
    }
  }
  if (method === 'CURVE_NUMBER') {
    const drying = value(3, 'le temps de séchage')
    if (!(drying > 0))
      throw context.fail(
        line,
        'infiltration',
        `« ${line.words[0]} » : le temps de séchage du numéro de courbe est nul. Donnez des jours (troisième valeur).`,
      )
    return { type: 'curve-number', curveNumber: value(1, 'le numéro de courbe'), dryingS: drying * 86_400 }
  }
  const conductivity = value(2, 'la conductivité') * rate
  if (!(conductivity > 0))
    throw context.fail(line, 'infiltration', `« ${line.words[0]} » : la conductivité est nulle. Donnez-la.`)
  return {
    type: method === 'GREEN_AMPT' ? 'green-ampt' : 'modified-green-ampt',
    suctionM: value(1, 'la succion') * depth,
    conductivity,
    deficit: context.within(line, 3, "le déficit d'humidité", 0, 1),
  }
}

/** Water that goes round, or nowhere, reaches no node: that is told, once for all. */
function tellCircles(context: InpContext, subcatchments: RunoffSubcatchment[], lines: InpLine[]) {
  const names = (of: number[]) =>
    of
      .slice(0, 5)
      .map((i) => subcatchments[i].name)
      .join(', ')
  const ends = subcatchments.flatMap(({ outlet }, i) =>
    outlet && 'subcatchment' in outlet && outlet.subcatchment === i ? [i] : [],
  )
  if (ends.length > 0)
    context.warn(
      lines[ends[0]].number,
      `${ends.length} bassin(s) versant(s) s'écoulent vers eux-mêmes : ${names(ends)}. Leur eau quitte le calcul, comme dans EPA SWMM.`,
    )
  const round: number[] = []
  subcatchments.forEach((_, i) => {
    let at = i
    for (let n = 0; n <= subcatchments.length; n++) {
      const outlet = subcatchments[at].outlet
      if (!outlet || !('subcatchment' in outlet) || (outlet.subcatchment === at && n === 0)) return
      at = outlet.subcatchment
      if (at === i) {
        round.push(i)
        return
      }
    }
  })
  if (round.length > 0)
    context.warn(
      lines[round[0]].number,
      `${round.length} bassin(s) versant(s) s'écoulent en rond : ${names(round)}. Leur eau n'atteint aucun nœud.`,
    )
}
