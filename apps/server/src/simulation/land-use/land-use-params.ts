import { RadxError } from '@radx/contracts/errors'
import type { LandUseClass } from '@radx/contracts/landuse'
import type { SoilState } from '@radx/contracts/simulation-constants'
import type { SurfaceParams } from '@radx/hydrology/surface/types'
import { deficitBefore } from '@radx/rainfall/storms/antecedent'

/** Manning's n of permanent water: it carries nothing inside, only the faces at its banks use it. */
const WATER_MANNING = 0.03

export interface LandUseChoice {
  /** Codes, `[row * ncols + col]`, NaN outside. */
  codes: Float64Array
  classes: readonly LandUseClass[]
  /** Code that is open water in this catchment. */
  permanentWaterCode?: number
  /** The soil module: infiltration. */
  soil: boolean
  /** Wetness of the soil before the rain; mean is the table's own deficit. */
  soilState?: SoilState
}

/**
 * What each cell of the model is made of, from the land-use codes and their table.
 *
 * @throws RadxError `landuse.code` for a code that the table lacks
 */
export function surfaceParams(choice: LandUseChoice): SurfaceParams {
  const { codes, classes, permanentWaterCode, soilState = 'mean' } = choice
  const byCode = new Map(classes.map((entry) => [entry.code, entry]))
  const field = () => new Float64Array(codes.length)
  const manning = field()
  const interceptionM = field()
  const soil = { khMS: field(), capshM: field(), soilmd: field() }
  const permanentWater = new Uint8Array(codes.length)
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]
    if (Number.isNaN(code)) continue
    if (code === permanentWaterCode) {
      permanentWater[cell] = 1
      manning[cell] = WATER_MANNING
      continue
    }
    const entry = byCode.get(code)
    if (!entry)
      throw new RadxError(
        'landuse.code',
        422,
        `Le code ${code} de la carte d’occupation des sols n’a pas de paramètres. Ajouter ce code à la table, ou corriger la carte.`,
        { details: { code, cell } },
      )
    manning[cell] = entry.nmanningov
    // A measure has its own layers.
    if (entry.measure) continue
    interceptionM[cell] = entry.interceptionclass / 1000
    soil.khMS[cell] = entry.kh
    soil.capshM[cell] = entry.capsh
    soil.soilmd[cell] = deficitBefore(entry.soilmd, soilState)
  }
  return { manning, interceptionM, soil: choice.soil ? soil : undefined, permanentWater, edges: 'open' }
}
