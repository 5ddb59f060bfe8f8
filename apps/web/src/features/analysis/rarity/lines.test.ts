import { expect, test } from 'vitest'
import { type LineText, nextLine, readLines } from './lines.ts'

const line = (periodYears: string, a: string, b: string, fromMin = '6', toMin = '360'): LineText => ({
  periodYears,
  a,
  b,
  fromMin,
  toMin,
})

test('lines are read with decimal commas, in the units said', () => {
  expect(readLines([line('10', '5,9', '0,59')], 'mm-min')).toEqual({
    laws: [{ periodYears: 10, a: 5.9, b: 0.59, fromMin: 6, toMin: 360 }],
    issues: [],
  })
  expect(readLines([line('10', '354', '0.59')], 'mmh-min').issues).toEqual([])
  expect(nextLine([line('10', '1', '0,5', '6', '120')])).toEqual(line('', '', '', '6', '120'))
})

test.each<[LineText[], object]>([
  [[line('10', '', '0,59')], { line: 0, field: 'a', message: 'Donnez un nombre' }],
  [[line('10', '5,9', '1,59')], { line: 0, field: 'b', message: expect.stringContaining('b vaut 1,59') }],
  [[line('10', '354', '0,59')], { line: 0, field: 'a', message: expect.stringContaining('unité annoncée') }],
  [
    [line('10', '5,9', '0,59', '60', '6')],
    { line: 0, field: 'toMin', message: expect.stringContaining('60–6') },
  ],
  [
    [line('10', '5,9', '0,59'), line('10', '6', '0,6', '60', '720')],
    { line: 1, field: 'toMin', message: expect.stringContaining('recouvre') },
  ],
  [
    [line('10', '5,9', '0,59'), line('20', '5', '0,59')],
    { line: 1, field: 'a', message: expect.stringContaining('échangés') },
  ],
])('what cannot be stands at its field (%#)', (lines, issue) => {
  expect(readLines(lines, 'mm-min').issues).toEqual([issue])
})

test('a line that is whole is looked at while another still lacks numbers', () => {
  const { issues } = readLines([line('10', '5,9', '1,59'), line('', '', '0,5')], 'mm-min')
  expect(issues.map(({ line: at, field }) => [at, field])).toEqual([
    [0, 'b'],
    [1, 'periodYears'],
    [1, 'a'],
  ])
})
