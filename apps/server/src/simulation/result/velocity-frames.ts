import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { OutputMissing } from '../errors.ts'
import { OUTPUT } from '../run/outputs.ts'

const indexSchema = z.object({
  type: z.literal('int16le'),
  unit: z.literal('cm/s'),
  compression: z.literal('zstd'),
  nrows: z.int().min(1),
  ncols: z.int().min(1),
  frames: z
    .array(z.object({ timeS: z.number().min(0), offset: z.int().min(0), length: z.int().min(1) }))
    .min(1),
})

/** A frame's velocities, cm/s, `[row * ncols + col]`. */
interface VelocityFrame {
  east: Int16Array
  north: Int16Array
}

/**
 * Velocities frame by frame, those of the depth frames in their order.
 * @returns false for a run of before, which has none
 * @throws OutputMissing when the file is cut short or damaged
 */
export async function eachVelocityFrame(
  dir: string,
  visit: (frame: VelocityFrame, k: number) => void,
): Promise<boolean> {
  const text = await readFile(join(dir, OUTPUT.velocityIndex), 'utf8').catch(() => null)
  if (text === null) return false
  const damaged = () => new OutputMissing(OUTPUT.velocity)
  let index: z.infer<typeof indexSchema>
  try {
    index = indexSchema.parse(JSON.parse(text))
  } catch {
    throw new OutputMissing(OUTPUT.velocityIndex)
  }
  const cells = index.nrows * index.ncols
  const file = await open(join(dir, OUTPUT.velocity)).catch(() => {
    throw damaged()
  })
  try {
    for (const [k, { offset, length }] of index.frames.entries()) {
      const packed = Buffer.alloc(length)
      const { bytesRead } = await file.read(packed, 0, length, offset)
      const codes = bytesRead === length ? unpack(packed, 4 * cells) : null
      if (codes === null) throw damaged()
      visit({ east: codes.subarray(0, cells), north: codes.subarray(cells) }, k)
    }
  } finally {
    await file.close()
  }
  return true
}

function unpack(packed: Buffer, length: number): Int16Array | null {
  try {
    const bytes = Uint8Array.from(zstdDecompressSync(packed, { maxOutputLength: length }))
    return bytes.length === length ? new Int16Array(bytes.buffer) : null
  } catch {
    return null
  }
}
