import { Suspense } from 'react'
import { useModal } from '../../app/modals.ts'
import { part } from '../../app/part.tsx'

const ProductDialog = part(() => import('./dialogs/ProductDialog.tsx'), 'floating')
const StationDialog = part(() => import('./dialogs/StationDialog.tsx'), 'floating')
const ConfigurationDialog = part(() => import('./dialogs/ConfigurationDialog.tsx'), 'floating')

/** Dialogs of the live page; each comes when it is first opened. */
export function Dialogs({ onProduct }: { onProduct: (shortName: string) => void }) {
  const type = useModal((state) => state.type)
  return (
    <Suspense>
      {type === 'selectProduct' && <ProductDialog onSelect={onProduct} />}
      {type === 'weatherStation' && <StationDialog />}
      {type === 'user' && <ConfigurationDialog />}
    </Suspense>
  )
}
