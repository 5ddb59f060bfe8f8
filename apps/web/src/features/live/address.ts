import type { PublicSite } from '@radx/contracts/site'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useAddressParams } from '../../app/address-params.ts'
import { trackEvent } from '../../app/analytics.ts'
import { closeModal } from '../../app/modals.ts'
import { parseOpacity } from '../../player/values.ts'
import { useFuture } from './future/store.ts'
import { currentImage, dispatch, useLive } from './state/store.ts'

const SETTLE_MS = 250

/**
 * The live page's address: `p` product, `t` the moment when the reader chose one, `o` opacity. A reload,
 * the back button and a colleague get the same view.
 */
export function useLiveAddress(site: PublicSite) {
  const [params, setParams] = useAddressParams()
  const asked = params.get('p')
  const product =
    site.products.find((entry) => entry.shortName === asked && entry.activeStatus && !entry.made)
      ?.shortName ?? site.defaultProduct
  const moment = params.get('t')
  const opacity = parseOpacity(params.get('o'))
  const written = useRef<string | null>(null)

  // A product in the address that is not the active one, or a moment that we did not write, is new.
  useEffect(() => {
    const state = useLive.getState()
    const changed = state.product !== product
    if (changed || (moment !== null && moment !== written.current))
      dispatch({ type: 'productSelected', product, moment })
    if (!changed && moment === null && written.current !== null) dispatch({ type: 'followed' })
    written.current = moment
  }, [product, moment])

  const replace = useCallback(
    (change: (next: URLSearchParams) => void) =>
      setParams((next) => {
        change(next)
        return next
      }),
    [setParams],
  )

  const inFuture = useFuture((state) => state.lead !== null)
  const chosen = useLive((state) =>
    state.touched && !state.playing && !inFuture ? (currentImage(state)?.datetime ?? null) : null,
  )
  const settled = useLive((state) => state.data !== null && !state.playing)
  useEffect(() => {
    if (!settled) return
    const timer = setTimeout(() => {
      if (chosen === written.current) return
      written.current = chosen
      replace((next) => {
        if (chosen === null) next.delete('t')
        else next.set('t', chosen)
      })
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [chosen, settled, replace])

  const setOpacity = useCallback(
    (value: number) =>
      replace((next) => {
        if (value === 100) next.delete('o')
        else next.set('o', String(value))
      }),
    [replace],
  )

  const selectProduct = useCallback(
    (name: string) => {
      closeModal()
      trackEvent({ category: 'product', action: 'select', name, value: 1 })
      if (name === useLive.getState().product) return
      setParams(
        (next) => {
          next.delete('t')
          if (name === site.defaultProduct) next.delete('p')
          else next.set('p', name)
          return next
        },
        { replace: false, preventScrollReset: false },
      )
    },
    [setParams, site.defaultProduct],
  )

  return useMemo(
    () => ({ product, opacity, setOpacity, selectProduct }),
    [product, opacity, setOpacity, selectProduct],
  )
}
