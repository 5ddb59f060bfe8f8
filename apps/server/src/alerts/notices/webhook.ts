import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/schema.ts'
import { PostFailed, post } from '../../http/outbound/post.ts'
import type { NoticeKeys } from './keys.ts'

interface Context {
  db: Kysely<Database>
  config: Pick<Config, 'notices'>
  keys: NoticeKeys
}

/** Over the moment and the body, so that an old call that is sent again is told from a new one. */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`

/** Calls a webhook, signed. @returns its name @throws PostFailed */
export async function callWebhook(
  { db, config, keys }: Context,
  target: string,
  message: { id: string; body: unknown },
  nowMs: number,
): Promise<string> {
  const hook = await db.selectFrom('alert_webhook').selectAll().where('id', '=', target).executeTakeFirst()
  if (!hook) throw new PostFailed('Ce webhook n’existe plus', { isFinal: true })
  const body = JSON.stringify(message.body)
  const timestamp = String(Math.floor(nowMs / 1000))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'RadX',
    'idempotency-key': message.id,
    'x-radx-timestamp': timestamp,
    'x-radx-signature': signatureOf(await keys.webhook(target), timestamp, body),
  }
  try {
    const { webhookTimeoutMs: timeoutMs, allowed } = config.notices
    await post({ url: hook.url, headers, body, timeoutMs, allowed })
  } catch (error) {
    if (!(error instanceof PostFailed)) throw error
    const { isFinal, status, message: words } = error
    throw new PostFailed(`${hook.name}\u00a0: ${words}`, { isFinal, status })
  }
  return hook.name
}
