import { setImmediate } from 'node:timers/promises'
import { RadxError, type SewerNetwork } from '@radx/contracts'
import type { InpResult } from '@radx/formats/inp/read'
import { createInlets, type Inlets } from '@radx/hydrology/inlets/inlets'
import { createRunoff, type Runoff } from '@radx/hydrology/runoff/runoff'
import { createPeaks, type SewerPeaks } from '@radx/hydrology/sewer/results/peaks'
import { createStatistics, type SewerStatistics } from '@radx/hydrology/sewer/results/statistics'
import { createSewer } from '@radx/hydrology/sewer/solver'
import type { Sewer } from '@radx/hydrology/sewer/types'
import { runoffWasm, sewerWasm } from '../../store/sewer-kernel.ts'

export interface SimulationOptions {
  /** Longest internal step, s; where it is not given the sewer's own, which grow while heads hardly bend. */
  maxStepS?: number
  /** The implicit scheme instead of EPA SWMM's own. */
  implicit?: boolean
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** Called before the first step. */
  onBegin?: (sewer: Sewer, runoff: Runoff | null) => void
  /** Called after each spell that the sewer shows, with how long it was, s. */
  onStep?: (sewer: Sewer, dtS: number) => void
  /** Called at each time that the file reports at, the start included. */
  onReport?: (sewer: Sewer, runoff: Runoff | null) => void
  /** Called after each step from the one in which a pipe runs full at both ends, until it answers true. */
  onSurcharge?: () => boolean
}

export interface Progress {
  share: number
  timeS: number
  /** Wall seconds that the rest takes at the speed of the last seconds; null while that is unknown. */
  leftS: number | null
  /** Node that moves most, where the run has become slower than real time; else null. */
  stuckAt: string | null
}

export interface Simulated {
  sewer: Sewer
  runoff: Runoff | null
  /** Inlets of streets, where the file has any. */
  inlets: Inlets | null
  peaks: SewerPeaks
  statistics: SewerStatistics
  wallSeconds: number
  /** Why it ended before its time. */
  stopped: { reason: 'interrupted' | 'failed'; message: string } | null
}

/** The event loop hears Ctrl-C this often. */
const BREATHE_MS = 100
/** Speed is judged over this long. */
const WINDOW_MS = 5000
/** What runs off is spread over at most this long, s: the implicit scheme's longest step. */
const RUNOFF_STEP_S = 20
/** Inlets take what they see at a step's beginning, which may be this long, s. */
const INLET_STEP_S = 1

/** Has a model run for another time than its file asks for, s. */
export function setDuration({ network, runoff }: InpResult, durationS: number): void {
  network.options.durationS = durationS
  if (runoff) runoff.durationS = durationS
}

/** Runs a model to its end, or to where it is stopped or fails: what was computed until then is kept. */
export async function simulate(
  { network, runoff: model, inlets: streets }: InpResult,
  options: SimulationOptions,
): Promise<Simulated> {
  const { signal } = options
  const started = performance.now()
  const sewer = sewerOf(network, options)
  const runoff = model && createRunoff(model, network.nodes.length, runoffWasm())
  const inlets = streets.length > 0 ? createInlets(network, streets) : null
  const peaks = createPeaks(sewer)
  const statistics = createStatistics(sewer)
  const { durationS, reportStepS, reportStartS } = network.options
  const spellS = Math.min(sewer.peaksOverS, sewer.longestStepS)
  const entering = comings({ sewer, runoff, inlets })
  const longestS = inlets ? INLET_STEP_S : runoff && network.links.length > 0 ? RUNOFF_STEP_S : Infinity
  const pace = createPace(sewer, durationS)
  let nextReport = reportStartS
  let breathed = started
  let stopped: Simulated['stopped'] = null
  let surcharged = false
  let told = options.onSurcharge === undefined

  const observe = (dt: number) => {
    peaks.observe(dt)
    statistics.observe(dt)
    inlets?.observe(sewer)
    if (runoff) giveBack(sewer, runoff)
    options.onStep?.(sewer, dt)
  }
  const report = () => {
    while (nextReport <= sewer.timeS + 1e-6) {
      statistics.report()
      options.onReport?.(sewer, runoff)
      nextReport += reportStepS
    }
  }
  // Asked after every internal step: a promise each would take as long as a small network.
  const isBreathless = () => performance.now() - breathed > BREATHE_MS
  /** Lets Ctrl-C through; true when it came. */
  const breathe = async () => {
    options.onProgress?.(pace())
    await setImmediate()
    breathed = performance.now()
    return signal?.aborted === true
  }

  options.onBegin?.(sewer, runoff)
  report()
  try {
    while (sewer.timeS < durationS - 1e-6 && !stopped) {
      const dt = Math.min(longestS, stepTo(sewer, spellS, Math.min(durationS, nextReport)))
      sewer.begin(dt, ...entering(dt))
      let shownS = sewer.timeS
      while (sewer.proceed()) {
        if (sewer.timeS - shownS >= spellS) {
          observe(sewer.show())
          shownS = sewer.timeS
        }
        if (!isBreathless() || !(await breathe())) continue
        stopped = { reason: 'interrupted', message: '' }
        break
      }
      if (stopped) break
      observe(sewer.end())
      if (!told) {
        surcharged ||= peaks.link.surchargedS.some((seconds) => seconds > 0)
        told = surcharged && options.onSurcharge?.() === true
      }
      report()
      if (isBreathless() && (await breathe())) stopped = { reason: 'interrupted', message: '' }
    }
  } catch (error) {
    if (!(error instanceof RadxError)) throw error
    stopped = { reason: 'failed', message: error.message }
  }
  if (!stopped) options.onProgress?.({ share: 1, timeS: sewer.timeS, leftS: 0, stuckAt: null })
  return {
    sewer,
    runoff,
    inlets,
    peaks,
    statistics,
    wallSeconds: (performance.now() - started) / 1000,
    stopped,
  }
}

/** What comes to nodes in a step, m3, and the rates at its beginning where they are known, m3/s. */
function comings({
  sewer,
  runoff,
  inlets,
}: Pick<Simulated, 'sewer' | 'runoff' | 'inlets'>): (dt: number) => [Float64Array?, Float64Array?] {
  if (!runoff && !inlets) return () => []
  const count = sewer.network.nodes.length
  const volumes = new Float64Array(count)
  const rates = new Float64Array(count)
  return (dt) => {
    volumes.fill(0)
    rates.fill(0)
    runoff?.volumesTo(sewer.timeS + dt, volumes, rates)
    // Inlets go evenly through their short steps.
    if (!inlets) return [volumes, rates]
    inlets.exchange(sewer, dt, volumes)
    return [volumes]
  }
}

/** Outfalls that lead onto a subcatchment. */
function giveBack(sewer: Sewer, runoff: Runoff): void {
  for (const { node, subcatchment } of runoff.returns)
    runoff.receive(subcatchment, Math.max(0, sewer.outfallVolumes[node]))
}

function sewerOf(network: SewerNetwork, { maxStepS, implicit }: SimulationOptions): Sewer {
  const scheme = implicit ? 'implicit' : 'explicit'
  const { links, options } = network
  // Where nothing is routed no step is too long.
  const routed =
    links.length > 0
      ? network
      : {
          ...network,
          options: {
            ...options,
            courantFactor: 0,
            routingStepS: Math.max(options.routingStepS, options.reportStepS),
          },
        }
  return createSewer(routed, { maxStepS, scheme, wasm: sewerWasm(scheme) })
}

/** Seconds of the next step, at least a spell if the time that it may not pass lets it. */
const stepTo = (sewer: Sewer, spellS: number, untilS: number) =>
  Math.min(Math.max(spellS, sewer.nextStepS), untilS - sewer.timeS)

/** How fast a run goes, by the simulated time of the last seconds. */
function createPace(sewer: Sewer, durationS: number): () => Progress {
  const marks: { wall: number; timeS: number }[] = [{ wall: performance.now(), timeS: 0 }]
  let heads = sewer.heads.slice()
  return () => {
    const now = performance.now()
    marks.push({ wall: now, timeS: sewer.timeS })
    while (marks.length > 2 && now - marks[1].wall > WINDOW_MS) marks.shift()
    const wallS = (now - marks[0].wall) / 1000
    const speed = (sewer.timeS - marks[0].timeS) / wallS
    const slow = wallS > WINDOW_MS / 1000 && speed < 1
    const stuckAt = slow ? mostMoved(sewer, heads) : null
    heads = sewer.heads.slice()
    return {
      share: sewer.timeS / durationS,
      timeS: sewer.timeS,
      leftS: speed > 0 && wallS > 0.5 ? (durationS - sewer.timeS) / speed : null,
      stuckAt,
    }
  }
}

function mostMoved(sewer: Sewer, before: Float64Array): string {
  let at = 0
  for (let n = 1; n < before.length; n++)
    if (Math.abs(sewer.heads[n] - before[n]) > Math.abs(sewer.heads[at] - before[at])) at = n
  return sewer.network.nodes[at]?.name ?? ''
}
