import { type ReactNode, Suspense, useContext, useEffect, useRef } from 'react'
import { Navigate, useLocation } from 'react-router'
import { part } from '../part.tsx'
import { isSignedIn, useAuth } from './store.ts'
import { Waiting } from './waiting.ts'

const Reconnect = part(() => import('../../features/account/Reconnect.tsx'))

/**
 * Shows its content to signed-in users. Where a session ends meanwhile the content waits unseen, with all that was
 * typed, until the same person signs in again.
 */
export function WhileSignedIn({ children, otherwise }: { children: ReactNode; otherwise: ReactNode }) {
  const signedIn = useAuth(isSignedIn)
  const name = useAuth((state) => state.name)
  // What stands in a screen that waits has its form already.
  const within = useContext(Waiting)
  const shown = useRef<string | null>(null)
  if (signedIn) shown.current = name
  const waits = !signedIn && name !== null && name === shown.current
  if (!signedIn && !waits) return otherwise
  return (
    <>
      {waits && !within && (
        <Suspense>
          <Reconnect />
        </Suspense>
      )}
      <div key={shown.current} style={{ display: waits ? 'none' : 'contents' }}>
        <Waiting value={waits}>{children}</Waiting>
      </div>
    </>
  )
}

/** As `WhileSignedIn`; others go to /compte, which sends them back after login. */
export default function RequireAuth({ children }: { children: ReactNode }) {
  return <WhileSignedIn otherwise={<ToLogin />}>{children}</WhileSignedIn>
}

function ToLogin() {
  const { pathname, search, hash } = useLocation()
  const origin = `${pathname}${search}${hash}`
  useEffect(() => useAuth.setState({ redirectPath: origin }), [origin])
  return <Navigate to="/compte" replace />
}
