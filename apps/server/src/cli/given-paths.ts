import { mkdir, stat, writeFile } from 'node:fs/promises'
import { RadxError } from '@radx/contracts/errors'
import { UsageError } from './command.ts'

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)

/** Says before anything is computed that results could not be written. @throws UsageError for a path that is a file */
export async function checkOutFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error) => {
    // A file where a folder of the path should be.
    if (codeOf(error) === 'ENOTDIR') throw new UsageError(`--out ${path} passe par un fichier.`)
    return null
  })
  if (found && !found.isDirectory())
    throw new UsageError(`--out ${path} est un fichier : donnez un dossier, créé au besoin.`)
}

/** Makes the folder of results and those above it. @throws RadxError where that cannot be */
export async function makeOutFolder(path: string): Promise<void> {
  await checkOutFolder(path)
  await mkdir(path, { recursive: true }).catch((error) => {
    throw new RadxError('cli.out', 500, `le dossier ${path} ne peut pas être créé (${codeOf(error)}).`)
  })
}

/** Writes a result. @throws RadxError with the path and the system's reason */
export async function writeOut(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content).catch((error) => {
    const why = codeOf(error) === 'ENOSPC' ? 'le disque est plein' : codeOf(error)
    throw new RadxError('cli.out', 500, `${path} ne peut pas être écrit (${why}).`)
  })
}

/** Why an input cannot be read, in words. */
export function unreadable(path: string, error: unknown): UsageError {
  const said: Record<string, string> = {
    ENOENT: 'n’existe pas',
    ENOTDIR: 'n’existe pas',
    EISDIR: 'est un dossier : donnez un fichier',
    EACCES: 'ne peut pas être lu (droits)',
  }
  return new UsageError(`${path} ${said[codeOf(error)] ?? `ne peut pas être lu (${codeOf(error)})`}.`)
}
