import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvComments, csvField, csvFile, csvInDialect, csvText } from './csv.ts'

test.each([
  ['=cmd|calc', "'=cmd|calc"],
  ['+1+cmd', "'+1+cmd"],
  ['-x', "'-x"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\'\t=1"'],
  ['\r=1', '"\'\r=1"'],
  ['=1,"2"', `"'=1,""2"""`],
])('a text that a spreadsheet would compute is neutralised: %j', (text, field) => {
  expect(csvField(text)).toBe(field)
})

test('numbers, plain texts and nothing stay as they are; what separates is quoted', () => {
  const row = [-1.5, '-1.5', '+3', 'J-1', 'a,b', 'c;d', 'e"f', 'g\nh', null, undefined]
  expect(row.map(csvField)).toEqual([
    '-1.5',
    '-1.5',
    '+3',
    'J-1',
    '"a,b"',
    '"c;d"',
    '"e""f"',
    '"g\nh"',
    '',
    '',
  ])
  expect(
    csvText(
      [
        ['a', 1],
        ['=b', -2],
      ],
      ';',
    ),
  ).toBe("a;1\n'=b;-2\n")
})

test('a text says how it is written, and both dialects hold the same', () => {
  const text = `# Produit : dpsri, 3,5 km\n${csvText([
    ['time', 'node', 'mm_h', 'text'],
    ['2026-06-04T10:00:00Z', '1.5', 2.25, 'a;b, c'],
    ['2026-06-04T10:05:00Z', '2.5', -1e-7, ''],
    ['2026-06-04T10:10:00Z', '3', null, '4.5'],
  ])}`
  expect(csvInDialect(text, 'comma')).toBe(`# CSV : champs séparés par des virgules, point décimal\n${text}`)
  expect(csvInDialect(text, 'semicolon').split('\n')).toEqual([
    '# CSV : champs séparés par des points-virgules, virgule décimale',
    '# Produit : dpsri, 3,5 km',
    'time;node;mm_h;text',
    '2026-06-04T10:00:00Z;1.5;2,25;"a;b, c"',
    '2026-06-04T10:05:00Z;2.5;-1e-7;',
    '2026-06-04T10:10:00Z;3;;4.5',
    '',
  ])
})

test('a table is written in the dialect straight away: comments, neutral texts, numbers with its mark', () => {
  const table = {
    comments: csvComments([['Produit\n=1', 'dpsri, 3.5']]),
    rows: [
      ['time', 'mm_h', 'text'],
      ['2026-06-04T10:00:00.000Z', 2.25, '=a;b'],
      ['2026-06-04T10:05:00.000Z', -1e-7, '4.5'],
      ['2026-06-04T10:10:00.000Z', null, ''],
    ],
  }
  expect(csvFile(table, 'semicolon').split('\n')).toEqual([
    '# CSV : champs séparés par des points-virgules, virgule décimale',
    '# Produit =1 : dpsri, 3.5',
    'time;mm_h;text',
    '2026-06-04T10:00:00.000Z;2,25;"\'=a;b"',
    '2026-06-04T10:05:00.000Z;-1e-7;4.5',
    '2026-06-04T10:10:00.000Z;;',
    '',
  ])
  expect(csvFile(table, 'comma').split('\n').slice(2, 5)).toEqual([
    'time,mm_h,text',
    '2026-06-04T10:00:00.000Z,2.25,"\'=a;b"',
    '2026-06-04T10:05:00.000Z,-1e-7,4.5',
  ])
})

test('a number has the digits that it is read from, in both dialects', () => {
  const decimals = fc.tuple(fc.integer({ min: -3e9, max: 3e9 }), fc.integer({ min: 0, max: 6 }))
  const numbers = fc.oneof(
    fc.double(),
    decimals.map(([parts, digits]) => parts / 10 ** digits),
  )
  fc.assert(
    fc.property(numbers, (value) => {
      expect(csvText([[value]])).toBe(`${value}\n`)
      expect(csvFile({ comments: [], rows: [[value]] }, 'semicolon').split('\n')[1]).toBe(
        `${value}`.replace('.', ','),
      )
    }),
    { numRuns: 2_000 },
  )
})
