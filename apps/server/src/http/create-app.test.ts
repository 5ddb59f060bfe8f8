import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { publicSiteSchema, RadxError } from '@radx/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { DatabaseUnavailable } from '../db/errors.ts'
import { awayDatabase, testDeps } from '../testing/deps.ts'
import type { App, Deps, RegisterFeature } from './app.ts'
import { allowPeriod } from './authorize.ts'
import { createApp } from './create-app.ts'
import { RIGHTS, type Right } from './rights.ts'
import type { Session } from './sessions.ts'

const open: Right = { access: 'public', restriction: 'none' }
let webDir: string
let app: App | undefined

beforeAll(() => {
  webDir = mkdtempSync(join(tmpdir(), 'radx-web-'))
  mkdirSync(join(webDir, 'assets'))
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><head><title>RadX</title></head>')
  writeFileSync(join(webDir, 'assets/app-1a2b3c.js'), 'plain')
  writeFileSync(join(webDir, 'assets/app-1a2b3c.js.br'), brotliCompressSync('precompressed'))
})
afterAll(() => rmSync(webDir, { recursive: true }))
afterEach(() => app?.close())

async function start(
  feature: RegisterFeature = () => undefined,
  rights: Record<string, Right> = {},
  overrides: Partial<Deps> = {},
  dist = webDir,
): Promise<App> {
  app = await createApp(await testDeps(overrides), {
    features: [feature],
    rights: { ...RIGHTS, ...rights },
    webDir: dist,
  })
  return app
}

const get = (url: string, headers: Record<string, string> = {}) => app!.inject({ url, headers })

describe('errors', () => {
  const failWith = (error: unknown) =>
    start((a) => void a.get('/api/x', () => Promise.reject(error)), { 'GET /api/x': open })

  test('a RadxError answers its status, code, French message and details', async () => {
    await failWith(new RadxError('event.notFound', 410, 'Image retirée.', { details: { id: 7 } }))
    const answer = await get('/api/x')
    expect(answer.statusCode).toBe(410)
    expect(answer.json()).toEqual({
      statusCode: 410,
      code: 'event.notFound',
      error: 'Gone',
      message: 'Image retirée.',
      details: { id: 7 },
    })
  })

  test('a request that breaks the schema answers 400 in French and names the field', async () => {
    await start(
      (a) =>
        void a.get(
          '/api/x',
          { schema: { querystring: z.object({ p: z.string(), n: z.coerce.number() }) } },
          () => '',
        ),
      { 'GET /api/x': open },
    )
    const answer = (await get('/api/x?n=abc')).json()
    expect(answer).toMatchObject({ statusCode: 400, code: 'request.invalid' })
    expect(answer.message).toMatch(/^Champ « p » : .*attendu/)
    expect(answer.details.fields.map((f: { field: string }) => f.field)).toEqual(['p', 'n'])
  })

  test('a message that is a sentence ends with one full stop', async () => {
    const p = z.string().max(2, 'Deux lettres au plus.')
    await start((a) => void a.get('/api/x', { schema: { querystring: z.object({ p }) } }, () => ''), {
      'GET /api/x': open,
    })
    expect((await get('/api/x?p=abc')).json().message).toBe('Champ « p » : Deux lettres au plus.')
  })

  test('a database that is away answers 503 with Retry-After', async () => {
    await failWith(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
    const answer = await get('/api/x')
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('5')
    expect(answer.json()).toMatchObject({
      code: 'database.unavailable',
      message: expect.stringContaining('La base de données ne répond pas (connexion refusée)'),
    })
  })

  test.each([
    ['file system', Object.assign(new Error('write'), { code: 'ENOSPC' })],
    ['PostgreSQL', Object.assign(new Error('could not extend file'), { code: '53100' })],
  ])('a full disk of the %s answers 507', async (_of, error) => {
    await failWith(error)
    expect((await get('/api/x')).json()).toMatchObject({ statusCode: 507, code: 'storage.full' })
  })

  test('an unforeseen error tells nothing of its inside but the number to report', async () => {
    await failWith(new Error('secret detail'))
    const answer = await get('/api/x')
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('secret')
    expect(answer.json().message).toContain(answer.headers['x-request-id'])
  })

  test('a body over the limit, broken JSON and an unknown type are refused in French', async () => {
    await start((a) => void a.post('/api/x', () => ''), { 'POST /api/x': open })
    const post = async (payload: string, type = 'application/json') =>
      (
        await app!.inject({ method: 'POST', url: '/api/x', payload, headers: { 'content-type': type } })
      ).json()
    expect(await post('x'.repeat(1_100_000))).toMatchObject({ statusCode: 413, code: 'request.tooLarge' })
    expect(await post('{')).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('JSON valide'),
    })
    expect(await post('x', 'application/x-odd')).toMatchObject({ statusCode: 415 })
  })

  test('an unknown call answers 404 as JSON', async () => {
    await start()
    expect((await get('/api/none')).json()).toMatchObject({ statusCode: 404, code: 'request.notFound' })
  })

  test('a route over its rate answers 429', async () => {
    await start(
      (a) => void a.get('/api/x', { config: { rateLimit: { max: 1, timeWindow: 60_000 } } }, () => 'ok'),
      { 'GET /api/x': open },
    )
    expect((await get('/api/x')).statusCode).toBe(200)
    expect((await get('/api/x')).json()).toMatchObject({ statusCode: 429, code: 'request.tooMany' })
  })
})

describe('rights', () => {
  const user: Session = { userId: '1', name: 'ana', roles: [], restriction: null }
  const sessions = {
    resolve: async (token: string) =>
      ({
        user,
        boss: { ...user, roles: ['manager'] },
        dated: {
          ...user,
          restriction: { start: new Date('2026-01-01T00:00Z'), end: new Date('2026-02-01T00:00Z') },
        },
      })[token] ?? null,
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const handler = () => 'ok'

  test('a route without a row makes the server refuse to start', async () => {
    await expect(start((a) => void a.get('/api/forgotten', handler))).rejects.toThrow(
      'GET /api/forgotten has no row in http/rights.ts',
    )
    app = undefined
  })

  test('a call marked bearer answers 401 in French without a session, while nobody has accounts', async () => {
    await start((a) => void a.get('/api/x', handler), {
      'GET /api/x': { access: 'session', restriction: 'none' },
    })
    const answer = await get('/api/x')
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(answer.json()).toMatchObject({
      code: 'auth.required',
      message: expect.stringContaining('session'),
    })
    expect((await get('/api/x', bearer('anything'))).json()).toMatchObject({ code: 'auth.expired' })
  })

  test('a manager call refuses other users', async () => {
    await start(
      (a) => void a.get('/api/x', handler),
      { 'GET /api/x': { access: 'manager', restriction: 'none' } },
      { sessions },
    )
    expect((await get('/api/x')).statusCode).toBe(401)
    expect((await get('/api/x', bearer('user'))).statusCode).toBe(403)
    expect((await get('/api/x', bearer('boss'))).statusCode).toBe(200)
  })

  test('an account makes a few changes at a time: more wait, many more are refused, those of others go on', async () => {
    const { promise: made, resolve: goOn } = Promise.withResolvers<void>()
    let [begun, most] = [0, 0]
    const change = async () => {
      most = Math.max(most, ++begun)
      await made
      begun--
      return { ok: true }
    }
    const all: Right = { access: 'session', restriction: 'none' }
    await start(
      (a) => {
        a.post('/api/x', change)
        a.get('/api/x', handler)
      },
      { 'POST /api/x': all, 'GET /api/x': all },
      { sessions: { resolve: async (name: string) => ({ ...user, userId: name, name }) } },
    )
    const post = (token: string) =>
      app!.inject({ method: 'POST', url: '/api/x', headers: bearer(token) }).then((a) => a.statusCode)
    const greedy = Array.from({ length: 200 }, () => post('user'))
    const modest = post('boss')
    expect((await get('/api/x', bearer('user'))).statusCode, 'reading goes on').toBe(200)
    await vi.waitFor(() => expect(begun).toBe(5))
    goOn()
    expect(await modest).toBe(200)
    const statuses = await Promise.all(greedy)
    expect(statuses.filter((status) => status === 200)).toHaveLength(68)
    expect(statuses.filter((status) => status === 429)).toHaveLength(132)
    expect(most).toBe(5)
    expect(await post('user')).toBe(200)
  })

  test("a period outside the account's dates is refused, at either end", async () => {
    await start(
      (a) => void a.get('/api/x', handler),
      { 'GET /api/x': { access: 'session', restriction: 'period' } },
      { sessions },
    )
    const status = async (s: string, e: string) =>
      (await get(`/api/x?s=${s}&e=${e}`, bearer('dated'))).statusCode
    expect(await status('2026-01-01T00:00Z', '2026-02-01T00:00Z')).toBe(200)
    expect(await status('2025-12-31T23:59Z', '2026-01-05T00:00Z')).toBe(403)
    expect(await status('2026-01-05T00:00Z', '2026-02-01T00:01Z')).toBe(403)
    expect(await status('nonsense', '2026-01-05T00:00Z')).toBe(403)
    expect((await get('/api/x?s=2020-01-01T00:00Z&e=2021-01-01T00:00Z', bearer('user'))).statusCode).toBe(200)
  })

  test('a success whose period nobody checked is not sent', async () => {
    await start(
      (a) => {
        a.get('/api/x', handler)
        a.get('/api/y', (request) => {
          allowPeriod(request, new Date('2026-01-02T00:00Z'), new Date('2026-01-03T00:00Z'))
          return 'ok'
        })
      },
      {
        'GET /api/x': { access: 'session', restriction: 'period' },
        'GET /api/y': { access: 'session', restriction: 'period' },
      },
      { sessions },
    )
    expect((await get('/api/x', bearer('dated'))).json()).toMatchObject({ code: 'rights.unchecked' })
    expect((await get('/api/y', bearer('dated'))).body).toBe('ok')
  })
})

describe('headers', () => {
  test('no inline or foreign script is allowed; map tiles, workers and WebAssembly are', async () => {
    await start()
    const policy = String((await get('/')).headers['content-security-policy'])
    const directive = (name: string) => policy.split(';').find((d) => d.startsWith(`${name} `))
    expect(directive('script-src')).toBe("script-src 'self' 'wasm-unsafe-eval'")
    expect(directive('worker-src')).toContain('blob:')
    expect(directive('img-src')).toContain('https://tile.openstreetmap.org')
    expect(directive('connect-src')).toContain('https://tile.openstreetmap.org')
    expect(directive('object-src')).toBe("object-src 'none'")
  })

  test('the audience measurement of the site is allowed, and only that', async () => {
    const { site } = await testDeps()
    await start(
      undefined,
      {},
      {
        site: { ...site, analytics: { url: 'https://stats.example.org/matomo/', siteId: '1' } },
      },
    )
    const policy = String((await get('/')).headers['content-security-policy'])
    expect(policy).toMatch(/connect-src [^;]*https:\/\/stats\.example\.org/)
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
  })

  test('refusals carry the security headers too', async () => {
    await start((a) => void a.get('/api/x', () => ''), {
      'GET /api/x': { access: 'session', restriction: 'none' },
    })
    const { headers } = await get('/api/x')
    expect(headers['content-security-policy']).toBeDefined()
    expect(headers['x-content-type-options']).toBe('nosniff')
  })
})

describe('compression', () => {
  const body = { text: 'pluie '.repeat(2_000) }
  const feature: RegisterFeature = (a) => {
    a.get('/api/x', () => body)
    a.get('/api/packed', (_request, reply) =>
      reply.header('content-encoding', 'zstd').type('application/json').send(Buffer.alloc(5_000)),
    )
    a.get('/api/lines', (_request, reply) =>
      reply.type('text/plain').send(Readable.from(['première\n'.repeat(300), 'seconde\n'.repeat(300)])),
    )
  }
  const rights = { 'GET /api/x': open, 'GET /api/packed': open, 'GET /api/lines': open }

  test.each([
    ['zstd', 'gzip, br, zstd', zstdDecompressSync],
    ['br', 'gzip, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('%s is chosen when the browser offers %s', async (encoding, offered, unpack) => {
    await start(feature, rights)
    const answer = await get('/api/x', { 'accept-encoding': offered })
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.rawPayload.length).toBeLessThan(1_000)
    expect(JSON.parse(unpack(answer.rawPayload).toString())).toEqual(body)
    const stream = await get('/api/lines', { 'accept-encoding': offered })
    expect(stream.headers['content-encoding']).toBe(encoding)
    expect(unpack(stream.rawPayload).toString()).toBe('première\n'.repeat(300) + 'seconde\n'.repeat(300))
  })

  test('what is compressed already passes through', async () => {
    await start(feature, rights)
    const answer = await get('/api/packed', { 'accept-encoding': 'gzip, zstd' })
    expect(answer.headers['content-encoding']).toBe('zstd')
    expect(answer.rawPayload.length).toBe(5_000)
  })
})

describe('web application', () => {
  const html = { accept: 'text/html' }

  test.each([
    '/',
    '/analyse',
    '/mrr',
    '/multihydro',
    '/multihydro/form',
    '/multihydro/case-study/form/melun',
    '/multihydro/42',
    '/bassins',
    '/bassins/nouveau',
    '/bassins/nouveau/42',
    '/reseaux',
    '/reseaux/42',
    '/rapport?p=dpsri',
    '/rapport/simulation/42',
    '/compte',
    '/a-propos',
    '/admin',
    '/analyse?p=dpsri&s=2026-01-01T00:00Z',
  ])('%s answers the page', async (path) => {
    await start()
    const answer = await get(path, html)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain('<title>RadX</title>')
    expect(answer.headers['cache-control']).toBe('public, max-age=0, s-maxage=10, stale-while-revalidate=10')
  })

  test('a page tells other sites how to show a link to it, by its own address and nothing of the caller', async () => {
    await start()
    const { body } = await get('/multihydro/42?x="><script>', { ...html, host: 'radx.example' })
    expect(body).toContain('<meta property="og:image" content="http://radx.example/cards/direct.png" />')
    expect(body).toContain('<meta name="twitter:card" content="summary_large_image" />')
    expect(body).not.toContain('42')
    expect((await get('/', { ...html, host: 'a"><script>' })).body).not.toContain('<script>')
    // A frame of another site, and a page that is none, have no card.
    for (const path of ['/embed/direct', '/inconnu'])
      expect((await get(path, html)).body).not.toContain('og:')
  })

  test('each screen of the page has an address that is no error', async () => {
    const screens = readFileSync(join(import.meta.dirname, '../../../web/src/app/screens.ts'), 'utf8')
    const paths = [...screens.matchAll(/path: '([^']+)'/g)].map(([, path]) => path.replace(/:\w+/, 'x'))
    expect(paths.length).toBeGreaterThan(10)
    await start()
    for (const path of paths) expect((await get(path, html)).statusCode, path).toBe(200)
  })

  test('a page names scripts in its header once a build has told them, the live page its own and other screens theirs', async () => {
    const links = '</assets/map-1a2b3c.js>; rel=modulepreload'
    await start()
    expect((await get('/', html)).headers.link).toBeUndefined()
    writeFileSync(join(webDir, '.first-page'), links)
    expect((await get('/?p=sri', html)).headers.link).toBe(links)
    expect((await get('/analyse', html)).headers.link).toBeUndefined()
    const others = '</assets/later-screens-1a2b3c.js>; rel=modulepreload'
    writeFileSync(join(webDir, '.other-pages'), others)
    expect((await get('/analyse', html)).headers.link).toBe(others)
    expect((await get('/?p=sri', html)).headers.link).toBe(links)
    for (const path of ['/.first-page', '/.other-pages']) expect((await get(path, html)).statusCode).toBe(404)
  })

  test('another address answers the page with 404 to a person and JSON to a program', async () => {
    await start()
    const person = await get('/nulle-part', html)
    expect([person.statusCode, person.body.includes('RadX')]).toEqual([404, true])
    expect((await get('/nulle-part')).json()).toMatchObject({ statusCode: 404 })
    expect((await get('/assets/none.js', html)).json()).toMatchObject({ statusCode: 404 })
    expect((await get('/..%2f..%2fpackage.json', html)).statusCode).toBe(404)
    expect((await get('/%zz', html)).statusCode).toBe(400)
  })

  test('a base map in the site folder is served by byte ranges, and nothing else of that folder', async () => {
    const { config, site } = await testDeps()
    writeFileSync(join(webDir, 'region.pmtiles'), '0123456789')
    writeFileSync(join(webDir, 'site.json'), '{}')
    await start(
      undefined,
      {},
      {
        config: { ...config, siteDir: webDir },
        site: { ...site, tiles: { kind: 'pmtiles', path: 'region.pmtiles', attribution: '' } },
      },
    )
    const { path } = (await get('/api/site')).json().tiles
    const part = await get(path, { range: 'bytes=2-4' })
    expect([part.statusCode, part.body]).toEqual([206, '234'])
    expect((await get('/site/site.json')).statusCode).toBe(404)
  })

  test('hashed files are kept for good and go out precompressed', async () => {
    await start()
    const answer = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'br' })
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(answer.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe('precompressed')
    expect((await get('/assets/app-1a2b3c.js')).body).toBe('plain')
    expect(answer.headers.vary).toBe('accept-encoding')
    const page = await get('/', { ...html, 'accept-encoding': 'gzip, br' })
    const { vary, 'content-encoding': encoding } = page.headers
    expect([vary, encoding], 'a page has a form a language, and is kept once for each').toEqual([
      'cookie',
      undefined,
    ])
  })
})

describe('stop', () => {
  test('a call under way is finished, and the port is free at once', async () => {
    const reached = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    await start(
      (a) =>
        void a.get('/api/slow', async () => {
          reached.resolve()
          await go.promise
          return 'done'
        }),
      { 'GET /api/slow': open },
    )
    const base = await app!.listen({ host: '127.0.0.1', port: 0 })
    const answer = fetch(`${base}/api/slow`)
    await reached.promise
    const closed = app!.close()
    go.resolve()
    expect(await (await answer).text()).toBe('done')
    await closed
    await start()
    expect(await app!.listen({ host: '127.0.0.1', port: Number(new URL(base).port) })).toBe(base)
  })

  test('a connection on which nothing is asked does not hold it up', async () => {
    await start()
    await app!.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app!.server.address() as AddressInfo
    const silent = connect(port, '127.0.0.1')
    await once(silent, 'connect')
    const ended = once(silent, 'close')
    await app!.close()
    await ended
  })
})

describe('while the database starts', () => {
  const starting = (reason: string, whenReady: () => Promise<void>) =>
    start(
      (a) => void a.get('/api/x', async () => 'rain'),
      { 'GET /api/x': open },
      {
        database: { ...awayDatabase(), stood: () => false, unavailable: () => reason, whenReady },
      },
    )

  test('a call waits for it, and is told when it does not come', async () => {
    const ready = Promise.withResolvers<void>()
    await starting('démarrage en cours', () => ready.promise)
    const answer = get('/api/x')
    expect((await get('/api/site')).statusCode).toBe(200)
    ready.resolve()
    expect((await answer).body).toBe('rain')
    await app!.close()
    await starting('démarrage en cours', () => Promise.reject(new DatabaseUnavailable('démarrage en cours')))
    expect((await get('/api/x')).statusCode).toBe(503)
  })

  test('a call is told at once of one that cannot be reached', async () => {
    await starting('connexion refusée', () => new Promise(() => undefined))
    expect((await get('/api/x')).json()).toMatchObject({ code: 'database.unavailable' })
  })
})

describe('operation', () => {
  test('without a database the process is healthy and not ready', async () => {
    await start()
    expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
    const ready = await get('/readyz')
    expect(ready.statusCode).toBe(503)
    expect(ready.json().message).toContain('connexion refusée')
  })

  test('the site answers to the browser in the form of its contract', async () => {
    await start()
    const site = publicSiteSchema.parse((await get('/api/site')).json())
    expect(site.products.map((p) => p.shortName)).toContain('dpsri')
  })

  test('the OpenAPI description names the routes, and its page has no inline script', async () => {
    await start()
    expect(Object.keys((await get('/api/openapi.json')).json().paths)).toContain('/api/site')
    const page = await get('/api/docs/', html())
    expect(page.statusCode).toBe(200)
    expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/)
    function html() {
      return { accept: 'text/html' }
    }
  })
})

test('before the first build a person sees a page that asks again by itself, a program an error', async () => {
  await start(undefined, {}, {}, join(webDir, 'not-built'))
  const page = await get('/', { accept: 'text/html' })
  expect(page.statusCode).toBe(503)
  expect(page.headers).toMatchObject({ refresh: '2', 'cache-control': 'no-store' })
  expect(page.headers['content-type']).toMatch(/^text\/html/)
  expect(page.body).toContain('en cours de construction')
  const call = await get('/')
  expect(call.statusCode).toBe(503)
  expect(call.json()).toMatchObject({ code: 'web.missing' })
})
