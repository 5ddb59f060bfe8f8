import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { type Group, numberAttribute, textAttribute } from '../hdf5/file.ts'
import { LONGLAT, plainDefinition, planeOf } from '../projection.ts'

/**
 * Outer edges of an ODIM picture in its plane, from `where`: the plane's own upper-left corner (`UL_x`,
 * `UL_y`, some producers) with the cell sizes, else the lower-left corner with the cell sizes, else the
 * lower-left and upper-right corners in degrees.
 * @returns undefined where projection or corners cannot be used
 */
export function placeGrid(
  where: (Group | undefined)[],
  ncols: number,
  nrows: number,
): GridGeometry | undefined {
  const projdef = plainDefinition(textAttribute('projdef', ...where) ?? '')
  const toPlane = projdef ? planeOf(projdef) : undefined
  if (!projdef || !toPlane) return undefined
  const degrees = /\+proj=(longlat|latlong|lonlat|latlon)\b/.test(projdef)
  const number = (name: string): number => numberAttribute(name, ...where) ?? Number.NaN
  const xscale = Math.abs(number('xscale'))
  const yscale = Math.abs(number('yscale'))
  const corner = (name: string): [number, number] => {
    const [lon, lat] = [number(`${name}_lon`), number(`${name}_lat`)]
    if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 540)) return [Number.NaN, Number.NaN]
    return degrees ? [lon, lat] : toPlane([lon, lat])
  }
  const [lowerLeft, upperRight] = [corner('LL'), corner('UR')]
  const [ulX, ulY] = [number('UL_x'), number('UL_y')]
  let [left, top] = [lowerLeft[0], upperRight[1]]
  let [right, bottom] = [upperRight[0], lowerLeft[1]]
  if (xscale > 0 && yscale > 0) {
    if (Number.isFinite(ulX) && Number.isFinite(ulY)) [left, top] = [ulX, ulY]
    else top = bottom + nrows * yscale
    right = left + ncols * xscale
    bottom = top - nrows * yscale
  }
  const geometry: GridGeometry = {
    proj4: degrees ? LONGLAT : projdef,
    left,
    top,
    right,
    bottom,
    ncols,
    nrows,
  }
  const finite = [left, top, right, bottom].every(Number.isFinite)
  if (!finite || !(right > left && top > bottom)) return undefined
  // Cell sizes and corners say the same thing twice; a file in which they differ by more than 2 % of the picture is
  // wrong.
  const disagree = (a: number, b: number, size: number): boolean => Math.abs(a - b) > 0.02 * size
  const [width, height] = [right - left, top - bottom]
  // A corner that the file does not give is NaN, and disagrees with nothing.
  if (
    disagree(upperRight[0], right, width) ||
    disagree(upperRight[1], top, height) ||
    disagree(lowerLeft[0], left, width) ||
    disagree(lowerLeft[1], bottom, height)
  )
    return undefined
  return geometry
}
