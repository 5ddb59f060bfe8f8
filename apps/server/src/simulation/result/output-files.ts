import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type NetworkLink,
  type NodePath,
  OUTPUT_FLOW,
  OUTPUT_HEIGHT,
  OUTPUT_MAX_DEPTH,
  type OutputFile,
  type OutputPart,
  PROFILE_STEP_S,
  RAIN_INTERVAL_MINUTES,
  type RainfallSelection,
  type SimulationOutput,
} from '@radx/contracts'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { placeOf } from '../catchment/grid-place.ts'
import { junctionsOf, linksOf } from '../catchment/network.ts'
import { OutputMissing, UnknownOutput } from '../errors.ts'
import { OUTPUT } from '../run/outputs.ts'
import { readOverflowing } from '../run/sewer-results.ts'
import { readMaxDepth } from './max-depth.ts'
import { SeriesTable } from './series-table.ts'
import { readLinkSpeeds } from './sewer-moments.ts'

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

/** Files that not every run has: those of before, and of catchments without points. They are listed where they are. */
const SOMETIMES: Record<string, string> = {
  [OUTPUT.velocity]:
    'Vitesses au cours du temps, vers l’est puis vers le nord (cm/s, int16, zstd)<br>Voir velocity_frames.json',
  [OUTPUT.velocityIndex]: 'Index des vitesses au cours du temps<br>JSON',
  [OUTPUT.rain]:
    'Pluie de chaque cellule au cours du temps (0,1 mm/h, uint16, zstd)<br>Voir rain_frames.json',
  [OUTPUT.rainIndex]: 'Index de la pluie au cours du temps<br>JSON',
  [OUTPUT.arrival]: 'Arrivée de l’eau, plus de 5 cm (s après le début)<br>GeoTIFF',
  [OUTPUT.duration5]: 'Durée sous plus de 5 cm d’eau (s)<br>GeoTIFF',
  [OUTPUT.duration20]: 'Durée sous plus de 20 cm d’eau (s)<br>GeoTIFF',
  [OUTPUT.duration50]: 'Durée sous plus de 50 cm d’eau (s)<br>GeoTIFF',
  [OUTPUT.defra]:
    'Classe de danger Defra (1 faible, 2 pour certains, 3 pour la plupart, 4 pour tous)<br>GeoTIFF',
  [OUTPUT.ppri]: 'Classe d’aléa PPRI (1 faible, 2 moyen, 3 fort, 4 très fort)<br>GeoTIFF',
  [OUTPUT.hazard]: 'Surface inondée par classe (m²)<br>CSV',
  [OUTPUT.streets]: 'Rues : surface inondée, hauteur, vitesse, arrivée, durées et classes de danger<br>CSV',
  [OUTPUT.streetsMap]: 'Les mêmes rues avec leur tracé<br>GeoJSON, WGS 84',
  [OUTPUT.buildings]: 'Bâtiments : hauteur, vitesse, arrivée, durées et classes de danger à leur pied<br>CSV',
  [OUTPUT.buildingsMap]: 'Les mêmes bâtiments avec leur emprise<br>GeoJSON, WGS 84',
  [OUTPUT.communes]: 'Surface inondée par commune, par hauteur et par classe de danger (m²)<br>CSV',
  [OUTPUT.communesMap]: 'Les mêmes communes avec leur contour<br>GeoJSON, WGS 84',
  [OUTPUT.exposure]: 'Combien de rues et de bâtiments sous plus de 5, 20 et 50 cm d’eau<br>CSV',
  [OUTPUT.ensemble]:
    'Ensemble : paramètres, membres et évolutions<br>JSON, qui dit aussi l’ordre des fichiers ensemble_*.bin',
  [OUTPUT.ensembleTable]: 'Ensemble : une ligne par membre, avec sa graine<br>CSV',
  [OUTPUT.ensembleFlow]:
    'Ensemble : débits (m³/s), [conduite][calcul][instant], le calcul sans désagrégation d’abord<br>Binaire float32',
  [OUTPUT.ensembleHeight]: 'Ensemble : hauteurs d’eau (m), [regard][calcul][instant]<br>Binaire float32',
  [OUTPUT.ensembleDepth]:
    'Ensemble : hauteurs maximales (mm, uint16, zstd), 10, 50 et 90 % puis chaque membre<br>Voir ensemble.json',
  [OUTPUT.measures]: 'Ouvrages de stockage : volumes reçus, gardés, infiltrés et rendus (m³)<br>CSV',
  [OUTPUT.points]: 'Hauteur, niveau et vitesse de l’eau aux points du bassin<br>CSV',
}

export const isOutputName = (name: string): boolean =>
  Object.hasOwn(DESCRIPTIONS, name) || Object.hasOwn(SOMETIMES, name)

/** Files of a finished run; one that is missing says so instead of disappearing. */
export async function listOutputs(dir: string): Promise<OutputFile[]> {
  const all = Object.entries({ ...DESCRIPTIONS, ...SOMETIMES })
  const files = await Promise.all(
    all.map(async ([name, desc]) => {
      const info = await stat(join(dir, name)).catch(() => null)
      return {
        name,
        desc,
        sizeKo: info ? Math.round(info.size / 102.4) / 10 : 0,
        error: info ? null : new OutputMissing(name).message,
      }
    }),
  )
  return files.filter(({ name, error }) => error === null || !Object.hasOwn(SOMETIMES, name))
}

/** @throws UnknownOutput, OutputMissing */
export async function readOutput(
  dir: string,
  name: string,
  catchment: CatchmentPackage,
  rainfall: RainfallSelection,
  part: OutputPart = { series: 'all' },
): Promise<SimulationOutput> {
  const intervalMinutes = RAIN_INTERVAL_MINUTES[rainfall]
  if (name === OUTPUT_FLOW) {
    const { timesS, rows } = await withSeries(dir, name, linksOf(catchment), part)
    return { outputType: OUTPUT_FLOW, intervalMinutes, timesS, links: rows }
  }
  if (name === OUTPUT_HEIGHT) {
    const { timesS, rows } = await withSeries(dir, name, junctionsOf(catchment), part)
    const overflowing = readOverflowing(dir)
    return { outputType: OUTPUT_HEIGHT, intervalMinutes, timesS, junctions: rows, overflowing }
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

/** What is asked for of a table over time, beside what the network says of its elements. */
async function withSeries<Row extends { Name: string }>(
  dir: string,
  name: string,
  elements: readonly Row[],
  { series, names }: OutputPart,
) {
  const table = await SeriesTable.open(dir, name)
  const place = new Map(table.names.map((column, k) => [column, k]))
  if (series === 'peak') {
    const { timesS, peaks } = await table.peaks()
    const peakOf = (k: number | undefined) => (k === undefined ? null : peaks[k])
    return { timesS, rows: elements.map((row) => ({ ...row, data: [], peak: peakOf(place.get(row.Name)) })) }
  }
  const asked = names === undefined ? null : new Set(names.split('\t'))
  const wanted = elements.filter(({ Name }) => asked?.has(Name) ?? true)
  const found = wanted.flatMap(({ Name }) => place.get(Name) ?? [])
  const { timesS, series: columns } = await table.columns(found)
  const data = new Map(found.map((column, k) => [column, columns[k]]))
  return { timesS, rows: wanted.map((row) => ({ ...row, data: data.get(place.get(row.Name) ?? -1) ?? [] })) }
}

/**
 * Water depths along a path every ten minutes: the interval that holds each of these instants.
 * @throws OutputMissing
 */
export async function readPath(dir: string, path: string[], catchment: CatchmentPackage): Promise<NodePath> {
  const table = await SeriesTable.open(dir, OUTPUT_HEIGHT)
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
  const intervals: number[] = []
  let rows = 0
  await table.read(columns, (endS, values) => {
    // An instant belongs to the interval that ends with it or goes over it.
    for (; data.length * PROFILE_STEP_S <= endS + 1e-6; ) {
      data.push({ timeS: data.length * PROFILE_STEP_S, depths: [...values] })
      intervals.push(rows)
    }
    rows++
  })
  const speeds = await readLinkSpeeds(
    dir,
    links.map(({ Name }) => Name),
    intervals,
    rows,
  )
  return { nodes, links, data: speeds ? data.map((entry, k) => ({ ...entry, speeds: speeds[k] })) : data }
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
