import type { Cumulated } from '@radx/contracts/radar'
import { create } from 'zustand'
import { shownTotals, useRainMethod } from '../../../player/rain-method.ts'
import { type ArchiveAction, type ArchiveState, archiveReducer, EMPTY_ARCHIVE } from './state.ts'

/** The analysis screen's archive; components read single fields, so that a frame step redraws little. */
export const useArchive = create<ArchiveState>()(() => EMPTY_ARCHIVE)

export const dispatch = (action: ArchiveAction) =>
  useArchive.setState((state) => archiveReducer(state, action), true)

export const currentImage = (state: ArchiveState) => state.images[state.counter] ?? null

/** The period's totals by the method that the reader chose, or by the one there is; null before they are here. */
export function useTotals() {
  const cumulated = useArchive((state) => state.cumulated)
  const wanted = useRainMethod((state) => state.method)
  return cumulated === null ? null : shownTotals<Omit<Cumulated, 'moved'>>(cumulated, wanted)
}

/** Steps over the frames, round at both ends. */
export function step(by: 1 | -1): void {
  const { images, counter } = useArchive.getState()
  if (images.length > 0) dispatch({ type: 'chosen', counter: (counter + by + images.length) % images.length })
}

export function togglePlay(): void {
  dispatch({ type: useArchive.getState().playing ? 'paused' : 'played' })
}
