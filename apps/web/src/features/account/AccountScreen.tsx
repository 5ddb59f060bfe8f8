import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { isSignedIn, useAuth } from '../../app/auth/store.ts'
import { AccountView } from './AccountView.tsx'
import { LoginForm } from './LoginForm.tsx'

export default function AccountScreen() {
  const signedIn = useAuth(isSignedIn)
  const redirectPath = useAuth((state) => state.redirectPath)
  const navigate = useNavigate()
  // Whoever was sent here from a protected page goes back there, also when another tab signed in.
  useEffect(() => {
    if (!signedIn || redirectPath === null) return
    useAuth.setState({ redirectPath: null })
    void navigate(redirectPath, { replace: true })
  }, [signedIn, redirectPath, navigate])
  return signedIn ? <AccountView /> : <LoginForm />
}
