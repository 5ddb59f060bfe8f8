import { MADE_PRODUCTS_MAX, type Reprocessing, type SitePolarimetry } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { findMadeProduct, type StoredMadeProduct } from '../store/made-products.ts'
import type { Store } from '../store/open-store.ts'
import { removeMadeProduct } from '../store/remove-made-product.ts'
import { NameExists, TooManyProducts, UnderWay, UnknownSource } from './errors.ts'

/** A command that has given no sign of life for so long was ended: what it left goes. */
const SILENT_MS = 10 * 60_000

/** What is to be made, and by whom. */
export interface Making extends Reprocessing {
  /** All of them: those of the site, changed by what was asked for. */
  settings: SitePolarimetry
  madeBy: string
  /** null on the command line. */
  jobId: string | null
}

/** Who has a product under way. */
type Holder = { jobId: string | null }

/** Whether that is an earlier try of the same job; a command has no other tries. */
const isHeldBy = (holder: Holder | null, { jobId }: Pick<Making, 'jobId'>): boolean =>
  jobId !== null && holder?.jobId === jobId

/** @throws NameExists, UnderWay, TooManyProducts, UnknownSource: what refuses it before anything is done */
export async function checkMaking(
  store: Store,
  making: Pick<Making, 'name' | 'replace' | 'source' | 'jobId'>,
): Promise<void> {
  const { db } = store.context
  const { products } = store.catalog
  if (!products.has(making.source)) throw new UnknownSource(making.source, [...products.keys()])
  const { found, holder } = await lookUp(db, making.name)
  if (found && isHeldBy(holder, making)) return
  const isReady = found?.isReady === true
  if (found && !isReady && holder) throw new UnderWay(making.name)
  // Volumes of what goes cannot be read.
  if ((isReady && !making.replace) || making.name === making.source)
    throw new NameExists(making.name, found !== undefined)
  if (found) return
  if (await isTaken(db, making.name)) throw new NameExists(making.name, false)
  const { count } = await db
    .selectFrom('radar_made_product')
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= MADE_PRODUCTS_MAX) throw new TooManyProducts()
}

/**
 * Writes down that a product is being made, so that nobody else makes it. What stands in its place goes first; what an
 * earlier try of the same job made stays and is gone on with.
 * @throws what `checkMaking` throws
 */
export async function beginMaking(store: Store, making: Making): Promise<StoredMadeProduct> {
  const { db } = store.context
  await checkMaking(store, making)
  const { found, holder } = await lookUp(db, making.name)
  if (found && isHeldBy(holder, making)) return found
  if (found) await removeMadeProduct(store, found)
  await insert(store, making)
  return (await findMadeProduct(db, making.name))!
}

async function insert(store: Store, making: Making): Promise<void> {
  const { name, source, longName, start, end, parameters, settings, madeBy, jobId } = making
  const of = store.catalog.products.get(source)!
  await store.context.db.transaction().execute(async (tx) => {
    // Two that begin at the same moment: the second one finds the first one's row.
    await sql`lock table radar_made_product in share row exclusive mode`.execute(tx)
    if (await isTaken(tx, name)) throw new UnderWay(name)
    const { id } = await tx
      .insertInto('radar_product')
      .values({ short_name: name, bounds: JSON.stringify(of.bounds) as never, steps: of.steps })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('radar_made_product')
      .values({
        product_id: id,
        source,
        long_name: longName ?? `${of.longName} (${name})`,
        frame_seconds: of.frameSeconds,
        start_time: new Date(start),
        end_time: new Date(end),
        parameters: JSON.stringify(parameters) as never,
        settings: JSON.stringify(settings) as never,
        job_id: jobId,
        made_by: madeBy,
      })
      .execute()
  })
}

/** Whether a product of any kind has that name. */
async function isTaken(db: Kysely<Database>, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('radar_product')
    .select('id')
    .where('short_name', '=', name)
    .executeTakeFirst()
  return row !== undefined
}

async function lookUp(
  db: Kysely<Database>,
  name: string,
): Promise<{ found?: StoredMadeProduct; holder: Holder | null }> {
  const found = await findMadeProduct(db, name)
  return { found, holder: found ? await holderOf(db, found) : null }
}

async function holderOf(db: Kysely<Database>, { id }: StoredMadeProduct): Promise<Holder | null> {
  const { rows } = await sql<{ job: string | null }>`
    select job_id as job from radar_made_product m where product_id = ${id} and (${IS_HELD})`.execute(db)
  return rows.length > 0 ? { jobId: rows[0].job } : null
}

/** Whether somebody makes a product just now. */
export const isHeld = async ({ context }: Store, product: StoredMadeProduct): Promise<boolean> =>
  (await holderOf(context.db, product)) !== null

/** Whether somebody makes the product `m`: an open job, or a command that was heard of. */
const IS_HELD = sql`case when m.job_id is null
  then m.touched_at > now() - ${SILENT_MS} * interval '1 millisecond'
  else exists (select from job where job.id = m.job_id and job.status in ('pending', 'running')) end`

/** Takes away what was begun and that nobody makes any more. @returns their names */
export async function sweepUnfinished(store: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select p.short_name as name from radar_made_product m join radar_product p on p.id = m.product_id
    where not m.ready and not (${IS_HELD})`.execute(store.context.db)
  for (const { name } of rows) {
    const found = await findMadeProduct(store.context.db, name)
    if (found) await removeMadeProduct(store, found)
  }
  return rows.map(({ name }) => name)
}
