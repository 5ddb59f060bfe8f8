/**
 * The class bundle: how frames travel to the map (`GET /api/products/frames?p&s&e`, ours).
 * Answered with content-encoding zstd or gzip; what stands below is the decoded body, which can be
 * read as it streams in.
 *
 * | bytes                | what                                                                        |
 * |----------------------|-----------------------------------------------------------------------------|
 * | 0-3                  | ASCII `RXF1`                                                                |
 * | 4-7                  | uint32 little-endian: length of the header in bytes, a multiple of 4        |
 * | 8-                   | header: UTF-8 JSON `ClassBundleHeader`, padded with spaces                  |
 * | after the header     | one block a frame, in time order, each `ceil(steps * steps / 2)` bytes      |
 *
 * A block holds 4 bits a cell, `[row * steps + col]`, row 0 north; the even cell in the high half of
 * the byte. Codes: 0 below 0.4 mm/h, 1 to 8 the rows of INTENSITY_CLASSES, 15 no data.
 */
export const CLASS_BUNDLE_MAGIC = 'RXF1'
export const CLASS_BUNDLE_TYPE = 'application/x-radx-frames'

export interface ClassBundleHeader {
  product: string
  steps: number
  /** UTC instants of the frames, ISO 8601 with Z, ascending. */
  times: string[]
  /** CRC-32 of each frame's block, in the order of `times`; where it stands, readers look at it. */
  crc32?: number[]
  /**
   * Only in the answer of `GET /api/products/accumulation`: its one block holds codes 0 to 12, the rows
   * of the accumulation legend (CUMUL_CLASS_BOUNDS_MM), 15 no data; its time is the end of the period.
   */
  accumulation?: {
    start: string
    end: string
    /** Largest depth, mm; null without data. */
    maxMm: number | null
    /** Seconds of the period that no frame stands for. */
    missingSeconds: number
    /** Whether rain moved between frames; `raw` also where that was asked for and has not been followed yet. */
    method: 'moved' | 'raw'
  }
  /** Only of forecasts (`GET /api/nowcast/frames` and `chances`): the last frame that they know. */
  forecast?: { issued: string }
  /**
   * Only of `GET /api/nowcast/chances`: blocks hold the probability of more rain than this in tenths, 0 to 10, 15 where
   * nothing upstream was seen; `members` that it was counted from.
   */
  chance?: { aboveMmH: number; members: number }
  /** Only of rain adjusted to gauges: the name of the product, how it was made, and the factor of each frame. */
  adjustment?: { name: string; method: string; factors: number[] }
}
