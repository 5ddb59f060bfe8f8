/** Hours, minutes and seconds as HH:mm:ss, cut to whole seconds, never below 0; hours go beyond 24. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const pad = (n: number) => String(n).padStart(2, '0')
  return `${pad(Math.floor(whole / 3600))}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`
}

/** A duration: under 1 s in ms, under 60 s in s (a tenth at most), otherwise HH:mm:ss. */
export function formatDuration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds)
  if (ms < 1000) return `${Math.floor(ms)} ms`
  if (ms < 60_000) return `${String(Math.floor(ms / 100) / 10).replace('.', ',')} s`
  return formatClock(ms / 1000)
}
