import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusal } from './testing/refusal.ts'
import { readToa5, type Toa5Table, writeToa5 } from './toa5.ts'

const HEADER = [
  '"TOA5","RadX, toit","CR1000X","23644","CR1000X.Std.05.01","CPU:radx.CR1X","54351","meteo"',
  '"TIMESTAMP","RECORD","AirTC_Avg","WindDir","Note"',
  '"TS","RN","Deg C","Deg",""',
  '"","","Avg","WVc","Smp"',
]
const table = (...records: string[]): Buffer => Buffer.from(`${[...HEADER, ...records].join('\r\n')}\r\n`)

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

  test('numbers in all their forms, spaces around them, and words for no number', () => {
    const last = (text: string) => readToa5(table(`"2024-03-01 00:00:00",1,2,3,${text}`)).columns[3].values[0]
    expect(['.25', '+5.', '-1E+3', '1e-3', '1e3', ' 7 ', '"8"'].map(last)).toEqual([
      0.25, 5, -1000, 0.001, 1000, 7, 8,
    ])
    for (const text of ['', '""', 'nan', '-NAN', '+nan', 'INF', '-inf', '"1x"', '"x1"', '"-INF"'])
      expect(last(text)).toBeNaN()
  })

  test('the header may stand without quotes', () => {
    const bare = table('2024-03-01 00:00:00,1,2,3,4')
      .toString()
      .replaceAll('RadX, toit', 'RadX')
      .replaceAll('"', '')
    expect(readToa5(Buffer.from(bare)).station).toBe('RadX')
    expect(readToa5(Buffer.from(bare.replace('TOA5', '"TOA5"'))).columns).toHaveLength(4)
  })

  test('1,000 columns are read', () => {
    const wide = (n: number) => {
      const line = (first: string, rest: string) => [first, ...new Array(n - 1).fill(rest)].join(',')
      return Buffer.from(
        [
          HEADER[0],
          line('TIMESTAMP', 'X'),
          line('TS', ''),
          line('', ''),
          line('2024-03-01 00:00:00', '1'),
          '',
        ].join('\n'),
      )
    }
    expect(readToa5(wide(1000)).columns).toHaveLength(999)
    expect(readToa5(wide(2)).columns).toHaveLength(1)
    expect(refusal(() => readToa5(wide(1001))).code).toBe('toa5.badHeader')
    expect(refusal(() => readToa5(wide(1))).code).toBe('toa5.badHeader')
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
    expect(refusal(() => readToa5(bytes)).code).toBe(code)
  })

  test('the last number of a file cut inside it is missing, not a shorter number', () => {
    const bytes = table('"2024-03-01 00:00:00",1,2,3,995.1306')
    const read = readToa5(bytes.subarray(0, bytes.length - 5))
    expect(read.columns.map((c) => c.values[0])).toEqual([1, 2, 3, Number.NaN])
    const two = table('"2024-03-01 00:00:00",1,2,3,4', '"2024-03-01 00:01:00",5,6,7,8').subarray(0, -2)
    expect(readToa5(two).columns.map((c) => [...c.values])).toEqual([
      [1, 5],
      [2, 6],
      [3, 7],
      [4, Number.NaN],
    ])
    const quoted = table('"2024-03-01 00:00:00",1,2,3,"4"').subarray(0, -2)
    expect(readToa5(quoted).columns[3].values[0]).toBe(4)
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

describe('what is written', () => {
  const about: Omit<Toa5Table, 'kind'> = {
    station: 'Toit "A"',
    model: 'CR1000X',
    serialNumber: '1',
    operatingSystem: 'os',
    program: 'CPU:a',
    signature: '2',
    table: 'météo\nA',
    localMs: Float64Array.of(0, 50, 500, 120, 1),
    columns: [
      {
        name: 'X',
        unit: '°C',
        processing: 'Avg',
        values: Float64Array.of(1234567.89, 1e9, Infinity, Number.NaN, -0.1),
      },
    ],
  }
  test('is a table as the loggers have it, to the letter', () => {
    expect(Buffer.from(writeToa5(about)).toString('utf8').split('\r\n')).toEqual([
      '"TOA5","Toit ""A""","CR1000X","1","os","CPU:a","2","météo A"',
      '"TIMESTAMP","X"',
      '"TS","°C"',
      '"","Avg"',
      '"1970-01-01 00:00:00",1234568',
      '"1970-01-01 00:00:00.05",1000000000',
      '"1970-01-01 00:00:00.5","NAN"',
      '"1970-01-01 00:00:00.12","NAN"',
      '"1970-01-01 00:00:00.001",-0.1',
      '',
    ])
  })
  test('has a value for each record', () => {
    expect(() => writeToa5({ ...about, localMs: Float64Array.of(0) })).toThrow(
      new RangeError('column X holds 5 values for 1 records'),
    )
  })
})
