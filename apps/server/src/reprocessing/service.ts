import {
  type MadeProduct,
  type Reprocessing,
  type ReprocessingParameters,
  type Site,
  type SitePolarimetry,
  sitePolarimetrySchema,
} from '@radx/contracts'
import { isoSeconds } from '@radx/locale/time'
import { sql } from 'kysely'
import { NotFound } from '../http/errors.ts'
import { findMadeProduct, type StoredMadeProduct } from '../store/made-products.ts'
import type { Store } from '../store/open-store.ts'

/** Settings of the site, changed by what was asked for: what the live chain would take them for. */
export const settingsOf = (site: Site, parameters: ReprocessingParameters): SitePolarimetry =>
  sitePolarimetrySchema.parse({ ...site.polarimetry, ...parameters })

/** Those of the site that a reprocessing may change. */
export function parametersOf(site: Site): ReprocessingParameters {
  const { moments, waitSeconds, ...parameters } = site.polarimetry
  return parameters
}

/** Whole or under way, the newest first. */
export async function listMadeProducts({ context: { db } }: Store): Promise<MadeProduct[]> {
  const rows = await db
    .selectFrom('radar_made_product')
    .innerJoin('radar_product', 'radar_product.id', 'radar_made_product.product_id')
    .selectAll('radar_made_product')
    .select([
      'short_name',
      sql<number>`(select count(*)::int from radar_frame f where f.product_id = radar_product.id)`.as(
        'frames',
      ),
    ])
    .orderBy('made_at', 'desc')
    .execute()
  return rows.map((row) => ({
    shortName: row.short_name,
    longName: row.long_name,
    source: row.source,
    start: isoSeconds(row.start_time.getTime()),
    end: isoSeconds(row.end_time.getTime()),
    parameters: row.parameters,
    ready: row.ready,
    jobId: row.job_id,
    madeBy: row.made_by,
    madeAt: isoSeconds(row.made_at.getTime()),
    frames: row.frames,
  }))
}

/** A made product by its name. @throws NotFound */
export async function madeProductNamed({ context: { db } }: Store, name: string): Promise<StoredMadeProduct> {
  const found = await findMadeProduct(db, name)
  if (!found) throw new NotFound(`Il n’y a pas de produit retraité « ${name} ».`)
  return found
}

/** What a job or a command is told to make. */
export const makingOf = (site: Site, asked: Reprocessing, madeBy: string) => ({
  ...asked,
  settings: settingsOf(site, asked.parameters),
  madeBy,
})
