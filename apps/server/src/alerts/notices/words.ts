import type { NoticeChannel } from '@radx/contracts'

export const CHANNELS_FR: Record<NoticeChannel, string> = {
  email: 'Courriel',
  push: 'Notification',
  webhook: 'Webhook',
}
