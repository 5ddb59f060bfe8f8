import { lineNoise2, wordSeed } from './noise.ts'

export const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365.2425 * DAY_MS
/** Mid-January, the coldest time of the year, of a year near the epoch. */
const MID_WINTER_MS = 17 * DAY_MS

/** 1 in mid-January, -1 in mid-July. */
export function winterness(instantMs: number): number {
  return Math.cos((2 * Math.PI * (instantMs - MID_WINTER_MS)) / YEAR_MS)
}

/** Hour of the mean solar day at a longitude, [0, 24). */
export function solarHour(instantMs: number, lng: number): number {
  return ((((instantMs + (lng / 15) * HOUR_MS) % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS
}

/** How unsettled the weather is: 0 in settled high pressure, about 0.8 on average, up to 1.8. */
export function unsettled(instantMs: number, seed: number): number {
  const days = instantMs / DAY_MS
  const slow = lineNoise2(days / 9, wordSeed('regime', seed))
  const fast = lineNoise2(days / 2.5, wordSeed('spell', seed))
  return Math.min(1.8, Math.max(0, 0.75 + 1.25 * slow + 0.5 * fast))
}

/** A wind in km/h: where it blows to. */
export interface WindVector {
  eastKmH: number
  northKmH: number
}

/** Wind at the height of the rain clouds, which carries them: mostly from south-west to north-west. */
export function windAloft(instantMs: number, seed: number): WindVector {
  const days = instantMs / DAY_MS
  const fromDeg =
    248 +
    84 * lineNoise2(days / 3, wordSeed('wind-direction', seed)) +
    28 * lineNoise2(days / 0.7, wordSeed('wind-turns', seed))
  const strength = 38 + 7 * winterness(instantMs) + 24 * lineNoise2(days / 1.6, wordSeed('wind', seed))
  const speed = Math.max(9, strength)
  const to = ((fromDeg + 180) * Math.PI) / 180
  return { eastKmH: speed * Math.sin(to), northKmH: speed * Math.cos(to) }
}

/** Slow swings of the pressure at sea level, hPa, before fronts. */
export function backgroundPressureHpa(instantMs: number, seed: number): number {
  const days = instantMs / DAY_MS
  const high = 9 - 13 * unsettled(instantMs, seed)
  return 1019 + high + 5 * lineNoise2(days / 4, wordSeed('pressure', seed))
}

/** Air mass: departure of the day's mean temperature from the season's, K. */
export function airMassK(instantMs: number, seed: number): number {
  const days = instantMs / DAY_MS
  return (
    4.5 * lineNoise2(days / 5, wordSeed('air-mass', seed)) +
    1.5 * lineNoise2(days / 1.1, wordSeed('air', seed))
  )
}
