import type { ArchiveResponse } from '@radx/contracts/radar'
import type { ArchiveFailure } from './failure.ts'

/** The archive that is looked at, and the player over it (specification 1, sections 3 and 4). */
export interface ArchiveState {
  images: ArchiveResponse['images']
  taranis: ArchiveResponse['taranis']
  mrr: ArchiveResponse['mrr'] | null
  cumulated: ArchiveResponse['cumulated'] | null
  gaps: ArchiveResponse['gaps']
  every?: ArchiveResponse['every']
  /** Which image is on the map. */
  counter: number
  playing: boolean
  /** The map has its first image. */
  layersCreated: boolean
  loading: boolean
  error: ArchiveFailure | null
}

export type ArchiveAction =
  | { type: 'requested' }
  | { type: 'succeeded'; archive: ArchiveResponse; counter?: number }
  | { type: 'failed'; error: ArchiveFailure }
  | { type: 'layersCreated' }
  | { type: 'chosen'; counter: number }
  | { type: 'advanced' }
  | { type: 'played' }
  | { type: 'paused' }
  | { type: 'killed' }

export const EMPTY_ARCHIVE: ArchiveState = {
  images: [],
  taranis: null,
  mrr: null,
  cumulated: null,
  gaps: [],
  counter: 0,
  playing: false,
  layersCreated: false,
  loading: false,
  error: null,
}

export function archiveReducer(state: ArchiveState, action: ArchiveAction): ArchiveState {
  const count = state.images.length
  switch (action.type) {
    case 'requested':
      return { ...EMPTY_ARCHIVE, loading: true }
    case 'succeeded':
      return { ...EMPTY_ARCHIVE, ...action.archive, counter: action.counter ?? 0 }
    case 'failed':
      return { ...EMPTY_ARCHIVE, error: action.error }
    case 'layersCreated':
      return { ...state, layersCreated: true }
    case 'chosen': {
      const inside = Number.isInteger(action.counter) && action.counter >= 0 && action.counter < count
      return inside ? { ...state, counter: action.counter } : state
    }
    case 'advanced':
      return count === 0 ? state : { ...state, counter: (state.counter + 1) % count }
    case 'played':
      return count === 0 ? state : { ...state, playing: true }
    case 'paused':
      return { ...state, playing: false }
    case 'killed':
      return EMPTY_ARCHIVE
  }
}
