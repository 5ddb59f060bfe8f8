import { GULLY_CODE } from '@radx/contracts/landuse'
import type { Recipe } from '@radx/contracts/recipe'
import type { SewerNetwork } from '@radx/contracts/sewer'
import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { readTable } from '../simulation/api.ts'
import type { Context } from './context.ts'
import { SourceRefused, someOf } from './findings.ts'
import { cellAt, middleOf, type Place } from './grid.ts'
import { Nearby } from './sewer/nearest.ts'
import { crsOf, moverOf } from './sources/crs.ts'
import { readLayer } from './sources/layer.ts'
import { Columns } from './sources/values.ts'

export interface PlacedGully {
  name: string
  cell: number
  junction: string
  widthM?: number
  lengthM?: number
}

type Gullies = NonNullable<Recipe['gullies']>

/** Plain road of the usual table. */
const ROAD_CODE = 2

/** Gullies of a recipe, from a file or placed by rule; their cells get their code. @throws SourceRefused */
export async function gulliesOf(
  context: Context,
  given: Gullies,
  network: SewerNetwork,
  z: Float64Array,
  codes: Int16Array,
): Promise<PlacedGully[]> {
  const { findings, frame } = context
  if ((given.file === undefined) === (given.automatic === undefined))
    throw new SourceRefused('gullies : donnez "file", ou "automatic" pour les placer par règle.')
  const read =
    given.file === undefined
      ? automatic(context, given, network, z, codes)
      : await fromFile(context, given, given.file)
  const gullies = sound(context, read, network, z)
  let turned = 0
  for (const { cell } of gullies) {
    if (codes[cell] !== GULLY_CODE) turned++
    codes[cell] = GULLY_CODE
  }
  findings.tell('gullies', 'figure', `${countFr(gullies.length, 'avaloir')}.`)
  if (turned > 0)
    findings.tell('gullies', 'moved', `${countFr(turned, 'maille')} d’avaloir passées au code ${GULLY_CODE}.`)
  const served = new Set(gullies.map(({ junction }) => junction))
  const dry = network.nodes.filter(({ kind, name }) => kind !== 'outfall' && !served.has(name))
  if (dry.length > 0)
    findings.tell(
      'gullies',
      'checked',
      `${countFr(dry.length, 'regard')} sans avaloir : ${someOf(dry.map(({ name }) => name))}.`,
      dry.map(({ x, y, name }) => ({ x: x ?? 0, y: y ?? 0, text: name })),
    )
  const bare: number[] = []
  const own = new Set(gullies.map(({ cell }) => cell))
  for (let cell = 0; cell < codes.length; cell++)
    if (codes[cell] === GULLY_CODE && !own.has(cell) && !Number.isNaN(z[cell])) bare.push(cell)
  if (bare.length > 0) {
    const [x, y] = middleOf(frame, bare[0])
    throw new SourceRefused(
      `landUse : ${countFr(bare.length, 'maille')} de code ${GULLY_CODE} sans avaloir, la première en (${x} ; ${y}). Donnez à leur valeur un autre code ("map"), par exemple 2.`,
    )
  }
  return gullies
}

async function fromFile(context: Context, given: Gullies, file: string): Promise<PlacedGully[]> {
  if (!/\.(csv|txt)$/i.test(file)) return fromPoints(context, given, file)
  const { frame, folder, crs, findings } = context
  const { header, rows } = readTable(await folder.text(file), file)
  const names = new Set(header.map((name) => name.toLowerCase()))
  const byCell = names.has('row') && names.has('col')
  const byPlace = names.has('x') && names.has('y')
  if (!names.has('gully') || !names.has('junction') || !(byCell || byPlace))
    throw new SourceRefused(
      `${file}, ligne 1 : il faut les colonnes gully, junction et x, y (ou row, col de cette grille) ; il y a : ${someOf(header, 20)}.`,
    )
  let commas = 0
  const wrong: string[] = []
  const mover = moverOf(given.crs === undefined ? crs : crsOf(given.crs), crs, [])
  const gullies = rows.map((row): PlacedGully => {
    const number = (name: string) => {
      const text = row.cell(name)
      if (/^[-+]?\d+,\d+$/.test(text)) commas++
      const value = text === '' ? Number.NaN : Number(text.replace(',', '.'))
      if (!Number.isFinite(value)) wrong.push(`ligne ${row.line}, ${name} : « ${text.slice(0, 20)} »`)
      return value
    }
    const optional = (name: string) => (row.cell(name) === '' ? undefined : number(name))
    // Where a file has both, places hold on any grid.
    const place = byPlace ? ([number('x'), number('y')] as const) : null
    const cell =
      place === null
        ? cellOfRow(frame, number('row'), number('col'))
        : cellAt(frame, mover === null ? place : mover(place))
    return {
      name: row.cell('gully'),
      junction: row.cell('junction'),
      cell,
      widthM: optional('width_m'),
      lengthM: optional('length_m'),
    }
  })
  if (wrong.length > 0)
    throw new SourceRefused(`${file} : des valeurs ne sont pas des nombres : ${someOf(wrong)}.`)
  if (commas > 0)
    findings.tell(
      'gullies',
      'assumed',
      `${file} : ${countFr(commas, 'virgule décimale lue', 'virgules décimales lues')} comme des points.`,
    )
  return gullies
}

const cellOfRow = ({ ncols, nrows }: Context['frame'], row: number, col: number) =>
  row >= 0 && col >= 0 && row < nrows && col < ncols ? row * ncols + col : -1

async function fromPoints(context: Context, given: Gullies, file: string): Promise<PlacedGully[]> {
  if (given.junction === undefined)
    throw new SourceRefused(`${file} : donnez par "junction" la colonne du regard de chaque avaloir.`)
  const layer = await readLayer({ file, crs: given.crs, layer: given.layer }, 'gullies', 'points', context)
  const columns = new Columns(layer)
  columns.need([given.name, given.junction])
  return layer.features.map(({ parts, properties, number }) => ({
    name: columns.text(properties, given.name) ?? `G-${String(number).padStart(4, '0')}`,
    junction: columns.text(properties, given.junction) ?? '',
    cell: cellAt(context.frame, parts[0][0][0]),
  }))
}

/** Leaves out what cannot be a gully and says so; what names no junction is a problem. */
function sound(
  { findings, frame }: Context,
  read: PlacedGully[],
  network: SewerNetwork,
  z: Float64Array,
): PlacedGully[] {
  const junctions = new Set(network.nodes.filter(({ kind }) => kind !== 'outfall').map(({ name }) => name))
  const strangers = read.filter(({ junction }) => !junctions.has(junction))
  if (strangers.length > 0)
    throw new SourceRefused(
      `gullies : ${countFr(strangers.length, 'avaloir')} dont le regard n’est pas dans le réseau : ${someOf(strangers.map(({ name, junction }) => `${name} (${junction})`))}.`,
    )
  const taken = new Set<number>()
  const off: string[] = []
  const shared: { x: number; y: number; text: string }[] = []
  const kept = read.filter(({ name, cell }) => {
    if (cell < 0 || Number.isNaN(z[cell])) {
      off.push(name)
      return false
    }
    if (taken.has(cell)) {
      const [x, y] = middleOf(frame, cell)
      shared.push({ x, y, text: name })
      return false
    }
    taken.add(cell)
    return true
  })
  if (read.length > 0 && kept.length === 0)
    throw new SourceRefused(
      'gullies : aucun avaloir ne tombe sur une maille du modèle. Vérifiez leur système de coordonnées ("crs").',
    )
  if (off.length > 0)
    findings.tell(
      'gullies',
      'left',
      `${countFr(off.length, 'avaloir laissé', 'avaloirs laissés')} de côté, hors du modèle : ${someOf(off)}.`,
    )
  if (shared.length > 0)
    findings.tell(
      'gullies',
      'left',
      `${countFr(shared.length, 'avaloir laissé', 'avaloirs laissés')} de côté sur une maille déjà prise.`,
      shared,
    )
  return kept
}

/**
 * Gullies on the lowest cells of roads: the cells are gone through from the lowest up, and each takes one that has its
 * junction within reach and no other gully nearer than the spacing.
 */
function automatic(
  { frame, recipe }: Context,
  { automatic: rule }: Gullies,
  network: SewerNetwork,
  z: Float64Array,
  codes: Int16Array,
): PlacedGully[] {
  const { spacing, reach, width, length } = rule!
  const wanted = new Set([...rule!.codes, GULLY_CODE])
  const junctions = new Nearby(reach)
  const names: string[] = []
  for (const { kind, name, x, y } of network.nodes)
    if (kind !== 'outfall' && x !== undefined && y !== undefined) {
      junctions.add([x, y])
      names.push(name)
    }
  if (names.length === 0) return []
  const roads: number[] = []
  for (let cell = 0; cell < z.length; cell++)
    if (!Number.isNaN(z[cell]) && wanted.has(codes[cell])) roads.push(cell)
  if (roads.length === 0)
    throw new SourceRefused(
      `gullies : aucune maille de code ${[...wanted].join(', ')} où placer des avaloirs. Ajoutez des routes à "landUse" de ${recipe.id}, ou d’autres "codes".`,
    )
  roads.sort((a, b) => z[a] - z[b] || a - b)
  const others = new Nearby(spacing * (1 - 1e-9))
  const gullies: PlacedGully[] = []
  for (const cell of roads) {
    const at: Place = middleOf(frame, cell)
    const junction = junctions.find(at)
    if (junction < 0 || others.find(at) >= 0) continue
    others.add(at)
    gullies.push({
      name: `G-${String(gullies.length + 1).padStart(4, '0')}`,
      cell,
      junction: names[junction],
      widthM: width,
      lengthM: length,
    })
  }
  // Those of another model's grid that were not taken are plain road again.
  const own = new Set(gullies.map(({ cell }) => cell))
  const road = rule!.codes.find((code) => code !== GULLY_CODE) ?? ROAD_CODE
  for (const cell of roads) if (codes[cell] === GULLY_CODE && !own.has(cell)) codes[cell] = road
  return gullies
}

/** `gullies.csv` of a package. */
export function gulliesText({ frame }: Context, gullies: readonly PlacedGully[]): string {
  const sized = gullies.some(({ widthM, lengthM }) => widthM !== undefined || lengthM !== undefined)
  const plain = (value: number) => String(Number(value.toFixed(3)))
  const rows = gullies.map(({ name, cell, junction, widthM, lengthM }) => {
    const row = Math.floor(cell / frame.ncols)
    const [x, y] = middleOf(frame, cell)
    const size = sized ? [widthM, lengthM].map((value) => (value === undefined ? '' : plain(value))) : []
    return [name, row, cell - row * frame.ncols, junction, plain(x), plain(y), ...size].join(',')
  })
  return `${[`gully,row,col,junction,x,y${sized ? ',width_m,length_m' : ''}`, ...rows].join('\n')}\n`
}

/** How far gullies lie from their junctions, as a figure of the report. */
export function tellReach(
  { findings, frame }: Context,
  gullies: readonly PlacedGully[],
  network: SewerNetwork,
): void {
  const byName = new Map(network.nodes.map((node) => [node.name, node]))
  const away = gullies.map(({ cell, junction }) => {
    const [x, y] = middleOf(frame, cell)
    const node = byName.get(junction)
    return Math.hypot((node?.x ?? x) - x, (node?.y ?? y) - y)
  })
  if (away.length > 0)
    findings.tell(
      'gullies',
      'figure',
      `Distance des avaloirs à leurs regards : ${formatNumberFr(away.reduce((sum, value) => sum + value, 0) / away.length, 0)} m en moyenne, ${formatNumberFr(Math.max(...away), 0)} m au plus.`,
    )
}
