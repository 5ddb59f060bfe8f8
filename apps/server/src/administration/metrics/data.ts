import { readdir } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { newestReading } from '../../gauges/api.ts'
import { ingestFolders } from '../../ingest/api.ts'

type Db = Kysely<Database>

/** Newest of each source, UTC seconds. */
export interface Newest {
  source: string
  seconds: number
  /** From the instant of the newest frame to the arrival of its file, s; null where that is not known. */
  delay: number | null
}

/** Instants of the newest data of each source that has any: frames by product, station, micro rain radar, gauges, forecasts. */
export async function newestData(db: Db): Promise<Newest[]> {
  const { rows } = await sql<Newest>`
    select p.short_name as source, extract(epoch from f.time)::float8 as seconds,
      extract(epoch from s.received_at - f.time)::float8 as delay
    from radar_product p
    join lateral (select time, source from radar_frame where product_id = p.id order by time desc limit 1) f on true
    left join source_file s on s.hash = f.source
    union all
    select 'station', extract(epoch from max(time))::float8, null from station_reading having max(time) is not null
    union all
    select 'mrr', extract(epoch from max(last_time))::float8, null from mrr_chunk having max(last_time) is not null
    union all
    select 'forecast', extract(epoch from max(issued))::float8, null from nowcast having max(issued) is not null
    order by 1`.execute(db)
  const gauges = await newestReading(db)
  return gauges === null ? rows : [...rows, { source: 'gauge', seconds: gauges / 1000, delay: null }]
}

/** Jobs by kind and state, and how long the oldest that waits has waited, s. */
export async function jobCounts(
  db: Db,
  now: Date,
): Promise<{ jobs: { kind: string; status: string; count: number }[]; oldestWaitS: number }> {
  const { rows } = await sql<{ kind: string; status: string; count: number; oldest: Date | null }>`
    select kind, status, count(*)::int as count,
      min(created_at) filter (where status = 'pending') as oldest
    from job group by kind, status order by kind, status`.execute(db)
  const oldest = rows.flatMap(({ oldest }) => (oldest === null ? [] : [oldest.getTime()]))
  const oldestWaitS = oldest.length === 0 ? 0 : Math.max(0, (now.getTime() - Math.min(...oldest)) / 1000)
  return { jobs: rows, oldestWaitS }
}

/** The newest flood forecast of each catchment that has any: of which frame, how long it took, s, and whether it came. */
export async function newestCycles(
  db: Db,
): Promise<{ catchment: string; issued: number | null; seconds: number | null; failed: number }[]> {
  const { rows } = await sql<{
    catchment: string
    issued: number | null
    seconds: number | null
    failed: number
  }>`
    select catchment_id as catchment,
      extract(epoch from max(issued) filter (where status = 'done'))::float8 as issued,
      (array_agg(extract(epoch from finished_at - began_at)::float8 order by issued desc)
        filter (where status = 'done'))[1] as seconds,
      count(*) filter (where status = 'failed')::int as failed
    from flood_cycle group by catchment_id order by 1`.execute(db)
  return rows
}

/** Files that wait in the inbox and files that were put aside. */
export async function folderCounts(dataDir: string): Promise<{ inbox: number; rejected: number }> {
  const { inbox, rejected } = ingestFolders(dataDir)
  const names = (folder: string) => readdir(folder).catch(() => [] as string[])
  const [waiting, refused] = await Promise.all([names(inbox), names(rejected)])
  const isReason = (name: string) => name.endsWith('.reason.txt')
  return {
    inbox: waiting.filter((name) => !name.startsWith('.')).length,
    rejected: refused.filter((name) => !isReason(name)).length,
  }
}
