import { join } from 'node:path'
import { DEFAULT_LAND_USE } from '@radx/contracts/landuse'
import type { Rain } from '@radx/hydrology/rain/rain'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { Simulation } from '@radx/hydrology/simulation'
import { createSurface } from '@radx/hydrology/surface/surface'
import type { KernelChoice, SurfaceOptions } from '@radx/hydrology/surface/types'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import type { CatchmentPackage } from '../../apps/server/src/simulation/catchment/catchment-package.ts'
import { readCatchmentPackage } from '../../apps/server/src/simulation/catchment/catchment-package.ts'
import { surfaceParams } from '../../apps/server/src/simulation/land-use/land-use-params.ts'
import { REFERENCE_DATA } from './reference-data.ts'

export const readMelun = () => readCatchmentPackage(join(REFERENCE_DATA, 'melun'))

/** Simple triangle of 30 min, without its 15 dry minutes at the start. */
export function triangle(iMax: number, calmAfter: number): Rain {
  return uniformRain(virtualRain('simple', { d: 30, t: 15, iMax, calmAfter }).slice(15), 60)
}

/** Surface and soil of Melun without its sewer. */
export function melunSurface(
  melun: CatchmentPackage,
  rain: Rain,
  choice: KernelChoice,
  options: SurfaceOptions = {},
) {
  const { elevation, landUse, catchment } = melun
  const surface = createSurface(
    {
      nrows: elevation.nrows,
      ncols: elevation.ncols,
      cellSizeM: elevation.cellSize,
      elevationM: elevation.data,
    },
    surfaceParams({
      codes: landUse.data,
      classes: DEFAULT_LAND_USE,
      permanentWaterCode: catchment.permanentWaterCode,
      soil: true,
    }),
    choice,
    options,
  )
  return new Simulation({ surface, rain })
}

/** Largest depths and speeds of two runs, over cells that were ever wetter than 1 mm. */
export function compareMaxima(a: Simulation, b: Simulation) {
  const [depthA, depthB] = [a, b].map((run) => run.surface.snapshot('maxDepth'))
  const [speedA, speedB] = [a, b].map((run) => run.surface.snapshot('maxSpeed'))
  const relativeDepth: number[] = []
  const relativeSpeed: number[] = []
  const depthM: number[] = []
  let over10mm = 0
  for (let cell = 0; cell < depthA.length; cell++) {
    if (!(depthB[cell] > 1e-3)) continue
    const difference = Math.abs(depthA[cell] - depthB[cell])
    depthM.push(difference)
    if (difference > 0.01) over10mm++
    relativeDepth.push(difference / depthB[cell])
    if (speedB[cell] > 0.01) relativeSpeed.push(Math.abs(speedA[cell] - speedB[cell]) / speedB[cell])
  }
  const at = (values: number[], share: number) =>
    values.sort((x, y) => x - y)[Math.floor(share * (values.length - 1))]
  return {
    cells: depthM.length,
    over10mm,
    depthP99M: at(depthM, 0.99),
    depthLargestM: at(depthM, 1),
    relativeDepthP99: at(relativeDepth, 0.99),
    relativeSpeedP99: at(relativeSpeed, 0.99),
    fastestMS: speedA.reduce((most, speed) => Math.max(Number.isNaN(speed) ? 0 : speed, most), 0),
  }
}
