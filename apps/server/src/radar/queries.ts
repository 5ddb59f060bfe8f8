import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { RadarDayTable } from '../store/schema.ts'

const daysOf = (db: Kysely<Database>, product: StoredProduct) =>
  db.selectFrom('radar_day').where('product_id', '=', product.id).where('best', 'is not', null)

/** Civil months that have data, `YYYY-MM`, in order. */
export async function monthsWithData(db: Kysely<Database>, product: StoredProduct): Promise<string[]> {
  const rows = await daysOf(db, product)
    .select(sql<string>`to_char(day, 'YYYY-MM')`.as('month'))
    .distinct()
    .orderBy('month')
    .execute()
  return rows.map(({ month }) => month)
}

/** Civil days from `first` to `last`, `YYYY-MM-DD`, that have data, in order. */
export const daysWithData = (
  db: Kysely<Database>,
  product: StoredProduct,
  first: string,
  last: string,
): Promise<Selectable<RadarDayTable>[]> =>
  daysOf(db, product).selectAll().where('day', '>=', first).where('day', '<=', last).orderBy('day').execute()
