import { useEffect } from 'react'
import { SessionWatch } from './auth/SessionWatch.tsx'
import { Consent } from './Consent.tsx'
import { HeaderTools } from './HeaderTools.tsx'
import { LanguageOffer } from './LanguageOffer.tsx'
import { keepForOffline } from './offline.ts'

/** What every page has and none waits for. */
export default function Extras() {
  useEffect(() => void keepForOffline(), [])
  return (
    <>
      <HeaderTools />
      <LanguageOffer />
      <Consent />
      <SessionWatch />
    </>
  )
}
