import { LAND_USE_NODATA, type LuseConfig, TOWN_NO_CLASS, TOWN_OUTSIDE, type Town } from '@radx/contracts'
import type { CatchmentPackage } from './catchment-package.ts'
import { placeOf } from './grid-place.ts'

/** Elevations are told no finer than they are written, m. */
const FINEST_M = 0.001
/** The last code is that of cells outside. */
const CODES = TOWN_OUTSIDE - 1

/** Land use as somebody painted it on the catchment's cells. */
export interface PaintedLand {
  /** `[row * ncols + col]`, row 0 north, -9999 outside. */
  codes: Int16Array
  configs: readonly LuseConfig[]
}

function elevationScale({ data }: CatchmentPackage['elevation']): Town['elevation'] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const z of data) {
    if (z < least) least = z
    if (z > most) most = z
  }
  if (!(most >= least)) return { minM: 0, stepM: FINEST_M }
  return { minM: least, stepM: Math.max(FINEST_M, (most - least) / CODES) }
}

/** What a map says of a town's ground. */
export function townOf({ catchment, elevation }: CatchmentPackage, { configs }: PaintedLand): Town {
  return {
    place: placeOf(elevation, catchment.crs),
    elevation: elevationScale(elevation),
    classes: configs.slice(0, TOWN_NO_CLASS).map(({ code, title, color }) => ({ code, title, color })),
    waterCode: catchment.permanentWaterCode ?? null,
    attribution: catchment.attribution ?? '',
  }
}

/** The cells of a town, as `townSchema` tells them. */
export function townGrid({ elevation }: CatchmentPackage, { codes, configs }: PaintedLand): Uint8Array {
  const cells = elevation.data.length
  const { minM, stepM } = elevationScale(elevation)
  const heights = Uint16Array.from(elevation.data, (z) =>
    Number.isNaN(z) ? TOWN_OUTSIDE : Math.round((z - minM) / stepM),
  )
  const place = new Map(configs.slice(0, TOWN_NO_CLASS).map(({ code }, k) => [code, k]))
  const bytes = new Uint8Array(3 * cells)
  bytes.set(new Uint8Array(heights.buffer))
  for (let k = 0; k < cells; k++)
    bytes[2 * cells + k] =
      codes[k] === LAND_USE_NODATA ? TOWN_NO_CLASS : (place.get(codes[k]) ?? TOWN_NO_CLASS)
  return bytes
}
