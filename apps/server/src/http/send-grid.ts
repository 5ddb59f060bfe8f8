import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from './accept-encoding.ts'

const toGzip = promisify(gzip)
const toZstd = promisify(zstdCompress)
/** Little is gained by more, and the reader waits. */
const GZIP = { level: 3 }
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Sends the numbers of a grid as their bytes, in the best encoding that the reader takes. */
export async function sendGrid(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  grid: Uint8Array | Uint16Array,
): Promise<FastifyReply> {
  const bytes = Buffer.from(grid.buffer, grid.byteOffset, grid.byteLength)
  const encoding = encodingFor(headers['accept-encoding'])
  reply
    .type('application/octet-stream')
    .header('vary', 'accept-encoding')
    .header('content-encoding', encoding)
  if (encoding === 'identity') return reply.send(bytes)
  return reply.send(await (encoding === 'zstd' ? toZstd(bytes, ZSTD) : toGzip(bytes, GZIP)))
}
