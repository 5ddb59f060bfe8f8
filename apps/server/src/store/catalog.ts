import { createHash } from 'node:crypto'
import { RadxError, type Site, type SiteProduct } from '@radx/contracts'
import type { AreaGeometry } from '@radx/rainfall'
import { type Kysely, sql } from 'kysely'
import type { Catchment, Catchments } from '../config/catchments.ts'
import type { Database } from '../db/schema.ts'
import { type MadeFrom, readyProducts } from './made-products.ts'

/** A product as the database numbers it. */
export interface StoredProduct extends SiteProduct {
  id: number
  /** Of a product that was made of kept volumes: it has no live window. */
  made?: MadeFrom
}

/** A catchment or sub-catchment; `ordinal` is its place, from 1, in the zone_ arrays of the database. */
export interface StoredZone {
  ordinal: number
  key: string
  /** null for a zone that the site no longer has; its place stays taken. */
  geometry: AreaGeometry | null
}

/** What the database calls the products and catchments of the site. */
export interface Catalog {
  products: Map<string, StoredProduct>
  /** By ordinal, without holes. */
  zones: StoredZone[]
  ordinalOf(key: string): number | undefined
  /** Zones whose outline is not the one that the stored frames were averaged over: rebuild. */
  changedZones: string[]
}

/** A product of the site has another grid than its stored frames. */
export class GridChangedError extends RadxError {
  override readonly name = 'GridChangedError'
  constructor(product: string) {
    super(
      'store.gridChanged',
      500,
      `La grille du produit « ${product} » n'est plus celle des images déjà enregistrées. Donnez un autre nom au produit dans site.json, ou un autre DATA_DIR (et une autre base) à ce site.`,
      { details: { product } },
    )
  }
}

/** A product of the site has the name of one that was made of kept volumes. */
export class NameTakenError extends RadxError {
  override readonly name = 'NameTakenError'
  constructor(product: string) {
    super(
      'store.nameTaken',
      500,
      `Le nom « ${product} » est déjà celui d'un produit retraité. Donnez un autre nom au produit dans site.json, ou supprimez le produit retraité avec le site.json d'avant (radx reprocess remove ${product}).`,
      { details: { product } },
    )
  }
}

const geometryOf = ({ polygons }: Catchment): AreaGeometry => ({
  type: 'MultiPolygon',
  coordinates: polygons,
})

export const outlineHash = (catchment: Catchment) =>
  createHash('sha256').update(JSON.stringify(catchment.polygons)).digest('hex')

/**
 * Registers the site's products and catchments and answers their numbers. Safe to run in several
 * processes at once.
 * @throws GridChangedError when a product with frames has another grid now, NameTakenError
 */
export async function openCatalog(
  db: Kysely<Database>,
  site: Site,
  catchments: Catchments,
): Promise<Catalog> {
  const products = new Map<string, StoredProduct>()
  await refuseTakenNames(db, site)
  for (const product of site.products) {
    await db
      .insertInto('radar_product')
      .values({
        short_name: product.shortName,
        bounds: JSON.stringify(product.bounds) as never,
        steps: product.steps,
      })
      .onConflict((c) => c.column('short_name').doNothing())
      .execute()
    const row = await db
      .selectFrom('radar_product')
      .selectAll()
      .where('short_name', '=', product.shortName)
      .executeTakeFirstOrThrow()
    if (!sameGrid(row, product)) {
      const used = await db
        .selectFrom('radar_frame')
        .select('time')
        .where('product_id', '=', row.id)
        .limit(1)
        .executeTakeFirst()
      if (used) throw new GridChangedError(product.shortName)
      await db
        .updateTable('radar_product')
        .set({ bounds: JSON.stringify(product.bounds) as never, steps: product.steps })
        .where('id', '=', row.id)
        .execute()
    }
    products.set(product.shortName, { ...product, id: row.id })
  }
  for (const product of await readyProducts(db)) products.set(product.shortName, product)
  const { zones, changedZones } = await openZones(db, catchments)
  const ordinals = new Map(zones.filter((z) => z.geometry !== null).map((z) => [z.key, z.ordinal]))
  return { products, zones, ordinalOf: (key) => ordinals.get(key), changedZones }
}

async function refuseTakenNames(db: Kysely<Database>, { products }: Site): Promise<void> {
  const taken = await db
    .selectFrom('radar_made_product')
    .innerJoin('radar_product', 'radar_product.id', 'radar_made_product.product_id')
    .select('short_name')
    .where(
      'short_name',
      'in',
      products.map(({ shortName }) => shortName),
    )
    .executeTakeFirst()
  if (taken) throw new NameTakenError(taken.short_name)
}

function sameGrid(row: { bounds: SiteProduct['bounds']; steps: number }, product: SiteProduct): boolean {
  const { ul, lr } = product.bounds
  const b = row.bounds
  return (
    row.steps === product.steps &&
    b.ul.lat === ul.lat &&
    b.ul.lng === ul.lng &&
    b.lr.lat === lr.lat &&
    b.lr.lng === lr.lng
  )
}

async function openZones(db: Kysely<Database>, catchments: Catchments) {
  return db.transaction().execute(async (tx) => {
    // Servers may start at the same moment; rows that are not there yet cannot be locked.
    await sql`lock table radar_zone in share row exclusive mode`.execute(tx)
    const known = new Map(
      (await tx.selectFrom('radar_zone').selectAll().orderBy('ordinal').execute()).map((z) => [z.key, z]),
    )
    let next = known.size
    for (const catchment of catchments.all) {
      if (known.has(catchment.key)) continue
      const zone = { ordinal: ++next, key: catchment.key, outline_hash: outlineHash(catchment) }
      await tx.insertInto('radar_zone').values(zone).execute()
      known.set(zone.key, zone)
    }
    const byOrdinal = [...known.values()].sort((a, b) => a.ordinal - b.ordinal)
    const zones: StoredZone[] = byOrdinal.map(({ key, ordinal }) => {
      const catchment = catchments.get(key)
      return { ordinal, key, geometry: catchment ? geometryOf(catchment) : null }
    })
    const changedZones = byOrdinal
      .filter(({ key, outline_hash }) => {
        const catchment = catchments.get(key)
        return catchment && outlineHash(catchment) !== outline_hash
      })
      .map(({ key }) => key)
    return { zones, changedZones }
  })
}
