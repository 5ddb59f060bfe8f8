import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RadxError } from '@radx/contracts'
import { z } from 'zod'

export const MANIFEST = 'manifest.json'

/** What a backup folder holds; it is written last, so that a folder without it is no backup. */
const manifestSchema = z.object({
  format: z.literal('radx-backup'),
  version: z.literal(1),
  radxVersion: z.string(),
  createdAt: z.string(),
  site: z.string(),
  /** Steps of the database's schema, by name. */
  schema: z.array(z.string()),
  tables: z.array(
    z.object({
      name: z.string().regex(/^[a-z_]+$/),
      columns: z.array(z.string()),
      rows: z.number(),
      /** Of the file `database/<name>.copy.zst`. */
      sha256: z.string(),
    }),
  ),
  /** Of every file of the backup, by its name in the folder; absent in backups of version 3.0.1. */
  sha256: z.record(z.string(), z.string()).optional(),
  /** null when only the database was asked for. */
  files: z.object({ frameFiles: z.number(), originals: z.number(), folders: z.number() }).nullable(),
})

export type Manifest = z.infer<typeof manifestSchema>

export class BackupError extends RadxError {
  override readonly name = 'BackupError'
  constructor(messageFr: string, cause?: unknown) {
    super('backup.failed', 422, messageFr, { cause })
  }
}

/** @throws BackupError when the folder holds no whole backup */
export async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, MANIFEST), 'utf8').catch((cause) => {
    throw new BackupError(
      `« ${dir} » n'est pas une sauvegarde achevée (il y manque ${MANIFEST}). Vérifiez le dossier, ou refaites la sauvegarde.`,
      cause,
    )
  })
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new BackupError(
      `${MANIFEST} de « ${dir} » n'est pas lisible par cette version de RadX. Mettez le programme à jour, ou prenez une autre sauvegarde.`,
      cause,
    )
  }
}

export async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  const part = join(dir, `${MANIFEST}.part`)
  await writeFile(part, `${JSON.stringify(manifest, null, 1)}\n`)
  await rename(part, join(dir, MANIFEST))
}
