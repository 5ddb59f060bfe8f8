import type { GridGeometry } from '@radx/contracts/grid-geometry'
import {
  type Dataset,
  dataset,
  type Group,
  numberAttribute,
  readNumbers,
  shapeOf,
  textAttribute,
} from '../hdf5/file.ts'
import { LONGLAT, plainDefinition, planeOf } from '../projection.ts'

/** Where a grid of a file lies, and how its rows and columns run. */
export interface GridPlace {
  /** null where the file does not say in which plane its axes are. */
  geometry: GridGeometry | null
  /** Side of a cell, m; null in degrees and where the axes have no unit of length. */
  cellM: number | null
  /** Rows run from the south, columns from the east. */
  flipRows: boolean
  flipCols: boolean
}

const NAMES = {
  lat: ['lat', 'latitude', 'latitudes', 'Latitude', 'LAT', 'nav_lat'],
  lng: ['lon', 'longitude', 'longitudes', 'Longitude', 'LON', 'nav_lon', 'lng'],
  x: ['x', 'X', 'xc', 'easting', 'projection_x_coordinate'],
  y: ['y', 'Y', 'yc', 'northing', 'projection_y_coordinate'],
}
/** The plane of the German composites, whose files give the places of their cells but not always its name. */
const RADOLAN = '+proj=stere +lat_0=90 +lat_ts=60 +lon_0=10 +x_0=0 +y_0=0 +a=6370040 +b=6370040'
/** Cells may lie this far from where even rows and columns put them, in cells. */
const UNEVEN = 0.1

/**
 * Places a grid by the degrees of its cells, or by its axes with its grid mapping (CF 1.11, section 5.6). Degrees of
 * every cell go before axes where they lie evenly in a plane; else they only say which way rows run. Axes in an unknown
 * plane still tell how large cells are.
 * @returns undefined where none can be used
 */
export function placeOfGrid(root: Group, data: Dataset): GridPlace | undefined {
  const [nrows, ncols] = shapeOf(data).slice(-2)
  const find = (names: readonly string[], ...shape: number[]) => {
    const one = names
      .map((name) => dataset(root, name))
      .find((found) => found !== undefined && shapeOf(found).join() === shape.join())
    return one && scaled(one)
  }
  const [lats, lngs] = [find(NAMES.lat, nrows), find(NAMES.lng, ncols)]
  if (lats && lngs) return fromAxes(LONGLAT, lngs, lats)
  const definition = definitionOf(root, data)
  const [lat2, lng2] = [find(NAMES.lat, nrows, ncols), find(NAMES.lng, nrows, ncols)]
  if (lat2 && lng2) {
    const middle = Math.floor(nrows / 2) * ncols + Math.floor(ncols / 2)
    const here = `+proj=aeqd +lat_0=${lat2[middle]} +lon_0=${lng2[middle]} +ellps=WGS84`
    for (const plane of [definition, RADOLAN, LONGLAT, here]) {
      const found = plane && fromDegrees(plane, lng2, lat2, [nrows, ncols])
      if (found) return found
    }
  }
  const [x, y] = [find(NAMES.x, ncols), find(NAMES.y, nrows)]
  const place = x && y ? fromAxes(definition || null, x, y, lengthsOf(root, ncols)) : undefined
  if (!place || !lat2) return place
  // Degrees that were rounded or interpolated still tell where north is.
  return { ...place, flipRows: lat2[(nrows - 1) * ncols] > lat2[0] }
}

/** Numbers of an axis in metres or degrees. */
function scaled(axis: Dataset): Float64Array {
  const km = /^(km|kilomet)/i.test(textAttribute('units', axis) ?? '')
  const scale = (numberAttribute('scale_factor', axis) ?? 1) * (km ? 1000 : 1)
  const offset = numberAttribute('add_offset', axis) ?? 0
  return Float64Array.from(readNumbers('odim', axis), (v) => v * scale + offset)
}

/** Whether the axis x says that it is in a unit of length. */
const lengthsOf = (root: Group, ncols: number): boolean =>
  NAMES.x.some((name) => {
    const axis = dataset(root, name)
    return (
      axis !== undefined &&
      shapeOf(axis).join() === String(ncols) &&
      /^(m|met(er|re)s?|km|kilomet(er|re)s?)$/i.test(textAttribute('units', axis) ?? '')
    )
  })

/** @param lengths the axes are known to be in metres, where there is no plane that would say so */
function fromAxes(
  proj4: string | null,
  x: Float64Array,
  y: Float64Array,
  lengths = true,
): GridPlace | undefined {
  const [dx, dy] = [x, y].map((axis) => (axis[axis.length - 1] - axis[0]) / (axis.length - 1))
  const even = ([axis, step]: [Float64Array, number]) =>
    axis.every((at, i) => Math.abs(at - axis[0] - i * step) <= UNEVEN * Math.abs(step))
  const steps: [Float64Array, number][] = [
    [x, dx],
    [y, dy],
  ]
  if (!steps.every(even)) return undefined
  const place = placed(proj4 ?? '', [x[0], dx, x.length], [y[0], dy, y.length])
  if (!place || proj4 !== null) return place
  return { ...place, geometry: null, cellM: lengths ? Math.abs(dx) : null }
}

type Axis = [first: number, step: number, count: number]

function placed(proj4: string, [x0, dx, ncols]: Axis, [y0, dy, nrows]: Axis): GridPlace | undefined {
  if (![x0, y0, dx, dy].every(Number.isFinite) || dx === 0 || dy === 0) return undefined
  const [x1, y1] = [x0 + (ncols - 1) * dx, y0 + (nrows - 1) * dy]
  const [halfX, halfY] = [Math.abs(dx) / 2, Math.abs(dy) / 2]
  return {
    geometry: {
      proj4,
      left: Math.min(x0, x1) - halfX,
      right: Math.max(x0, x1) + halfX,
      bottom: Math.min(y0, y1) - halfY,
      top: Math.max(y0, y1) + halfY,
      nrows,
      ncols,
    },
    cellM: proj4.includes('+proj=longlat') ? null : Math.abs(dx),
    flipRows: dy > 0,
    flipCols: dx < 0,
  }
}

/** The grid in a plane in which the cells, given in degrees, lie in even rows and columns; undefined in another. */
function fromDegrees(
  proj4: string,
  lngs: Float64Array,
  lats: Float64Array,
  [nrows, ncols]: [number, number],
): GridPlace | undefined {
  const toPlane = planeOf(proj4)
  if (!toPlane) return undefined
  const degrees = proj4 === LONGLAT
  const at = (row: number, col: number): [number, number] => {
    const lngLat: [number, number] = [lngs[row * ncols + col], lats[row * ncols + col]]
    return degrees ? lngLat : toPlane(lngLat)
  }
  const [first, right, below] = [at(0, 0), at(0, ncols - 1), at(nrows - 1, 0)]
  const [dx, dy] = [(right[0] - first[0]) / (ncols - 1), (below[1] - first[1]) / (nrows - 1)]
  const some = (count: number) => [0, 1, 2, 3, 4].map((k) => Math.round((k * (count - 1)) / 4))
  for (const row of some(nrows))
    for (const col of some(ncols)) {
      const [x, y] = at(row, col)
      const off = [(x - first[0] - col * dx) / dx, (y - first[1] - row * dy) / dy]
      if (!off.every((cells) => Math.abs(cells) <= UNEVEN)) return undefined
    }
  return placed(proj4, [first[0], dx, ncols], [first[1], dy, nrows])
}

/** The PROJ definition that a file gives as text or by the parameters of its grid mapping. */
function definitionOf(root: Group, data: Dataset): string | undefined {
  const named = textAttribute('grid_mapping', data)?.split(/[:\s]/)[0]
  const mapping = [named, 'crs', 'projection', 'spatial_ref', 'polar_stereographic']
    .map((name) => (name ? dataset(root, name) : undefined))
    .find((found) => found !== undefined)
  for (const name of ['proj4', 'proj4text', 'proj4_params', 'proj4_string', 'proj_string', 'projection']) {
    const text = textAttribute(name, mapping, data, root)
    const plain = text && plainDefinition(text)
    if (plain) return plain
  }
  return mapping && plainDefinition(fromMapping(mapping) ?? '')
}

const PROJ: Record<string, string> = {
  polar_stereographic: 'stere',
  stereographic: 'stere',
  azimuthal_equidistant: 'aeqd',
  lambert_azimuthal_equal_area: 'laea',
  lambert_conformal_conic: 'lcc',
  albers_conical_equal_area: 'aea',
  transverse_mercator: 'tmerc',
  mercator: 'merc',
}

function fromMapping(mapping: Dataset): string | undefined {
  const name = textAttribute('grid_mapping_name', mapping) ?? ''
  if (name === 'latitude_longitude') return LONGLAT
  if (!(name in PROJ)) return undefined
  const number = (...names: string[]) =>
    names.map((one) => numberAttribute(one, mapping)).find((value) => value !== undefined)
  const parallels =
    textAttribute('standard_parallel', mapping)
      ?.split(/[\s,]+/)
      .map(Number) ?? []
  const parallel = number('standard_parallel') ?? parallels[0]
  const words: [string, number | undefined][] = [
    ['lat_0', number('latitude_of_projection_origin')],
    [
      'lon_0',
      number(
        'straight_vertical_longitude_from_pole',
        'longitude_of_projection_origin',
        'longitude_of_central_meridian',
      ),
    ],
    [/stere|merc$/.test(PROJ[name]) && PROJ[name] !== 'tmerc' ? 'lat_ts' : 'lat_1', parallel],
    ['lat_2', parallels[1] ?? (PROJ[name] === 'lcc' ? parallel : undefined)],
    ['k', number('scale_factor_at_central_meridian', 'scale_factor_at_projection_origin')],
    ['x_0', number('false_easting')],
    ['y_0', number('false_northing')],
    ['a', number('semi_major_axis', 'earth_radius')],
    ['rf', number('inverse_flattening') || undefined],
    ['b', number('inverse_flattening') ? undefined : number('semi_minor_axis', 'earth_radius')],
  ]
  return [
    `+proj=${PROJ[name]}`,
    ...words.flatMap(([key, v]) => (v === undefined ? [] : [`+${key}=${v}`])),
  ].join(' ')
}
