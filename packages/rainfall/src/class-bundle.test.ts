import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ClassBundleDecoder,
  type ClassFrame,
  classBlockLength,
  encodeClassBlock,
  encodeClassBundleHeader,
  unpackClassBlock,
} from './class-bundle.ts'
import { intensityClassTable } from './classes.ts'
import { crc32 } from './crc32.ts'
import { RATE_NO_DATA } from './rates.ts'

const concat = (parts: Uint8Array[]) => {
  const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
const time = (i: number) => `2021-07-04T15:${String(i).padStart(2, '0')}:00Z`

describe('class bundle', () => {
  test('bytes are those of the description, put together by hand', () => {
    const header = encodeClassBundleHeader({ product: 'p', steps: 3, times: ['2021-07-04T15:50:00Z'] })
    const json = '{"product":"p","steps":3,"times":["2021-07-04T15:50:00Z"]}'
    expect(new TextDecoder().decode(header.subarray(0, 4))).toBe('RXF1')
    expect([...header.subarray(4, 8)]).toEqual([60, 0, 0, 0])
    expect(new TextDecoder().decode(header.subarray(8))).toBe(`${json}  `)
    // 0, 0.39, 0.4 / 1, 100, no data / 10, 30, 50 mm/h
    const codes = Uint16Array.from([0, 39, 40, 100, 10000, RATE_NO_DATA, 1000, 3000, 5000])
    expect([...encodeClassBlock(codes)]).toEqual([0x00, 0x12, 0x8f, 0x46, 0x70])
  })

  test('frames come back whatever the size of the chunks, each as soon as it is complete', () => {
    const code = fc.oneof(fc.nat(20000), fc.constant(RATE_NO_DATA), fc.constant(0))
    const bundle = fc.integer({ min: 1, max: 7 }).chain((steps) =>
      fc.record({
        steps: fc.constant(steps),
        frames: fc.array(fc.array(code, { minLength: steps * steps, maxLength: steps * steps }), {
          maxLength: 5,
        }),
        cuts: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
      }),
    )
    fc.assert(
      fc.property(bundle, ({ steps, frames, cuts }) => {
        const header = { product: 'dpsri', steps, times: frames.map((_, i) => time(i)) }
        const blocks = frames.map((codes) => encodeClassBlock(Uint16Array.from(codes)))
        const head = encodeClassBundleHeader(header)
        const bytes = concat([head, ...blocks])
        const decoder = new ClassBundleDecoder()
        const got: ClassFrame[] = []
        for (let at = 0, k = 0; at < bytes.length; k++) {
          const end = Math.min(bytes.length, at + cuts[k % cuts.length])
          got.push(...decoder.push(bytes.subarray(at, end)))
          at = end
          const due = Math.max(0, Math.floor((at - head.length) / classBlockLength(steps)))
          expect(got).toHaveLength(due)
        }
        expect(decoder.finish()).toEqual(header)
        got.forEach((frame, i) => {
          expect(frame.index).toBe(i)
          expect(frame.time).toBe(time(i))
          expect([...unpackClassBlock(frame.block, steps)]).toEqual(
            frames[i].map((c) => intensityClassTable()[c]),
          )
        })
      }),
    )
  })

  test('a bundle without frames is whole after its header', () => {
    const decoder = new ClassBundleDecoder()
    expect(decoder.push(encodeClassBundleHeader({ product: 'sri', steps: 500, times: [] }))).toEqual([])
    expect(decoder.finish().times).toEqual([])
  })

  test('damaged bundles are refused with a code', () => {
    const header = { product: 'dpsri', steps: 2, times: [time(0)] }
    const whole = concat([encodeClassBundleHeader(header), new Uint8Array(2)])
    const read = (bytes: Uint8Array) => () => {
      const decoder = new ClassBundleDecoder()
      decoder.push(bytes)
      decoder.finish()
    }
    const code = (expected: string) => expect.objectContaining({ code: `classBundle.${expected}` })
    expect(read(whole)).not.toThrow()
    expect(read(whole.subarray(0, whole.length - 1))).toThrow(code('truncated'))
    expect(read(whole.subarray(0, 3))).toThrow(code('truncated'))
    expect(read(concat([whole, new Uint8Array(1)]))).toThrow(code('excess'))
    expect(read(new TextEncoder().encode('<html><body>502</body></html>'))).toThrow(code('magic'))
    const long = whole.slice()
    new DataView(long.buffer).setUint32(4, 0xfffffffc, true)
    expect(read(long)).toThrow(code('header'))
    const garbled = whole.slice()
    garbled[8] = 0x7d
    expect(read(garbled)).toThrow(code('header'))
    expect(read(encodeClassBundleHeader({ ...header, steps: 1e6 }))).toThrow(code('header'))
  })

  test('a block that is not the one of its checksum is refused by its time', () => {
    const block = Uint8Array.from([0x12, 0x34])
    const header = {
      product: 'dpsri',
      steps: 2,
      times: [time(0), time(1)],
      crc32: [crc32(block), crc32(block)],
    }
    const read = (second: Uint8Array) => () =>
      new ClassBundleDecoder().push(concat([encodeClassBundleHeader(header), block, second]))
    expect(read(block)()).toHaveLength(2)
    for (let bit = 0; bit < 16; bit++) {
      const flipped = block.slice()
      flipped[bit >> 3] ^= 1 << (bit & 7)
      expect(read(flipped)).toThrow(
        expect.objectContaining({
          code: 'classBundle.checksum',
          message: expect.stringContaining(time(1)),
        }),
      )
    }
  })

  test('a header that is none is refused, whatever part of it is wrong', () => {
    const sound = { product: 'dpsri', steps: 2, times: [time(0)] }
    const read = (header: unknown) => () => {
      new ClassBundleDecoder().push(encodeClassBundleHeader(header as typeof sound))
    }
    expect(read(sound)).not.toThrow()
    expect(read({ ...sound, steps: 2000 })).not.toThrow()
    for (const wrong of [
      null,
      [],
      {},
      { ...sound, product: 3 },
      { ...sound, steps: 0 },
      { ...sound, steps: -1 },
      { ...sound, steps: 1.5 },
      { ...sound, steps: '2' },
      { ...sound, steps: 2001 },
      { ...sound, times: 'x' },
      { ...sound, times: [time(0), 3] },
      { ...sound, crc32: [] },
    ])
      expect(read(wrong), JSON.stringify(wrong)).toThrow(
        expect.objectContaining({
          code: 'classBundle.header',
          message: 'Les images radar reçues sont illisibles (en-tête). Rechargez la page.',
        }),
      )
    const prefix = (length: number) => {
      const bytes = encodeClassBundleHeader(sound).slice()
      new DataView(bytes.buffer).setUint32(4, length, true)
      return () => new ClassBundleDecoder().push(bytes)
    }
    // No header at all, one that is not padded, one larger than any.
    for (const length of [0, 61, 16 * 1024 * 1024 + 4])
      expect(prefix(length)).toThrow(expect.objectContaining({ code: 'classBundle.header' }))
    expect(prefix(16 * 1024 * 1024)()).toEqual([])
  })

  test('a header that is no UTF-8 or JSON is refused with what the reader said', () => {
    const bytes = encodeClassBundleHeader({ product: 'dpsri', steps: 2, times: [] }).slice()
    bytes[bytes.indexOf(0x70, 12)] = 0xff
    const refusal = (broken: Uint8Array) => {
      try {
        new ClassBundleDecoder().push(broken)
      } catch (error) {
        return error
      }
    }
    for (const broken of [bytes, encodeClassBundleHeader('x' as never).fill(0x7b, 8)])
      expect(refusal(broken)).toMatchObject({
        code: 'classBundle.header',
        message: 'Les images radar reçues sont illisibles. Rechargez la page.',
        cause: expect.anything(),
      })
  })

  test('frames decoded are counted as they come', () => {
    const decoder = new ClassBundleDecoder()
    decoder.push(encodeClassBundleHeader({ product: 'p', steps: 2, times: [time(0), time(1)] }))
    expect(decoder.frames).toBe(0)
    decoder.push(new Uint8Array(3))
    expect(decoder.frames).toBe(1)
    expect(() => decoder.finish()).toThrow(/incomplète/)
    decoder.push(new Uint8Array(1))
    expect(decoder.frames).toBe(2)
    expect(() => decoder.push(new Uint8Array(1))).toThrow(/données en trop/)
    expect(() => new ClassBundleDecoder().push(new Uint8Array(8))).toThrow(/signature inconnue/)
  })
})
