import type { Simulation } from '@radx/hydrology/simulation'
import { restoreState, saveState } from '@radx/hydrology/state/state'
import { KERNEL_FOLDER } from '../../store/sewer-kernel.ts'
import { StateError } from '../state/errors.ts'
import { checkIdentity, identityOf, kernelsOf } from '../state/identity.ts'
import type { RunAbout, RunIdentity, RunState } from '../state/run-state.ts'
import type { Begun, Intervals } from './intervals.ts'
import type { Recorder } from './recorder.ts'
import type { RunTask } from './run.ts'
import type { SchemeTaken } from './scheme.ts'
import { FroudeWatch, NeedsFullScheme } from './scheme.ts'

type Kernel = 'reference' | 'simd'

/** Kernels as a state names them. */
export const kernelName = (kernel: Kernel, folder = KERNEL_FOLDER) =>
  kernel === 'reference' ? kernel : kernelsOf(folder)

/** The state of a run at the end of an interval. */
export function stateOf(
  task: RunTask,
  simulation: Simulation,
  recorder: Recorder,
  { intervals, taken, kernel }: { intervals: Intervals; taken: SchemeTaken; kernel: Kernel },
): RunState {
  const { scheme, order, schemeReason, froude } = taken
  const choice = task.from?.about.engine.choice ?? task.scheme ?? 'inertial'
  const { last, intervalS, perFrame } = intervals
  return {
    about: {
      identity: identityOf(task),
      engine: { kernels: kernelName(kernel, task.kernelFolder), choice, scheme, order, schemeReason, froude },
      ...{ timeS: simulation.timeS, results: { intervals: last, intervalS, perFrame } },
    },
    engine: saveState((state) => simulation.visit(state)),
    record: saveState((state) => recorder.visit(state)),
  }
}

/** Puts a state back. @throws HydrologyError `state.layout` when it is of another engine */
export function takeUp({ engine, record }: RunState, simulation: Simulation, recorder: Recorder): void {
  restoreState((state) => simulation.visit(state), engine)
  restoreState((state) => recorder.visit(state), record)
}

/** @throws StateError `state.moment` for the state of a run that wrote no result files */
export function begunOf({ about: { timeS, results } }: RunState): Begun {
  if (results) return { timeS, ...results }
  throw new StateError(
    'state.moment',
    'L’état est celui d’un calcul sans fichiers de résultats : il ne garde ni maximums ni bilans depuis son début. Donner un état écrit par --save-state.',
  )
}

/** @throws StateError when the run of a task is not the one whose state it has to go on from, or has other kernels */
export function checkState(task: RunTask, { about }: RunState, kernel: Kernel): void {
  checkEngine(about, { identity: identityOf(task), kernels: kernelName(kernel, task.kernelFolder) }, task)
}

/** @throws StateError for the state of other data, of other kernels, or of another scheme than is asked for */
export function checkEngine(
  about: RunAbout,
  own: { identity: RunIdentity; kernels: string },
  asked: Pick<RunTask, 'scheme' | 'order'>,
): void {
  checkIdentity(about.identity, own.identity)
  const { kernels, choice, scheme, order } = about.engine
  if (kernels !== own.kernels)
    throw new StateError(
      'state.engine',
      'L’état vient d’un calcul avec d’autres noyaux compilés : la suite ne serait pas la même au bit près. Refaire l’état avec ce programme, ou lancer « npm run build:kernels » si les noyaux manquent ici.',
    )
  if (asked.scheme !== undefined && asked.scheme !== choice)
    throw new StateError(
      'state.scheme',
      `L’état vient d’un calcul lancé avec --scheme ${choice} : la suite ne peut être calculée avec --scheme ${asked.scheme}.`,
    )
  if (asked.order !== undefined && scheme === 'full' && asked.order !== order)
    throw new StateError(
      'state.scheme',
      `L’état vient d’équations complètes d’ordre ${order} : la suite ne peut être d’ordre ${asked.order}.`,
    )
}

/** The scheme that a state goes on with; `auto` watches on. */
export function schemeOf({ about }: RunState): { taken: SchemeTaken; watch?: FroudeWatch } {
  const { choice, scheme, order, schemeReason, froude } = about.engine
  const taken: SchemeTaken = { scheme, ...(order && { order }), schemeReason, ...(froude && { froude }) }
  return { taken, ...(choice === 'auto' && scheme === 'inertial' && { watch: new FroudeWatch() }) }
}

/** A run cannot begin anew in its middle. */
export function refuseOtherScheme(error: unknown): unknown {
  if (!(error instanceof NeedsFullScheme)) return error
  return new StateError(
    'state.scheme',
    'L’eau devient trop rapide pour l’inertie locale, avec laquelle l’état a été calculé. Reprendre le calcul depuis le début avec --scheme full, ou avec --scheme inertial si cela suffit.',
  )
}
