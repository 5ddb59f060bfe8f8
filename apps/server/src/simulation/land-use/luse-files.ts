import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import {
  DEFAULT_USER,
  LAND_USE_NODATA,
  type LuseConfig,
  type LuseFile,
  type LuseUpdate,
  type SimulationInput,
} from '@radx/contracts'
import { writeEsriAscii } from '@radx/formats/esri-ascii'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { LuseFileNotFound } from '../../http/catchment-rights.ts'
import { after as isAfter, micros, type Place } from '../../http/page.ts'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import type { LuseFileTable } from '../tables.ts'
import { luseImage } from './luse-image.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export type LuseRow = Omit<Selectable<LuseFileTable>, 'edit'>
type LuseHead = Omit<LuseRow, 'codes_zstd'>

export interface NewLuseFile {
  catchmentId: string
  /** Version of the catchment whose grid it has. */
  catchmentHash: string | null
  username: string
  description: string
  configs: LuseConfig[]
  /** `[row * ncols + col]`, row 0 north, -9999 outside. */
  codes: Int16Array
  ncols: number
  nrows: number
  isReference?: boolean
  /** Cells painted on another file, which made this one. */
  edit?: readonly LuseUpdate[]
}

/** Files of a user and what they take. */
export async function keptLandUses(
  db: Kysely<Database>,
  username: string,
): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*) as count, coalesce(sum(octet_length(codes_zstd) + octet_length(image_jpeg) + coalesce(pg_column_size(edit), 0)), 0)::float8 as bytes
    from luse_file where username = ${username} and not is_reference`.execute(db)
  return { count: Number(rows[0].count), bytes: rows[0].bytes }
}

/** @returns the new file's id */
export async function insertLuseFile(db: Kysely<Database>, file: NewLuseFile): Promise<string> {
  const bytes = Buffer.from(file.codes.buffer, file.codes.byteOffset, file.codes.byteLength)
  const { id } = await db
    .insertInto('luse_file')
    .values({
      catchment_id: file.catchmentId,
      catchment_hash: file.catchmentHash,
      username: file.username,
      description: file.description,
      configs: JSON.stringify(file.configs) as never,
      codes_zstd: await compress(bytes),
      // Of the text file that a download gives: a number and a space a cell, some 100 bytes of header.
      size_bytes: file.codes.reduce((sum, code) => sum + String(code).length + 1, 100),
      hash: createHash('sha256').update(bytes).digest('hex'),
      image_jpeg: luseImage(file.codes, file.ncols, file.nrows, file.configs),
      is_reference: file.isReference ?? false,
      edit: file.edit === undefined ? null : (JSON.stringify(file.edit) as never),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const HEAD = [
  'id',
  'catchment_id',
  'catchment_hash',
  'username',
  'description',
  'created_at',
  'configs',
  'size_bytes',
  'hash',
  'image_jpeg',
  'is_reference',
] as const
const WITH_CODES = [...HEAD, 'codes_zstd'] as const

/** A file of a list, with its place there. */
export interface ListedLuse extends Place {
  item: LuseFile
}

/** Files of a catchment, newest first, its reference before all others; up to `limit + 1` after a place. */
export async function listLuseFiles(
  db: Kysely<Database>,
  catchmentId: string,
  after: Place | null,
  limit: number,
): Promise<ListedLuse[]> {
  let query = db
    .selectFrom('luse_file')
    .select([...HEAD, micros.as('micros')])
    .where('catchment_id', '=', catchmentId)
  // The reference stands at the head of the first page, whatever its date.
  if (after) query = query.where('is_reference', '=', false).where(isAfter(after))
  const current = await currentHash(db, catchmentId)
  const rows = await query
    .orderBy('is_reference', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    // After the reference come all the others.
    micros: row.is_reference ? 9e15 : row.micros,
    item: toLuseFile(row, current),
  }))
}

/** @throws LuseFileNotFound */
export async function findLuseFile(db: Kysely<Database>, id: string): Promise<LuseRow> {
  const row = await db.selectFrom('luse_file').select(WITH_CODES).where('id', '=', id).executeTakeFirst()
  if (!row) throw new LuseFileNotFound(id)
  return row
}

const currentHash = async (db: Kysely<Database>, catchmentId: string): Promise<string | null> =>
  (await db.selectFrom('catchment').select('hash').where('id', '=', catchmentId).executeTakeFirst())?.hash ??
  null

/** A land use whose version of the catchment is not the current one. */
export const isOutdated = (hash: string | null, current: string | null): boolean =>
  hash !== null && hash !== current

/** A file as calls answer it. @throws LuseFileNotFound */
export async function luseFile(db: Kysely<Database>, id: string): Promise<LuseFile> {
  const row = await findLuseFile(db, id)
  return toLuseFile(row, await currentHash(db, row.catchment_id))
}

/** Versions of the catchments that land uses belong to, by their ids. */
export async function versionsOf(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const known = ids.filter((id) => /^[0-9a-f-]{36}$/.test(id))
  if (known.length === 0) return new Map()
  const rows = await db
    .selectFrom('luse_file')
    .select(['id', 'catchment_hash'])
    .where('id', 'in', known)
    .execute()
  return new Map(rows.map(({ id, catchment_hash }) => [id, catchment_hash]))
}

/**
 * What the version of the catchment that a run was made on says of itself, and whether another has taken its place; no
 * corners and nothing else where it is no longer known.
 */
export async function catchmentOfRun(
  db: Kysely<Database>,
  { luseId, catchmentId }: Pick<SimulationInput, 'luseId' | 'catchmentId'>,
) {
  const current = await currentHash(db, catchmentId)
  const hash = (await versionsOf(db, [luseId])).get(luseId) ?? null
  const row = await db
    .selectFrom('catchment_version')
    .select('summary')
    .where('catchment_id', '=', catchmentId)
    .where('hash', '=', hash ?? current ?? '')
    .executeTakeFirst()
  return {
    catchmentOutdated: isOutdated(hash, current),
    catchmentSynthetic: row?.summary.synthetic ?? false,
    catchmentCorners: row?.summary.corners ?? null,
  }
}

/** The land use that came with a version of a catchment. */
export async function ownLandUse(
  db: Kysely<Database>,
  catchmentId: string,
  hash: string | null,
): Promise<LuseRow | undefined> {
  let query = db
    .selectFrom('luse_file')
    .select(WITH_CODES)
    .where('catchment_id', '=', catchmentId)
    .where('username', '=', DEFAULT_USER)
    .where('edit', 'is', null)
  query = hash === null ? query.where('catchment_hash', 'is', null) : query.where('catchment_hash', '=', hash)
  return query.orderBy('is_reference', 'desc').orderBy('created_at').limit(1).executeTakeFirst()
}

/** The catchment's own land use. @throws LuseFileNotFound */
export async function referenceFile(db: Kysely<Database>, catchmentId: string): Promise<LuseRow> {
  const row = await db
    .selectFrom('luse_file')
    .select(WITH_CODES)
    .where('catchment_id', '=', catchmentId)
    .where('is_reference', '=', true)
    .executeTakeFirst()
  if (!row) throw new LuseFileNotFound(catchmentId)
  return row
}

/**
 * The land use of a run as its form had it: cells that were painted for it, and the table. They are kept with the
 * file that they made, once.
 */
export async function landUseOf(
  db: Kysely<Database>,
  { luseId, luseIdSource }: Pick<SimulationInput, 'luseId' | 'luseIdSource'>,
): Promise<Pick<SimulationInput, 'luseUpdates' | 'luseConfigs'>> {
  if (!/^[0-9a-f-]{36}$/.test(luseId)) return { luseUpdates: [], luseConfigs: [] }
  const file = await db
    .selectFrom('luse_file')
    .select('configs')
    // A run on a file that another run has painted has painted nothing itself.
    .select((e) => (luseId === luseIdSource ? e.val(null).as('edit') : e.ref('edit').as('edit')))
    .where('id', '=', luseId)
    .executeTakeFirst()
  return { luseUpdates: file?.edit ?? [], luseConfigs: file?.configs ?? [] }
}

export async function codesOf(row: Pick<LuseRow, 'codes_zstd'>): Promise<Int16Array> {
  const bytes = await decompress(row.codes_zstd, { maxOutputLength: 2 ** 30 })
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}

const toLuseFile = (row: LuseHead, current: string | null): LuseFile => ({
  _id: row.id,
  username: row.username,
  creationDate: row.created_at.toISOString(),
  desc: row.description,
  base64Image: row.image_jpeg.toString('base64'),
  sizeKo: Math.round(row.size_bytes / 102.4) / 10,
  filename: 'luse.asc',
  token: row.hash,
  catchmentId: row.catchment_id,
  outdated: isOutdated(row.catchment_hash, current),
})

/** The file as an ESRI ASCII grid on the catchment's cells. */
export function luseText(codes: Int16Array, { landUse }: CatchmentPackage): string {
  const data = Float64Array.from(codes, (code) => (code === LAND_USE_NODATA ? Number.NaN : code))
  return writeEsriAscii({ ...landUse, data }, 0)
}

/** Rows from the north, for the grid editor. */
export function toRows<T extends ArrayLike<number>>(
  values: T,
  ncols: number,
  round?: (v: number) => number,
): number[][] {
  const rows: number[][] = []
  for (let from = 0; from < values.length; from += ncols)
    rows.push(Array.from({ length: ncols }, (_, c) => (round ? round(values[from + c]) : values[from + c])))
  return rows
}
