import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { readMrrProInWorker } from '@radx/formats/mrrpro/worker'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { FRAME_LOCK } from '../store/commit-frames.ts'
import { soundOriginal } from '../store/file-store.ts'
import { StoreCorruptError } from '../store/frame-codec.ts'
import type { Store } from '../store/open-store.ts'
import type { Verifier } from '../store/verify.ts'
import { decodeChunk, encodeChunk, KEPT, type MrrChunk } from './chunk-codec.ts'
import { binMaxima, byHour } from './profiles.ts'
import { checked, MRR_LOCK, type MrrChunkTable, packEnd, packOf, raiseMaxima } from './queries.ts'

export interface MrrRebuildReport {
  chunks: number
  /** Chunks whose bytes were damaged and came back from the archived file. */
  repaired: number
  /** Chunks whose bytes are damaged and whose archived file is gone. */
  lost: number
}

/**
 * Reads every chunk of profiles, takes damaged ones again from their archived files, and makes the maxima
 * anew. Safe beside a running server.
 */
export async function rebuildProfiles({ context, frames, files }: Store): Promise<MrrRebuildReport> {
  const report: MrrRebuildReport = { chunks: 0, repaired: 0, lost: 0 }
  const bins = new Map<number, number>()
  const rain = new Map<number, number>()
  await context.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${FRAME_LOCK}::int, ${MRR_LOCK}::int)`.execute(tx)
    const rows = await tx.selectFrom('mrr_chunk').selectAll().orderBy('id').execute()
    for (const row of rows) {
      const chunk = (await readChunk(frames, row)) ?? (await repair(tx, { frames, files }, row))
      if (chunk === null) {
        report.lost++
        continue
      }
      report.chunks++
      if (chunk.repaired) report.repaired++
      const maxima = binMaxima(chunk)
      raise(bins, maxima.all)
      raise(rain, maxima.rain)
    }
    // What a lost chunk once said of its day stays.
    if (report.lost > 0 || bins.size === 0) return
    await tx.deleteFrom('mrr_bin').execute()
    await tx.deleteFrom('mrr_day').execute()
    const all = [...bins]
    for (let k = 0; k < all.length; k += 5_000)
      await raiseMaxima(tx, partOf(all.slice(k, k + 5_000), rain), context.timeZone)
  })
  return report
}

function raise(all: Map<number, number>, some: Map<number, number>): void {
  for (const [bin, max] of some) all.set(bin, Math.max(all.get(bin) ?? 0, max))
}

/** Some bins, and what is known of the rain in them. */
const partOf = (bins: [number, number][], rain: Map<number, number>) => ({
  bins: new Map(bins),
  rain: new Map(bins.flatMap(([bin]) => (rain.has(bin) ? [[bin, rain.get(bin)!]] : []))),
})

/** Reads every chunk of profiles; with repair, damaged ones are taken again from their archived files. */
export async function verifyProfiles({ context, frames, files }: Store, verifier: Verifier): Promise<void> {
  const rows = await context.db.selectFrom('mrr_chunk').selectAll().orderBy('id').execute()
  for (const row of rows) {
    const chunk = await readChunk(frames, row)
    await verifier.read(1, row.pack_length)
    if (chunk !== null) {
      if (row.pack_check === null) await sealChunk(context.db, frames, row, verifier)
      continue
    }
    const repaired = verifier.repair
      ? await context.db.transaction().execute(async (tx) => {
          await sql`select pg_advisory_xact_lock(${FRAME_LOCK}::int, ${MRR_LOCK}::int)`.execute(tx)
          return repair(tx, { frames, files }, row)
        })
      : null
    if (repaired) verifier.report.repaired++
    else verifier.damage(`profils du micro radar, heure ${row.hour.toISOString()}`)
  }
}

/** Writes down the checksum of a chunk from before there were some. */
async function sealChunk(db: Kysely<Database>, frames: Store['frames'], row: ChunkRow, { report }: Verifier) {
  const [bytes] = await frames.read(packOf(row.hour.getTime()), [
    { offset: row.pack_offset, length: row.pack_length },
  ])
  await db
    .updateTable('mrr_chunk')
    .set({ pack_check: crc32(bytes) >>> 0 })
    .where('id', '=', row.id)
    .execute()
  report.sealed++
}

type ChunkRow = Pick<MrrChunkTable, 'hour' | 'pack_offset' | 'pack_length' | 'pack_check' | 'source'> & {
  id: number
}
type Read = MrrChunk & { repaired: boolean }

async function readChunk(frames: Store['frames'], row: ChunkRow): Promise<Read | null> {
  try {
    const ref = { offset: row.pack_offset, length: row.pack_length }
    const [bytes] = await frames.read(packOf(row.hour.getTime()), [ref])
    return { ...decodeChunk(checked(row, bytes)), repaired: false }
  } catch (error) {
    if (!(error instanceof StoreCorruptError)) throw error
    return null
  }
}

async function repair(
  tx: Kysely<Database>,
  { frames, files }: Pick<Store, 'frames' | 'files'>,
  row: ChunkRow,
): Promise<Read | null> {
  const source = await tx
    .selectFrom('source_file')
    .select('archive_path')
    .where('hash', '=', row.source)
    .executeTakeFirstOrThrow()
  const path =
    source.archive_path === null ? null : await soundOriginal(files, source.archive_path, row.source)
  if (path === null) return null
  const hourMs = row.hour.getTime()
  const profiles = await readMrrProInWorker(await readFile(path), { only: KEPT })
  const found = byHour(profiles).find((hour) => hour.hourMs === hourMs)
  if (!found) return null
  const bytes = encodeChunk(found.chunk)
  const [ref] = await frames.append(packOf(hourMs), await packEnd(tx, hourMs), [bytes], true)
  await tx
    .updateTable('mrr_chunk')
    .set({ pack_offset: ref.offset, pack_length: ref.length, pack_check: crc32(bytes) >>> 0 })
    .where('id', '=', row.id)
    .execute()
  return { ...found.chunk, repaired: true }
}
