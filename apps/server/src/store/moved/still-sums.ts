import type { Accumulation } from '@radx/rainfall'
import type { StoredProduct } from '../catalog.ts'
import type { FrameIndex } from '../frame-index.ts'
import type { FramePlace } from '../frame-reader.ts'

/**
 * Adds frames as they are to totals. Frames without rain are those of a few blanks: each of these is added once, for the
 * time of all of its frames.
 * @throws StoreCorruptError
 */
export async function addStill(
  index: FrameIndex,
  product: StoredProduct,
  frames: readonly { place: FramePlace; seconds: number }[],
  sum: Accumulation,
): Promise<void> {
  const blanks = new Map<number, { place: FramePlace; seconds: number }>()
  const wet: { place: FramePlace; seconds: number }[] = []
  for (const { place, seconds } of frames) {
    if (place.blankId === null) {
      wet.push({ place, seconds })
      continue
    }
    const known = blanks.get(place.blankId)
    if (known) known.seconds += seconds
    else blanks.set(place.blankId, { place, seconds })
  }
  const once = [...wet, ...blanks.values()]
  const room = new Uint16Array(product.steps ** 2)
  const places = once.map(({ place }) => place)
  let k = 0
  for await (const codes of index.codes(product, places, room)) {
    const { seconds } = once[k++]
    if (codes === null) sum.addDry(seconds)
    else if (seconds > 0) sum.add(codes, seconds)
  }
}
