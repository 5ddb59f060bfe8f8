import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app.ts'

/** How a cache between RadX and its visitors may keep an answer, in seconds. */
export interface Shared {
  /** Fresh for so long, in caches that many share. */
  seconds: number
  /** Given out for so much longer while it is asked for anew; left out where content never changes. Default 0. */
  stale?: number
  /** The address names the content, so that browsers keep it as well and ask no more. Default false. */
  immutable?: boolean
}

/** What a page asks for when it opens and seldom changes. */
export const SELDOM: Shared = { seconds: 60, stale: 60 }
/** What follows the newest frame: a frame is at most this much later behind a cache, twice while nobody asks. */
export const NEWEST: Shared = { seconds: 10, stale: 10 }

/**
 * Declares an answer that is the same for everyone. Any HTTP cache may keep what was asked without a session; what was
 * asked with one stays in the asker's own. Browsers ask again each time, by entity tag, but may show the last answer `stale`
 * seconds longer.
 */
export function share(
  request: FastifyRequest,
  reply: FastifyReply,
  { seconds, stale = 0, immutable = false }: Shared,
): void {
  vary(reply, 'authorization')
  if (request.headers.authorization !== undefined || seconds <= 0) {
    keepPrivate(reply)
    return
  }
  const parts = ['public', `max-age=${immutable ? seconds : 0}`, `s-maxage=${seconds}`]
  if (stale > 0) parts.push(`stale-while-revalidate=${stale}`)
  if (immutable) parts.push('immutable')
  reply.header('cache-control', parts.join(', '))
}

/** An answer for the asker alone, asked for again each time. */
export function keepPrivate(reply: FastifyReply): void {
  reply.header('cache-control', 'private, no-cache')
}

/** Adds a request header on which the answer depends. */
export function vary(reply: FastifyReply, name: string): void {
  const names = String(reply.getHeader('vary') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (!names.includes(name)) reply.header('vary', [...names, name].join(', '))
}

/** Whether the asker has the content of that tag already. Weak comparison (RFC 9110, section 13.1.2). */
export function isKnown(request: FastifyRequest, etag: string): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  const known = request.headers['if-none-match'] ?? ''
  return known.trim() === '*' || known.split(',').some((tag) => plain(tag) === plain(etag))
}

/**
 * Gives whole answers that may be kept an entity tag and answers 304 to who has them. The tag is weak, since it is that
 * of the content before compression. Streams bring their own.
 */
export function installEntityTags(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || reply.statusCode !== 200 || reply.hasHeader('etag')) return payload
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    const control = String(reply.getHeader('cache-control') ?? 'no-store')
    if (control.includes('no-store')) return payload
    const etag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`
    reply.header('etag', etag)
    if (!isKnown(request, etag)) return payload
    notModified(reply)
    return null
  })
}

/** Makes an answer one without content that says: what you have is right. */
export function notModified(reply: FastifyReply): FastifyReply {
  return reply
    .code(304)
    .removeHeader('content-type')
    .removeHeader('content-length')
    .removeHeader('content-encoding')
}
