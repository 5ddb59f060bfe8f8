import { WEIGHT_SECONDS_PER_SLIDE } from '@radx/contracts/constants'

/** Seconds that loading is expected to take: 0.42 a slide (spec 1 §4 "Weight check"). */
const expectedSeconds = (slides: number): number => Math.max(0, WEIGHT_SECONDS_PER_SLIDE * slides)

/** HH:mm:ss of what is left after `elapsed` seconds, never below zero; null hides the countdown. */
export function countdownText(slides: number, elapsed: number): string | null {
  const left = Math.max(0, Math.floor(expectedSeconds(slides) - elapsed))
  if (left === 0) return null
  const part = (value: number) => String(value).padStart(2, '0')
  return `${part(Math.floor(left / 3600))}:${part(Math.floor(left / 60) % 60)}:${part(left % 60)}`
}
