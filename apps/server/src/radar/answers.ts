import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { CLASS_NO_DATA, type ClassBundleHeader, type LatLng } from '@radx/contracts'
import {
  Accumulation,
  classBlockLength,
  cumulClass,
  encodeClassBundleHeader,
  representativeness,
} from '@radx/rainfall'
import type { Span } from '../store/frame-index.ts'
import type { AnswerContext, AnswerKind } from '../threads/answers.ts'
import { iso } from './instant.ts'
import { pixelAnswer } from './pixel-answer.ts'
import { productOf } from './requests.ts'

interface ProductSpan {
  /** Short name of the product. */
  p: string
  span: Span
}

/** Series of a pixel over a long period, as the JSON that is sent. */
export const pixelSeriesAnswer: AnswerKind<ProductSpan & { point: LatLng }, { body: Uint8Array }> = {
  name: 'pixel',
  async run({ store }, { p, span, point }) {
    const series = await pixelAnswer(store, productOf(store, { p }), point, span)
    return { body: new TextEncoder().encode(JSON.stringify(series)) }
  },
}

const toGzip = promisify(gzip)

/** The accumulation of a period as a bundle of one frame of legend rows. */
export const accumulationAnswer: AnswerKind<ProductSpan & { gzip: boolean }, { body: Uint8Array }> = {
  name: 'accumulation',
  async run(context, { p, span, gzip: packed }) {
    const bundle = await accumulationBundle(context, p, span)
    return { body: packed ? await toGzip(bundle) : bundle }
  },
}

async function accumulationBundle({ store }: AnswerContext, p: string, span: Span): Promise<Buffer> {
  const product = productOf(store, { p })
  const places = await store.index.places(product, span)
  const time = representativeness(
    places.map(({ timeMs }) => timeMs),
    span,
    product.frameSeconds,
  )
  const sum = new Accumulation(product.steps ** 2)
  let k = 0
  for await (const codes of store.index.codes(product, places)) {
    if (codes === null) sum.addDry(time.seconds[k])
    else if (time.seconds[k] > 0) sum.add(codes, time.seconds[k])
    k++
  }
  const block = new Uint8Array(classBlockLength(product.steps))
  let maxMm: number | null = null
  for (const [i, depth] of sum.result().depthMm.entries()) {
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
  return Buffer.concat([encodeClassBundleHeader(header), block])
}
