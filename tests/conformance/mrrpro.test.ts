import { readFileSync } from 'node:fs'
import { readMrrPro, writeMrrPro } from '@radx/formats/mrrpro/mrrpro'
import { describe, expect, test } from 'vitest'
import { hasReferenceData, referenceFiles } from './reference-data.ts'

/** Figures computed with independent tools, in file order. */
const REFERENCE = [
  {
    max: 1.944186,
    mean: 0.039529,
    profiles: 60,
    first: 50,
    last: 6400,
    firmware: '1.2.5',
    at: '2023-03-22T01:40:00.001Z',
  },
  {
    max: 0.128781,
    mean: 0.0048087,
    profiles: 60,
    first: 50,
    last: 6400,
    firmware: '1.2.5',
    at: '2023-03-22T01:50:00.001Z',
  },
  {
    max: 0.050001,
    mean: 0.00080027,
    profiles: 60,
    first: 50,
    last: 6400,
    firmware: '1.2.5',
    at: '2023-03-22T02:10:00.001Z',
  },
  {
    max: 0.000917,
    mean: 0.0000093813,
    profiles: 3,
    first: 103,
    last: 3278,
    firmware: '1.1.23',
    at: '2022-01-24T18:00:00.006Z',
  },
]

describe.skipIf(!hasReferenceData())('real MRR-PRO files', () => {
  test('[MRR] both firmwares give the reference liquid water content', async () => {
    const paths = referenceFiles('mrr', /\.nc$/)
    expect(paths).toHaveLength(REFERENCE.length)
    for (const [i, path] of paths.entries()) {
      const file = await readMrrPro(readFileSync(path))
      const { max, mean, profiles, first, last, firmware, at } = REFERENCE[i]
      expect(file).toMatchObject({
        firmware,
        nprofiles: profiles,
        ngates: 128,
        lat: null,
        lon: null,
        altitudeM: null,
      })
      expect([file.heightsM[0], file.heightsM[127]]).toEqual([first, last])
      expect(new Date(file.timesMs[0]).toISOString()).toBe(at)
      const valid = file.variables.LWC.filter((v) => v >= 0)
      expect(valid.reduce((a, b) => Math.max(a, b), 0)).toBeCloseTo(max, 6)
      const found = valid.reduce((a, b) => a + b, 0) / valid.length
      expect(Math.abs(found / mean - 1)).toBeLessThan(5e-5)
      expect(Object.keys(file.variables).sort()).toEqual([
        'LWC',
        'ML',
        'PIA',
        'RR',
        'SNR',
        'VEL',
        'WIDTH',
        'Z',
        'Za',
        'Ze',
        'Zea',
      ])
    }
  })

  test('the melting layer of 2023-03-22 01:40 UTC shows in fall velocity: slow snow above, fast rain below', async () => {
    const { variables, ngates, heightsM } = await readMrrPro(
      readFileSync(referenceFiles('mrr', /_014000/)[0]),
    )
    const meanVelocity = (low: number, high: number): number => {
      const values = variables.VEL!.filter(
        (v, i) => v > 0 && heightsM[i % ngates] >= low && heightsM[i % ngates] < high,
      )
      return values.reduce((a, b) => a + b, 0) / values.length
    }
    const layer = [...variables.ML!].flatMap((v, i) => (v > 0.5 ? [heightsM[i % ngates]] : []))
    expect(layer.length).toBeGreaterThan(20)
    const middle = layer.toSorted((a, b) => a - b)[Math.floor(layer.length / 2)]
    expect(meanVelocity(middle - 600, middle - 250)).toBeGreaterThan(
      2 * meanVelocity(middle + 250, middle + 600),
    )
  })

  test('a real file that is written again keeps its profiles', async () => {
    for (const path of referenceFiles('mrr', /\.nc$/)) {
      const file = await readMrrPro(readFileSync(path))
      const again = await readMrrPro(await writeMrrPro(file))
      // The instrument writes its position or nothing, and its software in the title and the name.
      expect(again).toEqual(file)
    }
  })
})
