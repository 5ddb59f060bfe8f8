import { type ReactNode, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { isSignedIn, useAuth } from './store.ts'

/** Shows its content to signed-in users; others go to /compte, which sends them back after login. */
export function RequireAuth({ children }: { children: ReactNode }) {
  const signedIn = useAuth(isSignedIn)
  const location = useLocation()
  const origin = `${location.pathname}${location.search}${location.hash}`
  useEffect(() => {
    if (!signedIn) useAuth.setState({ redirectPath: origin })
  }, [signedIn, origin])
  return signedIn ? children : <Navigate to="/compte" replace />
}
