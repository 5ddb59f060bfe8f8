import type { SurfaceGrid, SurfaceParams } from '../surface/types.ts'

/** A small made-up town on a hillside: streets, houses, gardens, a pond, cells outside. Deterministic. */
export function smallTown(nrows = 60, ncols = 70): { grid: SurfaceGrid; params: SurfaceParams } {
  const cells = nrows * ncols
  const field = () => new Float64Array(cells)
  const elevationM = field()
  const manning = field()
  const interceptionM = field()
  const soil = { khMS: field(), capshM: field(), soilmd: field() }
  const permanentWater = new Uint8Array(cells)
  for (let cell = 0; cell < cells; cell++) {
    const row = Math.floor(cell / ncols)
    const col = cell % ncols
    const street = row % 12 === 5 || col % 15 === 7
    const house = !street && row % 12 > 7 && col % 15 > 9
    elevationM[cell] =
      50 +
      0.25 * row +
      0.12 * Math.abs(col - ncols / 2) +
      0.2 * Math.sin(cell * 0.377) +
      (street ? -0.1 : house ? 0.3 : 0)
    manning[cell] = street ? 0.015 : house ? 0.02 : 0.2
    interceptionM[cell] = street || house ? 0.0005 : 0.002
    if (!street && !house) {
      soil.khMS[cell] = 1.8e-6
      soil.capshM[cell] = 0.167
      soil.soilmd[cell] = 0.3
    }
    if (row < 4 && Math.abs(col - ncols / 2) < 6) permanentWater[cell] = 1
    if (row + col < 9 || row > nrows - 3) elevationM[cell] = Number.NaN
  }
  return {
    grid: { nrows, ncols, cellSizeM: 10, elevationM },
    params: { manning, interceptionM, soil, permanentWater, edges: 'open' },
  }
}
