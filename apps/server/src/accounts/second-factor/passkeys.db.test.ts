import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AccountServer, bearer, passwordOf, startAccountServer } from '../../testing/account-server.ts'
import { Authenticator, type Forgery } from '../../testing/authenticator.ts'
import { findAccount } from '../service.ts'

let server: AccountServer
beforeAll(async () => {
  server = await startAccountServer({ DEMO: '0' })
})
afterAll(() => server?.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('login_throttle').execute()
  server.clock.ms += 60_000
})

const post = (url: string, token: string | null, payload?: object) =>
  server.app.inject({ method: 'POST', url, payload, headers: token === null ? {} : bearer(token) })

const registration = async (name: string, token: string): Promise<string> => {
  const answer = await post('/api/users/passkeys/options', token, { password: passwordOf(name) })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().options
}
const keep = (token: string, response: object, name = 'téléphone') =>
  post('/api/users/passkeys', token, { name, response })
const loginOptions = async (): Promise<string> =>
  (await post('/api/users/login/passkey/options', null)).json().options
const signIn = (response: object) => post('/api/users/login/passkey', null, { response })

/** An account with a passkey. */
async function holder(name: string): Promise<{ token: string; key: Authenticator }> {
  const token = await server.signIn(name)
  const key = new Authenticator()
  const kept = await keep(token, key.register(await registration(name, token)))
  expect(kept.statusCode, kept.body).toBe(200)
  expect(kept.json().codes).toHaveLength(10)
  return { token, key }
}

test('a passkey opens a session by itself, and the password alone no longer does', async () => {
  const { key } = await holder('anne')
  const opened = await signIn(key.signIn(await loginOptions()))
  expect(opened.json()).toMatchObject({ name: 'anne' })
  const password = { username: 'anne', password: passwordOf('anne') }
  expect((await post('/api/users/login', null, password)).json()).toMatchObject({
    code: 'accounts.secondFactor',
    details: { methods: ['passkey', 'recovery'] },
  })
})

describe('a forged answer at the login is refused, and the true one after it is taken:', () => {
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const forgeries: [string, Forgery][] = [
    ['made for another site', { origin: 'https://evil.example' }],
    ['made for another host', { host: 'evil.example' }],
    ['without the finger, the face or the PIN', { flags: 0x01 }],
    ['without anybody there', { flags: 0x04 }],
    ['signed by another key', { key: stranger }],
    ['an answer to another question', { type: 'webauthn.create' }],
    ['a challenge of its own making', { challenge: Buffer.alloc(56, 7).toString('base64url') }],
    ['an empty challenge', { challenge: '' }],
  ]
  test.each(forgeries)('%s', async (what, forged) => {
    const name = `b${forgeries.findIndex(([one]) => one === what)}`
    const { key } = await holder(name)
    const options = await loginOptions()
    const answer = await signIn(key.signIn(options, forged))
    expect(answer.json()).toMatchObject({ statusCode: 401, code: 'accounts.passkey' })
    expect((await signIn(key.signIn(options))).statusCode).toBe(200)
  })

  test('one that was good already, also two at once, and one whose time is over', async () => {
    const { key } = await holder('carla')
    const answer = key.signIn(await loginOptions())
    const both = await Promise.all([signIn(answer), signIn(answer)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
    expect((await signIn(answer)).statusCode).toBe(401)
    const late = key.signIn(await loginOptions())
    server.clock.ms += 5 * 60_000
    expect((await signIn(late)).statusCode).toBe(401)
  })

  test('one whose counter went back, as a copy of the key would give', async () => {
    const { key } = await holder('denis')
    expect((await signIn(key.signIn(await loginOptions(), { counter: 9 }))).statusCode).toBe(200)
    expect((await signIn(key.signIn(await loginOptions(), { counter: 9 }))).statusCode).toBe(401)
    expect((await signIn(key.signIn(await loginOptions(), { counter: 10 }))).statusCode).toBe(200)
  })

  test('one that answers the challenge of a registration', async () => {
    const { token, key } = await holder('elsa')
    expect((await signIn(key.signIn(await registration('elsa', token)))).statusCode).toBe(401)
  })
})

test('a forged registration is refused, and the true one after it is taken', async () => {
  const token = await server.signIn('flora')
  const options = await registration('flora', token)
  const forgeries: Forgery[] = [
    { origin: 'http://localhost.evil.example' },
    { host: 'evil.example' },
    { flags: 0x41 },
    { type: 'webauthn.get' },
  ]
  for (const forged of forgeries)
    expect((await keep(token, new Authenticator().register(options, forged))).json()).toMatchObject({
      statusCode: 401,
      code: 'accounts.passkey',
    })
  expect((await keep(token, new Authenticator().register(options))).statusCode).toBe(200)
})

test('a registration answers the account that asked, once, and takes nobody’s passkey over', async () => {
  const { key } = await holder('gilles')
  const token = await server.signIn('hugo')
  const options = await registration('hugo', token)
  // What somebody else was asked, and a challenge of the login.
  const other = await server.signIn('irène')
  expect((await keep(other, new Authenticator().register(options))).statusCode).toBe(401)
  expect((await keep(token, new Authenticator().register(await loginOptions()))).statusCode).toBe(401)
  // A passkey that is known already, of another account.
  expect((await keep(token, key.register(options))).statusCode).toBe(401)
  const own = new Authenticator()
  expect((await keep(token, own.register(options))).statusCode).toBe(200)
  expect((await keep(token, new Authenticator().register(options))).statusCode).toBe(401)
  expect((await signIn(key.signIn(await loginOptions()))).json()).toMatchObject({ name: 'gilles' })
  expect((await signIn(own.signIn(await loginOptions()))).json()).toMatchObject({ name: 'hugo' })
})

test('a passkey that was taken away, and one of a closed account, open nothing', async () => {
  const { token, key } = await holder('joris')
  const removed = await post('/api/users/passkeys/remove', token, {
    password: passwordOf('joris'),
    id: key.id,
  })
  expect(removed.statusCode).toBe(200)
  expect((await signIn(key.signIn(await loginOptions()))).statusCode).toBe(401)
  const { key: another } = await holder('karim')
  const { db } = server.database
  const { id } = await findAccount(db, 'karim')
  await db.updateTable('account').set({ disabled_at: new Date() }).where('id', '=', id).execute()
  expect((await signIn(another.signIn(await loginOptions()))).json().code).toBe('accounts.disabled')
})

test('answers of a wrong form are refused before anything is computed', async () => {
  const { key } = await holder('léa')
  const good = key.signIn(await loginOptions())
  for (const response of [
    { ...good, id: 'A'.repeat(1_401) },
    { ...good, type: 'password' },
    { ...good, response: { ...good.response, signature: 'A'.repeat(8_001) } },
    { ...good, response: null },
    [],
  ])
    expect((await signIn(response)).statusCode).toBe(400)
  for (const response of [
    { ...good, response: { ...good.response, clientDataJSON: 'e30' } },
    { ...good, response: { ...good.response, authenticatorData: 'AA' } },
    { ...good, response: { ...good.response, signature: '' } },
    { ...good, rawId: 'AAAA' },
  ])
    expect((await signIn(response)).statusCode).toBe(401)
})
