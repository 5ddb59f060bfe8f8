import type { PixelResponse } from '@radx/contracts'
import { cellBounds, cellCentre, cellOf, cumulate, representativeness } from '@radx/rainfall'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import { movedTime } from '../store/moved/moved-rain.ts'
import type { Store } from '../store/open-store.ts'
import { iso } from './instant.ts'

/**
 * Series and running accumulation of the cell over a place; outside the product there is none.
 * @throws StoreCorruptError
 */
export async function pixelAnswer(
  store: Store,
  product: StoredProduct,
  point: { lat: number; lng: number },
  span: Span,
): Promise<PixelResponse> {
  const cell = cellOf(product, point)
  if (cell === null) return { radarPixel: null, radarData: [], cumulMm: [], missingSeconds: 0, moved: null }
  const { row, col } = cell
  const values = await store.pixels.read(product, row, col, span)
  const time = representativeness(
    values.map(({ timeMs }) => timeMs),
    span,
    product.frameSeconds,
  )
  const { runningMm, missingSeconds } = cumulate(
    values.map(({ rateMmH }) => rateMmH),
    time,
  )
  const moved = await store.moved.pixel(product, row, col, span, values)
  const movedSum =
    moved &&
    cumulate(
      moved,
      movedTime(
        product,
        values.map(({ timeMs }) => timeMs),
        span,
      ),
    )
  return {
    radarPixel: { row, col, bounds: cellBounds(product, row, col), center: cellCentre(product, row, col) },
    radarData: values.map(({ timeMs, rateMmH }) => ({ datetime: iso(timeMs), value: rateMmH })),
    cumulMm: runningMm,
    missingSeconds,
    moved: movedSum && { cumulMm: movedSum.runningMm, missingSeconds: movedSum.missingSeconds },
  }
}
