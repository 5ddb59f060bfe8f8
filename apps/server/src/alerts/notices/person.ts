import { createHash, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import type { AlertPerson, AlertPersonBody, Notify, PushBody } from '@radx/contracts'
import type { Deps } from '../../http/app.ts'
import { PostFailed } from '../../http/outbound/post.ts'
import { oneAtATime } from '../../http/quota.ts'
import { isManager, type Session } from '../../http/sessions.ts'
import { TokenBuckets } from '../../http/token-buckets.ts'
import {
  BadRecipient,
  ManagersOnly,
  NoMail,
  RecipientGone,
  SharedRecipient,
  TooManyCodes,
  WrongCode,
} from './errors.ts'
import type { NoticeKeys } from './keys.ts'
import { sendMail } from './mail.ts'

const CODE_MS = 30 * 60_000
const MOST_TRIES = 5
const MOST_DEVICES = 10

const hashOf = (code: string, username: string) => createHash('sha256').update(`${code} ${username}`).digest()

/** How an account is told of its alerts. */
export class Persons {
  private readonly deps: Deps
  private readonly keys: NoticeKeys
  /** Mails with codes: each costs somebody's attention. */
  private readonly codes = new TokenBuckets({ burst: 3, perSecond: 1 / 300 })

  constructor(deps: Deps, keys: NoticeKeys) {
    this.deps = deps
    this.keys = keys
  }

  async of(session: Session): Promise<AlertPerson> {
    const { db, config } = this.deps
    const [row, devices, webhooks, shared] = await Promise.all([
      db.selectFrom('alert_person').selectAll().where('username', '=', session.name).executeTakeFirst(),
      db
        .selectFrom('alert_push')
        .select(['id', 'label', 'created_at'])
        .where('username', '=', session.name)
        .orderBy('created_at')
        .execute(),
      isManager(session)
        ? db.selectFrom('alert_webhook').select(['id', 'name']).orderBy('created_at').execute()
        : [],
      this.isShared(session),
    ])
    return {
      email: row?.email ?? null,
      confirmed: Boolean(row?.email_confirmed_at),
      quiet: row?.quiet ?? null,
      ...{ shared, webhooks, hasMail: config.notices.smtpUrl !== null },
      pushKey: (await this.keys.vapid()).publicKey,
      devices: devices.map(({ id, label, created_at }) => ({ id, label, created: created_at.toISOString() })),
    }
  }

  /** An account of the demonstration: everybody could have its notices sent anywhere. */
  async isShared({ name }: Session): Promise<boolean> {
    const row = await this.deps.db
      .selectFrom('account')
      .select('is_demo')
      .where('name', '=', name)
      .executeTakeFirst()
    return row?.is_demo ?? false
  }

  /** @throws SharedRecipient */
  async holdOwn(session: Session): Promise<void> {
    if (await this.isShared(session)) throw new SharedRecipient()
  }

  /** Another address is sent a code, which it is confirmed with. @throws SharedRecipient, NoMail, TooManyCodes */
  async save(session: Session, { email, quiet }: AlertPersonBody): Promise<AlertPerson> {
    const { db, clock } = this.deps
    if (email !== null) await this.holdOwn(session)
    const before = await db
      .selectFrom('alert_person')
      .selectAll()
      .where('username', '=', session.name)
      .executeTakeFirst()
    const isKept = before?.email === email && (email === null || before.email_confirmed_at !== null)
    const code = email === null || isKept ? null : await this.sendCode(session, email)
    const values = {
      email,
      quiet: quiet === null ? null : JSON.stringify(quiet),
      email_confirmed_at: isKept ? (before?.email_confirmed_at ?? null) : null,
      email_code: code === null ? null : hashOf(code, session.name),
      email_code_until: code === null ? null : new Date(clock.now() + CODE_MS),
      email_tries: 0,
    }
    await db
      .insertInto('alert_person')
      .values({ username: session.name, ...values })
      .onConflict((c) => c.column('username').doUpdateSet(values))
      .execute()
    return this.of(session)
  }

  private async sendCode({ name }: Session, email: string): Promise<string> {
    const { config, clock } = this.deps
    if (!this.codes.take(name, clock.now())) throw new TooManyCodes()
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    try {
      await sendMail(config.notices, {
        ...{ id: randomUUID(), to: email, subject: `[RadX] Code de confirmation\u00a0: ${code}` },
        text: `Le compte «\u00a0${name}\u00a0» de RadX demande que ses alertes soient envoyées à cette adresse.\n\nCode de confirmation\u00a0: ${code}\n\nIl vaut 30\u00a0minutes. Sans ce code rien d’autre ne sera envoyé ici.`,
      })
    } catch (error) {
      if (error instanceof PostFailed) throw new NoMail(`Le code n’a pas pu être envoyé. ${error.message}.`)
      throw error
    }
    return code
  }

  /** @throws WrongCode */
  async confirm(session: Session, code: string): Promise<AlertPerson> {
    const { db, clock } = this.deps
    const now = new Date(clock.now())
    // Counted before it is looked at: tries at once are tries too.
    const row = await db
      .updateTable('alert_person')
      .set((e) => ({ email_tries: e('email_tries', '+', 1) }))
      .where('username', '=', session.name)
      .where('email_code_until', '>', now)
      .where('email_tries', '<', MOST_TRIES)
      .returning('email_code')
      .executeTakeFirst()
    const given = hashOf(code, session.name)
    if (!row?.email_code || !timingSafeEqual(row.email_code, given)) throw new WrongCode()
    await db
      .updateTable('alert_person')
      .set({ email_confirmed_at: now, email_code: null, email_code_until: null })
      .where('username', '=', session.name)
      .where('email_code', '=', given)
      .execute()
    return this.of(session)
  }

  /** A browser of the account is told from now on; one that comes again stays one. @throws BadRecipient, SharedRecipient */
  async subscribe(session: Session, { endpoint, keys }: PushBody, label: string): Promise<AlertPerson> {
    await this.holdOwn(session)
    const [point, auth] = [keys.p256dh, keys.auth].map((text) => Buffer.from(text, 'base64url'))
    if (point.length !== 65 || point[0] !== 4 || auth.length !== 16)
      throw new BadRecipient('Cet abonnement n’a pas la forme attendue.', 'keys')
    const { db, config } = this.deps
    if (!endpoint.startsWith('https:') && config.notices.allowed.length === 0)
      throw new BadRecipient('Une adresse https:// est attendue.', 'endpoint')
    await db.transaction().execute(async (trx) => {
      await oneAtATime(trx, 'push', session.name)
      const { count } = await trx
        .selectFrom('alert_push')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('username', '=', session.name)
        .where('endpoint', '!=', endpoint)
        .executeTakeFirstOrThrow()
      if (Number(count) >= MOST_DEVICES)
        throw new BadRecipient(
          `Un compte a au plus ${MOST_DEVICES} appareils abonnés\u00a0: en retirer un.`,
          'endpoint',
        )
      const values = { username: session.name, p256dh: keys.p256dh, auth: keys.auth, label }
      // Who signs in on a browser last is told on it.
      await trx
        .insertInto('alert_push')
        .values({ endpoint, ...values })
        .onConflict((c) => c.column('endpoint').doUpdateSet(values))
        .execute()
    })
    return this.of(session)
  }

  /** @throws RecipientGone */
  async unsubscribe(session: Session, id: string): Promise<AlertPerson> {
    const gone = await this.deps.db
      .deleteFrom('alert_push')
      .where('id', '=', id)
      .where('username', '=', session.name)
      .returning('id')
      .executeTakeFirst()
    if (!gone) throw new RecipientGone()
    return this.of(session)
  }

  /** Whom a rule may tell. @param before what it told until now: who is no manager any more may leave it away only */
  async holdNotify(session: Session, notify: Notify): Promise<void> {
    if (notify.webhooks.length === 0) return
    if (!isManager(session)) throw new ManagersOnly()
    const found = await this.deps.db
      .selectFrom('alert_webhook')
      .select('id')
      .where('id', 'in', notify.webhooks)
      .execute()
    if (found.length < new Set(notify.webhooks).size)
      throw new BadRecipient('Un des webhooks de cette règle n’existe plus.', 'notify')
  }
}
