import { readFileSync } from 'node:fs'
import { FormatError, RadxError } from '@radx/contracts'
import { readInp } from '@radx/formats/inp/read'
import { writeInp } from '@radx/formats/inp/write'
import { createSewer } from '@radx/hydrology/sewer/solver'
import { describe, expect, test } from 'vitest'
import { hasReferenceData, referenceFiles } from './reference-data.ts'

/** Repeatable choice (Mulberry32). */
function dice(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below)
  }
}

const SCRAPS = [
  '',
  '0',
  '-1',
  '1e308',
  'NaN',
  '*',
  '"',
  ';',
  '[',
  '[OPTIONS]',
  '[XX]',
  'FREE',
  'é',
  '\u0000',
  '99999999999',
  'CIRCULAR',
  '-0.001',
]

/** A few words, characters or lines of a file changed, lost, doubled or moved. */
function mutate(text: string, roll: (below: number) => number): string {
  let lines = text.split('\n')
  for (let n = 1 + roll(4); n > 0; n--) {
    const at = roll(lines.length)
    const line = lines[at]
    const words = line.split(/\s+/)
    const kind = roll(7)
    if (kind === 0) lines.splice(at, 1 + roll(3))
    else if (kind === 1) lines.splice(at, 0, lines[roll(lines.length)])
    else if (kind === 2) {
      words[roll(words.length)] = SCRAPS[roll(SCRAPS.length)]
      lines[at] = words.join(' ')
    } else if (kind === 3) {
      words.splice(roll(words.length), 1)
      lines[at] = words.join(' ')
    } else if (kind === 4) lines[at] = line.slice(0, roll(line.length + 1))
    else if (kind === 5) {
      const k = roll(line.length + 1)
      lines[at] = line.slice(0, k) + String.fromCharCode(32 + roll(300)) + line.slice(k + 1)
    } else lines = lines.slice(0, Math.max(1, lines.length - roll(40)))
    if (lines.length === 0) lines = ['']
  }
  return lines.join('\n')
}

describe.skipIf(!hasReferenceData())('real networks, changed at random', () => {
  test('2,000 of them are read or refused with file and line, and what is read can be run', () => {
    const files = referenceFiles('sewer', /^extran.*\.inp$/).map((path) => readFileSync(path, 'utf8'))
    const counts = { read: 0, refused: 0, ran: 0 }
    for (let i = 0; i < 2000; i++) {
      const roll = dice(i + 1)
      const text = mutate(files[i % files.length], roll)
      try {
        const { network } = readInp(text, { file: 'essai.inp' })
        counts.read++
        if (i % 5 === 0) {
          const sewer = createSewer(network)
          for (let k = 0; k < 20; k++) sewer.step(30)
          const { error, inflow } = sewer.totals()
          expect(Math.abs(error)).toBeLessThan(1e-9 * Math.max(1, Math.abs(inflow)) + 1e-6)
          for (const head of sewer.heads) expect(Number.isFinite(head)).toBe(true)
          counts.ran++
        }
      } catch (error) {
        if (!(error instanceof RadxError)) throw new Error(`mutation ${i}: ${error}`, { cause: error })
        counts.refused++
        if (error instanceof FormatError) expect(error.message).toMatch(/^essai\.inp, ligne \d+ : ./)
      }
    }
    expect(counts.read).toBeGreaterThan(300)
    expect(counts.refused).toBeGreaterThan(300)
    expect(counts.ran).toBeGreaterThan(50)
  })

  test.each([
    ['sewer', /\.inp$/],
    ['melun', /\.inp$/],
  ])('every network of %s is read, written and read again to the same', (folder, pattern) => {
    for (const path of referenceFiles(folder, pattern)) {
      const { network, document } = readInp(readFileSync(path), { file: path })
      expect(readInp(writeInp(document), { file: path }).network).toEqual(network)
    }
  })
})
