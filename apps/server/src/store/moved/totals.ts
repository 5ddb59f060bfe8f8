import type { RainMethod } from '@radx/contracts'
import { Accumulation, representativeness } from '@radx/rainfall'
import type { StoredProduct } from '../catalog.ts'
import type { Span } from '../frame-index.ts'
import type { Store } from '../open-store.ts'
import { movedTime } from './moved-rain.ts'
import { addStill } from './still-sums.ts'

/** Depth of every cell over a period. */
export interface Totals {
  /** mm, `[row * steps + col]`, NaN without data. */
  depthMm: Float32Array
  /** Seconds of the period that no frame stands for. */
  missingSeconds: number
  /** What was done: `raw` also where the rain has not been followed yet. */
  method: RainMethod
}

export async function totalsOf(
  store: Pick<Store, 'index' | 'moved'>,
  product: StoredProduct,
  span: Span,
  wanted: RainMethod,
): Promise<Totals> {
  const places = await store.index.places(product, span)
  const times = places.map(({ timeMs }) => timeMs)
  const method = wanted === 'moved' && (await store.moved.isReady(product, span)) ? 'moved' : 'raw'
  const time =
    method === 'moved'
      ? movedTime(product, times, span)
      : representativeness(times, span, product.frameSeconds)
  const sum = new Accumulation(product.steps ** 2)
  const frames = places.map((place, k) => ({ place, seconds: time.seconds[k] }))
  await (method === 'moved'
    ? store.moved.addTo(sum, product, frames)
    : addStill(store.index, product, frames, sum))
  return { depthMm: sum.result().depthMm, missingSeconds: time.missingSeconds, method }
}
