import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useAuth } from '../../../app/auth/store.ts'
import {
  type Draft,
  dropDraft,
  isWorthKeeping,
  keepDraft,
  newestDraft,
  pruneDrafts,
  randomKey,
  readDraft,
} from './drafts.ts'
import { enterForm } from './state.ts'
import { changeForm, useForm } from './store.ts'

/** Shortest time between two writes, ms. */
const PAUSE_MS = 200

interface DraftControl {
  /** The form is as it is to be shown. */
  ready: boolean
  /** It was found again: what the address brings along is in it already. */
  restored: boolean
  /** Names the form in the state of each of its history entries. */
  id: string
  /** An earlier form that may be gone on with. */
  offered: Draft | null
  take: () => void
  discard: () => void
}

/**
 * Starts the form anew on every entry, but finds it again when the reader comes back to an entry of the browser's
 * history (back, forward, reload), and keeps it in this browser while it is filled in.
 */
export function useDraft(caseStudyId: string): DraftControl {
  const location = useLocation()
  const navigate = useNavigate()
  const owner = useAuth(({ name }) => name) ?? ''
  const named = (location.state as { form?: unknown } | null)?.form
  const [id, setId] = useState(() => (typeof named === 'string' ? named : randomKey()))
  const [ready, setReady] = useState(false)
  const [restored, setRestored] = useState(false)
  const [offered, setOffered] = useState<Draft | null>(null)
  const first = useRef({ id, named, location })

  useEffect(() => {
    const { id, named, location } = first.current
    let left = false
    const enter = async () => {
      // Opens the database ahead as well: a page that is left writes without waiting.
      void pruneDrafts(Date.now())
      const found = named === undefined ? null : await readDraft(id, owner)
      if (left) return
      changeForm(() => found?.state ?? enterForm(caseStudyId))
      if (named === undefined)
        void navigate(`${location.pathname}${location.search}`, { replace: true, state: { form: id } })
      setRestored(found !== null)
      setReady(true)
      const other = found === null ? await newestDraft(owner, caseStudyId, id) : null
      if (!left) setOffered(other)
    }
    void enter()
    return () => {
      left = true
    }
  }, [caseStudyId, owner, navigate])

  useKept(ready ? { id, owner, caseStudyId } : null)

  const take = useCallback(() => {
    if (offered === null) return
    void dropDraft(id)
    setId(offered.id)
    setRestored(true)
    setOffered(null)
    changeForm(() => offered.state)
    void navigate(window.location.pathname, { replace: true, state: { form: offered.id } })
  }, [id, navigate, offered])
  const discard = useCallback(() => {
    if (offered !== null) void dropDraft(offered.id)
    setOffered(null)
  }, [offered])
  return { ready, restored, id, offered, take, discard }
}

/** Keeps the form with each change, and at once when the page is left. */
function useKept(draft: Pick<Draft, 'id' | 'owner' | 'caseStudyId'> | null): void {
  const { id, owner, caseStudyId } = draft ?? {}
  useEffect(() => {
    if (id === undefined || owner === undefined || caseStudyId === undefined) return
    let timer: ReturnType<typeof setTimeout> | null = null
    let changed = false
    const keep = () => {
      if (!changed) return
      changed = false
      const state = useForm.getState()
      // An empty form is kept as well once it was sent: going back to it shows what was sent.
      if (isWorthKeeping(state) || state.jobId !== null)
        void keepDraft({ id, owner, caseStudyId, savedAt: Date.now(), state })
    }
    const unsubscribe = useForm.subscribe(() => {
      changed = true
      if (timer !== null) return
      keep()
      timer = setTimeout(() => {
        timer = null
        keep()
      }, PAUSE_MS)
    })
    window.addEventListener('pagehide', keep)
    document.addEventListener('visibilitychange', keep)
    return () => {
      unsubscribe()
      if (timer !== null) clearTimeout(timer)
      keep()
      window.removeEventListener('pagehide', keep)
      document.removeEventListener('visibilitychange', keep)
    }
  }, [id, owner, caseStudyId])
}
