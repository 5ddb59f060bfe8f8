import type { RainMethod, SavedEvent } from '@radx/contracts'
import { type Generated, type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { after as isAfter, micros, type Place } from '../http/page.ts'
import { isOutsideDates, type Session } from '../http/sessions.ts'

interface SavedEventTable {
  id: Generated<string>
  username: string
  title: string
  product: string
  period_start: Date
  period_end: Date
  catchment: string | null
  subcatchment: string | null
  cumul_mm: number | null
  cumul_method: RainMethod | null
  cumul_frames: number | null
  comment: string
  created_at: Generated<Date>
  version: Generated<number>
}
declare module '../db/schema.ts' {
  interface Database {
    saved_event: SavedEventTable
  }
}
export type Row = Selectable<SavedEventTable>
export type Cumul = Pick<Row, 'cumul_mm' | 'cumul_method' | 'cumul_frames'>
export type NewEvent = Insertable<SavedEventTable>

/** An event as its owner may see it: the cumul is of the period, and so held against the account's dates. */
export const toSavedEvent = (row: Row, dates: Session['restriction']): SavedEvent => ({
  _id: row.id,
  title: row.title,
  product: row.product,
  selectionDates: { start: row.period_start.toISOString(), end: row.period_end.toISOString() },
  catchment: { catchment: row.catchment, subcatchment: row.subcatchment },
  ...cumulOf(row, dates),
  comment: row.comment,
  createdAt: row.created_at.toISOString(),
  version: row.version,
})

function cumulOf(
  row: Row,
  dates: Session['restriction'],
): Pick<SavedEvent, 'cumul' | 'cumulMethod' | 'cumulWithheld'> {
  if (row.catchment === null) return {}
  if (isOutsideDates(dates, row.period_start, row.period_end)) return { cumul: null, cumulWithheld: true }
  const told = row.cumul_mm !== null && row.cumul_method !== null
  return { cumul: row.cumul_mm, ...(told && { cumulMethod: row.cumul_method! }) }
}

/** Events of a user, newest first; up to `limit + 1` after a place. */
export function listEvents(
  db: Kysely<Database>,
  username: string,
  after: Place | null,
  limit: number,
): Promise<(Row & Place)[]> {
  let query = db
    .selectFrom('saved_event')
    .selectAll()
    .select(micros.as('micros'))
    .where('username', '=', username)
  if (after) query = query.where(isAfter(after))
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export function findEvent(db: Kysely<Database>, username: string, id: string): Promise<Row | undefined> {
  return db
    .selectFrom('saved_event')
    .selectAll()
    .where('id', '=', id)
    .where('username', '=', username)
    .executeTakeFirst()
}

export async function countEvents(db: Kysely<Database>, username: string): Promise<number> {
  const { count } = await db
    .selectFrom('saved_event')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function insertEvent(db: Kysely<Database>, event: NewEvent): Promise<Row> {
  return db.insertInto('saved_event').values(event).returningAll().executeTakeFirstOrThrow()
}

/** Keeps a cumul that was made again; the event stays in the state that its owner edits. */
export async function keepCumul(db: Kysely<Database>, { id, version }: Row, cumul: Cumul): Promise<void> {
  await db.updateTable('saved_event').set(cumul).where('id', '=', id).where('version', '=', version).execute()
}

/** @returns undefined when the event is gone, or no longer in the state `version` */
export function updateEvent(
  db: Kysely<Database>,
  id: string,
  event: NewEvent,
  version: number | undefined,
): Promise<Row | undefined> {
  let update = db
    .updateTable('saved_event')
    .set({ ...event, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .where('username', '=', event.username)
  if (version !== undefined) update = update.where('version', '=', version)
  return update.returningAll().executeTakeFirst()
}

export async function deleteEvent(db: Kysely<Database>, username: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_event')
    .where('id', '=', id)
    .where('username', '=', username)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
