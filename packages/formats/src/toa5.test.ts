import { FormatError } from '@radx/contracts/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readToa5, type Toa5Table, toUtcMs, writeToa5 } from './toa5.ts'

const HEADER = [
  '"TOA5","RadX, toit","CR1000X","23644","CR1000X.Std.05.01","CPU:radx.CR1X","54351","meteo"',
  '"TIMESTAMP","RECORD","AirTC_Avg","WindDir","Note"',
  '"TS","RN","Deg C","Deg",""',
  '"","","Avg","WVc","Smp"',
]
const table = (...records: string[]): Buffer => Buffer.from(`${[...HEADER, ...records].join('\r\n')}\r\n`)

function refusal(bytes: Uint8Array): string {
  try {
    readToa5(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError)
    return (error as FormatError).code
  }
  return 'accepted'
}

describe('reading TOA5', () => {
  test('header, units, quoted fields, NAN and fractions of a second', () => {
    const read = readToa5(
      table(
        '"2024-02-29 23:59:59.05",7,-3.5,359.9,"a ""b"", c"',
        '"2024-03-01 00:00:00",8,"NAN",NAN,1',
        '2024-03-01 00:01:00,9,,1e-3,"2.5"',
      ),
    )
    expect(read).toMatchObject({
      station: 'RadX, toit',
      model: 'CR1000X',
      serialNumber: '23644',
      signature: '54351',
      table: 'meteo',
    })
    expect(read.columns.map((c) => [c.name, c.unit, c.processing])).toEqual([
      ['RECORD', 'RN', ''],
      ['AirTC_Avg', 'Deg C', 'Avg'],
      ['WindDir', 'Deg', 'WVc'],
      ['Note', '', 'Smp'],
    ])
    expect([...read.localMs]).toEqual([
      Date.UTC(2024, 1, 29, 23, 59, 59, 50),
      Date.UTC(2024, 2, 1),
      Date.UTC(2024, 2, 1, 0, 1),
    ])
    expect(read.columns.map((c) => [...c.values])).toEqual([
      [7, 8, 9],
      [-3.5, Number.NaN, Number.NaN],
      [359.9, Number.NaN, 0.001],
      [Number.NaN, 1, 2.5],
    ])
  })

  test('a unit in Latin-1 is read, a byte order mark and bare line feeds are taken', () => {
    const text = table('"2024-03-01 00:00:00",1,2,3,4')
      .toString()
      .replace('Deg C', '°C')
      .replaceAll('\r\n', '\n')
    expect(readToa5(Buffer.from(text, 'latin1')).columns[1].unit).toBe('°C')
    expect(readToa5(Buffer.from(`\ufeff${text}`)).columns[1].unit).toBe('°C')
  })

  test('a table without records is a table', () => {
    expect(readToa5(table()).localMs).toHaveLength(0)
  })

  test.each([
    ['an empty file', 'toa5.empty', Buffer.alloc(0)],
    ['a comma-separated file of another kind', 'toa5.notToa5', Buffer.from('date,value\n1,2\n')],
    ['a header cut short', 'toa5.truncated', Buffer.from(`${HEADER[0]}\r\n${HEADER[1]}\r\n`)],
    [
      'a record cut short',
      'toa5.truncated',
      table('"2024-03-01 00:00:00",1,2,3,4', '"2024-03-01 00:01:00",1,2').subarray(0, -2),
    ],
    ['a record with a field too many', 'toa5.badRecord', table('"2024-03-01 00:00:00",1,2,3,4,5')],
    ['a date that does not exist', 'toa5.badRecord', table('"2023-02-29 00:00:00",1,2,3,4')],
    ['a word where a number stands', 'toa5.badRecord', table('"2024-03-01 00:00:00",1,abc,3,4')],
  ])('%s is refused as %s', (_, code, bytes) => {
    expect(refusal(bytes)).toBe(code)
  })

  test('the last number of a file cut inside it is missing, not a shorter number', () => {
    const bytes = table('"2024-03-01 00:00:00",1,2,3,995.1306')
    const read = readToa5(bytes.subarray(0, bytes.length - 5))
    expect(read.columns.map((c) => c.values[0])).toEqual([1, 2, 3, Number.NaN])
  })
})

test('what is written reads back', () => {
  const number = fc.oneof(
    fc.constant(Number.NaN),
    fc.integer(),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
  )
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1, maxLength: 5 }),
      fc.array(
        fc.tuple(fc.integer({ min: 0, max: 4e12 }), fc.array(number, { minLength: 5, maxLength: 5 })),
        { maxLength: 8 },
      ),
      (names, records) => {
        const written: Toa5Table = {
          kind: 'toa5',
          station: 'Toit',
          model: 'CR1000X',
          serialNumber: '1',
          operatingSystem: 'os',
          program: 'CPU:a',
          signature: '2',
          table: 'meteo',
          localMs: Float64Array.from(records, ([ms]) => ms),
          columns: names.map(([name, unit], c) => ({
            name: name.replace(/[\r\n]/g, ' '),
            unit: unit.replace(/[\r\n]/g, ' '),
            processing: 'Avg',
            values: Float64Array.from(records, ([, values]) =>
              Number.isInteger(values[c]) ? values[c] + 0 : Number(values[c].toPrecision(7)),
            ),
          })),
        }
        expect(readToa5(writeToa5(written))).toEqual(written)
      },
    ),
    { numRuns: 200 },
  )
})

describe('wall clock to UTC', () => {
  const at = (text: string): number => Date.parse(`${text}Z`)
  const utc = (zone: string, ...stamps: string[]): string[] =>
    [...toUtcMs(Float64Array.from(stamps, at), zone)].map((ms) => new Date(ms).toISOString().slice(0, 16))

  test('UTC stays, Paris is one hour off in winter and two in summer', () => {
    expect(utc('UTC', '2024-07-01T12:00')).toEqual(['2024-07-01T12:00'])
    expect(utc('Europe/Paris', '2024-01-01T00:30', '2024-07-01T00:30')).toEqual([
      '2023-12-31T23:30',
      '2024-06-30T22:30',
    ])
  })

  test('the hour shown twice in autumn runs on when the records do', () => {
    expect(
      utc(
        'Europe/Paris',
        '2024-10-27T01:30',
        '2024-10-27T02:00',
        '2024-10-27T02:30',
        '2024-10-27T02:00',
        '2024-10-27T02:30',
        '2024-10-27T03:00',
      ),
    ).toEqual([
      '2024-10-26T23:30',
      '2024-10-27T00:00',
      '2024-10-27T00:30',
      '2024-10-27T01:00',
      '2024-10-27T01:30',
      '2024-10-27T02:00',
    ])
  })

  test('a time that the clock skips in spring still gets an instant', () => {
    expect(utc('Europe/Paris', '2024-03-31T01:59', '2024-03-31T02:30', '2024-03-31T03:00')).toEqual([
      '2024-03-31T00:59',
      '2024-03-31T01:30',
      '2024-03-31T01:00',
    ])
  })
})
