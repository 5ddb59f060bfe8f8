import { COMPASS_DIRECTIONS, WIND_CLASS_BOUNDS_KM_H, WIND_CLASSES } from '@radx/contracts/constants'
import type { Compass } from '@radx/contracts/station'

export interface WindReading {
  speedKmH: number | null
  /** Where the wind comes from, degrees clockwise from north. */
  fromDeg: number | null
}

/** Of the 16 directions, the one the wind blows to. */
export function directionTo(fromDeg: number): (typeof COMPASS_DIRECTIONS)[number] {
  const to = (((fromDeg + 180) % 360) + 360) % 360
  return COMPASS_DIRECTIONS[Math.round(to / 22.5) % 16]
}

/**
 * Compass of a period: share (%) of the readings in each speed class and direction the wind blows TO.
 * Readings without speed or direction are left out.
 */
export class WindCounts {
  private readonly counts = Object.fromEntries(
    WIND_CLASSES.map((c) => [c, Object.fromEntries(COMPASS_DIRECTIONS.map((d) => [d, 0]))]),
  ) as NonNullable<Compass>
  private count = 0

  add({ speedKmH, fromDeg }: WindReading): void {
    if (speedKmH === null || fromDeg === null || !(speedKmH >= 0) || !Number.isFinite(fromDeg)) return
    this.counts[windClass(speedKmH)][directionTo(fromDeg)]++
    this.count++
  }

  /** null when no reading was left. */
  compass(): Compass {
    if (this.count === 0) return null
    const share = (count: number) => (100 * count) / this.count
    return Object.fromEntries(
      WIND_CLASSES.map((c) => [
        c,
        Object.fromEntries(COMPASS_DIRECTIONS.map((d) => [d, share(this.counts[c][d])])),
      ]),
    ) as NonNullable<Compass>
  }
}

/** Compass of readings; null when none has speed and direction. */
export function windCompass(readings: Iterable<WindReading>): Compass {
  const counts = new WindCounts()
  for (const reading of readings) counts.add(reading)
  return counts.compass()
}

/** Wind class of a speed in km/h, half-open: exactly 30 belongs to the last. */
export function windClass(speedKmH: number): (typeof WIND_CLASSES)[number] {
  let row = 0
  while (row < WIND_CLASS_BOUNDS_KM_H.length && speedKmH >= WIND_CLASS_BOUNDS_KM_H[row]) row++
  return WIND_CLASSES[row]
}
