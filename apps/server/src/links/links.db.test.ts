import { LINKS_MAX, shortLinkSchema, shortLinksSchema } from '@radx/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disableAccount } from '../accounts/service.ts'
import { type AccountServer, bearer, startAccountServer } from '../testing/account-server.ts'

let server: AccountServer
let anne: string
let bruno: string
beforeAll(async () => {
  server = await startAccountServer({ DEMO: '0' })
  anne = await server.signIn('anne')
  bruno = await server.signIn('bruno')
})
afterAll(() => server?.close())

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, token: string | null, payload?: object) =>
  server.app.inject({ method, url, payload, headers: token === null ? {} : bearer(token) })
const make = (token: string, body: object) => call('POST', '/api/links', token, body)
const list = async (token: string) =>
  shortLinksSchema.parse((await call('GET', '/api/links', token)).json()).links

test('a link opens its page for anybody, is listed for its owner alone, and is gone when he deletes it', async () => {
  const path = '/analyse?p=dpsri&c=melun&v=1#bas'
  const made = await make(anne, { path, name: 'orage-de-juin' })
  expect(made.statusCode, made.body).toBe(200)
  expect(shortLinkSchema.parse(made.json())).toMatchObject({ name: 'orage-de-juin', path })
  // Which page it is says nothing of what it shows: that asks for a session, as ever.
  const opened = await call('GET', '/l/Orage-de-Juin', null)
  expect([opened.statusCode, opened.headers.location, opened.headers['cache-control']]).toEqual([
    302,
    path,
    'no-store',
  ])
  expect((await list(anne)).map(({ name }) => name)).toEqual(['orage-de-juin'])
  expect(await list(bruno)).toEqual([])
  expect((await call('DELETE', '/api/links/orage-de-juin', bruno)).statusCode).toBe(404)
  expect((await call('DELETE', '/api/links/orage-de-juin', anne)).json()).toEqual({ removed: true })
  expect((await call('GET', '/l/orage-de-juin', null)).statusCode).toBe(404)
  expect((await call('POST', '/api/links', null, { path })).statusCode).toBe(401)
})

test('a name is drawn where none is given, and taken once', async () => {
  const { name } = (await make(anne, { path: '/' })).json()
  expect(name).toMatch(/^[a-z2-9]{9}$/)
  const second = await make(bruno, { path: '/mrr', name })
  expect([second.statusCode, second.json().code]).toEqual([409, 'links.taken'])
  expect((await call('GET', `/l/${name}`, null)).headers.location).toBe('/')
})

test.each([
  ['links.path', { path: '//ailleurs.example/' }],
  ['links.path', { path: '/%2e%2e//ailleurs.example/' }],
  ['links.path', { path: 'https://ailleurs.example/' }],
  ['links.path', { path: '/api/users/session' }],
  ['links.path', { path: '/analyse\u0000' }],
  ['request.invalid', { path: `/${'a'.repeat(3_000)}` }],
  ['request.invalid', { path: '/', name: 'ab' }],
  ['request.invalid', { path: '/', name: 'été' }],
  ['request.invalid', { path: '/', name: 'a\u0000b' }],
  ['request.invalid', { path: '/', name: '../admin' }],
  ['request.invalid', { path: '/', days: 0 }],
  ['request.invalid', { path: '/', days: 10_000 }],
])('%s: %j is refused', async (code, body) => {
  const answer = await make(anne, body)
  expect(answer.statusCode, answer.body).toBe(400)
  if (code === 'links.path') expect([code, 'request.text']).toContain(answer.json().code)
})

test.each(['x', 'a'.repeat(150), '%00', '..%2fadmin', '%0d%0aset-cookie:x', 'orage%20', '-a-'])(
  '/l/%s leads nowhere',
  async (name) => {
    const answer = await call('GET', `/l/${name}`, null)
    expect([400, 404]).toContain(answer.statusCode)
    expect(answer.headers.location).toBeUndefined()
  },
)

test('a person who opens a name that is none gets the page that says so', async () => {
  const answer = await server.app.inject({ url: '/l/disparu', headers: { accept: 'text/html' } })
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/lien-inconnu'])
})

test('a link runs out, its name is free again, and a closed account opens nothing any more', async () => {
  await make(bruno, { path: '/mrr', name: 'court', days: 2 })
  server.clock.ms += 86_400_000
  expect((await call('GET', '/l/court', null)).headers.location).toBe('/mrr')
  server.clock.ms += 86_400_001
  expect((await call('GET', '/l/court', null)).statusCode).toBe(404)
  // Sessions are over as well by then.
  const carla = await server.signIn('carla')
  expect((await make(carla, { path: '/a-propos', name: 'court' })).statusCode).toBe(200)
  expect((await call('GET', '/l/court', null)).headers.location).toBe('/a-propos')
  await disableAccount(server.database.db, 'carla', new Date(server.clock.ms))
  expect((await call('GET', '/l/court', null)).statusCode).toBe(404)
})

test('an account has so many links and no more', async () => {
  const token = await server.signIn('dora')
  const { id } = await server.database.db
    .selectFrom('account')
    .select('id')
    .where('name', '=', 'dora')
    .executeTakeFirstOrThrow()
  const now = new Date(server.clock.ms)
  await server.database.db
    .insertInto('short_link')
    .values(
      Array.from({ length: LINKS_MAX - 1 }, (_, k) => ({
        name: `dora-${k}`,
        account_id: id,
        path: '/',
        created_at: now,
        expires_at: new Date(now.getTime() + 1_000_000),
      })),
    )
    .execute()
  const answers = await Promise.all(Array.from({ length: 4 }, () => make(token, { path: '/' })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409])
})

test('the read-only view stands in frames of the sites that are named, and every other page in none of theirs', async () => {
  const headersOf = async (url: string) =>
    (await server.app.inject({ url, headers: { accept: 'text/html' } })).headers
  const closed = await headersOf('/embed/direct')
  expect(closed['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(closed['x-frame-options']).toBe('DENY')
  const { embed } = server.deps.site
  embed.origins.push('https://ville.example', 'https://*.presse.example')
  try {
    const open = await headersOf('/embed/direct')
    expect(open['content-security-policy']).toContain(
      'frame-ancestors https://ville.example https://*.presse.example',
    )
    expect(open['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval'")
    expect(open['x-frame-options']).toBeUndefined()
    for (const url of ['/', '/analyse', '/compte', '/embed/../compte', '/embed/direct/plus']) {
      const headers = await headersOf(url)
      expect([url, headers['content-security-policy']]).toEqual([
        url,
        expect.stringContaining("frame-ancestors 'self'"),
      ])
      expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    }
  } finally {
    embed.origins.length = 0
  }
})
