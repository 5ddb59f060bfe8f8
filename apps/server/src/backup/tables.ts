import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { BackupError, type Manifest } from './manifest.ts'

/** Kept by the schema itself, short-lived, or made anew from the rest. */
const LEFT_OUT = [
  'radx_migration',
  'radx_migration_lock',
  'session',
  'login_throttle',
  'password_link',
  'passkey_challenge',
  'radar_tiles',
  'gauge_radar',
  'radar_moved',
  'radar_moved_tiles',
  'nowcast',
]

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const fileOf = (dir: string, table: string) => join(dir, 'database', `${table}.copy.zst`)

/** Tables of the product in an order in which every row's references come first. */
async function tablesInOrder(client: pg.ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace and relname <> all($1) order by 1`,
    [LEFT_OUT],
  )
  const { rows: needs } = await client.query<{ child: string; parent: string }>(
    `select c.relname as child, p.relname as parent from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace and c.oid <> p.oid`,
  )
  const order: string[] = []
  const place = (name: string) => {
    if (order.includes(name)) return
    for (const { child, parent } of needs) if (child === name) place(parent)
    order.push(name)
  }
  for (const { name } of tables) place(name)
  return order
}

/** Columns that a COPY gives and takes. */
async function columnsOf(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = ('public.' || quote_ident($1))::regclass
      and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  return rows.map(({ name }) => name)
}

/** Writes every table as the text of a COPY, zstd. The client is inside a transaction with one snapshot. */
export async function dumpTables(client: pg.ClientBase, dir: string): Promise<Manifest['tables']> {
  await mkdir(join(dir, 'database'), { recursive: true })
  const done: Manifest['tables'] = []
  for (const name of await tablesInOrder(client)) {
    const columns = await columnsOf(client, name)
    const list = columns.map(quoted).join(', ')
    const source = client.query(copyTo(`copy ${quoted(name)} (${list}) to stdout`))
    const hash = createHash('sha256')
    const part = `${fileOf(dir, name)}.part`
    await pipeline(source, createZstdCompress(), hashing(hash), createWriteStream(part))
    await rename(part, fileOf(dir, name))
    done.push({ name, columns, rows: source.rowCount ?? 0, sha256: hash.digest('hex') })
  }
  return done
}

/**
 * Loads tables into empty ones, inside the client's transaction.
 * @throws BackupError when a file is not what the manifest says
 */
export async function loadTables(
  client: pg.ClientBase,
  dir: string,
  tables: Manifest['tables'],
): Promise<void> {
  for (const { name, columns, rows, sha256 } of tables) {
    const list = columns.map(quoted).join(', ')
    const target = client.query(copyFrom(`copy ${quoted(name)} (${list}) from stdin`))
    const hash = createHash('sha256')
    const damaged = (cause?: unknown) =>
      new BackupError(
        `La table « ${name} » de la sauvegarde est endommagée. Prenez une autre sauvegarde.`,
        cause,
      )
    await pipeline(createReadStream(fileOf(dir, name)), hashing(hash), createZstdDecompress(), target).catch(
      (cause) => {
        throw damaged(cause)
      },
    )
    if (hash.digest('hex') !== sha256 || target.rowCount !== rows) throw damaged()
    await continueIdentities(client, name)
  }
}

/** New rows get numbers after those that were loaded. */
async function continueIdentities(client: pg.ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = ('public.' || quote_ident($1))::regclass
      and attidentity <> ''`,
    [table],
  )
  for (const { name } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence('public.' || quote_ident($1), $2), greatest(1, max(${quoted(name)})),
        max(${quoted(name)}) is not null) from ${quoted(table)}`,
      [table, name],
    )
}

/** Whether any table of the product holds rows that a start does not make by itself. */
export async function isEmpty(client: pg.ClientBase): Promise<boolean> {
  for (const table of ['source_file', 'account', 'job', 'saved_event', 'article', 'shapefile', 'catchment']) {
    const { rowCount } = await client.query(`select from ${quoted(table)} limit 1`)
    if (rowCount) return false
  }
  return true
}

const hashing = (hash: ReturnType<typeof createHash>) =>
  new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
