import { CLOCK_TOLERANCE_SECONDS, LIVE_WINDOW_SECONDS, RADAR_DOWN_AFTER_SECONDS } from '@radx/contracts'
import type { Span } from '../store/frame-index.ts'

/** A page that was told of the window asks for its first frames while newer ones move it on. */
const GRACE_MS = 15 * 60_000
/** What was in the window stays open this long after newer frames moved it on, so that caches may keep it meanwhile. */
const HELD_MS = 60_000
/** Caches keep frames of the window no longer than this, s: by then every page has them. */
const LONGEST_S = 600

/**
 * The live window: the latest 3 h that there are, (newest - 3 h, newest]. It ends with the newest frame
 * and not with the clock, so that a radar that is down still shows what it saw last, under the warning.
 */
export function liveSpan(newestMs: number): Span {
  return { startMs: newestMs - LIVE_WINDOW_SECONDS * 1000 + 1, endMs: newestMs + 1 }
}

/** Whether a span lies inside the live window, and so is everyone's. */
export function isLive({ startMs }: Pick<Span, 'startMs'>, newestMs: number | null): boolean {
  return newestMs !== null && startMs >= liveSpan(newestMs).startMs - GRACE_MS
}

/** The radar is down when its newest frame is older than 15 min, or when there is none. */
export function isRadarDown(newestMs: number | null, nowMs: number): boolean {
  return newestMs === null || nowMs - newestMs > RADAR_DOWN_AFTER_SECONDS * 1000
}

/**
 * How long something of the live window is sure to stay in it, s: it leaves once a newer frame comes, which is dated at
 * most a little later than the clock, and never sooner than `HELD_MS` after that.
 */
export function secondsOpen(startMs: number, nowMs: number): number {
  const leavesMs = startMs + LIVE_WINDOW_SECONDS * 1000 + GRACE_MS - CLOCK_TOLERANCE_SECONDS * 1000
  return Math.min(LONGEST_S, Math.floor(Math.max(HELD_MS, leavesMs - nowMs) / 1000))
}

/** The newest frames that a product had of late: they say what is open. */
export class NewestFrames {
  private readonly seen = new Map<number, { newestMs: number; untilMs: number }[]>()

  /** Whether a span is everyone's, now or a moment ago. @param productId whose newest frame is of `newestMs` */
  isOpen(productId: number, span: Pick<Span, 'startMs'>, newestMs: number | null, nowMs: number): boolean {
    if (newestMs === null) return false
    const before = (this.seen.get(productId) ?? []).filter(
      (seen) => seen.newestMs !== newestMs && seen.untilMs > nowMs,
    )
    this.seen.set(productId, [...before, { newestMs, untilMs: nowMs + HELD_MS }])
    return isLive(span, newestMs) || before.some((seen) => isLive(span, seen.newestMs))
  }

  /**
   * How long a span is sure to stay open, s: what newer frames have moved out is let go when its last minute ends,
   * however late in it somebody asks. Counts the newest frame that `isOpen` was told last.
   */
  secondsOpen(productId: number, { startMs }: Pick<Span, 'startMs'>, nowMs: number): number {
    const seen = this.seen.get(productId) ?? []
    const newest = seen.at(-1)
    if (newest !== undefined && isLive({ startMs }, newest.newestMs)) return secondsOpen(startMs, nowMs)
    const held = seen.filter(({ newestMs }) => isLive({ startMs }, newestMs)).map(({ untilMs }) => untilMs)
    return Math.max(0, Math.floor((Math.max(nowMs, ...held) - nowMs) / 1000))
  }
}
