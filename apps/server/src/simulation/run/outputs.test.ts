import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { FrameFile, SeriesFile } from './outputs.ts'

const dir = mkdtempSync(join(tmpdir(), 'radx-outputs-'))
afterAll(() => rmSync(dir, { recursive: true }))

test('[SIMDETAIL-30] series are tab-separated text that reads back to the digits asked for', () => {
  const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 1, maxLength: 5 }), (rows) => {
      const file = new SeriesFile(dir, 'a.txt', ['C-1', 'C-2', 'C-3'], 6)
      rows.forEach((row, k) => {
        file.add(60 * k, Float64Array.from(row))
      })
      file.close()
      const lines = readFileSync(join(dir, 'a.txt'), 'utf8').trimEnd().split('\n')
      expect(lines[0]).toBe('time_s\tC-1\tC-2\tC-3')
      expect(lines).toHaveLength(rows.length + 1)
      rows.forEach((row, k) => {
        const read = lines[k + 1].split('\t').map(Number)
        expect(read[0]).toBe(60 * k)
        row.forEach((value, c) => {
          expect(Math.abs(read[c + 1] - value)).toBeLessThanOrEqual(0.51e-6)
        })
      })
    }),
    { numRuns: 60 },
  )
})

test.each([
  [0, '0'],
  [-0.0000001, '0'],
  [0.5, '0.5'],
  [-12.25, '-12.25'],
  [0.000001, '0.000001'],
  [100, '100'],
  [1000000.1, '1000000.1'],
])('%d is written as %s', (value, text) => {
  const file = new SeriesFile(dir, 'b.txt', ['x'], 6)
  file.add(0, Float64Array.of(value))
  file.close()
  expect(readFileSync(join(dir, 'b.txt'), 'utf8')).toBe(`time_s\tx\n0\t${text}\n`)
})

test('depth frames are found again by their index, in millimetres', () => {
  const model = { nrows: 1, ncols: 4, xll: 0, yll: 0, cellSize: 10, noData: -9999, data: new Float64Array(4) }
  const frames = new FrameFile(dir, model)
  frames.add(0, Float32Array.of(0, 0, 0, Number.NaN))
  frames.add(300, Float32Array.of(0.0014, 1.2345, 99, Number.NaN))
  frames.close()
  const index = JSON.parse(readFileSync(join(dir, 'depth_frames.json'), 'utf8'))
  const bytes = readFileSync(join(dir, index.file))
  const { timeS, offset, length } = index.frames[1]
  expect(timeS).toBe(300)
  const codes = new Uint16Array(
    Uint8Array.from(zstdDecompressSync(bytes.subarray(offset, offset + length))).buffer,
  )
  expect([...codes]).toEqual([1, 1235, 65534, 65535])
})
