import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readToa5 } from '@radx/formats/toa5'
import { describe, expect, test } from 'vitest'
import { hasReferenceData, referenceFiles } from './reference-data.ts'

describe.skipIf(!hasReferenceData())('real Campbell TOA5 tables', () => {
  test('are read with their units and values', () => {
    const tables = Object.fromEntries(
      referenceFiles('station', /\.dat$/).map((path) => [basename(path), readToa5(readFileSync(path))]),
    )
    const joyce = tables['20250127_JOYCE_WST_01m.dat']
    expect(joyce).toMatchObject({ station: 'JOYCE_WST', model: 'CR300', table: 'JOYCE_WST_01m' })
    expect(joyce.localMs[0]).toBe(Date.UTC(2025, 0, 27, 0, 1))
    expect(joyce.localMs).toHaveLength(9)
    const pressure = joyce.columns.find((c) => c.name === 'BV_BP_Avg')!
    expect(pressure).toMatchObject({ unit: 'hPa', processing: 'Avg' })
    expect(pressure.values[8]).toBe(981.8667)

    const granada = tables['granada.dat']
    expect(granada.columns.map((c) => c.unit)).toEqual(['RN', 'degC', '%', 'hPa', 'm/s', 'Deg', 'Deg', 'mm'])
    expect(granada.columns[1].values[9]).toBe(17.23)
    expect(granada.localMs[9] - granada.localMs[0]).toBe(9 * 60_000)
  })
})
