/** Time since the start of a run as HH:mm, cut to whole minutes; hours go beyond 24. */
export function formatElapsed(timeS: number): string {
  const minutes = Math.floor(Math.max(0, timeS) / 60 + 1e-9)
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
