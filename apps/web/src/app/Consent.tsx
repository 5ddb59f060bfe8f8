import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { MantineRoot } from '../ui/MantineRoot.tsx'
import { trackEvent } from './analytics.ts'
import { useConsent } from './consent.ts'
import { part } from './part.tsx'
import { siteQuery } from './site.ts'

const ConsentDialogs = part(() => import('../features/consent/ConsentDialogs.tsx'), 'nothing')

/** The visitor's choice on cookies, and the audience measurement once it is a yes. */
export function Consent() {
  const display = useConsent((state) => state.display)
  useMeasurement()
  // Stays once it was there, so that the management can close with its motion.
  const [asked, setAsked] = useState(display !== 'none')
  if (display !== 'none' && !asked) setAsked(true)
  if (!asked) return null
  return (
    <MantineRoot>
      <Suspense>
        <ConsentDialogs />
      </Suspense>
    </MantineRoot>
  )
}

function useMeasurement(): void {
  const allowed = useConsent((state) => state.allowCookie === true)
  const target = useQuery(siteQuery).data?.analytics ?? null
  const { pathname } = useLocation()
  const [running, setRunning] = useState(false)
  useEffect(() => {
    if (!allowed || target === null) return
    let stop: (() => void) | null = null
    let over = false
    void import('../features/consent/matomo.ts').then(
      ({ startMeasurement }) => {
        if (over) return
        stop = startMeasurement(target)
        setRunning(true)
      },
      () => undefined,
    )
    return () => {
      over = true
      stop?.()
      setRunning(false)
    }
  }, [allowed, target])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new page is a view
  useEffect(() => {
    if (running) trackEvent({ type: 'page', category: 'page', action: 'view', value: 1 })
  }, [running, pathname])
}
