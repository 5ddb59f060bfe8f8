import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AdminIngest } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { newestReading } from '../gauges/api.ts'
import { ingestFolders } from '../ingest/api.ts'

const DAY_MS = 86_400_000
export const GAP_DAYS = 30
/** So many frames in a row may be late before it counts as a gap. */
const GAP_FRAMES = 3
const GAPS_SHOWN = 500
const REJECTED_SHOWN = 200
const REASON = '.reason.txt'

type Db = Kysely<Database>

/** Last file of each source, how late frames come, where they are missing, and what was refused. */
export async function ingestForManagers(
  db: Db,
  {
    dataDir,
    products,
    now,
  }: { dataDir: string; products: { shortName: string; frameSeconds: number }[]; now: Date },
): Promise<AdminIngest> {
  const [sources, rejected, ...rows] = await Promise.all([
    lastFiles(db),
    rejectedFiles(dataDir),
    ...products.map(async (product) => ({
      product: product.shortName,
      frameSeconds: product.frameSeconds,
      latencySeconds: await latency(db, product.shortName),
      ...(await gaps(db, product, now)),
    })),
  ])
  return {
    at: now.toISOString(),
    days: GAP_DAYS,
    sources,
    products: rows,
    rejected: rejected.slice(0, REJECTED_SHOWN),
    rejectedCount: rejected.length,
  }
}

interface Source {
  kind: string
  product: string | null
  name: string
  at: Date
  newest: Date | null
  files: number
}

async function lastFiles(db: Db): Promise<AdminIngest['sources']> {
  const { rows } = await sql<Source>`
    with latest as (
      select distinct on (s.kind, s.product_id) s.kind, s.product_id, s.name, s.received_at as at,
        count(*) over (partition by s.kind, s.product_id)::int as files
      from source_file s order by s.kind, s.product_id, s.received_at desc)
    select l.kind, p.short_name as product, l.name, l.at, l.files,
      case when l.product_id is not null then (select max(time) from radar_frame f where f.product_id = l.product_id)
        when l.kind = 'station' then (select max(time) from station_reading)
        when l.kind = 'mrr' then (select max(last_time) from mrr_chunk) end as newest
    from latest l left join radar_product p on p.id = l.product_id
    order by l.kind, l.product_id`.execute(db)
  // Instants of gauges are packed by day.
  const ofGauges = rows.some(({ kind }) => kind === 'gauge') ? await newestReading(db) : null
  return rows.map(({ at, newest, ...row }) => ({
    ...row,
    receivedAt: at.toISOString(),
    newestAt:
      (row.kind === 'gauge' && ofGauges !== null ? new Date(ofGauges) : newest)?.toISOString() ?? null,
  }))
}

/** Median of the last hundred frames from their instant to their arrival, s; null without frames. */
async function latency(db: Db, product: string): Promise<number | null> {
  const { rows } = await sql<{ median: number | null }>`
    select percentile_cont(0.5) within group (order by late)::float8 as median from (
      select extract(epoch from s.received_at - f.time) as late
      from radar_frame f join radar_product p on p.id = f.product_id join source_file s on s.hash = f.source
      where p.short_name = ${product} order by f.time desc limit 100) latest`.execute(db)
  return rows[0]?.median ?? null
}

/** Stretches without a frame in the last days, the longest first; before the first frame ever nothing is missing. */
async function gaps(
  db: Db,
  { shortName, frameSeconds }: { shortName: string; frameSeconds: number },
  now: Date,
): Promise<Pick<AdminIngest['products'][number], 'gaps' | 'missingSeconds' | 'firstFrame'>> {
  const from = new Date(now.getTime() - GAP_DAYS * DAY_MS)
  const longest = GAP_FRAMES * frameSeconds
  const { rows } = await sql<{ start: Date; end: Date; first: Date }>`
    with product as (select id from radar_product where short_name = ${shortName}),
    ever as (select min(time) as first from radar_frame where product_id = (select id from product)),
    begin as (select greatest(first, ${from}::timestamptz) as at, first from ever where first is not null),
    instant as (
      select time from radar_frame where product_id = (select id from product)
        and time >= (select at from begin) and time <= ${now}
      union select at from begin
      union select ${now}::timestamptz from begin),
    pair as (select time as start, lead(time) over (order by time) as end from instant)
    select pair.start, pair.end, begin.first from pair, begin
    where pair.end is not null and pair.end - pair.start > ${longest} * interval '1 second'
    order by pair.end - pair.start desc`.execute(db)
  const seconds = rows.reduce((sum, { start, end }) => sum + (end.getTime() - start.getTime()) / 1000, 0)
  const { rows: ever } = await sql<{ first: Date | null }>`
    select min(time) as first from radar_frame
    where product_id = (select id from radar_product where short_name = ${shortName})`.execute(db)
  return {
    firstFrame: ever[0]?.first?.toISOString() ?? null,
    missingSeconds: seconds,
    gaps: rows
      .slice(0, GAPS_SHOWN)
      .map(({ start, end }) => ({ start: start.toISOString(), end: end.toISOString() })),
  }
}

/** Files that were put aside, the newest first, with why. */
async function rejectedFiles(dataDir: string): Promise<AdminIngest['rejected']> {
  const { rejected } = ingestFolders(dataDir)
  const names = (await readdir(rejected).catch(() => [])).filter((name) => !name.endsWith(REASON))
  const found = await Promise.all(
    names.map(async (name) => ({ name, info: await stat(join(rejected, name)).catch(() => null) })),
  )
  const files = found.flatMap(({ name, info }) => (info?.isFile() ? [{ name, info }] : []))
  files.sort((a, b) => b.info.mtimeMs - a.info.mtimeMs)
  return Promise.all(
    files.map(async ({ name, info }, i) => ({
      name,
      bytes: info.size,
      at: info.mtime.toISOString(),
      reason: i < REJECTED_SHOWN ? await reasonOf(join(rejected, `${name}${REASON}`)) : null,
    })),
  )
}

async function reasonOf(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return /^Motif : (.+)$/m.exec(text)?.[1].slice(0, 1_000) ?? null
}

/** Path of a file that was put aside; null for a name that none there has, so that no name climbs out of the folder. */
export async function rejectedPath(dataDir: string, name: string): Promise<string | null> {
  const { rejected } = ingestFolders(dataDir)
  const names = await readdir(rejected).catch(() => [] as string[])
  return names.includes(name) && !name.endsWith(REASON) ? join(rejected, name) : null
}
