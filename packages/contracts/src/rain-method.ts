import { z } from 'zod'

/** How totals take the rain between frames: moved along with it, or each frame standing still (`raw`). */
export const RAIN_METHODS = ['moved', 'raw'] as const
export type RainMethod = (typeof RAIN_METHODS)[number]
export const rainMethodSchema = z.enum(RAIN_METHODS)

/** Images whose file says that its rain was adjusted to gauges at its source (`how/bias` of ODIM). */
export interface AdjustedAtSource {
  images: number
  /** All images that the rain was taken from. */
  of: number
  /** Smallest and largest factor; null without any. */
  factors: [least: number, most: number] | null
}
