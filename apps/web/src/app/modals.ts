import { create } from 'zustand'

/** Display types of the specification, and `message` for a dialog that only says something. */
export type ModalType =
  | 'user'
  | 'selectProduct'
  | 'help'
  | 'weatherStation'
  | 'userEvent'
  | 'userEventDeleteConfirm'
  | 'message'

export interface ModalMessage {
  title: string
  text: string
}

interface ModalState {
  type: ModalType | null
  message: ModalMessage | null
}

/** At most one dialog is open. A feature renders its own `AppModal` for the type it serves. */
export const useModal = create<ModalState>()(() => ({ type: null, message: null }))

export const openModal = (type: Exclude<ModalType, 'message'>) => useModal.setState({ type, message: null })
export const openMessage = (message: ModalMessage) => useModal.setState({ type: 'message', message })
export const closeModal = () => useModal.setState({ type: null })
