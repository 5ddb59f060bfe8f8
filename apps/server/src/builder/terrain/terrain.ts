import type { Recipe } from '@radx/contracts/recipe'
import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import type { Context } from '../context.ts'
import { PLACES_TOLD, SourceRefused, someOf } from '../findings.ts'
import { cellAt, middleOf } from '../grid.ts'
import { alongLine, cellsOfStrip } from '../ground/lines.ts'
import { crsOf } from '../sources/crs.ts'
import { readLayer } from '../sources/layer.ts'
import { openRaster } from '../sources/raster.ts'
import { fillHole, holesOf } from './holes.ts'
import { Mosaic, type Sheet } from './mosaic.ts'
import { breach, fill, outletsOf, priorityFlood, type Sink, sinksOf } from './pits.ts'

const FOOT_M = 0.3048
const WAYS: Record<string, string> = {
  same: 'mailles reprises telles quelles',
  nearest: 'maille la plus proche',
  mean: 'moyenne de surface',
  bilinear: 'interpolation bilinéaire',
  moved: 'changement de système de coordonnées, moyenne ou interpolation bilinéaire',
}

type TerrainFile = Exclude<Recipe['terrain']['files'][number], string>

/** Opens all sheets; what is wrong with any of them is a problem. */
export async function openTerrain({ recipe, folder, findings }: Context): Promise<Sheet[]> {
  const { files, resampling: _, pits: __, bridges: ___, ...common } = recipe.terrain
  const sheets: Sheet[] = []
  for (const given of files) {
    const file: TerrainFile = typeof given === 'string' ? { file: given } : given
    const sheet = await findings.attempt(async () => {
      const raster = await openRaster(folder.path(file.file), file.file, {
        nodata: file.nodata ?? common.nodata,
        southUp: file.southUp ?? common.southUp,
      })
      const told = file.crs ?? common.crs
      const unit = file.unit ?? common.unit ?? raster.unit ?? 'm'
      if (raster.unit === 'ft' && file.unit === undefined && common.unit === undefined)
        findings.tell('terrain', 'assumed', `${file.file} dit ses altitudes en pieds : converties en mètres.`)
      if (raster.commas > 0)
        findings.tell(
          'terrain',
          'assumed',
          `${file.file} : ${countFr(raster.commas, 'virgule décimale lue', 'virgules décimales lues')} comme des points.`,
        )
      if (told === undefined && raster.crs === null)
        findings.tell(
          'terrain',
          'assumed',
          `${file.file} ne dit pas son système de coordonnées : ${recipe.crs} supposé.`,
        )
      return { raster, crs: crsOf(told ?? raster.crs ?? recipe.crs), factor: unit === 'ft' ? FOOT_M : 1 }
    })
    if (sheet) sheets.push(sheet)
  }
  return sheets
}

/**
 * Elevations on the grid, m, `[row * ncols + col]`, NaN outside of the outline and where the sources have none. Bridges are
 * cut and holes filled; sinks come later, once water and gullies are known.
 * @throws SourceRefused
 */
export async function terrainOf(context: Context, sheets: readonly Sheet[]): Promise<Float64Array> {
  const { recipe, frame, outside, findings } = context
  const mosaic = new Mosaic(sheets, frame, context.crs)
  const { values: z, ways } = await mosaic.values(recipe.terrain.resampling)
  let inside = 0
  let bare = 0
  for (let cell = 0; cell < z.length; cell++) {
    if (outside[cell] === 1) z[cell] = Number.NaN
    else {
      inside++
      if (Number.isNaN(z[cell])) bare++
    }
  }
  if (bare === inside) throw new SourceRefused(nowhere(context, sheets))
  findings.tell(
    'terrain',
    'figure',
    `Terrain de ${countFr(sheets.length, 'fichier')} : ${[...ways].map((way) => WAYS[way]).join(', ')}.`,
  )
  checkHeights(z)
  await cutBridges(context, z)
  fillHoles(context, z)
  bare = z.reduce((count, value, cell) => count + (outside[cell] === 0 && Number.isNaN(value) ? 1 : 0), 0)
  if (bare > 0)
    findings.tell(
      'terrain',
      'left',
      `${countFr(bare, 'maille')} du contour sans altitude (${formatNumberFr((100 * bare) / inside, 1)} %) : hors du modèle.`,
    )
  return z
}

function nowhere({ recipe, frame }: Context, sheets: readonly Sheet[]): string {
  const { raster, crs } = sheets[0]
  const { left, top, ncols, nrows, cellWidth, cellHeight } = raster
  const box = [left, top - nrows * cellHeight, left + ncols * cellWidth, top].map((value) =>
    Number(value.toFixed(3)),
  )
  return `terrain : aucune altitude dans le contour. ${raster.name} couvre (${box.join(' ; ')}) en ${crs.name} ; la grille commence en (${frame.xll} ; ${frame.yll}) en ${recipe.crs}. Vérifiez "crs" du terrain, celui de la recette, et les dalles données.`
}

function checkHeights(z: Float64Array): void {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of z) {
    if (value < least) least = value
    if (value > most) most = value
  }
  if (most > 9000 || least < -500)
    throw new SourceRefused(
      `terrain : altitudes de ${least} à ${most} m. Si l’une d’elles tient lieu de NODATA, donnez-la par "nodata" ; si elles sont en pieds ou en centimètres, convertissez-les ("unit": "ft").`,
    )
}

async function cutBridges(context: Context, z: Float64Array): Promise<void> {
  const { recipe, frame, findings } = context
  if (recipe.terrain.bridges === undefined) return
  const { width, ...source } = recipe.terrain.bridges
  const layer = await readLayer(source, 'bridges', 'lines', context)
  const places: { x: number; y: number; text: string }[] = []
  const off: number[] = []
  for (const { number, parts } of layer.features)
    for (const [line] of parts) {
      const ends = [line[0], line[line.length - 1]].map((end) => z[cellAt(frame, end)])
      if (ends.some((end) => end === undefined || Number.isNaN(end))) {
        off.push(number)
        continue
      }
      const lengthM = line
        .slice(1)
        .reduce((sum, [x, y], k) => sum + Math.hypot(x - line[k][0], y - line[k][1]), 0)
      let cut = 0
      const lower = (cell: number, level: number) => {
        if (!(z[cell] > level)) return
        cut = Math.max(cut, z[cell] - level)
        z[cell] = level
      }
      const levels = new Map<number, number>()
      alongLine(line, frame, (cell, length, at) => {
        const share = lengthM > 0 ? Math.min(1, (at + length / 2) / lengthM) : 0
        levels.set(cell, ends[0] + share * (ends[1] - ends[0]))
      })
      if (width > 0)
        cellsOfStrip(line, width, frame, (cell) => {
          if (!levels.has(cell)) levels.set(cell, Math.max(ends[0], ends[1]))
        })
      for (const [cell, level] of levels) lower(cell, level)
      places.push({
        x: line[0][0],
        y: line[0][1],
        text: `ligne n° ${number} : ${formatNumberFr(cut, 2)} m au plus`,
      })
    }
  findings.tell(
    'terrain',
    'moved',
    `${countFr(places.length, 'pont ou remblai percé', 'ponts ou remblais percés')} (${layer.name}).`,
    places,
  )
  if (off.length > 0)
    findings.tell(
      'terrain',
      'left',
      `${layer.name} : ${countFr(off.length, 'ligne')} dont un bout n’a pas d’altitude : n° ${someOf(off.map(String))}.`,
    )
}

function fillHoles({ recipe, frame, outside, findings }: Context, z: Float64Array): void {
  const most = recipe.terrain.fillHoles
  const holes = holesOf(z, frame, outside)
  const told = (list: typeof holes) =>
    list.map(({ cells }) => {
      const [x, y] = middleOf(frame, cells[0])
      return { x, y, text: countFr(cells.length, 'maille') }
    })
  const small = holes.filter(({ cells }) => cells.length <= most)
  const large = holes.filter(({ cells }) => cells.length > most)
  for (const hole of small) fillHole(z, frame, hole)
  const count = (list: typeof holes) => list.reduce((sum, { cells }) => sum + cells.length, 0)
  if (small.length > 0)
    findings.tell(
      'terrain',
      'filled',
      `${countFr(small.length, 'trou comblé', 'trous comblés')} (${countFr(count(small), 'maille')}), par l’inverse du carré de la distance au bord.`,
      told(small),
    )
  if (large.length > 0)
    findings.tell(
      'terrain',
      'left',
      `${countFr(large.length, 'trou laissé', 'trous laissés')} (${countFr(count(large), 'maille')}) : l’eau y sort du modèle. "fillHoles" comble ceux d’au plus tant de mailles.`,
      told(large),
    )
}

/**
 * Lists the sinks of the terrain and treats them as the recipe says, in place.
 * @param water 1: open water @param drained cells with a gully
 */
export function treatPits(context: Context, z: Float64Array, water: Uint8Array): void {
  const { recipe, frame, findings } = context
  const { do: rule, neighbours, leastDepth, mostDepth, mostArea, mostCut } = recipe.terrain.pits
  const outlets = outletsOf(z, frame, water, recipe.edges === 'open')
  let flood = priorityFlood(z, frame, outlets, neighbours)
  let sinks = sinksOf(z, flood, frame, neighbours, leastDepth)
  findings.tell(
    'pits',
    'checked',
    `${countFr(sinks.length, 'cuvette')} d’au moins ${formatNumberFr(leastDepth, 3, true)} m.`,
    told(context, sinks),
  )
  const hands = handsOf(context, sinks)
  const choice = (sink: Sink) =>
    hands.get(sink.cell) ??
    (sink.depthM > (mostDepth ?? Number.POSITIVE_INFINITY) ||
    sink.areaM2 > (mostArea ?? Number.POSITIVE_INFINITY)
      ? 'keep'
      : rule === 'list'
        ? 'keep'
        : rule)
  const choices = new Map(sinks.map((sink) => [sink.cell, choice(sink)]))
  const cut = sinks.filter(
    (sink) => choices.get(sink.cell) === 'breach' && breach(z, flood, sink, mostCut) !== null,
  )
  if (cut.length > 0) {
    findings.tell(
      'pits',
      'moved',
      `${countFr(cut.length, 'cuvette percée', 'cuvettes percées')}, au plus ${formatNumberFr(mostCut, 2, true)} m dans le terrain.`,
      told(context, cut),
    )
    flood = priorityFlood(z, frame, outlets, neighbours)
    sinks = sinksOf(z, flood, frame, neighbours, leastDepth)
  }
  // A way that was too deep to cut, and what a breach left behind, are filled.
  const kept = new Set([...choices].filter(([, what]) => what === 'keep').map(([cell]) => cell))
  const filled = sinks.filter((sink) =>
    choices.has(sink.cell)
      ? !kept.has(sink.cell)
      : !sink.cells.some((cell) => kept.has(cell)) && rule !== 'list',
  )
  for (const sink of filled) fill(z, sink)
  if (filled.length > 0)
    findings.tell(
      'pits',
      'filled',
      `${countFr(filled.length, 'cuvette comblée', 'cuvettes comblées')} (${formatNumberFr(filled.reduce((sum, { volumeM3 }) => sum + volumeM3, 0))} m³).`,
      told(context, filled),
    )
}

/** The largest of them with their figures: there may be a hundred thousand. */
const told = ({ frame }: Context, sinks: readonly Sink[]) =>
  sinks.slice(0, PLACES_TOLD).map(({ cell, depthM, areaM2, volumeM3 }) => {
    const [x, y] = middleOf(frame, cell)
    return {
      x,
      y,
      text: `${formatNumberFr(depthM, 2)} m, ${formatNumberFr(areaM2)} m², ${formatNumberFr(volumeM3)} m³`,
    }
  })

/** What the recipe says by hand, by the deepest cell of the sink. */
function handsOf(
  { recipe, frame, findings }: Context,
  sinks: readonly Sink[],
): Map<number, 'fill' | 'breach' | 'keep'> {
  const hands = new Map<number, 'fill' | 'breach' | 'keep'>()
  const byCell = new Map<number, Sink>()
  if (recipe.terrain.pits.byHand.length > 0)
    for (const sink of sinks) for (const cell of sink.cells) byCell.set(cell, sink)
  for (const { at, do: what } of recipe.terrain.pits.byHand) {
    const sink = byCell.get(cellAt(frame, at))
    if (sink) hands.set(sink.cell, what)
    else
      findings.tell(
        'pits',
        'left',
        `Pas de cuvette en (${at[0]} ; ${at[1]}) : « ${what} » de "byHand" est sans effet.`,
      )
  }
  return hands
}
