import { encodeQualityBlock, QUALITY_NO_DATA } from '@radx/rainfall'
import type { StoredProduct } from '../store/catalog.ts'
import { type ClassSegment, toSegment } from '../store/class-segments.ts'
import type { FrameIndex, Span } from '../store/frame-index.ts'
import type { FramePlace } from '../store/frame-reader.ts'

/** Blocks of frames that say nothing of their quality, by steps. */
const unknown = new Map<number, ClassSegment>()

function nothingKnown(steps: number): ClassSegment {
  const found =
    unknown.get(steps) ?? toSegment(encodeQualityBlock(new Uint8Array(steps ** 2).fill(QUALITY_NO_DATA)))
  unknown.set(steps, found)
  return found
}

/** Classes of the quality of frames and their checks, in the order given; frames that say nothing of it have no data. */
export async function qualityClasses(
  index: FrameIndex,
  product: StoredProduct,
  span: Span,
  places: readonly FramePlace[],
): Promise<{ crc32: number[]; segments: AsyncGenerator<ClassSegment> }> {
  const known = await index.qualityPlaces(product, span)
  const none = nothingKnown(product.steps)
  const segments = async function* () {
    for (const { timeMs } of places) {
      const place = known.get(timeMs)
      yield place ? await index.qualitySegment(product, place) : none
    }
  }
  return { crc32: places.map(({ timeMs }) => known.get(timeMs)?.crc ?? none.crc), segments: segments() }
}
