import type { DraftRecipe } from '@radx/contracts/builder'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Draft, draftQuery, saveRecipe } from './api.ts'

/** So long after the last change it is kept, ms. */
const PAUSE_MS = 400

export interface RecipeState {
  recipe: DraftRecipe
  /** As the server has it: what previews show. */
  saved: DraftRecipe
  saving: boolean
  error: unknown
  change: (edit: (before: DraftRecipe) => DraftRecipe) => void
}

/** The recipe that the steps write; every change is kept on the server by itself, in order. */
export function useRecipe(draft: Draft): RecipeState {
  const { id } = draft
  const queries = useQueryClient()
  const [recipe, setRecipe] = useState(draft.recipe)
  const [saved, setSaved] = useState(draft.recipe)
  const [error, setError] = useState<unknown>(null)
  const latest = useRef(draft.recipe)
  const kept = useRef(draft.recipe)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const turn = useRef(Promise.resolve())

  const save = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    turn.current = turn.current.then(async () => {
      const now = latest.current
      if (now === kept.current) return
      try {
        await saveRecipe(id, now)
        kept.current = now
        setSaved(now)
        setError(null)
        queries.setQueryData(
          draftQuery(id).queryKey,
          (old) => old && { ...old, recipe: now, updatedAt: new Date().toISOString() },
        )
      } catch (reason) {
        setError(reason)
      }
    })
  }, [id, queries])

  const change = useCallback<RecipeState['change']>(
    (edit) => {
      latest.current = edit(latest.current)
      setRecipe(latest.current)
      clearTimeout(timer.current)
      timer.current = setTimeout(save, PAUSE_MS)
    },
    [save],
  )
  // What was changed last is kept also where the page is left at once.
  useEffect(() => save, [save])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (latest.current === kept.current) return
      save()
      event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [save])
  return { recipe, saved, saving: recipe !== saved && error === null, error, change }
}
