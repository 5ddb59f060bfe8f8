// The flood of June 2007 in Merewether, Newcastle (Australia), as set up for Australian Rainfall and Runoff
// Project 15 and in ANUGA's validation: 19.7 m3/s in the south-western corner, houses raised by 3 m, n 0.02 on the
// road and 0.04 elsewhere, steady state.
import { createSurface } from '../surface/surface.ts'
import type { KernelChoice, SurfaceOptions } from '../surface/types.ts'
import type { Polygon } from './polygons.ts'
import { isInside } from './polygons.ts'

export interface MerewetherData {
  nrows: number
  ncols: number
  cellSizeM: number
  xll: number
  yll: number
  elevationM: Float64Array
  houses: Polygon[]
  road: Polygon
  points: Array<{ id: number; x: number; y: number; observedM: number; tuflowM: number }>
}

export interface MerewetherLevel {
  id: number
  oursM: number
  observedM: number
  tuflowM: number
}

const INFLOW_M3S = 19.7
const INFLOW_AT = { x: 382265, y: 6354280, radiusM: 10 }
const HOUSE_M = 3
/** Houses that are parts of another in the list; see the data's own project file. */
export const MEREWETHER_DUPLICATES = new Set(['house030.csv', 'house032.csv', 'house033.csv'])

/** Columns x, y, ID, observed (draft), observed (final report), TUFLOW (final report). */
export function parseObservations(csv: string): MerewetherData['points'] {
  return csv
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(',').map(Number))
    .map(([x, y, id, , observedM, tuflowM]) => ({ id, x, y, observedM, tuflowM }))
    .sort((a, b) => a.id - b.id)
}

/** Levels at the five points after `endS`, and the largest change of level over the last tenth. */
export function merewether(
  data: MerewetherData,
  choice: KernelChoice,
  endS = 1000,
  options: SurfaceOptions = {},
): { levels: MerewetherLevel[]; driftM: number; relativeError: number } {
  const { nrows, ncols, cellSizeM, xll, yll } = data
  const elevationM = data.elevationM.slice()
  const manning = new Float64Array(elevationM.length)
  const inflow = new Float64Array(elevationM.length)
  const centre = (cell: number) => ({
    x: xll + ((cell % ncols) + 0.5) * cellSizeM,
    y: yll + (nrows - Math.floor(cell / ncols) - 0.5) * cellSizeM,
  })
  let inletCells = 0
  for (let cell = 0; cell < elevationM.length; cell++) {
    const { x, y } = centre(cell)
    manning[cell] = isInside(data.road, x, y) ? 0.02 : 0.04
    if (data.houses.some((house) => isInside(house, x, y))) elevationM[cell] += HOUSE_M
    if (Number.isNaN(elevationM[cell])) continue
    if (Math.hypot(x - INFLOW_AT.x, y - INFLOW_AT.y) > INFLOW_AT.radiusM) continue
    inflow[cell] = 1
    inletCells++
  }
  const rate = INFLOW_M3S / (inletCells * cellSizeM ** 2)
  const surface = createSurface(
    { nrows, ncols, cellSizeM, elevationM },
    { manning, edges: 'open' },
    choice,
    options,
  )
  surface.setRain(inflow.map((share) => share * rate))
  const cells = data.points.map(({ x, y }) => {
    const col = Math.floor((x - xll) / cellSizeM)
    const row = Math.floor((yll + nrows * cellSizeM - y) / cellSizeM)
    return row * ncols + col
  })
  const levels = () => cells.map((cell) => elevationM[cell] + surface.depthM(cell))
  let before: number[] = levels()
  for (let t = 0; t < endS; ) {
    const dt = surface.stableStepS()
    if (t < 0.9 * endS && t + dt >= 0.9 * endS) before = levels()
    surface.step(dt)
    t += dt
  }
  const after = levels()
  const v = surface.volumes()
  surface.dispose()
  return {
    levels: data.points.map(({ id, observedM, tuflowM }, k) => ({ id, oursM: after[k], observedM, tuflowM })),
    driftM: Math.max(...after.map((level, k) => Math.abs(level - before[k]))),
    relativeError: (v.rainM3 - v.surfaceM3 - v.edgeOutM3) / v.rainM3,
  }
}
