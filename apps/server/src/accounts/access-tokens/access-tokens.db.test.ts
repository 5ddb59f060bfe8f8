import { newTokenSchema, ownTokensSchema, ROLE_MANAGER, TOKENS_MAX, type TokenBody } from '@radx/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { byProgram } from '../../audit/api.ts'
import { RIGHTS, rightOf } from '../../http/rights.ts'
import { scopeOf } from '../../http/scopes.ts'
import { type AccountServer, bearer, startAccountServer } from '../../testing/account-server.ts'
import { disableAccount, editAccount, enableAccount, findAccount } from '../service.ts'
import { makeToken } from './access-tokens.ts'
import { TOKEN_RATE } from './resolve.ts'

let server: AccountServer
beforeAll(async () => {
  server = await startAccountServer({ DEMO: '0' })
})
afterAll(() => server?.close())

const call = (method: 'GET' | 'POST' | 'DELETE' | 'PUT', url: string, token: string, payload?: object) =>
  server.app.inject({ method, url, payload, headers: bearer(token), remoteAddress: '192.0.2.7' })
const given = (over: Partial<TokenBody> = {}) => ({ name: 'carnet', scopes: ['read'], ...over })
const create = async (session: string, over: Partial<TokenBody> = {}) => {
  const answer = await call('POST', '/api/users/tokens', session, given(over))
  expect(answer.statusCode, answer.body).toBe(200)
  return newTokenSchema.parse(answer.json())
}
const list = async (session: string) =>
  ownTokensSchema.parse((await call('GET', '/api/users/tokens', session)).json())
const MONTH = '/api/products/pixel?p=dpsri&lat=48.54&lng=2.65'

describe('personal access tokens', () => {
  test('one is shown once, kept as a hash, reads what its account may, and is gone when it is revoked', async () => {
    const session = await server.signIn('anne')
    const { token, created } = await create(session)
    expect(token).toMatch(/^radx_[\w-]{43}$/)
    const rows = await server.database.db.selectFrom('access_token').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token.slice(5))
    expect((await call('GET', '/api/gauges', token)).statusCode).toBe(200)
    const [seen] = (await list(session)).tokens
    expect(seen).toMatchObject({ id: created.id, name: 'carnet', address: '192.0.2.7' })
    expect(seen.lastUsedAt).not.toBeNull()
    expect((await call('DELETE', `/api/users/tokens/${created.id}`, session)).json()).toEqual({
      revoked: true,
    })
    expect((await call('GET', '/api/gauges', token)).statusCode).toBe(401)
    expect((await call('DELETE', `/api/users/tokens/${created.id}`, session)).statusCode).toBe(404)
  })

  test('none changes the safety of its account, whatever its scopes', async () => {
    const session = await server.signIn('gerard', { roles: [ROLE_MANAGER] })
    const { token } = await create(session, { scopes: ['read', 'grids', 'run', 'manage'] })
    const safety = Object.keys(RIGHTS).filter(
      (key) => key.includes(' /api/users/') && !key.includes('/events'),
    )
    for (const key of safety) {
      const [method, path] = key.split(' ')
      if (rightOf(method, path)?.access === 'public') continue
      const answer = await call(method as 'GET', path.replace(':id', created()), token, {})
      expect([key, answer.statusCode, answer.json().code]).toEqual([key, 403, 'auth.token'])
    }
    await call('DELETE', '/api/users/sessions', session)
  })

  test('each is held to its scopes, and a manager’s token that reads is no manager', async () => {
    const session = await server.signIn('greta', { roles: [ROLE_MANAGER] })
    const reads = (await create(session, { name: 'lit' })).token
    const grids = (await create(session, { name: 'grilles', scopes: ['grids'] })).token
    const manages = (await create(session, { name: 'gère', scopes: ['manage'] })).token
    const code = async (url: string, token: string) => (await call('GET', url, token)).json().code
    const grid = '/api/products/raster?p=dpsri&s=2026-06-01T00:00:00Z&e=2026-06-01T01:00:00Z'
    expect(await code('/api/admin/accounts', reads)).toBe('auth.scope')
    expect(await code('/api/admin/accounts', grids)).toBe('auth.scope')
    expect((await call('GET', '/api/admin/accounts', manages)).statusCode).toBe(200)
    expect(await code(grid, reads)).toBe('auth.scope')
    expect(await code(grid, manages)).toBe('auth.scope')
    expect(await code(grid, grids)).not.toMatch(/^auth/)
    expect(await code('/api/gauges', grids)).toBe('auth.scope')
    expect((await call('PUT', '/api/users/events', reads, {})).json().code).toBe('auth.scope')
    for (const { id } of (await list(session)).tokens)
      await call('DELETE', `/api/users/tokens/${id}`, session)
  })

  test('a plain account gives no scope of managers, and loses what was given with the role', async () => {
    const plain = await server.signIn('paul')
    const refused = await call('POST', '/api/users/tokens', plain, given({ scopes: ['manage'] }))
    expect([refused.statusCode, refused.json().code]).toEqual([422, 'accounts.tokenScope'])
    expect((await list(plain)).scopes).toEqual(['read', 'run'])
    const { db } = server.database
    const account = await findAccount(db, 'paul')
    const { token } = await makeToken(
      db,
      account,
      [ROLE_MANAGER],
      { name: 'x', scopes: ['manage'], days: 1, from: null, to: null },
      byProgram('command'),
    )
    expect((await call('GET', '/api/admin/accounts', token)).json().code).toBe('auth.manager')
  })

  test('the narrower of its dates and those of the account hold', async () => {
    const { db } = server.database
    const session = await server.signIn('denis')
    await editAccount(db, 'denis', { restrictionStart: new Date('2026-06-01T00:00:00Z') })
    const { token } = await create(session, {
      name: 'juin',
      from: '2026-05-01T00:00:00Z',
      to: '2026-07-01T00:00:00Z',
    })
    const status = async (s: string, e: string) =>
      (await call('GET', `${MONTH}&s=${s}T00:00:00Z&e=${e}T00:00:00Z`, token)).statusCode
    expect(await status('2026-06-02', '2026-06-03')).toBe(200)
    expect(await status('2026-05-02', '2026-05-03')).toBe(403)
    expect(await status('2026-07-01', '2026-07-02')).toBe(403)
    const wrong = given({ from: '2026-07-01T00:00:00Z', to: '2026-06-01T00:00:00Z' })
    expect((await call('POST', '/api/users/tokens', session, wrong)).json().code).toBe('accounts.tokenDates')
  })

  test('an expired one, one of a disabled account and one in an address open nothing', async () => {
    const { db } = server.database
    const session = await server.signIn('boris')
    const { token, created } = await create(session)
    expect((await server.app.inject(`/api/gauges?token=${token}&access_token=${token}`)).statusCode).toBe(401)
    await disableAccount(db, 'boris', new Date())
    expect((await call('GET', '/api/gauges', token)).statusCode).toBe(401)
    await enableAccount(db, 'boris')
    expect((await call('GET', '/api/gauges', token)).statusCode).toBe(200)
    await db
      .updateTable('access_token')
      .set({ expires_at: new Date(server.clock.ms - 1) })
      .where('id', '=', created.id)
      .execute()
    expect((await call('GET', '/api/gauges', token)).statusCode).toBe(401)
  })

  test('a token that calls without end is told to wait, and others go on', async () => {
    const session = await server.signIn('bruno')
    const [busy, calm] = [await create(session, { name: 'a' }), await create(session, { name: 'b' })]
    const answers = await Promise.all(
      Array.from({ length: TOKEN_RATE.burst + 100 }, () => call('GET', '/api/shapefile/none', busy.token)),
    )
    const slowed = answers.filter(({ statusCode }) => statusCode === 429)
    expect(slowed.length).toBeGreaterThan(0)
    expect(Number(slowed[0].headers['retry-after'])).toBeGreaterThan(0)
    expect((await call('GET', '/api/shapefile/none', calm.token)).statusCode).toBe(404)
  })

  test('an account keeps so many, and what expired takes no place', async () => {
    const session = await server.signIn('chloe')
    for (let i = 0; i < TOKENS_MAX; i++) await create(session, { name: `n° ${i}` })
    const over = await call('POST', '/api/users/tokens', session, given())
    expect([over.statusCode, over.json().code]).toEqual([409, 'quota.reached'])
    await server.database.db
      .updateTable('access_token')
      .set({ expires_at: new Date(server.clock.ms - 1) })
      .where('name', '=', 'n° 3')
      .execute()
    await create(session, { name: 'encore un' })
  })

  test('what a token may is said of every call', () => {
    for (const key of Object.keys(RIGHTS)) {
      const [method, path] = key.split(' ')
      const right = RIGHTS[key]
      const scope = scopeOf(method, path, right)
      if (right.access === 'manager')
        expect([key, scope]).toEqual([key, expect.stringMatching(/grids|manage/)])
      // A search asks in its body, and changes nothing.
      if (method !== 'GET') expect([key, scope === 'read']).toEqual([key, key === 'POST /ogc/stac/search'])
    }
  })
})

const created = () => '00000000-0000-4000-8000-000000000000'
