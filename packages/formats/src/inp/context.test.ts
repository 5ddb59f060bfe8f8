import { describe, expect, test } from 'vitest'
import { expectRefusal, inp, named, read } from '../testing/inp-text.ts'
import { parseDate, parseTime } from './context.ts'

describe('numbers', () => {
  const invert = (word: string) => read({ JUNCTIONS: `J1 ${word} 2\nJ2 9 2` }).network.nodes[0].invertM

  test.each([
    ['10', 10],
    ['+10.', 10],
    ['-1.25', -1.25],
    ['.5', 0.5],
    ['.25', 0.25],
    ['1e-10', 1e-10],
    ['1e2', 100],
    ['1.5E-1', 0.15],
    ['2.5d+2', 250],
    ['1D1', 10],
  ])('%s is read as EPA SWMM and FORTRAN programs write it', (word, value) => {
    expect(invert(word)).toBe(value)
  })

  test.each(['1,5', '0x10', '1e', '.', '1.2.3', 'Infinity', '1e999', 'x1', '1x'])(
    '%s is refused with the figure it stands for',
    (word) => {
      expectRefusal(
        inp({ JUNCTIONS: `J1 ${word} 2\nJ2 9 2` }),
        'number',
        `J1 ${word}`,
        `« ${word} »`,
        'le radier',
        '« J1 »',
      )
    },
  )

  test('a figure that is missing, or a star, is refused where there is no default', () => {
    expectRefusal(inp({ JUNCTIONS: 'J1\nJ2 9 2' }), 'missing', 'J1', 'le radier', '« J1 »', 'Complétez')
    expectRefusal(inp({ JUNCTIONS: 'J1 * 2\nJ2 9 2' }), 'missing', 'J1 *', 'le radier')
  })

  test('bounds belong to what is allowed, and the message names them', () => {
    const surcharge = (word: string) => inp({ JUNCTIONS: `J1 10 ${word}\nJ2 9 2` })
    expectRefusal(surcharge('-0.001'), 'range', 'J1 10', 'la profondeur', '-0.001', '0 à 100000')
    expectRefusal(surcharge('100000.1'), 'range', 'J1 10', 'hors de')
    expect(read({ JUNCTIONS: 'J1 10 0\nJ2 9 100000' }).network.nodes.map((n) => n.fullDepthM)).toEqual([
      0, 100000, 0,
    ])
  })
})

describe('keywords', () => {
  const kind = (word: string) => {
    const node = named(read({ OUTFALLS: `O1 8 ${word}` }).network.nodes, 'O1')
    return node.kind === 'outfall' ? node.boundary.type : ''
  }
  test('case does not matter, and what follows the keyword neither', () => {
    expect(kind('free')).toBe('free')
    expect(kind('Normal')).toBe('normal')
    expect(kind('NORMALLY')).toBe('normal')
  })
  test('an unknown one is refused with the list', () => {
    expectRefusal(
      inp({ OUTFALLS: 'O1 8 Libre' }),
      'keyword',
      'O1 8',
      '« Libre »',
      "le type d'exutoire de « O1 »",
      'FREE, NORMAL, FIXED, TIDAL, TIMESERIES',
    )
    // The beginning of a keyword is not the keyword.
    expectRefusal(inp({ OUTFALLS: 'O1 8 FRE' }), 'keyword', 'O1 8')
  })
  test('a missing one is refused, a star too', () => {
    expectRefusal(inp({ OUTFALLS: 'O1 8' }), 'missing', 'O1 8', "le type d'exutoire", '« O1 »')
    expectRefusal(inp({ OUTFALLS: 'O1 8 *' }), 'missing', 'O1 8 *')
  })
  test('YES and NO, in any case, and NO by default for a flap gate', () => {
    const gate = (word: string) => {
      const node = named(read({ OUTFALLS: `O1 8 FREE ${word}` }).network.nodes, 'O1')
      return node.kind === 'outfall' && node.flapGate
    }
    expect(['YES', 'yes', 'NO', '', '*'].map(gate)).toEqual([true, true, false, false, false])
    expectRefusal(inp({ OUTFALLS: 'O1 8 FREE OUI' }), 'keyword', 'O1 8', 'le clapet', 'YES, NO')
  })
})

describe('names', () => {
  test('are found in another case, but what is written exactly so comes first', () => {
    const { network } = read({
      JUNCTIONS: 'J1 10 2\nj1 9.5 2\nJ2 9 2',
      CONDUITS: 'C1 J1 j2 40 0.013 0 0\nC2 J2 o1 60 0.013 0 0\nC3 j1 J2 40 0.013 0 0',
      XSECTIONS: 'c1 CIRCULAR 0.5\nC2 CIRCULAR 0.5\nC3 CIRCULAR 0.3',
    })
    expect(network.links.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [2, 3],
      [1, 2],
    ])
  })
  test('in a third case are those of the first that differs by its case only', () => {
    const { network } = read({
      JUNCTIONS: 'Ab 10 2\nAB 9.5 2\nJ2 9 2',
      CONDUITS: 'C1 ab J2 40 0.013 0 0\nC2 J2 O1 60 0.013 0 0\nC3 AB J2 40 0.013 0 0',
      '+XSECTIONS': 'C3 CIRCULAR 0.3',
    })
    expect(network.links.map(({ from }) => from)).toEqual([0, 2, 1])
  })
  test('of nodes are unique over all kinds of nodes', () => {
    expectRefusal(inp({ OUTFALLS: 'O1 8 FREE\nJ2 8 FREE' }), 'duplicate', 'J2 8 FREE', '« J2 »', 'unique')
  })
  test('an unknown node is refused with the link that wants it', () => {
    expectRefusal(
      inp({ CONDUITS: 'C1 J1 J9 40 0.013 0 0\nC2 J2 O1 60 0.013 0 0' }),
      'node',
      'C1 J1 J9',
      '« C1 »',
      '« J9 »',
      '[JUNCTIONS], [OUTFALLS] ou [STORAGE]',
    )
    expectRefusal(inp({ PUMPS: 'P1 J1' }), 'missing', 'P1 J1', 'un nœud', '« P1 »')
  })
})

describe('times of day and dates', () => {
  test.each([
    ['1.5', undefined, 5400],
    ['0', undefined, 0],
    ['1:30', undefined, 5400],
    ['01:30:15', undefined, 5415],
    ['25:00', undefined, 90000],
    ['0:00:07.25', undefined, 7.25],
    ['1:30', 'PM', 48600],
    ['12:30', 'pm', 45000],
    ['12:30', 'am', 1800],
    ['11:59', 'AM', 43140],
    ['12', 'PM', 43200],
    ['12', 'AM', 0],
  ])('%s %s', (word, suffix, seconds) => {
    expect(parseTime(word, suffix)).toBe(seconds)
  })
  test.each(['', 'midi', '1:', ':30', '1:2:3:4', '-1:00', '1:xx', '1:30x', '1h30'])(
    '%s is no time',
    (word) => {
      expect(parseTime(word)).toBeNaN()
    },
  )

  test.each([
    ['06/04/2024', Date.UTC(2024, 5, 4)],
    ['6-4-2024', Date.UTC(2024, 5, 4)],
    ['JAN/31/2004', Date.UTC(2004, 0, 31)],
    ['Dec-01-1999', Date.UTC(1999, 11, 1)],
    ['02/29/2024', Date.UTC(2024, 1, 29)],
    ['12/31/1969', -86_400_000],
  ])('%s is month, day, year', (word, ms) => {
    expect(parseDate(word)).toBe(ms / 1000)
  })
  test.each(['FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV'])(
    '%s is a month by its name',
    (month) => {
      expect(new Date(parseDate(`${month}/02/2001`) * 1000).getUTCMonth()).toBe(
        ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV'].indexOf(month),
      )
    },
  )
  test.each([
    '13/01/2024',
    '00/10/2024',
    '02/29/2023',
    '02/30/2024',
    '04/31/2024',
    '01/00/2024',
    'XYZ/01/2024',
    '06/04/24',
    '106/04/2024',
    '06/04/20245',
    '06/004/2024',
    '2024',
    'JANUARY/01/2024',
  ])('%s is no date', (word) => {
    expect(parseDate(word)).toBeNaN()
  })
})
