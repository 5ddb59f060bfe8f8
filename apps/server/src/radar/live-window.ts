import { LIVE_WINDOW_SECONDS, RADAR_DOWN_AFTER_SECONDS } from '@radx/contracts'
import type { Span } from '../store/frame-index.ts'

/** A page that was told of the window asks for its first frames while newer ones move it on. */
const GRACE_MS = 15 * 60_000

/**
 * The live window: the latest 3 h that there are, (newest - 3 h, newest]. It ends with the newest frame
 * and not with the clock, so that a radar that is down still shows what it saw last, under the warning.
 */
export function liveSpan(newestMs: number): Span {
  return { startMs: newestMs - LIVE_WINDOW_SECONDS * 1000 + 1, endMs: newestMs + 1 }
}

/** Whether a span lies inside the live window, and so is everyone's. */
export function isLive({ startMs }: Span, newestMs: number | null): boolean {
  return newestMs !== null && startMs >= liveSpan(newestMs).startMs - GRACE_MS
}

/** The radar is down when its newest frame is older than 15 min, or when there is none. */
export function isRadarDown(newestMs: number | null, nowMs: number): boolean {
  return newestMs === null || nowMs - newestMs > RADAR_DOWN_AFTER_SECONDS * 1000
}
