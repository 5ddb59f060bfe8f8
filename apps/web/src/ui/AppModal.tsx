import type { ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { closeModal, type ModalType, useModal } from '../app/modals.ts'
import { Dialog } from './Dialog.tsx'
import { MantineRoot } from './MantineRoot.tsx'

interface Props {
  type: ModalType
  title: ReactNode
  size?: ModalProps['size']
  children: ReactNode
}

/** The dialog of one display type; it is open while `openModal(type)` holds. */
export function AppModal({ type, title, size = 'lg', children }: Props) {
  const opened = useModal((state) => state.type === type)
  return (
    <MantineRoot>
      <Dialog opened={opened} onClose={closeModal} title={title} size={size}>
        {children}
      </Dialog>
    </MantineRoot>
  )
}
