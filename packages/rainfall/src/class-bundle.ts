import { CLASS_BUNDLE_MAGIC, type ClassBundleHeader } from '@radx/contracts/class-bundle'
import type { CodeOf } from '@radx/contracts/errors'
import { FormatError } from '@radx/contracts/errors'
import { encodeBundleHeader } from './bundle-header.ts'
import { intensityClassTable } from './classes.ts'
import { crc32 } from './crc32.ts'

/** Bytes of a frame's block: two cells a byte. */
export function classBlockLength(steps: number): number {
  return Math.ceil((steps * steps) / 2)
}

/** The bytes in front of the first block: magic, length, header padded with spaces to a multiple of 4. */
export const encodeClassBundleHeader = (header: ClassBundleHeader): Uint8Array<ArrayBuffer> =>
  encodeBundleHeader(CLASS_BUNDLE_MAGIC, header)

/** Block of intensity classes of a frame of rate codes `[row * steps + col]`, row 0 north. */
export function encodeClassBlock(
  codes: Uint16Array,
  out = new Uint8Array(Math.ceil(codes.length / 2)),
): Uint8Array {
  const table = intensityClassTable()
  const pairs = codes.length >> 1
  for (let i = 0; i < pairs; i++) out[i] = (table[codes[2 * i]] << 4) | table[codes[2 * i + 1]]
  if (codes.length % 2 === 1) out[pairs] = table[codes[codes.length - 1]] << 4
  return out
}

/** Class codes of a block, one byte a cell, `[row * steps + col]`. */
export function unpackClassBlock(
  block: Uint8Array,
  steps: number,
  out = new Uint8Array(steps * steps),
): Uint8Array {
  for (let i = 0; i < out.length; i++) out[i] = i % 2 === 0 ? block[i >> 1] >> 4 : block[i >> 1] & 15
  return out
}

export interface ClassFrame {
  index: number
  /** UTC instant of the frame, as in the header. */
  time: string
  /** Two cells a byte, the even one in the high half; a view of its own buffer. */
  block: Uint8Array<ArrayBuffer>
}

const MAX_HEADER_BYTES = 16 * 1024 * 1024
const MAX_STEPS = 2000

const damaged = (code: CodeOf<'classBundle'>, why: string) =>
  new FormatError(
    `classBundle.${code}`,
    `Les images radar reçues sont illisibles (${why}). Rechargez la page.`,
  )

function parseHeader(bytes: Uint8Array): ClassBundleHeader {
  let header: unknown
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new FormatError(
      'classBundle.header',
      'Les images radar reçues sont illisibles. Rechargez la page.',
      {
        cause,
      },
    )
  }
  const h = (header ?? {}) as Partial<ClassBundleHeader>
  const sound =
    typeof h.product === 'string' &&
    Number.isInteger(h.steps) &&
    (h.steps as number) > 0 &&
    (h.steps as number) <= MAX_STEPS &&
    Array.isArray(h.times) &&
    h.times.every((time) => typeof time === 'string') &&
    (h.crc32 === undefined || (Array.isArray(h.crc32) && h.crc32.length === h.times.length))
  if (!sound) throw damaged('header', 'en-tête')
  return h as ClassBundleHeader
}

/**
 * Reads a bundle as it streams in: every `push` answers the frames that its chunk completed, whatever
 * the chunks' sizes. `finish` after the last one.
 */
export class ClassBundleDecoder {
  header: ClassBundleHeader | null = null
  private pending = new Uint8Array(8)
  private filled = 0
  private stage: 'prefix' | 'header' | 'frames' = 'prefix'
  private next = 0

  /** Frames decoded so far. */
  get frames(): number {
    return this.next
  }

  /** @throws FormatError `classBundle.magic`, `.header`, `.excess`, or `.checksum` that names the frame */
  push(chunk: Uint8Array): ClassFrame[] {
    const frames: ClassFrame[] = []
    let at = 0
    while (at < chunk.length) {
      if (this.header !== null && this.next === this.header.times.length)
        throw damaged('excess', 'données en trop')
      const take = Math.min(this.pending.length - this.filled, chunk.length - at)
      this.pending.set(chunk.subarray(at, at + take), this.filled)
      this.filled += take
      at += take
      if (this.filled === this.pending.length) this.complete(frames)
    }
    return frames
  }

  /** @throws FormatError `classBundle.truncated` when frames that the header names are missing */
  finish(): ClassBundleHeader {
    if (this.header === null || this.next < this.header.times.length)
      throw damaged('truncated', 'réponse incomplète')
    return this.header
  }

  private complete(frames: ClassFrame[]): void {
    const done = this.pending
    this.filled = 0
    if (this.stage === 'prefix') {
      if (new TextDecoder('latin1').decode(done.subarray(0, 4)) !== CLASS_BUNDLE_MAGIC)
        throw damaged('magic', 'signature inconnue')
      const length = new DataView(done.buffer).getUint32(4, true)
      if (length === 0 || length % 4 !== 0 || length > MAX_HEADER_BYTES) throw damaged('header', 'en-tête')
      this.pending = new Uint8Array(length)
      this.stage = 'header'
      return
    }
    if (this.stage === 'header') {
      this.header = parseHeader(done)
      this.stage = 'frames'
    } else {
      const index = this.next++
      const { times, crc32: checks } = this.header as ClassBundleHeader
      if (checks !== undefined && crc32(done) !== checks[index])
        throw damaged('checksum', `image de ${times[index]} endommagée`)
      frames.push({ index, time: times[index], block: done })
    }
    this.pending = new Uint8Array(classBlockLength((this.header as ClassBundleHeader).steps))
  }
}
