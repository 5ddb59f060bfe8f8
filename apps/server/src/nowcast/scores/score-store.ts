import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { NowcastScoreTable } from '../kept/schema.ts'
import type { MomentSums } from './score-frame.ts'

export type StoredScore = Pick<
  Selectable<NowcastScoreTable>,
  'lead_min' | 'forecast' | 'persistence' | 'chances' | 'time'
>

/** What forecasts were worth, by the frame that came and the lead. */
export class ScoreStore {
  private readonly db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.db = db
  }

  /** Sums of the forecasts made for a frame, in place of those that were there. */
  async save(
    { id }: Pick<StoredProduct, 'id'>,
    timeMs: number,
    scores: readonly ({ leadMin: number } & MomentSums)[],
  ): Promise<void> {
    const time = new Date(timeMs)
    await this.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('nowcast_score').where('product_id', '=', id).where('time', '=', time).execute()
      if (scores.length === 0) return
      await tx
        .insertInto('nowcast_score')
        .values(
          scores.map(({ leadMin, forecast, persistence, chances }) => ({
            product_id: id,
            time,
            lead_min: leadMin,
            forecast,
            persistence,
            chances,
          })),
        )
        .execute()
    })
  }

  /** Sums of frames in [start, end), in order of time and lead. */
  between(
    { id }: Pick<StoredProduct, 'id'>,
    { startMs, endMs }: { startMs: number; endMs: number },
  ): Promise<StoredScore[]> {
    return this.db
      .selectFrom('nowcast_score')
      .select(['time', 'lead_min', 'forecast', 'persistence', 'chances'])
      .where('product_id', '=', id)
      .where('time', '>=', new Date(startMs))
      .where('time', '<', new Date(endMs))
      .orderBy('time')
      .orderBy('lead_min')
      .execute()
  }
}
