import { RECIPE_MAX_CELLS } from '@radx/contracts/recipe'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { Context, Sources } from './context.ts'
import { SourceRefused } from './findings.ts'
import { type Box, boxAround, type Frame, frameOf, type Place } from './grid.ts'
import { cellsInside, type Rings } from './ground/rasterise.ts'
import { isDegrees } from './sources/crs.ts'
import { readLayer } from './sources/layer.ts'

export interface Outline {
  context: Context
  /** Of the outline in the recipe's system; null where it is a box. */
  polygons: Rings[] | null
}

/**
 * The grid of a recipe: it covers the outline, its corner on a multiple of the cell size. Too many cells are refused before
 * anything else is read.
 * @throws SourceRefused
 */
export async function readOutline(sources: Sources): Promise<Outline> {
  const { recipe, crs, findings } = sources
  if (isDegrees(crs) || crs.name === 'EPSG:3857')
    throw new SourceRefused(
      `crs : ${crs.name} n’est pas un plan en mètres vrais. Prenez Lambert-93 (EPSG:2154), une zone CC (EPSG:3942 à 3950) ou UTM ; les sources sont converties.`,
    )
  const { bounds, margin = 0, corner, ...layer } = recipe.outline
  const placed = layer.file !== undefined || layer.features !== undefined
  if ((bounds !== undefined) === placed)
    throw new SourceRefused(
      'outline : donnez "bounds" (ouest, sud, est, nord), ou un contour par "file" ou "features".',
    )
  const polygons = placed
    ? (await readLayer(layer, 'outline', 'polygons', sources)).features.flatMap(({ parts }) => parts)
    : null
  const box = polygons === null ? boundsOf(bounds!) : boxAround(allOf(polygons))!
  const wide: Box = [box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin]
  const frame = frameOf(wide, recipe.cellSize, corner)
  checkFrame(frame, wide, corner)
  const { ncols, nrows, xll, yll, cellSize } = frame
  const outside = new Uint8Array(ncols * nrows)
  if (polygons !== null) {
    outside.fill(1)
    for (const rings of polygons)
      cellsInside(rings, frame, (cell) => {
        outside[cell] = 0
      })
  }
  const inside = outside.reduce((count, value) => count + 1 - value, 0)
  if (inside === 0)
    throw new SourceRefused(
      'outline : le contour ne contient le milieu d’aucune maille. Prenez une maille plus fine.',
    )
  findings.tell(
    'outline',
    'figure',
    `Grille de ${formatNumberFr(ncols)} x ${formatNumberFr(nrows)} mailles de ${formatNumberFr(cellSize, 2, true)} m, coin sud-ouest (${xll} ; ${yll}), ${recipe.crs} ; ${formatNumberFr(inside)} mailles dans le contour.`,
  )
  findings.say(`grille : ${formatNumberFr(ncols * nrows)} mailles`)
  const moved = Math.hypot(xll - wide[0], yll - wide[1])
  if (moved > 1e-6)
    findings.tell(
      'outline',
      'moved',
      corner === undefined
        ? `Coin de la grille porté à un multiple de la taille de maille, ${formatNumberFr(moved, 2)} m plus loin que le contour.`
        : `Coin de la grille donné par la recette, à ${formatNumberFr(moved, 2)} m de celui du contour.`,
    )
  return { context: { ...sources, frame, outside }, polygons }
}

function* allOf(polygons: readonly Rings[]): Generator<Place> {
  for (const rings of polygons) for (const ring of rings) yield* ring
}

function boundsOf([west, south, east, north]: Box): Box {
  if (west < east && south < north) return [west, south, east, north]
  throw new SourceRefused(
    'outline : "bounds" va de l’ouest à l’est et du sud au nord : [xmin, ymin, xmax, ymax], en mètres du système de la recette.',
  )
}

function checkFrame(frame: Frame, box: Box, corner: Place | undefined): void {
  const { ncols, nrows, cellSize } = frame
  const cells = ncols * nrows
  if (cells > RECIPE_MAX_CELLS || !Number.isFinite(cells)) {
    const fits = Math.sqrt(((box[2] - box[0]) * (box[3] - box[1])) / RECIPE_MAX_CELLS)
    throw new SourceRefused(
      `le contour demande ${formatNumberFr(ncols)} x ${formatNumberFr(nrows)} mailles de ${formatNumberFr(cellSize, 2, true)} m, plus que les ${formatNumberFr(RECIPE_MAX_CELLS / 1e6)} millions acceptés. Réduisez le contour, ou prenez une maille d’au moins ${formatNumberFr(Math.ceil(fits * 10 + 1) / 10, 1, true)} m ("cellSize").`,
    )
  }
  if (corner && (corner[0] > box[0] + cellSize || corner[1] > box[1] + cellSize || ncols < 2 || nrows < 2))
    throw new SourceRefused(
      'outline : "corner" est le coin sud-ouest de la grille ; celui de la recette coupe le contour. Donnez-en un au sud-ouest du contour.',
    )
}
