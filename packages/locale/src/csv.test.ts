import { expect, test } from 'vitest'
import { csvField, csvText } from './csv.ts'

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
