import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type NetworkLink,
  type NodePath,
  OUTPUT_FLOW,
  OUTPUT_HEIGHT,
  OUTPUT_MAX_DEPTH,
  type OutputFile,
  PROFILE_STEP_S,
  RAIN_INTERVAL_MINUTES,
  type RainfallSelection,
  type SimulationOutput,
} from '@radx/contracts'
import type { CatchmentPackage } from './catchment-package.ts'
import { OutputMissing, UnknownOutput } from './errors.ts'
import { placeOf } from './grid-place.ts'
import { readMaxDepth } from './max-depth.ts'
import { junctionsOf, linksOf } from './network.ts'
import { OUTPUT } from './outputs.ts'
import { readOverflowing } from './sewer-results.ts'

/** What the output table says of each file; lines are separated by `<br>`. */
const DESCRIPTIONS: Record<string, string> = {
  [OUTPUT.flow]:
    'Débit moyen de chaque conduite par intervalle de la pluie (m³/s)<br>Texte tabulé, une ligne par intervalle',
  [OUTPUT.height]:
    'Hauteur d’eau moyenne de chaque regard par intervalle de la pluie (m)<br>Texte tabulé, une ligne par intervalle',
  [OUTPUT.maxDepth]: 'Hauteur d’eau maximale de chaque cellule (m)<br>Grille ESRI ASCII',
  [OUTPUT.maxSpeed]: 'Vitesse maximale de chaque cellule (m/s)<br>Grille ESRI ASCII',
  [OUTPUT.maxDepthSpeed]: 'Maximum du produit hauteur × vitesse (m²/s)<br>Grille ESRI ASCII',
  [OUTPUT.finalDepth]: 'Hauteur d’eau en fin de simulation (m)<br>Grille ESRI ASCII',
  [OUTPUT.infiltration]: 'Lame infiltrée en fin de simulation (m)<br>Grille ESRI ASCII',
  [OUTPUT.frames]: 'Hauteurs d’eau au cours du temps (mm, uint16, zstd)<br>Voir depth_frames.json',
  [OUTPUT.framesIndex]: 'Index des hauteurs d’eau au cours du temps<br>JSON',
  [OUTPUT.balance]: 'Bilan en eau (m³)<br>JSON',
  [OUTPUT.run]: 'Pas, durée et noyau du calcul<br>JSON',
  [OUTPUT.network]: 'Réseau d’assainissement<br>Format EPA SWMM',
  [OUTPUT.networkResults]:
    'Résultats du réseau, un pas par intervalle de la pluie (m, m³/s)<br>Binaire EPA SWMM 5.2, se lit avec network.inp',
  [OUTPUT.sewerNodes]: 'Maximums, débordements et volumes de chaque regard<br>CSV',
  [OUTPUT.sewerLinks]: 'Maximums, volumes et mises en charge de chaque conduite<br>CSV',
  [OUTPUT.log]: 'Journal du calcul',
}

export const isOutputName = (name: string): boolean => Object.hasOwn(DESCRIPTIONS, name)

/** Files of a finished run; one that is missing says so instead of disappearing. */
export async function listOutputs(dir: string): Promise<OutputFile[]> {
  return Promise.all(
    Object.entries(DESCRIPTIONS).map(async ([name, desc]) => {
      const info = await stat(join(dir, name)).catch(() => null)
      return {
        name,
        desc,
        sizeKo: info ? Math.round(info.size / 102.4) / 10 : 0,
        error: info ? null : new OutputMissing(name).message,
      }
    }),
  )
}

interface Table {
  names: string[]
  timesS: number[]
  /** One row an interval. */
  rows: Float64Array[]
}

/** A table over time as `SeriesFile` writes it. @throws OutputMissing, also when it is damaged */
async function readTable(dir: string, name: string): Promise<Table> {
  const text = await readFile(join(dir, name), 'utf8').catch(() => {
    throw new OutputMissing(name)
  })
  const [head, ...lines] = text.split('\n')
  const names = head.split('\t').slice(1)
  const table: Table = { names, timesS: [], rows: [] }
  for (const line of lines) {
    if (line === '') continue
    const cells = line.split('\t')
    if (cells.length !== names.length + 1) throw new OutputMissing(name)
    const row = new Float64Array(cells.length)
    for (let k = 0; k < cells.length; k++) {
      row[k] = cells[k] === '' ? Number.NaN : Number(cells[k])
      if (!Number.isFinite(row[k])) throw new OutputMissing(name)
    }
    table.timesS.push(row[0])
    table.rows.push(row.subarray(1))
  }
  if (head.split('\t')[0] !== 'time_s' || table.rows.length === 0) throw new OutputMissing(name)
  return table
}

const column = (table: Table, k: number): number[] => table.rows.map((row) => row[k])

/** @throws UnknownOutput, OutputMissing */
export async function readOutput(
  dir: string,
  name: string,
  catchment: CatchmentPackage,
  rainfall: RainfallSelection,
): Promise<SimulationOutput> {
  const intervalMinutes = RAIN_INTERVAL_MINUTES[rainfall]
  if (name === OUTPUT_FLOW) {
    const table = await readTable(dir, name)
    const place = new Map(table.names.map((n, k) => [n, k]))
    const links = linksOf(catchment).map((link) => {
      const k = place.get(link.Name)
      return { ...link, data: k === undefined ? [] : column(table, k) }
    })
    return { outputType: OUTPUT_FLOW, intervalMinutes, timesS: table.timesS, links }
  }
  if (name === OUTPUT_HEIGHT) {
    const table = await readTable(dir, name)
    const place = new Map(table.names.map((n, k) => [n, k]))
    const junctions = junctionsOf(catchment).map((junction) => {
      const k = place.get(junction.Name)
      return { ...junction, data: k === undefined ? [] : column(table, k) }
    })
    const overflowing = readOverflowing(dir)
    return { outputType: OUTPUT_HEIGHT, intervalMinutes, timesS: table.timesS, junctions, overflowing }
  }
  if (name === OUTPUT_MAX_DEPTH) {
    const grid = await readMaxDepth(dir)
    const data: (number | null)[][] = []
    for (let from = 0; from < grid.data.length; from += grid.ncols)
      data.push(Array.from(grid.data.subarray(from, from + grid.ncols), (v) => (Number.isNaN(v) ? null : v)))
    const place = placeOf(grid, catchment.catchment.crs)
    return { outputType: OUTPUT_MAX_DEPTH, cellSizeM: grid.cellSize, place, data }
  }
  throw new UnknownOutput(name)
}

/** Water depths along a path every ten minutes: the interval that holds each of these instants. @throws OutputMissing */
export async function readPath(dir: string, path: string[], catchment: CatchmentPackage): Promise<NodePath> {
  const table = await readTable(dir, OUTPUT_HEIGHT)
  const place = new Map(table.names.map((n, k) => [n, k]))
  const junctions = new Map(junctionsOf(catchment).map((j) => [j.Name, j]))
  const columns: number[] = []
  const nodes = path.map((name) => {
    const junction = junctions.get(name)
    const k = place.get(name)
    if (!junction || k === undefined) throw new OutputMissing(name)
    columns.push(k)
    return junction
  })
  const between = shortestLinks(catchment)
  const links = path.slice(1).map((name, i) => {
    const link = between.get(pair(path[i], name))
    if (!link) throw new OutputMissing(`${path[i]} – ${name}`)
    return link
  })
  const data: NodePath['data'] = []
  const last = table.timesS[table.timesS.length - 1]
  let k = 0
  for (let timeS = 0; timeS <= last + 1e-6; timeS += PROFILE_STEP_S) {
    while (k < table.rows.length - 1 && table.timesS[k] < timeS - 1e-6) k++
    data.push({ timeS, depths: columns.map((column) => table.rows[k][column]) })
  }
  return { nodes, links, data }
}

const pair = (a: string, b: string) => (a < b ? `${a}\n${b}` : `${b}\n${a}`)

/** The link between two neighbours; the shortest where several join them, as the path takes it. */
function shortestLinks(catchment: CatchmentPackage): Map<string, Omit<NetworkLink, 'data'>> {
  const links = new Map<string, Omit<NetworkLink, 'data'>>()
  for (const link of linksOf(catchment)) {
    const key = pair(link.From_Node, link.To_Node)
    const other = links.get(key)
    if (other === undefined || link.Length < other.Length) links.set(key, link)
  }
  return links
}
