import { createHash } from 'node:crypto'
import type { MeltingLayer } from '@radx/polarimetry/melting'
import {
  type CatchmentWeights,
  catchmentQuality,
  catchmentStatistics,
  encodeClassBlock,
  encodeQualityBlock,
  type FrameStatistics,
  frameStatistics,
  meanQuality,
} from '@radx/rainfall'
import { type ClassSegment, toSegment } from './class-segments.ts'
import { packCodes } from './frame-codec.ts'
import { packQuality } from './quality-codec.ts'
import type { FrameSensor } from './schema.ts'

/** Means over one catchment or sub-catchment; null without data. */
interface ZoneValues {
  mean: (number | null)[]
  wetMean: (number | null)[]
  wetPct: (number | null)[]
}

/** What the store derives from a frame's codes; the same codes always give the same. */
export interface DerivedFrame {
  statistics: FrameStatistics
  /** `[zone ordinal - 1]`. */
  zones: ZoneValues
  classes: ClassSegment
}

/** Quality of a frame's rain, ready to be committed. */
export interface PreparedQuality {
  /** `packQuality` of its plane. */
  packed: Uint8Array
  /** Its classes, as a map shows them. */
  classes: ClassSegment
  /** 0 to 1; null without a cell that has one. */
  mean: number | null
  /** `[zone ordinal - 1]`. */
  zones: (number | null)[]
  /** Where snow melts, as other instruments knew it and the volume did not show. */
  melting?: MeltingLayer | null
}

/** A frame ready to be committed: everything that costs time is done. */
export interface PreparedFrame extends DerivedFrame {
  product: string
  /** Instant of the measurement, ms since 1970. */
  timeMs: number
  /** `packCodes` of the codes. */
  packed: Uint8Array
  /** Tells frames without rain apart; null for a frame with rain. */
  blankHash: string | null
  version: string
  name: string
  sensor: FrameSensor
  /** Factor that the file says its rain was adjusted by; absent where it says nothing. */
  bias?: number | null
  /** Absent where the file says nothing of it. */
  quality?: PreparedQuality
}

/** Room for one class block, used again from frame to frame. */
let block = new Uint8Array()

/** @param zones weights of each zone on the product's grid, `[zone ordinal - 1]` */
export function deriveFrame(codes: Uint16Array, zones: CatchmentWeights[]): DerivedFrame {
  const values: ZoneValues = { mean: [], wetMean: [], wetPct: [] }
  for (const zone of zones) {
    const s = catchmentStatistics(codes, zone)
    values.mean.push(s.meanMmH)
    values.wetMean.push(s.wetMeanMmH)
    values.wetPct.push(s.wetPct)
  }
  const length = Math.ceil(codes.length / 2)
  if (block.length !== length) block = new Uint8Array(length)
  return {
    statistics: frameStatistics(codes),
    zones: values,
    classes: toSegment(encodeClassBlock(codes, block)),
  }
}

/** @param bytes qualities of cells, see `encodeQuality` */
export const prepareQuality = (bytes: Uint8Array, zones: CatchmentWeights[]): PreparedQuality => ({
  packed: packQuality(bytes),
  classes: toSegment(encodeQualityBlock(bytes)),
  mean: meanQuality(bytes),
  zones: zones.map((zone) => catchmentQuality(bytes, zone)),
})

/**
 * @param codes rate codes on the product's grid, `[row * steps + col]`, row 0 north
 * @param quality of its cells, where it came with one
 */
export function prepareFrame(
  codes: Uint16Array,
  zones: CatchmentWeights[],
  about: Pick<PreparedFrame, 'product' | 'timeMs' | 'version' | 'name' | 'sensor' | 'bias'>,
  quality?: Uint8Array | null,
): PreparedFrame {
  const derived = deriveFrame(codes, zones)
  const packed = packCodes(codes)
  const blankHash = derived.statistics.wetCount > 0 ? null : createHash('sha256').update(packed).digest('hex')
  return {
    ...about,
    ...derived,
    packed,
    blankHash,
    ...(quality && { quality: prepareQuality(quality, zones) }),
  }
}
