import { useConsent } from '../../app/consent.ts'
import { ConsentDialog } from './ConsentDialog.tsx'
import { ConsentManagement } from './ConsentManagement.tsx'

export default function ConsentDialogs() {
  const display = useConsent((state) => state.display)
  return (
    <>
      {display === 'dialog' && <ConsentDialog />}
      <ConsentManagement opened={display === 'management'} />
    </>
  )
}
