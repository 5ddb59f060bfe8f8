import type { PushBody } from '@radx/contracts/alert-notices'
import { SERVICE_WORKER } from '../../../app/offline.ts'
import { noticeTexts } from '../../../texts/alert-notices.ts'

const texts = noticeTexts.push

/** Why a browser was not subscribed, as its user reads it. */
export class NotSubscribed extends Error {}

export const canSubscribe = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Asks the browser for a subscription with the server's key. @throws NotSubscribed */
export async function subscribe(pushKey: string): Promise<PushBody> {
  if ((await Notification.requestPermission()) !== 'granted') throw new NotSubscribed(texts.refused)
  try {
    await navigator.serviceWorker.register(SERVICE_WORKER)
    const { pushManager } = await navigator.serviceWorker.ready
    const before = await pushManager.getSubscription()
    // One with another key could not be told anything.
    if (before && keyOf(before) !== pushKey) await before.unsubscribe()
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey })
    const { endpoint, keys } = made.toJSON()
    return { endpoint: endpoint!, keys: { p256dh: keys!.p256dh, auth: keys!.auth } }
  } catch (error) {
    throw new NotSubscribed(texts.failed, { cause: error })
  }
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
