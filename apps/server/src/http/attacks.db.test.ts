import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { unbounded } from '@radx/contracts/testing/unbounded'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountServer, bearer, startAccountServer } from '../testing/account-server.ts'

/** What an attacker sends, against the whole server listening on a real port. */
describe('attacks over the network', () => {
  let server: AccountServer
  let port: number
  let manager: string
  beforeAll(async () => {
    server = await startAccountServer()
    manager = await server.signIn('chef', { roles: ['manager'] })
    await server.app.listen({ host: '127.0.0.1', port: 0 })
    port = (server.app.server.address() as AddressInfo).port
  })
  afterAll(() => server?.close())

  /** Sends a path byte for byte; clients would tidy it up. */
  const raw = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; body: string }>((done, fail) => {
      const call = httpRequest({ host: '127.0.0.1', port, path, headers }, async (answer) => {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(chunk as Buffer)
        done({ status: answer.statusCode!, body: Buffer.concat(chunks).toString() })
      })
      call.on('error', fail)
      call.end()
    })

  const CLIMBS = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..%5c', '..%252f', '....//', '/', '%00']
  const PLACES = [
    '/',
    '/assets/',
    '/site/',
    '/images/radar/dpsri/',
    '/images/radar/',
    '/images/mrr/',
    '/images/exportgeotiff/',
    '/images/exportgrid/',
    '/api/shapefile/',
    '/api/job/output/00000000-0000-4000-8000-000000000000/',
    '/api/multihydro/file/mask/',
    '/api/docs/static/',
  ]
  test.each(PLACES)('no path below %s leads to another file', async (place) => {
    const files = ['etc/passwd', 'package.json', 'site.json', 'postgres.json', 'apps/server/package.json']
    for (const climb of CLIMBS)
      for (const times of [1, 3, 8])
        for (const file of files) {
          const { status, body } = await raw(`${place}${climb.repeat(times)}${file}`, bearer(manager))
          expect([400, 401, 403, 404, 414], `${place}${climb} x${times} ${file}`).toContain(status)
          expect(body).not.toMatch(/root:|"dependencies"|"workspaces"|"password"/)
        }
  })

  test('no text and no list of any call is without a bound', async () => {
    const { body } = await raw('/api/openapi.json')
    const { paths } = JSON.parse(body)
    expect(Object.keys(paths).length).toBeGreaterThan(30)
    expect(unbounded(paths, 'paths').join('\n')).toBe('')
  })

  test('a malformed address is refused, not an error of the server', async () => {
    for (const path of ['/%E0%A4%A', '/api/%zz', '/%', '//', '/api//products', `/${'a'.repeat(15_000)}`])
      expect((await raw(path)).status, path.slice(0, 40)).toBeLessThan(500)
  })

  const login = (payload: string | Buffer, headers: Record<string, string> = {}) =>
    server.app.inject({
      method: 'POST',
      url: '/api/users/login',
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    })

  test('a body cannot reach the prototypes', async () => {
    for (const body of [
      '{"__proto__":{"polluted":1},"username":"chef","password":"x"}',
      '{"username":"chef","password":"x","constructor":{"prototype":{"polluted":1}}}',
    ])
      expect((await login(body)).statusCode).toBe(400)
    const { body } = await raw(
      '/api/products/latestImages?p=dpsri&__proto__[polluted]=1&constructor.prototype.polluted=1',
    )
    expect(body).not.toContain('polluted')
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect((await raw(`/api/products/latestImages?p=${name}`)).status, name).toBeLessThan(500)
      expect((await raw(`/api/products/month/2026-06?p=dpsri&c=${name}`)).status, name).toBeLessThan(500)
      expect((await raw(`/api/multihydro/file/mask/${name}`, bearer(manager))).status, name).toBeLessThan(500)
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test('a compressed body does not grow in memory', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20, 0x20), { level: 9 })
    expect(bomb.length).toBeLessThan(2 ** 18)
    for (const url of ['/api/users/login', '/api/users/events']) {
      const before = process.memoryUsage().rss
      const answer = await server.app.inject({
        method: url.endsWith('events') ? 'PUT' : 'POST',
        url,
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', ...bearer(manager) },
        payload: bomb,
      })
      expect([400, 413, 415]).toContain(answer.statusCode)
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 2 ** 20)
    }
  })

  test('bodies over their limit are refused before they are read to the end', async () => {
    const sent = await new Promise<number>((done) => {
      const socket = connect(port, '127.0.0.1')
      const chunk = Buffer.alloc(64 * 1024, 0x61)
      let bytes = 0
      const send = () => {
        while (!socket.destroyed && bytes < 200 * 2 ** 20) {
          bytes += chunk.length
          if (!socket.write(chunk)) {
            socket.once('drain', send)
            return
          }
        }
      }
      socket.write(
        `PUT /api/users/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${manager}\r\ncontent-type: application/json\r\ncontent-length: 1000000000\r\n\r\n`,
      )
      send()
      socket.on('data', (data) => {
        expect(data.toString()).toMatch(/^HTTP\/1.1 413/)
        socket.destroy()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => done(bytes))
    })
    expect(sent).toBeLessThan(50 * 2 ** 20)
  })

  const multipart = (parts: [string, string][]) => {
    const body = parts.map(
      ([name, value]) => `--b\r\ncontent-disposition: form-data; ${name}\r\n\r\n${value}\r\n`,
    )
    return server.app.inject({
      method: 'POST',
      url: '/api/job/multihydro',
      headers: { 'content-type': 'multipart/form-data; boundary=b', ...bearer(manager) },
      payload: `${body.join('')}--b--\r\n`,
    })
  }
  test('a form takes no file, no flood of fields and no name of a prototype', async () => {
    const file = await multipart([['name="luse"; filename="../../x"', 'x']])
    expect([400, 413]).toContain(file.statusCode)
    const flood = await multipart(Array.from({ length: 500 }, (_, k) => [`name="f${k}"`, 'x']))
    expect([400, 413]).toContain(flood.statusCode)
    const proto = await multipart([['name="__proto__"', '{"polluted":1}']])
    expect([400, 422]).toContain(proto.statusCode)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test('another site is never let in', async () => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers } = await server.app.inject({
        method,
        url: '/api/products',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
      })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('headers that smuggle are refused, and a client that never ends its headers is cut off', async () => {
    const say = (text: string) =>
      new Promise<string>((done) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(text))
        let heard = ''
        socket.on('data', (data) => (heard += data))
        socket.on('error', () => done(heard))
        socket.on('close', () => done(heard))
        setTimeout(() => socket.end(), 300)
      })
    const both =
      'POST /api/users/login HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'
    expect(await say(both)).toMatch(/^HTTP\/1.1 400/)
    expect(await say('GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400/)
    expect(server.app.server.headersTimeout).toBeGreaterThan(0)
    expect(server.app.server.headersTimeout).toBeLessThanOrEqual(60_000)
    expect(server.app.server.requestTimeout).toBeGreaterThan(0)
  })

  test('a socket without a session follows nothing, and one that sends too much is closed', async () => {
    const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], reconnection: false })
    await new Promise<void>((done) => socket.on('connect', done))
    const answer = await socket.emitWithAck('job-join', {
      socketId: socket.id,
      jobId: '00000000-0000-4000-8000-000000000000',
    })
    expect(answer).toEqual({ ok: false, error: 'Connectez-vous pour suivre ce calcul.' })
    for (const odd of [null, 7, [], { __proto__: null }, { socketId: {}, jobId: [] }])
      expect(await socket.emitWithAck('job-join', odd)).toMatchObject({ ok: false })
    const closed = new Promise<string>((done) => socket.on('disconnect', done))
    socket.emit('job-join', { socketId: 'x'.repeat(100_000) })
    expect(await closed).toMatch(/transport/)
    expect((await raw('/healthz')).status).toBe(200)
  })
})
