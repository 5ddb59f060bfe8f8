import type { MeltingLayer } from '@radx/polarimetry/melting'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from './catalog.ts'
import type { Span } from './frame-index.ts'
import { type KnownFile, type SourceFile, sourceRow } from './source-file.ts'

/** The files of a volume by moment, of which a frame was made. */
export interface VolumeFiles {
  /** What their names have in common. */
  stem: string
  files: { name: string; hash: Uint8Array }[]
}

/** Writes down of which files the frames of a product were made, beside the one that stands for each. */
export async function insertParts(
  tx: Kysely<Database>,
  product: StoredProduct,
  items: readonly { source: SourceFile; volume?: VolumeFiles | null }[],
): Promise<void> {
  const rows = items.flatMap(({ source, volume }) =>
    (volume?.files ?? []).map(({ name, hash }) => ({
      hash: Buffer.from(hash),
      source: source.hash,
      product_id: product.id,
      stem: volume!.stem,
      name,
    })),
  )
  if (rows.length > 0)
    await tx
      .insertInto('radar_volume_part')
      .values(rows)
      .onConflict((c) => c.column('hash').doNothing())
      .execute()
}

/** What is known of a file of a volume whose frame is there. */
export interface KnownVolume {
  /** Instant of the frame, ms. */
  timeMs: number
  /** Whether the frame was made with it. */
  used: boolean
  /** Another file of the same name that the frame was made with. */
  isAnother: boolean
}

/** The frame that was made of the volume that a file belongs to; null while there is none. */
export async function volumeOf(
  db: Kysely<Database>,
  product: StoredProduct,
  { stem, name, hash }: { stem: string; name: string; hash: Uint8Array },
): Promise<KnownVolume | null> {
  const rows = await db
    .selectFrom('radar_volume_part')
    .innerJoin('radar_frame', (join) =>
      join
        .onRef('radar_frame.source', '=', 'radar_volume_part.source')
        .onRef('radar_frame.product_id', '=', 'radar_volume_part.product_id'),
    )
    .select(['radar_volume_part.hash', 'radar_volume_part.name', 'radar_frame.time'])
    .where('radar_volume_part.product_id', '=', product.id)
    .where('radar_volume_part.stem', '=', stem)
    .execute()
  if (rows.length === 0) return null
  const used = rows.find((row) => row.hash.equals(hash))
  return {
    timeMs: (used ?? rows[0]).time.getTime(),
    used: used !== undefined,
    isAnother: !used && rows.some((row) => row.name === name),
  }
}

/**
 * Writes down a file of a volume whose frame stands for another of its files.
 * @returns what is known of it when its content was taken in before
 */
export async function insertPartSource(
  db: Kysely<Database>,
  product: StoredProduct,
  source: SourceFile,
): Promise<KnownFile | null> {
  const made = await db
    .insertInto('source_file')
    .values(sourceRow(source, product.id))
    .onConflict((c) => c.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst()
  if (made) return null
  const known = await db
    .selectFrom('source_file')
    .select('archive_path')
    .where('hash', '=', source.hash)
    .executeTakeFirstOrThrow()
  return { archivePath: known.archive_path }
}

/** Archived files that a frame was made of beside the one that stands for it. */
export async function otherParts(
  db: Kysely<Database>,
  source: Buffer,
): Promise<{ name: string; hash: Buffer; archivePath: string }[]> {
  const rows = await db
    .selectFrom('radar_volume_part')
    .innerJoin('source_file', 'source_file.hash', 'radar_volume_part.hash')
    .select(['radar_volume_part.name', 'radar_volume_part.hash', 'source_file.archive_path'])
    .where('radar_volume_part.source', '=', source)
    .where('radar_volume_part.hash', '!=', source)
    .where('source_file.archive_path', 'is not', null)
    .orderBy('radar_volume_part.name')
    .execute()
  return rows.map(({ name, hash, archive_path }) => ({ name, hash, archivePath: archive_path as string }))
}

/** How the chain of polarimetry made the frame of a file, which came with a quality then; null for another frame. */
export async function chainOf(
  db: Kysely<Database>,
  source: Buffer,
): Promise<{ timeMs: number; melting: MeltingLayer | null } | null> {
  const row = await db
    .selectFrom('radar_frame')
    .innerJoin('radar_quality', (join) =>
      join
        .onRef('radar_quality.product_id', '=', 'radar_frame.product_id')
        .onRef('radar_quality.time', '=', 'radar_frame.time'),
    )
    .select(['radar_frame.time', 'radar_quality.melting'])
    .where('radar_frame.source', '=', source)
    .orderBy('radar_frame.product_id')
    .executeTakeFirst()
  return row ? { timeMs: row.time.getTime(), melting: row.melting } : null
}

/** Archived files of the volumes that the frames of a span were made of by the chain of polarimetry, in time order. */
export async function volumeOriginals(
  db: Kysely<Database>,
  product: StoredProduct,
  { startMs, endMs }: Span,
): Promise<
  { timeMs: number; originals: { hash: Buffer; archivePath: string }[]; melting: MeltingLayer | null }[]
> {
  const rows = await db
    .selectFrom('radar_quality')
    .innerJoin('radar_frame', (join) =>
      join
        .onRef('radar_frame.product_id', '=', 'radar_quality.product_id')
        .onRef('radar_frame.time', '=', 'radar_quality.time'),
    )
    .innerJoin('source_file', 'source_file.hash', 'radar_frame.source')
    .select(['radar_frame.time', 'source_file.hash', 'source_file.archive_path', 'radar_quality.melting'])
    .where('radar_quality.product_id', '=', product.id)
    .where('radar_quality.time', '>=', new Date(startMs))
    .where('radar_quality.time', '<', new Date(endMs))
    .orderBy('radar_frame.time')
    .execute()
  return Promise.all(
    rows.map(async ({ time, hash, archive_path: archivePath, melting }) => ({
      timeMs: time.getTime(),
      melting,
      originals: [...(archivePath === null ? [] : [{ hash, archivePath }]), ...(await otherParts(db, hash))],
    })),
  )
}
