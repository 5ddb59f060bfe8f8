/** A span without readings, minutes of the period: from `start` to before `end`. */
export interface Gap {
  start: number
  end: number
}

/** Spans of minutes of which nothing is known. @param minutesMmH null where nothing is known */
export function gapsOf(minutesMmH: readonly (number | null)[]): Gap[] {
  const gaps: Gap[] = []
  for (const [minute, rate] of minutesMmH.entries()) {
    if (rate !== null) continue
    const last = gaps.at(-1)
    if (last?.end === minute) last.end = minute + 1
    else gaps.push({ start: minute, end: minute + 1 })
  }
  return gaps
}
