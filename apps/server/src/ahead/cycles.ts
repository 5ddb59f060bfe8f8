import type { Kysely, Selectable, Updateable } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { CycleTable } from './tables.ts'

export type Cycle = Selectable<CycleTable>
export const OPEN = ['state', 'members', 'gather'] as const

/** Rows of cycles. */
export class Cycles {
  private readonly db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.db = db
  }

  /** Catchments whose forecast is switched on, and whether only the demonstration did it. */
  enabled() {
    return this.db
      .selectFrom('flood_live')
      .innerJoin('catchment', 'catchment.id', 'flood_live.catchment_id')
      .select(['catchment.id', 'catchment.hash', 'catchment.summary', 'by_demo'])
      .where('enabled', '=', true)
      .where('catchment.deleted_at', 'is', null)
      .orderBy('catchment.id')
      .execute()
  }

  /** The cycle under way. */
  open(catchmentId: string): Promise<Cycle | undefined> {
    return this.of(catchmentId).where('status', 'in', OPEN).orderBy('issued', 'desc').executeTakeFirst()
  }

  /** Cycles under way of catchments that are forecast no more. */
  stopped(): Promise<Cycle[]> {
    return this.db
      .selectFrom('flood_cycle')
      .selectAll()
      .where('status', 'in', OPEN)
      .where('catchment_id', 'not in', (q) =>
        q.selectFrom('flood_live').select('flood_live.catchment_id').where('enabled', '=', true),
      )
      .execute()
  }

  newest(catchmentId: string): Promise<Cycle | undefined> {
    return this.of(catchmentId).orderBy('issued', 'desc').executeTakeFirst()
  }

  newestDone(catchmentId: string): Promise<Cycle | undefined> {
    return this.of(catchmentId).where('status', '=', 'done').orderBy('issued', 'desc').executeTakeFirst()
  }

  /** The newest one whose state was made: what failed after that lost its forecast, not its town. */
  newestState(catchmentId: string): Promise<Cycle | undefined> {
    return this.of(catchmentId)
      .where((e) =>
        e.or([e('status', '=', 'done'), e.and([e('status', '=', 'failed'), e('state_job', 'is not', null)])]),
      )
      .orderBy('issued', 'desc')
      .executeTakeFirst()
  }

  at(catchmentId: string, issued: Date): Promise<Cycle | undefined> {
    return this.of(catchmentId).where('issued', '=', issued).executeTakeFirst()
  }

  /** The newest finished one at or before a moment. */
  before(catchmentId: string, at: Date): Promise<Cycle | undefined> {
    return this.of(catchmentId)
      .where('status', '=', 'done')
      .where('issued', '<=', at)
      .orderBy('issued', 'desc')
      .executeTakeFirst()
  }

  /** Newest first, those of [from, to). */
  between(catchmentId: string, from: Date, to: Date, limit: number): Promise<Cycle[]> {
    return this.of(catchmentId)
      .where('issued', '>=', from)
      .where('issued', '<', to)
      .orderBy('issued', 'desc')
      .limit(limit)
      .execute()
  }

  /** Finished ones issued in [from, to), oldest first. */
  done(catchmentId: string, from: Date, to: Date): Promise<Cycle[]> {
    return this.of(catchmentId)
      .where('status', '=', 'done')
      .where('issued', '>=', from)
      .where('issued', '<', to)
      .orderBy('issued')
      .execute()
  }

  /** When forecasts of [from, to) were finished, and the last one before. */
  async finished(catchmentId: string, from: Date, to: Date): Promise<Date[]> {
    const last = this.of(catchmentId).where('status', '=', 'done').where('finished_at', 'is not', null)
    const [before, within] = await Promise.all([
      last.where('finished_at', '<', from).orderBy('finished_at', 'desc').limit(1).execute(),
      last.where('finished_at', '>=', from).where('finished_at', '<', to).orderBy('finished_at').execute(),
    ])
    return [...before, ...within].map(({ finished_at }) => finished_at!)
  }

  /** @returns undefined when that frame has one already */
  begin(
    values: Pick<
      Cycle,
      'catchment_id' | 'issued' | 'epoch' | 'catchment_hash' | 'status' | 'skipped' | 'last_wet'
    > &
      Partial<Pick<Cycle, 'dry' | 'finished_at' | 'missing_share' | 'began_at'>> & { about?: string },
  ): Promise<Cycle | undefined> {
    return this.db
      .insertInto('flood_cycle')
      .values(values)
      .onConflict((c) => c.columns(['catchment_id', 'issued']).doNothing())
      .returningAll()
      .executeTakeFirst()
  }

  async set(id: string, values: Updateable<CycleTable>): Promise<void> {
    await this.db.updateTable('flood_cycle').set(values).where('id', '=', id).execute()
  }

  private of(catchmentId: string) {
    return this.db.selectFrom('flood_cycle').selectAll().where('catchment_id', '=', catchmentId)
  }
}
