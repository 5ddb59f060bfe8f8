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
  ])('a damaged file names file, line and what is wrong (%#)', (text, message) => {
    expect(() => readEsriAscii(text, 'a.asc')).toThrow(message)
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

  test('grids that do not align are told apart', () => {
    const a = readEsriAscii(`${HEADER}1 2 3 4 5 6`, 'a.asc')
    expect(gridMismatch(a, a)).toBeNull()
    expect(gridMismatch(a, { ...a, xll: 11 })).toContain('coin inférieur gauche')
    expect(gridMismatch(a, { ...a, cellSize: 6 })).toContain('taille de maille')
    expect(gridMismatch(a, { ...a, ncols: 2, nrows: 3 })).toContain('lignes')
  })
})
