import type { SewerConduit, SewerLink, SewerOptions, SewerTransect } from '@radx/contracts'
import type { InpContext } from './context.ts'
import { ends, readOrifice, readOutlet, readPump, readWeir } from './devices.ts'
import { lengthenedBy } from './lengthening.ts'
import type { InpLine } from './lines.ts'
import { evaporates, type InpTables } from './nodes.ts'
import { isOpen, NO_SECTION, readSection } from './sections.ts'

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
        'selfLink',
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
  tellLengthening(
    context,
    options,
    drafts.map((draft) => draft.link),
  )
  return drafts.map((draft) => draft.link)
}

function offsetAt(context: InpContext, line: InpLine, at: number): number | null {
  if (line.words[at] === '*') return null
  return context.number(line, at, 'un décalage', 0) * context.units.length
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

/** The link that a line of a section describes. */
function linkOf(context: InpContext, drafts: Draft[], line: InpLine, section: string) {
  const index = context.linkIndex.find(line.words[0])
  if (index < 0)
    throw context.fail(
      line,
      'link',
      `[${section}] décrit « ${line.words[0]} », qui n'est pas un lien. Retirez la ligne ou corrigez le nom.`,
    )
  return drafts[index].link
}

function readSections(
  context: InpContext,
  tables: InpTables,
  drafts: Draft[],
  options: SewerOptions,
  transects: Map<string, SewerTransect>,
  streets: Map<string, SewerTransect>,
) {
  for (const line of context.lines('XSECTIONS')) {
    const link = linkOf(context, drafts, line, 'XSECTIONS')
    if (!('section' in link)) continue
    link.section = readSection(context, tables, line, options, transects, streets)
    if (link.kind === 'conduit' && link.section.transect) link.roughness = link.section.transect.nChannel
  }
}

function readLosses(context: InpContext, drafts: Draft[]) {
  for (const line of context.lines('LOSSES')) {
    const link = linkOf(context, drafts, line, 'LOSSES')
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

const REGULATOR_SHAPES: Record<string, readonly string[]> = {
  orifice: ['CIRCULAR', 'RECT_CLOSED'],
  transverse: ['RECT_OPEN'],
  sideflow: ['RECT_OPEN'],
  roadway: ['RECT_OPEN'],
  vnotch: ['TRIANGULAR'],
  trapezoidal: ['TRAPEZOIDAL'],
}

function checkLinks(context: InpContext, drafts: Draft[]) {
  const evaporation = evaporates(context)
  let open = 0
  for (const { link, line } of drafts) {
    if (!('section' in link)) continue
    const { shape } = link.section
    if (shape === '')
      throw context.fail(
        line,
        'noSection',
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
      if (evaporation && isOpen(shape)) open++
      continue
    }
    const allowed = REGULATOR_SHAPES[link.kind === 'weir' ? link.form : 'orifice']
    if (!allowed.includes(shape))
      throw context.fail(
        line,
        'section',
        `« ${link.name} » a une section ${shape}. Il lui faut ${allowed.join(' ou ')}.`,
      )
  }
  if (open > 0)
    context.warnings.push(
      `${context.file} : l'évaporation de ${open} canal ou canaux ouverts est laissée de côté.`,
    )
}

/** LENGTHENING_STEP makes short conduits longer: their times and volumes are then not those of the pipes. */
function tellLengthening(context: InpContext, options: SewerOptions, links: SewerLink[]) {
  if (!(context.lengtheningS > 0)) return
  const stepS = Math.min(context.lengtheningS, options.routingStepS)
  const { count, conduits, most } = lengthenedBy(stepS, links, context.nodes)
  if (count > 0)
    context.warn(
      context.lengtheningLine,
      `LENGTHENING_STEP : ${count} tronçon(s) sur ${conduits} allongé(s), jusqu'à ${most.toFixed(1)} fois environ, comme dans EPA SWMM. Retirez l'option pour leur vraie longueur.`,
    )
}
