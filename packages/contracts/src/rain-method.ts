import { z } from 'zod'

/** How totals take the rain between frames: moved along with it, or each frame standing still (`raw`). */
export const RAIN_METHODS = ['moved', 'raw'] as const
export type RainMethod = (typeof RAIN_METHODS)[number]
export const rainMethodSchema = z.enum(RAIN_METHODS)
