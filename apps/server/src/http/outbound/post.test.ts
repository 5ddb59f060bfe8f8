import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { isNetwork, isPublic } from './addresses.ts'
import { post } from './post.ts'

let servers: Server[] = []
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  servers = []
})

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
const send = (url: string, allowed: string[] = [], timeoutMs = 2_000) =>
  post({ url, headers: {}, body: 'x', timeoutMs, allowed })

describe('addresses', () => {
  test.each([
    ...['127.0.0.1', '10.0.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...[
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
    ],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', 'ff02::1', 'no-address'],
  ])('%s is not public', (address) => expect(isPublic(address)).toBe(false))

  test.each(['8.8.8.8', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => expect(isPublic(address)).toBe(true),
  )

  test('networks are told from what is none', () => {
    expect(['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8'].every(isNetwork)).toBe(true)
    expect(['10.0.0.0/33', 'x', '10.0.0/8', '10.0.0.0/8/9', ''].some(isNetwork)).toBe(false)
  })
})

describe('a call to an address that somebody gave', () => {
  test.each([
    ...[
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://[::ffff:7f00:1]/',
    ],
    ...[
      'https://169.254.169.254/latest/meta-data',
      'https://localhost/',
      'ftp://example.org/',
      'https://a:b@example.org/',
    ],
    'nonsense',
  ])('%s is refused for good and nothing is asked', async (url) => {
    await expect(send(url)).rejects.toMatchObject({ isFinal: true })
  })

  test('the connection goes to the address that was checked, whatever the name leads to a moment later', async () => {
    let reached = 0
    const port = await serve((_, answer) => {
      reached++
      answer.end()
    })
    let answers = [['127.0.0.1'], ['10.0.0.1']]
    const asked: string[] = []
    const resolve = ((name: string, _: object, done: (error: null, found: object[]) => void) => {
      asked.push(name)
      done(
        null,
        answers.shift()!.map((address) => ({ address, family: 4 })),
      )
    }) as never
    const call = (scheme: string) =>
      post({
        ...{ url: `${scheme}://rebind.example:${port}/`, headers: {}, body: 'x', timeoutMs: 2_000 },
        ...{ allowed: ['127.0.0.1'], resolve },
      })
    expect(await call('http')).toBe(200)
    expect(asked).toEqual(['rebind.example'])
    // Now it leads elsewhere; then to a public and a private address at once.
    await expect(call('https')).rejects.toMatchObject({ isFinal: true })
    answers = [['93.184.216.34', '10.0.0.1']]
    await expect(call('https')).rejects.toMatchObject({ isFinal: true })
    expect(reached).toBe(1)
  })

  test('what the operator allows is called, without TLS too', async () => {
    let body = ''
    const port = await serve((request, answer) => {
      request.on('data', (bytes) => {
        body += bytes
      })
      request.on('end', () => answer.writeHead(204).end())
    })
    expect(await send(`http://127.0.0.1:${port}/`, ['127.0.0.0/8'])).toBe(204)
    expect(await send(`http://localhost:${port}/`, ['127.0.0.1', '::1'])).toBe(204)
    expect(body).toBe('xx')
  })

  test('redirections are not followed, errors and silence are told, an endless answer is not read', async () => {
    let reached = 0
    const inner = await serve((_, answer) => {
      reached++
      answer.end()
    })
    const port = await serve((request, answer) => {
      if (request.url === '/redirect') answer.writeHead(307, { location: `http://127.0.0.1:${inner}/` }).end()
      else if (request.url === '/500') answer.writeHead(500).end()
      else if (request.url === '/endless') {
        answer.writeHead(200)
        const more = setInterval(() => answer.write('x'.repeat(10_000)), 1)
        answer.on('close', () => clearInterval(more))
      }
    })
    const at = (path: string, timeoutMs?: number) =>
      send(`http://127.0.0.1:${port}${path}`, ['127.0.0.1'], timeoutMs)
    await expect(at('/redirect')).rejects.toMatchObject({ status: 307, isFinal: false })
    expect(reached).toBe(0)
    await expect(at('/500')).rejects.toMatchObject({ status: 500 })
    await expect(at('/silent', 200)).rejects.toThrow(/Pas de réponse/)
    expect(await at('/endless')).toBe(200)
  })
})
