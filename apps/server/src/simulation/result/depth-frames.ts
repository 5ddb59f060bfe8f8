import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { OutputMissing } from '../errors.ts'
import { DEPTH_FRAMES, type GridFrames } from '../run/outputs.ts'

const indexSchema = z.object({
  type: z.literal('uint16le'),
  unit: z.enum(['mm', '0.1 mm/h']),
  compression: z.literal('zstd'),
  nrows: z.int().min(1),
  ncols: z.int().min(1),
  xll: z.number(),
  yll: z.number(),
  cellSize: z.number().positive(),
  frames: z
    .array(
      z.object({
        timeS: z.number().min(0),
        offset: z.int().min(0),
        length: z.int().min(1),
        missing: z.number().min(0).max(1).optional(),
      }),
    )
    .min(1),
})
export type DepthFrameIndex = z.infer<typeof indexSchema>

/** @throws OutputMissing also when the index is no such index */
export async function readFrameIndex(dir: string, of: GridFrames = DEPTH_FRAMES): Promise<DepthFrameIndex> {
  try {
    const index = indexSchema.parse(JSON.parse(await readFile(join(dir, of.index), 'utf8')))
    if (index.unit === of.unit) return index
  } catch {
    // Told below, as an index of something else is.
  }
  throw new OutputMissing(of.index)
}

/**
 * Codes of frames `from` to `to` (exclusive), one after the other: uint16, `[row * ncols + col]`, 65535 outside.
 * @throws OutputMissing when the file is missing, cut short or damaged
 */
export async function readFrames(
  dir: string,
  { nrows, ncols, frames }: DepthFrameIndex,
  from: number,
  to: number,
  { file: name }: GridFrames = DEPTH_FRAMES,
): Promise<Uint16Array> {
  const cells = nrows * ncols
  const wanted = frames.slice(from, to)
  const depths = new Uint16Array(cells * wanted.length)
  const file = await open(join(dir, name)).catch(() => {
    throw new OutputMissing(name)
  })
  try {
    for (const [k, { offset, length }] of wanted.entries()) {
      const packed = Buffer.alloc(length)
      const { bytesRead } = await file.read(packed, 0, length, offset)
      const bytes = bytesRead === length ? unpack(packed, 2 * cells) : null
      if (bytes === null) throw new OutputMissing(name)
      depths.set(new Uint16Array(bytes.buffer, bytes.byteOffset, cells), k * cells)
    }
  } finally {
    await file.close()
  }
  return depths
}

function unpack(packed: Buffer, length: number): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(zstdDecompressSync(packed, { maxOutputLength: length }))
    return bytes.length === length ? bytes : null
  } catch {
    return null
  }
}
