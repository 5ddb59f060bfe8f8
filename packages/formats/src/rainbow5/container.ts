import { inflateSync } from 'node:zlib'
import type { CodeOf } from '@radx/contracts/errors'
import { FormatError } from '@radx/contracts/errors'
import { decodeText } from '../decode-text.ts'
import { assertFileSize } from '../limits.ts'
import { parseXml, type XmlElement, XmlError } from '../xml.ts'

const END_XML = '<!-- END XML -->'
const MAX_HEADER_BYTES = 8 * 2 ** 20
const COPY_AGAIN = 'Copiez-le de nouveau depuis le radar.'

/** A Rainbow 5 file cut into its parts: XML header and the binary blocks that it numbers. */
export interface Rainbow5Container {
  root: XmlElement
  blobs: Map<number, Blob5>
}

interface Blob5 {
  compressed: boolean
  bytes: Buffer
}

export function refuse(
  code: CodeOf<'rainbow5'>,
  messageFr: string,
  details?: Record<string, unknown>,
): FormatError {
  return new FormatError(`rainbow5.${code}`, messageFr, { details })
}

/**
 * Cuts a Rainbow 5 file: an XML header up to `<!-- END XML -->`, then blocks
 * `<BLOB blobid="0" size="735" compression="qt">` newline, `size` bytes, newline, `</BLOB>`.
 * Nothing is inflated yet.
 * @throws FormatError `rainbow5.empty`, `.tooLarge`, `.notRainbow5`, `.badHeader`, `.truncated`, `.badBlob`
 */
export function openRainbow5(input: Uint8Array): Rainbow5Container {
  assertFileSize('rainbow5', input.length)
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  const start = bytes.subarray(0, 512).toString('latin1').trimStart()
  if (!/^(<\?xml|<(product|volume)\b)/.test(start.replace('\u00ef\u00bb\u00bf', '')))
    throw refuse(
      'notRainbow5',
      "Le fichier n'est pas au format Rainbow 5. Vérifiez son extension et le dossier où il a été déposé.",
    )
  const headerEnd = bytes.subarray(0, MAX_HEADER_BYTES).indexOf(END_XML)
  if (headerEnd < 0)
    throw refuse('truncated', `Le fichier Rainbow 5 est tronqué, son en-tête n'a pas de fin. ${COPY_AGAIN}`)
  return {
    root: parseHeader(bytes.subarray(0, headerEnd)),
    blobs: cutBlobs(bytes, headerEnd + END_XML.length),
  }
}

function parseHeader(bytes: Buffer): XmlElement {
  try {
    return parseXml(decodeText(bytes))
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    throw new FormatError(
      'rainbow5.badHeader',
      `L'en-tête XML du fichier Rainbow 5 est abîmé. ${COPY_AGAIN}`,
      { cause: error, details: { offset: error.offset, reason: error.message } },
    )
  }
}

function cutBlobs(bytes: Buffer, from: number): Map<number, Blob5> {
  const blobs = new Map<number, Blob5>()
  let at = from
  for (;;) {
    while (at < bytes.length && bytes[at] <= 0x20) at++
    if (at >= bytes.length) return blobs
    const tagEnd = bytes.subarray(at, at + 512).indexOf('>')
    const tag = tagEnd < 0 ? '' : bytes.toString('latin1', at, at + tagEnd + 1)
    if (!/^<BLOB\s/.test(tag)) {
      // A cut inside the tag is a truncation; anything else is damage.
      const cut = tagEnd < 0 && bytes.length - at < 512
      throw refuse(
        cut ? 'truncated' : 'badBlob',
        `Le fichier Rainbow 5 est ${cut ? 'tronqué' : 'abîmé'} après son bloc ${blobs.size - 1}. ${COPY_AGAIN}`,
        { offset: at },
      )
    }
    const id = wholeNumber(/\sblobid\s*=\s*["'](\d{1,9})["']/.exec(tag)?.[1])
    const size = wholeNumber(/\ssize\s*=\s*["'](\d{1,12})["']/.exec(tag)?.[1])
    const compression = /\scompression\s*=\s*["']([^"']*)["']/.exec(tag)?.[1] ?? 'none'
    if (id === undefined || size === undefined || blobs.has(id))
      throw refuse('badBlob', `Un bloc du fichier Rainbow 5 est mal décrit. ${COPY_AGAIN}`, { tag })
    if (compression !== 'qt' && compression !== 'none')
      throw refuse(
        'unsupported',
        `Le bloc ${id} du fichier Rainbow 5 est comprimé par « ${compression} », seul « qt » est lu. Réglez l'export du radar.`,
        { id, compression },
      )
    at += tagEnd + 1
    if (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) at += 2
    else if (bytes[at] === 0x0a) at++
    if (size > bytes.length - at)
      throw refuse(
        'truncated',
        `Le fichier Rainbow 5 est tronqué, le bloc ${id} annonce ${size} octets et il en reste ${bytes.length - at}. ${COPY_AGAIN}`,
        { id, size, left: bytes.length - at },
      )
    blobs.set(id, { compressed: compression === 'qt', bytes: bytes.subarray(at, at + size) })
    at += size
    while (at < bytes.length && bytes[at] <= 0x20) at++
    const closing = bytes.toString('latin1', at, at + 7)
    if (closing !== '</BLOB>')
      throw refuse(
        '</BLOB>'.startsWith(closing) ? 'truncated' : 'badBlob',
        `Le bloc ${id} du fichier Rainbow 5 n'a pas la longueur annoncée. ${COPY_AGAIN}`,
        { id, size },
      )
    at += 7
  }
}

function wholeNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

/**
 * One block's content, inflated. The header says how many bytes there must be (`allowed`, one or several
 * layouts); the block's own 4-byte length must agree before anything is allocated, and inflation stops there.
 * @throws FormatError `rainbow5.missingBlob`, `.badBlob`
 */
export function readBlob(file: Rainbow5Container, id: number, allowed: readonly number[]): Buffer {
  const blob = file.blobs.get(id)
  if (!blob)
    throw refuse('missingBlob', `Le bloc ${id} manque dans le fichier Rainbow 5. ${COPY_AGAIN}`, { id })
  const declared = blob.compressed
    ? blob.bytes.length >= 4
      ? blob.bytes.readUInt32BE(0)
      : -1
    : blob.bytes.length
  const wrong = (cause?: unknown): FormatError =>
    new FormatError(
      'rainbow5.badBlob',
      `Le bloc ${id} du fichier Rainbow 5 est abîmé ou n'a pas la taille annoncée par l'en-tête. ${COPY_AGAIN}`,
      { cause, details: { id, declared, allowed } },
    )
  if (!allowed.includes(declared)) throw wrong()
  if (!blob.compressed) return blob.bytes
  let inflated: Buffer
  try {
    inflated = inflateSync(blob.bytes.subarray(4), {
      maxOutputLength: Math.max(1, declared),
      // In one piece: a picture in pieces of 16 kB is put together by another copy.
      chunkSize: Math.min(2 ** 22, Math.max(64, declared + 1)),
    })
  } catch (error) {
    throw wrong(error)
  }
  if (inflated.length !== declared) throw wrong()
  return inflated
}
