import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { decodeText } from '@radx/formats/decode-text'
import { SourceRefused } from '../findings.ts'

/** Where a recipe's paths begin. */
export class RecipeFolder {
  private readonly dir: string

  constructor(dir: string) {
    this.dir = dir
  }

  path(name: string): string {
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
