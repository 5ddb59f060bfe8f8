import { lstatSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { decodeText } from '@radx/formats/decode-text'
import { SourceRefused } from '../findings.ts'

export interface FolderOptions {
  /** Paths may not leave this folder, be it by `..`, as absolute ones or through symbolic links. */
  root?: string
}

/** Where a recipe's paths begin. */
export class RecipeFolder {
  private readonly dir: string
  private readonly root: string | undefined

  constructor(dir: string, { root }: FolderOptions = {}) {
    this.dir = dir
    this.root = root
  }

  /** @throws SourceRefused for a path that leaves the root, where there is one */
  path(name: string): string {
    if (this.root !== undefined) return confinedPath(this.root, this.dir, name)
    return isAbsolute(name) ? name : join(this.dir, name)
  }

  /** A text with plain line ends, whatever mixture the file has. @throws SourceRefused */
  async text(name: string): Promise<string> {
    const bytes = await readFile(this.path(name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT')
        throw new SourceRefused(`${name} n’existe pas. Les chemins de la recette partent de son dossier.`)
      const why = error.code === 'EISDIR' ? 'n’est pas un fichier' : `ne peut être lu (${error.code})`
      throw new SourceRefused(`${name} ${why}.`)
    })
    return decodeText(bytes)
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?/g, '\n')
  }
}

/**
 * The true path of a name that begins in `dir` and stays below `root`. What does not exist yet is judged by the folder that
 * would hold it.
 * @throws SourceRefused for what leaves the root
 */
export function confinedPath(root: string, dir: string, name: string): string {
  const refuse = (why: string) =>
    new SourceRefused(
      `${name.replaceAll('\0', '?')} ${why}. Mettez le fichier dans le dossier de la recette et donnez son chemin à partir de là.`,
    )
  if (name.includes('\0')) throw refuse('n’est pas un nom de fichier')
  if (isAbsolute(name)) throw refuse('est un chemin absolu')
  const path = resolve(dir, name)
  if (!isBelow(resolve(root), path)) throw refuse('sort du dossier de la recette')
  const real = realPath(path)
  if (real === null || !isBelow(realpathSync(root), real))
    throw refuse('passe par un lien qui sort du dossier de la recette')
  return real
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Symbolic links followed; null for a link that leads nowhere. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    // A link whose end is missing could lead anywhere once that is made.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return null
    const above = dirname(path)
    const real = above === path ? path : realPath(above)
    return real === null ? null : join(real, path.slice(above.length))
  }
}
