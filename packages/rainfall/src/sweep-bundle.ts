import type { CodeOf } from '@radx/contracts/errors'
import { FormatError } from '@radx/contracts/errors'
import {
  SWEEP_BUNDLE_MAGIC,
  SWEEP_FIRST_CODE,
  SWEEP_NO_DATA,
  SWEEP_NO_ECHO,
  type SweepBundleHeader,
} from '@radx/contracts/sweep-bundle'
import { encodeBundleHeader } from './bundle-header.ts'
import { crc32 } from './crc32.ts'

/** Codes that stand for values. */
const VALUE_CODES = 65_536 - SWEEP_FIRST_CODE
/** Finest step of a code, in the field's unit: ten times finer than what a radar tells apart. */
const FINEST = 0.01
/** The same for shares from 0 to 1, such as a correlation. */
const FINEST_SHARE = 0.0001

/** What an encoder is told of a field; the rest of the header follows from its values. */
export type SweepField = Omit<SweepBundleHeader, 'offset' | 'gain' | 'crc32'>

/**
 * A field of a sweep as the bytes that are sent. Values are rounded to a hundredth of their unit, shares to a
 * ten-thousandth; fields of a wider range to its 65,533rd part.
 * @param values `[ray * nbins + bin]`; NaN no data, -Infinity no echo
 */
export function encodeSweepBundle(field: SweepField, values: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const { offset, gain } = scaleOf(field.unit, values)
  const codes = new Uint8Array(2 * values.length)
  for (let k = 0; k < values.length; k++) {
    const value = values[k]
    const code = Number.isFinite(value)
      ? SWEEP_FIRST_CODE + Math.round((value - offset) / gain)
      : value === Number.NEGATIVE_INFINITY
        ? SWEEP_NO_ECHO
        : SWEEP_NO_DATA
    codes[2 * k] = code & 255
    codes[2 * k + 1] = code >> 8
  }
  const header: SweepBundleHeader = { ...field, offset, gain, crc32: crc32(codes) }
  const head = encodeBundleHeader(SWEEP_BUNDLE_MAGIC, header)
  const bytes = new Uint8Array(head.length + codes.length)
  bytes.set(head)
  bytes.set(codes, head.length)
  return bytes
}

/** Steps of codes: fine ones that start at a whole number of them, coarser ones where the range is too wide. */
function scaleOf(unit: string, values: ArrayLike<number>): { offset: number; gain: number } {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let k = 0; k < values.length; k++) {
    if (!Number.isFinite(values[k])) continue
    if (values[k] < low) low = values[k]
    if (values[k] > high) high = values[k]
  }
  if (low > high) return { offset: 0, gain: FINEST }
  // A share from -1 to 1, or codes of classes: these are whole at either step.
  const finest = unit === '1' && high <= 2 && low >= -1 ? FINEST_SHARE : FINEST
  const gain = Math.max(finest, (high - low) / (VALUE_CODES - 2))
  return { offset: gain === finest ? Math.floor(low / gain) * gain : low, gain }
}

const damaged = (code: CodeOf<'sweepBundle'>, why: string) =>
  new FormatError(`sweepBundle.${code}`, `Le balayage reçu est illisible (${why}). Rechargez la page.`)

export interface DecodedSweep {
  header: SweepBundleHeader
  /** `[ray * nbins + bin]`. */
  codes: Uint16Array<ArrayBuffer>
}

/** @throws FormatError `sweepBundle.magic`, `.header`, `.truncated`, `.checksum` */
export function decodeSweepBundle(bytes: Uint8Array): DecodedSweep {
  const { header, start } = headOf(bytes)
  if (crc32(bytes.subarray(start)) !== header.crc32) throw damaged('checksum', 'somme de contrôle')
  return { header, codes: codesOf(bytes, start, header.nrays * header.nbins) }
}

/**
 * One ray of a bundle whose bytes were checked otherwise; null where none looks towards that azimuth.
 * @throws FormatError `sweepBundle.magic`, `.header`, `.truncated`
 */
export function decodeSweepRay(
  bytes: Uint8Array,
  azimuth: number,
): { header: SweepBundleHeader; ray: number; codes: Uint16Array<ArrayBuffer> } | null {
  const { header, start } = headOf(bytes)
  const ray = rayFinder(header.azimuthDeg)(azimuth)
  if (ray < 0) return null
  return { header, ray, codes: codesOf(bytes, start + 2 * ray * header.nbins, header.nbins) }
}

function headOf(bytes: Uint8Array): { header: SweepBundleHeader; start: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 8) throw damaged('truncated', 'réponse incomplète')
  if (new TextDecoder('latin1').decode(bytes.subarray(0, 4)) !== SWEEP_BUNDLE_MAGIC)
    throw damaged('magic', 'signature inconnue')
  const start = 8 + view.getUint32(4, true)
  if (start > bytes.length) throw damaged('truncated', 'réponse incomplète')
  const header = parseHeader(bytes.subarray(8, start))
  if (bytes.length !== start + 2 * header.nrays * header.nbins)
    throw damaged('truncated', 'réponse incomplète')
  return { header, start }
}

function codesOf(bytes: Uint8Array, start: number, count: number): Uint16Array<ArrayBuffer> {
  const codes = new Uint16Array(count)
  for (let k = 0; k < count; k++) codes[k] = bytes[start + 2 * k] | (bytes[start + 2 * k + 1] << 8)
  return codes
}

function parseHeader(bytes: Uint8Array): SweepBundleHeader {
  let header: unknown
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw damaged('header', 'en-tête')
  }
  const h = (header ?? {}) as Partial<SweepBundleHeader>
  const sound =
    typeof h.unit === 'string' &&
    Number.isInteger(h.nrays) &&
    Number.isInteger(h.nbins) &&
    Array.isArray(h.azimuthDeg) &&
    h.azimuthDeg.length === h.nrays &&
    [h.offset, h.gain, h.rangeStartM, h.rangeStepM, h.elevationDeg].every(Number.isFinite)
  if (!sound) throw damaged('header', 'en-tête')
  return h as SweepBundleHeader
}

/** Value of a code: NaN no data, -Infinity no echo. */
export function sweepValue(
  { offset, gain }: Pick<SweepBundleHeader, 'offset' | 'gain'>,
  code: number,
): number {
  if (code === SWEEP_NO_DATA) return Number.NaN
  if (code === SWEEP_NO_ECHO) return Number.NEGATIVE_INFINITY
  return offset + (code - SWEEP_FIRST_CODE) * gain
}

/** Rays reach this share of the usual step on either side: what is wider stays a gap. */
const REACH = 0.75

/**
 * Finds the ray that looks towards an azimuth: the nearest one, -1 where none does.
 * @param azimuthDeg middles of the rays, rising
 */
export function rayFinder(azimuthDeg: ArrayLike<number>): (azimuth: number) => number {
  const count = azimuthDeg.length
  const steps = Array.from(
    { length: count },
    (_, k) => (azimuthDeg[(k + 1) % count] - azimuthDeg[k] + 360) % 360,
  )
  const reach = REACH * (steps.sort((a, b) => a - b)[count >> 1] ?? 0)
  return (azimuth) => {
    let best = -1
    let nearest = reach
    for (let ray = 0; ray < count; ray++) {
      const off = Math.abs(((((azimuthDeg[ray] - azimuth) % 360) + 540) % 360) - 180)
      if (off > nearest) continue
      nearest = off
      best = ray
    }
    return best
  }
}
