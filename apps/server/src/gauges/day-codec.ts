import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Readings of a UTC day in the order of time. */
export interface DayReadings {
  /** Seconds since the day began. */
  seconds: Int32Array
  /** mm; NaN is missing. */
  mm: Float32Array
}

/** Bytes of a reading. */
export const READING_BYTES = 8
/** Most readings of a day: one a second. */
const MOST = 86_400
/** Most bytes of a day's readings. */
export const MOST_DAY_BYTES = READING_BYTES * MOST

/** Steps of time, then values, 4 bytes each, little-endian, zstd. */
export function encodeDay({ seconds, mm }: DayReadings): Buffer {
  const bytes = Buffer.alloc(8 * seconds.length)
  for (let i = 0; i < seconds.length; i++) {
    bytes.writeInt32LE(i === 0 ? seconds[0] : seconds[i] - seconds[i - 1], 4 * i)
    bytes.writeFloatLE(mm[i], 4 * (seconds.length + i))
  }
  return zstdCompressSync(bytes)
}

/** @throws RangeError for bytes that no day has */
export const decodeDay = (packed: Uint8Array): DayReadings =>
  readDay(zstdDecompressSync(packed, { maxOutputLength: MOST_DAY_BYTES }))

/** The same of bytes that were opened. */
export function readDay(bytes: Uint8Array): DayReadings {
  if (bytes.length % READING_BYTES !== 0) throw new RangeError('readings of a day have eight bytes each')
  const count = bytes.length / READING_BYTES
  // A copy begins where four bytes do.
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  const seconds = new Int32Array(copy, 0, count)
  for (let i = 1; i < count; i++) seconds[i] += seconds[i - 1]
  return { seconds, mm: new Float32Array(copy, 4 * count, count) }
}

/** Both in the order of time; of two readings of one second the first is kept. */
export const mergeDays = (kept: DayReadings, added: DayReadings): DayReadings =>
  merged(kept, added, (first) => first)

/**
 * Both in the order of time; of two readings of one second the one that came later is taken, unless it is missing.
 * @returns also what was replaced, as it was
 */
export function correctDay(
  kept: DayReadings,
  added: DayReadings,
): { readings: DayReadings; replaced: DayReadings } {
  const seconds: number[] = []
  const mm: number[] = []
  const readings = merged(kept, added, (before, after, second) => {
    if (Number.isNaN(after) || before === after) return before
    seconds.push(second)
    mm.push(before)
    return after
  })
  return { readings, replaced: { seconds: Int32Array.from(seconds), mm: Float32Array.from(mm) } }
}

function merged(
  kept: DayReadings,
  added: DayReadings,
  choose: (before: number, after: number, second: number) => number,
): DayReadings {
  const seconds: number[] = []
  const mm: number[] = []
  let [a, b] = [0, 0]
  while (a < kept.seconds.length || b < added.seconds.length) {
    const next = b >= added.seconds.length || kept.seconds[a] <= added.seconds[b] ? kept : added
    const i = next === kept ? a++ : b++
    const last = seconds.length - 1
    if (seconds[last] === next.seconds[i]) mm[last] = choose(mm[last], next.mm[i], seconds[last])
    else {
      seconds.push(next.seconds[i])
      mm.push(next.mm[i])
    }
  }
  return { seconds: Int32Array.from(seconds), mm: Float32Array.from(mm) }
}
