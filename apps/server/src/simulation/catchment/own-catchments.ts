import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  CatchmentDetail,
  CatchmentSharing,
  catchmentSharingSchema,
  KeptCatchment,
} from '@radx/contracts'
import type { CatchmentUploaded } from '@radx/contracts/catchment-upload'
import { CATCHMENT_VERSIONS_MAX } from '@radx/contracts/own-catchments'
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { nameKey } from '../../accounts/api.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/schema.ts'
import { CatchmentNotFound, type Reader, seenBy, valuesOf } from '../../http/catchment-rights.ts'
import { after, micros, type Place } from '../../http/page.ts'
import { holdQuota, keptBytes, oneAtATime, QuotaReached } from '../../http/quota.ts'
import { catchmentFolder, type FileStore, openFileStore } from '../../store/file-store.ts'
import { CatchmentForbidden, CatchmentNameTaken, CatchmentOfSite, UnknownAccounts } from '../errors.ts'
import { readCatchmentPackage } from './catchment-package.ts'
import { type CatchmentFacts, hashOf, insertVersion } from './library.ts'

type Db = Kysely<Database>
interface Where {
  db: Db
  config: Config
}
type SharingBody = z.output<typeof catchmentSharingSchema>

/** Signs of chance behind the id of a package, so that ids of accounts neither meet nor can be guessed. */
const CHANCE_BYTES = 8
const PACKAGE_ID_SIGNS = 40
/** Of a hash, as folders have them too. */
const VERSION_SIGNS = 16

/** Name of a version in addresses and folders. */
export const versionName = (hash: string): string => hash.slice(0, VERSION_SIGNS)

export interface NewPackage {
  /** What messages call it, and the catchment where it has no name of its own; its folder unless told. */
  file?: string
  /** What its owner calls it, where it is new; as catchment.json says unless told. */
  name?: string
  /** The catchment that it is a version of; without one, the owner's of the same id in catchment.json, or a new one. */
  into?: string
}

/**
 * Keeps a folder as an account's catchment: with the checks of `radx catchment import`, as a version of the one that it
 * belongs to, or as a new one, which its owner alone sees. The same files as the current version are that version.
 * @param dir the files; they are moved away where they are new
 * @throws CatchmentPackageError with the list of what is wrong, QuotaReached, CatchmentNotFound, CatchmentForbidden
 */
export async function storeCatchmentOf(
  { db, config }: Where,
  owner: Reader,
  dir: string,
  { file, name, into }: NewPackage = {},
): Promise<CatchmentUploaded> {
  const found = await readCatchmentPackage(dir, file)
  const [hash, bytes] = await Promise.all([hashOf(dir), bytesOf(dir)])
  const files = openFileStore(config)
  const { warnings, catchment } = found
  let folder: string | null = null
  try {
    return await db.transaction().execute(async (trx) => {
      await oneAtATime(trx, 'catchments', owner.name)
      const kept =
        into === undefined
          ? await ownOfPackage(trx, owner.name, catchment.id)
          : await changeable(trx, into, owner)
      const username = kept?.username ?? owner.name
      // A manager's version of somebody else's counts as theirs.
      if (username !== owner.name) await oneAtATime(trx, 'catchments', username)
      const display = kept?.name ?? (name ?? catchment.display).trim().slice(0, 120)
      if (kept?.hash === hash && (await files.folder(catchmentFolder(kept.id, hash))) !== null)
        return { id: kept.id, display, outcome: 'known', warnings }
      await holdRoom(trx, config, username, kept?.id)
      const id =
        kept?.id ?? `${catchment.id.slice(0, PACKAGE_ID_SIGNS)}-${randomBytes(CHANCE_BYTES).toString('hex')}`
      const own = { username, package_id: catchment.id, name: display }
      await insertVersion(trx, found, { id, hash, bytes, own })
      const to = catchmentFolder(id, hash)
      // A version that comes back may lie there for runs that stand on it.
      if ((await files.folder(to)) === null) folder = to
      await files.putFolder(dir, to)
      return { id, display, outcome: 'imported', warnings }
    })
  } catch (error) {
    if (folder !== null) await files.removeFolder(folder).catch(() => undefined)
    throw error
  }
}

async function bytesOf(dir: string): Promise<number> {
  const sizes = (await readdir(dir)).map(async (name) => (await stat(join(dir, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** @param of the catchment that gets another version; undefined for one more. @throws QuotaReached */
async function holdRoom(trx: Db, config: Config, username: string, of: string | undefined): Promise<void> {
  const { catchments, bytes } = config.quotas
  const kept = await keptCatchments(trx, username)
  holdQuota('bassin', of === undefined ? kept : { ...kept, count: 0 }, { count: catchments, bytes })
  if (of === undefined) return
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from catchment_version where catchment_id = ${of}`.execute(trx)
  if (rows[0].n >= CATCHMENT_VERSIONS_MAX) throw new QuotaReached('version', CATCHMENT_VERSIONS_MAX)
}

/** Catchments of an account, and the bytes of their files and of all that counts with them. */
async function keptCatchments(db: Db, username: string): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select (select count(*)::int from catchment where username = ${username} and deleted_at is null) as count,
      ${keptBytes(username)} as bytes`.execute(db)
  return rows[0]
}

const rowOf = (db: Db, id: string) =>
  db
    .selectFrom('catchment')
    .select(['id', 'hash', 'username', 'name', 'sharing'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

const ownOfPackage = (db: Db, username: string, packageId: string) =>
  db
    .selectFrom('catchment')
    .select(['id', 'hash', 'username', 'name', 'sharing'])
    .where('username', '=', username)
    .where('package_id', '=', packageId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .executeTakeFirst()

/** A catchment that somebody may change. @throws CatchmentNotFound, CatchmentOfSite, CatchmentForbidden */
async function changeable(db: Db, id: string, user: Reader) {
  const row = await rowOf(db, id)
  if (!row || !(await sees(db, id, user))) throw new CatchmentNotFound(id)
  if (row.username === null) throw new CatchmentOfSite()
  if (row.username !== user.name && !user.isManager) throw new CatchmentForbidden()
  return { ...row, username: row.username, name: row.name ?? id }
}

async function sees(db: Db, id: string, user: Reader): Promise<boolean> {
  const { rows } = await sql<{ sees: boolean }>`
    select ${seenBy(valuesOf(user), sql`${id}::text`)} as sees`.execute(db)
  return rows[0].sees
}

interface ListedRow {
  id: string
  micros: number
  catchment_id: string
  username: string | null
  sharing: CatchmentSharing
  summary: CatchmentFacts
  created_at: Date
  updated_at: Date
  bytes: number
  versions: number
  runs: number
  shared_with: string[]
}

/** Catchments as their screen shows them. */
export class OwnCatchments {
  private readonly db: Db
  private readonly files: FileStore

  constructor({ db, config }: Where) {
    this.db = db
    this.files = openFileStore(config)
  }

  /** Up to `limit + 1`, the newest first. @param everybody also private ones of others, which managers alone are given */
  async list(user: Reader, everybody: boolean, place: Place | null, limit: number) {
    const reader = { name: user.name, isManager: everybody && user.isManager }
    const rows = await this.rows(user, seenBy(valuesOf(reader), sql`c.id`), place, limit + 1)
    return rows.map((row) => ({ id: row.id, micros: row.micros, item: toKept(row, user) }))
  }

  /** @throws CatchmentNotFound */
  async get(id: string, user: Reader): Promise<CatchmentDetail> {
    const shown = sql<boolean>`(c.id = ${id} and ${seenBy(valuesOf(user), sql`c.id`)})`
    const [row] = await this.rows(user, shown, null, 1)
    if (!row) throw new CatchmentNotFound(id)
    const versions = await this.db
      .selectFrom('catchment_version as v')
      .innerJoin('catchment as c', 'c.id', 'v.catchment_id')
      .select(['v.hash', 'v.imported_at', 'v.bytes', 'v.summary', 'c.hash as current'])
      .where('c.id', '=', id)
      .orderBy('v.imported_at', 'desc')
      .execute()
    return {
      ...toKept(row, user),
      history: versions.map(({ hash, imported_at, bytes, summary, current }) => ({
        version: versionName(hash),
        createdAt: imported_at.toISOString(),
        bytes: row.username === null ? null : bytes,
        ncols: summary.ncols,
        nrows: summary.nrows,
        current: hash === current,
      })),
    }
  }

  private async rows(user: Reader, shown: ReturnType<typeof seenBy>, place: Place | null, limit: number) {
    const { rows } = await sql<ListedRow>`
      select c.*, ${micros} as micros,
        v.updated_at, v.bytes, v.versions,
        (select count(*)::int from job where kind = 'multihydro' and input ->> 'catchmentId' = c.catchment_id) as runs,
        array(select s.username from catchment_share s where s.catchment_id = c.catchment_id
          and (c.username = ${user.name} or ${user.isManager}) order by 1) as shared_with
      from (
        select c.place as id, c.id as catchment_id, c.username, c.sharing, c.summary, c.created_at
        from catchment c where c.deleted_at is null and ${shown}) c
      cross join lateral (
        select max(imported_at) as updated_at, sum(bytes)::float8 as bytes, greatest(count(*), 1)::int as versions
        from catchment_version where catchment_id = c.catchment_id) v
      where ${place ? after(place) : sql`true`}
      order by c.created_at desc, c.id desc limit ${limit}`.execute(this.db)
    return rows
  }

  /** @throws CatchmentNotFound, CatchmentForbidden, CatchmentNameTaken */
  async rename(id: string, name: string, user: Reader): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const { username } = await changeable(trx, id, user)
      await oneAtATime(trx, 'catchments', username)
      const other = await trx
        .selectFrom('catchment')
        .select('id')
        .where('username', '=', username)
        .where('name', '=', name)
        .where('id', '!=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (other) throw new CatchmentNameTaken(name)
      const summary = sql<never>`jsonb_set(summary, '{display}', to_jsonb(${name}::text))`
      await trx.updateTable('catchment').set({ name, summary }).where('id', '=', id).execute()
    })
  }

  /** Says who sees a catchment. @throws CatchmentNotFound, CatchmentForbidden, UnknownAccounts */
  async share(id: string, { sharing, names }: SharingBody, user: Reader): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const { username } = await changeable(trx, id, user)
      const accounts = sharing === 'named' ? await accountsNamed(trx, names) : []
      const others = accounts.filter((name) => name !== username)
      await trx.updateTable('catchment').set({ sharing }).where('id', '=', id).execute()
      await trx.deleteFrom('catchment_share').where('catchment_id', '=', id).execute()
      if (others.length > 0)
        await trx
          .insertInto('catchment_share')
          .values(others.map((name) => ({ catchment_id: id, username: name })))
          .execute()
    })
  }

  /** Takes a catchment away; what runs were made on it stays with them. @throws CatchmentNotFound, CatchmentForbidden */
  async remove(id: string, user: Reader, now: Date): Promise<{ name: string }> {
    const { name } = await this.db.transaction().execute(async (trx) => {
      // Runs that are being submitted hold the same row.
      await trx.selectFrom('catchment').select('id').where('id', '=', id).forUpdate().execute()
      const row = await changeable(trx, id, user)
      await trx.updateTable('catchment').set({ deleted_at: now }).where('id', '=', id).execute()
      return row
    })
    await dropUnused(this.db, this.files, id)
    return { name }
  }

  /** Folder on this machine of a version, the current one unless told. @throws CatchmentNotFound */
  async folder(id: string, version: string | undefined): Promise<string> {
    const row = await this.db
      .selectFrom('catchment_version as v')
      .innerJoin('catchment as c', 'c.id', 'v.catchment_id')
      .select('v.hash')
      .where('c.id', '=', id)
      .where('c.deleted_at', 'is', null)
      .where((e) =>
        version === undefined ? e('v.hash', '=', e.ref('c.hash')) : e('v.hash', 'like', `${version}%`),
      )
      .executeTakeFirst()
    const dir = row && (await this.files.folder(catchmentFolder(id, row.hash)))
    if (!dir) throw new CatchmentNotFound(id)
    return dir
  }
}

/** Accounts as they write themselves. @throws UnknownAccounts */
async function accountsNamed(db: Db, names: readonly string[]): Promise<string[]> {
  const keys = new Map(names.map((name) => [name, nameKey(name)]))
  const rows = await db
    .selectFrom('account')
    .select(['name', 'name_key'])
    .where('name_key', 'in', ['', ...[...keys.values()].filter((key) => key !== null)])
    .execute()
  const known = new Map(rows.map(({ name, name_key }) => [name_key, name]))
  const unknown = names.filter((name) => !known.has(keys.get(name) ?? ''))
  if (unknown.length > 0) throw new UnknownAccounts(unknown)
  return [...new Set(known.values())]
}

/** Drops what no run stands on any more of catchments that were deleted. */
export async function sweepCatchments({ db, config }: Where): Promise<void> {
  const files = openFileStore(config)
  const rows = await db.selectFrom('catchment').select('id').where('deleted_at', 'is not', null).execute()
  for (const { id } of rows) await dropUnused(db, files, id)
}

/** Of one; nothing of one that is there. */
async function dropUnused(db: Db, files: FileStore, id: string): Promise<void> {
  const gone = await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('catchment')
      .select('id')
      .where('id', '=', id)
      .where('deleted_at', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return []
    const { rows } = await sql<{ hash: string; used: boolean }>`
      select v.hash, exists (
        select from luse_file f join job j on j.kind = 'multihydro' and j.input ->> 'catchmentId' = v.catchment_id
          and f.id::text in (j.input ->> 'luseId', j.input ->> 'luseIdSource')
        where f.catchment_id = v.catchment_id and f.catchment_hash = v.hash) as used
      from catchment_version v where v.catchment_id = ${id} order by v.imported_at desc`.execute(trx)
    const used = rows.filter((version) => version.used).map(({ hash }) => hash)
    const unused = rows.map(({ hash }) => hash).filter((hash) => !used.includes(hash))
    for (const hash of unused) {
      await trx
        .deleteFrom('luse_file')
        .where('catchment_id', '=', id)
        .where('catchment_hash', '=', hash)
        .execute()
      await trx
        .deleteFrom('catchment_version')
        .where('catchment_id', '=', id)
        .where('hash', '=', hash)
        .execute()
    }
    if (used.length === 0) await trx.deleteFrom('catchment').where('id', '=', id).execute()
    else await trx.updateTable('catchment').set({ hash: used[0] }).where('id', '=', id).execute()
    return unused
  })
  for (const hash of gone) await files.removeFolder(catchmentFolder(id, hash))
}

const toKept = (row: ListedRow, user: Reader): KeptCatchment => {
  const { display, cellSizeM, ncols, nrows, activeCells, synthetic, attribution, corners } = row.summary
  return {
    id: row.catchment_id,
    name: display,
    owner: row.username,
    sharing: row.sharing,
    sharedWith: row.shared_with,
    mayChange: row.username !== null && (row.username === user.name || user.isManager),
    createdAt: row.created_at.toISOString(),
    updatedAt: (row.updated_at ?? row.created_at).toISOString(),
    bytes: row.username === null ? null : row.bytes,
    versions: row.versions,
    runs: row.runs,
    ...{ cellSizeM, ncols, nrows, activeCells, synthetic, attribution, corners },
  }
}
