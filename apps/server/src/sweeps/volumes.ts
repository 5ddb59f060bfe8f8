import { createHash } from 'node:crypto'
import type { Site, SitePolarimetry } from '@radx/contracts'
import { RADAR_VOLUME_ID, type RadarVolumeEntry } from '@radx/contracts/radar-volumes'
import { isoSeconds } from '@radx/locale/time'
import type { MeltingLayer } from '@radx/polarimetry/melting'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { NotFound } from '../http/errors.ts'
import type { Session } from '../http/sessions.ts'
import { radarOfSite } from '../ingest/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Store } from '../store/open-store.ts'
import { volumeOriginals } from '../store/volume-parts.ts'

const SECOND_MS = 1000

/** Raised when what is worked out of a volume changes: what was kept of before is made anew. */
const VERSION = 2

/** A volume whose files are kept. */
export interface KeptVolume {
  id: string
  product: string
  timeMs: number
  originals: { hash: string; archivePath: string }[]
  /** Those of its product, where that was made by others than the site's. */
  settings: SitePolarimetry
  /** Where snow melts, as other instruments knew it when its frame was made. */
  melting: MeltingLayer | null
  /** Names what is worked out of it: other files or other settings make another one. */
  key: string
}

/** What an id says: of which product, and when. The moment is what the account's dates are held against. */
export function momentOf(id: string): { product: string; timeMs: number } {
  const [, product, compact] = RADAR_VOLUME_ID.exec(id) ?? []
  const [date, time] = (compact ?? '').split('T')
  const iso = `${date?.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time?.replace(/(..)(..)(..)Z/, '$1:$2:$3Z')}`
  const timeMs = Date.parse(iso)
  if (product === undefined || Number.isNaN(timeMs)) throw new NotFound('Ce volume n’existe pas.')
  return { product, timeMs }
}

export const volumeId = (product: string, timeMs: number): string =>
  `${product}-${isoSeconds(timeMs).replace(/[-:]/g, '')}`

/** The volume of an id. @throws NotFound when there is none, or none any more */
export async function findVolume(store: Store, site: Site, id: string): Promise<KeptVolume> {
  const { product, timeMs } = momentOf(id)
  const stored = store.catalog.products.get(product)
  const span = { startMs: timeMs, endMs: timeMs + SECOND_MS }
  const [found] = stored ? await volumeOriginals(store.context.db, stored, span) : []
  if (!found) throw new NotFound('Ce volume n’existe pas, ou ses fichiers ne sont plus gardés.')
  const originals = found.originals.map(({ hash, archivePath }) => ({
    hash: hash.toString('hex'),
    archivePath,
  }))
  const settings = stored?.made?.settings ?? site.polarimetry
  const { melting } = found
  const made = [VERSION, originals.map(({ hash }) => hash), radarOfSite(site), settings, melting]
  const key = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 32)
  return { id, product, timeMs: found.timeMs, originals, settings, melting, key }
}

/** Volumes of all products, newest first, of which an account may see the dates. */
export async function listVolumes(
  db: Kysely<Database>,
  products: Iterable<StoredProduct>,
  page: ListRequest,
): Promise<RadarVolumeEntry[]> {
  const found = await Promise.all(Array.from(products, (product) => volumesOf(db, product, page)))
  return found
    .flat()
    .sort((a, b) => b.datetime.localeCompare(a.datetime))
    .slice(0, page.limit)
}

interface ListRequest {
  dates: Session['restriction']
  /** They begin before this. */
  beforeMs: number | null
  limit: number
}

async function volumesOf(
  db: Kysely<Database>,
  product: StoredProduct,
  { dates, beforeMs, limit }: ListRequest,
): Promise<RadarVolumeEntry[]> {
  let query = db
    .selectFrom('radar_quality')
    .innerJoin('radar_frame', (join) =>
      join
        .onRef('radar_frame.product_id', '=', 'radar_quality.product_id')
        .onRef('radar_frame.time', '=', 'radar_quality.time'),
    )
    .innerJoin('source_file', 'source_file.hash', 'radar_frame.source')
    .select(['radar_quality.time', 'radar_quality.mean'])
    .where('radar_quality.product_id', '=', product.id)
    .where('source_file.archive_path', 'is not', null)
    .orderBy('radar_quality.time', 'desc')
    .limit(limit)
  if (dates?.start) query = query.where('radar_quality.time', '>=', dates.start)
  if (dates?.end) query = query.where('radar_quality.time', '<', dates.end)
  if (beforeMs !== null) query = query.where('radar_quality.time', '<', new Date(beforeMs))
  const rows = await query.execute()
  return rows.map(({ time, mean }) => ({
    id: volumeId(product.shortName, time.getTime()),
    product: product.shortName,
    datetime: isoSeconds(time.getTime()),
    quality: mean,
  }))
}
