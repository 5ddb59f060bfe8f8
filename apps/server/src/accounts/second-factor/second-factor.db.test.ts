import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { securitySchema, totpStartSchema } from '@radx/contracts'
import { Secret } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { byProgram } from '../../audit/api.ts'
import { type AccountServer, bearer, passwordOf, startAccountServer } from '../../testing/account-server.ts'
import { settleDemoAccounts } from '../demo.ts'
import { makeLink } from '../links.ts'
import { addAccount, findAccount } from '../service.ts'
import { CODE_BUDGET } from '../throttle.ts'
import { challengeEnd, newChallenge } from './challenge.ts'
import { removeFactors } from './factors.ts'
import { Seeds, seedKeyFile } from './seeds.ts'
import { codeAt, goodStep, stepAt, totpAddress } from './totp.ts'

let server: AccountServer
beforeAll(async () => {
  server = await startAccountServer({ DEMO: '0', REQUIRE_2FA: 'manager' })
})
afterAll(() => server?.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('login_throttle').execute()
  server.clock.ms += 60_000
})

const call = (method: 'GET' | 'POST' | 'PUT', url: string, token: string, payload?: object) =>
  server.app.inject({ method, url, payload, headers: bearer(token) })
const login = (username: string, code?: string, password = passwordOf(username)) =>
  server.app.inject({ method: 'POST', url: '/api/users/login', payload: { username, password, code } })
const security = async (token: string) =>
  securitySchema.parse((await call('GET', '/api/users/security', token)).json())

/** Puts an application of codes in place. */
async function enrol(name: string, token: string): Promise<{ secret: Buffer; codes: string[] }> {
  const start = await call('POST', '/api/users/totp', token, { password: passwordOf(name) })
  const { secret: text, qr, address } = totpStartSchema.parse(start.json())
  expect(address).toContain(`secret=${text}`)
  expect(qr).toMatch(/^<svg [\s\S]+<\/svg>$/)
  const secret = Buffer.from(Secret.fromBase32(text).bytes)
  const confirmed = await call('PUT', '/api/users/totp', token, {
    code: codeAt(secret, stepAt(server.clock.ms)),
  })
  expect(confirmed.statusCode, confirmed.body).toBe(200)
  server.clock.ms += 60_000
  return { secret, codes: confirmed.json().codes }
}
const codeNow = (secret: Buffer, shiftMs = 0) => codeAt(secret, stepAt(server.clock.ms + shiftMs))

test('codes are those of RFC 6238, appendix B, cut to six digits', () => {
  const secret = Buffer.from('12345678901234567890')
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ] as const)
    expect(codeAt(secret, Math.floor(seconds / 30))).toBe(code)
  expect(goodStep(secret, '287082', 59_000)).toBe(1)
  expect(totpAddress(secret, 'anne').address).toMatch(/^otpauth:\/\/totp\/RadX:anne\?/)
})

describe('an application of codes', () => {
  test('is asked for after the right password only, and each code is good once', async () => {
    const token = await server.signIn('anne')
    const { secret, codes } = await enrol('anne', token)
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    expect((await login('anne', undefined, 'faux-mot')).json().code).toBe('accounts.credentials')
    const asked = await login('anne')
    expect(asked.statusCode).toBe(401)
    expect(asked.json()).toMatchObject({
      code: 'accounts.secondFactor',
      details: { methods: ['totp', 'recovery'] },
    })
    const code = codeNow(secret)
    const both = await Promise.all([login('anne', code), login('anne', code)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
    expect((await login('anne', code)).json().code).toBe('accounts.code')
    server.clock.ms += 30_000
    expect((await login('anne', codeNow(secret))).statusCode).toBe(200)
  })

  test('its seed lies encrypted; a key of 600 beside the database opens it, another one nothing', async () => {
    const { db } = server.database
    const { dataDir } = server.deps.config
    const token = await server.signIn('serge')
    const { secret, codes } = await enrol('serge', token)
    const { id } = await findAccount(db, 'serge')
    const kept = async () =>
      (await db.selectFrom('totp').select('secret').where('account_id', '=', id).executeTakeFirstOrThrow())
        .secret
    const sealed = await kept()
    expect([sealed.length, sealed.includes(secret)]).toEqual([49, false])
    expect(statSync(seedKeyFile(dataDir)).mode & 0o777).toBe(0o600)
    const seeds = new Seeds(db, dataDir, null)
    expect((await seeds.open(sealed, id)).equals(secret)).toBe(true)
    // A row moved to another account, a changed byte, another key, and none where seeds are encrypted already.
    const changed = Buffer.from(sealed)
    changed[20] ^= 1
    const elsewhere = join(dataDir, 'elsewhere')
    for (const opened of [
      () => seeds.open(sealed, '00000000-0000-4000-8000-000000000000'),
      () => seeds.open(changed, id),
      () => new Seeds(db, dataDir, randomBytes(32)).open(sealed, id),
      () => new Seeds(db, elsewhere, null).open(sealed, id),
    ])
      await expect(opened()).rejects.toMatchObject({ code: 'accounts.seedKey', status: 503 })
    expect(existsSync(elsewhere)).toBe(false)

    // One of before is taken as it is, and encrypted at the next start.
    await db.updateTable('totp').set({ secret }).where('account_id', '=', id).execute()
    expect((await login('serge', codeNow(secret))).statusCode).toBe(200)
    expect(await new Seeds(db, dataDir, null).sealPlain()).toBe(1)
    expect((await kept()).length).toBe(49)
    server.clock.ms += 60_000
    expect((await login('serge', codeNow(secret))).statusCode).toBe(200)

    // Whoever has a recovery code gets in where the key is lost.
    await db.updateTable('totp').set({ secret: changed }).where('account_id', '=', id).execute()
    expect((await login('serge', codeNow(secret))).json().code).toBe('accounts.seedKey')
    expect((await login('serge', codes[0])).statusCode).toBe(200)
  })

  test('a started enrolment asks for nothing, and a second one does not replace the first', async () => {
    const token = await server.signIn('boris')
    await call('POST', '/api/users/totp', token, { password: passwordOf('boris') })
    expect((await login('boris')).statusCode).toBe(200)
    expect((await call('POST', '/api/users/totp', token, { password: 'faux-mot' })).statusCode).toBe(422)
    await enrol('boris', token)
    const again = await call('POST', '/api/users/totp', token, { password: passwordOf('boris') })
    expect(again.json().code).toBe('accounts.factorStands')
  })

  test('a clock 10 minutes off: the refusal says so at the enrolment, and at a login where it is slow', async () => {
    const token = await server.signIn('carla')
    const start = await call('POST', '/api/users/totp', token, { password: passwordOf('carla') })
    const secret = Buffer.from(Secret.fromBase32(start.json().secret).bytes)
    const confirm = (shiftMs: number) =>
      call('PUT', '/api/users/totp', token, { code: codeNow(secret, shiftMs) })
    expect((await confirm(600_000)).json().message).toMatch(/avance d'environ 10 min/)
    expect((await confirm(-600_000)).json().message).toMatch(/retarde d'environ 10 min/)
    expect((await confirm(0)).statusCode).toBe(200)
    server.clock.ms += 60_000
    const slow = (await login('carla', codeNow(secret, -600_000))).json()
    expect(slow).toMatchObject({ code: 'accounts.code', details: { minutes: -10 } })
    expect(slow.details.serverTime).toBe(new Date(server.clock.ms).toISOString())
    // A code of later would be worth something to who guessed it.
    const fast = (await login('carla', codeNow(secret, 600_000))).json()
    expect(fast).toMatchObject({ code: 'accounts.code', details: { minutes: null } })
    // Said in the time of the site.
    const hour = Number(new Date(server.clock.ms).toISOString().slice(11, 13)) + 2
    expect(fast.message).toMatch(new RegExp(`à l'heure : il est ici ${hour}:\\d\\d:\\d\\d\\.$`))
    // Half a minute off is no matter.
    expect((await login('carla', codeNow(secret, -30_000))).statusCode).toBe(200)
  })

  test('codes cannot be guessed: after some tries a right one waits, too', async () => {
    const { secret } = await enrol('denis', await server.signIn('denis'))
    const right = codeNow(secret)
    const wrong = right === '000000' ? '000001' : '000000'
    for (let i = 0; i < CODE_BUDGET.burst; i++) {
      // As from many networks: only the budget of the account counts.
      await server.database.db.deleteFrom('login_throttle').where('key', 'not like', 'code:%').execute()
      expect((await login('denis', wrong)).statusCode).toBe(401)
    }
    expect((await login('denis', right)).statusCode).toBe(429)
    server.clock.ms += CODE_BUDGET.intervalMs
    expect((await login('denis', codeNow(secret))).statusCode).toBe(200)
  })
})

describe('a lost second factor', () => {
  test('a recovery code opens a session once, however it is typed, and new ones replace the old', async () => {
    const token = await server.signIn('elsa')
    const { codes } = await enrol('elsa', token)
    const opened = await login('elsa', ` ${codes[3].toLowerCase().replaceAll('-', ' ')} `)
    expect(opened.statusCode).toBe(200)
    expect((await login('elsa', codes[3])).json().code).toBe('accounts.code')
    expect((await security(opened.json().token)).recoveryCodes).toBe(9)
    const renewed = await call('POST', '/api/users/recovery-codes', opened.json().token, {
      password: passwordOf('elsa'),
    })
    expect(renewed.json().codes).toHaveLength(10)
    expect((await login('elsa', codes[4])).statusCode).toBe(401)
    expect((await login('elsa', renewed.json().codes[4])).statusCode).toBe(200)
    const { rows } = await server.database.pool.query('select json_agg(r)::text as all from recovery_code r')
    for (const code of renewed.json().codes) expect(rows[0].all).not.toContain(code.replaceAll('-', ''))
  })

  test('without codes somebody else takes the factor away, which ends the sessions', async () => {
    const token = await server.signIn('flora')
    await enrol('flora', token)
    await removeFactors(
      server.database.db,
      await findAccount(server.database.db, 'flora'),
      byProgram('command'),
    )
    expect((await call('GET', '/api/users/security', token)).statusCode).toBe(401)
    expect((await login('flora')).statusCode).toBe(200)
  })

  test('a link for a forgotten password does not go round the factor', async () => {
    const { secret } = await enrol('hector', await server.signIn('hector'))
    const { db } = server.database
    const at = new Date(server.clock.ms)
    const { token } = await makeLink(db, await findAccount(db, 'hector'), byProgram('command', at))
    const set = await server.app.inject({
      method: 'POST',
      url: '/api/users/password-link',
      payload: { token, password: 'averse de juin' },
    })
    expect(set.statusCode).toBe(200)
    expect((await login('hector', undefined, 'averse de juin')).json().code).toBe('accounts.secondFactor')
    expect((await login('hector', codeNow(secret), 'averse de juin')).statusCode).toBe(200)
  })

  test('taking one’s own away needs the password, and takes the recovery codes along', async () => {
    const token = await server.signIn('gaston')
    const { codes } = await enrol('gaston', token)
    expect((await call('POST', '/api/users/totp/remove', token, { password: 'faux-mot' })).statusCode).toBe(
      422,
    )
    expect(
      (await call('POST', '/api/users/totp/remove', token, { password: passwordOf('gaston') })).statusCode,
    ).toBe(200)
    expect(await security(token)).toMatchObject({ totp: false, recoveryCodes: 0 })
    expect((await login('gaston')).statusCode).toBe(200)
    expect(codes).toHaveLength(10)
  })
})

describe('REQUIRE_2FA=manager', () => {
  test('a manager without a factor signs in, but is none until it stands', async () => {
    const token = await server.signIn('hugo', { roles: ['manager'] })
    const admin = () => call('GET', '/api/admin/accounts', token)
    expect((await admin()).json()).toMatchObject({ statusCode: 403, code: 'auth.secondFactor' })
    expect(await security(token)).toMatchObject({ awaited: true, roles: [] })
    expect((await login('hugo')).json().roles).toEqual([])
    const { secret } = await enrol('hugo', token)
    expect((await admin()).statusCode).toBe(200)
    expect(await security(token)).toMatchObject({ awaited: false, roles: ['manager'] })
    expect((await login('hugo', codeNow(secret))).json().roles).toEqual(['manager'])
  })

  test('plain users and the shared accounts of the demonstration are not asked', async () => {
    const { db } = server.database
    expect(await security(await server.signIn('irène'))).toMatchObject({ awaited: false })
    await settleDemoAccounts(db, true, server.clock.ms, 'Europe/Paris')
    const { token, roles } = (await login('gestionnaire', undefined, 'gestionnaire-radx')).json()
    expect(roles).toEqual(['manager'])
    const enrolment = await call('POST', '/api/users/totp', token, { password: 'gestionnaire-radx' })
    expect(enrolment.json().code).toBe('accounts.shared')
  })
})

test('a challenge of passkeys is good for its purpose and five minutes, and for nothing else', async () => {
  const [secret, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const challenge = newChallenge(secret, 'login', 1_000_000)
  expect(challengeEnd(secret, 'login', challenge, 1_299_999)).toBe(1_300_000)
  expect(challengeEnd(secret, 'login', challenge, 1_300_000)).toBeNull()
  expect(challengeEnd(secret, 'anne', challenge, 1_000_000)).toBeNull()
  expect(challengeEnd(other, 'login', challenge, 1_000_000)).toBeNull()
  challenge[17] ^= 1
  expect(challengeEnd(secret, 'login', challenge, 1_000_000)).toBeNull()
  expect(challengeEnd(secret, 'login', Buffer.alloc(3), 0)).toBeNull()
  const { db } = server.database
  await addAccount(db, 'joris', passwordOf('joris'))
  const forged = {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
  }
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/users/login/passkey',
    payload: { response: forged },
  })
  expect(answer.json()).toMatchObject({ statusCode: 401, code: 'accounts.passkey' })
})
