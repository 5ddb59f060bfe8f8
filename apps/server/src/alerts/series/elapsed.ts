import type { Span } from '../../store/frame-index.ts'
import type { Sample } from '../machine.ts'

/**
 * Time since the last of some events, as a rule sees it: nothing at each event, the threshold once it is reached.
 * @param eventsMs ascending; the first may lie before the period
 * @param untilMs now, or the end of a period
 */
export function elapsedSamples(
  eventsMs: readonly number[],
  { startMs, endMs }: Span,
  thresholdMin: number,
  untilMs = endMs,
): Sample[] {
  const samples: Sample[] = []
  eventsMs.forEach((eventMs, k) => {
    if (eventMs >= startMs) samples.push({ timeMs: eventMs, value: 0 })
    const nextMs = eventsMs[k + 1] ?? Math.max(eventMs, untilMs)
    // A rule that begins in the middle of a gap finds it at once. Its moment is never the clock's, which may jump.
    const overMs = Math.max(eventMs + thresholdMin * 60_000, startMs)
    if (nextMs >= overMs) samples.push({ timeMs: overMs, value: (nextMs - eventMs) / 60_000 })
  })
  return samples
}
