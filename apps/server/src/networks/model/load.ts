import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { RadxError } from '@radx/contracts'
import { INP_MAX_BYTES } from '@radx/formats/inp/lines'
import { type InpResult, readInp } from '@radx/formats/inp/read'

/**
 * Reads a file of EPA SWMM with the files that it names.
 * @param runoff whether rain and runoff are read too
 * @param side text of a file that it names, null where there is none; by default what lies where it says, or beside it
 * @throws FormatError, RadxError
 */
export async function loadModel(
  path: string,
  runoff: boolean,
  side: (name: string) => string | null = (name) =>
    readSide(resolve(dirname(path), name.replaceAll('\\', '/'))),
): Promise<InpResult> {
  return readInp(await readNetwork(path), {
    file: basename(path),
    readFile: side,
    runoff,
    inlets: true,
  })
}

async function readNetwork(path: string): Promise<Uint8Array> {
  const refuse = (why: string) => new RadxError('sewer.file', 400, `${path} : ${why}`)
  try {
    const info = await stat(path)
    if (!info.isFile()) throw refuse("ce n'est pas un fichier. Donnez un fichier .inp.")
    if (info.size > INP_MAX_BYTES)
      throw refuse(
        `ligne 1 : ${Math.round(info.size / 1048576)} Mo, plus que les ${INP_MAX_BYTES / 1048576} Mo acceptés. Retirez les séries et les commentaires inutiles, ou découpez le réseau.`,
      )
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw refuse("le fichier n'existe pas. Vérifiez le chemin.")
    if (code === 'EACCES') throw refuse('le fichier ne peut pas être lu (droits).')
    throw error
  }
}

/** A file that the network names; where its folder is another machine's, one of that name beside the network. */
function readSide(path: string): string | null {
  for (const candidate of [path, resolve(dirname(path), basename(path))]) {
    try {
      return readFileSync(candidate, 'utf8')
    } catch {
      // The next place.
    }
  }
  return null
}
