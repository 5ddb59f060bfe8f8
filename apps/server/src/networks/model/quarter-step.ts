import type { SewerOptions } from '@radx/contracts'
import { loadModel } from './load.ts'
import { type Simulated, type SimulationOptions, simulate } from './simulate.ts'
import { compared, type Moved, percent, UNMOVED } from './surcharge.ts'

/** How far results at a quarter of the step are off the run's own. */
export interface StepCheck extends Moved {
  /** Longest step of the run and of the other, s. */
  stepS: number
  quarterS: number
  /** Why the other's results are not known; else null. */
  unknown: 'stopped' | 'failed' | null
}

const SHARE = 4
/** A run is as good as converged where nothing moves by more than this. */
const CONVERGED = 0.01

/** Every length of a step that a file asks for, in quarters, as the bed of validation has EPA SWMM's. */
function quarter(options: SewerOptions): void {
  options.routingStepS /= SHARE
  if (options.courantFactor !== undefined) options.courantFactor /= SHARE
  if (options.minRoutingStepS !== undefined) options.minRoutingStepS /= SHARE
}

/**
 * Runs a model once more, at a quarter of its step, and compares.
 * @param path of the model's file
 */
export async function checkStep(
  run: Simulated,
  path: string,
  options: Pick<SimulationOptions, 'implicit' | 'signal' | 'onProgress'> & {
    hydraulicsOnly?: boolean
  },
): Promise<StepCheck> {
  const { hydraulicsOnly, implicit, signal, onProgress } = options
  const model = await loadModel(path, hydraulicsOnly !== true)
  const stepS = run.sewer.longestStepS
  quarter(model.network.options)
  const check = { ...UNMOVED, stepS, quarterS: stepS / SHARE, unknown: null }
  if (run.stopped) return { ...check, unknown: 'stopped' }
  const maxStepS = implicit ? stepS / SHARE : undefined
  const again = await simulate(model, { implicit, maxStepS, signal, onProgress })
  if (again.stopped) return { ...check, unknown: again.stopped.reason === 'failed' ? 'failed' : 'stopped' }
  const { flooded, outfall } = again.sewer.totals()
  return compared(check, run, { peaks: again.peaks.link.maxAbsFlow, flooded, outfall }, CONVERGED)
}

/** What is told of it; null where the step does not matter. */
export function stepWarning(check: StepCheck): string | null {
  const { stepS, quarterS, links, linksMoved, largest, largestAt, flooded, outfall, moves } = check
  if (!moves) return null
  const seconds = (s: number) => s.toLocaleString('fr-FR', { maximumFractionDigits: 3 })
  const most = linksMoved > 0 ? ` (au plus ${percent(largest)}, lien ${largestAt})` : ''
  return (
    `Pas de calcul : avec un pas d’au plus ${seconds(quarterS)} s au lieu de ${seconds(stepS)} s, le débit maximal change de plus de 1 % ` +
    `dans ${linksMoved} des ${links} liens qui comptent${most}, le volume débordé de ${percent(flooded)}, celui des exutoires de ` +
    `${percent(outfall)}. Ces résultats dépendent du pas : choisissez-le plus court.`
  )
}
