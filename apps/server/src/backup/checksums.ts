import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { hashFile } from '../store/file-moves.ts'
import { BackupError, MANIFEST, type Manifest } from './manifest.ts'

/** Files of a backup beside its manifest, by their names in it. */
async function filesOf(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => name !== MANIFEST && !/(^|\/)\.part-|\.part$/.test(name))
    .sort()
}

/** SHA-256 of every file of a backup. */
export async function checksumsOf(dir: string): Promise<Record<string, string>> {
  const checksums: Record<string, string> = {}
  for (const name of await filesOf(dir)) checksums[name] = (await hashFile(join(dir, name))).toString('hex')
  return checksums
}

/** Files of a backup that are gone or not what was written; none for one from before there were checksums. */
export async function changed(dir: string, { sha256 }: Manifest): Promise<string[]> {
  const wrong: string[] = []
  for (const [name, known] of Object.entries(sha256 ?? {})) {
    const found = await hashFile(join(dir, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return null
    })
    if (found?.toString('hex') !== known) wrong.push(name)
  }
  return wrong
}

/** @throws BackupError that names the first file that differs */
export async function requireSame(dir: string, manifest: Manifest): Promise<void> {
  const wrong = await changed(dir, manifest)
  if (wrong.length === 0) return
  throw new BackupError(
    `La sauvegarde est endommagée : ${wrong[0]}${wrong.length > 1 ? ` (et ${wrong.length - 1} de plus)` : ''}. « radx backup --check » donne la liste. Prenez une autre sauvegarde.`,
  )
}
