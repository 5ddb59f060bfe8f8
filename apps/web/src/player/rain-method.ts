import type { RainMethod } from '@radx/contracts/radar'
import { create } from 'zustand'

const KEY = 'radx.rainMethod'

function stored(): RainMethod {
  try {
    return localStorage.getItem(KEY) === 'raw' ? 'raw' : 'moved'
  } catch {
    return 'moved'
  }
}

/** How totals take the rain between images: the reader's choice, the same on every screen. */
export const useRainMethod = create<{ method: RainMethod }>()(() => ({ method: stored() }))

export function chooseMethod(method: RainMethod): void {
  useRainMethod.setState({ method })
  try {
    localStorage.setItem(KEY, method)
  } catch {
    // Storage is closed: the choice holds until the page is left.
  }
}

/** Totals by both methods; those of moved rain come later. */
type Both<T> = T & { moved?: T | null }

/** The totals that are shown, and by which method they are. */
export function shownTotals<T>(both: Both<T>, wanted: RainMethod): { totals: T; method: RainMethod } {
  return wanted === 'moved' && both.moved
    ? { totals: both.moved, method: 'moved' }
    : { totals: both, method: 'raw' }
}

/**
 * What stands beside totals, and the method that a reader may switch to. Totals that wait for the moved rain are those
 * of fixed images already: there is nothing to switch to until it has come.
 */
export function methodStatement(
  wanted: RainMethod,
  shown: RainMethod,
): { says: RainMethod | 'waiting'; other: RainMethod | null } {
  if (wanted === 'moved' && shown === 'raw') return { says: 'waiting', other: null }
  return { says: shown, other: shown === 'moved' ? 'raw' : 'moved' }
}
