import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keyWords } from '@radx/contracts/bounds'
import { FormatError, RadxError } from '@radx/contracts/errors'
import type { LandUseClass } from '@radx/contracts/landuse'
import { DEFAULT_LAND_USE, GULLY_CODE } from '@radx/contracts/landuse'
import type { SewerNetwork } from '@radx/contracts/sewer'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { gridMismatch, readEsriAscii } from '@radx/formats/esri-ascii'
import { readInp } from '@radx/formats/inp/read'
import { z } from 'zod'
import { describeIssue } from '../../config/issue.ts'
import { readParameters } from './extras.ts'
import type { GullyRow } from './gullies.ts'
import { readGullies } from './gullies.ts'
import { checkDrains, withMeasures } from './measures.ts'
import { checkGullyRims, checkNetworkOnGrid, EMPTY_NETWORK, gridCellAt, someOf } from './package-network.ts'
import { type Building, type Commune, readCommunes, readFootprints } from './places.ts'
import type { RunStart } from './run-start.ts'
import { readRunStart, toGridOf } from './run-start.ts'
import { readStreets, type Streets } from './streets.ts'

const positionSchema = z.tuple([z.number(), z.number()])

/** `catchment.json`. Unknown fields are kept. */
const catchmentJsonSchema = z.looseObject({
  id: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, keyWords(64)),
  display: z.string().min(1),
  crs: z.string().regex(/^EPSG:\d{4,6}$/, 'un code comme EPSG:2154 est attendu'),
  cellSize: z.number().positive().max(10_000),
  ncols: z.int().min(1).max(20_000),
  nrows: z.int().min(1).max(20_000),
  xll: z.number(),
  yll: z.number(),
  corners: z
    .object({ sw: positionSchema, se: positionSchema, ne: positionSchema, nw: positionSchema })
    .optional(),
  boundary: z.looseObject({ type: z.string(), coordinates: z.array(z.unknown()) }).optional(),
  /** Land-use code of open water that takes rain and inflow out of the grid. */
  permanentWaterCode: z.int().min(1).optional(),
  caseStudies: z
    .array(
      z.object({
        id: z.string().min(1),
        display: z.string().min(1),
        mask: z.string().regex(/^\w[\w.-]*$/, 'le nom d’un fichier du dossier est attendu, sans chemin'),
      }),
    )
    .default([]),
  /** What happens at the edge of the model, where boundaries.geojson says nothing. */
  edges: z.enum(['open', 'closed']).default('open'),
  /** Not told apart from other ground: a run that passed over the word would be another than the one asked for. */
  buildings: z
    .undefined({
      error:
        'les modes blocked, raised et porous ne sont pas pris en charge : les bâtiments sont du terrain, à l’altitude d’elevation.asc. Retirez ce mot ; pour tenir l’eau dehors, donnez leurs contours dans walls.geojson (height), ou relevez elevation.asc',
    })
    .optional(),
  attribution: z.string().optional(),
  statement: z.string().optional(),
})
type CatchmentJson = z.infer<typeof catchmentJsonSchema>

/** A catchment ready to simulate. Grids are `[row * ncols + col]`, row 0 north, NaN outside. */
export interface CatchmentPackage {
  dir: string
  catchment: CatchmentJson
  elevation: EsriGrid
  landUse: EsriGrid
  /** Without nodes where the package has none. */
  network: SewerNetwork
  /** `network.inp` as it stands; null where there is none. */
  networkText: string | null
  gullies: GullyRow[]
  /** Cell of each node of the network, -1 off the grid. */
  nodeCells: Int32Array
  /** 1 = may be edited, by case study id. */
  masks: Map<string, Uint8Array>
  /** Land-use classes of this package: the defaults, unless `parameters.json` and `measures.json` say otherwise. */
  classes: readonly LandUseClass[]
  /** What the package brings for a run: see `RunStart`. */
  start: RunStart
  /** Streets by name, where the package tells them. */
  streets?: Streets
  /** Buildings by their outlines, and communes, where the package tells them. */
  buildings?: Building[]
  communes?: Commune[]
  /** French; nothing that keeps a simulation from running. */
  warnings: string[]
}

/** A package that cannot be used: everything that is wrong with it, in one go. */
class CatchmentPackageError extends RadxError {
  override readonly name: string = 'CatchmentPackageError'
  readonly problems: string[]
  constructor(name: string, problems: string[]) {
    super(
      'catchment.invalid',
      422,
      `Le bassin versant ${name} est refusé :\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
      { details: { problems } },
    )
    this.problems = problems
  }
}

/**
 * Reads a catchment package and checks all of it: grids aligned and with data in the same cells, gullies on code 5
 * and on existing junctions, network connected and under the ground.
 *
 * @param name what messages call it; its folder unless told, whose path they leave out then
 * @throws CatchmentPackageError with the list of what is wrong
 */
export async function readCatchmentPackage(dir: string, name = dir): Promise<CatchmentPackage> {
  const problems: string[] = []
  const warnings: string[] = []
  const attempt = async <T>(read: () => Promise<T> | T): Promise<T | null> => {
    try {
      return await read()
    } catch (error) {
      problems.push(problemText(error))
      return null
    }
  }
  const text = async (name: string) => plainText(await readFile(join(dir, name), 'utf8'))
  const catchment = await attempt(async () => parseCatchmentJson(await text('catchment.json')))
  const elevation = await attempt(async () => readEsriAscii(await text('elevation.asc'), 'elevation.asc'))
  const landUse = await attempt(async () => readEsriAscii(await text('luse.asc'), 'luse.asc'))
  const optional = async (name: string) => {
    const found = await readFile(join(dir, name), 'utf8').catch((error: NodeJS.ErrnoException) => error)
    if (typeof found === 'string') return plainText(found)
    if (found.code !== 'ENOENT') problems.push(problemText(found))
    return null
  }
  const networkText = await optional('network.inp')
  const inp = await attempt(() =>
    networkText === null
      ? { network: EMPTY_NETWORK, warnings: [], cutOff: [] }
      : readInp(networkText, { file: 'network.inp' }),
  )
  if (inp) warnings.push(...inp.warnings)
  if (!elevation && !landUse && networkText !== null)
    problems.push(
      'sans terrain ni occupation des sols, c’est un réseau : déposez-le sur l’écran Réseaux, ou lancez radx simulate sur le dossier ; ses bassins versants y ruissellent.',
    )
  if (inp && inp.cutOff.length > 0)
    problems.push(
      `network.inp : aucun chemin ne mène à un exutoire depuis ${someOf(inp.cutOff)}. Reliez ces nœuds ou retirez-les.`,
    )
  const gulliesText = await optional('gullies.csv')
  const gullies =
    catchment &&
    (await attempt(() =>
      gulliesText === null ? [] : readGullies(gulliesText, 'gullies.csv', catchment.ncols),
    ))
  const parametersText = await optional('parameters.json')
  const plain =
    (await attempt(() => (parametersText === null ? DEFAULT_LAND_USE : readParameters(parametersText)))) ??
    DEFAULT_LAND_USE
  const measuresText = await optional('measures.json')
  const classes =
    (await attempt(() =>
      measuresText === null
        ? plain
        : withMeasures(plain, measuresText, { waterCode: catchment?.permanentWaterCode }),
    )) ?? plain
  if (inp) problems.push(...checkDrains(classes, inp.network))
  let start: RunStart = { boundaries: [], points: [] }
  let streets: Streets | null = null
  let buildings: Building[] | null = null
  let communes: Commune[] | null = null
  const masks = new Map<string, Uint8Array>()
  if (catchment && elevation && landUse) {
    problems.push(...checkGrids(catchment, elevation, landUse, classes))
    warnings.push(...checkHoles(elevation))
    const read = await readRunStart(optional, elevation, landUse, catchment.crs)
    start = read.start
    problems.push(...read.problems)
    warnings.push(...read.warnings)
    const streetsText = await optional('streets.geojson')
    if (streetsText !== null)
      streets = await attempt(() => readStreets(streetsText, elevation, landUse, toGridOf(catchment.crs)))
    const footprintsText = await optional('footprints.geojson')
    if (footprintsText !== null)
      buildings = await attempt(() => readFootprints(footprintsText, elevation, toGridOf(catchment.crs)))
    const communesText = await optional('communes.geojson')
    if (communesText !== null)
      communes = await attempt(() => readCommunes(communesText, elevation, toGridOf(catchment.crs)))
    for (const study of catchment.caseStudies) {
      const mask = await attempt(async () => readMask(await text(study.mask), study.mask, elevation))
      if (mask) masks.set(study.id, mask)
    }
  }
  let nodeCells = new Int32Array(0)
  if (catchment && elevation && landUse && inp && networkText !== null) {
    nodeCells = Int32Array.from(inp.network.nodes, (node) => gridCellAt(elevation, node.x, node.y))
    const found = checkNetworkOnGrid(inp.network, nodeCells, elevation)
    problems.push(...found.problems)
    warnings.push(...found.warnings)
    if (gullies) {
      problems.push(...checkGullies(gullies, landUse, inp.network))
      warnings.push(...checkGullyRims(gullies, inp.network, elevation))
    }
  }
  if (problems.length > 0 || !catchment || !elevation || !landUse || !inp || !gullies)
    throw new CatchmentPackageError(
      name,
      name === dir ? problems : problems.map((problem) => problem.replaceAll(join(dir, '/'), '')),
    )
  return {
    dir,
    catchment,
    elevation,
    landUse,
    network: inp.network,
    networkText,
    gullies,
    nodeCells,
    masks,
    classes,
    start,
    ...(streets && { streets }),
    ...(buildings && { buildings }),
    ...(communes && { communes }),
    warnings,
  }
}

/** Without the mark that some editors begin files with, and with one kind of line endings, whatever mixture they have. */
function plainText(text: string): string {
  const whole = text.startsWith('\ufeff') ? text.slice(1) : text
  return whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole
}

function problemText(error: unknown): string {
  const { code, path, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return `le fichier ${path} n’existe pas.`
  if (code === 'EISDIR' || code === 'ENOTDIR' || code === 'EACCES')
    return `${path} ne peut être lu (${code}).`
  if (error instanceof RadxError) return message
  throw error
}

/** @throws FormatError for what is no JSON */
export function catchmentJsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FormatError('catchment.json', `catchment.json n’est pas du JSON : ${(error as Error).message}`)
  }
}

function parseCatchmentJson(text: string): CatchmentJson {
  const parsed = catchmentJsonSchema.safeParse(catchmentJsonOf(text))
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(describeIssue)
  const told = issues.map(({ field, message }) => `${field || 'racine'} : ${message}`)
  throw new FormatError('catchment.json', `catchment.json : ${told.join(' ; ')}.`)
}

/** Counted from 1, as a reader counts. */
const place = (cell: number, ncols: number) =>
  `ligne ${Math.floor(cell / ncols) + 1} de la grille, colonne ${(cell % ncols) + 1}`

function checkGrids(
  catchment: CatchmentJson,
  elevation: EsriGrid,
  landUse: EsriGrid,
  classes: readonly LandUseClass[],
): string[] {
  const problems: string[] = []
  const { ncols, nrows, xll, yll, cellSize } = catchment
  const model: EsriGrid = { ...elevation, ncols, nrows, xll, yll, cellSize }
  for (const [name, grid] of [
    ['elevation.asc', elevation],
    ['luse.asc', landUse],
  ] as const) {
    const mismatch = gridMismatch(model, grid)
    if (mismatch)
      problems.push(
        `${name} n’est pas calé sur catchment.json : ${mismatch}. Donner aux deux le même coin, la même taille de maille et les mêmes dimensions.`,
      )
  }
  if (problems.length > 0) return problems
  const { data } = landUse
  const list = (what: string, remedy: string, wrong: (cell: number) => boolean) => {
    let count = 0
    let first = -1
    for (let cell = 0; cell < data.length; cell++) {
      if (!wrong(cell)) continue
      if (count++ === 0) first = cell
    }
    if (count > 0)
      problems.push(`${count} maille(s) ${what} ; la première : ${place(first, ncols)}. ${remedy}`)
  }
  const outside = (grid: EsriGrid, cell: number) => Number.isNaN(grid.data[cell])
  list(
    'ont une occupation des sols dans luse.asc mais NODATA dans elevation.asc',
    'Leur donner une altitude, ou NODATA dans les deux grilles.',
    (cell) => !outside(landUse, cell) && outside(elevation, cell),
  )
  list(
    'ont une altitude dans elevation.asc mais NODATA dans luse.asc',
    'Leur donner un code, ou NODATA dans les deux grilles.',
    (cell) => outside(landUse, cell) && !outside(elevation, cell),
  )
  list(
    'ont dans luse.asc un code qui n’est pas un entier positif',
    'Corriger luse.asc.',
    (cell) => !outside(landUse, cell) && !(Number.isInteger(data[cell]) && data[cell] > 0),
  )
  const known = new Set([...classes.map(({ code }) => code), catchment.permanentWaterCode])
  const unknown = new Set(data.filter((code) => Number.isInteger(code) && code > 0 && !known.has(code)))
  if (unknown.size > 0)
    problems.push(
      `luse.asc : code(s) sans paramètres : ${someOf([...unknown].sort((a, b) => a - b).map(String))}. Les codes connus : ${[...known].filter((code) => code !== undefined).join(', ')}. En donner dans parameters.json, ou corriger la carte.`,
    )
  list(
    'ont une altitude impossible (au-delà de 9000 m)',
    'Marquer les mailles hors du bassin par la valeur NODATA de elevation.asc.',
    (cell) => Math.abs(elevation.data[cell]) > 9000,
  )
  return problems
}

/** NODATA that the catchment encloses: water would leave the model there. */
function checkHoles({ data, ncols, nrows }: EsriGrid): string[] {
  const outside = new Uint8Array(data.length)
  const open: number[] = []
  const enter = (cell: number) => {
    if (outside[cell] || !Number.isNaN(data[cell])) return
    outside[cell] = 1
    open.push(cell)
  }
  for (let row = 0; row < nrows; row++) for (const col of [0, ncols - 1]) enter(row * ncols + col)
  for (let col = 0; col < ncols; col++) for (const row of [0, nrows - 1]) enter(row * ncols + col)
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    const col = cell % ncols
    if (col > 0) enter(cell - 1)
    if (col < ncols - 1) enter(cell + 1)
    if (cell >= ncols) enter(cell - ncols)
    if (cell < data.length - ncols) enter(cell + ncols)
  }
  let count = 0
  let first = -1
  for (let cell = 0; cell < data.length; cell++) {
    if (outside[cell] || !Number.isNaN(data[cell])) continue
    if (count++ === 0) first = cell
  }
  if (count === 0) return []
  return [
    `elevation.asc : ${count} maille(s) NODATA à l’intérieur du bassin, par où l’eau sort du modèle ; la première : ${place(first, ncols)}. Leur donner une altitude, ou un code d’eau permanente.`,
  ]
}

function readMask(text: string, file: string, model: EsriGrid): Uint8Array {
  const mask = readEsriAscii(text, file)
  const mismatch = gridMismatch(model, mask)
  if (mismatch)
    throw new FormatError('catchment.mask', `${file} n’est pas calé sur elevation.asc : ${mismatch}.`)
  return Uint8Array.from(mask.data, (value) => (value === 1 ? 1 : 0))
}

function checkGullies(gullies: GullyRow[], landUse: EsriGrid, network: SewerNetwork): string[] {
  const problems: string[] = []
  const junctions = new Set(network.nodes.filter((node) => node.kind !== 'outfall').map((node) => node.name))
  const cells = new Set<number>()
  const wrong: Record<'outside' | 'code' | 'twice' | 'junction', string[]> = {
    outside: [],
    code: [],
    twice: [],
    junction: [],
  }
  for (const gully of gullies) {
    const label = `${gully.name} (ligne ${gully.line})`
    if (gully.row >= landUse.nrows) wrong.outside.push(label)
    else if (landUse.data[gully.cell] !== GULLY_CODE) wrong.code.push(label)
    if (cells.has(gully.cell)) wrong.twice.push(label)
    cells.add(gully.cell)
    if (!junctions.has(gully.junction)) wrong.junction.push(`${label} : ${gully.junction}`)
  }
  if (wrong.outside.length > 0) problems.push(`gullies.csv : hors de la grille : ${someOf(wrong.outside)}.`)
  if (wrong.code.length > 0)
    problems.push(
      `gullies.csv : pas sur une maille de code ${GULLY_CODE} dans luse.asc : ${someOf(wrong.code)}.`,
    )
  if (wrong.twice.length > 0) problems.push(`gullies.csv : maille déjà prise : ${someOf(wrong.twice)}.`)
  if (wrong.junction.length > 0)
    problems.push(`gullies.csv : regard absent de network.inp : ${someOf(wrong.junction)}.`)
  let bare = 0
  for (let cell = 0; cell < landUse.data.length; cell++)
    if (landUse.data[cell] === GULLY_CODE && !cells.has(cell)) bare++
  if (bare > 0)
    problems.push(
      `${bare} maille(s) de code ${GULLY_CODE} dans luse.asc n’ont pas d’avaloir dans gullies.csv.`,
    )
  return problems
}
