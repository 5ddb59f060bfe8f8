import { useState } from 'react'
import { useAuth } from '../../../app/auth/store.ts'
import { type BatteryDraft, NO_DRAFT } from './draft.ts'

/** An order that is being put together; a reload finds it again, another account or visit does not. */
export function useBatteryDraft(): [BatteryDraft, (change: Partial<BatteryDraft>) => void] {
  const account = useAuth(({ name }) => name) ?? ''
  const place = `radx-battery ${account}`
  const [draft, setDraft] = useState<BatteryDraft>(() => {
    try {
      return { ...NO_DRAFT, ...JSON.parse(sessionStorage.getItem(place) ?? '{}') }
    } catch {
      return NO_DRAFT
    }
  })
  const change = (changes: Partial<BatteryDraft>) =>
    setDraft((before) => {
      const next = { ...before, ...changes }
      try {
        sessionStorage.setItem(place, JSON.stringify(next))
      } catch {
        // Storage is closed or full: it is kept until the page is left.
      }
      return next
    })
  return [draft, change]
}
