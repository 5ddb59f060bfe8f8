import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { CLASS_BUNDLE_TYPE, CLASS_NO_DATA, type ClassBundleHeader } from '@radx/contracts'
import { classBlockLength, cumulClass, encodeClassBundleHeader, representativeness } from '@radx/rainfall'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from '../http/accept-encoding.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { bundleBody } from '../store/class-segments.ts'
import type { Span } from '../store/frame-index.ts'
import type { FramePlace } from '../store/frame-reader.ts'
import type { Store } from '../store/open-store.ts'
import { iso } from './instant.ts'

/** Sends the class bundle of frames: stored bytes, streamed as they are. */
export function sendFrames(
  request: FastifyRequest,
  reply: FastifyReply,
  store: Store,
  product: StoredProduct,
  places: FramePlace[],
): FastifyReply {
  const header = encodeClassBundleHeader({
    product: product.shortName,
    steps: product.steps,
    times: places.map(({ timeMs }) => iso(timeMs)),
  })
  const encoding = encodingFor(request.headers['accept-encoding'])
  const segments = store.index.classSegments(product, places)
  const body = Readable.from(
    bundleBody(header, segments, classBlockLength(product.steps), encoding === 'zstd' ? 'zstd' : 'gzip'),
    { objectMode: false },
  )
  reply.type(CLASS_BUNDLE_TYPE).header('vary', 'accept-encoding')
  if (encoding !== 'identity') return reply.header('content-encoding', encoding).send(body)
  const plain = createGunzip()
  body.on('error', (error) => plain.destroy(error))
  return reply.header('content-encoding', 'identity').send(body.pipe(plain))
}

/** Sends the accumulation of a period as a bundle of one frame of legend rows. */
export async function sendAccumulation(
  request: FastifyRequest,
  reply: FastifyReply,
  store: Store,
  product: StoredProduct,
  span: Span,
): Promise<FastifyReply> {
  const places = await store.index.places(product, span)
  const time = representativeness(
    places.map(({ timeMs }) => timeMs),
    span,
    product.frameSeconds,
  )
  const { depthMm } = await store.threads.accumulate(product, places, time.seconds)
  const block = new Uint8Array(classBlockLength(product.steps))
  let maxMm: number | null = null
  for (const [i, depth] of depthMm.entries()) {
    const row = cumulClass(depth)
    block[i >> 1] |= (row < 0 ? CLASS_NO_DATA : row) << (i % 2 === 0 ? 4 : 0)
    if (depth > (maxMm ?? -1)) maxMm = depth
  }
  const header: ClassBundleHeader = {
    product: product.shortName,
    steps: product.steps,
    times: [iso(span.endMs)],
    accumulation: {
      start: iso(span.startMs),
      end: iso(span.endMs),
      maxMm,
      missingSeconds: time.missingSeconds,
    },
  }
  const body = Buffer.concat([encodeClassBundleHeader(header), block])
  reply.type(CLASS_BUNDLE_TYPE).header('vary', 'accept-encoding').header('cache-control', 'private, no-cache')
  if (encodingFor(request.headers['accept-encoding']) === 'identity')
    return reply.header('content-encoding', 'identity').send(body)
  return reply.header('content-encoding', 'gzip').send(Readable.from([body]).pipe(createGzip()))
}
