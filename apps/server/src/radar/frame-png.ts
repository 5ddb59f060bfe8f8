import { crc32, deflateSync } from 'node:zlib'
import { INTENSITY_CLASSES } from '@radx/contracts'

/**
 * A frame's PNG: 4-bit palette, one pixel a cell, north up. A row of a class block is a row of such a
 * picture, bit for bit, which is why no picture library stands in between. Code 0 and code 15 (no
 * data) are transparent.
 * @param block 4-bit class codes, even cell in the high half; rows of `ceil(steps / 2)` bytes when
 *   `steps` is even, otherwise cells run on across rows
 */
export function framePng(block: Uint8Array, steps: number): Buffer {
  const rowBytes = Math.ceil(steps / 2)
  const raw = Buffer.alloc(steps * (rowBytes + 1))
  const cell = (i: number) => (i % 2 === 0 ? block[i >> 1] >> 4 : block[i >> 1] & 15)
  for (let row = 0; row < steps; row++) {
    const at = row * (rowBytes + 1) + 1
    if (steps % 2 === 0) raw.set(block.subarray(row * rowBytes, (row + 1) * rowBytes), at)
    else
      for (let col = 0; col < steps; col++)
        raw[at + (col >> 1)] |= cell(row * steps + col) << (col % 2 === 0 ? 4 : 0)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(steps, 0)
  header.writeUInt32BE(steps, 4)
  header.set([4, 3, 0, 0, 0], 8)
  const palette = Buffer.alloc(16 * 3)
  const alpha = Buffer.alloc(16)
  for (const [k, { color }] of INTENSITY_CLASSES.entries()) {
    palette.write(color.slice(1), 3 * (k + 1), 'hex')
    alpha[k + 1] = 255
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('tRNS', alpha),
    chunk('IDAT', deflateSync(raw, { level: 6 })),
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
