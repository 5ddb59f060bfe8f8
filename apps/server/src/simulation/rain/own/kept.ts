import { createHash } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { RadxError } from '@radx/contracts/errors'
import type { OwnPictures } from './pictures.ts'

/** What a number of kept pictures takes, bytes. */
const VALUE_BYTES = 4
/** Of a head: a picture has two times there. */
const MOST_BYTES = 64 * 2 ** 20

type Head = Omit<OwnPictures, 'frames'> & { spans: [number, number][] }

/** Kept pictures do not read as what was kept. */
class OwnRainDamaged extends RadxError {
  override readonly name = 'OwnRainDamaged'
  constructor() {
    super(
      'rain.file',
      500,
      'Les images de cette pluie sont endommagées. Supprimez-la, puis envoyez-la de nouveau.',
    )
  }
}

/** Pictures as one block of bytes: a line of JSON, padded, then float32 (little-endian) `[picture][cell]`, zstd. */
export function encodePictures({ frames, ...about }: OwnPictures): Buffer {
  const head: Head = { ...about, spans: frames.map(({ fromS, toS }) => [fromS, toS]) }
  const text = Buffer.from(JSON.stringify(head))
  const line = Buffer.concat([
    text,
    Buffer.alloc(VALUE_BYTES - 1 - (text.length % VALUE_BYTES), ' '),
    Buffer.from('\n'),
  ])
  const values = frames.map(({ ratesMmH }) =>
    Buffer.from(ratesMmH.buffer, ratesMmH.byteOffset, ratesMmH.byteLength),
  )
  return zstdCompressSync(Buffer.concat([line, ...values]))
}

/** @param hash that was kept with the bytes. @throws OwnRainDamaged */
export function decodePictures(bytes: Buffer, hash: string): OwnPictures {
  if (hashOf(bytes) !== hash) throw new OwnRainDamaged()
  const whole = zstdDecompressSync(bytes, { maxOutputLength: MOST_BYTES })
  const end = whole.indexOf('\n') + 1
  const { spans, ...about } = JSON.parse(whole.toString('utf8', 0, end)) as Head
  const cells = about.geometry.nrows * about.geometry.ncols
  if (whole.length !== end + VALUE_BYTES * cells * spans.length) throw new OwnRainDamaged()
  const values = new Float32Array(new Uint8Array(whole.subarray(end)).buffer)
  return {
    ...about,
    frames: spans.map(([fromS, toS], k) => ({
      fromS,
      toS,
      ratesMmH: values.subarray(k * cells, (k + 1) * cells),
    })),
  }
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
