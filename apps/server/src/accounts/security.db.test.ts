import { adminAccountsSchema, auditAnswerSchema, ownSessionsSchema } from '@radx/contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { byProgram, record } from '../audit/api.ts'
import { pruneAudit, SECRET, verifyAudit, walk } from '../audit/service.ts'
import { TOLD } from '../audit/told.ts'
import { installationSecret } from '../db/secret.ts'
import { type AccountServer, bearer, passwordOf, startAccountServer } from '../testing/account-server.ts'
import { settleDemoAccounts } from './demo.ts'
import { addAccount } from './service.ts'
import { PAIR_BUDGET } from './throttle.ts'
import { deviceLabel } from './user-agent.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

let server: AccountServer
beforeAll(async () => {
  server = await startAccountServer({ DEMO: '0', SESSION_IDLE_MINUTES: '30' })
})
afterAll(() => server?.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('login_throttle').execute()
})

const call = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  token: string | null,
  payload?: object,
) =>
  server.app.inject({
    method,
    url,
    payload,
    headers: token === null ? {} : bearer(token),
    remoteAddress: '192.0.2.1',
  })
const login = (username: string, password = passwordOf(username), ip = '192.0.2.1', agent = FIREFOX) =>
  server.app.inject({
    method: 'POST',
    url: '/api/users/login',
    payload: { username, password },
    remoteAddress: ip,
    headers: { 'user-agent': agent },
  })
const sessions = async (token: string) =>
  ownSessionsSchema.parse((await call('GET', '/api/users/sessions', token)).json())
const probe = async (token: string) => (await call('GET', '/api/shapefile/none', token)).statusCode

describe('one’s own password', () => {
  test('needs the one in use, refuses common ones, and ends every session but this one', async () => {
    const token = await server.signIn('anne')
    const other = (await login('anne')).json().token
    const change = (current: string, password: string) =>
      call('PUT', '/api/users/password', token, { current, password })
    expect((await change('faux-mot', 'parapluie bleu')).json().code).toBe('accounts.passwordWrong')
    expect((await change(passwordOf('anne'), 'motdepasse')).json().code).toBe('accounts.passwordCommon')
    expect((await change(passwordOf('anne'), 'court')).json().code).toBe('accounts.passwordLength')
    expect(await probe(other)).toBe(404)
    expect((await change(passwordOf('anne'), 'parapluie bleu')).statusCode).toBe(200)
    expect([await probe(token), await probe(other)]).toEqual([404, 401])
    expect((await login('anne')).statusCode).toBe(401)
    expect((await login('anne', 'parapluie bleu')).statusCode).toBe(200)
  })

  test('a stolen session guesses the password no faster than a stranger', async () => {
    const token = await server.signIn('boris')
    const codes = []
    for (let i = 0; i < PAIR_BUDGET.burst + 1; i++)
      codes.push(
        (
          await call('PUT', '/api/users/password', token, {
            current: `essai ${i}`,
            password: 'parapluie bleu',
          })
        ).statusCode,
      )
    expect(codes).toEqual([...Array(PAIR_BUDGET.burst).fill(422), 429])
  })

  test('accounts of the demonstration are shared: nobody changes them or sees where others come from', async () => {
    const { db } = server.database
    await settleDemoAccounts(db, true, server.clock.ms, 'Europe/Paris')
    const [mine, theirs] = [
      await login('demo', 'demo-radx'),
      await login('demo', 'demo-radx', '198.51.100.9'),
    ]
    const { token } = mine.json()
    const answer = await call('PUT', '/api/users/password', token, {
      current: 'demo-radx',
      password: 'à moi seul',
    })
    expect(answer.json().code).toBe('accounts.shared')
    expect((await sessions(token)).sessions.map(({ current, address }) => [current, address])).toEqual([
      [true, '192.0.2.1'],
    ])
    expect((await call('DELETE', '/api/users/sessions', token)).json()).toEqual({ ended: 0 })
    expect(await probe(theirs.json().token)).toBe(404)
    await settleDemoAccounts(db, false, server.clock.ms, 'Europe/Paris')
  })
})

describe('one’s own sessions', () => {
  test('are listed with device, network and last use, and each can be ended', async () => {
    const token = await server.signIn('carla')
    server.clock.ms += 1_000
    const phone =
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36'
    const other = (await login('carla', undefined, '2001:db8:1:2:3::4', phone)).json().token
    const { sessions: found, idleMinutes } = await sessions(token)
    expect(idleMinutes).toBe(30)
    expect(found.map(({ device, address, current }) => [device, address, current])).toEqual([
      ['Chrome, Android', '2001:db8:1:2::/64', false],
      ['Appareil inconnu', '127.0.0.1', true],
    ])
    server.clock.ms += 5 * 60_000
    // A page that asks by itself does not use the session.
    const asked = await call('GET', '/api/users/session', token)
    expect(asked.json()).toEqual({ roles: [] })
    const { last_used_at: before } = await server.database.db
      .selectFrom('session')
      .select('last_used_at')
      .where('id', '=', found[1].id)
      .executeTakeFirstOrThrow()
    expect(before.getTime()).toBe(server.clock.ms - 5 * 60_000 - 1_000)
    expect(await probe(token)).toBe(404)
    const later = await sessions(token)
    expect(later.sessions[0]).toMatchObject({ current: true, address: '192.0.2.1' })
    expect(Date.parse(later.sessions[0].lastUsedAt)).toBe(server.clock.ms)
    // Of somebody else, nothing ends.
    const stranger = await server.signIn('denis')
    const { id } = found[0]
    expect((await call('DELETE', `/api/users/sessions/${id}`, stranger)).json()).toEqual({ ended: 0 })
    expect(await probe(other)).toBe(404)
    expect((await call('DELETE', `/api/users/sessions/${id}`, token)).json()).toEqual({ ended: 1 })
    expect([await probe(other), await probe(token)]).toEqual([401, 404])
  })

  test('a manager ends those of somebody else, who may sign in again', async () => {
    const [chief, theirs] = [
      await server.signIn('edith', { roles: ['manager'] }),
      await server.signIn('edgar'),
    ]
    const { accounts } = adminAccountsSchema.parse((await call('GET', '/api/admin/accounts', chief)).json())
    const { id } = accounts.find(({ name }) => name === 'edgar')!
    expect((await call('POST', `/api/admin/accounts/${id}/end-sessions`, chief)).statusCode).toBe(200)
    expect([await probe(theirs), await probe(chief)]).toEqual([401, 404])
    expect((await login('edgar')).statusCode).toBe(200)
  })

  test('all others end at once', async () => {
    const token = await server.signIn('elsa')
    const others = [(await login('elsa')).json().token, (await login('elsa')).json().token]
    expect((await call('DELETE', '/api/users/sessions', token)).json()).toEqual({ ended: 2 })
    expect(await Promise.all([token, ...others].map(probe))).toEqual([404, 401, 401])
  })

  test('one that nobody uses for the minutes of the setting ends, one in use does not', async () => {
    const [used, left] = [await server.signIn('flora'), (await server.signIn('fabien')) as string]
    for (let minutes = 0; minutes < 40; minutes += 10) {
      server.clock.ms += 10 * 60_000
      expect(await probe(used)).toBe(404)
    }
    expect(await probe(left)).toBe(401)
  })

  test.each([
    [FIREFOX, 'Firefox, Linux'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605 Version/17.5 Safari/605', 'Safari, macOS'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/126 Safari/537 Edg/126', 'Edge, Windows'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605 Mobile Safari/604',
      'Safari, iOS',
    ],
    ['<script>', 'Appareil inconnu'],
  ])('%s is %s', (agent, label) => {
    expect(deviceLabel(agent)).toBe(label)
  })
})

describe('administration of accounts', () => {
  const admin = async (token: string) =>
    adminAccountsSchema.parse((await call('GET', '/api/admin/accounts', token)).json())
  const plain = { roles: [], restriction: { start: null, end: null }, shapefiles: [] }
  const idOf = async (token: string, wanted: string) =>
    (await admin(token)).accounts.find(({ name }) => name === wanted)!

  test('a manager makes an account; its link sets the password once, within a day', async () => {
    const token = await server.signIn('chef', { roles: ['manager'] })
    const made = await call('POST', '/api/admin/accounts', token, { name: 'Nadia', ...plain })
    const { token: link } = made.json()
    const use = (password: string, text = link) =>
      call('POST', '/api/users/password-link', null, { token: text, password })
    expect((await use('motdepasse')).json().code).toBe('accounts.passwordCommon')
    expect((await use('averse de juin', `${link.slice(0, -1)}_`)).statusCode).toBe(410)
    expect((await use('averse de juin')).json()).toEqual({ name: 'Nadia' })
    expect((await use('averse de mai')).statusCode).toBe(410)
    expect((await login('nadia', 'averse de juin')).statusCode).toBe(200)

    const { id } = await idOf(token, 'Nadia')
    const first = (await call('POST', `/api/admin/accounts/${id}/link`, token)).json().token
    const second = (await call('POST', `/api/admin/accounts/${id}/link`, token)).json().token
    // The password stays good until the link is used; an older link is worth nothing.
    expect((await login('nadia', 'averse de juin')).statusCode).toBe(200)
    expect((await use('averse de mai', first)).statusCode).toBe(410)
    server.clock.ms += 24 * 3_600_000
    expect((await use('averse de mai', second)).statusCode).toBe(410)
    const { rows } = await server.database.pool.query('select json_agg(l)::text as all from password_link l')
    expect(rows[0].all).not.toContain(second)
  })

  test('two managers who edit one account: the second is told, and nothing of his is kept', async () => {
    const [one, two] = [
      await server.signIn('pia', { roles: ['manager'] }),
      await server.signIn('rené', { roles: ['manager'] }),
    ]
    await addAccount(server.database.db, 'sarah', passwordOf('sarah'))
    const { id, version } = await idOf(one, 'sarah')
    const edit = (token: string, start: string | null) =>
      call('PUT', `/api/admin/accounts/${id}`, token, {
        version,
        ...plain,
        restriction: { start, end: null },
      })
    const both = await Promise.all([edit(one, '2026-01-01T00:00:00Z'), edit(two, '2026-02-01T00:00:00Z')])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(both.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('accounts.changed')
    const kept = await idOf(one, 'sarah')
    const won = both[0].statusCode === 200 ? '2026-01-01T00:00:00.000Z' : '2026-02-01T00:00:00.000Z'
    expect(kept).toMatchObject({ version: version + 1, restriction: { start: won } })
  })

  test('the last manager cannot lock himself out, not even two at once who take each other’s role', async () => {
    const { db } = server.database
    await db.updateTable('account').set({ roles: [] }).where('is_demo', '=', false).execute()
    const [one, two] = [
      await server.signIn('théo', { roles: ['manager'] }),
      await server.signIn('ulysse', { roles: ['manager'] }),
    ]
    const [a, b] = [await idOf(one, 'théo'), await idOf(one, 'ulysse')]
    const demote = (token: string, { id, version }: typeof a) =>
      call('PUT', `/api/admin/accounts/${id}`, token, { version, ...plain })
    const both = await Promise.all([demote(one, b), demote(two, a)])
    expect(both.filter(({ statusCode }) => statusCode === 200).length).toBeLessThan(2)
    await db
      .updateTable('account')
      .set({ roles: ['manager'] })
      .where('id', '=', a.id)
      .execute()
    await db.updateTable('account').set({ roles: [] }).where('id', '=', b.id).execute()
    const alone = await idOf(one, 'théo')
    expect((await demote(one, alone)).json().code).toBe('accounts.lastManager')
    expect((await call('POST', `/api/admin/accounts/${a.id}/disable`, one)).json().code).toBe(
      'accounts.lastManager',
    )
    // A manager that is disabled does not count, one in force does.
    await db
      .updateTable('account')
      .set({ roles: ['manager'], disabled_at: new Date() })
      .where('id', '=', b.id)
      .execute()
    expect((await demote(one, alone)).json().code).toBe('accounts.lastManager')
    expect((await call('POST', `/api/admin/accounts/${b.id}/enable`, one)).statusCode).toBe(200)
    expect((await demote(one, alone)).statusCode).toBe(200)
    expect((await call('GET', '/api/admin/accounts', one)).statusCode).toBe(403)
  })

  test('accounts of the demonstration are not changed in the browser', async () => {
    const { db } = server.database
    await settleDemoAccounts(db, true, server.clock.ms, 'Europe/Paris')
    const { token } = (await login('gestionnaire', 'gestionnaire-radx')).json()
    const { id } = await idOf(token, 'demo')
    for (const act of ['disable', 'link', 'remove-factors'])
      expect((await call('POST', `/api/admin/accounts/${id}/${act}`, token)).json().code, act).toBe(
        'accounts.shared',
      )
    expect((await login('demo', 'demo-radx')).statusCode).toBe(200)
  })
})

describe('the audit trail', () => {
  const trail = async (token: string, query = '') =>
    auditAnswerSchema.parse((await call('GET', `/api/admin/audit${query}`, token)).json())

  test('tells who signed in from where and who failed, without a name that may be a password', async () => {
    const token = await server.signIn('gilles', { roles: ['manager'] })
    await login('gilles', 'faux-mot', '198.51.100.7')
    await login('MonMotDePasse!', 'faux-mot', '198.51.100.7')
    await call('POST', '/api/users/logout', (await login('gilles')).json().token)
    const { events } = await trail(token, '?limit=5')
    expect(
      events.map(({ actor, address, action, subject, details }) => [
        actor,
        address,
        action,
        subject,
        details,
      ]),
    ).toEqual([
      ['gilles', '192.0.2.1', 'logout', 'gilles', {}],
      ['gilles', '192.0.2.1', 'login', 'gilles', { device: 'Firefox, Linux', means: 'password' }],
      [null, '198.51.100.7', 'login.failed', null, { reason: 'accounts.credentials' }],
      [null, '198.51.100.7', 'login.failed', 'gilles', { reason: 'accounts.credentials' }],
      ['gilles', '127.0.0.1', 'login', 'gilles', { device: 'Appareil inconnu', means: 'password' }],
    ])
    expect((await call('GET', '/api/admin/audit', await server.signIn('hélène'))).statusCode).toBe(403)
    const failed = await trail(token, '?action=login.failed&actor=gilles')
    expect(failed.events).toEqual([])
  })

  test('settings and deletions leave a line, refused calls none, and every told call exists', async () => {
    const token = await server.signIn('ivan', { roles: ['manager'] })
    const put = (main: string) =>
      call('PUT', '/api/article/home-message', token, { main, isPublished: false } as object)
    expect((await call('PUT', '/api/article/home-message', token, { main: 1 })).statusCode).toBe(400)
    expect((await put('<p>Bonjour</p>')).statusCode).toBe(200)
    const [line] = (await trail(token, '?limit=1')).events
    expect(line).toMatchObject({
      actor: 'ivan',
      action: 'setting.change',
      subject: '/api/article/home-message',
    })
    const saved = await call('PUT', '/api/storms/tables', token, {
      name: 'Trappes',
      note: 'essai',
      units: 'mm-min',
      source: { csv: 'T;a;b;de;à\n10;6;0,6;6;120' },
    })
    expect(saved.statusCode, saved.body).toBe(200)
    expect((await trail(token, '?limit=1')).events[0]).toMatchObject({
      action: 'item.write',
      subject: '/api/storms/tables',
      details: { name: 'Trappes' },
    })
    for (const key of Object.keys(TOLD)) {
      const [method, url] = key.split(' ')
      expect(server.app.hasRoute({ method: method as 'GET', url }), key).toBe(true)
    }
  })

  test('pages from the newest to the oldest line, each once', async () => {
    const token = await server.signIn('irène', { roles: ['manager'] })
    const seen: number[] = []
    for (let next: number | null = null; ; ) {
      const page = await trail(token, `?limit=7${next === null ? '' : `&before=${next}`}`)
      seen.push(...page.events.map(({ n }) => n))
      next = page.next
      if (next === null) break
    }
    expect(seen).toEqual([...seen].sort((a, b) => b - a))
    expect(new Set(seen).size).toBe(seen[0])
  })

  test('lines written at the same moment make one chain', async () => {
    const { db } = server.database
    const before = (await verifyAudit(db)).lines
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        record(db, byProgram('command'), {
          action: 'setting.change',
          subject: `été ${i}`,
          details: { i: `${i}` },
        }),
      ),
    )
    expect(await verifyAudit(db)).toMatchObject({ sound: true, lines: before + 20 })
  })

  test('a line that is changed, taken out or cut off at the end is found, and so is a new chain', async () => {
    const { db } = server.database
    const { head } = await verifyAudit(db)
    const secret = await installationSecret(db, SECRET)
    const changes = [
      [`update audit_event set subject = 'x' where n = 3`, { n: 3, reason: 'changed' }],
      [`update audit_event set details = '{"a":"b"}' where n = 4`, { n: 4, reason: 'changed' }],
      [`update audit_event set at = at + interval '1 s' where n = 5`, { n: 5, reason: 'changed' }],
      ['delete from audit_event where n = 6', { n: 6, reason: 'missing' }],
      ['delete from audit_event where n = 1', { n: 1, reason: 'missing' }],
      [`delete from audit_event where n = ${head!.n}`, { n: head!.n, reason: 'head' }],
      ['delete from audit_event', { n: head!.n, reason: 'head' }],
    ] as const
    for (const [statement, broken] of changes)
      await db
        .transaction()
        .execute(async (trx) => {
          await sql.raw(statement).execute(trx)
          expect((await walk(trx, secret, head!)).broken, statement).toEqual(broken)
          throw new Error('rolled back')
        })
        .catch((error) => expect(error.message).toBe('rolled back'))
    expect(await verifyAudit(db, head!)).toMatchObject({ sound: true })
  })

  test('retention takes a beginning away and leaves a signed anchor: the rest still verifies', async () => {
    const { db } = server.database
    const { lines, head } = await verifyAudit(db)
    const first = await db.selectFrom('audit_event').select('at').where('n', '<=', 4).execute()
    const until = new Date(Math.max(...first.map(({ at }) => at.getTime())) + 1)
    const now = new Date(server.clock.ms)
    const gone = await pruneAudit(db, until, now)
    expect(gone).toBeGreaterThan(0)
    expect(gone).toBeLessThanOrEqual(lines)
    expect(await verifyAudit(db, head!)).toMatchObject({ sound: true, removed: gone, lines: lines - gone })
    // Everything may go: the next line follows the anchor.
    expect(await pruneAudit(db, new Date('2100-01-01'), now)).toBe(lines - gone)
    await record(db, byProgram(), { action: 'setting.change' })
    expect(await verifyAudit(db, head!)).toMatchObject({ sound: true, removed: lines, lines: 1 })
    await db.updateTable('audit_anchor').set({ removed: 1 }).execute()
    expect(await verifyAudit(db)).toMatchObject({ sound: false, broken: { reason: 'anchor' } })
    await db.updateTable('audit_anchor').set({ removed: lines }).execute()
  })

  test('a flood of failures is counted, not written line by line', async () => {
    const { db } = server.database
    await addAccount(db, 'joris', passwordOf('joris'))
    const before = (await verifyAudit(db)).lines
    for (let i = 0; i < 75; i++) await login('joris', 'faux-mot', `198.51.${i % 200}.${i}`)
    expect((await verifyAudit(db)).lines - before).toBeLessThanOrEqual(60)
    server.clock.ms += 60_000
    await login('joris', 'faux-mot', '203.0.113.5')
    const last = await db
      .selectFrom('audit_event')
      .selectAll()
      .orderBy('n', 'desc')
      .limit(1)
      .executeTakeFirst()
    expect(Number(last?.details.untold)).toBeGreaterThan(0)
  })
})
