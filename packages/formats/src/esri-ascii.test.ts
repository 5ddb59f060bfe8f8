import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gridMismatch, readEsriAscii, writeEsriAscii } from './esri-ascii.ts'

const HEADER = 'ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 5\nNODATA_value -9999\n'

describe('ESRI ASCII grids', () => {
  test('[LUSE-11] row 0 is the northern row and NODATA becomes NaN', () => {
    const grid = readEsriAscii(`${HEADER}1 2 3\n4 -9999 6\n`, 'a.asc')
    expect([...grid.data]).toEqual([1, 2, 3, 4, Number.NaN, 6])
    expect(grid).toMatchObject({ ncols: 3, nrows: 2, xll: 10, yll: 20, cellSize: 5, noData: -9999 })
  })

  test('cell centres, capitals, CRLF and values on one line are read alike', () => {
    const text = 'NCOLS 3\r\nNROWS 2\r\nXLLCENTER 12.5\r\nYLLCENTER 22.5\r\nCELLSIZE 5\r\n1 2 3 4 5 6'
    expect(readEsriAscii(text, 'a.asc')).toMatchObject({ xll: 10, yll: 20 })
  })

  test.each([
    ['', 'a.asc, ligne 1 : il manque ncols'],
    [`${HEADER}1 2 3\n4 x 6\n`, 'a.asc, ligne 8 : « x » (maille 2 de la rangée 2)'],
    [`${HEADER}1 2 3\n4 5\n`, '5 valeurs lues'],
    [`${HEADER}1 2 3\n4 5 6 7\n`, 'trop de valeurs'],
    [HEADER.replace('ncols 3', 'ncols -3'), 'ncols vaut -3'],
    [HEADER.replace('ncols 3', 'ncols 3e9'), 'dépassent la limite'],
    [HEADER.replace('cellsize 5', 'cellsize 0'), 'cellsize'],
    [HEADER.replace('yllcorner 20', 'yllcorner oups'), 'ligne 4 : yllcorner attend'],
    [HEADER.replace('yllcorner 20', 'yllcorner 6831e308'), 'ligne 4 : yllcorner attend'],
    ['PK\u0003\u0004 zip', 'n’est pas un mot d’en-tête'],
    [
      `${'k'.repeat(50)} 3\n`,
      `a.asc, ligne 1 : « ${'k'.repeat(40)} » n’est pas un mot d’en-tête ESRI ASCII.`,
    ],
    [HEADER.replace('ncols 3', 'ncols 2.5'), 'ncols vaut 2.5 : il faut un entier positif'],
    [HEADER.replace('ncols 3', 'ncols 0'), 'ncols vaut 0'],
    [HEADER.replace('nrows 2', 'nrows'), 'ligne 2 : nrows attend une valeur numérique.'],
    [HEADER.replace('nrows 2', 'nrows 2 3'), 'ligne 2 : nrows attend'],
    [HEADER.replace('cellsize 5', 'cellsize inf'), 'ligne 5 : cellsize attend'],
    [HEADER.replace('cellsize 5', 'cellsize nan'), 'ligne 5 : cellsize attend'],
    [HEADER.replace('-9999', 'rien'), 'ligne 6 : NODATA_value attend'],
    [HEADER.replace('nrows 2\n', ''), 'ligne 1 : il manque nrows dans l’en-tête.'],
    [HEADER.replace('xllcorner 10\n', ''), 'ligne 1 : il manque xllcorner dans l’en-tête.'],
    [HEADER.replace('yllcorner 20\n', ''), 'ligne 1 : il manque yllcorner dans l’en-tête.'],
    [HEADER.replace('cellsize 5\n', ''), 'cellsize doit être un nombre positif.'],
    [
      HEADER.replace('ncols 3', 'ncols 64000001').replace('nrows 2', 'nrows 1'),
      '64000001 x 1 mailles dépassent la limite de 64 millions.',
    ],
    [
      HEADER.replace('ncols 3', 'ncols 8001').replace('nrows 2', 'nrows 8000'),
      '8001 x 8000 mailles dépassent',
    ],
    [HEADER.replace('ncols 3', 'finance 3'), '« finance » n’est pas un mot d’en-tête'],
    [`${HEADER}1 xnan 3\n4 5 6\n`, '« xnan »'],
    [`${HEADER}1 -nanx 3\n4 5 6\n`, '« -nanx »'],
    [
      `${HEADER}1 2 3\n4 Infinity 6\n`,
      'ligne 8 : « Infinity » (maille 2 de la rangée 2) n’est pas un nombre.',
    ],
    [`${HEADER}1 -1e999 3\n4 5 6\n`, 'ligne 7 : « -1e999 » (maille 2 de la rangée 1)'],
    [`${HEADER}${'y'.repeat(50)} 2 3 4 5 6`, 'n’est pas un mot d’en-tête'],
    [`${HEADER}1${'y'.repeat(50)} 2 3 4 5 6`, `« 1${'y'.repeat(39)} » (maille 1 de la rangée 1)`],
    [
      `${HEADER}1 2 3\n4 5 6\n7`,
      'ligne 9 : trop de valeurs : l’en-tête en annonce 6. Vérifier ncols et nrows.',
    ],
    [`${HEADER}1 2 3\n4 5\n`, 'ligne 9 : 5 valeurs lues, l’en-tête en annonce 6. Le fichier est tronqué'],
  ])('a damaged file names file, line and what is wrong (%#)', (text, message) => {
    expect(() => readEsriAscii(text, 'a.asc')).toThrow(message)
    const code = expect.stringMatching(/^esriascii\.(header|size|value|count)$/)
    expect(() => readEsriAscii(text, 'a.asc')).toThrow(expect.objectContaining({ code }))
  })

  test.each([
    ['header', HEADER.replace('xllcorner', 'corner'), 3],
    ['size', HEADER.replace('ncols 3', 'ncols 3e9'), 1],
    ['value', `${HEADER}1 x`, 7],
    ['count', `${HEADER}1 2`, 7],
  ])('the code esriascii.%s goes with file and line', (code, text, line) => {
    expect(() => readEsriAscii(text, 'a.asc')).toThrow(
      expect.objectContaining({ code: `esriascii.${code}`, details: { file: 'a.asc', line } }),
    )
  })

  test('no data may be NaN, in the header and in the cells, however it is written', () => {
    const nan = HEADER.replace('-9999', 'NaN')
    expect(readEsriAscii(`${nan}nan NaN -nan 4 5 -9999`, 'a.asc')).toMatchObject({
      noData: Number.NaN,
      data: Float64Array.of(Number.NaN, Number.NaN, Number.NaN, 4, 5, -9999),
    })
    expect(readEsriAscii(`${HEADER}4 +nan 1 2 3 -9999.0`, 'a.asc').data).toEqual(
      Float64Array.of(4, Number.NaN, 1, 2, 3, Number.NaN),
    )
    const without = HEADER.replace('NODATA_value -9999\n', '')
    expect(readEsriAscii(`${without}1 2 3 4 5 -9999`, 'a.asc')).toMatchObject({
      noData: Number.NaN,
      data: { 5: -9999 },
    })
  })

  test('a number is to the bit what the language reads, however it is written', () => {
    const words =
      '0 -0 1 -1 .5 5. -.25 0.1 -0.3 12.3456 102.001 9007199254740993 0.123456789012345678 123456789.12345678 1e3 -1.5E-7 +2.5 00012.500 999999999999999 0.000000000000001'.split(
        ' ',
      )
    const text = `ncols ${words.length}\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n${words.join(' ')}`
    const { data } = readEsriAscii(text, 'numbers.asc')
    expect(words.filter((word, k) => !Object.is(data[k], Number(word)))).toEqual([])
  })

  test('lines may be empty before the header and after it, and end in any way', () => {
    const grid = readEsriAscii(
      `\n \n${HEADER.replace('ncols 3', 'ncols \t  3').replaceAll('\n', '\r\n')}\r\n1 2 3\r\n\r\n4\t5 6`,
      'a.asc',
    )
    expect([...grid.data]).toEqual([1, 2, 3, 4, 5, 6])
    expect(() => readEsriAscii(`\n${HEADER}\n1 2 x`, 'a.asc')).toThrow('ligne 9 : « x »')
    expect(() => readEsriAscii(HEADER.trimEnd(), 'a.asc')).toThrow('ligne 7 : 0 valeurs lues')
  })

  test('a few values under a header of 64 million take no room for 64 million', () => {
    const before = process.memoryUsage().arrayBuffers
    const text = `${HEADER.replace('ncols 3', 'ncols 8000').replace('nrows 2', 'nrows 8000')}1 2 3`
    expect(() => readEsriAscii(text, 'a.asc')).toThrow('3 valeurs lues, l’en-tête en annonce 64000000')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6)
    const full = readEsriAscii(`${HEADER}1 2 3 4 5 6`, 'a.asc')
    expect(full.data).toHaveLength(6)
  })

  test('what is written is read back to the decimals asked for', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double({ min: -9000, max: 9000, noNaN: true }), fc.constant(Number.NaN)), {
          minLength: 6,
          maxLength: 6,
        }),
        (values) => {
          const grid = { ncols: 3, nrows: 2, xll: 0, yll: 0, cellSize: 10, noData: -9999, data: values }
          const back = readEsriAscii(writeEsriAscii(grid, 3), 'a.asc')
          values.forEach((value, k) => {
            if (Number.isNaN(value)) expect(back.data[k]).toBeNaN()
            else expect(Math.abs(back.data[k] - value)).toBeLessThanOrEqual(0.0005 + 1e-9)
          })
        },
      ),
      { numRuns: 50 },
    )
  })

  test('what is written, to the letter', () => {
    const grid = { ncols: 3, nrows: 2, xll: 0.5, yll: -2, cellSize: 10, noData: -1 }
    expect(writeEsriAscii({ ...grid, data: [1, 2.256, Number.NaN, -0.004, 1e6, 7] }, 2)).toBe(
      'ncols 3\nnrows 2\nxllcorner 0.5\nyllcorner -2\ncellsize 10\nNODATA_value -1\n1 2.26 -1\n0 1000000 7\n',
    )
    const text = writeEsriAscii({ ...grid, noData: Number.NaN, data: new Array(6).fill(Number.NaN) }, 0)
    expect(text).toContain('NODATA_value -9999\n-9999 -9999 -9999\n-9999')
  })

  test('grids that do not align are told apart', () => {
    const a = readEsriAscii(`${HEADER}1 2 3 4 5 6`, 'a.asc')
    expect(gridMismatch(a, a)).toBeNull()
    expect(gridMismatch(a, { ...a, xll: 11 })).toBe('coin inférieur gauche (11, 20) au lieu de (10, 20)')
    expect(gridMismatch(a, { ...a, yll: 19 })).toBe('coin inférieur gauche (10, 19) au lieu de (10, 20)')
    expect(gridMismatch(a, { ...a, cellSize: 6 })).toBe('taille de maille 6 au lieu de 5')
    for (const other of [{ ncols: 2 }, { nrows: 3 }])
      expect(gridMismatch(a, { ...a, ...other })).toMatch(/^[23] lignes x [23] colonnes au lieu de 2 x 3$/)
    // A thousandth of a cell, a thousandth of a millionth of its size.
    for (const near of [{ xll: 10.004 }, { xll: 9.996 }, { yll: 20.004 }, { cellSize: 5 + 4e-9 }])
      expect(gridMismatch(a, { ...a, ...near })).toBeNull()
    for (const far of [
      { xll: 10.006 },
      { xll: 9.994 },
      { yll: 19.994 },
      { cellSize: 5 + 6e-9 },
      { cellSize: 5 - 6e-9 },
    ])
      expect(gridMismatch(a, { ...a, ...far })).not.toBeNull()
  })
})
