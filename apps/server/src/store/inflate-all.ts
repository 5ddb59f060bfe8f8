import { zstdDecompressSync } from 'node:zlib'

/** zlib takes no smaller pieces of output. */
export const LEAST_CHUNK = 64
/** Most that is opened together. */
const TOGETHER_BYTES = 4 * 2 ** 20

/**
 * What zstd frames hold, in their order. Those of one size are opened together: opening the decoder anew for each takes
 * several times as long as what it does with a few kilobytes.
 * @param most bytes that a frame may hold
 * @throws Error for a frame that is torn or holds more
 */
export function inflateAll(frames: readonly Uint8Array[], most: number): Buffer[] {
  const out = new Array<Buffer>(frames.length)
  const single = (k: number) => {
    out[k] = zstdDecompressSync(frames[k], { maxOutputLength: most })
  }
  const ofOneSize = Map.groupBy(frames.keys(), (k) => contentSize(frames[k]))
  for (const [size, same] of ofOneSize) {
    if (size === null || size < LEAST_CHUNK || size > most) {
      same.forEach(single)
      continue
    }
    const atOnce = Math.max(1, Math.floor(TOGETHER_BYTES / size))
    for (let from = 0; from < same.length; from += atOnce) {
      const batch = same.slice(from, from + atOnce)
      const raw =
        batch.length > 1
          ? inflateRow(
              batch.map((k) => frames[k]),
              size,
            )
          : null
      if (raw === null) batch.forEach(single)
      else for (const [i, k] of batch.entries()) out[k] = raw.subarray(i * size, (i + 1) * size)
    }
  }
  return out
}

/** Frames of `size` bytes each one after another; null where they are not just that, for whatever reason. */
export const inflateRow = (frames: readonly Uint8Array[], size: number): Buffer | null =>
  inflateJoined(Buffer.concat(frames), frames.length, size)

/** The same of `count` frames that stand one after another already. */
export function inflateJoined(bytes: Uint8Array, count: number, size: number): Buffer | null {
  const length = count * size
  if (length === 0 || size < LEAST_CHUNK) return null
  try {
    // The decoder goes on to the next frame when a piece is full, so pieces are of the size of a frame.
    const raw = zstdDecompressSync(bytes, { maxOutputLength: length, chunkSize: size })
    return raw.length === length ? raw : null
  } catch {
    return null
  }
}

/** Bytes that the head of a zstd frame says it holds (RFC 8878, 3.1.1.1); null where it says nothing. */
function contentSize(frame: Uint8Array): number | null {
  if (frame.length < 18) return null
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length)
  if (view.getUint32(0, true) !== 0xfd2fb528) return null
  const descriptor = view.getUint8(4)
  const isOneSegment = (descriptor & 0x20) !== 0
  const at = 5 + (isOneSegment ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]
  switch (descriptor >> 6) {
    case 0:
      return isOneSegment ? view.getUint8(at) : null
    case 1:
      return view.getUint16(at, true) + 256
    case 2:
      return view.getUint32(at, true)
    default:
      return Number(view.getBigUint64(at, true))
  }
}
