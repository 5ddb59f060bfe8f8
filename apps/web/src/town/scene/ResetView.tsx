import { IconRotate } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { depthTexts } from '../../texts/flood.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import type { OrbitHandle } from './Orbit.tsx'

/** Back to where the view started. */
export function ResetView({
  handle,
  className,
}: {
  handle: RefObject<OrbitHandle | null>
  className?: string
}) {
  return (
    <IconButton
      className={className}
      label={depthTexts.resetCamera}
      tip="left"
      variant="default"
      onClick={() => handle.current?.reset()}
    >
      <IconRotate size={18} stroke={1.75} />
    </IconButton>
  )
}
