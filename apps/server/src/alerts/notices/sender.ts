import { setTimeout as sleep } from 'node:timers/promises'
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

/** On their way at a time, of each channel. */
const AT_ONCE = 20
/** Taken at a time; of those to one receiver no more than this and one less are on their way. */
const TAKEN = 4
/** A receiver that has enough is waited for so long before others are looked for again, ms. */
const PATIENCE_MS = 1_000

type Context = Pick<Deps, 'db' | 'site' | 'config' | 'clock' | 'log'> & { keys: NoticeKeys }

/** Sends the notices of one channel; a receiver that keeps one waiting holds up none of another. */
export class Sender {
  private readonly underway = new Map<Promise<void>, string>()
  private readonly failures: unknown[] = []
  private readonly context: Context
  private readonly channel: NoticeChannel

  constructor(context: Context, channel: NoticeChannel) {
    this.context = context
    this.channel = channel
  }

  /**
   * Sends on all that is due, as fast as its receivers answer. What a receiver has that does not answer is not waited for.
   * @param patienceMs how long a receiver of much may be silent
   * @throws what made a notice fail to be settled, such as an absent database
   */
  async sendDue(signal?: AbortSignal, patienceMs = PATIENCE_MS): Promise<void> {
    while (!signal?.aborted) {
      const busy = this.busy()
      if ((await this.start(busy)) === 0 && !(await this.hasRoom(busy, patienceMs))) return
    }
  }

  /** Sends on a few that are due, none to receivers that are busy. @returns how many */
  private async start(busy: readonly string[]): Promise<number> {
    if (this.underway.size >= AT_ONCE) await Promise.race(this.underway.keys())
    if (this.failures.length > 0) throw this.failures.splice(0)[0]
    const { db, clock } = this.context
    const most = Math.min(TAKEN, AT_ONCE - this.underway.size)
    const due = await takeDue(db, this.channel, clock.now(), most, busy)
    for (const notice of due) {
      const sending: Promise<void> = sendOne(this.context, notice)
        .catch((error: unknown) => void this.failures.push(error))
        .finally(() => this.underway.delete(sending))
      this.underway.set(sending, notice.target)
    }
    return due.length
  }

  /** Resolves once nothing is on its way. */
  async settled(): Promise<void> {
    await Promise.all(this.underway.keys())
  }

  /** Whether one of some busy receivers is so no longer, or answers within a time. */
  private async hasRoom(busy: readonly string[], withinMs: number): Promise<boolean> {
    const still = this.busy()
    if (busy.some((target) => !still.includes(target))) return true
    const theirs = [...this.underway].flatMap(([sending, target]) =>
      busy.includes(target) ? [sending.then(() => true)] : [],
    )
    if (theirs.length === 0) return false
    const end = new AbortController()
    const late = sleep(withinMs, false, { signal: end.signal }).catch(() => false)
    const answered = await Promise.race([...theirs, late])
    end.abort()
    return answered
  }

  /** Receivers that have enough to answer. */
  private busy(): string[] {
    const counts = new Map<string, number>()
    for (const target of this.underway.values()) counts.set(target, (counts.get(target) ?? 0) + 1)
    return [...counts].flatMap(([target, count]) => (count >= TAKEN ? [target] : []))
  }
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
