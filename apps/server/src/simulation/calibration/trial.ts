import type { ObservedQuantity, ParameterValue } from '@radx/contracts/calibration'
import { valuesAt } from '@radx/hydrology/calibration/scores'
import type { Rain } from '@radx/hydrology/rain/rain'
import type { Simulation } from '@radx/hydrology/simulation'
import { assemble, type EngineTask } from '../run/assemble.ts'
import { chooseKernel, fullChoice } from '../run/kernel.ts'
import { type PackedRain, unpackRain } from './packed-rain.ts'
import { withParameters } from './parameters.ts'
import type { Target } from './places.ts'

/** A measured series at an event: what lies in its time, in SI, above the datum of its place. */
export interface ObservedSeries {
  name: string
  quantity: ObservedQuantity
  target: Target
  /** s since the start of the event, ascending. */
  timesS: Float64Array
  /** m or m3/s; NaN = missing. */
  values: Float64Array
}

/** A rain on a catchment with what was measured meanwhile. It can go to a thread. */
export interface EventSetup extends EngineTask {
  name: string
  use: 'calibration' | 'validation'
  rain: PackedRain
  /** Equations of the surface. */
  scheme: 'inertial' | 'full'
  series: ObservedSeries[]
}

/** Means of the network are taken over this long at most, s. */
const MOST_EVERY_S = 60

/**
 * Computes an event with values of parameters. Flows and depths of the network are means over up to a minute, taken at the middle of it;
 * depths on cells those of the moment.
 *
 * @returns of each series the simulated values at its moments, NaN outside the event
 */
export function simulateEvent(
  event: EventSetup,
  values: readonly ParameterValue[],
  signal?: AbortSignal,
): Float64Array[] {
  const { kernel, kernelFolder } = event
  const { choice } =
    event.scheme === 'full' ? fullChoice({ kernel, kernelFolder }, 1) : chooseKernel(1, kernel, kernelFolder)
  const rain = unpackRain(event.rain)
  const parts = withParameters(
    { catchment: event.catchment, classes: event.classes ?? event.catchment.classes },
    values,
  )
  const simulation = assemble({ ...event, ...parts }, rain, choice)
  try {
    return followed(simulation, rain, event.series, signal)
  } finally {
    simulation.surface.dispose()
  }
}

function followed(
  simulation: Simulation,
  rain: Rain,
  series: readonly ObservedSeries[],
  signal?: AbortSignal,
): Float64Array[] {
  const everyS = Math.min(MOST_EVERY_S, rain.intervalS)
  const count = Math.max(1, Math.ceil(rain.durationS / everyS - 1e-9))
  const middlesS = new Float64Array(count)
  const endsS = new Float64Array(count + 1)
  const courses = series.map(({ target }) => new Float64Array(target.of === 'cells' ? count + 1 : count))
  series.forEach(({ target }, k) => {
    if (target.of === 'cells') courses[k][0] = deepest(simulation, target.cells)
  })
  for (let i = 0; i < count; i++) {
    signal?.throwIfAborted()
    const endS = Math.min((i + 1) * everyS, rain.durationS)
    middlesS[i] = (endsS[i] + endS) / 2
    endsS[i + 1] = endS
    simulation.advance(endS)
    const { flowsM3S, depthsM } = simulation.takeMeans()
    series.forEach(({ target }, k) => {
      if (target.of === 'cells') courses[k][i + 1] = deepest(simulation, target.cells)
      else courses[k][i] = (target.of === 'link' ? flowsM3S : depthsM)[target.at]
    })
  }
  return series.map(({ target, timesS }, k) =>
    valuesAt(target.of === 'cells' ? endsS : middlesS, courses[k], timesS),
  )
}

function deepest({ surface }: Simulation, cells: readonly number[]): number {
  let depthM = 0
  for (const cell of cells) depthM = Math.max(depthM, surface.depthM(cell))
  return depthM
}
