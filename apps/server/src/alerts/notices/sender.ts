import type { NoticeChannel } from '@radx/contracts'
import type { Deps } from '../../http/app.ts'
import { PostFailed } from '../../http/outbound/post.ts'
import type { NoticeRow } from '../tables.ts'
import type { NoticeKeys } from './keys.ts'
import { sendMail } from './mail.ts'
import { type Message, messageOf } from './message.ts'
import { type Outcome, settle, takeDue } from './outbox.ts'
import { sendPush } from './push.ts'
import { callWebhook } from './webhook.ts'

/** On their way at a time, of each channel: a silent webhook holds up neither the others for long nor mails. */
const AT_ONCE = 20

type Context = Pick<Deps, 'db' | 'site' | 'config' | 'clock' | 'log'> & { keys: NoticeKeys }

/** Sends what is due of one channel. @returns how many were tried */
export async function sendDue(context: Context, channel: NoticeChannel): Promise<number> {
  const { db, clock } = context
  const due = await takeDue(db, channel, clock.now(), AT_ONCE)
  await Promise.all(due.map((notice) => sendOne(context, notice)))
  return due.length
}

async function sendOne(context: Context, notice: NoticeRow): Promise<void> {
  const { db, site, clock, log } = context
  const outcome = await tried(context, notice).catch((error: unknown): Outcome => {
    if (error instanceof PostFailed) return { ok: false, words: error.message, isFinal: error.isFinal }
    log.error({ err: error, notice: notice.id }, "Un avis d'alerte n'a pas pu partir")
    return { ok: false, words: 'erreur interne, voir le journal du serveur', isFinal: false }
  })
  await settle(db, notice, outcome, clock.now(), site.timeZone)
}

async function tried(context: Context, notice: NoticeRow): Promise<Outcome> {
  const { db, site, config } = context
  const message = await messageOf(db, notice, site.timeZone, config.publicUrl)
  if (!message) return { ok: false, words: 'compte fermé, ou dates qui ne le permettent plus', isFinal: true }
  return { ok: true, words: await sent(context, notice, message) }
}

async function sent(context: Context, { channel, target }: NoticeRow, message: Message): Promise<string> {
  const { config, clock } = context
  switch (channel) {
    case 'email': {
      const { id, title: subject, text, body } = message
      const full = body.url === null ? text : `${text}\n\n${body.url}`
      await sendMail(config.notices, {
        ...{ id, to: target, subject: `[RadX] ${subject}`, text: full },
        isUrgent: message.severity === 'critical',
      })
      return target
    }
    case 'push':
      return sendPush(context, target, message)
    case 'webhook':
      return callWebhook(context, target, message, clock.now())
  }
}
