import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isSignedIn, useAuth } from '../../app/auth/store.ts'
import { AccountView } from './AccountView.tsx'
import { LinkForm } from './LinkForm.tsx'
import { LoginForm } from './LoginForm.tsx'

/** A manager's link carries its token in the fragment, which no server and no log sees. */
const LINK = /^#lien=([\w-]{1,100})$/

export default function AccountScreen() {
  const signedIn = useAuth(isSignedIn)
  const redirectPath = useAuth((state) => state.redirectPath)
  const navigate = useNavigate()
  const { hash, pathname } = useLocation()
  const token = LINK.exec(hash)?.[1]
  const [leaving, setLeaving] = useState(false)
  // Whoever was sent here from a protected page goes back there, also when another tab signed in.
  useEffect(() => {
    if (!signedIn || redirectPath === null) return
    useAuth.setState({ redirectPath: null })
    // Nothing of the account shows up while the other page is still loading.
    setLeaving(!redirectPath.startsWith(pathname))
    void navigate(redirectPath, { replace: true })
  }, [signedIn, redirectPath, navigate, pathname])
  if (token !== undefined)
    return <LinkForm token={token} onDone={() => void navigate('/compte', { replace: true })} />
  if (signedIn && (leaving || redirectPath !== null)) return null
  return signedIn ? <AccountView /> : <LoginForm />
}
