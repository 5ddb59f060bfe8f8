import { Modal, type ModalProps } from '@mantine/core'
import { useContext, useRef } from 'react'
import { Waiting } from '../app/auth/waiting.ts'
import { useFocusReturn } from './focus-return.ts'

/**
 * Every dialog of the page: when it closes, the focus is where it was before. One that was open when its reader's
 * session ended waits unseen with its screen, and comes back with what was typed in it.
 */
export function Dialog(props: ModalProps) {
  const waits = useContext(Waiting)
  // What opens while the screen waits asks about the screen, such as before it is left.
  const asked = useRef({ opened: false, waits: false })
  if (props.opened !== asked.current.opened) asked.current = { opened: props.opened, waits }
  const unseen = waits && !asked.current.waits
  useFocusReturn(props.opened)
  return <Modal attributes={HEADER} {...props} {...(unseen && UNSEEN)} returnFocus={false} />
}

/** The library's header of a dialog is a `header`, which is not the page's. */
const HEADER: ModalProps['attributes'] = { header: { role: 'presentation' } }

/** Out of sight and of the keyboard's way, with all that was typed. */
const UNSEEN: Partial<ModalProps> = {
  style: { display: 'none' },
  trapFocus: false,
  lockScroll: false,
  closeOnEscape: false,
}
