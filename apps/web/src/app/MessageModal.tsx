import { Text } from '@mantine/core'
import { AppModal } from '../ui/AppModal.tsx'
import { useModal } from './modals.ts'

/** Dialog of `openMessage`, for every screen. */
export default function MessageModal() {
  const message = useModal((state) => state.message)
  return (
    <AppModal type="message" title={message?.title ?? ''} size="md">
      <Text>{message?.text}</Text>
    </AppModal>
  )
}
