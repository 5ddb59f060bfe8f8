import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { RadxError } from '@radx/contracts'
import type { InpResult } from '@radx/formats/inp/read'
import { type Theirs, theirsOf } from '../../networks/model/compare.ts'

/**
 * Reads the file of `--compare`.
 * @throws RadxError when it is missing, neither a report nor a result file, or of another network
 */
export async function readTheirs(
  path: string,
  { network, runoff }: Pick<InpResult, 'network' | 'runoff'>,
): Promise<Theirs> {
  try {
    const info = await stat(path)
    if (!info.isFile()) throw new RadxError('sewer.compare', 400, `${path} : ce n'est pas un fichier.`)
    return theirsOf(
      await readFile(path),
      basename(path),
      network,
      (runoff?.subcatchments ?? []).map(({ name }) => name),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new RadxError(
        'sewer.compare',
        400,
        `${path} : le fichier n'existe pas. Vérifiez le chemin de --compare.`,
      )
    throw error
  }
}
