import type { Kysely } from 'kysely'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/schema.ts'
import { PostFailed, post } from '../../http/outbound/post.ts'
import type { NoticeKeys } from './keys.ts'
import type { Message } from './message.ts'

const TIMEOUT_MS = 10_000
/** A browser that is off so long hears nothing of it any more. */
const TTL_S = 24 * 3_600
/** Services take 4 kB, of which encryption needs some. */
const MOST_TEXT = 1_000

/** Sends to a browser over its maker's push service, encrypted for that browser alone (RFC 8291). @throws PostFailed */
export async function sendPush(
  {
    db,
    config,
    keys,
  }: { db: Kysely<Database>; config: Pick<Config, 'notices' | 'publicUrl'>; keys: NoticeKeys },
  target: string,
  { id, title, text }: Message,
): Promise<string> {
  const device = await db.selectFrom('alert_push').selectAll().where('id', '=', target).executeTakeFirst()
  if (!device) throw new PostFailed('Cet appareil n’est plus abonné', { isFinal: true })
  const { notices, publicUrl } = config
  const { default: webPush } = await import('web-push')
  const details = webPush.generateRequestDetails(
    { endpoint: device.endpoint, keys: { p256dh: device.p256dh, auth: device.auth } },
    JSON.stringify({ id, title, body: text.slice(0, MOST_TEXT), url: '/alertes' }),
    {
      vapidDetails: {
        subject: publicUrl?.startsWith('https:') ? publicUrl : `mailto:${notices.from}`,
        ...(await keys.vapid()),
      },
      ...{ TTL: TTL_S, urgency: 'high' },
      // A second copy of a notice takes the place of the first while that waits.
      topic: id.replaceAll('-', ''),
    },
  )
  const headers = Object.fromEntries(
    Object.entries(details.headers).map(([name, value]) => [name, String(value)]),
  )
  try {
    await post({
      ...{ url: details.endpoint, headers, body: details.body, timeoutMs: TIMEOUT_MS },
      allowed: notices.allowed,
    })
  } catch (error) {
    if (!(error instanceof PostFailed) || (error.status !== 404 && error.status !== 410)) throw error
    await db.deleteFrom('alert_push').where('id', '=', target).execute()
    throw new PostFailed(`${device.label}\u00a0: abonnement terminé par le navigateur`, { isFinal: true })
  }
  return device.label
}
