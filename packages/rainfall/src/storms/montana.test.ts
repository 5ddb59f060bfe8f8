import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  lawIssues,
  lawRemarks,
  type MontanaLaw,
  montanaDepthMm,
  returnPeriod,
  returnPeriodFr,
  toMinutes,
} from './montana.ts'

const law = (periodYears: number, a: number, b: number, fromMin = 30, toMin = 360): MontanaLaw => ({
  periodYears,
  fromMin,
  toMin,
  a,
  b,
})
/** Mémento technique ASTEE 2017, table 31. */
const ASTEE = [law(5, 10.874, 0.779), law(10, 15.096, 0.803), law(20, 20.219, 0.825), law(100, 37.379, 0.872)]

describe('Montana', () => {
  test.each([
    [6, 12.3],
    [30, 23.794],
    [120, 42.006],
    [240, 55.813],
  ])('region I, 10 years: %d min bring %d mm', (minutes, mm) => {
    expect(montanaDepthMm({ a: 5.9, b: 0.59 }, minutes)).toBeCloseTo(mm, 2)
  })

  test('the same law in other units gives the same depths', () => {
    const own = { a: 15.096, b: 0.803 }
    for (const minutes of [6, 60, 1440]) {
      const depth = montanaDepthMm(own, minutes)
      expect(montanaDepthMm(toMinutes({ a: own.a * 60, b: own.b }, 'mmh-min'), minutes)).toBeCloseTo(
        depth,
        10,
      )
      const inHours = { a: montanaDepthMm(own, 60), b: own.b }
      expect(montanaDepthMm(toMinutes(inHours, 'mmh-h'), minutes)).toBeCloseTo(depth, 10)
    }
  })
})

describe('return periods', () => {
  test('are linear in ln T between the depths of the table', () => {
    const middle = (montanaDepthMm(ASTEE[1], 60) + montanaDepthMm(ASTEE[2], 60)) / 2
    const period = returnPeriod(ASTEE, 60, middle)
    expect(period).toMatchObject({ kind: 'between', from: 10, to: 20 })
    expect(period.kind === 'between' && period.years).toBeCloseTo(Math.sqrt(200), 10)
    expect(returnPeriodFr(period)).toBe('10 à 20\u00a0ans')
  })

  test('are those of the table on its own lines', () => {
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 360 }), fc.constantFrom(...ASTEE), (minutes, line) => {
        const period = returnPeriod(ASTEE, minutes, montanaDepthMm(line, minutes) * (1 + 1e-9))
        expect(period).toMatchObject({ kind: 'between', years: line.periodYears })
      }),
    )
  })

  test('grow with the depth and never leave the table', () => {
    const size = (mm: number) => {
      const period = returnPeriod(ASTEE, 60, mm)
      return period.kind === 'between' ? period.years : period.kind === 'above' ? 101 : 4
    }
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 200, noNaN: true }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (mm, more) => {
          expect(size(mm + more)).toBeGreaterThanOrEqual(size(mm))
        },
      ),
    )
    expect(returnPeriodFr(returnPeriod(ASTEE, 60, 90))).toBe('plus de 100\u00a0ans')
    expect(returnPeriodFr(returnPeriod(ASTEE, 60, 1))).toBe('moins de 5\u00a0ans')
    expect(returnPeriodFr(returnPeriod(ASTEE, 29, 20))).toBe('hors du tableau')
    expect(returnPeriodFr(returnPeriod(ASTEE, 60, Number.NaN))).toBe('sans donnée')
    expect(returnPeriodFr(returnPeriod(ASTEE, 60, montanaDepthMm(ASTEE[1], 60) + 0.1), true)).toBe(
      'au moins 10\u00a0ans',
    )
    expect(returnPeriodFr(returnPeriod(ASTEE, 60, 90), true)).toBe('plus de 100\u00a0ans')
    expect(returnPeriodFr(returnPeriod(ASTEE, 60, 1), true)).toBe('période inconnue')
  })

  test('where two ranges meet, the law of the shorter durations decides', () => {
    const laws = [law(10, 5.9, 0.59, 120, 1440), law(10, 5, 0.5, 6, 120)]
    expect(returnPeriod(laws, 120, montanaDepthMm(laws[1], 120))).toMatchObject({ years: 10 })
  })
})

describe('a table is refused at its line', () => {
  test.each<[string, MontanaLaw[], number, string, RegExp]>([
    ['b above 1', [law(5, 4, 1.2)], 0, 'b', /entre 0 et 1/],
    ['b with the other sign', [law(5, 4, -0.6)], 0, 'b', /changer son signe/],
    ['a of zero', [law(5, 0, 0.6)], 0, 'a', /positif/],
    ['a range the wrong way round', [law(5, 4, 0.6, 60, 30)], 0, 'range', /impossible/],
    ['a in mm/h', [law(5, 10.874 * 60, 0.779)], 0, 'a', /mm\/h/],
    [
      'ranges that overlap',
      [law(5, 4, 0.6, 6, 60), law(5, 4, 0.6, 30, 120)],
      1,
      'range',
      /recouvre 6–60 min/,
    ],
    ['a rarer depth that is smaller', [law(5, 10.874, 0.779), law(10, 5, 0.59)], 1, 'a', /pas plus que/],
    ['a period of no years', [law(0, 4, 0.6)], 0, 'period', /années/],
  ])('%s', (_what, laws, index, field, message) => {
    const [issue] = lawIssues(laws)
    expect(issue).toMatchObject({ index, field })
    expect(issue.messageFr).toMatch(message)
  })

  test('and taken when ranges only touch', () => {
    expect(lawIssues([law(5, 4, 0.6, 6, 120), law(5, 4.1, 0.6, 120, 1440), law(10, 5, 0.6, 6, 120)])).toEqual(
      [],
    )
  })
})

describe('lines that look like other units than the rest', () => {
  const inHours = (line: MontanaLaw): MontanaLaw => ({ ...line, a: montanaDepthMm(line, 60) })

  test('are told, where their depths alone are still possible', () => {
    const [five, ten] = [law(5, 5, 0.61, 6, 120), law(10, 5.9, 0.59, 6, 120)]
    expect(lawIssues([five, inHours(ten)])).toEqual([])
    expect(lawRemarks([five, inHours(ten)])).toEqual([
      expect.stringMatching(/^De 5\sans à 10\sans, la hauteur en 6 min passe de .*mêmes unités/),
    ])
    const longer = { ...ten, fromMin: 120, toMin: 1440 }
    expect(lawRemarks([ten, inHours(longer)])).toEqual([
      expect.stringMatching(
        /^Pour 10\sans, les deux plages qui se touchent à 120 min donnent 42 mm et 225,1 mm/,
      ),
    ])
  })

  test('real tables have none', () => {
    expect(lawRemarks(ASTEE)).toEqual([])
    const regionIII = [law(1, 3.8, 0.53), law(2, 5, 0.54), law(5, 5.9, 0.51), law(10, 6.1, 0.44)]
    expect(lawRemarks(regionIII)).toEqual([])
    expect(lawRemarks([law(10, 5.9, 0.59, 6, 120), law(10, 10, 0.7, 120, 1440)])).toEqual([])
  })
})
