import { INTENSITY_CLASSES } from '@radx/contracts'
import { palettePng } from './palette-png.ts'

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
  const colors = Buffer.alloc(16 * 3)
  const alpha = Buffer.alloc(16)
  for (const [k, { color }] of INTENSITY_CLASSES.entries()) {
    colors.write(color.slice(1), 3 * (k + 1), 'hex')
    alpha[k + 1] = 255
  }
  return palettePng({ width: steps, height: steps, bits: 4, raw, colors, alpha, level: 6 })
}
