import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { readEsriAscii } from '@radx/formats/esri-ascii'
import type { BuildingData } from '@radx/hydrology/testing/isolated-building'
import type { MerewetherData } from '@radx/hydrology/testing/merewether'
import { MEREWETHER_DUPLICATES, parseObservations } from '@radx/hydrology/testing/merewether'
import { parsePolygon } from '@radx/hydrology/testing/polygons'
import { REFERENCE_DATA } from './reference-data.ts'

const SURFACE = join(REFERENCE_DATA, 'surface')
const MEREWETHER = join(SURFACE, 'merewether')

export const surfaceText = (name: string) => readFileSync(join(SURFACE, name), 'utf8')

/** The only entry of a zip file (method deflate). */
function unzipOnly(zip: Buffer): string {
  const directory = zip.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'))
  const packed = zip.readUInt32LE(directory + 20)
  const local = zip.readUInt32LE(directory + 42)
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  return inflateRawSync(zip.subarray(start, start + packed)).toString('latin1')
}

/** Terrain at 1 m, or means of `factor` x `factor` cells. */
export function merewetherData(factor = 1): MerewetherData {
  const text = (name: string) => readFileSync(join(MEREWETHER, name), 'utf8')
  const grid = readEsriAscii(unzipOnly(readFileSync(join(MEREWETHER, 'topography1.zip'))), 'topography1.asc')
  const houses = readdirSync(join(MEREWETHER, 'houses'))
    .filter((name) => !MEREWETHER_DUPLICATES.has(name))
    .map((name) => parsePolygon(text(join('houses', name))))
  const nrows = Math.floor(grid.nrows / factor)
  const ncols = Math.floor(grid.ncols / factor)
  // Rows are dropped at the southern edge, so the corner moves up with them.
  const yll = grid.yll + (grid.nrows - nrows * factor) * grid.cellSize
  const elevationM = new Float64Array(nrows * ncols)
  for (let cell = 0; cell < elevationM.length; cell++) {
    const row = Math.floor(cell / ncols) * factor
    const col = (cell % ncols) * factor
    let sum = 0
    for (let r = 0; r < factor; r++)
      for (let c = 0; c < factor; c++) sum += grid.data[(row + r) * grid.ncols + col + c]
    elevationM[cell] = sum / factor ** 2
  }
  return {
    nrows,
    ncols,
    cellSizeM: grid.cellSize * factor,
    xll: grid.xll,
    yll,
    elevationM,
    houses,
    road: parsePolygon(text('RoadPolygon.csv')),
    points: parseObservations(text('ObservationPoints.csv')),
  }
}

/** The isolated building, with measured depths at its gauges, m: `[gauge][hundredth of a second]`, NaN where there is none. */
export function buildingData(): BuildingData & { measuredM: number[][] } {
  const text = (name: string) => surfaceText(join('isolated_building', name))
  const body = (name: string) => text(name).slice(text(name).indexOf('\n'))
  const gauges = body('point_gauges.csv')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').map(Number))
    .map(([x, y, number]) => ({ name: `G${number}`, x, y }))
  const rows = text('building_gauges_h.txt')
    .trim()
    .split(/\r?\n/)
    .slice(2)
    .map((line) => line.split('\t').map((cell) => (cell.trim() === '' ? Number.NaN : Number(cell))))
  return {
    solids: ['dam_1.csv', 'dam_2.csv', 'building.csv'].map((name) => parsePolygon(body(name))),
    gauges,
    measuredM: gauges.map((_, gauge) => rows.map((row) => row[gauge + 1] ?? Number.NaN)),
  }
}

/** Root mean square difference from what was measured, m, from the wave's passing at 3 s to 30 s, by gauge. */
export function buildingErrors(depthsM: number[][], measuredM: number[][]): number[] {
  return depthsM.map((depths, gauge) => {
    const squares = depths
      .map((depth, k) => (k < 30 ? Number.NaN : (depth - measuredM[gauge][10 * k]) ** 2))
      .filter((square) => !Number.isNaN(square))
    return Math.sqrt(squares.reduce((a, b) => a + b, 0) / squares.length)
  })
}
