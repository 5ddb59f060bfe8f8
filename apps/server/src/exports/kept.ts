import type { KeptExport } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { after as isAfter, micros, type Place } from '../http/page.ts'
import { GEOTIFF_JOB, GRID_JOB, geotiffJob, gridJob } from './grid-jobs.ts'

const DAY_MS = 86_400_000
const KINDS = [GEOTIFF_JOB, GRID_JOB] as const

/**
 * Exports of a user, newest first.
 * @param days how long they are kept after they were made; 0 for ever
 * @returns up to `limit + 1` of them after a place, with their own
 */
export async function keptExports(
  db: Kysely<Database>,
  username: string,
  days: number,
  after: Place | null,
  limit: number,
): Promise<(Place & { item: KeptExport })[]> {
  let query = db
    .selectFrom('job')
    .selectAll()
    .select(micros.as('micros'))
    .where('username', '=', username)
    .where('kind', 'in', KINDS)
  if (after) query = query.where(isAfter(after))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map((row) => {
    const kind = row.kind as KeptExport['kind']
    const { start, end } = (kind === GEOTIFF_JOB ? geotiffJob : gridJob).radarPeriod!(row.input as never)!
    const over = row.finished_at !== null && days > 0
    const item: KeptExport = {
      id: row.id,
      kind,
      date: row.created_at.toISOString(),
      status: row.status,
      product: (row.input as { product: string }).product,
      start: start.toISOString(),
      end: end.toISOString(),
      file: row.status === 'done' ? String(row.result) : null,
      bytes: row.output_bytes,
      error: row.error,
      expires: over ? new Date(row.finished_at!.getTime() + days * DAY_MS).toISOString() : null,
    }
    return { id: row.id, micros: row.micros, item }
  })
}
