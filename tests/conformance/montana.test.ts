import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chicago, doubleTriangle, doubleTriangleBlocks } from '@radx/rainfall/storms/design-storms'
import { type MontanaCoefficients, montanaDepthMm, returnPeriod } from '@radx/rainfall/storms/montana'
import { describe, expect, test } from 'vitest'
import { hasReferenceData, REFERENCE_DATA } from './reference-data.ts'

type Coefficients = [a: number, b: number]
type ByPeriod = Record<string, Coefficients>
type Depths = Record<string, Record<string, number>>

const here = hasReferenceData()
const path = join(REFERENCE_DATA, 'radar-science/montana-reference.json')
const reference = here ? JSON.parse(readFileSync(path, 'utf8')) : null
const law = ([a, b]: Coefficients): MontanaCoefficients => ({ a, b })

function tables(): [name: string, coefficients: ByPeriod, depths: Depths][] {
  if (!here) return []
  const { IT77, ASTEE_2017_example } = reference
  const regions = ['I', 'II', 'III'].map((region): [string, ByPeriod, Depths] => [
    `Instruction technique, region ${region}`,
    IT77.coefficients[region],
    IT77.depth_mm[region],
  ])
  return [...regions, ['ASTEE 2017', ASTEE_2017_example.coefficients, ASTEE_2017_example.depth_mm]]
}

describe.each(tables())('%s', (_name, coefficients, depths) => {
  test('depths are the reference to its last digit', () => {
    for (const [period, byDuration] of Object.entries(depths))
      for (const [minutes, mm] of Object.entries(byDuration))
        expect(Math.abs(montanaDepthMm(law(coefficients[period]), Number(minutes)) - mm)).toBeLessThan(5.1e-4)
  })

  test('each depth has the period that it was made for', () => {
    const laws = Object.entries(coefficients).map(([period, pair]) => ({
      ...law(pair),
      periodYears: Number(period),
      fromMin: 6,
      toMin: 1440,
    }))
    for (const [period, byDuration] of Object.entries(depths))
      for (const minutes of Object.keys(byDuration).map(Number)) {
        const mm = montanaDepthMm(law(coefficients[period]), minutes)
        expect(returnPeriod(laws, minutes, mm)).toMatchObject({ years: Number(period) })
      }
  })
})

test.skipIf(!here)('Chicago: all block means and the total', () => {
  const {
    a,
    b,
    duration_min: durationMin,
    r: peak,
    step_min: stepMin,
    mm_per_h,
    total_mm,
  } = reference.chicago_test
  const { ratesMmH } = chicago({ a, b }, { durationMin, stepMin, peak })
  expect(ratesMmH).toEqual(mm_per_h.map((rate: number) => expect.closeTo(rate, 4)))
  expect(ratesMmH.reduce((sum, rate) => sum + (rate * stepMin) / 60, 0)).toBeCloseTo(total_mm, 9)
})

test.skipIf(!here)('double triangle: shoulder, peak and both volumes', () => {
  const given = reference.double_triangle_test
  const storm = doubleTriangle(
    { total: given, intense: given },
    { totalMin: given.t3_min, intenseMin: given.t1_min, peak: 0.5 },
  )
  expect(storm.i2).toBeCloseTo(given.i_shoulder_mm_h, 10)
  expect(storm.iMax).toBeCloseTo(given.i_peak_mm_h, 10)
  const mm = doubleTriangleBlocks(storm, 1).ratesMmH.map((rate) => rate / 60)
  expect(mm.reduce((sum, depth) => sum + depth, 0)).toBeCloseTo(given.H_total_mm, 10)
  expect(mm.slice(storm.t2, storm.t2 + storm.t1).reduce((sum, depth) => sum + depth, 0)).toBeCloseTo(
    given.H_intense_mm,
    10,
  )
})
