import { useCallback } from 'react'
import { type NavigateOptions, useLocation, useSearchParams } from 'react-router'

/** Parameters that the router is about to write, of the page at `path`. */
let coming: { path: string; params: URLSearchParams } | null = null

/** The parameters of the page's address as they are now, with what was written and not yet rendered. */
function currentParams(): URLSearchParams {
  const { pathname, search } = window.location
  return new URLSearchParams(coming?.path === pathname ? coming.params : search)
}

type Edit = (before: URLSearchParams) => URLSearchParams
type Change = (edit: Edit, options?: NavigateOptions) => void

/**
 * Reads and changes the parameters of the page's address. Several parts of a screen write there (clock, map,
 * choices), some of them a moment after they were rendered: each edit starts from the address of now, not from
 * the one that was rendered, so that none undoes another. Edits replace the entry of the history and keep the
 * scroll position unless `options` say otherwise; one that changes nothing is no step of the history in any case. A screen that is being left, while the next one is drawn, writes
 * nothing: its path would take the place of the one that was gone to.
 */
export function useAddressParams(): [URLSearchParams, Change] {
  const [params, setParams] = useSearchParams()
  const { pathname } = useLocation()
  const change = useCallback<Change>(
    (edit, options) => {
      if (window.location.pathname !== pathname) return
      const before = currentParams().toString()
      const next = edit(currentParams())
      coming = { path: window.location.pathname, params: next }
      // The router writes the address before timers run.
      setTimeout(() => {
        if (coming?.params === next) coming = null
      })
      const replace = next.toString() === before ? { replace: true } : {}
      setParams(next, { replace: true, preventScrollReset: true, ...options, ...replace })
    },
    [setParams, pathname],
  )
  return [params, change]
}
