import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from './catalog.ts'
import type { PreparedFrame } from './prepared-frame.ts'
import type { RebuildOptions } from './rebuild.ts'

/** A frame read again from its archived file; null when that cannot be done. */
export async function recovered(
  recover: RebuildOptions['recover'],
  tx: Transaction<Database>,
  product: StoredProduct,
  timeMs: number,
): Promise<PreparedFrame | null> {
  const source = await tx
    .selectFrom('radar_frame')
    .innerJoin('source_file', 'source_file.hash', 'radar_frame.source')
    .select(['source_file.hash', 'source_file.archive_path', 'source_file.kind', 'source_file.name'])
    .where('radar_frame.product_id', '=', product.id)
    .where('time', '=', new Date(timeMs))
    .executeTakeFirstOrThrow()
  if (source.archive_path === null) return null
  const { hash, archive_path: archivePath, kind, name } = source
  const frame = await recover({ hash, archivePath, kind, name, product: product.shortName })
  return frame?.timeMs === timeMs ? frame : null
}
