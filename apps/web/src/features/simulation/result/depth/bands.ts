import { AUTO_HIDE_BINS, AUTO_HIDE_PIXELS, DEPTH_LIMITS_M } from '@radx/contracts/flood-constants'
import { countFrom, type DepthField } from './field.ts'

/** Lower bounds of the colour bands, cm. */
export const LIMITS_CM = DEPTH_LIMITS_M.map((limit) => Math.round(100 * limit))

/** From pale to deep, then to alarm: knee-deep water is where a street becomes dangerous. */
export const BAND_COLORS = [
  '#d6ecf5',
  '#9bd3e8',
  '#55b0d8',
  '#2584c6',
  '#2453a6',
  '#5b2e91',
  '#a21d74',
  '#e0303f',
] as const

export const bandOf = (cm: number): number => {
  let band = LIMITS_CM.length - 1
  while (band > 0 && cm < LIMITS_CM[band]) band--
  return band
}

/** `< 1`, `< 3` … `> 100`: the names of the bands in cm, without their unit. */
export const BAND_NAMES = LIMITS_CM.map((limit, band) =>
  band + 1 < LIMITS_CM.length ? `<\u00a0${LIMITS_CM[band + 1]}` : `>\u00a0${limit}`,
)

/** Wet cells of each band. */
export function bandCounts(field: DepthField): number[] {
  const from = LIMITS_CM.map((limit) => countFrom(field, limit))
  return from.map((count, band) => count - (from[band + 1] ?? 0))
}

/** The smallest of 100 equal steps up to the maximum that leaves at most 2,000 pixels, cm. */
export function autoHideCm(field: DepthField): number {
  for (let bin = 0; bin <= AUTO_HIDE_BINS; bin++) {
    const limit = (field.maxCm * bin) / AUTO_HIDE_BINS
    if (countFrom(field, limit) <= AUTO_HIDE_PIXELS) return limit
  }
  return field.maxCm
}

/**
 * The slider gives every band the same room, since half of the bands lie below 20 cm: stop k stands for
 * `stops[k]`, in between lies what is in between.
 */
export const sliderStops = (maxCm: number): number[] => {
  const top = LIMITS_CM[LIMITS_CM.length - 1]
  return maxCm > top ? [...LIMITS_CM, maxCm] : LIMITS_CM
}

/** @returns cm, to a tenth */
export function cmAt(position: number, stops: readonly number[]): number {
  const k = Math.min(stops.length - 2, Math.max(0, Math.floor(position)))
  return Math.round(10 * (stops[k] + (position - k) * (stops[k + 1] - stops[k]))) / 10
}

export function positionOf(cm: number, stops: readonly number[]): number {
  if (cm >= stops[stops.length - 1]) return stops.length - 1
  let k = stops.length - 2
  while (k > 0 && cm < stops[k]) k--
  return k + (cm - stops[k]) / (stops[k + 1] - stops[k])
}
