import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../..')
/** Where everything that the page shows is written. */
const SOURCES = ['apps/web/src', 'packages/charts/src', 'packages/locale/src', 'packages/contracts/src']

/** Characters of the faces that the page loads, each as far as its `unicode-range` lets the browser use it. */
function fontCharacters(): Set<number> {
  const sheet = createRequire(import.meta.url).resolve('@fontsource-variable/inter/wght.css')
  const faces = readFileSync(sheet, 'utf8').matchAll(/url\((\S+?\.woff2)\)[\s\S]*?unicode-range:([^;]+);/g)
  const found = new Set<number>()
  for (const [, file, ranges] of faces) {
    const offered = ranges.split(',').map((range) => {
      const [from, to = from] = range.trim().slice(2).split('-')
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
    })
    for (const code of cmapOf(readFileSync(join(dirname(sheet), file))))
      if (offered.some(([from, to]) => code >= from && code <= to)) found.add(code)
  }
  return found
}

/** Code points that a WOFF2 file has glyphs for (W3C WOFF2 §4 and OpenType `cmap`, formats 4 and 12). */
function cmapOf(file: Buffer): number[] {
  const known = 'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca'.match(/.{4} ?/g)!
  let at = 48
  const base128 = () => {
    let value = 0
    for (;;) {
      const byte = file[at++]
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
  }
  let offset = 0
  let cmap: { offset: number; length: number } | null = null
  for (let k = 0; k < file.readUInt16BE(12); k++) {
    const flags = file[at++]
    const tag = flags & 0x3f
    if (tag === 0x3f) at += 4
    const length = base128()
    const isGlyphs = tag === 10 || tag === 11
    const isTransformed = isGlyphs ? flags >> 6 !== 3 : flags >> 6 !== 0
    const stored = isTransformed ? base128() : length
    if (tag === 0 && known[tag].startsWith('cmap')) cmap = { offset, length: stored }
    offset += stored
  }
  const tables = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)))
  const table = tables.subarray(cmap!.offset, cmap!.offset + cmap!.length)
  const codes: number[] = []
  for (let k = 0; k < table.readUInt16BE(2); k++) {
    const sub = table.subarray(table.readUInt32BE(4 + 8 * k + 4))
    const format = sub.readUInt16BE(0)
    const segments: [number, number][] = []
    if (format === 12)
      for (let g = 0; g < sub.readUInt32BE(12); g++)
        segments.push([sub.readUInt32BE(16 + 12 * g), sub.readUInt32BE(20 + 12 * g)])
    if (format === 4) {
      const count = sub.readUInt16BE(6) / 2
      for (let s = 0; s < count; s++)
        segments.push([sub.readUInt16BE(16 + 2 * (count + s)), sub.readUInt16BE(14 + 2 * s)])
    }
    for (const [from, to] of segments) for (let c = from; c <= to && c < 0xffff; c++) codes.push(c)
  }
  return codes
}

/** What a source file can show: its characters outside comments, escapes too. */
function shown(text: string): Set<number> {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/ .*$/gm, '')
  const escaped = code.replace(/\\u([0-9a-f]{4})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return new Set([...escaped].map((character) => character.codePointAt(0) as number))
}

test('the bundled font has every character of the texts and the components', () => {
  const has = fontCharacters()
  // The reader reads: French letters are there, Japanese ones are not.
  expect([...'aéœ«»’…−'].every((letter) => has.has(letter.codePointAt(0) as number))).toBe(true)
  expect(has.has(0x3042)).toBe(false)
  const missing = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter(({ name }) => /(?<!\.test)\.tsx?$/.test(name))
      .flatMap(({ parentPath, name }) => {
        const path = join(parentPath, name)
        return (
          [...shown(readFileSync(path, 'utf8'))]
            // A space of any width draws nothing.
            .filter((code) => code > 0x7e && !has.has(code) && !/\s/.test(String.fromCodePoint(code)))
            .map((code) => `${relative(ROOT, path)}: U+${code.toString(16).padStart(4, '0')}`)
        )
      }),
  )
  expect(missing).toEqual([])
})
