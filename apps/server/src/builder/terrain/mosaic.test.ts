import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Frame, middleOf } from '../grid.ts'
import { crsOf } from '../sources/crs.ts'
import type { Raster, Window } from '../sources/raster.ts'
import { Mosaic, type Sheet } from './mosaic.ts'

const FOOT_M = 0.3048
const frame: Frame = { ncols: 8, nrows: 6, xll: 672_500, yll: 6_824_800, cellSize: 10 }
const crs = crsOf('EPSG:2154')
const [SLOPE_X, SLOPE_Y] = [0.1, -0.2]
const level = (x: number, y: number) => 50 + SLOPE_X * (x - frame.xll) + SLOPE_Y * (y - frame.yll)

interface Place {
  /** Of the sheet's south-west corner from the frame's, m. */
  dx: number
  dy: number
  ncols: number
  nrows: number
  cell: number
}

/** A sheet whose cells hold the plane, plus a step that tells which sheet it is. */
function sheetOf({ dx, dy, ncols, nrows, cell }: Place, step: number, feet: boolean): Sheet {
  const [left, top] = [frame.xll + dx, frame.yll + dy + nrows * cell]
  const factor = feet ? FOOT_M : 1
  const value = (col: number, row: number) =>
    (step + level(left + (col + 0.5) * cell, top - (row + 0.5) * cell)) / factor
  const raster: Raster = {
    ...{ name: 'mnt', ncols, nrows, left, top, cellWidth: cell, cellHeight: cell },
    ...{ crs: null, unit: null, commas: 0 },
    read: async ({ col0, row0, col1, row1 }: Window) =>
      Float64Array.from({ length: (col1 - col0) * (row1 - row0) }, (_, k) =>
        value(col0 + (k % (col1 - col0)), row0 + Math.floor(k / (col1 - col0))),
      ),
    close: async () => undefined,
  }
  return { raster, crs, factor }
}

/** How far a cell of the frame lies inside a sheet, m; negative outside. */
function depthIn({ dx, dy, ncols, nrows, cell }: Place, k: number): number {
  const [x, y] = middleOf(frame, k)
  const [east, north] = [x - frame.xll - dx, y - frame.yll - dy]
  return Math.min(east, north, ncols * cell - east, nrows * cell - north) - frame.cellSize / 2
}

/**
 * A mean over whole cells of a sheet is the plane's; one that cuts a cell takes that cell's level for the part, which is off by
 * an eighth of its square at most along each axis.
 */
function toleranceOf({ cell }: Place): number {
  const whole = Number.isInteger(frame.cellSize / cell) || cell >= frame.cellSize
  return 1e-6 + (whole ? 0 : ((Math.abs(SLOPE_X) + Math.abs(SLOPE_Y)) * cell ** 2) / (8 * frame.cellSize))
}

const place = fc.record({
  dx: fc.integer({ min: -40, max: 60 }),
  dy: fc.integer({ min: -40, max: 40 }),
  ncols: fc.integer({ min: 1, max: 30 }),
  nrows: fc.integer({ min: 1, max: 30 }),
  cell: fc.constantFrom(2, 2.5, 7, 10, 13, 25),
})

test('sheets of other resolutions and units that overlap give their plane, the first one where it lies', async () => {
  await fc.assert(
    fc.asyncProperty(place, place, fc.boolean(), fc.boolean(), async (first, second, feet, otherFeet) => {
      const sheets = [sheetOf(first, 0, feet), sheetOf(second, 1000, otherFeet)]
      const { values } = await new Mosaic(sheets, frame, crs).values('auto')
      for (let k = 0; k < values.length; k++) {
        const [x, y] = middleOf(frame, k)
        const [one, two] = [depthIn(first, k), depthIn(second, k)]
        // Between the edge of a sheet and its outermost middles no plane can be known.
        if (one >= first.cell / 2) expect(Math.abs(values[k] - level(x, y))).toBeLessThan(toleranceOf(first))
        else if (one < -frame.cellSize - first.cell / 2 && two >= second.cell / 2)
          expect(Math.abs(values[k] - 1000 - level(x, y))).toBeLessThan(toleranceOf(second))
        else if (one <= -frame.cellSize && two <= -frame.cellSize) expect(values[k]).toBeNaN()
      }
    }),
    { numRuns: 300 },
  )
})
