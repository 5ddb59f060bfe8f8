import { randomUUID } from 'node:crypto'
import { copyFile, cp, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { countFr } from '@radx/locale/format-fr'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { type DatabaseHandle, PRESENCE_LOCK } from '../db/database.ts'
import { migrateToLatest } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import type { Database } from '../db/schema.ts'
import type { JobKind } from '../jobs/api.ts'
import { createQueues, queueName, startBoss } from '../jobs/api.ts'
import type { Logger } from '../log.ts'
import { openFileStore } from '../store/file-store.ts'
import { FsFrameStore } from '../store/fs-frame-store.ts'
import { openFrameStore, type StorePlace } from '../store/open-frame-store.ts'
import { requireSame } from './checksums.ts'
import { inside } from './create.ts'
import { frameFiles } from './frame-files.ts'
import { BackupError, type Manifest, readManifest } from './manifest.ts'
import { folders, originals } from './names.ts'
import { isEmpty, loadTables } from './tables.ts'

export interface RestoreOptions {
  database: DatabaseHandle
  config: StorePlace & { dataDir: string }
  dir: string
  kinds: readonly JobKind[]
  log: Logger
  progress(line: string): void
}

/**
 * Puts a backup back into an empty installation, in a folder or a bucket. Everything that the database says
 * comes with one commit at the end: an interruption leaves it empty, and the restore can be repeated.
 * @returns things that the backup does not hold
 * @throws BackupError when the installation is not empty or in use, or the backup is damaged or newer
 */
export async function restoreBackup(
  options: RestoreOptions,
): Promise<{ manifest: Manifest; missing: string[] }> {
  const { database, dir, kinds, log, progress } = options
  const manifest = await readManifest(dir)
  const newer = manifest.schema.find((step) => !Object.hasOwn(migrations, step))
  if (newer !== undefined)
    throw new BackupError(
      `La sauvegarde vient d'une version plus récente de RadX (${manifest.radxVersion}, étape ${newer}). Mettez le programme à jour.`,
    )
  const client = await database.pool.connect()
  try {
    await requireAlone(client)
    if (!(await isEmpty(client)))
      throw new BackupError(
        'La base de données contient déjà des données. Restaurez dans un DATA_DIR vide, ou dans une base vide désignée par DATABASE_URL.',
      )
    await requireSame(dir, manifest)
    await schemaOf(database.db, manifest.schema)
    const boss = await startBoss(database, log)
    const missing: string[] = []
    try {
      await createQueues(boss, kinds)
      await client.query('begin')
      await client.query('set local statement_timeout = 0')
      // What the first start wrote by itself.
      await client.query('delete from setting')
      await client.query('truncate radar_product, radar_zone cascade')
      await loadTables(client, dir, manifest.tables)
      await migrateInside(client, manifest.schema)
      await client.query('update radar_frame set tiled = false, moved = false where tiled or moved')
      progress(`base de données : ${countFr(manifest.tables.length, 'table')}`)
      if (manifest.files !== null) await putFiles(options, client, missing)
      const { rows } = await client.query<{ id: string; kind: string }>(
        "select id, kind from job where status in ('pending', 'running') order by created_at",
      )
      const executeSql = (text: string, values?: unknown[]) => client.query(text, values)
      for (const { id, kind } of rows)
        if (kinds.some(({ name }) => name === kind))
          await boss.send(queueName(kind), { jobId: id }, { db: { executeSql } })
      await client.query('commit')
      if (rows.length > 0) progress(`calculs repris : ${rows.length}`)
    } finally {
      await boss.stop({ graceful: false })
    }
    return { manifest, missing }
  } finally {
    client.release(true)
  }
}

/** A server beside would see its data change under its feet. */
async function requireAlone(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int - 1 as others from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1
      and database = (select oid from pg_database where datname = current_database())`,
    [PRESENCE_LOCK],
  )
  if (rows[0].others > 0)
    throw new BackupError('Un autre programme RadX utilise cette base. Arrêtez-le avant de restaurer.')
}

/** Gives the empty database the schema that the backup was made with; its tables are emptied. */
async function schemaOf(db: Kysely<Database>, steps: string[]): Promise<void> {
  const known = Object.keys(migrations)
  if (known.every((step) => steps.includes(step))) return
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind in ('r', 'p')
      and relnamespace = 'public'::regnamespace`.execute(db)
  await sql`drop table ${sql.join(rows.map(({ name }) => sql.table(name)))} cascade`.execute(db)
  await migrateToLatest(
    db,
    Object.fromEntries(Object.entries(migrations).filter(([step]) => steps.includes(step))),
  )
}

/** Takes the loaded schema up to date within the client's transaction. */
async function migrateInside(client: pg.PoolClient, steps: string[]): Promise<void> {
  const one = { query: client.query.bind(client), release: () => undefined }
  const pool = { connect: async () => one, end: async () => undefined }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: pool as never }) })
  for (const [step, { up }] of Object.entries(migrations).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (steps.includes(step)) continue
    await up(db)
    await client.query('insert into radx_migration (name, timestamp) values ($1, $2)', [
      step,
      new Date().toISOString(),
    ])
  }
}

async function putFiles(
  { config, dir, progress }: RestoreOptions,
  client: pg.ClientBase,
  missing: string[],
): Promise<void> {
  const from = new FsFrameStore(join(dir, 'store'))
  const frames = openFrameStore(config)
  let count = 0
  for await (const { name, refs } of frameFiles(client)) {
    const bytes = await readFile(from.path(name)).catch(() => null)
    const end = Math.max(...refs.map(({ offset, length }) => offset + length))
    if (bytes === null || bytes.length < end)
      throw new BackupError(
        `Le fichier d'images de ${name.product} du ${name.day} manque ou est incomplet dans la sauvegarde. Prenez une autre sauvegarde.`,
      )
    await frames.put(name, [bytes.subarray(0, end)])
    count++
  }
  progress(`images : ${countFr(count, 'fichier')}`)
  const files = openFileStore(config)
  const staging = join(config.dataDir, 'staging', `restore-${randomUUID()}`)
  await mkdir(staging, { recursive: true })
  count = 0
  for (const { name } of await originals(client)) {
    const path = inside(join(dir, 'archive'), name)
    if (!(await stat(path).catch(() => null))) {
      missing.push(`original ${name}`)
      continue
    }
    // Archiving takes the file away from where it was, and the backup must stay.
    const copy = join(staging, 'original')
    await copyFile(path, copy)
    await files.keepOriginal(copy, name)
    count++
  }
  progress(`originaux : ${countFr(count, 'fichier')}`)
  count = 0
  for (const { name } of await folders(client)) {
    const path = inside(dir, name)
    if (!(await stat(path).catch(() => null))) {
      missing.push(name)
      continue
    }
    const copy = join(staging, randomUUID())
    await cp(path, copy, { recursive: true })
    await files.putFolder(copy, name)
    count++
  }
  progress(`résultats et bassins : ${countFr(count, 'dossier')}`)
}
