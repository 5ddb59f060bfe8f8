import { adminAccountsSchema } from '@radx/contracts'
import { Secret } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { byProgram } from '../audit/api.ts'
import { type AccountServer, bearer, passwordOf, startAccountServer } from '../testing/account-server.ts'
import { makeLink } from './links.ts'
import { exportOwnData } from './own-data.ts'
import { codeAt, stepAt } from './second-factor/totp.ts'
import { addAccount, changePassword, disableAccount, enableAccount, findAccount } from './service.ts'
import { accountSessions } from './sessions.ts'

let server: AccountServer
beforeAll(async () => {
  server = await startAccountServer({ DEMO: '0' })
})
afterAll(() => server?.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('login_throttle').execute()
  server.clock.ms += 60_000
})

const call = (method: 'GET' | 'POST' | 'PUT', url: string, token: string | null, payload?: object) =>
  server.app.inject({ method, url, payload, headers: token === null ? {} : bearer(token) })
const login = (username: string, code?: string, password = passwordOf(username)) =>
  server.app.inject({ method: 'POST', url: '/api/users/login', payload: { username, password, code } })
const use = (token: string, password = 'averse de juin') =>
  call('POST', '/api/users/password-link', null, { token, password })
const linkOf = async (name: string) => {
  const { db } = server.database
  const at = new Date(server.clock.ms)
  return (await makeLink(db, await findAccount(db, name), byProgram('command', at))).token
}
const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode).sort()

async function enrol(name: string, token: string): Promise<{ secret: Buffer; codes: string[] }> {
  const start = await call('POST', '/api/users/totp', token, { password: passwordOf(name) })
  const secret = Buffer.from(Secret.fromBase32(start.json().secret).bytes)
  const code = codeAt(secret, stepAt(server.clock.ms))
  // A double click: of two at once one stands, and its recovery codes are those that open.
  const both = await Promise.all([
    call('PUT', '/api/users/totp', token, { code }),
    call('PUT', '/api/users/totp', token, { code }),
  ])
  expect(statuses(both)).toEqual([200, 409])
  server.clock.ms += 60_000
  return { secret, codes: both.find(({ statusCode }) => statusCode === 200)!.json().codes }
}

describe('two at once', () => {
  test('a recovery code opens one session, however many logins bring it', async () => {
    const { codes } = await enrol('anne', await server.signIn('anne'))
    const all = await Promise.all([codes[2], codes[2], codes[2]].map((code) => login('anne', code)))
    expect(statuses(all)).toEqual([200, 401, 401])
    expect((await login('anne', codes[5])).statusCode).toBe(200)
  })

  test('a link sets one password, and the session of nobody', async () => {
    const { db } = server.database
    await addAccount(db, 'boris', passwordOf('boris'))
    const link = await linkOf('boris')
    const words = ['averse de juin', 'averse de mai']
    const both = await Promise.all(words.map((password) => use(link, password)))
    expect(statuses(both)).toEqual([200, 410])
    expect(both.map((answer) => answer.json().token)).toEqual([undefined, undefined])
    const won = both[0].statusCode === 200 ? 0 : 1
    expect((await login('boris', undefined, words[won])).statusCode).toBe(200)
    expect((await login('boris', undefined, words[1 - won])).statusCode).toBe(401)
  })

  test('a login that was under way when the password changed, a factor came or the account closed is none', async () => {
    const { db } = server.database
    const token = await server.signIn('carla')
    const sessions = accountSessions(db, server.clock)
    const from = { address: '192.0.2.1', userAgent: undefined }
    const before = await findAccount(db, 'carla')
    const { secret } = await enrol('carla', token)
    await expect(sessions.open(before, from, false)).rejects.toMatchObject({ code: 'accounts.secondFactor' })
    await changePassword(db, 'carla', 'averse de juin')
    await expect(sessions.open(before, from, true)).rejects.toMatchObject({ code: 'accounts.credentials' })
    const after = await findAccount(db, 'carla')
    await disableAccount(db, 'carla', new Date(server.clock.ms))
    await expect(sessions.open(after, from, true)).rejects.toMatchObject({ code: 'accounts.disabled' })
    await enableAccount(db, 'carla')
    const code = codeAt(secret, stepAt(server.clock.ms))
    expect((await login('carla', code, 'averse de juin')).statusCode).toBe(200)
  })
})

describe('a link that was handed out', () => {
  test.each([
    [
      'the account is closed, also once it is open again',
      async (name: string) => {
        await disableAccount(server.database.db, name, new Date(server.clock.ms))
        await enableAccount(server.database.db, name)
      },
    ],
    [
      'its holder changes the password himself',
      async (name: string) => {
        const { token } = (await login(name)).json()
        const body = { current: passwordOf(name), password: 'pluie de mars' }
        expect((await call('PUT', '/api/users/password', token, body)).statusCode).toBe(200)
      },
    ],
    [
      'whoever runs the machine changes the password',
      (name: string) => changePassword(server.database.db, name, 'pluie de mars'),
    ],
  ])('is over when %s', async (what, change) => {
    const name = `denis.${what.length}`
    await addAccount(server.database.db, name, passwordOf(name))
    const link = await linkOf(name)
    await change(name)
    expect((await use(link)).json().code).toBe('accounts.link')
  })
})

test('a stolen session of a manager changes neither his password nor his factor by administration', async () => {
  const token = await server.signIn('édith', { roles: ['manager'] })
  const { accounts } = adminAccountsSchema.parse((await call('GET', '/api/admin/accounts', token)).json())
  const { id } = accounts.find(({ name }) => name === 'édith')!
  for (const act of ['link', 'remove-factors'])
    expect((await call('POST', `/api/admin/accounts/${id}/${act}`, token)).json()).toMatchObject({
      statusCode: 409,
      code: 'accounts.own',
    })
  expect((await login('édith')).statusCode).toBe(200)
})

test('a session is never one that the caller brought', async () => {
  const { db } = server.database
  await addAccount(db, 'fanny', passwordOf('fanny'))
  const brought = 'A'.repeat(43)
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/users/login?token=fixed',
    headers: { ...bearer(brought), cookie: `radx-session=${brought}` },
    payload: { username: 'fanny', password: passwordOf('fanny'), token: brought },
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.json().token).not.toBe(brought)
  expect((await call('GET', '/api/users/session', brought)).statusCode).toBe(401)
  // A second login is another session, and the first one lives on by its own token alone.
  const again = (await login('fanny')).json().token
  expect(again).not.toBe(answer.json().token)
  await call('POST', '/api/users/logout', again)
  expect((await call('GET', '/api/users/session', again)).statusCode).toBe(401)
  expect((await call('GET', '/api/users/session', answer.json().token)).statusCode).toBe(200)
})

test('a page of another site can have a browser send nothing that is taken', async () => {
  const token = await server.signIn('gilles', { roles: ['manager'] })
  const url = '/api/users/password'
  const payload = JSON.stringify({ current: passwordOf('gilles'), password: 'averse de juin' })
  const origin = 'https://evil.example'
  // A browser sends cookies by itself, and forms of three types without asking first; never this header.
  const cookie = `radx-session=${token}; token=${token}`
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const headers = { origin, cookie, 'content-type': type }
    expect((await server.app.inject({ method: 'PUT', url, headers, payload })).statusCode).toBe(401)
    const signedIn = { ...headers, ...bearer(token) }
    const answer = await server.app.inject({ method: 'PUT', url, headers: signedIn, payload })
    expect([400, 415], type).toContain(answer.statusCode)
  }
  const asked = await server.app.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization',
    },
  })
  expect(Object.keys(asked.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  expect((await login('gilles')).statusCode).toBe(200)
})

test('huge and twisted names and codes are refused in French, quickly and without a new account', async () => {
  const token = await server.signIn('hugues', { roles: ['manager'] })
  const plain = { roles: [], restriction: { start: null, end: null }, shapefiles: [] }
  const make = (name: unknown) => call('POST', '/api/admin/accounts', token, { name, ...plain } as object)
  for (const [name, status] of [
    ['x'.repeat(65), 400],
    ['x'.repeat(500_000), 400],
    [`${'é'.repeat(64)}\u0301`, 400],
    // Grows to 18 letters each when it is normalised.
    ['\uFDFA'.repeat(10), 422],
    ['a\u202Eb', 422],
    ['a\u0000b', 400],
    ['../../etc', 422],
    ["x' or '1'='1", 422],
    ['hugues', 409],
    ['ＨＵＧＵＥＳ', 409],
    [['a', 'b'], 400],
    [null, 400],
  ] as const)
    expect((await make(name)).statusCode, String(name).slice(0, 30)).toBe(status)
  for (const body of [
    { username: 'x'.repeat(65), password: 'secret-secret' },
    { username: 'hugues', password: 'x'.repeat(513) },
    { username: 'hugues', password: passwordOf('hugues'), code: '1'.repeat(41) },
    { username: ['hugues'], password: passwordOf('hugues') },
    { username: { $ne: null }, password: { $ne: null } },
  ])
    expect((await call('POST', '/api/users/login', null, body)).statusCode).toBe(400)
  const long = await call('POST', '/api/users/login', null, {
    username: 'hugues',
    password: passwordOf('hugues'),
    device: 'x'.repeat(20_000),
  })
  expect(long.statusCode).toBe(413)
  const { accounts } = adminAccountsSchema.parse((await call('GET', '/api/admin/accounts', token)).json())
  expect(accounts.filter(({ name }) => /^x|hugues|etc/i.test(name)).map(({ name }) => name)).toEqual([
    'hugues',
  ])
})

test('an account that takes the name of an erased one gets nothing of its trail', async () => {
  const { db } = server.database
  const token = await server.signIn('irma')
  const erased = await call('POST', '/api/users/erase', token, {
    password: passwordOf('irma'),
    after: { runs: 'delete' },
  })
  expect(erased.statusCode, erased.body).toBe(200)
  const next = await server.signIn('irma')
  const trail = (await exportOwnData(db, await findAccount(db, 'irma'))).auditTrail as { action: string }[]
  expect(trail.map(({ action }) => action)).toEqual(['account.create', 'login'])
  expect((await call('GET', '/api/users/data', next)).json().auditLines).toBe(2)
})

test('the last manager: one who was invited and never came is none yet', async () => {
  const { db } = server.database
  await db.updateTable('account').set({ roles: [] }).execute()
  const token = await server.signIn('jeanne', { roles: ['manager'] })
  const manager = { roles: ['manager'], restriction: { start: null, end: null }, shapefiles: [] }
  const made = await call('POST', '/api/admin/accounts', token, { name: 'karim', ...manager })
  const own = async () => {
    const list = adminAccountsSchema.parse((await call('GET', '/api/admin/accounts', token)).json())
    expect(list.accounts.find(({ name }) => name === 'karim')).toBeDefined()
    return list.accounts.find(({ name }) => name === 'jeanne')!
  }
  const { id, version } = await own()
  const demoted = () => call('PUT', `/api/admin/accounts/${id}`, token, { version, ...manager, roles: [] })
  const erased = () =>
    call('POST', '/api/users/erase', token, { password: passwordOf('jeanne'), after: { runs: 'delete' } })
  for (const attempt of [demoted, () => call('POST', `/api/admin/accounts/${id}/disable`, token), erased])
    expect((await attempt()).json().code).toBe('accounts.lastManager')
  // Dates bound the rain that is shown, not administration.
  const dates = { start: '2020-01-01T00:00:00Z', end: '2020-01-02T00:00:00Z' }
  const dated = await call('PUT', `/api/admin/accounts/${id}`, token, {
    version,
    ...manager,
    restriction: dates,
  })
  expect(dated.statusCode, dated.body).toBe(200)
  expect(await own()).toMatchObject({ roles: ['manager'] })
  // Once he has set his password he counts.
  expect((await use(made.json().token)).statusCode).toBe(200)
  expect((await erased()).statusCode).toBe(200)
  expect((await login('karim', undefined, 'averse de juin')).json().roles).toEqual(['manager'])
})
