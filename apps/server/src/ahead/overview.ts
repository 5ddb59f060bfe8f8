import type { AheadOverview } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Deps } from '../http/app.ts'
import { type Reader, seenBy, valuesOf } from '../http/catchment-rights.ts'
import { NotFound } from '../http/errors.ts'
import { KeptForecasts, widestFirst } from '../nowcast/api.ts'
import type { Store } from '../store/open-store.ts'
import type { Cycles } from './cycles.ts'
import { headOf } from './results.ts'

/** Radar down after so long without an image. */
const DOWN_MS = 15 * 60_000

export async function summaryOf(db: Kysely<Database>, id: string) {
  const row = await db
    .selectFrom('catchment')
    .select('summary')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new NotFound(`Le bassin « ${id} » n’existe pas.`)
  return row.summary
}

/** Every catchment that somebody sees, whether it is forecast, and how far that is. */
export async function overview(
  deps: Deps,
  store: Store,
  cycles: Cycles,
  reader: Reader,
): Promise<AheadOverview> {
  const now = deps.clock.now()
  const rows = await deps.db
    .selectFrom('catchment')
    .leftJoin('flood_live', 'flood_live.catchment_id', 'catchment.id')
    .select(['catchment.id', 'summary', 'enabled'])
    .where('catchment.deleted_at', 'is', null)
    .where(seenBy(valuesOf(reader), sql`catchment.id`))
    .orderBy('catchment.id')
    .execute()
  const { newestMs, nowcastMs } = await newestOf(deps, store, now)
  const catchments = await Promise.all(
    rows.map(async ({ id, summary, enabled }) => {
      const newest = await cycles.newestDone(id)
      const last = await cycles.newest(id)
      const current = await cycles.open(id)
      const isOn = enabled === true
      return {
        id,
        display: summary.display,
        enabled: isOn,
        newest: newest ? headOf(newest) : null,
        current: current ? headOf(current) : null,
        failed: last?.status === 'failed' ? headOf(last) : null,
        wait: isOn
          ? waitOf(now, newestMs, nowcastMs, newest?.issued.getTime() ?? null, current !== undefined)
          : null,
        newestFrame: newestMs === null ? null : new Date(newestMs).toISOString(),
      }
    }),
  )
  return { now: new Date(now).toISOString(), catchments }
}

/** The newest frame, and forecast of rain, of the widest product that came of late; else of the widest that ever came. */
async function newestOf({ db }: Deps, store: Store, now: number) {
  const kept = new KeptForecasts(db, store.frames)
  let newestMs: number | null = null
  for (const product of widestFirst(store)) {
    const frameMs = await store.index.latest(product)
    newestMs ??= frameMs
    if (frameMs !== null && frameMs >= now - DOWN_MS)
      return { newestMs: frameMs, nowcastMs: await kept.newest(product, now - DOWN_MS) }
  }
  return { newestMs, nowcastMs: null }
}

type Wait = AheadOverview['catchments'][number]['wait']

/** Why the newest frame has no forecast of floods yet; null when it has. */
function waitOf(
  now: number,
  frameMs: number | null,
  nowcastMs: number | null,
  cycleMs: number | null,
  isComputing: boolean,
): Wait {
  if (frameMs === null) return 'first-frame'
  if (frameMs < now - DOWN_MS) return 'no-frame'
  if (isComputing) return 'computing'
  if (cycleMs !== null && nowcastMs !== null && cycleMs >= nowcastMs) return null
  if (nowcastMs === null) return 'no-nowcast'
  return cycleMs === null ? 'starting' : 'computing'
}
