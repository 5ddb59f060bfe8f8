import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RADX_VERSION } from '@radx/contracts'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { RunState } from './run-state.ts'
import { decodeState, encodeState, STATE_FORMAT } from './state-bytes.ts'
import { openStateFile, readStateFile } from './state-file.ts'

const root = mkdtempSync(join(tmpdir(), 'radx-state-'))
afterAll(() => rmSync(root, { recursive: true }))
const hash = 'ab'.repeat(32)

/** A state of all types of values, with values that are easily lost. */
const STATE: RunState = {
  about: {
    identity: {
      ...{ catchment: 'petit', terrain: hash, landUse: hash, parameters: hash, network: hash },
      ...{ gullies: hash, start: hash, soil: true, drainage: false, soilState: 'dry' },
    },
    engine: {
      ...{ kernels: hash, choice: 'auto', scheme: 'inertial', schemeReason: 'éprouvé' },
      froude: { looked: 3, above05: 0.1, above1: 0 },
    },
    ...{ timeS: 1236.000000001, results: { intervals: 6, intervalS: 206, perFrame: 2 } },
  },
  engine: {
    numbers: new Map([
      ['a.timeS', -0],
      ['a.appliedS', Number.NEGATIVE_INFINITY],
      ['b.x', 0.1 + 0.2],
    ]),
    sections: [
      { name: 'a.f64', values: Float64Array.of(1 / 3, Number.NaN, -0, 5e-324) },
      { name: 'a.f32', values: Float32Array.of(1 / 3, Number.POSITIVE_INFINITY) },
      { name: 'a.empty', values: new Float64Array(0) },
      { name: 'b.i32', values: Int32Array.of(-1, 2 ** 31 - 1) },
      { name: 'b.u32', values: Uint32Array.of(2 ** 32 - 1) },
    ],
  },
  record: {
    numbers: new Map([['nextLookS', 30]]),
    sections: [{ name: 'u8', values: Uint8Array.from({ length: 3000 }, (_, k) => (k * k) % 251) }],
  },
}

const bits = ({ values }: { values: ArrayBufferView }) =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('hex')

/** What a reader says of bytes: a code and words. */
function said(bytes: Uint8Array): string {
  try {
    decodeState(bytes, 'x.state')
    return 'read'
  } catch (error) {
    const { code, message } = error as Error & { code: string }
    return `${code}: ${message}`
  }
}

describe('a state as bytes', () => {
  const bytes = encodeState(STATE)

  test('reads back to the last bit, and is the same bytes for the same state', () => {
    const read = decodeState(bytes, 'x.state')
    expect(read.about).toEqual(STATE.about)
    for (const part of ['engine', 'record'] as const) {
      expect([...read[part].numbers]).toEqual([...STATE[part].numbers])
      expect(Object.is(read.engine.numbers.get('a.timeS'), -0)).toBe(true)
      expect(read[part].sections.map(({ name, values }) => [name, values.constructor.name])).toEqual(
        STATE[part].sections.map(({ name, values }) => [name, values.constructor.name]),
      )
      expect(read[part].sections.map(bits)).toEqual(STATE[part].sections.map(bits))
    }
    expect(Buffer.from(encodeState(read)).equals(bytes)).toBe(true)
  })

  test('a flipped bit is refused, wherever it is', () => {
    const flips = fc.record({ at: fc.nat(bytes.length - 1), bit: fc.nat(7) })
    fc.assert(
      fc.property(flips, ({ at, bit }) => {
        const damaged = bytes.slice()
        damaged[at] ^= 1 << bit
        expect(said(damaged)).toMatch(/^state\.(file|format|damaged): x\.state /)
      }),
      { numRuns: 200 },
    )
  })

  test('a file that is cut off, or goes on, is refused', () => {
    for (const length of [8, 20, 40, 56, 400, bytes.length - 1])
      expect(said(bytes.subarray(0, length))).toMatch(/^state.damaged: x.state est incomplet : \d+ octets/)
    expect(said(Buffer.concat([bytes, Buffer.of(0)]))).toMatch(/^state.damaged: .*abîmé/)
  })

  test('what is no state is told from a damaged one', () => {
    for (const other of [
      new Uint8Array(0),
      Buffer.from('RADX'),
      Buffer.from('ncols 12\n'),
      randomBytes(5000),
    ])
      expect(said(other)).toMatch(/^state.file: x.state n’est pas un état de RadX/)
  })

  test('another version of the format is named, an older one too', () => {
    for (const format of [STATE_FORMAT - 1, STATE_FORMAT + 1]) {
      const other = Buffer.from(bytes)
      other.writeUInt32LE(format, 8)
      expect(said(other)).toContain(
        `est un état au format ${format} ; cette version de RadX (${RADX_VERSION}) lit`,
      )
    }
  })
})

describe('a state as a file', () => {
  const path = join(root, 'a.state')

  test('is there when it was kept, and replaces a state', () => {
    for (const timeS of [206, 412]) {
      const file = openStateFile(path)
      file.write({ ...STATE, about: { ...STATE.about, timeS } })
      file.keep()
      file.close()
      expect(readStateFile(path).about.timeS).toBe(timeS)
    }
    const given = openStateFile(path)
    given.write(STATE)
    given.close()
    expect(readStateFile(path).about.timeS).toBe(412)
    expect(readdirSync(root)).toEqual(['a.state'])
  })

  test('never replaces anything else, and names what cannot be written', () => {
    const other = join(root, 'elevation.asc')
    writeFileSync(other, 'ncols 12\n')
    expect(() => openStateFile(other)).toThrow(/n’est pas un état de RadX : il n’est pas remplacé/)
    expect(readFileSync(other, 'utf8')).toBe('ncols 12\n')
    expect(() => openStateFile(join(root, 'absent', 'b.state'))).toThrow(/ne peut être écrit .*ENOENT/)
    expect(() => openStateFile(root)).toThrow(/ne peut être écrit .*EISDIR/)
    expect(() => readStateFile(join(root, 'absent.state'))).toThrow(/ne peut être lu \(ENOENT\)/)
    rmSync(other)
    expect(readdirSync(root)).toEqual(['a.state'])
  })
})
