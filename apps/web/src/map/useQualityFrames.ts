import type { RadarImage } from '@radx/contracts/radar'
import { useMemo } from 'react'
import type { FrameGrid } from './frames/FrameCache.ts'
import { type Frames, useFrames } from './frames/useFrames.ts'

const NONE: readonly string[] = []

/** The quality of images as frames of the map, fetched once a reader wants it. @param step as of `useFrames` */
export function useQualityFrames(
  grid: FrameGrid,
  times: readonly string[],
  on: boolean,
  step: number | null = null,
): Frames {
  return useFrames(grid, on ? times : NONE, { layer: 'quality', step })
}

/** Whether any image says something of its quality. */
export const useHasQuality = (images: readonly RadarImage[]): boolean =>
  useMemo(() => images.some(({ quality }) => quality !== undefined), [images])
