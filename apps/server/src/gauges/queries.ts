import type { Gauge, GaugeFlag, LatLng } from '@radx/contracts'
import { isoSeconds } from '@radx/locale/time'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Span } from '../store/frame-index.ts'
import type { GaugeFlagTable, GaugeOwnTable } from './tables.ts'

type Db = Kysely<Database>

const toGauge = ({ id, name, lat, lng, measure }: Selectable<GaugeOwnTable>): Gauge => ({
  id,
  name,
  owner: 'user',
  position: { lat, lng },
  measure,
})

/** Gauges of an account by name. */
export async function ownGauges(db: Db, username: string): Promise<Gauge[]> {
  const rows = await db
    .selectFrom('gauge_own')
    .selectAll()
    .where('username', '=', username)
    .orderBy('name')
    .execute()
  return rows.map(toGauge)
}

/** The newest gauges of any account, for what is looked at for nobody. */
export async function newestGauges(db: Db, count: number): Promise<Gauge[]> {
  const rows = await db
    .selectFrom('gauge_own')
    .selectAll()
    .orderBy('created_at', 'desc')
    .limit(count)
    .execute()
  return rows.map(toGauge)
}

/** How many gauges and readings an account keeps. */
export async function ownCount(db: Db, username: string): Promise<{ gauges: number; readings: number }> {
  const { rows } = await sql<{ gauges: number; readings: number }>`
    select count(*)::int as gauges, coalesce(sum(readings), 0)::int as readings
    from gauge_own where username = ${username}`.execute(db)
  return rows[0]
}

export interface NewGauge {
  username: string
  name: string
  position: LatLng
  measure: Gauge['measure']
  readings: number
}

/** The gauge of that name, made when there is none; null when one of that name stands elsewhere. */
export async function ownGauge(
  tx: Db,
  { username, name, position, measure, readings }: NewGauge,
): Promise<Gauge | null> {
  const row = await tx
    .insertInto('gauge_own')
    .values({ username, name, lat: position.lat, lng: position.lng, measure, readings })
    .onConflict((c) =>
      c
        .columns(['username', 'name'])
        .doUpdateSet((e) => ({ readings: sql<number>`gauge_own.readings + ${e.ref('excluded.readings')}` })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  const near = Math.abs(row.lat - position.lat) < 0.01 && Math.abs(row.lng - position.lng) < 0.01
  return near ? toGauge(row) : null
}

/** Removes a gauge of an account with its readings. @returns false when there is none */
export async function removeOwn(db: Db, username: string, id: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('gauge_own')
      .where('id', '=', id)
      .where('username', '=', username)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await tx.deleteFrom('gauge_day').where('gauge', '=', id).execute()
    await tx.deleteFrom('gauge_corrected').where('gauge', '=', id).execute()
    await tx.deleteFrom('gauge_flag').where('gauge', '=', id).execute()
    return true
  })
}

const toFlag = (row: Selectable<GaugeFlagTable>): GaugeFlag => ({
  id: row.id,
  gauge: row.gauge,
  start: isoSeconds(row.start_at.getTime()),
  end: isoSeconds(row.end_at.getTime()),
  kind: row.kind,
  reason: row.reason,
  author: row.author,
  setAt: isoSeconds(row.set_at.getTime()),
  removedBy: row.removed_by,
  removedAt: row.removed_at && isoSeconds(row.removed_at.getTime()),
})

/** Flags of gauges that touch a span, those taken back included, oldest first. */
export async function flagsOf(
  db: Db,
  gauges: readonly string[],
  { startMs, endMs }: Span,
): Promise<GaugeFlag[]> {
  if (gauges.length === 0) return []
  const rows = await db
    .selectFrom('gauge_flag')
    .selectAll()
    .where('gauge', 'in', [...gauges])
    .where('start_at', '<', new Date(endMs))
    .where('end_at', '>', new Date(startMs))
    .orderBy('set_at')
    .orderBy('id')
    .execute()
  return rows.map(toFlag)
}

export async function insertFlag(
  db: Db,
  flag: Pick<GaugeFlag, 'gauge' | 'kind' | 'reason' | 'author'> & { span: Span },
): Promise<GaugeFlag> {
  const { gauge, kind, reason, author, span } = flag
  const row = await db
    .insertInto('gauge_flag')
    .values({
      gauge,
      kind,
      reason,
      author,
      start_at: new Date(span.startMs),
      end_at: new Date(span.endMs),
      removed_by: null,
      removed_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toFlag(row)
}

export async function countFlags(db: Db, gauge: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from gauge_flag where gauge = ${gauge}`.execute(db)
  return rows[0].n
}

/** The period that a flag is about; null when there is no such flag. */
export async function flagSpan(db: Db, id: string): Promise<Span | null> {
  const row = await db
    .selectFrom('gauge_flag')
    .select(['start_at', 'end_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? { startMs: row.start_at.getTime(), endMs: row.end_at.getTime() } : null
}

/** Takes a flag back; it stays on record. @returns false when there is none, or it was taken back before */
export async function removeFlag(db: Db, id: string, by: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('gauge_flag')
    .set({ removed_by: by, removed_at: at })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
