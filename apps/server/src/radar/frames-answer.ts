import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CLASS_BUNDLE_TYPE, type ClassBundleHeader } from '@radx/contracts'
import { classBlockLength, encodeClassBundleHeader } from '@radx/rainfall'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from '../http/accept-encoding.ts'
import { bundleBody, type ClassSegment } from '../store/class-segments.ts'

/** Frames of a product as they are stored, class block by class block. */
export interface FrameBundle {
  header: ClassBundleHeader
  segments: AsyncIterable<ClassSegment>
}

/** Sends the class bundle of frames: stored bytes, streamed as they are. */
export function sendFrames(
  request: FastifyRequest,
  reply: FastifyReply,
  { header, segments }: FrameBundle,
): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  const body = Readable.from(
    bundleBody(
      encodeClassBundleHeader(header),
      segments,
      classBlockLength(header.steps),
      encoding === 'zstd' ? 'zstd' : 'gzip',
    ),
    { objectMode: false },
  )
  reply.type(CLASS_BUNDLE_TYPE).header('vary', 'accept-encoding')
  if (encoding !== 'identity') return reply.header('content-encoding', encoding).send(body)
  const plain = createGunzip()
  body.on('error', (error) => plain.destroy(error))
  return reply.header('content-encoding', 'identity').send(body.pipe(plain))
}
