import type {
  SewerConduit,
  SewerLink,
  SewerOptions,
  SewerOrifice,
  SewerOutlet,
  SewerPump,
  SewerSection,
  SewerTransect,
  SewerWeir,
} from '@radx/contracts'
import type { InpContext } from './context.ts'
import type { InpLine } from './lines.ts'
import { curveAt, evaporates, type InpTables, scaleTable } from './nodes.ts'

/** A drop of the datum below this is rounding of the file, m. */
const OFFSET_SLACK_M = 0.0003048

interface Draft {
  link: SewerLink
  line: InpLine
  offsets: [number | null, number | null]
}

/**
 * Reads links, their sections and losses. Offsets come out as heights above the inverts.
 */
export function readLinks(
  context: InpContext,
  tables: InpTables,
  options: SewerOptions,
  transects: Map<string, SewerTransect>,
  streets: Map<string, SewerTransect>,
): SewerLink[] {
  const drafts: Draft[] = []
  const add = (line: InpLine, link: SewerLink, offsets: Draft['offsets']) => {
    if (!context.linkIndex.add(link.name, drafts.length))
      throw context.fail(
        line,
        'duplicate',
        `le lien « ${link.name} » existe déjà. Donnez un nom unique à chaque lien.`,
      )
    if (link.from === link.to)
      throw context.fail(
        line,
        'self-link',
        `« ${link.name} » relie le nœud « ${line.words[1]} » à lui-même. Corrigez l'un de ses deux nœuds.`,
      )
    context.linkLine.push(line.number)
    drafts.push({ link, line, offsets })
  }
  for (const line of context.lines('CONDUITS')) readConduit(context, line, add)
  for (const line of context.lines('PUMPS')) add(line, readPump(context, tables, line), [0, 0])
  for (const line of context.lines('ORIFICES')) {
    const offset = offsetAt(context, line, 4)
    add(line, readOrifice(context, line), [offset, offset])
  }
  for (const line of context.lines('WEIRS')) {
    const offset = offsetAt(context, line, 4)
    add(line, readWeir(context, tables, line), [offset, offset])
  }
  for (const line of context.lines('OUTLETS')) {
    const offset = offsetAt(context, line, 3)
    add(line, readOutlet(context, tables, line), [offset, offset])
  }
  settleOffsets(context, drafts)
  readSections(context, tables, drafts, options, transects, streets)
  readLosses(context, drafts)
  readVertices(context, drafts)
  checkLinks(context, drafts)
  return drafts.map((draft) => draft.link)
}

function offsetAt(context: InpContext, line: InpLine, at: number): number | null {
  if (line.words[at] === '*') return null
  return context.number(line, at, 'un décalage', 0) * context.units.length
}

const NO_SECTION: SewerSection = { shape: '', dims: [0, 0, 0, 0], barrels: 1, culvertCode: 0 }

function ends(context: InpContext, line: InpLine) {
  return { name: line.words[0], from: context.node(line, 1), to: context.node(line, 2), vertices: [] }
}

function readConduit(
  context: InpContext,
  line: InpLine,
  add: (line: InpLine, link: SewerConduit, offsets: Draft['offsets']) => void,
) {
  const { length, flowFactor } = context.units
  const lengthM = context.number(line, 3, 'la longueur') * length
  if (!(lengthM > 0))
    throw context.fail(
      line,
      'length',
      `le tronçon « ${line.words[0]} » a une longueur nulle. Donnez sa longueur.`,
    )
  add(
    line,
    {
      kind: 'conduit',
      ...ends(context, line),
      lengthM,
      roughness: context.number(line, 4, 'la rugosité'),
      inOffsetM: 0,
      outOffsetM: 0,
      initFlowM3S: context.number(line, 7, 'le débit initial', 0) * flowFactor,
      maxFlowM3S: context.within(line, 8, 'le débit maximal', 0, 1e9, 0) * flowFactor,
      section: NO_SECTION,
      lossInlet: 0,
      lossOutlet: 0,
      lossAverage: 0,
      flapGate: false,
      seepageMS: 0,
    },
    [offsetAt(context, line, 5), offsetAt(context, line, 6)],
  )
}

function readPump(context: InpContext, tables: InpTables, line: InpLine): SewerPump {
  const { length, volume, flowFactor } = context.units
  const named = line.words[3] !== undefined && line.words[3] !== '*'
  const curve = named
    ? curveAt(context, tables, line, 3, ['PUMP1', 'PUMP2', 'PUMP3', 'PUMP4', 'PUMP5'])
    : null
  const type = (curve ? Number(curve.kind.slice(4)) : 0) as SewerPump['type']
  const startDepthM = context.within(line, 5, 'la hauteur de démarrage', 0, 1e5, 0) * length
  const stopDepthM = context.within(line, 6, "la hauteur d'arrêt", 0, 1e5, 0) * length
  if (startDepthM > 0 && startDepthM <= stopDepthM)
    throw context.fail(
      line,
      'pump',
      `la pompe « ${line.words[0]} » s'arrête plus haut qu'elle ne démarre. Inversez ses deux hauteurs.`,
    )
  return {
    kind: 'pump',
    ...ends(context, line),
    type,
    curve: curve ? scaleTable(curve, type === 1 ? volume : length, flowFactor) : null,
    initiallyOn: context.keyword(line, 4, "l'état initial", ['ON', 'OFF'] as const, 'ON') === 'ON',
    startDepthM,
    stopDepthM,
  }
}

function readOrifice(context: InpContext, line: InpLine): SewerOrifice {
  return {
    kind: 'orifice',
    ...ends(context, line),
    orientation:
      context.keyword(line, 3, "l'orientation", ['SIDE', 'BOTTOM'] as const) === 'SIDE' ? 'side' : 'bottom',
    offsetM: 0,
    dischargeCoefficient: context.within(line, 5, 'le coefficient', 0, 1e3),
    flapGate: context.yesNo(line, 6, 'le clapet', false),
    openCloseS: context.within(line, 7, 'le temps de manœuvre', 0, 1e4, 0) * 3600,
    section: NO_SECTION,
  }
}

const WEIRS = ['TRANSVERSE', 'SIDEFLOW', 'V-NOTCH', 'TRAPEZOIDAL', 'ROADWAY'] as const
const WEIR_FORMS = {
  TRANSVERSE: 'transverse',
  SIDEFLOW: 'sideflow',
  'V-NOTCH': 'vnotch',
  TRAPEZOIDAL: 'trapezoidal',
  ROADWAY: 'roadway',
} as const

function readWeir(context: InpContext, tables: InpTables, line: InpLine): SewerWeir {
  const { length } = context.units
  // ft^0.5/s to m^0.5/s; metric files give metric coefficients.
  const toSi = Math.sqrt(length)
  const form = WEIR_FORMS[context.keyword(line, 3, 'le type de déversoir', WEIRS)]
  const hasCurve = line.words[12] !== undefined && line.words[12] !== '*'
  const surface = line.words[11]?.toUpperCase()
  return {
    kind: 'weir',
    ...ends(context, line),
    form,
    offsetM: 0,
    coefficient: context.within(line, 5, 'le coefficient', 0, 1e3) * toSi,
    flapGate: context.yesNo(line, 6, 'le clapet', false),
    endContractions: context.within(line, 7, 'les contractions', 0, 1e3, 0),
    endCoefficient: context.within(line, 8, 'le coefficient des bords', 0, 1e3, 0) * toSi,
    canSurcharge: context.yesNo(line, 9, 'la mise en charge', true),
    roadWidthM: context.within(line, 10, 'la largeur de chaussée', 0, 1e4, 0) * length,
    roadSurface: surface === 'PAVED' ? 'paved' : surface === 'GRAVEL' ? 'gravel' : null,
    coefficientCurve: hasCurve
      ? scaleTable(curveAt(context, tables, line, 12, ['WEIR']), length, toSi)
      : null,
    section: NO_SECTION,
  }
}

function readOutlet(context: InpContext, tables: InpTables, line: InpLine): SewerOutlet {
  const { length, flowFactor } = context.units
  const kind = context.keyword(line, 4, "la loi de l'ouvrage", ['TABULAR', 'FUNCTIONAL'] as const)
  const basis = (line.words[4] ?? '').toUpperCase().endsWith('/HEAD') ? 'head' : 'depth'
  if (kind === 'TABULAR')
    return {
      kind: 'outlet',
      ...ends(context, line),
      offsetM: 0,
      rating: {
        type: 'tabular',
        table: scaleTable(curveAt(context, tables, line, 5, ['RATING']), length, flowFactor),
      },
      basis,
      flapGate: context.yesNo(line, 6, 'le clapet', false),
    }
  const exponent = context.within(line, 6, "l'exposant", 0, 100)
  return {
    kind: 'outlet',
    ...ends(context, line),
    offsetM: 0,
    // q = a h^b in the file's units.
    rating: {
      type: 'functional',
      coefficient: (context.within(line, 5, 'le coefficient', 0, 1e12) * flowFactor) / length ** exponent,
      exponent,
    },
    basis,
    flapGate: context.yesNo(line, 7, 'le clapet', false),
  }
}

/** ELEVATION offsets are levels: heights above the inverts come out, never below 0. */
function settleOffsets(context: InpContext, drafts: Draft[]) {
  for (const { link, line, offsets } of drafts) {
    if (link.kind === 'pump') continue
    const height = (offset: number | null, node: number) => {
      if (offset === null) return 0
      const above = context.elevationOffsets ? offset - context.nodes[node].invertM : offset
      if (above < -OFFSET_SLACK_M)
        context.warn(
          line.number,
          `« ${link.name} » passe sous le radier de « ${context.nodes[node].name} » : il y est ramené.`,
        )
      return Math.max(0, above)
    }
    if (link.kind === 'conduit') {
      link.inOffsetM = height(offsets[0], link.from)
      link.outOffsetM = height(offsets[1], link.to)
    } else link.offsetM = height(offsets[0], link.from)
  }
}

const SHAPES = [
  'DUMMY',
  'CIRCULAR',
  'FILLED_CIRCULAR',
  'RECT_CLOSED',
  'RECT_OPEN',
  'TRAPEZOIDAL',
  'TRIANGULAR',
  'PARABOLIC',
  'POWER',
  'RECT_TRIANGULAR',
  'RECT_ROUND',
  'MODBASKETHANDLE',
  'HORIZ_ELLIPSE',
  'VERT_ELLIPSE',
  'ARCH',
  'EGG',
  'HORSESHOE',
  'GOTHIC',
  'CATENARY',
  'SEMIELLIPTICAL',
  'BASKETHANDLE',
  'SEMICIRCULAR',
  'IRREGULAR',
  'CUSTOM',
  'FORCE_MAIN',
  'STREET',
] as const

type Shape = (typeof SHAPES)[number]

/** Which of the four figures are lengths; the others are ratios, exponents and codes. */
const LENGTHS: Partial<Record<Shape, number[]>> = {
  FORCE_MAIN: [0],
  TRAPEZOIDAL: [0, 1],
  POWER: [0, 1],
  RECT_OPEN: [0, 1],
  ARCH: [0, 1],
  HORIZ_ELLIPSE: [0, 1],
  VERT_ELLIPSE: [0, 1],
  CUSTOM: [0],
}

/** Figures that must be above 0 besides the first. */
const POSITIVE: Partial<Record<Shape, number[]>> = {
  RECT_CLOSED: [1],
  RECT_OPEN: [1],
  TRIANGULAR: [1],
  PARABOLIC: [1],
  POWER: [1, 2],
  RECT_TRIANGULAR: [1, 2],
  RECT_ROUND: [1],
  MODBASKETHANDLE: [1],
  FORCE_MAIN: [1],
}

const CODED: Shape[] = ['HORIZ_ELLIPSE', 'VERT_ELLIPSE', 'ARCH']
const CODES: Partial<Record<Shape, number>> = { HORIZ_ELLIPSE: 23, VERT_ELLIPSE: 23, ARCH: 102 }

function readSections(
  context: InpContext,
  tables: InpTables,
  drafts: Draft[],
  options: SewerOptions,
  transects: Map<string, SewerTransect>,
  streets: Map<string, SewerTransect>,
) {
  for (const line of context.lines('XSECTIONS')) {
    const index = context.linkIndex.find(line.words[0])
    if (index < 0)
      throw context.fail(
        line,
        'link',
        `[XSECTIONS] décrit « ${line.words[0]} », qui n'est pas un lien. Retirez la ligne ou corrigez le nom.`,
      )
    const { link } = drafts[index]
    if (!('section' in link)) continue
    link.section = readSection(context, tables, line, options, transects, streets)
    if (link.kind === 'conduit' && link.section.transect) link.roughness = link.section.transect.nChannel
  }
}

function readSection(
  context: InpContext,
  tables: InpTables,
  line: InpLine,
  options: SewerOptions,
  transects: Map<string, SewerTransect>,
  streets: Map<string, SewerTransect>,
): SewerSection {
  const shape = context.keyword(line, 1, 'la forme', SHAPES)
  if (shape === 'IRREGULAR' || shape === 'STREET') {
    const name = context.word(line, 2, 'un profil')
    const where = shape === 'IRREGULAR' ? 'TRANSECTS' : 'STREETS'
    const transect = (shape === 'IRREGULAR' ? transects : streets).get(name)
    if (!transect)
      throw context.fail(
        line,
        'transect',
        `« ${line.words[0]} » renvoie au profil « ${name} », qui n'existe pas. Ajoutez-le à [${where}].`,
      )
    return { ...NO_SECTION, shape, transect }
  }
  const barrels = context.within(line, 6, 'le nombre de files', 1, 1000, 1)
  const culvert = context.within(line, 7, 'le code de ponceau', 0, 57, 0)
  if (culvert > 0)
    throw context.fail(
      line,
      'culvert',
      `« ${line.words[0]} » est un ponceau (code ${culvert}), dont RadX ne calcule pas le contrôle à l'entrée. Retirez le code, et donnez une perte à l'entrée dans [LOSSES].`,
    )
  const { length } = context.units
  if (shape === 'DUMMY') return { ...NO_SECTION, shape, barrels }
  if (shape === 'CUSTOM') {
    const depth = context.within(line, 2, 'la hauteur', 1e-9, 1e5) * length
    const curve = curveAt(context, tables, line, 3, ['SHAPE'])
    if (
      curve.x[0] < 0 ||
      !(curve.x[curve.x.length - 1] > 0) ||
      curve.y.some((y) => y < 0) ||
      curve.x.length < 2
    )
      throw context.fail(
        curve.line,
        'curve',
        `la courbe « ${curve.name} » ne décrit pas une section. Donnez des hauteurs de 0 à 1 et des largeurs positives.`,
      )
    return {
      ...NO_SECTION,
      shape,
      dims: [depth, 0, 0, 0],
      barrels,
      curve: { name: curve.name, x: curve.x, y: curve.y },
    }
  }
  const dims = [0, 1, 2, 3].map((i) =>
    context.within(line, 2 + i, `la dimension ${i + 1}`, 0, 1e6, i === 0 ? undefined : 0),
  ) as SewerSection['dims']
  // Standard pipes: the size stands third, or alone.
  if (CODED.includes(shape)) {
    if (dims[1] === 0) dims[2] = dims[0]
    if (dims[2] > (CODES[shape] ?? 0))
      throw context.fail(
        line,
        'section',
        `« ${line.words[0]} » : il n'y a pas de taille normalisée ${dims[2]} en ${shape}. Donnez hauteur et largeur.`,
      )
  }
  if (!(dims[0] > 0) || (POSITIVE[shape] ?? []).some((i) => !(dims[i] > 0)))
    throw context.fail(
      line,
      'section',
      `la section de « ${line.words[0]} » a une dimension nulle. Donnez ses dimensions.`,
    )
  if (shape === 'TRAPEZOIDAL' && dims[1] === 0 && dims[2] + dims[3] === 0)
    throw context.fail(
      line,
      'section',
      `la section de « ${line.words[0]} » n'a pas de largeur. Donnez un fond ou des talus.`,
    )
  if (shape === 'FILLED_CIRCULAR' && dims[1] >= dims[0])
    throw context.fail(
      line,
      'section',
      `« ${line.words[0]} » est entièrement comblé. Donnez un dépôt moins haut que le tuyau.`,
    )
  if (shape === 'RECT_OPEN' && dims[2] > 2)
    throw context.fail(
      line,
      'section',
      `« ${line.words[0]} » : un canal a deux parois, ${dims[2]} ne peuvent pas être laissées de côté.`,
    )
  const lengths = LENGTHS[shape] ?? [0, 1, 2, 3]
  for (const i of lengths) dims[i] *= length
  // The height of Darcy-Weisbach roughness is given in inches or millimetres.
  if (shape === 'FORCE_MAIN' && options.forceMainEquation === 'D-W')
    dims[1] *= context.units.us ? 0.0254 : 0.001
  return { ...NO_SECTION, shape, dims, barrels }
}

function readLosses(context: InpContext, drafts: Draft[]) {
  for (const line of context.lines('LOSSES')) {
    const index = context.linkIndex.find(line.words[0])
    if (index < 0)
      throw context.fail(
        line,
        'link',
        `[LOSSES] décrit « ${line.words[0]} », qui n'est pas un lien. Retirez la ligne ou corrigez le nom.`,
      )
    const { link } = drafts[index]
    if (link.kind !== 'conduit') continue
    link.lossInlet = context.within(line, 1, "la perte à l'entrée", 0, 1e6)
    link.lossOutlet = context.within(line, 2, 'la perte à la sortie', 0, 1e6)
    link.lossAverage = context.within(line, 3, 'la perte moyenne', 0, 1e6)
    link.flapGate = context.yesNo(line, 4, 'le clapet', false)
    link.seepageMS = context.within(line, 5, "l'infiltration", 0, 1e6, 0) * context.units.rate
  }
}

function readVertices(context: InpContext, drafts: Draft[]) {
  for (const line of context.lines('VERTICES')) {
    const index = context.linkIndex.find(line.words[0])
    if (index >= 0)
      drafts[index].link.vertices.push([context.number(line, 1, 'x'), context.number(line, 2, 'y')])
  }
}

const OPEN: Shape[] = ['RECT_OPEN', 'TRAPEZOIDAL', 'TRIANGULAR', 'PARABOLIC', 'POWER', 'IRREGULAR', 'STREET']

const REGULATOR_SHAPES: Record<string, Shape[]> = {
  orifice: ['CIRCULAR', 'RECT_CLOSED'],
  transverse: ['RECT_OPEN'],
  sideflow: ['RECT_OPEN'],
  roadway: ['RECT_OPEN'],
  vnotch: ['TRIANGULAR'],
  trapezoidal: ['TRAPEZOIDAL'],
}

function checkLinks(context: InpContext, drafts: Draft[]) {
  const evaporation = evaporates(context)
  for (const { link, line } of drafts) {
    if (!('section' in link)) continue
    const { shape } = link.section
    if (shape === '')
      throw context.fail(
        line,
        'no-section',
        `« ${link.name} » n'a pas de section. Ajoutez sa ligne dans [XSECTIONS].`,
      )
    if (link.kind === 'conduit') {
      if (shape === 'DUMMY') {
        if (context.nodes[link.from].kind === 'storage')
          throw context.fail(
            line,
            'dummy',
            `le bassin « ${context.nodes[link.from].name} » se vide par un lien DUMMY. Donnez une section à « ${link.name} ».`,
          )
        continue
      }
      if (!(link.roughness > 0))
        throw context.fail(
          line,
          'roughness',
          `« ${link.name} » a une rugosité nulle. Donnez le n de Manning.`,
        )
      if (evaporation && OPEN.includes(shape as Shape))
        throw context.fail(
          line,
          'evaporation',
          `le canal ouvert « ${link.name} » perd de l'eau par évaporation, ce que RadX ne calcule pas. Mettez [EVAPORATION] à 0.`,
        )
      continue
    }
    const allowed = REGULATOR_SHAPES[link.kind === 'weir' ? link.form : 'orifice']
    if (!allowed.includes(shape as Shape))
      throw context.fail(
        line,
        'section',
        `« ${link.name} » a une section ${shape}. Il lui faut ${allowed.join(' ou ')}.`,
      )
  }
}
