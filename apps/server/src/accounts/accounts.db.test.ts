import { hash } from '@node-rs/argon2'
import { loginAnswerSchema } from '@radx/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AccountServer, bearer, passwordOf, startAccountServer } from '../testing/account-server.ts'
import { settleDemoAccounts } from './demo.ts'
import { addAccount, changePassword, disableAccount, editAccount, enableAccount } from './service.ts'
import { SESSION_MS } from './sessions.ts'
import { ADDRESS_BUDGET, PAIR_BUDGET } from './throttle.ts'
import { hashToken } from './tokens.ts'

let server: AccountServer
beforeAll(async () => {
  server = await startAccountServer()
})
afterAll(() => server?.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('login_throttle').execute()
})

interface From {
  ip?: string
  headers?: Record<string, string>
}
const login = (payload: unknown, { ip = '192.0.2.1', headers = {} }: From = {}) =>
  server.app.inject({
    method: 'POST',
    url: '/api/users/login',
    remoteAddress: ip,
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })
const logout = (token: string) =>
  server.app.inject({ method: 'POST', url: '/api/users/logout', headers: bearer(token) })
/** A call that only asks for a session: 404 tells that it was good. */
const probe = async (token: string) =>
  (await server.app.inject({ url: '/api/shapefile/none', headers: bearer(token) })).statusCode

describe('login', () => {
  test('[AUTH-07] [API-18] answers token, validity in ms, name, roles, avatar, restriction and layers', async () => {
    await addAccount(server.database.db, 'Alice', 'parapluie', {
      roles: ['manager'],
      restrictionStart: new Date('2026-06-01T00:00:00Z'),
      avatar: 'data:image/png;base64,AAAA',
    })
    const answer = await login({ username: 'alice', password: 'parapluie' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(loginAnswerSchema.parse(answer.json())).toEqual({
      name: 'Alice',
      csv: 'semicolon',
      token: expect.stringMatching(/^[\w-]{43}$/),
      expiresIn: SESSION_MS,
      device: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
      roles: ['manager'],
      avatar: 'data:image/png;base64,AAAA',
      restriction: { start: '2026-06-01T00:00:00.000Z', end: null },
      shapefiles: [],
    })
  })

  test('how CSV files are written is chosen once, and the next login tells it', async () => {
    const token = await server.signIn('basile')
    const choose = (csv: string) =>
      server.app.inject({
        method: 'PUT',
        url: '/api/users/csv',
        payload: { csv },
        headers: { authorization: `Bearer ${token}` },
      })
    expect((await choose('tab')).statusCode).toBe(400)
    expect((await choose('comma')).json()).toEqual({ csv: 'comma' })
    expect((await login({ username: 'basile', password: passwordOf('basile') })).json().csv).toBe('comma')
  })

  test('the database never holds a token or a password', async () => {
    const token = await server.signIn('bob')
    const { rows } = await server.database.pool.query(
      'select (select json_agg(s) from session s)::text || (select json_agg(a) from account a)::text as all',
    )
    expect(rows[0].all).not.toContain(token)
    expect(rows[0].all).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
    expect(rows[0].all).not.toContain(passwordOf('bob'))
    expect(rows[0].all).toContain(hashToken(token)!.toString('hex'))
  })

  test('[AUTH-13] a wrong password and an unknown name get the same answer, after the same work', async () => {
    await addAccount(server.database.db, 'carol', 'parapluie')
    const wrong = await login({ username: 'carol', password: 'parasol!' })
    const unknown = await login({ username: 'nobody', password: 'parasol!' })
    expect(wrong.statusCode).toBe(401)
    expect(unknown.body).toBe(wrong.body)
    expect(wrong.json()).toMatchObject({
      code: 'accounts.credentials',
      message: 'Identifiant ou mot de passe incorrect.',
    })
  })

  test('a password kept under a weaker policy is remade at login', async () => {
    await addAccount(server.database.db, 'dora', 'parapluie')
    const weak = await hash('parapluie', { memoryCost: 4096, timeCost: 1, parallelism: 1 })
    const account = server.database.db.updateTable('account').set({ password_hash: weak })
    await account.where('name_key', '=', 'dora').execute()
    expect((await login({ username: 'dora', password: 'parapluie' })).statusCode).toBe(200)
    const kept = server.database.db.selectFrom('account').select('password_hash')
    const { password_hash } = await kept.where('name_key', '=', 'dora').executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/m=19456/)
  })
})

describe('sessions', () => {
  test('[AUTH-31] the token opens calls until the logout, on the server too', async () => {
    const [token, other] = [await server.signIn('eve'), (await login(eve())).json().token]
    expect(await probe(token)).toBe(404)
    expect((await logout(token)).json()).toEqual({ loggedOut: true })
    expect(await probe(token)).toBe(401)
    expect(await probe(other)).toBe(404)
    expect((await logout(token)).statusCode).toBe(401)
    function eve() {
      return { username: 'eve', password: passwordOf('eve') }
    }
  })

  test('[AUTH-21] a session ends at its expiry, to the millisecond', async () => {
    const token = await server.signIn('fred')
    const start = server.clock.ms
    server.clock.ms = start + SESSION_MS - 1
    expect(await probe(token)).toBe(404)
    server.clock.ms = start + SESSION_MS
    expect(await probe(token)).toBe(401)
    server.clock.ms = start
  })

  test('forged, truncated and foreign tokens are refused in French, without a word on why', async () => {
    const token = await server.signIn('gina')
    const forged = [token.slice(0, -1), `${token}x`, 'a'.repeat(43), "'OR'1'='1", '../../etc/passwd', 'é']
    for (const text of forged) {
      const answer = await server.app.inject({ url: '/api/shapefile/none', headers: bearer(text) })
      expect(answer.statusCode, text).toBe(401)
      expect(answer.json().message).toBe("La session n'est plus valable. Se reconnecter pour continuer.")
    }
    for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${token}`, token])
      expect(
        (await server.app.inject({ url: '/api/shapefile/none', headers: { authorization } })).statusCode,
      ).toBe(401)
  })

  test('a disabled account is out at its next call and cannot come back until it is enabled', async () => {
    const token = await server.signIn('hugo')
    await disableAccount(server.database.db, 'hugo', new Date(server.clock.ms))
    expect(await probe(token)).toBe(401)
    const right = { username: 'hugo', password: passwordOf('hugo') }
    expect((await login(right)).json().code).toBe('accounts.disabled')
    expect((await login({ ...right, password: 'parasol!' })).json().code).toBe('accounts.credentials')
    await enableAccount(server.database.db, 'hugo')
    expect(await probe(token)).toBe(401)
    expect((await login(right)).statusCode).toBe(200)
  })

  test('a new password ends the sessions under way; changed rights hold at the next call', async () => {
    const token = await server.signIn('iris')
    const admin = () => server.app.inject({ url: '/api/admin/article/home-message', headers: bearer(token) })
    expect((await admin()).statusCode).toBe(403)
    await editAccount(server.database.db, 'iris', { roles: ['manager'] })
    expect((await admin()).statusCode).toBe(200)
    await changePassword(server.database.db, 'iris', 'nouveau-mot')
    expect(await probe(token)).toBe(401)
  })

  test('an account keeps its fifty newest sessions, and expired ones are swept', async () => {
    const first = await server.signIn('jean')
    const credentials = { username: 'jean', password: passwordOf('jean') }
    for (let i = 0; i < 50; i++) {
      server.clock.ms += 1
      expect((await login(credentials)).statusCode).toBe(200)
    }
    expect(await probe(first)).toBe(401)
  })
})

describe('limits', () => {
  const wrong = { username: 'karl', password: 'parasol!' }

  test('ten wrong tries at a name lock out their address alone, for 30 s a try', async () => {
    await addAccount(server.database.db, 'karl', 'parapluie')
    const right = { ...wrong, password: 'parapluie' }
    const codes = []
    for (let i = 0; i < PAIR_BUDGET.burst + 2; i++)
      codes.push((await login(wrong, { ip: '198.51.100.7' })).statusCode)
    expect(codes).toEqual([...Array(PAIR_BUDGET.burst).fill(401), 429, 429])
    const refused = await login(right, { ip: '198.51.100.7' })
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json().message).toMatch(/^Trop de tentatives de connexion\. Réessayer dans \d+ s\.$/)
    expect((await login(right, { ip: '203.0.113.9' })).statusCode).toBe(200)
    server.clock.ms += PAIR_BUDGET.intervalMs
    expect((await login(right, { ip: '198.51.100.7' })).statusCode).toBe(200)
    // The success gave the whole budget back.
    expect((await login(wrong, { ip: '198.51.100.7' })).statusCode).toBe(401)
  })

  test('a browser that signed in before keeps its budget, whatever others failed from its own address', async () => {
    await addAccount(server.database.db, 'lea', 'parapluie')
    const right = { username: 'lea', password: 'parapluie' }
    const { device } = (await login(right, { ip: '198.51.100.8' })).json()
    for (let i = 0; i < PAIR_BUDGET.burst + 1; i++)
      await login({ ...right, password: 'parasol!' }, { ip: '198.51.100.8' })
    expect((await login(right, { ip: '198.51.100.8' })).statusCode).toBe(429)
    expect(
      (await login({ ...right, device: `${device.slice(0, -2)}aa` }, { ip: '198.51.100.8' })).statusCode,
    ).toBe(429)
    const back = await login({ ...right, device }, { ip: '198.51.100.8' })
    expect([back.statusCode, back.json().device]).toEqual([200, device])
    // It has a budget all the same.
    const codes = []
    for (let i = 0; i < PAIR_BUDGET.burst + 1; i++)
      codes.push((await login({ ...right, password: 'parasol!', device }, { ip: '198.51.100.9' })).statusCode)
    expect(codes).toEqual([...Array(PAIR_BUDGET.burst).fill(401), 429])
    await changePassword(server.database.db, 'lea', 'nouveau-mot')
    const changed = { username: 'lea', password: 'nouveau-mot', device }
    expect((await login(changed, { ip: '198.51.100.8' })).statusCode).toBe(429)
  })

  test('1,000 logins a minute from one address with a forged X-Forwarded-For stay bounded', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        login(
          { username: `user${i}`, password: 'parasol!' },
          { headers: { 'x-forwarded-for': `203.0.113.${i % 250}` } },
        ),
      ),
    )
    const count = (status: number) => answers.filter((a) => a.statusCode === status).length
    expect(count(401) + count(503)).toBe(ADDRESS_BUDGET.burst)
    expect(count(429)).toBe(1000 - ADDRESS_BUDGET.burst)
    const { rows } = await server.database.pool.query('select count(*)::int as n from login_throttle')
    expect(rows[0].n).toBeLessThanOrEqual(2 * ADDRESS_BUDGET.burst + 1)
    expect((await login({ username: 'user1', password: 'parasol!' }, { ip: '192.0.2.77' })).statusCode).toBe(
      401,
    )
    server.clock.ms += 60_000
  })

  test('X-Forwarded-For counts behind a proxy that is configured', async () => {
    const behind = await startAccountServer({ DEMO: '0', TRUST_PROXY: '10.0.0.0/8' })
    const answer = (forwarded: string, remoteAddress: string) =>
      behind.app.inject({
        method: 'POST',
        url: '/api/users/login',
        remoteAddress,
        headers: { 'x-forwarded-for': forwarded },
        payload: { username: `u${Math.floor(behind.clock.ms++)}`, password: 'parasol!' },
      })
    try {
      for (let i = 0; i < ADDRESS_BUDGET.burst; i++) await answer('203.0.113.5', '10.1.2.3')
      expect((await answer('203.0.113.5', '10.1.2.3')).statusCode).toBe(429)
      expect((await answer('203.0.113.6', '10.1.2.3')).statusCode).toBe(401)
      // Who is no proxy cannot speak for another address, and a forged first hop is not believed.
      expect((await answer('203.0.113.5', '192.0.2.200')).statusCode).toBe(401)
      expect((await answer('1.2.3.4, 203.0.113.5', '10.1.2.3')).statusCode).toBe(429)
    } finally {
      await behind.close()
    }
  })
})

describe('bad input', () => {
  test('each is refused with its status and a French message that leaks nothing', async () => {
    const cases: [unknown, number][] = [
      ['{"username":', 400],
      ['', 400],
      ['null', 400],
      ['[]', 400],
      ['"x"', 400],
      [{ username: 'demo' }, 400],
      [{ username: 1, password: 2 }, 400],
      [{ username: ['demo'], password: { $ne: null } }, 400],
      [{ username: 'd', password: 'demo-radx' }, 400],
      [{ username: 'demo', password: 'x' }, 400],
      [{ username: 'u'.repeat(65), password: 'parasol!' }, 400],
      [{ username: 'demo', password: 'p'.repeat(513) }, 400],
      [{ username: "demo' OR '1'='1", password: "' OR '1'='1" }, 401],
      [{ username: 'demo"; DROP TABLE account; --', password: 'parasol!' }, 401],
      [{ username: '<script>alert(1)</script>', password: '<img src=x onerror=alert(1)>' }, 401],
      [{ username: 'de\u0000mo', password: 'par\u0000asol' }, 400],
      [{ username: '\ud800\ud800', password: '\udfff\udfff' }, 400],
      [{ username: '__proto__', password: 'constructor' }, 401],
      [JSON.stringify({ username: 'demo', password: 'p'.repeat(20_000) }), 413],
    ]
    for (const [payload, status] of cases) {
      const answer = await login(payload)
      expect(answer.statusCode, JSON.stringify(payload).slice(0, 80)).toBe(status)
      const { message } = answer.json()
      expect(message).toMatch(/^[A-ZÉ].*\.$/s)
      expect(answer.body).not.toMatch(/<script|DROP TABLE|select |argon2|node_modules|at \w+ \(/i)
    }
    expect((await login('a=b', { headers: { 'content-type': 'application/xml' } })).statusCode).toBe(415)
  })
})

describe('the accounts of the demonstration', () => {
  test('exist while it runs, are closed without it, and are left alone once an administrator took one', async () => {
    const { db } = server.database
    const settle = (demo: boolean, days = 0) =>
      settleDemoAccounts(db, demo, server.clock.ms + days * 86_400_000, 'Europe/Paris')
    const open = async (username: string) => (await login({ username, password: `${username}-radx` })).json()

    await settle(true)
    expect(await open('demo')).toMatchObject({ roles: [], restriction: { start: null, end: null } })
    expect((await open('gestionnaire')).roles).toEqual(['manager'])
    const { restriction, token } = await open('restreint')
    // Ten days before, at midnight in Paris, which is two hours ahead in June.
    expect(restriction).toEqual({ start: '2026-06-04T22:00:00.000Z', end: null })

    const password = 'orage-du-7-juillet'
    await changePassword(db, 'gestionnaire', password)
    await settle(false)
    expect((await open('demo')).code).toBe('accounts.disabled')
    expect(await probe(token)).toBe(401)
    expect((await login({ username: 'gestionnaire', password })).json().roles).toEqual(['manager'])

    await settle(true, 30)
    expect((await open('restreint')).restriction.start).toBe('2026-06-04T22:00:00.000Z')
  })
})
