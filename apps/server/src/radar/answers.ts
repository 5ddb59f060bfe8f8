import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import {
  CLASS_NO_DATA,
  type ClassBundleHeader,
  CUMUL_DRY,
  type LatLng,
  type RainMethod,
} from '@radx/contracts'
import { classBlockLength, cumulClass, encodeClassBundleHeader } from '@radx/rainfall'
import { productOf } from '../http/rain-requests.ts'
import type { Span } from '../store/frame-index.ts'
import { totalsOf } from '../store/moved/totals.ts'
import type { AnswerContext, AnswerKind } from '../threads/answers.ts'
import { iso } from './instant.ts'
import { pixelAnswer } from './pixel-answer.ts'

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
export const accumulationAnswer: AnswerKind<
  ProductSpan & { method: RainMethod; gzip: boolean },
  { body: Uint8Array }
> = {
  name: 'accumulation',
  async run(context, { p, span, method, gzip: packed }) {
    const bundle = await accumulationBundle(context, p, span, method)
    return { body: packed ? await toGzip(bundle) : bundle }
  },
}

async function accumulationBundle(
  { store }: AnswerContext,
  p: string,
  span: Span,
  wanted: RainMethod,
): Promise<Buffer> {
  const product = productOf(store, { p })
  const { depthMm, missingSeconds, method } = await totalsOf(store, product, span, wanted)
  const block = new Uint8Array(classBlockLength(product.steps))
  let maxMm: number | null = null
  // A pair for each cell would keep the garbage collector busy.
  for (let i = 0; i < depthMm.length; i++) {
    const depth = depthMm[i]
    const row = depth === 0 ? CUMUL_DRY : cumulClass(depth)
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
      missingSeconds,
      method,
    },
  }
  return Buffer.concat([encodeClassBundleHeader(header), block])
}
