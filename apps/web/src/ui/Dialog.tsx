import { Modal, type ModalProps } from '@mantine/core'
import { useFocusReturn } from './focus-return.ts'

/** Every dialog of the page: when it closes, the focus is where it was before. */
export function Dialog(props: ModalProps) {
  useFocusReturn(props.opened)
  return <Modal {...props} returnFocus={false} />
}
