import { CLASS_NO_DATA } from '@radx/contracts/constants'
import type { PeriodQuality } from '@radx/contracts/radar'
import type { CatchmentWeights } from './catchment-weights.ts'

/**
 * Quality of rain, 0 to 1, is kept in hundredths, a byte a cell. A cell without it says nothing: it is never taken for a
 * good one.
 */
export const QUALITY_STEPS = 100
export const QUALITY_NO_DATA = 255

/** Bytes of qualities `[row * steps + col]`, NaN where nobody knows. */
export function encodeQuality(quality: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(quality.length)
  for (let k = 0; k < bytes.length; k++) {
    const value = quality[k]
    bytes[k] = value >= 0 ? Math.round(Math.min(1, value) * QUALITY_STEPS) : QUALITY_NO_DATA
  }
  return bytes
}

export const decodeQuality = (byte: number): number =>
  byte === QUALITY_NO_DATA ? Number.NaN : byte / QUALITY_STEPS

export const decodeQualities = (bytes: Uint8Array): Float32Array => Float32Array.from(bytes, decodeQuality)

/** Classes of quality that a map shows: tenths, 1 to 10 by their upper ends. */
export const QUALITY_CLASSES = 10

/** Block of classes of a plane of qualities, two cells a byte as those of intensities. */
export function encodeQualityBlock(bytes: Uint8Array): Uint8Array {
  const tenth = QUALITY_STEPS / QUALITY_CLASSES
  const classOf = (byte: number) =>
    byte === QUALITY_NO_DATA ? CLASS_NO_DATA : Math.max(1, Math.ceil(byte / tenth))
  const block = new Uint8Array(Math.ceil(bytes.length / 2))
  for (let k = 0; k < bytes.length; k++) block[k >> 1] |= classOf(bytes[k]) << (k % 2 === 0 ? 4 : 0)
  return block
}

/** Mean over the cells that have a quality; null without any. */
export function meanQuality(bytes: Uint8Array): number | null {
  let [sum, count] = [0, 0]
  for (const byte of bytes)
    if (byte !== QUALITY_NO_DATA) {
      sum += byte
      count++
    }
  return count === 0 ? null : sum / count / QUALITY_STEPS
}

/** The same over a catchment, by the area of each cell inside it. */
export function catchmentQuality(
  bytes: Uint8Array,
  { cells, areasM2 }: Pick<CatchmentWeights, 'cells' | 'areasM2'>,
): number | null {
  let [sum, area] = [0, 0]
  for (let k = 0; k < cells.length; k++) {
    const byte = bytes[cells[k]]
    if (byte === QUALITY_NO_DATA) continue
    sum += areasM2[k] * byte
    area += areasM2[k]
  }
  return area === 0 ? null : sum / area / QUALITY_STEPS
}

/**
 * Quality of a total by the rain that each frame brought, by time where none fell: a dry hour that was seen well does not
 * make up for a storm that was not. Its share is that of the time whose frames say anything.
 * @param quality of each frame, null for one that says nothing
 * @param rateMmH mean rain of each frame
 * @param seconds that each frame stands for
 * @returns null where no frame says anything
 */
export function periodQuality(
  quality: readonly (number | null)[],
  rateMmH: readonly (number | null)[],
  seconds: ArrayLike<number>,
): PeriodQuality | null {
  let [byRain, rain, byTime, time, all] = [0, 0, 0, 0, 0]
  for (const [k, value] of quality.entries()) {
    all += seconds[k]
    if (value === null) continue
    const depth = (rateMmH[k] ?? 0) * seconds[k]
    byRain += value * depth
    rain += depth
    byTime += value * seconds[k]
    time += seconds[k]
  }
  if (time === 0) return null
  return { mean: rain > 0 ? byRain / rain : byTime / time, share: time / all }
}
