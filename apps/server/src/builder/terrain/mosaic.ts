import type { Box, Frame, Place } from '../grid.ts'
import { boxAround, boxOf, overlap, topOf } from '../grid.ts'
import { type Crs, type Mover, moverOf } from '../sources/crs.ts'
import type { Raster } from '../sources/raster.ts'
import {
  areaMeans,
  atMiddles,
  bilinear,
  movedCorners,
  nearest,
  overCorners,
  type Patch,
  sameLattice,
} from './resample.ts'

/** A raster with its system, and what its values are multiplied by. */
export interface Sheet {
  raster: Raster
  crs: Crs
  factor: number
}

/** Sheets whose cells lie on one lattice: they are read as one raster. */
interface Group {
  sheets: Sheet[]
  left: number
  top: number
  cellWidth: number
  cellHeight: number
  /** From the catchment's system to that of the sheets. */
  move: Mover
}

/** Rows of the catchment that are resampled at once: what is read for them stays in memory. */
const BAND_CELLS = 2e6

/** Cells around what is needed, for the values between middles. */
const MARGIN = 2

/** Brings sheets onto the catchment's grid, band by band. */
export class Mosaic {
  private readonly groups: Group[] = []
  private readonly frame: Frame

  constructor(sheets: readonly Sheet[], frame: Frame, crs: Crs) {
    this.frame = frame
    for (const sheet of sheets) {
      const { left, top, cellWidth, cellHeight } = sheet.raster
      const [west, south, east, north] = boxOf(frame)
      const move = moverOf(crs, sheet.crs, [
        [west, south],
        [east, north],
      ])
      const known = this.groups.find(
        (group) => group.sheets[0].crs.name === sheet.crs.name && onLattice(group, sheet.raster),
      )
      if (known) known.sheets.push(sheet)
      else this.groups.push({ sheets: [sheet], left, top, cellWidth, cellHeight, move })
    }
  }

  /**
   * Values of all cells; of several lattices the first that has one. `way` tells how each was read.
   * @returns `[row * ncols + col]`, NaN where no sheet has data
   */
  async values(how: 'auto' | 'nearest'): Promise<{ values: Float64Array; ways: Set<string> }> {
    const { ncols, nrows } = this.frame
    const values = new Float64Array(ncols * nrows).fill(Number.NaN)
    const ways = new Set<string>()
    for (const group of this.groups) {
      const finer = Math.max(1, finerThan(group, this.frame))
      const rows = Math.max(1, Math.floor(BAND_CELLS / (ncols * finer * finer)))
      for (let row0 = 0; row0 < nrows; row0 += rows) {
        const row1 = Math.min(nrows, row0 + rows)
        const band = await this.band(group, row0, row1, how, ways)
        if (band === null) continue
        const from = row0 * ncols
        for (let k = 0; k < band.length; k++) if (Number.isNaN(values[from + k])) values[from + k] = band[k]
      }
    }
    return { values, ways }
  }

  /** Boxes of the sheets in their own systems do not matter here: does any lie under the catchment? */
  async band(
    group: Group,
    row0: number,
    row1: number,
    how: 'auto' | 'nearest',
    ways: Set<string>,
  ): Promise<Float64Array | null> {
    const { frame } = this
    if (group.move === null) {
      const { xll, ncols, cellSize } = frame
      const top = topOf(frame)
      const box: Box = [xll, top - row1 * cellSize, xll + ncols * cellSize, top - row0 * cellSize]
      const patch = await patchOf(group, box)
      if (patch === null) return null
      if (sameLattice(patch, frame)) {
        ways.add('same')
        return atMiddles(frame, row0, row1, (x, y) => nearest(patch, x, y))
      }
      if (how === 'nearest') {
        ways.add('nearest')
        return atMiddles(frame, row0, row1, (x, y) => nearest(patch, x, y))
      }
      if (frame.cellSize > Math.max(patch.cellWidth, patch.cellHeight) * (1 + 1e-9)) {
        ways.add('mean')
        return areaMeans(patch, frame, row0, row1)
      }
      ways.add('bilinear')
      return atMiddles(frame, row0, row1, (x, y) => bilinear(patch, x, y))
    }
    const corners = movedCorners(frame, row0, row1, group.move)
    const box = boxAround(pairs(corners.places))
    const patch = box === null ? null : await patchOf(group, box)
    if (patch === null) return null
    ways.add(how === 'nearest' ? 'nearest' : 'moved')
    return overCorners(patch, frame.ncols, corners, how === 'nearest' ? 'nearest' : 'mean')
  }
}

function* pairs(places: Float64Array): Generator<Place> {
  for (let k = 0; k < places.length; k += 2) yield [places[k], places[k + 1]]
}

/** Cells of a group along a side of one of the catchment. */
function finerThan({ cellWidth, cellHeight, move }: Group, { cellSize, xll, yll }: Frame): number {
  if (move === null) return cellSize / Math.min(cellWidth, cellHeight)
  const [x0, y0] = move([xll, yll])
  const [x1, y1] = move([xll + cellSize, yll + cellSize])
  return Math.max(Math.abs(x1 - x0) / cellWidth, Math.abs(y1 - y0) / cellHeight)
}

function onLattice(group: Group, raster: Raster): boolean {
  const near = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * b
  if (!near(raster.cellWidth, group.cellWidth) || !near(raster.cellHeight, group.cellHeight)) return false
  const whole = (value: number) => Math.abs(value - Math.round(value)) < 1e-3
  return (
    whole((raster.left - group.left) / group.cellWidth) && whole((group.top - raster.top) / group.cellHeight)
  )
}

/** What the sheets of a group have in a box, and a little around it; null where they have nothing there. */
async function patchOf(group: Group, [west, south, east, north]: Box): Promise<Patch | null> {
  const { left, top, cellWidth, cellHeight } = group
  const col0 = Math.floor((west - left) / cellWidth) - MARGIN
  const col1 = Math.ceil((east - left) / cellWidth) + MARGIN
  const row0 = Math.floor((top - north) / cellHeight) - MARGIN
  const row1 = Math.ceil((top - south) / cellHeight) + MARGIN
  const inside: Box = [
    left + col0 * cellWidth,
    top - row1 * cellHeight,
    left + col1 * cellWidth,
    top - row0 * cellHeight,
  ]
  const near = group.sheets.filter(({ raster }) =>
    overlap(inside, [
      raster.left,
      raster.top - raster.nrows * raster.cellHeight,
      raster.left + raster.ncols * raster.cellWidth,
      raster.top,
    ]),
  )
  if (near.length === 0) return null
  const [ncols, nrows] = [col1 - col0, row1 - row0]
  const data = new Float64Array(ncols * nrows).fill(Number.NaN)
  for (const { raster, factor } of near) {
    // Place of the sheet's first cell in the patch.
    const c0 = Math.round((raster.left - left) / cellWidth) - col0
    const r0 = Math.round((top - raster.top) / cellHeight) - row0
    const window = {
      col0: Math.max(0, -c0),
      row0: Math.max(0, -r0),
      col1: Math.min(raster.ncols, ncols - c0),
      row1: Math.min(raster.nrows, nrows - r0),
    }
    if (window.col0 >= window.col1 || window.row0 >= window.row1) continue
    const values = await raster.read(window)
    const width = window.col1 - window.col0
    for (let row = window.row0; row < window.row1; row++)
      for (let col = window.col0; col < window.col1; col++) {
        const at = (r0 + row) * ncols + c0 + col
        // Of sheets that overlap the first one in the list holds.
        if (Number.isNaN(data[at]))
          data[at] = factor * values[(row - window.row0) * width + col - window.col0]
      }
  }
  return { ncols, nrows, left: inside[0], top: inside[3], cellWidth, cellHeight, data }
}
