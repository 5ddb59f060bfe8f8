import { LANGUAGE } from './language.ts'

/** Hours, minutes and seconds as HH:mm:ss, cut to whole seconds, never below 0; hours go beyond 24. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const pad = (n: number) => String(n).padStart(2, '0')
  return `${pad(Math.floor(whole / 3600))}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`
}

const DECIMAL = LANGUAGE === 'fr' ? ',' : '.'

/** A duration: under 1 s in ms, under 60 s in s (a tenth at most), otherwise HH:mm:ss. */
export function formatDuration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds)
  if (ms < 1000) return `${Math.floor(ms)} ms`
  if (ms < 60_000) return `${String(Math.floor(ms / 100) / 10).replace('.', DECIMAL)} s`
  return formatClock(ms / 1000)
}

/**
 * How long something lasts, in the two largest units that matter: `45 s`, `12 min`, `3 h 20`, `27 j 22 h`. Spaces do not
 * break.
 */
export function formatSpan(seconds: number): string {
  const s = Math.max(0, Math.round(seconds))
  const minutes = Math.round(s / 60)
  const hours = Math.round(s / 3600)
  const text =
    s < 120
      ? `${s} s`
      : minutes < 60
        ? `${minutes} min`
        : minutes < 24 * 60
          ? `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`
          : `${Math.floor(hours / 24)} j ${hours % 24} h`
  return text.replaceAll(' ', '\u00a0')
}
