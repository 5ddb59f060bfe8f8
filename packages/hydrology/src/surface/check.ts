import { HydrologyError } from '../errors.ts'
import type { SurfaceGrid, SurfaceParams } from './types.ts'

const MAX_ELEVATION_M = 9000

/** Parameter, unit, smallest and largest value that makes physical sense. */
const RANGES = {
  manning: ['coefficient de Manning', 's/m^(1/3)', 0, 2],
  interceptionM: ['interception', 'm', 0, 0.1],
  khMS: ['conductivité kh', 'm/s', 0, 0.1],
  capshM: ['charge capillaire capsh', 'm', 0, 10],
  soilmd: ['déficit d’humidité soilmd', 'm³/m³', 0, 1],
} as const

/**
 * Refuses grids and parameters that cannot be right.
 *
 * @throws HydrologyError `surface.shape`, `surface.cellsize`, `surface.elevation`, `surface.empty`, `surface.range`
 */
export function checkSurface(grid: SurfaceGrid, params: SurfaceParams): void {
  const { nrows, ncols, cellSizeM, elevationM } = grid
  const cells = nrows * ncols
  if (!(cellSizeM > 0 && Number.isFinite(cellSizeM)))
    throw new HydrologyError('surface.cellsize', `Taille de maille ${cellSizeM} m : elle doit être positive.`)
  const arrays: Record<string, ArrayLike<number> | undefined> = {
    elevationM,
    manning: params.manning,
    interceptionM: params.interceptionM,
    khMS: params.soil?.khMS,
    capshM: params.soil?.capshM,
    soilmd: params.soil?.soilmd,
    permanentWater: params.permanentWater,
  }
  for (const [name, array] of Object.entries(arrays)) {
    if (array && array.length !== cells)
      throw new HydrologyError(
        'surface.shape',
        `Le champ ${name} a ${array.length} valeurs ; la grille de ${nrows} lignes et ${ncols} colonnes en demande ${cells}.`,
      )
  }
  const ranges = Object.entries(RANGES).flatMap(([name, range]) => {
    const array = arrays[name]
    return array ? [{ name, array, range }] : []
  })
  let inside = 0
  for (let cell = 0; cell < cells; cell++) {
    const z = elevationM[cell]
    if (Number.isNaN(z)) continue
    inside++
    if (!(Math.abs(z) <= MAX_ELEVATION_M))
      throw new HydrologyError(
        'surface.elevation',
        `Altitude ${z} m à la ligne ${Math.floor(cell / ncols) + 1} de la grille, colonne ${(cell % ncols) + 1} : valeur impossible. Marquer les mailles hors du modèle par la valeur NODATA de la grille.`,
        { details: { row: Math.floor(cell / ncols), col: cell % ncols } },
      )
    for (const { name, array, range } of ranges) {
      const [label, unit, low, high] = range
      if (array[cell] >= low && array[cell] <= high) continue
      throw new HydrologyError(
        'surface.range',
        `${label} ${array[cell]} ${unit} à la ligne ${Math.floor(cell / ncols) + 1} de la grille, colonne ${(cell % ncols) + 1} : la valeur doit être entre ${low} et ${high}. Corriger la table d’occupation des sols.`,
        { details: { field: name, row: Math.floor(cell / ncols), col: cell % ncols } },
      )
    }
  }
  if (inside === 0)
    throw new HydrologyError('surface.empty', 'La grille d’altitude ne contient aucune maille active.')
}
