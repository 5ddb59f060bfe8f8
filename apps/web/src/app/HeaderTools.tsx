import { IconWifiOff } from '@tabler/icons-react'
import { Suspense } from 'react'
import { createPortal } from 'react-dom'
import { offlineTexts } from '../texts/zone.ts'
import { isSignedIn, useAuth } from './auth/store.ts'
import classes from './Header.module.css'
import { TOOLS_ID } from './Header.tsx'
import { useOnline } from './online.ts'
import { part } from './part.tsx'
import { ZoneSwitch } from './ZoneSwitch.tsx'

const AlertsBell = part(() => import('./AlertsBell.tsx'), 'nothing')

/** What the header has for everybody, and nobody waits for. */
export function HeaderTools() {
  const signedIn = useAuth(isSignedIn)
  const online = useOnline()
  const place = document.getElementById(TOOLS_ID)
  if (place === null) return null
  return createPortal(
    <>
      {!online && (
        <span className={classes.offline} role="status" title={offlineTexts.kept}>
          <IconWifiOff size={16} stroke={1.75} aria-hidden />
          <span>{offlineTexts.offline}</span>
        </span>
      )}
      {signedIn && (
        <Suspense>
          <AlertsBell />
        </Suspense>
      )}
      <ZoneSwitch />
    </>,
    place,
  )
}
