import { createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NOTICE_CHANNELS, type Notify, type Quiet } from '@radx/contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { App, Deps } from '../../http/app.ts'
import { createApp } from '../../http/create-app.ts'
import type { Session } from '../../http/sessions.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../../testing/deps.ts'
import { httpReceiver, mailReceiver, pushSubscriber } from '../../testing/receivers.ts'
import { smallCatchments, smallSite } from '../../testing/small-site.ts'
import { startState } from '../machine.ts'
import { keepChanges } from '../raise.ts'
import { registerAlerts } from '../routes.ts'
import { sweepAlerts } from '../sweep.ts'
import { NoticeKeys, noticeKeyFile } from './keys.ts'
import { LEASE_MS, MOST_TRIES, takeDue } from './outbox.ts'
import { Sender } from './sender.ts'

const MINUTE = 60_000
/** Noon in Paris. */
const NOON = Date.parse('2026-06-15T10:00:00Z')

describe('notices of alerts', () => {
  let [database, app, deps] = [] as unknown as [TestDatabase, App, Deps]
  let [http, mail] = [] as unknown as [
    Awaited<ReturnType<typeof httpReceiver>>,
    Awaited<ReturnType<typeof mailReceiver>>,
  ]
  let nowMs = NOON
  /** What the web server answers, by path. */
  let answer: (path: string, count: number) => number | 'nothing' = () => 204
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-notices-'))
  const sessions = new Map<string, Session>()
  const keys = new NoticeKeys(testConfig({ DATA_DIR: dataDir }))

  beforeAll(async () => {
    ;[database, http, mail] = await Promise.all([
      createTestDatabase(),
      httpReceiver((path, count) => answer(path, count)),
      mailReceiver(),
    ])
    database.pool.on('error', () => undefined)
    database.pool.on('connect', (client) => client.on('error', () => undefined))
    deps = await testDeps({
      config: testConfig({
        ...{
          DATA_DIR: dataDir,
          SMTP_URL: mail.url,
          SMTP_FROM: 'radx@example.org',
          OUTBOUND_ALLOW: '127.0.0.1',
        },
        PUBLIC_URL: 'https://radx.example.org',
      }),
      ...{ database: handleOf(database), site: smallSite(), catchments: smallCatchments() },
      clock: { now: () => nowMs },
      sessions: { resolve: async (token) => sessions.get(token) ?? null },
    })
    for (const [name, roles] of [
      ['anne', ['manager']],
      ['bruno', []],
    ] as const) {
      const id = randomUUID()
      sessions.set(name, { userId: id, name, roles: [...roles], restriction: null })
      await database.db
        .insertInto('account')
        .values({
          ...{ id, name, name_key: name, password_hash: '', avatar: null, disabled_at: null },
          ...{ roles: [...roles], restriction_start: null, restriction_end: null },
        })
        .execute()
    }
    app = await createApp(deps, { features: [registerAlerts] })
  })
  afterAll(async () => {
    await app?.close()
    await database?.drop()
    http?.stop()
    mail?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  beforeEach(async () => {
    for (const table of ['alert_rule', 'alert_person', 'alert_push', 'alert_webhook'] as const)
      await database.db.deleteFrom(table).execute()
    http.calls.length = 0
    mail.mails.length = 0
    mail.state.isAway = false
    answer = () => 204
    nowMs = NOON
  })

  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
    token = 'anne',
  ) => {
    const { statusCode, body } = await app.inject({
      method,
      url,
      payload,
      headers: { authorization: `Bearer ${token}` },
    })
    // biome-ignore lint/suspicious/noExplicitAny: each test looks at what it asked for
    return { status: statusCode, body: (body === '' ? null : JSON.parse(body)) as any }
  }
  const webhook = async (path: string) =>
    (await call('POST', '/api/alerts/webhooks', { name: path.slice(1), url: http.url + path })).body as {
      id: string
      secret: string
    }
  const rule = (
    notify: Partial<Notify>,
    more: { quiet?: Quiet; severity?: 'critical'; escalate?: number } = {},
  ) =>
    database.db
      .insertInto('alert_rule')
      .values({
        ...{ username: 'anne', name: 'Averse', threshold: 10, clear: 5, min_minutes: 0, enabled: true },
        ...{
          severity: more.severity ?? 'warning',
          escalate_min: more.escalate ?? null,
          value: null,
          value_at: null,
        },
        measure: JSON.stringify({
          ...{ kind: 'rain-rate', product: 'dpsri' },
          place: { kind: 'zone', catchment: 'melun', subcatchment: null },
        }),
        state: JSON.stringify(startState(nowMs)),
        notify: JSON.stringify({ email: false, push: false, webhooks: [], ...notify }),
        quiet: more.quiet ? JSON.stringify(more.quiet) : null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  let crossings = 0
  /** A crossing as the evaluator writes it. */
  const crosses = async (of: Awaited<ReturnType<typeof rule>>) => {
    const crossingMs = nowMs + crossings++
    await database.db
      .transaction()
      .execute((trx) =>
        keepChanges(
          trx,
          [{ rule: of as never, changes: [{ what: 'raised', crossingMs, atMs: crossingMs, value: 12 }] }],
          nowMs,
          { timeZone: 'Europe/Paris', catchments: deps.catchments },
        ),
      )
  }
  /** Sends until nothing is due and nothing on its way. */
  const sends = async () => {
    for (const channel of NOTICE_CHANNELS) {
      const sender = new Sender({ ...deps, keys }, channel)
      await sender.sendDue(undefined, MINUTE)
      await sender.settled()
    }
  }
  const notices = () => database.db.selectFrom('alert_notice').selectAll().orderBy('created_at').execute()
  const logged = async () => {
    const { body } = await call('GET', '/api/alerts/log')
    return (body.entries as { what: string; detail: string }[]).reverse()
  }
  const confirmedMail = async () => {
    await call('PUT', '/api/alerts/person', { email: 'anne@example.org', quiet: null })
    const code = /Code de confirmation\D*(\d{6})/.exec(decodedMail(mail.mails.at(-1)!.text))![1]
    await call('POST', '/api/alerts/person/confirm', { code })
    mail.mails.length = 0
  }

  test('a crossing is told once by mail, push and webhook, signed, encrypted, and the log says so', async () => {
    await confirmedMail()
    const browser = pushSubscriber(`${http.url}/push`)
    const { open: _, ...subscription } = browser
    expect((await call('POST', '/api/alerts/push', subscription)).body.devices).toHaveLength(1)
    const hook = await webhook('/hook')
    const own = await rule({ email: true, push: true, webhooks: [hook.id] })
    await crosses(own)
    await sends()
    await sends()
    const [mailed] = mail.mails
    expect(mail.mails).toHaveLength(1)
    expect(mailed.to).toBe('anne@example.org')
    expect(decodedMail(mailed.text)).toMatch(
      /Vigilance.*Averse[\s\S]*12\s*mm\/h[\s\S]*https:\/\/radx\.example\.org\/alertes/,
    )
    const [pushed] = http.calls.filter(({ path }) => path === '/push')
    expect(pushed.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' })
    expect(pushed.headers.authorization).toMatch(/^vapid t=/)
    expect(browser.open(pushed.body)).toMatchObject({
      title: expect.stringMatching(/Averse$/),
      url: '/alertes',
    })
    const called = http.calls.filter(({ path }) => path === '/hook')
    expect(called).toHaveLength(1)
    const {
      'x-radx-timestamp': timestamp,
      'x-radx-signature': signature,
      'idempotency-key': id,
    } = called[0].headers
    const mac = createHmac('sha256', hook.secret).update(`${timestamp}.${called[0].body}`).digest('hex')
    expect(signature).toBe(`v1=${mac}`)
    expect(JSON.parse(String(called[0].body))).toMatchObject({
      id,
      event: 'raised',
      alert: { rule: 'Averse', value: 12 },
    })
    expect((await notices()).map(({ status }) => status)).toEqual(['sent', 'sent', 'sent'])
    expect((await logged()).map(({ what }) => what)).toEqual(['raised', 'sent', 'sent', 'sent'])
    expect(statSync(noticeKeyFile(dataDir)).mode & 0o777).toBe(0o600)
    // The key that browsers subscribed with stays, and another one is noticed.
    const { pushKey } = (await call('GET', '/api/alerts/person')).body
    expect(pushKey).toBe((await new NoticeKeys(testConfig({ DATA_DIR: dataDir })).vapid()).publicKey)
    const other = new NoticeKeys(testConfig({ NOTICE_KEY: Buffer.alloc(32, 7).toString('base64') }))
    expect((await other.vapid()).publicKey).not.toBe(pushKey)
    expect([await keys.isKnown(deps.db), await other.isKnown(deps.db)]).toEqual([true, false])
  })

  test('quiet hours hold all but what is critical; an escalation lets go of what is held', async () => {
    const hook = await webhook('/hook')
    const quiet = { from: '11:00', to: '13:30' }
    await crosses(await rule({ webhooks: [hook.id] }, { quiet, escalate: 60 }))
    await crosses(await rule({ webhooks: [hook.id] }, { quiet, severity: 'critical' }))
    await sends()
    expect(http.calls.map(({ body }) => JSON.parse(String(body)).alert.severity)).toEqual(['critical'])
    expect(await logged()).toContainEqual(
      expect.objectContaining({
        what: 'held',
        detail: expect.stringMatching(/^Webhook\s: jusqu’au 15\/06\/2026 - 13:30/),
      }),
    )
    nowMs += 61 * MINUTE
    await sweepAlerts(deps.db, nowMs, 'Europe/Paris')
    await sends()
    // One of each: the escalation is not told beside what it let go of.
    expect(http.calls).toHaveLength(2)
    // Its owner's hours count for a rule without its own.
    await call('PUT', '/api/alerts/person', { email: null, quiet })
    nowMs = NOON
    await crosses(await rule({ webhooks: [hook.id] }))
    await sends()
    expect(http.calls).toHaveLength(2)
    nowMs = NOON + 91 * MINUTE
    await sends()
    expect(http.calls).toHaveLength(3)
  })

  test('a mail server that is away is tried again with growing pauses, told of, and nothing is lost', async () => {
    await confirmedMail()
    mail.state.isAway = true
    await crosses(await rule({ email: true }))
    const tries: number[] = []
    for (const seconds of [0, 9, 10, 39, 40, 99, 100, 219, 220]) {
      nowMs = NOON + seconds * 1_000
      const before = (await notices())[0].attempts
      await sends()
      if ((await notices())[0].attempts > before) tries.push(seconds)
    }
    expect(tries).toEqual([0, 10, 40, 100, 220])
    expect((await logged()).map(({ what }) => what)).toEqual(['raised', 'delayed'])
    // bruno is no manager.
    expect((await call('GET', '/api/admin/notices', undefined, 'bruno')).status).toBe(403)
    const { body } = await call('GET', '/api/admin/notices')
    expect(body.channels[0]).toMatchObject({ channel: 'email', waiting: 1, retried: 1, sent: 0 })
    expect(body.channels[0].lastError).toMatch(/pas joignable/)
    mail.state.isAway = false
    nowMs += 5 * MINUTE
    await sends()
    expect(mail.mails).toHaveLength(1)
    // An address that the mail server does not know is given up at once.
    await database.db.updateTable('alert_person').set({ email: 'unknown@example.org' }).execute()
    await crosses(await rule({ email: true }))
    await sends()
    expect((await logged()).at(-1)).toMatchObject({
      what: 'undelivered',
      detail: expect.stringMatching(/550/),
    })
  })

  test('webhooks that fail, redirect, or lie in a private network hold up nobody and are given up in time', async () => {
    answer = (path) => (path === '/500' ? 500 : path === '/redirect' ? 307 : 204)
    const paths = ['/500', '/redirect', '/good']
    const hooks: { id: string }[] = []
    for (const path of paths) hooks.push(await webhook(path))
    const inside = (await call('POST', '/api/alerts/webhooks', { name: 'dedans', url: 'https://10.0.0.1/' }))
      .body
    await crosses(await rule({ webhooks: [...hooks, inside].map(({ id }) => id) }))
    await sends()
    expect(http.calls.map(({ path }) => path).sort()).toEqual(['/500', '/good', '/redirect'])
    const words = (await logged()).map(({ what, detail }) => `${what} ${detail}`)
    expect(words).toContainEqual(
      expect.stringMatching(/^delayed Webhook\s: 500\s: Réponse 500, nouvel essai le /),
    )
    expect(words).toContainEqual(expect.stringMatching(/^delayed .*redirections ne sont pas suivies/))
    expect(words).toContainEqual(expect.stringMatching(/^undelivered .*dedans.*adresse privée/))
    expect(
      (await call('GET', '/api/alerts/webhooks')).body.map(
        ({ lastError }: { lastError: string | null }) => lastError === null,
      ),
    ).toEqual([...[false, false, true, false]])
    await database.db
      .updateTable('alert_notice')
      .set({ attempts: MOST_TRIES - 1 })
      .where('status', '=', 'waiting')
      .execute()
    nowMs += 31 * MINUTE
    await sends()
    expect((await notices()).map(({ status }) => status).sort()).toEqual([
      'failed',
      'failed',
      'failed',
      'sent',
    ])
    expect(http.calls.filter(({ path }) => path === '/500')).toHaveLength(2)
    expect(
      new Set(
        http.calls.filter(({ path }) => path === '/500').map(({ headers }) => headers['idempotency-key']),
      ).size,
    ).toBe(1)
    expect((await call('POST', `/api/alerts/webhooks/${hooks[0].id}/test`)).body).toMatchObject({ ok: false })
    expect((await call('POST', `/api/alerts/webhooks/${hooks[2].id}/test`)).body).toEqual({
      ok: true,
      error: null,
    })
  })

  test('a receiver of many notices that fails holds up nobody else', async () => {
    answer = (path) => (path === '/500' ? 500 : 204)
    const [bad, good] = [await webhook('/500'), await webhook('/good')]
    const own = await rule({ webhooks: [bad.id] })
    for (let k = 0; k < 30; k++) await crosses(own)
    await crosses(await rule({ webhooks: [good.id] }))
    const sender = new Sender({ ...deps, keys }, 'webhook')
    await sender.sendDue()
    await sender.settled()
    expect(http.calls.map(({ path }) => path)).toContain('/good')
    expect(http.calls.length).toBeLessThan(10)
    // Once it answers all come, each once.
    answer = () => 204
    nowMs += MINUTE
    // They go as fast as it answers, a few at a time.
    await sender.sendDue(undefined, MINUTE)
    await sender.settled()
    expect((await notices()).every(({ status }) => status === 'sent')).toBe(true)
  })

  test('a webhook that never answers holds up nobody, also who is told of something later, and is given up in time', async () => {
    const slow = await httpReceiver(() => 'nothing')
    onTestFinished(slow.stop)
    const { body: silent } = await call('POST', '/api/alerts/webhooks', { name: 'muet', url: slow.url })
    const good = await webhook('/good')
    const [own, others] = [await rule({ webhooks: [silent.id] }), await rule({ webhooks: [good.id] })]
    const within = (webhookTimeoutMs: number) => {
      const notices = { ...deps.config.notices, webhookTimeoutMs }
      return new Sender({ ...deps, keys, config: { ...deps.config, notices } }, 'webhook')
    }
    await crosses(own)
    const brief = within(100)
    await brief.sendDue()
    await brief.settled()
    expect((await logged()).map(({ what, detail }) => `${what} ${detail}`)).toContainEqual(
      expect.stringMatching(/^delayed Webhook\s: muet\s: .*nouvel essai le /),
    )

    nowMs += MINUTE
    for (let k = 0; k < 40; k++) await crosses(own)
    slow.calls.length = 0
    const sender = within(60_000)
    await sender.sendDue(undefined, 1)
    await expect.poll(() => slow.calls.length).toBeGreaterThan(3)
    // The silent one has what it may have at once, and no place of another.
    for (let k = 1; k <= 3; k++) {
      await crosses(others)
      await sender.sendDue(undefined, 1)
      await expect.poll(() => http.calls).toHaveLength(k)
    }
    expect(slow.calls.length).toBeLessThan(8)
    slow.stop()
    await sender.settled()
    expect((await notices()).filter(({ status }) => status === 'sent')).toHaveLength(3)
  })

  test('senders that die at any moment, and two of them, lose nothing; who gets one twice knows it by its id', async () => {
    const hook = await webhook('/hook')
    const own = await rule({ webhooks: [hook.id] })
    for (let k = 0; k < 40; k++) await crosses(own)
    // One takes some and is gone: nobody else has them before the lease ends.
    expect(await takeDue(deps.db, 'webhook', nowMs, 5)).toHaveLength(5)
    const senders = [1, 2].map(() => sends().catch(() => undefined))
    const kills = [5, 20, 60, 120].map(async (ms) => {
      await sleep(ms)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and state <> 'idle'`
        .execute(database.db)
        .catch(() => undefined)
    })
    await Promise.all([...senders, ...kills])
    for (let k = 0; k < 5; k++) await sends().catch(() => undefined)
    nowMs += LEASE_MS.webhook + 1_000
    for (let k = 0; k < 5; k++) await sends().catch(() => undefined)
    const ids = new Set(http.calls.map(({ headers }) => headers['idempotency-key']))
    expect(ids.size).toBe(40)
    expect((await notices()).every(({ status }) => status === 'sent')).toBe(true)
    expect((await logged()).filter(({ what }) => what === 'sent')).toHaveLength(40)
    // A clock that is set back keeps nothing waiting for hours.
    answer = (_, count) => (count > http.calls.length ? 204 : 500)
    await crosses(own)
    await sends()
    nowMs -= 5 * 60 * MINUTE
    answer = () => 204
    await sends()
    expect((await notices()).every(({ status }) => status === 'sent')).toBe(true)
  })

  test('an address is told nothing before its code came back, and guesses end', async () => {
    const asked = await call('PUT', '/api/alerts/person', { email: 'anne@example.org', quiet: null })
    expect(asked.body).toMatchObject({ email: 'anne@example.org', confirmed: false })
    await crosses(await rule({ email: true }))
    await sends()
    expect(mail.mails).toHaveLength(1)
    const code = /Code de confirmation\D*(\d{6})/.exec(decodedMail(mail.mails[0].text))![1]
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const statuses = []
    for (let k = 0; k < 6; k++)
      statuses.push((await call('POST', '/api/alerts/person/confirm', { code: k < 5 ? wrong : code })).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400])
    expect(
      (await call('PUT', '/api/alerts/person', { email: 'anne@example.org\r\nBcc: x@y.fr', quiet: null }))
        .status,
    ).toBe(400)
  })

  test('webhooks are for managers, recipients for accounts of one’s own', async () => {
    const hook = await webhook('/hook')
    expect((await call('POST', '/api/alerts/webhooks', { name: 'x', url: http.url }, 'bruno')).status).toBe(
      403,
    )
    expect((await call('GET', '/api/alerts/person', undefined, 'bruno')).body.webhooks).toEqual([])
    expect(
      (await call('POST', '/api/alerts/webhooks', { name: 'x', url: 'https://a:b@example.org' })).status,
    ).toBe(400)
    const { open: _, ...subscription } = pushSubscriber(`${http.url}/push`)
    const bad = { ...subscription, keys: { ...subscription.keys, auth: 'AAAA' } }
    expect((await call('POST', '/api/alerts/push', bad)).status).toBe(400)
    await database.db.updateTable('account').set({ is_demo: true }).where('name', '=', 'bruno').execute()
    for (const [method, url, body] of [
      ['PUT', '/api/alerts/person', { email: 'x@example.org', quiet: null }],
      ['POST', '/api/alerts/push', subscription],
    ] as const)
      expect((await call(method, url, body, 'bruno')).body).toMatchObject({ code: 'alerts.shared' })
    // Who is no manager any more has none called.
    const own = await rule({ webhooks: [hook.id] })
    await database.db.updateTable('account').set({ roles: [] }).where('name', '=', 'anne').execute()
    await crosses(own)
    expect(await notices()).toEqual([])
    await database.db
      .updateTable('account')
      .set({ roles: ['manager'] })
      .where('name', '=', 'anne')
      .execute()
    // A browser that ended its subscription is forgotten.
    await call('POST', '/api/alerts/push', subscription)
    answer = () => 410
    await crosses(await rule({ push: true }))
    await sends()
    expect((await call('GET', '/api/alerts/person')).body.devices).toEqual([])
  })
})

/** Words of a mail, whichever way its lines are written. */
function decodedMail(text: string): string {
  const subject = text.replace(/=\?UTF-8\?Q\?(.*?)\?=\s*/gi, (_, words: string) => words.replaceAll('_', ' '))
  const base64 = text.replace(/=\?UTF-8\?B\?(.*?)\?=\s*/gi, (_, words: string) =>
    Buffer.from(words, 'base64').toString(),
  )
  const body = /base64/i.test(text.split('\n\n')[0])
    ? Buffer.from(text.split('\n\n').slice(1).join(''), 'base64').toString()
    : ''
  const plain = [subject, base64].map((words) =>
    Buffer.from(
      words
        .replace(/=\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString('utf8'),
  )
  return [base64, ...plain, body].join('\n')
}
