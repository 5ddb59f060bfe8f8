import { sql } from 'kysely'
import { forgetFrames } from './forget-frames.ts'
import type { StoredMadeProduct } from './made-products.ts'
import type { Store } from './open-store.ts'

/** What holds rows of a product beside its frames, in an order in which they may go. */
const TABLES = [
  'gauge_radar',
  'nowcast',
  'nowcast_score',
  'radar_moved_tiles',
  'radar_tiles',
  'radar_day',
  'radar_blank',
  'radar_made_product',
]
const DAY_MS = 86_400_000

/** Takes a made product away with all that came of it. The originals stay with the product whose volumes they are. */
export async function removeMadeProduct(store: Store, product: StoredMadeProduct): Promise<void> {
  const { db } = store.context
  // Nobody finds it any more while it goes.
  await db
    .updateTable('radar_made_product')
    .set({ ready: false })
    .where('product_id', '=', product.id)
    .execute()
  store.catalog.products.delete(product.shortName)
  const newestMs = await store.index.latest(product)
  // From the beginning of a day that none of its files is of.
  if (newestMs !== null) await forgetFrames(store, product, (Math.floor(newestMs / DAY_MS) + 1) * DAY_MS)
  await db.transaction().execute(async (tx) => {
    for (const table of TABLES)
      await sql`delete from ${sql.table(table)} where product_id = ${product.id}`.execute(tx)
    await tx.deleteFrom('radar_product').where('id', '=', product.id).execute()
  })
}
