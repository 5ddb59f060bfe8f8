import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useOnline } from '../../app/online.ts'
import { liveQuery } from './api.ts'
import { type StaleReason, staleReason } from './state/live-state.ts'
import { useLive } from './state/store.ts'

const TICK_MS = 10_000

/** The time of day, told every 10 s, ms. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Why what the page shows as live is not; null while it is. */
export function useStale(): StaleReason | null {
  const online = useOnline()
  const now = useNow()
  const product = useLive((state) => state.product)
  const failed = useQuery({ ...liveQuery(product), enabled: false }).isError
  return useLive((state) => staleReason(state, { online, failed, now }))
}
