// Dam break against an isolated building (Soares-Frazao and Zech 2007; test 6A of the Environment Agency's benchmarks): a flume
// of 35.8 x 3.6 m with sloping sides, a gate of 1 m between two piers, a building turned by 64 degrees; closed all round.
import { createSurface } from '../surface/surface.ts'
import type { KernelChoice } from '../surface/types.ts'
import type { Polygon } from './polygons.ts'
import { isInside } from './polygons.ts'

export interface BuildingData {
  /** Piers and the building: no water. */
  solids: Polygon[]
  gauges: Array<{ name: string; x: number; y: number }>
}

const LENGTH_M = 35.8
const WIDTH_M = 3.6
const GATE_X_M = 6.75
const RESERVOIR_M = 0.4
const TAIL_M = 0.02
const SIDE = { heightM: 0.155, widthM: 0.34 }
const MANNING = 0.01

/** Depth, m, at the gauges every `everyS` from 0 to `endS`: `[gauge][moment]`, and the balance's error over the water. */
export function isolatedBuilding(
  { solids, gauges }: BuildingData,
  cellSizeM: number,
  choice: KernelChoice,
  endS: number,
  everyS: number,
): { depthsM: number[][]; relativeError: number } {
  const ncols = Math.round(LENGTH_M / cellSizeM)
  const nrows = Math.round(WIDTH_M / cellSizeM)
  const x = (cell: number) => ((cell % ncols) + 0.5) * cellSizeM
  const y = (cell: number) => (nrows - Math.floor(cell / ncols) - 0.5) * cellSizeM
  const elevationM = Float64Array.from({ length: nrows * ncols }, (_, cell) => {
    if (solids.some((solid) => isInside(solid, x(cell), y(cell)))) return Number.NaN
    const fromWall = Math.min(y(cell), WIDTH_M - y(cell))
    return Math.max(0, SIDE.heightM * (1 - fromWall / SIDE.widthM))
  })
  const surface = createSurface(
    { nrows, ncols, cellSizeM, elevationM },
    { manning: new Float64Array(elevationM.length).fill(MANNING), edges: 'closed' },
    choice,
  )
  surface.setInitial(
    elevationM.map((z, cell) => Math.max(0, (x(cell) < GATE_X_M ? RESERVOIR_M : TAIL_M) - z) || 0),
  )
  const cells = gauges.map(
    (gauge) =>
      (nrows - 1 - Math.floor(gauge.y / cellSizeM + 1e-9)) * ncols + Math.floor(gauge.x / cellSizeM + 1e-9),
  )
  const depthsM = cells.map((cell) => [surface.depthM(cell)])
  for (let k = 1; k <= Math.round(endS / everyS); k++) {
    for (let t = (k - 1) * everyS; t < k * everyS - 1e-9; ) {
      const dt = Math.min(surface.stableStepS(), k * everyS - t)
      surface.step(dt)
      t += dt
    }
    for (const [gauge, cell] of cells.entries()) depthsM[gauge].push(surface.depthM(cell))
  }
  const { initialM3, surfaceM3 } = surface.volumes()
  surface.dispose()
  return { depthsM, relativeError: (initialM3 - surfaceM3) / initialM3 }
}
