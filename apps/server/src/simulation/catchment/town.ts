import { LAND_USE_NODATA, type LuseConfig, TOWN_NO_CLASS, TOWN_OUTSIDE, type Town } from '@radx/contracts'
import type { CatchmentPackage } from './catchment-package.ts'
import { placeOf } from './grid-place.ts'

/** Elevations are told no finer than they are written, m. */
const FINEST_M = 0.001
/** The last code is that of cells outside. */
const CODES = TOWN_OUTSIDE - 1
/** What an int16 may be, and where its least stands in a table of all of them. */
const CODES_16 = 2 ** 16
const FIRST_CODE = 2 ** 15

/** Land use as somebody painted it on the catchment's cells. */
export interface PaintedLand {
  /** `[row * ncols + col]`, row 0 north, -9999 outside. */
  codes: Int16Array
  configs: readonly LuseConfig[]
}

interface Heights {
  scale: Town['elevation']
  codes: Uint16Array
}

/** Packages stay in memory, and so do the heights that their maps are sent. */
const known = new WeakMap<CatchmentPackage['elevation'], Heights>()

function heightsOf(elevation: CatchmentPackage['elevation']): Heights {
  const found = known.get(elevation)
  if (found) return found
  const { data } = elevation
  const scale = scaleOf(data)
  const { minM, stepM } = scale
  const codes = new Uint16Array(data.length)
  for (let k = 0; k < codes.length; k++)
    codes[k] = Number.isNaN(data[k]) ? TOWN_OUTSIDE : Math.round((data[k] - minM) / stepM)
  const made = { scale, codes }
  known.set(elevation, made)
  return made
}

function scaleOf(heightsM: Float64Array): Town['elevation'] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const z of heightsM) {
    if (z < least) least = z
    if (z > most) most = z
  }
  if (!(most >= least)) return { minM: 0, stepM: FINEST_M }
  return { minM: least, stepM: Math.max(FINEST_M, (most - least) / CODES) }
}

/** What a map needs to know of a package. */
export type TownSource = Pick<CatchmentPackage, 'elevation'> & {
  catchment: Pick<CatchmentPackage['catchment'], 'crs' | 'permanentWaterCode' | 'attribution'>
}

/** What a map says of a town's ground. */
export function townOf({ catchment, elevation }: TownSource, configs: readonly LuseConfig[]): Town {
  return {
    place: placeOf(elevation, catchment.crs),
    elevation: heightsOf(elevation).scale,
    classes: configs.slice(0, TOWN_NO_CLASS).map(({ code, title, color }) => ({ code, title, color })),
    waterCode: catchment.permanentWaterCode ?? null,
    attribution: catchment.attribution ?? '',
  }
}

/** The cells of a town, as `townSchema` tells them. */
export function townGrid(
  { elevation }: Pick<TownSource, 'elevation'>,
  { codes, configs }: PaintedLand,
): Uint8Array {
  const heights = heightsOf(elevation).codes
  const cells = heights.length
  const place = new Uint8Array(CODES_16).fill(TOWN_NO_CLASS)
  configs.slice(0, TOWN_NO_CLASS).forEach(({ code }, k) => {
    place[code + FIRST_CODE] = k
  })
  place[LAND_USE_NODATA + FIRST_CODE] = TOWN_NO_CLASS
  const bytes = new Uint8Array(3 * cells)
  bytes.set(new Uint8Array(heights.buffer))
  for (let k = 0; k < cells; k++) bytes[2 * cells + k] = place[codes[k] + FIRST_CODE]
  return bytes
}
