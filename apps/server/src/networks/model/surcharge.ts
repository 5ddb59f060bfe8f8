import { Worker } from 'node:worker_threads'
import type { SewerNetwork } from '@radx/contracts'
import type { InpResult } from '@radx/formats/inp/read'
import { loadModel } from './load.ts'
import { type Simulated, type SimulationOptions, simulate } from './simulate.ts'

/** What a thread is told, and answers: results by which both methods are compared, in SI, in the file's order. */
export interface OtherMethodTask {
  /** Path of the file. */
  network: string
  hydraulicsOnly?: boolean
  maxStepS?: number
  implicit?: boolean
}
export interface MethodResults {
  /** Largest flow of each link, m3/s. */
  peaks: Float64Array
  /** m3. */
  flooded: number
  outfall: number
}

/** How far another run's results are off, shares of the own ones. */
export interface Moved {
  /** Peak flows of links above 2 % of the largest: how many, how many that differ by more than is told, and the largest difference. */
  links: number
  linksMoved: number
  largest: number
  largestAt: string
  flooded: number
  outfall: number
  /** Whether a peak, or the flooded or the outfall volume, differs by more than is told. */
  moves: boolean
}

/** How far the other method's results are off the file's own. */
export interface SurchargeCheck extends Moved {
  used: SewerNetwork['options']['surchargeMethod']
  other: SewerNetwork['options']['surchargeMethod']
  /** Why the other method's results are not known; else null. */
  unknown: 'free' | 'stopped' | 'slow' | 'failed' | null
}

export const UNMOVED: Moved = {
  ...{ links: 0, linksMoved: 0, largest: 0, largestAt: '', flooded: 0, outfall: 0, moves: false },
}

/** Differences beyond this are told. */
const MOVED = 0.05
/** Links with less than this share of the largest flow do not count, nor volumes of less than VOLUME of all that comes in. */
const MAIN = 0.02
const VOLUME = 0.01
/** The other run may go on for as long as the file's own took, and this, s. */
const PATIENCE_S = 5

/** A run that is over within this has the other one behind it instead of beside it: a thread takes as long to begin, s. */
const SHORT_S = 2

/** The model once more, with the other SURCHARGE_METHOD; null when it does not come to its end. */
export async function runOtherMethod(
  task: OtherMethodTask,
  signal?: AbortSignal,
): Promise<MethodResults | null> {
  const { maxStepS, implicit } = task
  return runTurned(await loadModel(task.network, task.hydraulicsOnly !== true), {
    ...{ maxStepS, implicit, signal },
  })
}

/** Runs a model, which it changes, by the method that its file does not ask for. */
async function runTurned(model: InpResult, options: SimulationOptions): Promise<MethodResults | null> {
  const { options: file } = model.network
  file.surchargeMethod = otherOf(file.surchargeMethod)
  const { sewer, peaks, stopped } = await simulate(model, options)
  if (stopped) return null
  const { flooded, outfall } = sewer.totals()
  return { peaks: peaks.link.maxAbsFlow, flooded, outfall }
}

type Method = SewerNetwork['options']['surchargeMethod']
const otherOf = (method: Method): Method => (method === 'SLOT' ? 'EXTRAN' : 'SLOT')

/**
 * Compares a run with one by the other SURCHARGE_METHOD behind it, where a pipe was full; the latter may take as long as
 * the run itself, and PATIENCE_S.
 * @param again the same model and rain anew
 */
export async function checkBehind(
  run: Simulated,
  again: () => Promise<InpResult>,
  options: Pick<SimulationOptions, 'implicit' | 'signal' | 'onProgress'>,
): Promise<SurchargeCheck> {
  const check = uncheckedOf(run)
  if (!run.peaks.link.surchargedS.some((seconds) => seconds > 0)) return { ...check, unknown: 'free' }
  const { signal } = options
  const slow = AbortSignal.timeout(Math.ceil(1000 * (run.wallSeconds + PATIENCE_S)))
  const late = signal ? AbortSignal.any([slow, signal]) : slow
  const other = await runTurned(await again(), { ...options, signal: late })
  return other ? compared(check, run, other) : { ...check, unknown: unknownOf(slow, signal) }
}

const unknownOf = (slow: AbortSignal, signal?: AbortSignal): SurchargeCheck['unknown'] =>
  slow.aborted ? 'slow' : signal?.aborted ? 'stopped' : 'failed'

const uncheckedOf = ({ sewer }: Simulated): SurchargeCheck => {
  const used = sewer.network.options.surchargeMethod
  return {
    ...{ ...UNMOVED, used, other: otherOf(used), unknown: null },
  }
}

/** @param toldFrom share from which on a difference is told */
export function compared<C extends Moved>(
  check: C,
  { sewer, peaks }: Simulated,
  other: MethodResults,
  toldFrom = MOVED,
): C {
  const { inflow, initial, flooded, outfall } = sewer.totals()
  const own = { peaks: peaks.link.maxAbsFlow, flooded, outfall }
  return compareMethods(check, own, other, inflow + initial, (i) => sewer.network.links[i].name, toldFrom)
}

/** The run with the other SURCHARGE_METHOD, beside the file's own once a pipe runs full there, or behind a short one. */
export class OtherMethod {
  private readonly task: OtherMethodTask
  private readonly started = performance.now()
  private full = false
  private worker: Worker | null = null
  private answer: Promise<MethodResults | null> | null = null

  constructor(task: OtherMethodTask) {
    this.task = task
  }

  /** A pipe is, or was, full: begins beside a run that takes its time. True once it has. */
  surcharged(): boolean {
    this.full = true
    if (performance.now() - this.started < 1000 * SHORT_S) return false
    const worker = new Worker(new URL('./surcharge-worker.ts', import.meta.url), { workerData: this.task })
    this.worker = worker
    this.answer = new Promise((done) => {
      let answer: MethodResults | null = null
      worker.on('message', (message: MethodResults | null) => {
        answer = message
      })
      worker.on('error', () => done(null))
      worker.on('exit', () => done(answer))
    })
    return true
  }

  /** Ends it where it still runs, and compares. */
  async compare(run: Simulated, signal?: AbortSignal): Promise<SurchargeCheck> {
    const { stopped, wallSeconds } = run
    const check = uncheckedOf(run)
    if (stopped || !this.full) {
      await this.worker?.terminate()
      return { ...check, unknown: stopped ? 'stopped' : 'free' }
    }
    const slow = AbortSignal.timeout(Math.ceil(1000 * (wallSeconds + PATIENCE_S)))
    const late = signal ? AbortSignal.any([slow, signal]) : slow
    const end = () => void this.worker?.terminate()
    late.addEventListener('abort', end, { once: true })
    if (late.aborted) end()
    const other = await (this.answer ?? runOtherMethod(this.task, late))
    late.removeEventListener('abort', end)
    return other ? compared(check, run, other) : { ...check, unknown: unknownOf(slow, signal) }
  }
}

export function compareMethods<C extends Moved>(
  check: C,
  own: MethodResults,
  other: MethodResults,
  wholeM3: number,
  name: (link: number) => string,
  toldFrom = MOVED,
): C {
  const found = { ...check }
  const most = Math.max(0, ...own.peaks)
  own.peaks.forEach((peak, i) => {
    if (!(peak > MAIN * most)) return
    found.links++
    const off = other.peaks[i] / peak - 1
    if (Math.abs(off) > toldFrom) found.linksMoved++
    if (Math.abs(off) <= Math.abs(found.largest)) return
    found.largest = off
    found.largestAt = name(i)
  })
  // Small volumes are measured against all of the water.
  const share = (a: number, b: number) => (b - a) / Math.max(Math.abs(a), VOLUME * wholeM3, 1e-9)
  found.flooded = share(own.flooded, other.flooded)
  found.outfall = share(own.outfall, other.outfall)
  found.moves =
    found.linksMoved > 0 || Math.abs(found.flooded) > toldFrom || Math.abs(found.outfall) > toldFrom
  return found
}

export const percent = (share: number) =>
  `${share < 0 ? '−' : '+'}${(100 * Math.abs(share)).toLocaleString('fr-FR', { maximumFractionDigits: 1 })} %`

/** What is told of it; null where the choice does not matter. */
export function surchargeWarning(check: SurchargeCheck): string | null {
  const { used, other, links, linksMoved, largest, largestAt, flooded, outfall } = check
  if (!check.moves) return null
  return [
    `SURCHARGE_METHOD : le fichier demande ${used} ; avec ${other}, le débit maximal change de plus de 5 % dans`,
    `${linksMoved} des ${links} liens qui comptent`,
    linksMoved > 0 ? `(au plus ${percent(largest)}, lien ${largestAt}),` : ',',
    `le volume débordé de ${percent(flooded)}, celui des exutoires de ${percent(outfall)}.`,
    'La mise en charge porte ces résultats : jugez-les avec les deux méthodes.',
  ]
    .join(' ')
    .replace(' ,', ',')
}

/** The same in a report of EPA SWMM's layout. */
export const surchargeNote = ({
  used,
  other,
  links,
  linksMoved,
  largest,
  largestAt,
  moves,
}: SurchargeCheck) =>
  moves
    ? [
        `WARNING: SURCHARGE_METHOD ${used} is followed; with ${other} peak flows of ${linksMoved} of ${links} main links`,
        `differ by more than 5 % (at most ${(100 * largest).toFixed(1)} %${largestAt ? `, link ${largestAt}` : ''}).`,
        '',
      ]
    : []
