import { HOUR_MS } from './climate.ts'
import { uniform, wordSeed } from './noise.ts'
import type { PrescribedRain } from './systems.ts'

const DAY_MS = 24 * HOUR_MS
const OUTAGE_MS = 40 * 60_000
/** Share of frames that are missing one by one, and of days with an outage of 40 min. */
const MISSING_SHARE = 0.005
const OUTAGE_DAYS = 0.06

export interface SchedulePlan {
  seed: number
  frameSeconds: number
  /** Periods in which nothing is missing. */
  complete: readonly PrescribedRain[]
  /** Instants that are missing whatever else is said. */
  isGap?: (instantMs: number) => boolean
}

function outageStart(day: number, seed: number): number | undefined {
  const own = wordSeed('outage', seed)
  if (uniform(day, 0, 0, own) >= OUTAGE_DAYS) return undefined
  return day * DAY_MS + Math.floor(uniform(day, 1, 0, own) * (DAY_MS - OUTAGE_MS))
}

function isMissing(instantMs: number, plan: SchedulePlan): boolean {
  if (plan.isGap?.(instantMs)) return true
  if (plan.complete.some((p) => instantMs >= p.startMs && instantMs < p.endMs)) return false
  const start = outageStart(Math.floor(instantMs / DAY_MS), plan.seed)
  if (start !== undefined && instantMs >= start && instantMs < start + OUTAGE_MS) return true
  const step = Math.round(instantMs / 1000 / plan.frameSeconds)
  return uniform(step, 2, 0, wordSeed('missing', plan.seed)) < MISSING_SHARE
}

/**
 * Instants (ms) of the frames in [fromMs, toMs): whole multiples of the frame's time since the epoch, less
 * those that are missing. Any part of the schedule is the same, whatever the period asked for.
 */
export function frameInstants(fromMs: number, toMs: number, plan: SchedulePlan): number[] {
  const stepMs = plan.frameSeconds * 1000
  const instants: number[] = []
  for (let k = Math.ceil(fromMs / stepMs); k * stepMs < toMs; k++) {
    // Files name whole seconds.
    const instant = Math.round((k * stepMs) / 1000) * 1000
    if (instant >= fromMs && instant < toMs && !isMissing(instant, plan)) instants.push(instant)
  }
  return instants
}

/** Starts (ms) of the periods of `lengthMs` that end within (fromMs, toMs]: files written at their end. */
export function periodStarts(fromMs: number, toMs: number, lengthMs: number): number[] {
  const starts: number[] = []
  for (let k = Math.floor(fromMs / lengthMs); (k + 1) * lengthMs <= toMs; k++)
    if ((k + 1) * lengthMs > fromMs) starts.push(k * lengthMs)
  return starts
}
