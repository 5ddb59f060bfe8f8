import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CLASS_BUNDLE_TYPE, type ClassBundleHeader } from '@radx/contracts'
import { classBlockLength, encodeClassBundleHeader } from '@radx/rainfall'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from '../http/accept-encoding.ts'
import { isKnown, notModified, vary } from '../http/caching.ts'
import { bundleBody, type ClassSegment } from '../store/class-segments.ts'

/** Frames of a product as they are stored, class block by class block. */
export interface FrameBundle {
  header: ClassBundleHeader
  /** Names the content: `bundleVersion` of its frames. */
  version: string
  segments: AsyncGenerator<ClassSegment>
}

/** Sends the class bundle of frames: stored bytes, streamed as they are. */
export async function sendFrames(
  request: FastifyRequest,
  reply: FastifyReply,
  { header, version, segments: stored }: FrameBundle,
): Promise<FastifyReply> {
  const etag = `W/"${header.product}-${version}"`
  vary(reply, 'accept-encoding')
  reply.header('etag', etag)
  if (isKnown(request, etag)) return notModified(reply).send()
  const encoding = encodingFor(request.headers['accept-encoding'])
  // The first ones are looked at before the answer begins: then damage has a status of its own.
  const segments = await begun(stored)
  const body = Readable.from(
    bundleBody(
      encodeClassBundleHeader(header),
      segments,
      classBlockLength(header.steps),
      encoding === 'zstd' ? 'zstd' : 'gzip',
    ),
    { objectMode: false },
  )
  reply.type(CLASS_BUNDLE_TYPE)
  if (encoding !== 'identity') return reply.header('content-encoding', encoding).send(body)
  const plain = createGunzip()
  body.on('error', (error) => plain.destroy(error))
  return reply.header('content-encoding', 'identity').send(body.pipe(plain))
}

/** A sequence whose first item is there already. @throws what making it throws */
async function begun<T>(items: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await items.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* items
  })()
}
