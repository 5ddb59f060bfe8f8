import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { removeJob } from '../jobs/api.ts'
import type { FileStore } from '../store/file-store.ts'

/** Results are kept for so long; what they were worth stays. */
export const KEPT_MS = 48 * 3_600_000
/** States are large, and forecasts of up to an hour are held against what was there when they were made. */
const STATE_MS = 80 * 60_000

/** Removes what is over: members once they are put together, states after an hour, results after two days. */
export async function pruneCycles(db: Kysely<Database>, files: FileStore, nowMs: number): Promise<void> {
  const drop = (ids: readonly (string | null)[]) =>
    Promise.all(ids.map((id) => (id === null ? false : removeJob(db, files, undefined, id))))
  const over = await db
    .selectFrom('flood_cycle')
    .select(['id', 'catchment_id', 'member_jobs', 'state_job', 'result_job', 'issued', 'status'])
    .where('status', 'in', ['done', 'failed'])
    .where((e) =>
      e.or([
        e('issued', '<', new Date(nowMs - KEPT_MS)),
        e(e.fn<number>('cardinality', ['member_jobs']), '>', 0),
        e.and([e('state_job', 'is not', null), e('issued', '<', new Date(nowMs - STATE_MS))]),
      ]),
    )
    .limit(200)
    .execute()
  for (const cycle of over) {
    const { id, issued } = cycle
    const ageMs = nowMs - issued.getTime()
    await drop(cycle.member_jobs)
    const isLast = await isNewestState(db, cycle.catchment_id, issued)
    // The next cycle goes on from the last state, however old that is.
    const dropsState = cycle.state_job !== null && ageMs > STATE_MS && !isLast
    if (dropsState) await drop([cycle.state_job])
    if (ageMs > KEPT_MS && !isLast) {
      await drop([cycle.result_job])
      await db.deleteFrom('flood_cycle').where('id', '=', id).execute()
      continue
    }
    await db
      .updateTable('flood_cycle')
      .set({ member_jobs: [], ...(dropsState && { state_job: null }) })
      .where('id', '=', id)
      .execute()
  }
}

async function isNewestState(db: Kysely<Database>, catchmentId: string, issued: Date): Promise<boolean> {
  const newer = await db
    .selectFrom('flood_cycle')
    .select('id')
    .where('catchment_id', '=', catchmentId)
    .where('status', '=', 'done')
    .where('issued', '>', issued)
    .limit(1)
    .executeTakeFirst()
  return newer === undefined
}
