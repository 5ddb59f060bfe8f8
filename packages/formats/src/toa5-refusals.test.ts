import { describe, expect, test } from 'vitest'
import { refusal } from './testing/refusal.ts'
import { readToa5 } from './toa5.ts'

const LINES = [
  '"TOA5","RadX","CR1000X","23644","os","CPU:radx.CR1X","54351","meteo"',
  '"TIMESTAMP","RECORD","AirTC_Avg"',
  '"TS","RN","Deg C"',
  '"","","Avg"',
  '"2024-03-01 00:00:00",1,2',
  '"2024-03-01 00:01:00",2,3',
]

/** The refusal of the table with one line (counted from 1) replaced. */
function lineRefusal(line: number, text: string, end = '\r\n') {
  return refusal(() => readToa5(Buffer.from(LINES.with(line - 1, text).join('\r\n') + end)))
}

describe('a header', () => {
  test.each([1, 2, 3, 4])('with a quote that never ends, in line %i', (line) => {
    const error = lineRefusal(line, LINES[line - 1].slice(0, -1))
    expect(error.code).toBe('toa5.badHeader')
    expect(error.message).toContain('a un guillemet sans fin. Copiez-la de nouveau depuis la centrale')
  })

  test.each([
    ['of seven fields', 1, LINES[0].replace(',"meteo"', ''), { columns: 3, first: 'TIMESTAMP' }],
    [
      'whose first column is another',
      2,
      `"${'T'.repeat(50)}","RECORD","AirTC_Avg"`,
      { columns: 3, first: 'T'.repeat(40) },
    ],
    ['with no column but the time', 2, '"TIMESTAMP"', { columns: 1, first: 'TIMESTAMP' }],
  ])('%s', (_, line, text, details) => {
    const error = lineRefusal(line, text)
    expect(error).toMatchObject({ code: 'toa5.badHeader', details })
    expect(error.message).toContain('la première colonne doit être TIMESTAMP. Vérifiez')
  })

  test.each([
    ['units', 3, { names: 3, units: 2, processing: 3 }],
    ['processing', 4, { names: 3, units: 3, processing: 2 }],
  ])('with too few %s', (_, line, details) => {
    const error = lineRefusal(line, '"TS","RN"')
    expect(error).toMatchObject({ code: 'toa5.badHeader', details })
    expect(error.message).toContain("n'ont pas le même nombre de colonnes. Vérifiez")
  })

  test('of three lines', () => {
    const bytes = Buffer.from(LINES.slice(0, 3).join('\n'))
    expect(() => readToa5(bytes)).toThrow("n'a pas ses quatre lignes d'en-tête. Copiez-la de nouveau")
  })

  test.each(['TOA4,', 'x"TOA5",', 'abc'])('that begins with %s is of another format', (text) => {
    // Bytes that have no others around them.
    expect(() => readToa5(Uint8Array.from(text, (c) => c.charCodeAt(0)))).toThrow(
      "n'est pas une table TOA5 de Campbell. Choisissez le format TOA5",
    )
  })
})

describe('a record', () => {
  test.each([
    [
      'a field too few',
      '"2024-03-01 00:01:00",2',
      "La ligne 6 de la table TOA5 n'a pas le bon nombre de champs",
    ],
    [
      'a quote that never ends',
      '"2024-03-01 00:01:00",2,"3',
      "La ligne 6 de la table TOA5 n'a pas le bon nombre",
    ],
    [
      'text after a quote',
      '"2024-03-01 00:01:00",2,"3"4',
      "La ligne 6 de la table TOA5 n'a pas le bon nombre",
    ],
    ['nothing for a date', ',2,3', 'La date de la ligne 6 de la table TOA5 est illisible'],
    [
      'no number',
      '"2024-03-01 00:01:00",2,3x',
      'La ligne 6 de la table TOA5 contient « 3x » dans la colonne AirTC_Avg',
    ],
    ['no number either', '"2024-03-01 00:01:00",2,x3', 'contient « x3 » dans la colonne AirTC_Avg. Copiez'],
    ['a long word', `"2024-03-01 00:01:00",2,${'y'.repeat(50)}`, `« ${'y'.repeat(40)} »`],
  ])('with %s', (_, text, says) => {
    const error = lineRefusal(6, text)
    expect(error).toMatchObject({ code: 'toa5.badRecord', details: { line: 6 } })
    expect(error.message).toContain(says)
    expect(error.message).toContain('opiez la table de nouveau depuis la centrale')
  })

  test('names the column of the word that is no number', () => {
    expect(lineRefusal(6, '"2024-03-01 00:01:00",2,x').details).toEqual({ line: 6, column: 'AirTC_Avg' })
  })

  test('that is cut short is told apart', () => {
    const error = lineRefusal(6, '"2024-03-01 00:01:00",2', '')
    expect(error).toMatchObject({ code: 'toa5.truncated', details: { line: 6 } })
    expect(error.message).toContain('La ligne 6 de la table TOA5 est coupée. Copiez')
    expect(lineRefusal(5, '"2024-03-01 00:00:00",1', '').code).toBe('toa5.badRecord')
  })

  test.each([
    '2024-02-30 00:00:00',
    '2024-00-10 00:00:00',
    '2024-13-10 00:00:00',
    '2024-03-00 00:00:00',
    '2024-03-01 24:00:00',
    '2024-03-01 00:60:00',
    '2024-03-01 00:00:60',
    '0024-03-01 00:00:00',
    'x2024-03-01 00:00:00',
    '2024-03-01 00:00:00x',
    '2024-03-01T00:00:00',
    '2024-03-01 00:00',
    '',
  ])('of %s has no date', (text) => {
    const error = lineRefusal(6, `"${text}",2,3`)
    expect(error).toMatchObject({ code: 'toa5.badRecord', details: { line: 6, text } })
    expect(error.message).toContain('La date de la ligne 6 de la table TOA5 est illisible. Corrigez-la')
  })

  test('quotes up to 40 characters of what should be a date', () => {
    expect(lineRefusal(6, `${'9'.repeat(50)},2,3`).details.text).toBe('9'.repeat(40))
  })
})
