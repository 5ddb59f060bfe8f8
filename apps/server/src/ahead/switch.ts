import type { Deps } from '../http/app.ts'
import { dropWindow, keepWindow } from '../nowcast/api.ts'

/** The demonstration's catchment. */
const DEMO_CATCHMENT = 'melun'

/** Has a catchment forecast from now on, or no more. @param byDemo the demonstration does it itself */
export async function switchLive(
  { db }: Pick<Deps, 'db'>,
  catchment: { id: string; corners: Record<'sw' | 'se' | 'ne' | 'nw', [number, number]> },
  enabled: boolean,
  byDemo = false,
): Promise<void> {
  const corners = Object.values(catchment.corners)
  const lngs = corners.map(([lng]) => lng)
  const lats = corners.map(([, lat]) => lat)
  await db.transaction().execute(async (trx) => {
    const values = { enabled, changed_at: new Date(), by_demo: byDemo }
    await trx
      .insertInto('flood_live')
      .values({ catchment_id: catchment.id, ...values })
      .onConflict((c) => c.column('catchment_id').doUpdateSet(values))
      .execute()
    if (enabled)
      await keepWindow(trx, catchment.id, {
        ul: { lat: Math.max(...lats), lng: Math.min(...lngs) },
        lr: { lat: Math.min(...lats), lng: Math.max(...lngs) },
      })
    else await dropWindow(trx, catchment.id)
  })
}

/** A catchment that was deleted is forecast no more. */
export async function switchOffDeleted(db: Deps['db']): Promise<void> {
  const gone = await db
    .updateTable('flood_live')
    .set({ enabled: false, changed_at: new Date() })
    .where('enabled', '=', true)
    .where('catchment_id', 'not in', (q) =>
      q.selectFrom('catchment').select('id').where('deleted_at', 'is', null),
    )
    .returning('catchment_id')
    .execute()
  for (const { catchment_id } of gone) await dropWindow(db, catchment_id)
}

const looked = new WeakSet<object>()

/** Once: what a manager chose later stands. */
export async function switchOnDemonstration(deps: Deps): Promise<void> {
  if (looked.has(deps)) return
  if (!deps.config.demoFloods) {
    // What it switched on before goes when that is turned off, or the demonstration.
    const gone = await deps.db
      .deleteFrom('flood_live')
      .where('by_demo', '=', true)
      .returning('catchment_id')
      .execute()
    for (const { catchment_id } of gone) await dropWindow(deps.db, catchment_id)
    looked.add(deps)
    return
  }
  const catchment = await deps.db
    .selectFrom('catchment')
    .select('summary')
    .where('id', '=', DEMO_CATCHMENT)
    .executeTakeFirst()
  if (!catchment) return
  const known = await deps.db
    .selectFrom('flood_live')
    .select('catchment_id')
    .where('catchment_id', '=', DEMO_CATCHMENT)
    .executeTakeFirst()
  if (!known) await switchLive(deps, catchment.summary, true, true)
  looked.add(deps)
}
