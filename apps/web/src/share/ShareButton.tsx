import { IconShare2 } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { part } from '../app/part.tsx'
import { shareOpen } from '../texts/share-open.ts'
import { IconButton } from '../ui/IconButton.tsx'
import type { ShareSubject } from './subject.ts'

const ShareDialog = part(() => import('./ShareDialog.tsx'), 'floating')

/** Opens what a view can be shared as. @param load what is shown at that moment; null while there is nothing */
export function ShareButton({ load }: { load: () => Promise<ShareSubject | null> }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton label={shareOpen} tip="left" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <IconShare2 size={18} stroke={1.75} />
      </IconButton>
      {open && (
        <Suspense>
          <ShareDialog load={load} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
