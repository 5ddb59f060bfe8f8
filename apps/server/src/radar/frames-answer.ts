import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CLASS_BUNDLE_TYPE } from '@radx/contracts'
import { classBlockLength, encodeClassBundleHeader } from '@radx/rainfall'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from '../http/accept-encoding.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { bundleBody } from '../store/class-segments.ts'
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
