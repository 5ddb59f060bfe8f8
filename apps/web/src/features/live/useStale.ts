import { useQuery } from '@tanstack/react-query'
import { useOnline } from '../../app/online.ts'
import { useSite } from '../../app/site.ts'
import { useNow } from '../../ui/useNow.ts'
import { liveQuery } from './api.ts'
import { isMaking, type StaleReason, staleReason } from './state/live-state.ts'
import { useLive } from './state/store.ts'

/** When the page was opened, ms. */
export const openedAt = Date.now()

/** The images that are missing are being made at this moment, as after a demonstration's first start. */
export function useMaking(): boolean {
  const { demo } = useSite()
  const now = useNow()
  return useLive((state) => demo && isMaking(state, now, openedAt))
}

/** Why what the page shows as live is not; null while it is. */
export function useStale(): StaleReason | null {
  const online = useOnline()
  const now = useNow()
  const product = useLive((state) => state.product)
  const making = useMaking()
  const failed = useQuery({ ...liveQuery(product), enabled: false }).isError
  return useLive((state) => staleReason(state, { online, failed, making, now }))
}
