import { randomUUID } from 'node:crypto'
import type { NewWebhook, Webhook, WebhookBody, WebhookTest } from '@radx/contracts'
import { sql } from 'kysely'
import type { Deps } from '../../http/app.ts'
import { PostFailed } from '../../http/outbound/post.ts'
import { holdQuota, oneAtATime } from '../../http/quota.ts'
import type { Session } from '../../http/sessions.ts'
import { BadRecipient, RecipientGone } from './errors.ts'
import type { NoticeKeys } from './keys.ts'
import type { Persons } from './person.ts'
import { callWebhook } from './webhook.ts'

const MOST = 50

/** Addresses that managers have called when an alert is raised; all managers see all of them. */
export class Webhooks {
  private readonly deps: Deps
  private readonly keys: NoticeKeys
  private readonly persons: Persons

  constructor(deps: Deps, keys: NoticeKeys, persons: Persons) {
    this.deps = deps
    this.keys = keys
    this.persons = persons
  }

  async all(): Promise<Webhook[]> {
    const { rows } = await sql<{
      id: string
      name: string
      url: string
      username: string
      created_at: Date
      sent: Date | null
      error: string | null
    }>`
      select w.*, (select max(done_at) from alert_notice n where n.channel = 'webhook' and n.target = w.id::text
          and n.status = 'sent') as sent,
        (select case when n.status = 'sent' then null else n.error end from alert_notice n
          where n.channel = 'webhook' and n.target = w.id::text and n.attempts > 0
          order by coalesce(n.done_at, n.error_at, n.created_at) desc limit 1) as error
      from alert_webhook w order by w.created_at, w.id`.execute(this.deps.db)
    return rows.map(({ id, name, url, username, created_at, sent, error }) => ({
      ...{ id, name, url, by: username, created: created_at.toISOString() },
      ...{ lastSent: sent?.toISOString() ?? null, lastError: error },
    }))
  }

  /** @returns with its key, which is shown this once @throws BadRecipient, SharedRecipient, QuotaReached */
  async add(session: Session, { name, url }: WebhookBody): Promise<NewWebhook> {
    await this.persons.holdOwn(session)
    const { db, config } = this.deps
    const { protocol, username, password } = new URL(url)
    if (username !== '' || password !== '')
      throw new BadRecipient(
        'L’adresse ne peut contenir d’identifiants\u00a0: vérifier plutôt la signature.',
        'url',
      )
    if (protocol !== 'https:' && config.notices.allowed.length === 0)
      throw new BadRecipient('Une adresse https:// est attendue.', 'url')
    const id = await db.transaction().execute(async (trx) => {
      await oneAtATime(trx, 'webhook', '')
      const { count } = await trx
        .selectFrom('alert_webhook')
        .select((e) => e.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const limits = { count: MOST, bytes: Number.POSITIVE_INFINITY }
      holdQuota('webhook', { count: Number(count), bytes: 0 }, limits)
      const row = await trx
        .insertInto('alert_webhook')
        .values({ name, url, username: session.name })
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    })
    const made = (await this.all()).find((one) => one.id === id)!
    return { ...made, secret: await this.keys.webhook(id) }
  }

  /** @throws RecipientGone */
  async remove(id: string): Promise<void> {
    const gone = await this.deps.db
      .deleteFrom('alert_webhook')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!gone) throw new RecipientGone()
  }

  /** A call that says it is a test. @throws RecipientGone, SharedRecipient */
  async test(session: Session, id: string): Promise<WebhookTest> {
    await this.persons.holdOwn(session)
    const { db, config, clock } = this.deps
    if (!(await this.all()).some((one) => one.id === id)) throw new RecipientGone()
    const message = { id: randomUUID(), body: { id: randomUUID(), event: 'test', alert: null, url: null } }
    try {
      await callWebhook({ db, config, keys: this.keys }, id, message, clock.now())
      return { ok: true, error: null }
    } catch (error) {
      if (error instanceof PostFailed) return { ok: false, error: error.message }
      throw error
    }
  }
}
