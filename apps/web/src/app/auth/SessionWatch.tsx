import type { SessionState } from '@radx/contracts/own-account'
import { useEffect } from 'react'
import { callJson } from '../api/client.ts'
import { keepRoles } from './kept.ts'
import { isSignedIn, useAuth } from './store.ts'

/** How often a page in sight asks whether its session lasts, ms. */
const EVERY_MS = 20_000
/** Coming back to a page tells so in several ways at once, ms. */
const APART_MS = 2_000

/** Notices a session that was ended elsewhere, and rights that changed, without waiting for the next call. */
export function SessionWatch() {
  const signedIn = useAuth(isSignedIn)
  useEffect(() => {
    if (!signedIn) return
    const leave = new AbortController()
    let asked = Number.NEGATIVE_INFINITY
    const ask = async () => {
      if (document.visibilityState !== 'visible' || performance.now() - asked < APART_MS) return
      asked = performance.now()
      const { token } = useAuth.getState()
      // A refusal ends the session in the client; no answer says nothing.
      const state = await callJson<SessionState>('/api/users/session', { signal: leave.signal }).catch(
        () => null,
      )
      if (state && token === useAuth.getState().token) keepRoles(state.roles)
    }
    const timer = setInterval(() => void ask(), EVERY_MS)
    const heard = () => void ask()
    document.addEventListener('visibilitychange', heard, { signal: leave.signal })
    for (const event of ['focus', 'online']) addEventListener(event, heard, { signal: leave.signal })
    return () => {
      clearInterval(timer)
      leave.abort()
    }
  }, [signedIn])
  return null
}
