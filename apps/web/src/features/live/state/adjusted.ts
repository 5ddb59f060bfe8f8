import { create } from 'zustand'
import type { AdjustedRain } from '../../../map/frames/useFrames.ts'

/** Live rain is adjusted by the mean bias of the gauges up to each image. */
export const LIVE_ADJUSTED: AdjustedRain = { method: 'mfb', mode: 'live' }

/** Whether the live map shows the product adjusted to gauges. */
export const useLiveAdjusted = create<{ on: boolean }>()(() => ({ on: false }))
