/**
 * Animated GIF (CompuServe, GIF89a). One table of 255 colours for the whole animation, the 256th for what stays as in
 * the picture before; no dithering, which would eat what the compression gains on flat classes.
 */
export class GifWriter {
  private readonly width: number
  private readonly height: number
  private readonly parts: Uint8Array<ArrayBuffer>[] = []
  private readonly palette: Uint8Array
  /** Place in the palette by the leading five bits of red, green and blue; -1 until it is asked for. */
  private readonly nearest = new Int16Array(32_768).fill(-1)
  private before: Uint8Array | null = null

  /** @param palette three bytes a colour, at most 255 of them, see `paletteOfPictures` */
  constructor(width: number, height: number, palette: Uint8Array) {
    this.width = width
    this.height = height
    this.palette = palette
    const screen = new Uint8Array(13)
    screen.set([...'GIF89a'].map((letter) => letter.charCodeAt(0)))
    screen.set([width & 255, width >> 8, height & 255, height >> 8, 0xf7, 0, 0], 6)
    const table = new Uint8Array(3 * 256)
    table.set(palette.subarray(0, 3 * TRANSPARENT))
    // Played again without end: the extension that Netscape brought.
    const loop = [0x21, 0xff, 11, ...[...'NETSCAPE2.0'].map((letter) => letter.charCodeAt(0)), 3, 1, 0, 0, 0]
    this.parts.push(screen, table, Uint8Array.from(loop))
  }

  /** @param rgba of the whole picture @param hundredths how long it stands, 1/100 s */
  add(rgba: Uint8ClampedArray, hundredths: number): void {
    const indices = new Uint8Array(this.width * this.height)
    for (let k = 0; k < indices.length; k++)
      indices[k] = this.place(rgba[4 * k], rgba[4 * k + 1], rgba[4 * k + 2])
    const { before } = this
    this.before = indices
    const shown =
      before === null ? indices : indices.map((index, k) => (index === before[k] ? TRANSPARENT : index))
    const box = before === null ? { x: 0, y: 0, width: this.width, height: this.height } : this.changed(shown)
    const control = [
      0x21,
      0xf9,
      4,
      before === null ? 0x04 : 0x05,
      hundredths & 255,
      hundredths >> 8,
      TRANSPARENT,
      0,
    ]
    const { x, y, width, height } = box
    const image = [0x2c, ...[x, y, width, height].flatMap((value) => [value & 255, value >> 8]), 0, 8]
    this.parts.push(Uint8Array.from(control), Uint8Array.from(image))
    const cut = new Uint8Array(width * height)
    for (let row = 0; row < height; row++) {
      const from = (y + row) * this.width + x
      cut.set(shown.subarray(from, from + width), row * width)
    }
    this.parts.push(blocks(lzw(cut)))
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.parts.push(Uint8Array.of(0x3b))
    const out = new Uint8Array(this.parts.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of this.parts) {
      out.set(part, at)
      at += part.length
    }
    return out
  }

  /** What of the picture is not as before; one pixel at least, since a picture cannot be empty. */
  private changed(shown: Uint8Array): { x: number; y: number; width: number; height: number } {
    let [left, top, right, bottom] = [this.width, this.height, -1, -1]
    for (let y = 0, k = 0; y < this.height; y++)
      for (let x = 0; x < this.width; x++, k++) {
        if (shown[k] === TRANSPARENT) continue
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = y
      }
    return right < 0
      ? { x: 0, y: 0, width: 1, height: 1 }
      : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
  }

  private place(r: number, g: number, b: number): number {
    const key = keyOf(r, g, b)
    if (this.nearest[key] < 0) this.nearest[key] = this.search(r, g, b)
    return this.nearest[key]
  }

  private search(r: number, g: number, b: number): number {
    let best = 0
    let least = Number.POSITIVE_INFINITY
    for (let k = 0; 3 * k < this.palette.length; k++) {
      const [dr, dg, db] = [this.palette[3 * k] - r, this.palette[3 * k + 1] - g, this.palette[3 * k + 2] - b]
      const away = 2 * dr * dr + 4 * dg * dg + 3 * db * db
      if (away < least) [best, least] = [k, away]
    }
    return best
  }
}

/** Place in the table for what stays as it was. */
const TRANSPARENT = 255

/** Compressed indices of eight bits (Welch 1984, with codes that grow from 9 to 12 bits). */
function lzw(indices: Uint8Array): Uint8Array {
  const CLEAR = 256
  const END = 257
  const out = new Uint8Array(Math.ceil((indices.length * 12) / 8) + 16)
  let size = 0
  let bits = 0
  let held = 0
  let width = 9
  const put = (code: number) => {
    held |= code << bits
    bits += width
    while (bits >= 8) {
      out[size++] = held & 255
      held >>>= 8
      bits -= 8
    }
  }
  // Code of each known string by that of its start and the index that follows; 0 is none.
  const known = new Uint16Array(4096 * 256)
  let next = END + 1
  put(CLEAR)
  let string = indices[0]
  for (let k = 1; k < indices.length; k++) {
    const key = (string << 8) | indices[k]
    if (known[key] !== 0) {
      string = known[key]
      continue
    }
    put(string)
    if (next < 4096) {
      known[key] = next++
      if (next > 1 << width && width < 12) width++
    } else {
      put(CLEAR)
      known.fill(0)
      next = END + 1
      width = 9
    }
    string = indices[k]
  }
  put(string)
  // The reader has entered one more string by now.
  if (next === 1 << width && width < 12) width++
  put(END)
  if (bits > 0) out[size++] = held & 255
  return out.subarray(0, size)
}

/** In blocks of up to 255 bytes, each behind its length. */
function blocks(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const count = Math.ceil(bytes.length / 255)
  const out = new Uint8Array(bytes.length + count + 1)
  for (let k = 0; k < count; k++) {
    const part = bytes.subarray(255 * k, 255 * (k + 1))
    out[256 * k] = part.length
    out.set(part, 256 * k + 1)
  }
  return out
}

/**
 * A table of at most 255 colours for pictures: those that must stay as they are, and for the rest the medians of boxes
 * that are halved where they spread most (Heckbert 1982).
 * @param kept colours of the classes, three bytes each
 * @param pictures RGBA of some of the pictures
 */
export function paletteOfPictures(kept: Uint8Array, pictures: readonly Uint8ClampedArray[]): Uint8Array {
  const counts = new Map<number, Counted>()
  for (const rgba of pictures)
    for (let k = 0; k < rgba.length; k += 4) {
      const [r, g, b] = [rgba[k], rgba[k + 1], rgba[k + 2]]
      const key = keyOf(r, g, b)
      const found = counts.get(key)
      if (found === undefined) counts.set(key, { key, count: 1, sums: [r, g, b] })
      else {
        found.count++
        found.sums[0] += r
        found.sums[1] += g
        found.sums[2] += b
      }
    }
  const most = TRANSPARENT - kept.length / 3
  let boxes: Box[] = [boxOf([...counts.values()])]
  while (boxes.length < most) {
    const widest = boxes.reduce((best, box) => (box.score > best.score ? box : best))
    if (widest.score === 0) break
    boxes = [...boxes.filter((box) => box !== widest), ...halves(widest)]
  }
  const means = boxes.flatMap(({ colors }) => {
    const all = colors.reduce((sum, { count }) => sum + count, 0)
    return [0, 1, 2].map((channel) =>
      Math.round(colors.reduce((sum, { sums }) => sum + sums[channel], 0) / Math.max(1, all)),
    )
  })
  return Uint8Array.from([...kept, ...means])
}

/** The leading five bits of red, green and blue. */
const keyOf = (r: number, g: number, b: number) => ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3)

/** Colours with the same leading bits. */
interface Counted {
  key: number
  count: number
  sums: [number, number, number]
}
interface Box {
  colors: Counted[]
  /** Leading bit of the channel that spreads most. */
  shift: number
  /** How much would be gained by halving it; 0 for a single colour. */
  score: number
}

function boxOf(colors: Counted[]): Box {
  let [shift, span] = [10, 0]
  for (const channel of [10, 5, 0]) {
    let [low, high] = [31, 0]
    for (const { key } of colors) {
      low = Math.min(low, (key >> channel) & 31)
      high = Math.max(high, (key >> channel) & 31)
    }
    if (high - low > span) [shift, span] = [channel, high - low]
  }
  const all = colors.reduce((sum, { count }) => sum + count, 0)
  return { colors, shift, score: colors.length < 2 ? 0 : span * Math.sqrt(all) }
}

function halves({ colors, shift }: Box): Box[] {
  const sorted = colors.toSorted((a, b) => ((a.key >> shift) & 31) - ((b.key >> shift) & 31))
  const half = sorted.reduce((sum, { count }) => sum + count, 0) / 2
  let [seen, cut] = [0, 0]
  while (cut < sorted.length - 1 && seen < half) seen += sorted[cut++].count
  cut = Math.min(sorted.length - 1, Math.max(1, cut))
  return [boxOf(sorted.slice(0, cut)), boxOf(sorted.slice(cut))]
}
