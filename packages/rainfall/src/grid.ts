import { RadxError } from '@radx/contracts/errors'
import type { Bounds, LatLng } from '@radx/contracts/site'

/** Mean radius of the Earth in m (IUGG); areas are those of a sphere of this radius. */
export const EARTH_RADIUS_M = 6_371_008.8

/** A square latitude-longitude grid: `steps` x `steps` cells inside `bounds`, row 0 north. */
export interface ProductGrid {
  bounds: Bounds
  steps: number
}

export interface GridCell {
  row: number
  col: number
}

/**
 * Cell that holds a point: `row = floor((ul.lat - lat) / (ul.lat - lr.lat) * steps)`, likewise col.
 * null outside the bounds; the northern and western edges belong to the grid, the other two do not.
 */
export function cellOf(grid: ProductGrid, point: LatLng): GridCell | null {
  const { ul, lr } = grid.bounds
  const row = Math.floor(((ul.lat - point.lat) / (ul.lat - lr.lat)) * grid.steps)
  const col = Math.floor(((point.lng - ul.lng) / (lr.lng - ul.lng)) * grid.steps)
  return row >= 0 && col >= 0 && row < grid.steps && col < grid.steps ? { row, col } : null
}

/** `row * steps + col` of the cell that holds a point, -1 outside the bounds. */
export function cellIndexOf(grid: ProductGrid, point: LatLng): number {
  const cell = cellOf(grid, point)
  return cell === null ? -1 : cell.row * grid.steps + cell.col
}

export function cellCentre(grid: ProductGrid, row: number, col: number): LatLng {
  const { ul, lr } = grid.bounds
  return {
    lat: ul.lat - ((row + 0.5) / grid.steps) * (ul.lat - lr.lat),
    lng: ul.lng + ((col + 0.5) / grid.steps) * (lr.lng - ul.lng),
  }
}

export function cellBounds(grid: ProductGrid, row: number, col: number): Bounds {
  const { ul, lr } = grid.bounds
  const lat = (r: number) => ul.lat - (r / grid.steps) * (ul.lat - lr.lat)
  const lng = (c: number) => ul.lng + (c / grid.steps) * (lr.lng - ul.lng)
  return { ul: { lat: lat(row), lng: lng(col) }, lr: { lat: lat(row + 1), lng: lng(col + 1) } }
}

/** Area in m2 of a cell of each row, `[row]`: R^2 dlng (sin north - sin south), exact on the sphere. */
export function rowCellAreasM2(grid: ProductGrid): Float64Array {
  const { ul, lr } = grid.bounds
  const rad = Math.PI / 180
  const widthRad = ((lr.lng - ul.lng) / grid.steps) * rad
  const areas = new Float64Array(grid.steps)
  for (let row = 0; row < grid.steps; row++) {
    const north = ul.lat - (row / grid.steps) * (ul.lat - lr.lat)
    const south = ul.lat - ((row + 1) / grid.steps) * (ul.lat - lr.lat)
    areas[row] = EARTH_RADIUS_M ** 2 * widthRad * (Math.sin(north * rad) - Math.sin(south * rad))
  }
  return areas
}

/** Great-circle distance in m (haversine). */
export function distanceM(a: LatLng, b: LatLng): number {
  const rad = Math.PI / 180
  const s =
    Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lng - a.lng) * rad) / 2) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(s)))
}

export class UnknownProductError extends RadxError {
  override readonly name: string = 'UnknownProductError'
  constructor(product: string, known: string[]) {
    super(
      'product.unknown',
      404,
      `Le produit radar « ${product} » n'existe pas. Produits disponibles : ${known.join(', ')}.`,
      { details: { product, known } },
    )
  }
}

/** The product of that short name. @throws UnknownProductError */
export function productNamed<P extends { shortName: string }>(products: readonly P[], shortName: string): P {
  const found = products.find((product) => product.shortName === shortName)
  if (found === undefined)
    throw new UnknownProductError(
      shortName,
      products.map((product) => product.shortName),
    )
  return found
}

/** Outer corners of a product. @throws UnknownProductError */
export function productBounds(
  products: readonly { shortName: string; bounds: Bounds }[],
  shortName: string,
): Bounds {
  return productNamed(products, shortName).bounds
}
