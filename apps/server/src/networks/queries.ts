import type { Network, NetworkRun, NetworkRunResult, NetworkVersion } from '@radx/contracts'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { after, micros, type Place } from '../http/page.ts'
import { keptBytes } from '../http/quota.ts'
import { isCancelled, type JobRow, type JobUser } from '../jobs/api.ts'
import { NetworkForbidden, NetworkNotFound } from './errors.ts'
import type { VersionFiles } from './files.ts'
import type { NetworkInput } from './job.ts'
import type { NetworkVersionTable } from './tables.ts'

type Db = Kysely<Database>

export const NETWORK = 'network'

export const toVersion = (row: Omit<Selectable<NetworkVersionTable>, 'sha256'>): NetworkVersion => ({
  version: row.version,
  file: row.file,
  files: row.files,
  bytes: row.bytes,
  createdAt: row.created_at.toISOString(),
  nodes: row.nodes,
  links: row.links,
  subcatchments: row.subcatchments,
  warnings: row.warnings,
})

interface ListRow {
  id: string
  name: string
  username: string
  crs: string | null
  created_at: Date
  updated_at: Date
  runs: number
  micros: number
  newest: Omit<Selectable<NetworkVersionTable>, 'created_at' | 'sha256'> & { made_at: string }
}

const toNetwork = (row: ListRow): Network => ({
  id: row.id,
  name: row.name,
  owner: row.username,
  crs: row.crs,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  runs: row.runs,
  newest: toVersion({ ...row.newest, created_at: new Date(row.newest.made_at) }),
})

/** Networks of a user, or of everybody for null, the newest first: one more than `limit` tells that the list goes on. */
export async function listNetworks(
  db: Db,
  username: string | null,
  place: Place | null,
  limit: number,
): Promise<{ id: string; micros: number; item: Network }[]> {
  const { rows } = await sql<ListRow>`
    select n.id, n.name, n.username, n.crs, n.created_at, n.updated_at, ${micros} as micros, to_jsonb(v) as newest,
      (select count(*)::int from job where kind = 'network' and input ->> 'networkId' = n.id::text) as runs
    from (select * from network
      where ${username === null ? sql`true` : sql`username = ${username}`} and ${place ? after(place) : sql`true`}
      order by created_at desc, id desc limit ${limit + 1}) n
    cross join lateral (select network_id, version, file, files, bytes, nodes, links, subcatchments, warnings, created_at
      as made_at from network_version where network_id = n.id order by version desc limit 1) v
    order by n.created_at desc, n.id desc`.execute(db)
  return rows.map((row) => ({ id: row.id, micros: row.micros, item: toNetwork(row) }))
}

export const networkRow = (db: Db, id: string) =>
  db.selectFrom('network').selectAll().where('id', '=', id).executeTakeFirst()

/** A network that is the user's, or anybody's for a manager. @throws NetworkNotFound, NetworkForbidden */
export async function ownNetwork(db: Db, id: string, user: Pick<JobUser, 'name' | 'isManager'>) {
  const row = await networkRow(db, id)
  if (!row) throw new NetworkNotFound()
  if (row.username !== user.name && !user.isManager) throw new NetworkForbidden()
  return row
}

/** Files of a version. @throws NetworkNotFound */
export async function versionFiles(db: Db, id: string, version: number): Promise<VersionFiles> {
  const row = await db
    .selectFrom('network_version')
    .select(['file', 'files'])
    .where('network_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!row) throw new NetworkNotFound()
  return { networkId: id, version, file: row.file, files: row.files.map(({ name }) => name) }
}

/** The newest first. */
export const versionRows = (db: Db, id: string) =>
  db
    .selectFrom('network_version')
    .selectAll()
    .where('network_id', '=', id)
    .orderBy('version', 'desc')
    .execute()

/** Networks of an account, and the bytes of all that counts with them. */
export async function keptNetworks(db: Db, username: string): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select (select count(*)::int from network where username = ${username}) as count,
      ${keptBytes(username)} as bytes`.execute(db)
  return rows[0]
}

export async function countRuns(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from job where kind = 'network' and input ->> 'networkId' = ${id}`.execute(db)
  return rows[0].n
}

/** Runs of a network, the newest first. */
export async function runRows(db: Db, id: string, place: Place | null, limit: number) {
  const { rows } = await sql<JobRow & { micros: number }>`
    select *, ${micros} as micros from job
    where kind = 'network' and input ->> 'networkId' = ${id} and ${place ? after(place) : sql`true`}
    order by created_at desc, id desc limit ${limit + 1}`.execute(db)
  return rows
}

export function toRun(row: JobRow): NetworkRun {
  const { networkId, version, rain, implicit } = row.input as NetworkInput
  return {
    id: row.id,
    networkId,
    version,
    username: row.username,
    rain: { kind: rain.kind, name: 'name' in rain ? rain.name : '' },
    implicit,
    status: row.status,
    cancelled: isCancelled(row),
    error: row.error,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    result: row.status === 'done' ? (row.result as NetworkRunResult) : null,
  }
}
