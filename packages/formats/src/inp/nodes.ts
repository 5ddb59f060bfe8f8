import type {
  SewerInflow,
  SewerOutfall,
  SewerPattern,
  SewerSeries,
  SewerStorage,
  SewerStorageLosses,
  SewerTable,
} from '@radx/contracts'
import type { InpContext } from './context.ts'
import type { InpLine } from './lines.ts'
import type { InpCurve } from './tables.ts'

export interface InpTables {
  curves: Map<string, InpCurve>
  series: Map<string, SewerSeries>
  patterns: Map<string, SewerPattern>
}

/** Scales a series' values once for each unit that it is read in. */
export class SeriesIn {
  private readonly made = new Map<string, SewerSeries>()
  get(series: SewerSeries, factor: number): SewerSeries {
    const key = `${series.name}|${factor}`
    let scaled = this.made.get(key)
    if (!scaled) {
      scaled = { ...series, values: series.values.map((value) => value * factor) }
      this.made.set(key, scaled)
    }
    return scaled
  }
}

export const scaleTable = (curve: SewerTable, x: number, y: number): SewerTable => ({
  name: curve.name,
  x: curve.x.map((value) => value * x),
  y: curve.y.map((value) => value * y),
})

/** A curve of a kind, by the name at word `at`. */
export function curveAt(
  context: InpContext,
  tables: Pick<InpTables, 'curves'>,
  line: InpLine,
  at: number,
  kinds: string[],
): InpCurve {
  const name = context.word(line, at, 'une courbe')
  const curve = tables.curves.get(name)
  if (!curve)
    throw context.fail(
      line,
      'curve',
      `« ${line.words[0]} » renvoie à la courbe « ${name} », qui n'existe pas. Ajoutez-la à [CURVES].`,
    )
  const fitting = [curve, ...curve.others].find((known) => kinds.includes(known.kind))
  if (!fitting) {
    // EPA SWMM looks at the kind of a pump's and an outlet's curve only.
    if (kinds.some((kind) => kind.startsWith('PUMP')))
      throw context.fail(
        line,
        'curve',
        `la courbe « ${name} » est de type ${curve.kind} ; « ${line.words[0]} » veut ${kinds.join(' ou ')}. Corrigez [CURVES].`,
      )
    context.warn(
      line.number,
      `la courbe « ${name} » est de type ${curve.kind} ; « ${line.words[0]} » la prend comme ${kinds.join(' ou ')}.`,
    )
  }
  const taken = fitting ?? curve
  if (taken.x.length === 0)
    throw context.fail(taken.line, 'curve', `la courbe « ${name} » est vide. Donnez-lui des couples x y.`)
  return taken
}

export function seriesAt(context: InpContext, tables: InpTables, line: InpLine, at: number): SewerSeries {
  const name = context.word(line, at, 'une série')
  const series = tables.series.get(name)
  if (!series)
    throw context.fail(
      line,
      'series',
      `« ${line.words[0]} » renvoie à la série « ${name} », qui n'existe pas. Ajoutez-la à [TIMESERIES].`,
    )
  return series
}

export function readNodes(context: InpContext, tables: InpTables, scaled: SeriesIn) {
  const { length, area } = context.units
  for (const line of context.lines('JUNCTIONS')) {
    context.addNode(line, {
      kind: 'junction',
      name: line.words[0],
      invertM: context.number(line, 1, 'le radier') * length,
      fullDepthM: depth(context, line, 2, 'la profondeur'),
      initDepthM: depth(context, line, 3, 'la hauteur initiale'),
      surchargeDepthM: depth(context, line, 4, 'la surcharge admise'),
      pondedAreaM2: context.within(line, 5, 'la surface de débordement', 0, 1e12, 0) * area,
      inflows: [],
    })
  }
  for (const line of context.lines('DIVIDERS')) readDivider(context, line)
  for (const line of context.lines('OUTFALLS'))
    context.addNode(line, readOutfall(context, tables, scaled, line))
  for (const line of context.lines('STORAGE')) context.addNode(line, readStorage(context, tables, line))
}

const depth = (context: InpContext, line: InpLine, at: number, what: string) =>
  context.within(line, at, what, 0, 1e5, 0) * context.units.length

/** With dynamic waves a divider is a junction (SWMM manual); its own figures come first. */
function readDivider(context: InpContext, line: InpLine) {
  const kind = context.keyword(line, 3, 'le type de répartiteur', [
    'CUTOFF',
    'OVERFLOW',
    'TABULAR',
    'WEIR',
  ] as const)
  const at = { CUTOFF: 5, OVERFLOW: 4, TABULAR: 5, WEIR: 7 }[kind]
  context.warn(
    line.number,
    `le répartiteur « ${line.words[0]} » est calculé comme un regard (onde dynamique).`,
  )
  context.addNode(line, {
    kind: 'junction',
    name: line.words[0],
    invertM: context.number(line, 1, 'le radier') * context.units.length,
    fullDepthM: depth(context, line, at, 'la profondeur'),
    initDepthM: depth(context, line, at + 1, 'la hauteur initiale'),
    surchargeDepthM: depth(context, line, at + 2, 'la surcharge admise'),
    pondedAreaM2: context.within(line, at + 3, 'la surface de débordement', 0, 1e12, 0) * context.units.area,
    inflows: [],
  })
}

function readOutfall(context: InpContext, tables: InpTables, scaled: SeriesIn, line: InpLine): SewerOutfall {
  const { length } = context.units
  const kind = context.keyword(line, 2, "le type d'exutoire", [
    'FREE',
    'NORMAL',
    'FIXED',
    'TIDAL',
    'TIMESERIES',
  ] as const)
  let boundary: SewerOutfall['boundary']
  let at = 4
  if (kind === 'FREE' || kind === 'NORMAL') {
    boundary = { type: kind === 'FREE' ? 'free' : 'normal' }
    at = 3
  } else if (kind === 'FIXED')
    boundary = { type: 'fixed', stageM: context.number(line, 3, 'le niveau') * length }
  else if (kind === 'TIDAL')
    boundary = { type: 'tidal', curve: scaleTable(curveAt(context, tables, line, 3, ['TIDAL']), 1, length) }
  else boundary = { type: 'timeseries', series: scaled.get(seriesAt(context, tables, line, 3), length) }
  const routed = line.words[at + 1]
  if (routed && routed !== '*') context.outfallReturns.push({ node: context.nodes.length, to: routed, line })
  return {
    kind: 'outfall',
    name: line.words[0],
    invertM: context.number(line, 1, 'le radier') * length,
    fullDepthM: 0,
    initDepthM: 0,
    surchargeDepthM: 0,
    pondedAreaM2: 0,
    boundary,
    flapGate: context.yesNo(line, at, 'le clapet', false),
    inflows: [],
  }
}

const SHAPES = [
  'TABULAR',
  'FUNCTIONAL',
  'CYLINDRICAL',
  'CONICAL',
  'PARABOLIC',
  'PARABOLOID',
  'PYRAMIDAL',
] as const

function readStorage(context: InpContext, tables: InpTables, line: InpLine): SewerStorage {
  const { length, area } = context.units
  const kind = context.keyword(line, 4, 'la forme', SHAPES)
  const value = (at: number, what: string) => context.within(line, at, what, 0, 1e15)
  let shape: SewerStorage['shape']
  let at = 8
  if (kind === 'TABULAR') {
    const curve = curveAt(context, tables, line, 5, ['STORAGE'])
    if (curve.y.some((y) => y < 0))
      throw context.fail(
        line,
        'range',
        `la courbe « ${curve.name} » a une surface négative. Corrigez [CURVES].`,
      )
    shape = { type: 'tabular', table: scaleTable(curve, length, area) }
    at = 6
  } else if (kind === 'FUNCTIONAL') {
    const exponent = value(6, "l'exposant")
    // A = a d^b + c in the file's units.
    shape = {
      type: 'functional',
      coefficient: (value(5, 'le coefficient') * area) / length ** exponent,
      exponent,
      constant: value(7, 'la constante') * area,
    }
  } else {
    const a = value(5, 'le premier axe') * length
    const b = value(6, 'le second axe') * length
    const z = value(7, 'la pente ou la hauteur')
    if (!(a > 0 && b > 0))
      throw context.fail(line, 'range', `un axe de « ${line.words[0]} » est nul. Donnez ses deux axes.`)
    if (kind === 'CYLINDRICAL') shape = { type: 'quadratic', a0: (Math.PI / 4) * a * b, a1: 0, a2: 0 }
    else if (kind === 'CONICAL')
      shape = {
        type: 'quadratic',
        a0: (Math.PI / 4) * a * b,
        a1: Math.PI * b * z,
        a2: (Math.PI * z * z * b) / a,
      }
    else if (kind === 'PYRAMIDAL')
      shape = { type: 'quadratic', a0: a * b, a1: 2 * (a + b) * z, a2: 4 * z * z }
    else {
      if (!(z > 0))
        throw context.fail(line, 'range', `la hauteur de « ${line.words[0]} » est nulle. Donnez-la.`)
      shape = { type: 'quadratic', a0: 0, a1: ((Math.PI / 4) * a * b) / (z * length), a2: 0 }
    }
  }
  const losses = readStorageLosses(context, line, at + 1)
  return {
    kind: 'storage',
    name: line.words[0],
    invertM: context.number(line, 1, 'le radier') * length,
    fullDepthM: depth(context, line, 2, 'la profondeur'),
    initDepthM: depth(context, line, 3, 'la hauteur initiale'),
    surchargeDepthM: depth(context, line, at, 'la surcharge admise'),
    pondedAreaM2: 0,
    shape,
    ...(losses ? { losses } : {}),
    inflows: [],
  }
}

/** Share of evaporation, then the conductivity of its bed alone, or suction, conductivity and deficit. */
function readStorageLosses(context: InpContext, line: InpLine, at: number): SewerStorageLosses | null {
  const value = (k: number, what: string) => context.within(line, k, what, 0, 1e9, 0)
  const evaporationShare = context.number(line, at, "la part d'évaporation", 0)
  const whole = line.words.length >= at + 4
  const { rate } = context.units
  const conductivity = value(whole ? at + 2 : at + 1, 'la conductivité') * rate
  if (!(conductivity > 0 || (evaporationShare > 0 && evaporates(context)))) return null
  return {
    evaporationShare: Math.max(0, evaporationShare),
    conductivity,
    suctionM: whole ? value(at + 1, 'la succion') * (context.units.us ? 0.0254 : 0.001) : 0,
    deficit: whole ? context.within(line, at + 3, "le déficit d'humidité", 0, 1, 0) : 0,
  }
}

/** Storage nodes keep their water in runs that know no losses. */
export function tellKeptLosses(context: InpContext) {
  const losing = context.nodes.flatMap((node, i) => (node.kind === 'storage' && node.losses ? [i] : []))
  if (losing.length > 0)
    context.warn(
      context.nodeLine[losing[0]],
      `l'évaporation et l'infiltration de ${losing.length} bassin(s) sont laissées de côté : leur eau y reste.`,
    )
}

/** Whether [EVAPORATION] takes water at any time. */
export function evaporates(context: InpContext): boolean {
  return context.lines('EVAPORATION').some((line) => {
    const kind = line.words[0].toUpperCase()
    if (kind === 'DRY_ONLY' || kind === 'RECOVERY') return false
    return (
      kind === 'TIMESERIES' ||
      kind === 'TEMPERATURE' ||
      kind === 'FILE' ||
      line.words.slice(1).some((word) => Number(word) > 0)
    )
  })
}

/** [INFLOWS] and [DWF]; other constituents than the flow belong to water quality. */
export function readInflows(context: InpContext, tables: InpTables, scaled: SeriesIn) {
  const { flowFactor } = context.units
  let quality = 0
  const direct = new Map<number, SewerInflow>()
  for (const line of context.lines('INFLOWS')) {
    const node = context.node(line, 0)
    if (context.word(line, 1, 'FLOW').toUpperCase() !== 'FLOW') {
      quality++
      continue
    }
    const named = line.words[2] ?? ''
    const pattern = line.words[7]
    direct.set(node, {
      series: named === '' ? null : scaled.get(seriesAt(context, tables, line, 2), flowFactor),
      scale: context.number(line, 5, "le facteur d'échelle", 1),
      baselineM3S: context.number(line, 6, 'le débit de base', 0) * flowFactor,
      patterns: pattern ? [patternAt(context, tables, line, 7)] : [],
    })
  }
  const dry = new Map<number, SewerInflow>()
  for (const line of context.lines('DWF')) {
    const node = context.node(line, 0)
    if (context.word(line, 1, 'FLOW').toUpperCase() !== 'FLOW') {
      quality++
      continue
    }
    const patterns: SewerPattern[] = []
    for (let at = 3; at <= 6; at++) {
      if (line.words[at] && line.words[at] !== '*') patterns.push(patternAt(context, tables, line, at))
    }
    dry.set(node, {
      series: null,
      scale: 0,
      baselineM3S: context.number(line, 2, 'le débit moyen') * flowFactor,
      patterns,
    })
  }
  for (const list of [direct, dry])
    for (const [node, inflow] of list) context.nodes[node].inflows.push(inflow)
  if (quality > 0)
    context.warnings.push(
      `${context.file} : ${quality} apport(s) de polluant laissé(s) de côté (qualité des eaux).`,
    )
}

function patternAt(context: InpContext, tables: InpTables, line: InpLine, at: number): SewerPattern {
  const name = line.words[at]
  const pattern = tables.patterns.get(name)
  if (!pattern)
    throw context.fail(
      line,
      'pattern',
      `« ${line.words[0]} » renvoie au profil « ${name} », qui n'existe pas. Ajoutez-le à [PATTERNS].`,
    )
  return pattern
}

/** Map positions. Places of unknown nodes only matter to a picture: they are left out with a warning. */
export function readCoordinates(context: InpContext) {
  let lost = 0
  for (const line of context.lines('COORDINATES')) {
    const index = context.nodeIndex.find(line.words[0])
    if (index < 0) {
      lost++
      continue
    }
    context.nodes[index].x = context.number(line, 1, 'x')
    context.nodes[index].y = context.number(line, 2, 'y')
  }
  if (lost > 0)
    context.warnings.push(`${context.file} : ${lost} position(s) de [COORDINATES] ne désignent aucun nœud.`)
}
