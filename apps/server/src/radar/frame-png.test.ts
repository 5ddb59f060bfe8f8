import { CLASS_NO_DATA, INTENSITY_CLASSES } from '@radx/contracts'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { framePng } from './frame-png.ts'

describe('PNG of a frame', () => {
  test.each([8, 9])(
    '%i steps: every cell has its class colour, dry and missing ones are transparent',
    (steps) => {
      const codes = Array.from({ length: steps * steps }, (_, i) => (i % 11 === 10 ? CLASS_NO_DATA : i % 9))
      const block = new Uint8Array(Math.ceil(codes.length / 2))
      for (const [i, code] of codes.entries()) block[i >> 1] |= code << (i % 2 === 0 ? 4 : 0)
      const png = PNG.sync.read(framePng(block, steps))
      expect([png.width, png.height]).toEqual([steps, steps])
      for (const [i, code] of codes.entries()) {
        const [r, g, b, a] = png.data.subarray(4 * i, 4 * i + 4)
        if (code === 0 || code === CLASS_NO_DATA) expect(a).toBe(0)
        else
          expect(`#${Buffer.from([r, g, b]).toString('hex')}/${a}`).toBe(
            `${INTENSITY_CLASSES[code - 1].color}/255`,
          )
      }
    },
  )
})
