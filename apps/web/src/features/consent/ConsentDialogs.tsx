import { useConsent } from '../../app/consent.ts'
import { ConsentDialog } from './ConsentDialog.tsx'
import { ConsentManagement } from './ConsentManagement.tsx'

export default function ConsentDialogs() {
  const display = useConsent((state) => state.display)
  const undecided = useConsent((state) => state.allowCookie === null)
  return (
    <>
      {/* It waits behind the management, which gives the focus back to it. */}
      {display !== 'none' && undecided && <ConsentDialog hidden={display !== 'dialog'} />}
      <ConsentManagement opened={display === 'management'} />
    </>
  )
}
