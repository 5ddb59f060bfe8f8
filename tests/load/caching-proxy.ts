import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A small caching reverse proxy in memory, for measurements where no other is installed. It keeps what RFC 9111 lets a
 * shared cache keep, gives out stale answers while it asks anew as RFC 5861 says, revalidates by entity tag, and sends
 * one request to the origin for all who wait for the same. Not for use on a network.
 */
export interface CachingProxy {
  url: string
  /** Requests that it passed on to the origin. */
  passed(): number
  close(): Promise<void>
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

interface Kept extends Answer {
  /** Request headers on which it depends, with their values. */
  varies: [string, string][]
  atMs: number
  freshMs: number
  staleMs: number
}

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'te',
  'trailer',
]
const MOST_KEPT = 5_000

/** Directives of a Cache-Control header, in lower case; those without a value are ''. */
export function directives(header: string | undefined): Map<string, string> {
  const parts = (header ?? '').toLowerCase().split(',')
  return new Map(parts.map((part) => part.trim().split('=', 2)).map(([name, value = '']) => [name, value]))
}

/** How long a shared cache may keep an answer, ms; null when not at all (RFC 9111, sections 3 and 3.5). */
export function keeping(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  hadAuthorization: boolean,
): { freshMs: number; staleMs: number } | null {
  const control = directives(headers['cache-control'])
  if (status !== 200 || headers.vary?.includes('*') || headers['set-cookie']) return null
  if (['no-store', 'private', 'no-cache'].some((name) => control.has(name))) return null
  if (hadAuthorization && !['public', 's-maxage', 'must-revalidate'].some((name) => control.has(name)))
    return null
  const seconds = Number(control.get('s-maxage') ?? control.get('max-age') ?? 0)
  if (!(seconds > 0)) return null
  return { freshMs: seconds * 1000, staleMs: Number(control.get('stale-while-revalidate') ?? 0) * 1000 }
}

function ask(
  origin: URL,
  path: string,
  method: string,
  headers: IncomingHttpHeaders,
  body?: IncomingMessage,
) {
  return new Promise<Answer>((done, fail) => {
    const call = request(
      { host: origin.hostname, port: origin.port, path, method, headers: endToEnd(headers) },
      async (answer) => {
        try {
          const chunks: Buffer[] = []
          for await (const chunk of answer) chunks.push(chunk as Buffer)
          done({ status: answer.statusCode!, headers: endToEnd(answer.headers), body: Buffer.concat(chunks) })
        } catch (error) {
          fail(error)
        }
      },
    )
    call.on('error', fail)
    if (body) body.pipe(call)
    else call.end()
  })
}

const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)))

const header = (headers: IncomingHttpHeaders, name: string) => String(headers[name] ?? '')

/** The encodings that the origin is asked for, as docs/proxies/nginx.conf spells them. */
export function spelled(path: string, accepted: string): string {
  if (/^\/assets\/[^?]*\.m?js($|\?)/.test(path) && /\bbr\b/i.test(accepted)) return 'br, gzip'
  return /\bgzip\b/i.test(accepted) ? 'gzip' : ''
}

/** Whether a kept answer is for who asks. */
const fits = ({ varies }: Kept, asked: IncomingHttpHeaders): boolean =>
  varies.every(([name, value]) => header(asked, name) === value)

class Cache {
  private readonly origin: URL
  private readonly kept = new Map<string, Kept[]>()
  private readonly underWay = new Map<string, Promise<Answer>>()
  passed = 0

  constructor(origin: string) {
    this.origin = new URL(origin)
  }

  async get(path: string, asked: IncomingHttpHeaders): Promise<{ answer: Answer; ageMs: number }> {
    const found = this.kept.get(path)?.find((kept) => fits(kept, asked))
    const ageMs = found ? Date.now() - found.atMs : 0
    if (found && ageMs < found.freshMs) return { answer: found, ageMs }
    // Stale while it is asked for anew: who asks does not wait.
    if (found && ageMs < found.freshMs + found.staleMs) {
      this.fetch(path, asked, found).catch(() => undefined)
      return { answer: found, ageMs }
    }
    return { answer: await this.fetch(path, asked, found), ageMs: 0 }
  }

  pass(path: string, method: string, headers: IncomingHttpHeaders, body: IncomingMessage): Promise<Answer> {
    this.passed++
    return ask(this.origin, path, method, headers, body)
  }

  /** One request for all who wait for the same. */
  private fetch(path: string, asked: IncomingHttpHeaders, before: Kept | undefined): Promise<Answer> {
    const key = `${path}\n${header(asked, 'accept-encoding')}\n${header(asked, 'authorization')}`
    const running = this.underWay.get(key)
    if (running) return running
    const made = this.renew(path, asked, before).finally(() => this.underWay.delete(key))
    this.underWay.set(key, made)
    return made
  }

  private async renew(path: string, asked: IncomingHttpHeaders, before: Kept | undefined): Promise<Answer> {
    this.passed++
    const headers = { ...asked }
    delete headers['if-none-match']
    if (before?.headers.etag) headers['if-none-match'] = before.headers.etag
    const got = await ask(this.origin, path, 'GET', headers)
    const answer =
      got.status === 304 && before
        ? { status: 200, headers: { ...before.headers, ...got.headers }, body: before.body }
        : got
    const keep = keeping(answer, asked.authorization !== undefined)
    // Whoever asks finds one answer: of two that fit, the older would be asked for anew each time.
    const others = (this.kept.get(path) ?? []).filter((kept) => !fits(kept, asked))
    if (keep === null) {
      this.kept.set(path, others)
      return answer
    }
    const varies = header(answer.headers, 'vary')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '')
      .map((name): [string, string] => [name, header(asked, name)])
    if (this.kept.size >= MOST_KEPT) this.kept.clear()
    this.kept.set(path, [...others, { ...answer, ...keep, varies, atMs: Date.now() }])
    return answer
  }
}

/** Starts it on a free port of this machine. */
export async function startCachingProxy(origin: string): Promise<CachingProxy> {
  const cache = new Cache(origin)
  const server = createServer((asked, reply) => {
    serve(cache, asked, reply).catch(() => {
      if (!reply.headersSent) reply.writeHead(502)
      reply.end()
    })
  })
  await new Promise<void>((done) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: () => cache.passed,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function serve(cache: Cache, asked: IncomingMessage, reply: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = asked
  const headers = {
    ...asked.headers,
    'accept-encoding': spelled(url, header(asked.headers, 'accept-encoding')),
  }
  const { answer, ageMs } =
    method === 'GET' && headers.range === undefined
      ? await cache.get(url, headers)
      : { answer: await cache.pass(url, method, headers, asked), ageMs: 0 }
  const { etag } = answer.headers
  const own: IncomingHttpHeaders = { ...answer.headers, age: String(Math.floor(ageMs / 1000)) }
  if (answer.status === 200 && etag !== undefined && header(headers, 'if-none-match').includes(etag)) {
    for (const name of ['content-length', 'content-type', 'content-encoding']) delete own[name]
    reply.writeHead(304, own).end()
    return
  }
  reply.writeHead(answer.status, own).end(answer.body)
}
