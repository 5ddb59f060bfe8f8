import { GULLY_CODE } from '@radx/contracts/landuse'
import { TOWN_NO_CLASS } from '@radx/contracts/town-constants'
import type { Scheme } from '../map/basemap.ts'
import type { TownGrid } from './api.ts'

/** A picture of a grid, four bytes a cell (red, green, blue, opacity), row 0 north. */
export interface GridPicture {
  width: number
  height: number
  data: Uint8ClampedArray<ArrayBuffer>
}

type Rgb = readonly [number, number, number]

/** Codes of the land-use table, as `DEFAULT_LAND_USE` has them. */
const [FOREST, ROAD, GRASS] = [1, 2, 3]
export const HOUSE_CODE = 4
/** Quiet enough for water to stand out; paved ground nearly is the page, houses are the darker. */
const TINTS: Record<Scheme, Record<'forest' | 'road' | 'grass' | 'house' | 'water' | 'other', Rgb>> = {
  light: {
    forest: [208, 219, 202],
    road: [250, 249, 246],
    grass: [230, 234, 223],
    house: [199, 194, 187],
    water: [196, 211, 214],
    other: [222, 220, 216],
  },
  dark: {
    forest: [26, 38, 32],
    road: [52, 57, 60],
    grass: [28, 35, 33],
    house: [74, 77, 79],
    water: [22, 42, 50],
    other: [44, 48, 50],
  },
}
/** What a table colours itself shows through, so that a swale is a swale. */
const OWN_SHARE = 0.3

const rgb = (color: string): Rgb =>
  /^#[0-9a-f]{6}$/i.test(color)
    ? ([1, 3, 5].map((k) => Number.parseInt(color.slice(k, k + 2), 16)) as unknown as Rgb)
    : [128, 128, 128]

/** Colour of each land-use class of a town. */
function tintsOf({ classes, waterCode }: Pick<TownGrid, 'classes' | 'waterCode'>, scheme: Scheme): Rgb[] {
  const tints = TINTS[scheme]
  return classes.map(({ code, color }) => {
    if (code === waterCode) return tints.water
    if (code === ROAD || code === GULLY_CODE) return tints.road
    if (code === FOREST) return tints.forest
    if (code === GRASS) return tints.grass
    if (code === HOUSE_CODE) return tints.house
    const own = rgb(color)
    return tints.other.map((value, k) => value + OWN_SHARE * (own[k] - value)) as unknown as Rgb
  })
}

/** Land use, streets, buildings and open water, a pixel a cell; nothing outside the model. */
export function landPicture(town: TownGrid, scheme: Scheme): GridPicture {
  const { nrows, ncols } = town.place
  const tints = tintsOf(town, scheme)
  const data = new Uint8ClampedArray(4 * nrows * ncols)
  for (let k = 0; k < nrows * ncols; k++) {
    if (Number.isNaN(town.elevationM[k])) continue
    const place = town.land[k]
    const [r, g, b] = place === TOWN_NO_CLASS ? TINTS[scheme].other : tints[place]
    data[4 * k] = r
    data[4 * k + 1] = g
    data[4 * k + 2] = b
    data[4 * k + 3] = 255
  }
  return { width: ncols, height: nrows, data }
}

/** The sun stands in the north-west, as on printed maps, 45 degrees high. */
const SUN = { east: -0.5, north: 0.5, up: Math.SQRT1_2 } as const
/** Town ground is flat: its slopes are shown so many times as steep. */
const STEEPER = 6
const STRENGTH: Record<Scheme, { dark: number; light: number }> = {
  light: { dark: 150, light: 130 },
  dark: { dark: 170, light: 60 },
}

/** A quay or a pit keeps its colour in the shade, of 255. */
const DEEPEST = 64

const known = (value: number, otherwise: number): number => (Number.isNaN(value) ? otherwise : value)

/** Relief as shade and light over the land, a pixel a cell. */
export function shadePicture({ place, elevationM }: TownGrid, scheme: Scheme): GridPicture {
  const { nrows, ncols, cellSizeM } = place
  const data = new Uint8ClampedArray(4 * nrows * ncols)
  const { dark, light } = STRENGTH[scheme]
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++) {
      const k = row * ncols + col
      const here = elevationM[k]
      if (Number.isNaN(here)) continue
      // Beyond the model the ground goes on as it is.
      const toEast = col + 1 < ncols ? known(elevationM[k + 1], here) : here
      const toWest = col > 0 ? known(elevationM[k - 1], here) : here
      const toNorth = row > 0 ? known(elevationM[k - ncols], here) : here
      const toSouth = row + 1 < nrows ? known(elevationM[k + ncols], here) : here
      const dx = (STEEPER * (toEast - toWest)) / (2 * cellSizeM)
      const dy = (STEEPER * (toNorth - toSouth)) / (2 * cellSizeM)
      const lit = (SUN.up - SUN.east * dx - SUN.north * dy) / Math.sqrt(1 + dx * dx + dy * dy)
      const apart = lit - SUN.up
      if (apart > 0) {
        data[4 * k] = 255
        data[4 * k + 1] = 255
        data[4 * k + 2] = 255
      }
      data[4 * k + 3] = Math.min(DEEPEST, apart < 0 ? -dark * apart : light * apart)
    }
  return { width: ncols, height: nrows, data }
}

/** Land with its relief in one picture, a pixel a cell; nothing outside the model. */
export function groundPicture(town: TownGrid, scheme: Scheme): GridPicture {
  const picture = landPicture(town, scheme)
  const { data } = picture
  const shade = shadePicture(town, scheme).data
  for (let at = 0; at < data.length; at += 4) {
    const share = shade[at + 3] / 255
    for (let c = at; c < at + 3; c++) data[c] += share * (shade[c] - data[c])
  }
  return picture
}

/** Colour of a roof. */
export const roofOf = (scheme: Scheme): Rgb => TINTS[scheme].house
