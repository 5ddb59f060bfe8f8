/**
 * The sweep bundle: how one field of a sweep travels to the page (`GET /api/radar-volumes/{id}/sweeps/{n}/moments/{name}`).
 *
 * | bytes            | what                                                                            |
 * |------------------|---------------------------------------------------------------------------------|
 * | 0-3              | ASCII `RXS1`                                                                    |
 * | 4-7              | uint32 little-endian: length of the header in bytes, a multiple of 4            |
 * | 8-               | header: UTF-8 JSON `SweepBundleHeader`, padded with spaces                      |
 * | after the header | a uint16 little-endian a gate, `[ray * nbins + bin]`                            |
 *
 * Codes: 0 no data, 1 measured without an echo, from 2 on `offset + (code - 2) * gain` in the field's unit.
 */
export const SWEEP_BUNDLE_MAGIC = 'RXS1'
export const SWEEP_BUNDLE_TYPE = 'application/x-radx-sweep'
export const SWEEP_NO_DATA = 0
export const SWEEP_NO_ECHO = 1
export const SWEEP_FIRST_CODE = 2

/** What is done to a volume, in the order in which it is done; `moments` is what was measured. */
export const SWEEP_STAGES = [
  'moments',
  'rain_echo',
  'zdr',
  'phase',
  'kdp',
  'zphi_fixed',
  'zphi_self',
  'rain',
  'clutter',
  'corrected',
  'classes',
  'estimate',
  'quality',
] as const
export type SweepStage = (typeof SWEEP_STAGES)[number]

/** Where the gates of a sweep lie. */
export interface SweepGeometry {
  elevationDeg: number
  nrays: number
  nbins: number
  /** Middle of each ray, clockwise from north, rising. */
  azimuthDeg: number[]
  /** Along the beam to the near edge of the first gate, and the length of a gate. */
  rangeStartM: number
  rangeStepM: number
}

export interface SweepBundleHeader extends SweepGeometry {
  stage: SweepStage
  name: string
  unit: string
  offset: number
  gain: number
  /** CRC-32 of the codes. */
  crc32: number
}
