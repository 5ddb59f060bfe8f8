import { SessionWatch } from './auth/SessionWatch.tsx'
import { Consent } from './Consent.tsx'

/** What every page has and none waits for. */
export default function Extras() {
  return (
    <>
      <Consent />
      <SessionWatch />
    </>
  )
}
