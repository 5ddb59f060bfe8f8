import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readClimateFile } from './climate-file.ts'
import { readRainFile } from './rain-file.ts'

const at = (day: number, hour: number, minute = 0) => Date.UTC(2004, 0, day, hour, minute) / 1000

describe('NOAA’s rain', () => {
  const expected = [
    { epochS: at(1, 0), value: 12 },
    { epochS: at(1, 2), value: 7 },
  ]
  // 24:00 less an hour; what is missing, taken back or the day's sum is left out.
  const fixed =
    'HPD41048207HPCPHI20040100010060100 00012  0200 99999M 0300 00007  0400 00003{ 0500 00004} 2500 00019  '
  const spaces =
    '410482 07 HPCP HI 2004 01 01 0100 000012     0200 099999 M   0300 000007     2500 000019    '
  const commas =
    '410482,07,HPCP,HI,2004,01,01,0100,000012, , ,0200,099999,M, ,0300,000007, , ,2500,000019, , '
  test.each([
    ['fixed', fixed],
    ['between commas', commas],
    ['between spaces', spaces],
    ['with a name of the station', commas.replace('410482,', `410482,${'AUSTIN CAMP MABRY'.padEnd(30)},`)],
  ])('%s is in hundredths of an inch, by ends of intervals', (_, line) => {
    expect(readRainFile(`${line}\n`, '*')).toEqual({
      records: expected,
      unitM: 0.000254,
      intervalS: 3600,
      lost: 0,
      unordered: 0,
      others: [],
    })
  })
  test('every quarter of an hour', () => {
    const line = '410482,07,QPCP,HI,2004,01,01,0015,000012, , ,0030,000004, , '
    expect(readRainFile(line, '')).toMatchObject({
      intervalS: 900,
      records: [
        { epochS: at(1, 0), value: 12 },
        { epochS: at(1, 0, 15), value: 4 },
      ],
    })
  })
  test('gathered over hours is spread evenly over them', () => {
    const line = 'HPD41048207HPCPHI20040100010020200 99999a 0500 00040A '
    expect(readRainFile(line, '*').records).toEqual(
      [1, 2, 3, 4].map((hour) => ({ epochS: at(1, hour), value: 10 })),
    )
  })
  test('from the online service stands under its title', () => {
    const head = 'STATION           STATION_NAME         DATE           HPCP     Flag'
    const line = (time: string, value: string) =>
      `COOP:410482       AUSTIN MABRY         20040101 ${time} ${value}`.padEnd(head.length)
    const text = [head, '-----', line('01:00', '0.12'), line('03:00', '0.07'), line('04:00', '99.99')].join(
      '\n',
    )
    expect(readRainFile(text, '*')).toMatchObject({ intervalS: 3600, records: expected })
  })
  test('of several stations is that of the one asked for, of a name that it has not all of it', () => {
    const text = [commas, commas.replace('410482', '410999').replace('2004,01,01', '2004,01,02')].join('\n')
    expect(readRainFile(text, '410999').records[0].epochS).toBe(at(2, 0))
    expect(readRainFile(text, 'STA1').records).toHaveLength(4)
  })
})

describe('Canada’s rain', () => {
  const values = (count: number) =>
    Array.from(
      { length: count },
      (_, k) => `${String(k === 2 ? 15 : k === 5 ? -99999 : 0).padStart(6)} `,
    ).join('')
  test.each([
    ['HLY03', `7025250004${'0101'}123${values(24)}`, 3600],
    ['HLY21', `70252502004${'0101'}123${values(24)}`, 3600],
    ['FIF21', `70252502004${'0101'}159${values(96)}`, 900],
  ])('%s is in tenths of a millimetre', (_, line, intervalS) => {
    expect(readRainFile(line, '*')).toEqual({
      records: [{ epochS: at(1, 0) + 2 * intervalS, value: 15 }],
      unitM: 0.0001,
      intervalS,
      lost: 0,
      unordered: 0,
      others: [],
    })
  })
})

describe('prepared rain', () => {
  test('has lost lines where days and hours are none; a heading is none', () => {
    const lines = ['Station Year Month Day Hour Minute Value', 'A 2024 1 1 0 0 4', 'A 2024 13 1 0 0 4']
    expect(readRainFile(lines.join('\n'), 'A')).toMatchObject({ lost: 1, records: [{ value: 4 }] })
    for (const wrong of ['A 2024 2 30 0 0 1', 'A 2024 1 1 25 0 1', 'A 2024 1 1 0 60 1', 'A 2024 1 1 0 0 -1'])
      expect(readRainFile(wrong, 'A')).toMatchObject({ lost: 1, records: [] })
  })
  test('of other stations alone names them', () => {
    expect(readRainFile('A 2024 1 1 0 0 4\nB 2024 1 1 0 0 4', 'C')).toMatchObject({
      others: ['A', 'B'],
      records: [],
    })
  })
  test('out of order is put in order, and counted', () => {
    const text = 'A 2004 1 1 2 0 2\nA 2004 1 1 1 0 1\nA 2004 1 1 1 0 9\n'
    expect(readRainFile(text, '*')).toMatchObject({
      unordered: 2,
      records: [
        { epochS: at(1, 1), value: 1 },
        { epochS: at(1, 2), value: 2 },
      ],
    })
  })
})

describe('climate', () => {
  const july = (day: number) => Date.UTC(2004, 6, day) / 86_400_000
  test.each([
    ['prepared, °C', 'S 2004 7 1 30 15 5 10\nS 2004 7 2 * 10', false],
    ['prepared, °F', 'S 2004 7 1 86 59 0.19685 10\nS 2004 7 2 * 50', true],
    [
      'GHCN-Daily',
      [
        'STATION           STATION_NAME   DATE     EVAP     TMAX     TMIN    ',
        'GHCND:US          AUSTIN         20040701 50       300      150     ',
        'GHCND:US          AUSTIN         20040702 -9999    -9999    100     ',
      ].join('\n'),
      true,
    ],
    [
      'TD-3200',
      [
        'DLY41048207EVAPHI20040799990010100 00020 0',
        'DLY41048207TMAXF 20040799990010124 00086 0',
        'DLY41048207TMINF 20040799990020124 00059 00224 00050 0',
      ].join('\n'),
      true,
    ],
    [
      'DLY04',
      (['001', '002', '151'] as const)
        .map((element, e) => {
          const own = [
            [300, null],
            [150, 100],
            [50, null],
          ][e]
          const value = (k: number) => own[k] ?? null
          return `7025250200407${element}${Array.from({ length: 31 }, (_, k) => {
            const given = value(k)
            return given === null ? '-99999M' : ` ${String(given).padStart(5, '0')} `
          }).join('')}`
        })
        .join('\n'),
      false,
    ],
  ])('%s gives temperatures and evaporation of days', (name, text, us) => {
    const { days, lost } = readClimateFile(text, us)
    expect(lost).toBe(0)
    const first = days.get(july(1))
    expect(first?.maxC).toBeCloseTo(30, 6)
    expect(first?.minC).toBeCloseTo(15, 6)
    expect(first?.evaporationM).toBeCloseTo(name === 'TD-3200' ? 0.00508 : 0.005, 6)
    expect(days.get(july(2))?.minC).toBeCloseTo(10, 6)
    expect(days.get(july(2))?.maxC).toBeNull()
  })
})

test('any text is read or left, never an error', () => {
  const seeds = [
    'HPD41048207HPCPHI20040100010060100 00012  0200 99999M ',
    '410482,07,HPCP,HI,2004,01,01,0100,000012, , ',
    'COOP:410482 AUSTIN 20040101 01:00 0.12',
    '70252502004010112300000 000015 ',
    'A 2004 1 1 0 0 4',
    'DLY41048207TMAXF 20040799990010124 00086 0',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...'0 9-,;:.*aA{M\tx\n\uffff')), { maxLength: 12 }),
      (seed, changes) => {
        const text = [...seed]
        for (const [place, letter] of changes) text[place % text.length] = letter
        const { records } = readRainFile(text.join(''), '*')
        for (const { epochS, value } of records) {
          expect(Number.isFinite(epochS)).toBe(true)
          expect(value).toBeGreaterThanOrEqual(0)
        }
        readClimateFile(text.join(''), true)
      },
    ),
    { numRuns: 2000 },
  )
})
