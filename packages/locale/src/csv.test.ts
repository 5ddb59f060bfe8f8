import { expect, test } from 'vitest'
import { csvField, csvFile, csvText } from './csv.ts'

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

test('a file says how it is written, and both dialects hold the same', () => {
  const text = `# Produit : dpsri, 3,5 km\n${csvText([
    ['time', 'node', 'mm_h', 'text'],
    ['2026-06-04T10:00:00Z', '1.5', 2.25, 'a;b, c'],
    ['2026-06-04T10:05:00Z', '2.5', -1e-7, ''],
    ['2026-06-04T10:10:00Z', '3', null, '4.5'],
  ])}`
  expect(csvFile(text, 'comma')).toBe(`# CSV : champs séparés par des virgules, point décimal\n${text}`)
  expect(csvFile(text, 'semicolon').split('\n')).toEqual([
    '# CSV : champs séparés par des points-virgules, virgule décimale',
    '# Produit : dpsri, 3,5 km',
    'time;node;mm_h;text',
    '2026-06-04T10:00:00Z;1.5;2,25;"a;b, c"',
    '2026-06-04T10:05:00Z;2.5;-1e-7;',
    '2026-06-04T10:10:00Z;3;;4.5',
    '',
  ])
})
