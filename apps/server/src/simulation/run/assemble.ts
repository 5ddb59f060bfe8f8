import { SurfaceMeasures } from '@radx/hydrology/measures/measures'
import type { Rain } from '@radx/hydrology/rain/rain'
import { createSewer } from '@radx/hydrology/sewer/solver'
import { Simulation } from '@radx/hydrology/simulation'
import { createSurface } from '@radx/hydrology/surface/surface'
import type { KernelChoice } from '@radx/hydrology/surface/types'
import { sewerWasm } from '../../store/sewer-kernel.ts'
import { surfaceParams } from '../land-use/land-use-params.ts'
import { placedMeasures } from './measures.ts'
import type { RunTask } from './run.ts'

/** Of a run what its engine is made of. */
export type EngineTask = Pick<
  RunTask,
  'catchment' | 'options' | 'landUseCodes' | 'classes' | 'surfaceOptions' | 'kernel' | 'kernelFolder'
>

/** Surface, soil and sewer of a catchment, before their first step. */
export function assemble(task: EngineTask, rain: Rain, kernel: KernelChoice): Simulation {
  const { catchment, options } = task
  const { elevation, start } = catchment
  const params = surfaceParams({
    codes: task.landUseCodes ?? catchment.landUse.data,
    classes: task.classes ?? catchment.classes,
    permanentWaterCode: catchment.catchment.permanentWaterCode,
    soil: options.soil,
    soilState: options.soilState,
  })
  const bounded = start.boundaries.length > 0
  const surface = createSurface(
    {
      nrows: elevation.nrows,
      ncols: elevation.ncols,
      cellSizeM: elevation.cellSize,
      elevationM: elevation.data,
    },
    {
      ...params,
      edges: catchment.catchment.edges,
      bounded: start.boundaries.flatMap(({ faces }) => faces),
      raised: start.raised,
    },
    kernel,
    // What the host fills and empties beside the edge holds for one part of a step.
    bounded ? { halvings: 0, ...task.surfaceOptions } : task.surfaceOptions,
  )
  if (start.depthM) surface.setInitial(start.depthM, start.eastMS, start.northMS)
  if (bounded) surface.setBoundaries(start.boundaries)
  const placed = placedMeasures(task)
  const measures =
    placed.length > 0
      ? new SurfaceMeasures(
          surface,
          placed.map(({ site }) => site),
        )
      : undefined
  if (catchment.networkText === null) return new Simulation({ surface, rain, measures })
  const coupling = { gullies: catchment.gullies, nodeCells: catchment.nodeCells, takes: options.drainage }
  const wasm = task.kernel === 'reference' ? undefined : sewerWasm('implicit', task.kernelFolder)
  const sewer = createSewer(catchment.network, { coupled: true, wasm })
  return new Simulation({ surface, rain, measures, sewer: { sewer, coupling } })
}
