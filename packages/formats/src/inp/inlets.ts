import type { InletDesign, SewerLink, StreetInlet, StreetShape } from '@radx/contracts'
import { GRATE_KINDS } from '@radx/contracts/inlets'
import { type InpContext, Named } from './context.ts'
import type { InpLine } from './lines.ts'
import { curveAt, type InpTables } from './nodes.ts'

/** Longer words first where one begins like another. */
const KINDS = ['DROP_GRATE', 'DROP_CURB', 'GRATE', 'CURB', 'SLOTTED', 'CUSTOM'] as const
const THROATS = ['HORIZONTAL', 'INCLINED', 'VERTICAL'] as const
/** Longer names first: one begins like another. */
const GRATES = GRATE_KINDS.toSorted((a, b) => b.length - a.length)
const PLACEMENTS = ['AUTO', 'ON_GRADE', 'ON_SAG'] as const

/**
 * [INLETS] and [INLET_USAGE]: a conduit has inlets of one design. Those that its section cannot have are left out with a
 * warning, as in EPA SWMM.
 */
export function readInlets(context: InpContext, tables: InpTables, links: SewerLink[]): StreetInlet[] {
  const designs = readDesigns(context, tables)
  const streets = streetShapes(context)
  const inlets = new Map<number, StreetInlet>()
  for (const line of context.lines('INLET_USAGE')) {
    const inlet = readUsage(context, line, designs, links, streets)
    const unfit = whyUnfit(inlet, links)
    if (unfit) {
      context.warn(line.number, `l'avaloir de « ${line.words[0]} » est laissé de côté : ${unfit}`)
      continue
    }
    if (inlets.has(inlet.link))
      context.warn(
        line.number,
        `« ${line.words[0]} » a plusieurs lignes dans [INLET_USAGE] : la dernière compte.`,
      )
    inlets.set(inlet.link, inlet)
  }
  return [...inlets.values()]
}

function readDesigns(context: InpContext, tables: InpTables): Named<InletDesign> {
  const designs = new Named<InletDesign>()
  for (const line of context.lines('INLETS')) {
    const name = line.words[0]
    const kind = context.keyword(line, 1, "le type d'avaloir", KINDS)
    let design = designs.get(name)
    if (!design) {
      design = { name, drop: false, grate: null, curb: null, slot: null, custom: null }
      designs.set(name, design)
    }
    readPart(context, tables, line, kind, design)
  }
  return designs
}

function readPart(
  context: InpContext,
  tables: InpTables,
  line: InpLine,
  kind: (typeof KINDS)[number],
  design: InletDesign,
): void {
  const { length, flowFactor } = context.units
  const size = (at: number, what: string) => context.within(line, at, what, 1e-6, 1e4) * length
  if (kind === 'CUSTOM') {
    const curve = curveAt(context, tables, line, 2, ['DIVERSION', 'RATING'])
    const by = curve.kind === 'RATING' ? 'depth' : 'flow'
    design.custom = {
      by,
      x: curve.x.map((x) => x * (by === 'depth' ? length : flowFactor)),
      y: curve.y.map((y) => y * flowFactor),
    }
    return
  }
  const lengthM = size(2, 'la longueur')
  const otherM = size(3, kind.endsWith('CURB') ? 'la hauteur' : 'la largeur')
  design.drop = kind.startsWith('DROP')
  if (kind === 'SLOTTED') design.slot = { lengthM, widthM: otherM }
  else if (kind.endsWith('CURB')) {
    const throat =
      kind === 'CURB' ? context.keyword(line, 4, "l'avaloir", THROATS, 'VERTICAL') : ('VERTICAL' as const)
    design.curb = {
      lengthM,
      heightM: otherM,
      throat: throat.toLowerCase() as Lowercase<typeof throat>,
    }
  } else {
    const grate = context.keyword(line, 4, 'la grille', GRATES)
    const generic = grate === 'GENERIC'
    design.grate = {
      lengthM,
      widthM: otherM,
      kind: grate,
      openShare: generic ? context.within(line, 5, 'la part ouverte', 1e-6, 1) : 0,
      splashMS: generic ? context.within(line, 6, 'la vitesse de saut', 0, 1e4, 0) * length : 0,
    }
  }
}

function readUsage(
  context: InpContext,
  line: InpLine,
  designs: Named<InletDesign>,
  links: SewerLink[],
  streets: Named<StreetShape>,
): StreetInlet {
  const { length, flowFactor } = context.units
  const link = context.linkIndex.find(line.words[0])
  if (link < 0)
    throw context.fail(
      line,
      'link',
      `[INLET_USAGE] place un avaloir sur « ${line.words[0]} », qui n'est pas un lien. Corrigez le nom.`,
    )
  const design = designs.get(context.word(line, 1, "le type d'avaloir"))
  if (!design)
    throw context.fail(
      line,
      'inlet',
      `« ${line.words[0]} » renvoie à l'avaloir « ${line.words[1]} », qui n'existe pas. Ajoutez-le à [INLETS].`,
    )
  const conduit = links[link]
  const profile = conduit.kind === 'conduit' && conduit.section.shape === 'STREET' && conduit.section.transect
  const placement = context.keyword(line, 8, "la position de l'avaloir", PLACEMENTS, 'AUTO')
  return {
    link,
    node: context.node(line, 2),
    design,
    count: Math.floor(context.within(line, 3, "le nombre d'avaloirs", 1, 1e4, 1)),
    freeShare: 1 - context.within(line, 4, 'le colmatage', 0, 99, 0) / 100,
    mostM3S: context.within(line, 5, 'le débit maximal', 0, 1e9, 0) * flowFactor,
    localDepthM: context.within(line, 6, "l'abaissement local", 0, 1e3, 0) * length,
    localWidthM: context.within(line, 7, 'sa largeur', 0, 1e3, 0) * length,
    placement: ({ AUTO: 'auto', ON_GRADE: 'grade', ON_SAG: 'sag' } as const)[placement],
    street: (profile && streets.get(profile.name)) || null,
  }
}

/** Why a conduit cannot have an inlet, in French; null where it can. */
function whyUnfit({ link, design }: StreetInlet, links: SewerLink[]): string | null {
  const conduit = links[link]
  if (conduit.kind !== 'conduit') return "ce n'est pas un tronçon."
  const { shape } = conduit.section
  if (design.custom) return null
  if (design.drop)
    return ['RECT_OPEN', 'TRAPEZOIDAL'].includes(shape)
      ? null
      : `un avaloir de fond (DROP) veut un canal RECT_OPEN ou TRAPEZOIDAL, sa section est ${shape}.`
  return shape === 'STREET' ? null : `il lui faut une section STREET, la sienne est ${shape}.`
}

function streetShapes(context: InpContext): Named<StreetShape> {
  const { length } = context.units
  const streets = new Named<StreetShape>()
  for (const line of context.lines('STREETS')) {
    const at = (k: number, what: string, fallback?: number) => context.number(line, k, what, fallback)
    streets.set(line.words[0], {
      crownM: at(1, 'la demi-largeur') * length,
      crossSlope: at(3, 'la pente') / 100,
      n: at(4, 'la rugosité'),
      depressionM: at(5, 'le caniveau', 0) * length,
      gutterM: at(6, 'la largeur du caniveau', 0) * length,
      sides: at(7, 'le nombre de côtés', 2),
    })
  }
  return streets
}
