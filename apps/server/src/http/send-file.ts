import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { RadxError } from '@radx/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Bytes of a file, the last one included. */
interface Part {
  start: number
  end: number
}

/**
 * What a `Range` header asks of a file (RFC 9110, section 14): one range of bytes, null for the whole file, which also
 * answers several ranges and what is no range; `outside` for one that begins behind its end.
 */
export function partOf(header: string | undefined, size: number): Part | null | 'outside' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || (first === '' && last === '')) return null
  if (first === '') {
    const tail = Math.min(size, Number(last))
    return tail === 0 ? 'outside' : { start: size - tail, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'outside' : { start, end: last === '' ? size - 1 : Math.min(size - 1, Number(last)) }
}

/** Whether a call asks for a part of a file as it was when it got the tag. */
export function asksForPart(request: FastifyRequest, tag: string): boolean {
  const condition = request.headers['if-range']
  return request.headers.range !== undefined && (condition === undefined || condition === tag)
}

/**
 * Sends a file that never changes, or the part of it that is asked for.
 * @param tag its strong entity tag, with quotes
 * @throws RadxError 416 for a part that begins behind its end
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  tag: string,
): Promise<FastifyReply> {
  const { size } = await stat(path)
  reply.headers({ 'accept-ranges': 'bytes', etag: tag })
  const part = asksForPart(request, tag) ? partOf(request.headers.range, size) : null
  if (part === 'outside') {
    reply.header('content-range', `bytes */${size}`)
    throw new RadxError('request.range', 416, `Le fichier n’a que ${size} octets.`)
  }
  if (part === null) return reply.header('content-length', size).send(createReadStream(path))
  const { start, end } = part
  return reply
    .code(206)
    .headers({ 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 })
    .send(createReadStream(path, { start, end }))
}
