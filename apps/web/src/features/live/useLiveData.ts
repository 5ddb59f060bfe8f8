import { LIVE_REFRESH_SECONDS } from '@radx/contracts/constants'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { liveQuery } from './api.ts'
import { refreshing } from './state/live-state.ts'
import { dispatch, useLive } from './state/store.ts'

/** While there is no image at all, as after a first start, the page looks this often, ms. */
const EMPTY_REFRESH_MS = 5_000

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

  const isEmpty = data?.images.length === 0
  useEffect(() => {
    if (!active || !isEmpty) return
    const timer = setInterval(() => void refetch(), EMPTY_REFRESH_MS)
    return () => clearInterval(timer)
  }, [active, isEmpty, refetch])

  return query
}
