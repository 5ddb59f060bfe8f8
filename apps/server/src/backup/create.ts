import { randomUUID } from 'node:crypto'
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RADX_VERSION } from '@radx/contracts'
import { countFr } from '@radx/locale/format-fr'
import type pg from 'pg'
import type { DatabaseHandle } from '../db/database.ts'
import { hashFile } from '../store/file-moves.ts'
import { openFileStore } from '../store/file-store.ts'
import { FsFrameStore } from '../store/fs-frame-store.ts'
import { openFrameStore, type StorePlace } from '../store/open-frame-store.ts'
import { changed, checksumsOf } from './checksums.ts'
import { copyFrameFile, frameFiles } from './frame-files.ts'
import { BackupError, MANIFEST, type Manifest, readManifest, writeManifest } from './manifest.ts'
import { folders, originals } from './names.ts'
import { dumpTables } from './tables.ts'

export interface BackupOptions {
  database: DatabaseHandle
  config: StorePlace
  site: string
  dir: string
  /** Also frames, originals, results and catchments. */
  files: boolean
  now: Date
  progress(line: string): void
}

export interface BackupReport {
  manifest: Manifest
  /** Things that the database speaks of and the store could not give. */
  missing: string[]
}

/**
 * Backs up into a folder, beside running servers: the database in one snapshot, then every file that this
 * snapshot speaks of. A folder that holds an earlier backup gets only what is new; until it is whole
 * again it holds no manifest.
 */
export async function createBackup(options: BackupOptions): Promise<BackupReport> {
  const { database, dir } = options
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await dropChanged(dir)
  await rm(join(dir, MANIFEST), { force: true })
  const client = await database.pool.connect()
  try {
    await client.query('begin isolation level repeatable read, read only')
    await client.query('set local statement_timeout = 0')
    const { rows: steps } = await client.query<{ name: string }>(
      'select name from radx_migration order by name',
    )
    const tables = await dumpTables(client, dir)
    options.progress(`base de données : ${countFr(tables.length, 'table')}`)
    const missing: string[] = []
    const files = options.files ? await copyFiles(options, client, missing) : null
    await client.query('commit')
    const manifest: Manifest = {
      format: 'radx-backup',
      version: 1,
      radxVersion: RADX_VERSION,
      createdAt: options.now.toISOString(),
      site: options.site,
      schema: steps.map(({ name }) => name),
      tables,
      sha256: await checksumsOf(dir),
      files,
    }
    await writeManifest(dir, manifest)
    return { manifest, missing }
  } finally {
    // Whatever happened: a connection in an open transaction must not go back to the pool.
    client.release(true)
  }
}

/** Takes away what of an earlier backup is no longer what was written: it is copied anew. */
async function dropChanged(dir: string): Promise<void> {
  const earlier = await readManifest(dir).catch(() => null)
  if (earlier === null) return
  for (const name of await changed(dir, earlier)) {
    // A folder is copied whole or not at all.
    const unit = /^(archive|store|database)\//.test(name) ? name : dirname(name)
    await rm(inside(dir, unit), { recursive: true, force: true })
  }
}

async function copyFiles(
  { config, dir, progress }: BackupOptions,
  client: pg.ClientBase,
  missing: string[],
): Promise<Manifest['files']> {
  const counts = { frameFiles: 0, originals: 0, folders: 0 }
  const frames = openFrameStore(config)
  const copy = new FsFrameStore(join(dir, 'store'))
  for await (const file of frameFiles(client)) {
    const lost = await copyFrameFile(frames, copy, file)
    if (lost > 0)
      missing.push(
        `${countFr(lost, 'image illisible', 'images illisibles')} de ${file.name.product} ${file.name.day}`,
      )
    counts.frameFiles++
  }
  progress(`images : ${countFr(counts.frameFiles, 'fichier')}`)
  const files = openFileStore(config)
  for (const { name, bytes, hash } of await originals(client)) {
    const to = inside(join(dir, 'archive'), name)
    const held = await stat(to).catch(() => null)
    if (held?.size !== bytes) {
      await mkdir(dirname(to), { recursive: true })
      const part = `${to}.part`
      const copied = await files.copyOriginal(name, part)
      if (copied && !(await hashFile(part)).equals(hash)) missing.push(`original ${name} (endommagé)`)
      if (copied) await rename(part, to)
      else missing.push(`original ${name}`)
    }
    counts.originals++
  }
  progress(`originaux : ${countFr(counts.originals, 'fichier')}`)
  for (const { name } of await folders(client)) {
    const to = inside(dir, name)
    if (!(await stat(to).catch(() => null))) {
      const from = await files.folder(name)
      if (from === null) {
        missing.push(name)
        continue
      }
      const part = join(dir, `.part-${randomUUID()}`)
      await cp(from, part, { recursive: true })
      await mkdir(dirname(to), { recursive: true })
      await rename(part, to)
    }
    counts.folders++
  }
  progress(`résultats et bassins : ${countFr(counts.folders, 'dossier')}`)
  return counts
}

/** A path below a folder. @throws BackupError for a name that leads out of it */
export function inside(dir: string, name: string): string {
  if (name.split(/[/\\]/).includes('..')) throw new BackupError(`nom de fichier refusé : « ${name} »`)
  return join(dir, name)
}
