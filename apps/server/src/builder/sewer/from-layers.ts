import type { Recipe } from '@radx/contracts/recipe'
import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import type { Context } from '../context.ts'
import { SourceRefused, someOf } from '../findings.ts'
import { cellAt, type Place } from '../grid.ts'
import { type Layer, readLayer } from '../sources/layer.ts'
import { Columns } from '../sources/values.ts'
import {
  type Draft,
  type DraftNode,
  type DraftPipe,
  markEnds,
  partOutfalls,
  settleInverts,
  takeRims,
  unused,
} from './draft.ts'
import { FIXED_OPTIONS, inpText } from './inp-text.ts'
import { Nearby } from './nearest.ts'

type Sewer = NonNullable<Recipe['sewer']>
const UNIT_M = { m: 1, cm: 0.01, mm: 0.001 }
/** Shapes with a width beside their height. */
const WIDE = new Set(['RECT_CLOSED', 'RECT_OPEN', 'HORIZ_ELLIPSE', 'VERT_ELLIPSE', 'ARCH'])
/** Ends that were moved less are told as they were, m. */
const MOVED_M = 0.01

/** Names of EPA SWMM have no blanks. */
const nameOf = (text: string) => text.replace(/[\s;"[\]]+/g, '_').slice(0, 60)

/** A network of pipes and manholes as an `.inp`. @throws SourceRefused */
export async function networkFromLayers(context: Context, sewer: Sewer, z: Float64Array): Promise<string> {
  const { findings, frame, recipe } = context
  for (const name of FIXED_OPTIONS)
    if (Object.hasOwn(sewer.options, name))
      throw new SourceRefused(
        `sewer : l’option ${name} ne se choisit pas, le réseau est écrit en m³/s et en profondeurs. Retirez-la.`,
      )
  const manholes = sewer.manholes && (await readLayer(sewer.manholes, 'sewer.manholes', 'points', context))
  const pipes = await readLayer(sewer.pipes!, 'sewer.pipes', 'lines', context)
  const nodes = manholes ? nodesOf(context, sewer, manholes) : []
  const draft = joined(context, sewer, nodes, pipes)
  setOutfalls(context, sewer, draft)
  const rims = takeRims(draft, (place) => {
    const cell = cellAt(frame, place)
    return cell < 0 ? Number.NaN : z[cell]
  })
  if (rims.taken > 0)
    findings.tell(
      'sewer',
      'assumed',
      `${countFr(rims.taken, 'regard')} sans cote de tampon : celle du terrain.`,
    )
  underRims(draft, pipes, sewer, context)
  const inverts = settleInverts(draft, sewer.cover)
  if (inverts.assumed > 0)
    findings.tell(
      'sewer',
      'assumed',
      `${countFr(inverts.assumed, 'regard')} dont ni le radier ni celui d’une conduite n’est connu : ${formatNumberFr(sewer.cover, 2, true)} m de terre sur la plus grande conduite.`,
    )
  if (inverts.lowered.length > 0)
    findings.tell(
      'sewer',
      'moved',
      `${countFr(inverts.lowered.length, 'regard abaissé', 'regards abaissés')} au radier de sa conduite la plus basse : ${someOf(inverts.lowered)}.`,
    )
  if (inverts.unknown.length > 0)
    throw new SourceRefused(
      `${pipes.name} : ${countFr(inverts.unknown.length, 'regard')} sans radier ni altitude du terrain (hors de la grille ou du contour) : ${someOf(inverts.unknown)}. Donnez leurs radiers, ou agrandissez le contour.`,
    )
  const parted = partOutfalls(draft)
  if (parted.length > 0)
    findings.tell(
      'sewer',
      'assumed',
      `${countFr(parted.length, 'exutoire')} à plusieurs conduites : un regard et une conduite de 1 m jusqu’à un exutoire propre : ${someOf(parted)}.`,
    )
  return inpText(
    draft,
    [`${recipe.display} : réseau fait de ${pipes.name} par radx catchment build`],
    sewer.options,
  )
}

function nodesOf({ findings }: Context, sewer: Sewer, layer: Layer): DraftNode[] {
  const { name, rim, invert, depth, kind } = sewer.manholes!.columns
  const columns = new Columns(layer)
  columns.need([name, rim, invert, depth, kind])
  const taken = new Set<string>()
  const twice: string[] = []
  const outfalls = new Set(sewer.outfallKinds)
  const nodes = layer.features.map(({ parts, properties, number }): DraftNode => {
    const told = columns.text(properties, name)
    const wanted = nameOf(told ?? `R-${number}`)
    const own = unused(wanted, taken)
    if (own !== wanted) twice.push(wanted)
    const rimM = columns.number(properties, rim)
    const depthM = columns.number(properties, depth)
    const invertM =
      columns.number(properties, invert) ?? (rimM !== null && depthM !== null ? rimM - depthM : null)
    return {
      name: own,
      at: parts[0][0][0],
      rim: rimM ?? (invertM !== null && depthM !== null ? invertM + depthM : null),
      invert: invertM,
      outfall: outfalls.has(columns.text(properties, kind) ?? ''),
      made: false,
    }
  })
  columns.assertNumbers()
  tellCommas(findings, layer, columns)
  if (twice.length > 0)
    findings.tell(
      'sewer',
      'assumed',
      `${layer.name} : ${countFr(twice.length, 'nom')} en double, complétés par un numéro : ${someOf(twice)}.`,
    )
  return nodes
}

const tellCommas = (findings: Context['findings'], layer: Layer, { commas }: Columns) => {
  if (commas > 0)
    findings.tell(
      'sewer',
      'assumed',
      `${layer.name} : ${countFr(commas, 'virgule décimale lue', 'virgules décimales lues')} comme des points.`,
    )
}

/** Joins pipes at manholes and at one another. */
function joined({ findings }: Context, sewer: Sewer, nodes: DraftNode[], layer: Layer): Draft {
  const c = sewer.pipes!.columns
  const columns = new Columns(layer)
  columns.need(Object.values(c))
  const near = new Nearby(sewer.snap)
  const byName = new Map(nodes.map(({ name }, k) => [name, k]))
  for (const { at } of nodes) near.add(at)
  const taken = new Set(byName.keys())
  const pipeNames = new Set<string>()
  const given = nodes.length
  let moved = 0
  let farthest = 0
  const unnamed: string[] = []
  const end = (place: Place, told: string | null): number => {
    const named = told === null ? undefined : byName.get(nameOf(told))
    if (told !== null && named === undefined) unnamed.push(told)
    let node = named ?? near.find(place)
    if (node < 0) {
      node = near.add(place)
      nodes.push({
        name: unused(`N-${node + 1 - given}`, taken),
        at: place,
        rim: null,
        invert: null,
        outfall: false,
        made: true,
      })
    }
    const away = Math.hypot(nodes[node].at[0] - place[0], nodes[node].at[1] - place[1])
    if (away > MOVED_M) moved++
    farthest = Math.max(farthest, away)
    return node
  }
  const pipes: DraftPipe[] = []
  const closed: string[] = []
  for (const { parts, properties, number } of layer.features)
    for (const [line] of parts) {
      if (line.length < 2) continue
      const from = end(line[0], columns.text(properties, c.from))
      const to = end(line[line.length - 1], columns.text(properties, c.to))
      const name = unused(nameOf(columns.text(properties, c.name) ?? `C-${number}`), pipeNames)
      if (from === to) {
        closed.push(name)
        continue
      }
      pipes.push({ name, from, to, ...pipeOf(line, properties, columns, sewer) })
    }
  columns.assertNumbers()
  tellCommas(findings, layer, columns)
  if (nodes.length > given)
    findings.tell(
      'sewer',
      'assumed',
      `${countFr(nodes.length - given, 'nœud fait', 'nœuds faits')} aux bouts de conduites sans regard à ${formatNumberFr(sewer.snap, 2, true)} m.`,
      nodes.slice(given).map(({ at: [x, y], name }) => ({ x, y, text: name })),
    )
  if (moved > 0)
    findings.tell(
      'sewer',
      'moved',
      `${countFr(moved, 'bout de conduite porté', 'bouts de conduites portés')} au nœud voisin, ${formatNumberFr(farthest, 2)} m au plus.`,
    )
  if (closed.length > 0)
    findings.tell(
      'sewer',
      'left',
      `${countFr(closed.length, 'conduite laissée', 'conduites laissées')} de côté, dont les deux bouts sont au même nœud : ${someOf(closed)}.`,
    )
  if (unnamed.length > 0)
    throw new SourceRefused(
      `${layer.name} : regards nommés par les conduites mais absents : ${someOf([...new Set(unnamed)])}. Corrigez "from" et "to", ou retirez-les pour joindre par la position.`,
    )
  if (pipes.length === 0) throw new SourceRefused(`${layer.name} n’a aucune conduite utilisable.`)
  return { nodes, pipes }
}

function pipeOf(line: Place[], properties: Record<string, unknown>, columns: Columns, sewer: Sewer) {
  const c = sewer.pipes!.columns
  const unit = UNIT_M[sewer.diameterUnit]
  const word = columns.text(properties, c.shape)
  const shape = word === null ? 'CIRCULAR' : (sewer.shapes[word] ?? word.toUpperCase())
  const diameter = columns.number(properties, c.diameter)
  const height = diameter !== null && diameter > 0 ? diameter * unit : sewer.diameter
  const width = columns.number(properties, c.width)
  const length = columns.number(properties, c.length)
  const drawn = line.slice(1).reduce((sum, [x, y], k) => sum + Math.hypot(x - line[k][0], y - line[k][1]), 0)
  return {
    line,
    length: length !== null && length > 0 ? length : Math.max(0.1, drawn),
    shape,
    height,
    width: WIDE.has(shape) ? (width !== null && width > 0 ? width * unit : height) : 0,
    roughness: columns.number(properties, c.roughness) ?? sewer.roughness,
    fromInvert: columns.number(properties, c.fromInvert),
    toInvert: columns.number(properties, c.toInvert),
  }
}

/** Inverts that are told as depths under the rims, once these are known; and what the columns leave open. */
function underRims({ nodes, pipes }: Draft, layer: Layer, sewer: Sewer, { findings }: Context): void {
  const c = sewer.pipes!.columns
  const columns = new Columns(layer)
  const shapes = new Set<string>()
  let k = 0
  let bare = 0
  for (const { parts, properties } of layer.features)
    for (const [line] of parts) {
      const pipe = pipes[k]
      // Pipes stand in the order of the layer, those that were left out missing.
      if (pipe === undefined || pipe.line !== line) continue
      k++
      const depths = [columns.number(properties, c.fromDepth), columns.number(properties, c.toDepth)]
      const rims = [nodes[pipe.from].rim, nodes[pipe.to].rim]
      if (pipe.fromInvert === null && depths[0] !== null && rims[0] !== null)
        pipe.fromInvert = rims[0] - depths[0]
      if (pipe.toInvert === null && depths[1] !== null && rims[1] !== null)
        pipe.toInvert = rims[1] - depths[1]
      if (!(Number(columns.number(properties, c.diameter)) > 0)) bare++
      if (!SHAPES.has(pipe.shape)) shapes.add(columns.text(properties, c.shape) ?? '')
    }
  columns.assertNumbers()
  if (shapes.size > 0)
    throw new SourceRefused(
      `${layer.name} : formes de section inconnues : ${someOf([...shapes].map((shape) => `« ${shape} »`))}. Dites par "shapes" ce qu’elles sont, par exemple {"Ovoïde": "EGG"}.`,
    )
  if (bare > 0)
    findings.tell(
      'sewer',
      'assumed',
      `${countFr(bare, 'conduite')} sans diamètre : ${formatNumberFr(sewer.diameter, 3, true)} m.`,
    )
}

const SHAPES = new Set(['CIRCULAR', 'EGG', ...WIDE])

function setOutfalls({ findings }: Context, sewer: Sewer, draft: Draft): void {
  const byName = new Map(draft.nodes.map((node) => [node.name, node]))
  const lost = sewer.outfalls.filter((name) => !byName.has(nameOf(name)))
  if (lost.length > 0)
    throw new SourceRefused(`sewer : exutoires absents du réseau : ${someOf(lost)}. Corrigez "outfalls".`)
  for (const name of sewer.outfalls) byName.get(nameOf(name))!.outfall = true
  if (!draft.nodes.some(({ outfall }) => outfall)) {
    const ends = markEnds(draft)
    if (ends.length === 0)
      throw new SourceRefused(
        'sewer : aucun exutoire. Nommez-en par "outfalls", ou par "outfallKinds" et la colonne "kind" des regards.',
      )
    findings.tell(
      'sewer',
      'assumed',
      `${countFr(ends.length, 'exutoire')} aux nœuds où des conduites arrivent et d’où aucune ne part : ${someOf(ends, 10)}.`,
    )
  }
}
