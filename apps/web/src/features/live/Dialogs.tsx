import { lazy, Suspense } from 'react'
import { useModal } from '../../app/modals.ts'

const ProductDialog = lazy(() => import('./dialogs/ProductDialog.tsx'))
const StationDialog = lazy(() => import('./dialogs/StationDialog.tsx'))
const ConfigurationDialog = lazy(() => import('./dialogs/ConfigurationDialog.tsx'))

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
