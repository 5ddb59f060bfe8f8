import type { BuilderPreview } from '@radx/contracts/builder'
import { createContext, useContext } from 'react'
import type { Draft } from './api.ts'
import type { RecipeState } from './useRecipe.ts'

export type LngLat = [number, number]

export interface BuilderState extends RecipeState {
  draft: Draft
  /** The last that came; of another step or of before a change while a new one is made. */
  preview: BuilderPreview | undefined
  /** Vertices of an outline that is being drawn; null while none is. */
  drawing: readonly LngLat[] | null
  setDrawing: (edit: (before: readonly LngLat[] | null) => readonly LngLat[] | null) => void
  /** A place that is pointed out on the map. */
  mark: LngLat | null
  setMark: (place: LngLat | null) => void
}

export const BuilderContext = createContext<BuilderState | null>(null)

/** @throws Error outside of the builder's screen */
export function useBuilder(): BuilderState {
  const state = useContext(BuilderContext)
  if (state === null) throw new Error('useBuilder outside BuilderScreen')
  return state
}
