import { LIVE_REFRESH_SECONDS } from '@radx/contracts/constants'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSite } from '../../app/site.ts'
import { liveQuery } from './api.ts'
import { isMaking, refreshing } from './state/live-state.ts'
import { dispatch, useLive } from './state/store.ts'
import { openedAt } from './useStale.ts'

/** While there is no image, or more come at once, as after a first start, the page looks this often, ms. */
const FILLING_REFRESH_MS = 2_000
/** So many looks without a further image end that. */
const FILLING_LOOKS = 10

/** Fetches the product's live images, then again every 120 s while the budget lasts. */
export function useLiveData(product: string) {
  const query = useQuery({ ...liveQuery(product), enabled: product !== '', refetchOnMount: 'always' })
  const { data, refetch, isSuccess } = query
  const active = useLive(refreshing)

  useEffect(() => {
    if (data !== undefined) dispatch({ type: 'received', data })
  }, [data])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each product starts its own budget
  useEffect(() => {
    if (isSuccess) dispatch({ type: 'refreshStarted' })
  }, [isSuccess, product])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each product starts its own timer
  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => {
      dispatch({ type: 'refreshTicked' })
      void refetch()
    }, LIVE_REFRESH_SECONDS * 1000)
    return () => clearInterval(timer)
  }, [active, refetch, product])

  // What came while there was no network, at once when there is one again.
  useEffect(() => {
    const again = () => void refetch()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [refetch])

  const { dataUpdatedAt } = query
  const count = data?.images.length
  const seen = useRef({ product, count })
  const [looks, setLooks] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer counts, also one that is as the one before
  useEffect(() => {
    const before = seen.current.product === product ? seen.current.count : undefined
    seen.current = { product, count }
    if (count === undefined) return
    // At its own pace a radar brings one between two looks.
    const filling = count === 0 || (before !== undefined && count > before + 1)
    setLooks((left) => (filling ? FILLING_LOOKS : Math.max(0, left - 1)))
  }, [dataUpdatedAt, count, product])
  const { demo } = useSite()
  const making = useLive((state) => demo && isMaking(state, Date.now(), openedAt))
  const filling = active && (looks > 0 || making)
  useEffect(() => {
    if (!filling) return
    const timer = setInterval(() => void refetch(), FILLING_REFRESH_MS)
    return () => clearInterval(timer)
  }, [filling, refetch])

  return query
}
