/** A lead of an issue, and the frame that shows what came. */
export interface Target {
  leadMin: number
  /** Minutes from the issue to that frame: the lead, or nearly. */
  realMin: number
  /** Index of the frame; null where none was taken then. */
  seen: number | null
}

/** Frames before an issue. */
const BEFORE = 2
/** A frame this near is taken at the moment itself, s. */
const SAME_S = 30

/**
 * The frame that scores each lead: the one at that moment, else the nearest within half the usual interval, against which
 * what was forecast for its own time is held.
 */
export function targetsOf(timesMs: readonly number[], issue: number, leadsMin: readonly number[]): Target[] {
  const half = usualIntervalMs(timesMs) / 2
  return leadsMin.map((leadMin) => {
    const wanted = timesMs[issue] + leadMin * 60_000
    let best = -1
    for (let k = issue + 1; k < timesMs.length; k++)
      if (best < 0 || Math.abs(timesMs[k] - wanted) < Math.abs(timesMs[best] - wanted)) best = k
    const off = best < 0 ? Number.POSITIVE_INFINITY : Math.abs(timesMs[best] - wanted)
    if (off <= SAME_S * 1000) return { leadMin, realMin: leadMin, seen: best }
    if (off < half) return { leadMin, realMin: (timesMs[best] - timesMs[issue]) / 60_000, seen: best }
    return { leadMin, realMin: leadMin, seen: null }
  })
}

export function usualIntervalMs(timesMs: readonly number[]): number {
  const intervals = timesMs.slice(1).map((ms, k) => ms - timesMs[k])
  intervals.sort((a, b) => a - b)
  return intervals[intervals.length >> 1] ?? 0
}

/**
 * Indices of the frames from which forecasts start.
 * @param wanted `all`: those with two frames before them and the longest lead still within the series, so that every lead
 * is scored on the same issues; in a short series those with the shortest lead within it, or else the last frame. Else moments, `HH:MM` or ISO, UTC.
 * @returns null for a moment that no frame has
 */
export function issuesOf(
  timesMs: readonly number[],
  leadsMin: readonly number[],
  wanted: 'all' | readonly string[],
): { indices: number[]; unknown: string[] } {
  const all = timesMs.map((_, k) => k)
  if (wanted === 'all') {
    const within = (lead: number) =>
      all.filter(
        (k) => k >= BEFORE && timesMs[k] + lead * 60_000 <= timesMs[timesMs.length - 1] + SAME_S * 1000,
      )
    const whole = within(Math.max(...leadsMin))
    const indices = whole.length > 0 ? whole : within(Math.min(...leadsMin))
    return { indices: indices.length > 0 ? indices : [timesMs.length - 1], unknown: [] }
  }
  const matches = (text: string) =>
    all.filter((k) => {
      const iso = new Date(timesMs[k]).toISOString()
      return iso.slice(11, 16) === text || iso.slice(0, 16) === text.slice(0, 16)
    })
  const indices = [...new Set(wanted.flatMap(matches))].sort((a, b) => a - b)
  return { indices, unknown: wanted.filter((text) => matches(text).length === 0) }
}
