import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { OutputMissing } from '../errors.ts'
import { SeriesFile } from '../run/outputs.ts'
import { SeriesTable } from './series-table.ts'

const dir = mkdtempSync(join(tmpdir(), 'radx-series-'))
afterAll(() => rmSync(dir, { recursive: true }))

const value = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((v) => Number(v.toFixed(6)) + 0)

test('what is written is read back to the last bit, column by column, with the peaks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 6 }),
      async (rows) => {
        const file = new SeriesFile(dir, 'a.txt', ['C 1', 'C-2', 'C-3'], 6)
        for (const [k, row] of rows.entries()) file.add(206 * k, Float64Array.from(row))
        file.close()
        const table = await SeriesTable.open(dir, 'a.txt')
        expect(table.names).toEqual(['C 1', 'C-2', 'C-3'])
        const { timesS, series } = await table.columns([2, 0])
        expect(timesS).toEqual(rows.map((_, k) => 206 * k))
        expect(series).toEqual([rows.map((row) => row[2]), rows.map((row) => row[0])])
        const { peaks } = await table.peaks()
        for (const k of [0, 1, 2]) expect(peaks[k]).toBe(Math.max(...rows.map((row) => Math.abs(row[k]))))
      },
    ),
    { numRuns: 60 },
  )
})

test.each([
  ['nothing', ''],
  ['no row', 'time_s\ta\tb\n'],
  ['another head', 'heure\ta\tb\n60\t1\t2\n'],
  ['a field too few', 'time_s\ta\tb\n60\t1\t2\n120\t1\n'],
  ['a field too many', 'time_s\ta\tb\n60\t1\t2\t3\n'],
  ['an empty field', 'time_s\ta\tb\n60\t\t2\n'],
  ['a word', 'time_s\ta\tb\n60\tx\t2\n'],
  ['cut off after a tab', 'time_s\ta\tb\n60\t1\t'],
])('a damaged table is told as missing: %s', async (_, text) => {
  writeFileSync(join(dir, 'b.txt'), text)
  const read = async () => (await SeriesTable.open(dir, 'b.txt')).columns([0])
  await expect(read()).rejects.toThrow(OutputMissing)
  await expect(SeriesTable.open(dir, 'c.txt')).rejects.toThrow(OutputMissing)
})
