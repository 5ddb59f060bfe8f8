import type { SitePolarimetry } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Catalog, StoredProduct } from './catalog.ts'

/** What a product that was made of kept volumes was made of, and how. */
export interface MadeFrom {
  source: string
  settings: SitePolarimetry
}

/** A made product that is whole, or one that is under way. */
export interface StoredMadeProduct extends StoredProduct {
  made: MadeFrom
  isReady: boolean
}

/** Made products by number: those that are whole, as everybody sees them. */
export function readyProducts(db: Kysely<Database>): Promise<StoredMadeProduct[]> {
  return madeProducts(db, true)
}

/** A made product of that name, whole or under way. */
export async function findMadeProduct(
  db: Kysely<Database>,
  name: string,
): Promise<StoredMadeProduct | undefined> {
  const all = await madeProducts(db, false)
  return all.find(({ shortName }) => shortName === name)
}

async function madeProducts(db: Kysely<Database>, onlyReady: boolean): Promise<StoredMadeProduct[]> {
  let query = db
    .selectFrom('radar_made_product')
    .innerJoin('radar_product', 'radar_product.id', 'radar_made_product.product_id')
    .select([
      'id',
      'short_name',
      'bounds',
      'steps',
      'long_name',
      'frame_seconds',
      'source',
      'settings',
      'ready',
    ])
    .orderBy('id')
  if (onlyReady) query = query.where('ready', '=', true)
  const rows = await query.execute()
  return rows.map(({ id, bounds, steps, source, settings, ready, ...row }) => ({
    ...{ id, bounds, steps, shortName: row.short_name, longName: row.long_name },
    frameSeconds: row.frame_seconds,
    activeStatus: true,
    made: { source, settings },
    isReady: ready,
  }))
}

/** Other processes make and remove products: what is known of them is looked up again after so long, ms. */
const KNOWN_MS = 2_000
const lookedUp = new WeakMap<Catalog, { atMs: number; running: Promise<void> | null }>()

/**
 * Has the catalog know the made products that there are now. Without the database it goes on with those it knew.
 * @param atOnce whether what was looked up a moment ago will not do
 */
export async function refreshMadeProducts(
  catalog: Catalog,
  db: Kysely<Database>,
  atOnce = false,
): Promise<void> {
  const known = lookedUp.get(catalog) ?? { atMs: Number.NEGATIVE_INFINITY, running: null }
  lookedUp.set(catalog, known)
  if (!atOnce && performance.now() - known.atMs < KNOWN_MS) return
  known.running ??= readyProducts(db)
    .then(
      (made) => {
        takeIn(catalog, made)
        known.atMs = performance.now()
      },
      () => undefined,
    )
    .finally(() => {
      known.running = null
    })
  await known.running
}

function takeIn({ products }: Catalog, made: readonly StoredMadeProduct[]): void {
  const names = new Set(made.map(({ shortName }) => shortName))
  for (const [name, product] of products) if (product.made && !names.has(name)) products.delete(name)
  for (const product of made)
    if (products.get(product.shortName)?.id !== product.id) products.set(product.shortName, product)
}
