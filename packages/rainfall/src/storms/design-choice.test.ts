import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minuteMeans, ownRain, VIRTUAL_RAIN_LEAD_MIN, virtualRain } from '../virtual-rain.ts'
import { largestDepths } from './depth-duration.ts'
import { type DesignChoice, designStorm } from './design-choice.ts'
import type { StormError } from './design-storms.ts'
import { type MontanaLaw, montanaDepthMm } from './montana.ts'

const REGION_I: MontanaLaw = { periodYears: 10, a: 5.9, b: 0.59, fromMin: 6, toMin: 360 }
const table = { name: 'Région I', laws: [REGION_I] }
const choice: DesignChoice = {
  kind: 'chicago',
  periodYears: 10,
  durationMin: 120,
  stepMin: 5,
  peak: 0.4,
  intenseMin: 30,
  intenseYears: 10,
  calmAfter: 60,
}
const depthMm = (rates: readonly number[]) => rates.reduce((sum, rate) => sum + rate / 60, 0)
const curve = (asked: DesignChoice, laws = table) => {
  const storm = designStorm(laws, asked)
  return { storm, rates: virtualRain(storm.shape, storm.param as never) }
}

describe('a design storm by return period', () => {
  test('Chicago is the reference storm, its blocks held over their minutes', () => {
    const { storm, rates } = curve(choice)
    expect(storm).toMatchObject({ shape: 'chicago', sourceFr: 'Région I, 10\u00a0ans' })
    expect(storm.param.iMax).toBeCloseTo(134.2875, 4)
    expect(rates).toHaveLength(15 + 120 + 60)
    expect(rates.slice(15, 25)).toEqual([...new Array(5).fill(rates[15]), ...new Array(5).fill(rates[20])])
    expect([rates[15], rates[60]]).toEqual([expect.closeTo(8.8916, 4), expect.closeTo(134.2875, 4)])
    expect(depthMm(rates)).toBeCloseTo(42.0065, 3)
    expect(storm.remarksFr).toEqual([
      expect.stringContaining('jusqu’à 5\u00a0min, où le tableau ne dit rien'),
    ])
  })

  test('Desbordes is the double triangle of the specification: iMax the peak, i2 the shoulder', () => {
    const { storm, rates } = curve({ ...choice, kind: 'desbordes', durationMin: 240, peak: 0.5 })
    expect(storm).toMatchObject({ shape: 'double', param: { t1: 30, t2: 105, t3: 240, calmAfter: 60 } })
    const { i2, iMax } = storm.param as { i2: number; iMax: number }
    expect([i2, iMax]).toEqual([expect.closeTo(18.297, 3), expect.closeTo(76.88, 3)])
    expect(depthMm(rates)).toBeCloseTo(55.8134, 4)
    expect(Math.max(...rates)).toBeCloseTo(74.93, 2)
  })

  test('uniform and any Chicago or Desbordes storm hold exactly the depth of the table', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('chicago', 'desbordes', 'uniform' as const),
        fc.integer({ min: 60, max: 360 }),
        fc.integer({ min: 6, max: 30 }),
        fc.double({ min: 0.3, max: 0.7, noNaN: true }),
        (kind, durationMin, intenseMin, peak) => {
          const { rates } = curve({ ...choice, kind: kind as 'uniform', durationMin, intenseMin, peak })
          expect(depthMm(rates)).toBeCloseTo(montanaDepthMm(REGION_I, durationMin), 6)
          const [most] = largestDepths(
            { edgesMin: rates.map((_, k) => k).concat(rates.length), ratesMmH: rates },
            [intenseMin],
          )
          expect(most.depthMm).toBeLessThanOrEqual(montanaDepthMm(REGION_I, intenseMin) * 1.0001)
        },
      ),
    )
  })

  test.each<[Partial<DesignChoice>, string, string]>([
    [{ durationMin: 500 }, 'durationMin', 'le tableau vaut de 6 à 360 min : 500 min est en dehors'],
    [{ periodYears: 50 }, 'durationMin', 'n’a pas de période de 50'],
    [{ kind: 'desbordes', durationMin: 240, intenseMin: 3 }, 'intenseMin', '3 min est en dehors'],
    [{ kind: 'desbordes', durationMin: 240, intenseMin: 240 }, 'intenseMin', 'plus courte'],
    [{ kind: 'desbordes', durationMin: 240, peak: 0.01 }, 'peak', '0,5'],
    [{ peak: 0 }, 'peak', 'entre 0 et 1'],
    [{ stepMin: 2.5 }, 'stepMin', 'minutes entières'],
    [{ stepMin: 300 }, 'stepMin', 'pas'],
    [{ calmAfter: 0 }, 'calmAfter', 'attente'],
  ])('%j is refused at its field', (change, field, message) => {
    try {
      designStorm(table, { ...choice, ...change })
      expect.unreachable()
    } catch (error) {
      expect((error as StormError).field).toBe(field)
      expect((error as StormError).message).toContain(message)
    }
  })

  test('a peak beyond any rain is refused, since the law is carried too far down', () => {
    const steep = { name: 'ASTEE', laws: [{ periodYears: 10, a: 80, b: 0.872, fromMin: 30, toMin: 360 }] }
    expect(() => designStorm(steep, { ...choice, stepMin: 1 })).toThrow('allonger le pas')
  })
})

describe('a hyetogram of one’s own', () => {
  test('keeps its depth in minutes, whatever its steps', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.3, max: 12, noNaN: true }),
        fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { minLength: 2, maxLength: 40 }),
        (step, ratesMmH) => {
          const rain = { edgesMin: [...ratesMmH, 0].map((_, k) => 30 + k * step), ratesMmH }
          const total = ratesMmH.reduce((sum, rate) => sum + (rate * step) / 60, 0)
          // What is left of an end within a thousandth of a second of a whole minute is let go.
          expect(Math.abs(depthMm(minuteMeans(rain)) - total)).toBeLessThan(1e-4)
          expect(
            ownRain(rain, 5)
              .slice(0, VIRTUAL_RAIN_LEAD_MIN)
              .every((rate) => rate === 0),
          ).toBe(true)
        },
      ),
    )
  })

  test('six minutes of 10 mm/h are six minutes of 10 mm/h', () => {
    expect(minuteMeans({ edgesMin: [0, 2, 4], ratesMmH: [10, 20] })).toEqual([10, 10, 20, 20])
    expect(minuteMeans({ edgesMin: [0, 0.5, 1.5], ratesMmH: [10, 20] })).toEqual([15, 10])
  })
})
