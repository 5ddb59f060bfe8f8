import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from './catalog.ts'
import { StoreCorruptError } from './frame-codec.ts'
import type { Span } from './frame-index.ts'
import {
  damagedQualities,
  type QualityPlace,
  qualityPlaces,
  readQuality,
  replaceQuality,
} from './frame-quality.ts'
import type { Store } from './open-store.ts'
import { prepareQuality } from './prepared-frame.ts'
import type { RebuildOptions } from './rebuild.ts'
import { recovered } from './recovered.ts'
import { zoneWeights } from './zone-weights.ts'

/**
 * Makes the means of qualities anew from their planes, inside the transaction of a rebuild. A plane that is damaged is
 * made again from the archived file of its frame.
 */
export async function rebuildQualities(
  { store, recover }: RebuildOptions,
  tx: Transaction<Database>,
  product: StoredProduct,
  span: Span,
): Promise<{ repaired: number; lost: number }> {
  const done = { repaired: 0, lost: 0 }
  const places = await qualityPlaces(tx, product, span)
  if (places.length === 0) return done
  const zones = zoneWeights(product, store.catalog.zones)
  const damaged = new Set(await damagedQualities(store.frames, product, places))
  for (const place of places) {
    const { timeMs } = place
    const bytes = await planeOf(store, product, place)
    const quality = bytes
      ? prepareQuality(bytes, zones)
      : (await recovered(recover, tx, product, timeMs))?.quality
    if (!quality) done.lost++
    else if (damaged.has(place)) {
      await replaceQuality(tx, store.frames, product, timeMs, quality)
      done.repaired++
    } else
      await tx
        .updateTable('radar_quality')
        .set({ mean: quality.mean, zone_mean: quality.zones })
        .where('product_id', '=', product.id)
        .where('time', '=', new Date(timeMs))
        .execute()
  }
  return done
}

/** null for a plane that is damaged. */
async function planeOf(
  store: Store,
  product: StoredProduct,
  place: QualityPlace,
): Promise<Uint8Array | null> {
  try {
    return await readQuality(store.frames, product, place)
  } catch (error) {
    if (error instanceof StoreCorruptError) return null
    throw error
  }
}
