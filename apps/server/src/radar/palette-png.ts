import { crc32, deflateSync } from 'node:zlib'

export interface PalettePicture {
  width: number
  height: number
  /** Bits of a pixel. */
  bits: 4 | 8
  /** Rows, each with its filter byte (0) before it. */
  raw: Uint8Array
  /** Three bytes a colour. */
  colors: Buffer
  /** A byte a colour, 0 transparent. */
  alpha: Buffer
  /** How hard zlib tries, 1 to 9. */
  level: number
}

/** Pixels that name colours of a palette as a PNG. */
export function palettePng({ width, height, bits, raw, colors, alpha, level }: PalettePicture): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', colors),
    chunk('tRNS', alpha),
    chunk('IDAT', deflateSync(raw, { level })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body) >>> 0, body.length + 4)
  return out
}
