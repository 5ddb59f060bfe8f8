import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GifWriter, paletteOfPictures } from './gif.ts'

/** A reader of its own, after the GIF89a specification: every picture as the indices of the whole screen. */
function readGif(bytes: Uint8Array) {
  const word = (at: number) => bytes[at] | (bytes[at + 1] << 8)
  expect(String.fromCharCode(...bytes.subarray(0, 6))).toBe('GIF89a')
  const [width, height] = [word(6), word(8)]
  expect(bytes[10]).toBe(0xf7)
  const table = bytes.subarray(13, 13 + 768)
  let at = 13 + 768
  const screen = new Uint8Array(width * height)
  const pictures: { indices: Uint8Array; hundredths: number }[] = []
  let [transparent, hundredths] = [-1, 0]
  const chain = (): Uint8Array => {
    const parts: number[] = []
    for (let size = bytes[at++]; size > 0; size = bytes[at++]) {
      parts.push(...bytes.subarray(at, at + size))
      at += size
    }
    return Uint8Array.from(parts)
  }
  for (;;) {
    const kind = bytes[at++]
    if (kind === 0x3b) break
    if (kind === 0x21) {
      const label = bytes[at++]
      if (label === 0xf9) {
        transparent = (bytes[at + 1] & 1) === 1 ? bytes[at + 4] : -1
        hundredths = word(at + 2)
      }
      chain()
      continue
    }
    expect(kind).toBe(0x2c)
    const [left, top, w, h] = [word(at), word(at + 2), word(at + 4), word(at + 6)]
    expect(bytes[at + 8]).toBe(0)
    expect(bytes[at + 9]).toBe(8)
    at += 10
    const values = unpack(chain())
    expect(values.length).toBe(w * h)
    values.forEach((value, k) => {
      if (value !== transparent) screen[(top + Math.floor(k / w)) * width + left + (k % w)] = value
    })
    pictures.push({ indices: screen.slice(), hundredths })
  }
  expect(at).toBe(bytes.length)
  return { width, height, table, pictures }
}

/** The decoder of appendix F, with strings spelt out. */
function unpack(bytes: Uint8Array): number[] {
  let [position, width] = [0, 9]
  const take = () => {
    let code = 0
    for (let bit = 0; bit < width; bit++, position++)
      code |= ((bytes[position >> 3] >> (position & 7)) & 1) << bit
    return code
  }
  const first = () => Array.from({ length: 258 }, (_, k) => (k < 256 ? [k] : []))
  let strings = first()
  let before: number[] | null = null
  const out: number[] = []
  for (;;) {
    const code = take()
    if (code === 257) return out
    if (code === 256) {
      strings = first()
      width = 9
      before = null
      continue
    }
    const string: number[] = strings[code] ?? [...before!, before![0]]
    out.push(...string)
    if (before !== null && strings.length < 4096) strings.push([...before, string[0]])
    if (strings.length === 1 << width && width < 12) width++
    before = string
  }
}

/** Colours whose five leading bits tell them apart, as a table, and pictures of them. */
const COLORS = Array.from({ length: 60 }, (_, k) => [
  8 * (k % 4) + 4,
  8 * (k % 31) + 4,
  8 * Math.floor(k / 2) + 4,
])
const PALETTE = Uint8Array.from(COLORS.flat())
const picture = (indices: readonly number[]) =>
  Uint8ClampedArray.from(indices.flatMap((index) => [...COLORS[index], 255]))

test('every picture comes back as it was, the first whole and the others by what changed', () => {
  const size = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 30 }))
  fc.assert(
    fc.property(
      size,
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat(59)),
      ([w, h], count, stream) => {
        const sets = Array.from({ length: count }, () =>
          Array.from({ length: w * h }, () => stream.next().value as number),
        )
        const gif = new GifWriter(w, h, PALETTE)
        for (const indices of sets) gif.add(picture(indices), 10)
        const read = readGif(gif.finish())
        expect([read.width, read.height]).toEqual([w, h])
        expect(read.pictures.map(({ indices }) => [...indices])).toEqual(sets)
        expect(read.pictures.every(({ hundredths }) => hundredths === 10)).toBe(true)
      },
    ),
    { numRuns: 60 },
  )
})

test('tables of codes that fill up and start anew, and long runs, are read as they were written', () => {
  const side = 420
  // Noise fills the 4,096 codes many times; a run grows one string by its length.
  let seed = 1
  const noise = Array.from({ length: side * side }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 16) % 60
  })
  const half = noise.map((index, k) => (k < (side * side) / 2 ? 3 : index))
  const gif = new GifWriter(side, side, PALETTE)
  for (const indices of [noise, half, half]) gif.add(picture(indices), 7)
  const { pictures } = readGif(gif.finish())
  expect(pictures.map(({ indices }) => Buffer.compare(indices, pictures[0].indices))).not.toEqual([0, 0, 0])
  expect(Buffer.compare(pictures[0].indices, Uint8Array.from(noise))).toBe(0)
  expect(Buffer.compare(pictures[1].indices, Uint8Array.from(half))).toBe(0)
  // What stays as it was takes one pixel.
  expect(Buffer.compare(pictures[2].indices, Uint8Array.from(half))).toBe(0)
})

test('the table keeps the colours of the classes and has room for 255', () => {
  const gradient = new Uint8ClampedArray(4 * 256 * 256)
  for (let k = 0; k < 256 * 256; k++) gradient.set([k & 255, k >> 8, (k * 7) & 255, 255], 4 * k)
  const kept = Uint8Array.of(255, 0, 1, 3, 200, 40)
  const palette = paletteOfPictures(kept, [gradient])
  expect([...palette.subarray(0, 6)]).toEqual([255, 0, 1, 3, 200, 40])
  expect(palette.length).toBe(3 * 255)
  expect(paletteOfPictures(kept, [picture([0, 0, 1])]).length).toBe(3 * 4)
})
