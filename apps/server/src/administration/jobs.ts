import type { AdminJobs } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { isCancelled } from '../jobs/api.ts'

const SHOWN = 200

/** Work under way and waiting in the order of its turn, then what failed last. */
export async function jobsForManagers(db: Kysely<Database>): Promise<AdminJobs> {
  const counts = await db
    .selectFrom('job')
    .select((e) => ['status', e.fn.countAll<string>().as('count')])
    .groupBy('status')
    .execute()
  const count = (wanted: string) => Number(counts.find(({ status }) => status === wanted)?.count ?? 0)
  const rows = await db
    .selectFrom('job')
    .selectAll()
    .where('status', '!=', 'done')
    .orderBy(sql`array_position(array['running', 'pending', 'error'], status)`)
    .orderBy(sql`case when status = 'error' then - extract(epoch from finished_at) end`)
    .orderBy('created_at')
    .limit(SHOWN)
    .execute()
  return {
    waiting: count('pending'),
    running: count('running'),
    failed: count('error'),
    done: count('done'),
    jobs: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      username: row.username,
      title: titleOf(row.input),
      status: row.status,
      cancelled: isCancelled(row),
      progress: row.progress_max > 0 ? row.progress_value / row.progress_max : 0,
      message: row.progress_msg,
      error: row.error,
      attempts: row.attempt,
      createdAt: row.created_at.toISOString(),
      startedAt: row.started_at?.toISOString() ?? null,
      finishedAt: row.finished_at?.toISOString() ?? null,
    })),
  }
}

function titleOf(input: unknown): string | null {
  const title = (input as { title?: unknown } | null)?.title
  return typeof title === 'string' && title !== '' ? title.slice(0, 200) : null
}
