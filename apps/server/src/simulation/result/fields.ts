import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { type EsriGrid, readEsriAscii } from '@radx/formats/esri-ascii'
import { checkFolder } from '../../store/folder-checksums.ts'
import { OutputMissing } from '../errors.ts'
import { KEPT_HEAD, KEPT_NONE, keptName } from '../run/outputs.ts'

const unpack = promisify(zstdDecompress)

/**
 * A field of a result, `[row * ncols + col]`, NaN outside: from what was kept as numbers, else (of a run of before, or where
 * that is damaged) from the file that everybody reads. Either is held against its checksum.
 * @param name of that file, an ESRI ASCII grid
 * @throws OutputMissing
 */
export async function readField(dir: string, name: string): Promise<EsriGrid> {
  return (await readKept(dir, name).catch(() => null)) ?? (await readText(dir, name))
}

async function readText(dir: string, name: string): Promise<EsriGrid> {
  try {
    await checkFolder(dir, [name])
    return readEsriAscii(await readFile(join(dir, name), 'utf8'), name)
  } catch {
    throw new OutputMissing(name)
  }
}

async function readKept(dir: string, name: string): Promise<EsriGrid> {
  const kept = keptName(name)
  await checkFolder(dir, [kept])
  const bytes = await unpack(await readFile(join(dir, kept)))
  const [ncols, nrows, xll, yll, cellSize, decimals] = new Float64Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 8 * KEPT_HEAD),
  )
  const from = bytes.byteOffset + 8 * KEPT_HEAD
  const codes = new Int32Array(bytes.buffer.slice(from, from + 4 * ncols * nrows))
  const scale = 10 ** decimals
  const data = new Float64Array(codes.length)
  for (let k = 0; k < data.length; k++) data[k] = codes[k] === KEPT_NONE ? Number.NaN : codes[k] / scale
  return { ncols, nrows, xll, yll, cellSize, noData: Number.NaN, data }
}
