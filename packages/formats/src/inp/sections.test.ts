import { describe, expect, test } from 'vitest'
import { expectRefusal, FT, inp, named, read, SMALL, US } from '../testing/inp-text.ts'
import { isOpen } from './sections.ts'

const CURVES = { CURVES: 'SC SHAPE 0 0 0.5 1 1 0.2\nPC PUMP1 0 1' }
const section = (words: string, OPTIONS = US) => {
  const link = named(
    read({ ...CURVES, OPTIONS, XSECTIONS: `C1 ${words}\nC2 CIRCULAR 1` }).network.links,
    'C1',
  )
  if (link.kind !== 'conduit') throw new Error('no conduit')
  return link.section
}
const refuses = (words: string, code: string, ...says: string[]) =>
  expectRefusal(
    inp({
      ...CURVES,
      CONDUITS: SMALL.CONDUITS.replace('C1', ' C1'),
      XSECTIONS: `C1 ${words}\nC2 CIRCULAR 1`,
    }),
    code,
    'C1',
    ...says,
  )
const dims = (values: number[]) => values.map((value) => expect.closeTo(value, 12))

describe('lengths are in feet; slopes, exponents and codes stay as they are', () => {
  test.each([
    ['CIRCULAR 2', [2 * FT, 0, 0, 0]],
    ['FILLED_CIRCULAR 2 0.5', [2 * FT, 0.5 * FT, 0, 0]],
    ['RECT_CLOSED 2 3', [2 * FT, 3 * FT, 0, 0]],
    // Third: how many of the two walls give no friction.
    ['RECT_OPEN 2 3 2', [2 * FT, 3 * FT, 2, 0]],
    ['TRAPEZOIDAL 2 3 1.5 2.5', [2 * FT, 3 * FT, 1.5, 2.5]],
    ['TRAPEZOIDAL 2 3', [2 * FT, 3 * FT, 0, 0]],
    ['TRAPEZOIDAL 2 0 0 1', [2 * FT, 0, 0, 1]],
    ['TRAPEZOIDAL 2 0 1 1', [2 * FT, 0, 1, 1]],
    ['TRIANGULAR 2 3', [2 * FT, 3 * FT, 0, 0]],
    ['PARABOLIC 2 3', [2 * FT, 3 * FT, 0, 0]],
    ['POWER 2 3 1.5', [2 * FT, 3 * FT, 1.5, 0]],
    ['RECT_TRIANGULAR 2 3 0.5', [2 * FT, 3 * FT, 0.5 * FT, 0]],
    ['RECT_ROUND 2 3 1.5', [2 * FT, 3 * FT, 1.5 * FT, 0]],
    ['MODBASKETHANDLE 2 3 1.5', [2 * FT, 3 * FT, 1.5 * FT, 0]],
    ['HORIZ_ELLIPSE 2 3', [2 * FT, 3 * FT, 0, 0]],
    ['VERT_ELLIPSE 3 2', [3 * FT, 2 * FT, 0, 0]],
    ['ARCH 2 3', [2 * FT, 3 * FT, 0, 0]],
    ['EGG 2', [2 * FT, 0, 0, 0]],
    ['HORSESHOE 2', [2 * FT, 0, 0, 0]],
    ['GOTHIC 2', [2 * FT, 0, 0, 0]],
    ['CATENARY 2', [2 * FT, 0, 0, 0]],
    ['SEMIELLIPTICAL 2', [2 * FT, 0, 0, 0]],
    ['BASKETHANDLE 2', [2 * FT, 0, 0, 0]],
    ['SEMICIRCULAR 2', [2 * FT, 0, 0, 0]],
    // Hazen-Williams C has no unit.
    ['FORCE_MAIN 2 120', [2 * FT, 120, 0, 0]],
  ])('%s', (words, expected) => {
    expect(section(words)).toEqual({
      shape: words.split(' ')[0],
      dims: dims(expected),
      barrels: 1,
      culvertCode: 0,
    })
  })
  test('the Darcy-Weisbach roughness of a force main is in inches or millimetres', () => {
    expect(section('FORCE_MAIN 2 0.5', `${US}\nFORCE_MAIN_EQUATION D-W`).dims[1]).toBeCloseTo(0.0127, 12)
    const metric = 'FLOW_UNITS LPS\nEND_TIME 1:00\nFORCE_MAIN_EQUATION D-W'
    expect(section('FORCE_MAIN 2 0.5', metric).dims).toEqual([2, dims([0.0005])[0], 0, 0])
    expect(section('CIRCULAR 2 0.5', metric).dims[1]).toBe(0.5)
  })
})

describe('standard pipes', () => {
  // The size stands third after two figures, or alone in the place of the height.
  test.each([
    ['ARCH 5', [5 * FT, 0, 5, 0]],
    ['ARCH 102 0', [102 * FT, 0, 102, 0]],
    ['HORIZ_ELLIPSE 23', [23 * FT, 0, 23, 0]],
    ['VERT_ELLIPSE 23', [23 * FT, 0, 23, 0]],
    ['ARCH 2 3 7', [2 * FT, 3 * FT, 7, 0]],
  ])('%s', (words, expected) => {
    expect(section(words).dims).toEqual(dims(expected))
  })
  test.each([
    ['ARCH 103', 'taille normalisée 103 en ARCH'],
    ['HORIZ_ELLIPSE 24', 'taille normalisée 24 en HORIZ_ELLIPSE'],
    ['VERT_ELLIPSE 24', 'taille normalisée 24 en VERT_ELLIPSE'],
    ['ARCH 2 3 103', 'taille normalisée 103'],
  ])('%s is refused', (words, says) => {
    refuses(words, 'section', '« C1 »', says, 'hauteur et largeur')
  })
})

describe('barrels and culverts', () => {
  test('several barrels', () => {
    expect(section('CIRCULAR 2 0 0 0 3')).toMatchObject({ barrels: 3 })
    expect(section('CIRCULAR 2 0 0 0 1 0')).toMatchObject({ barrels: 1, culvertCode: 0 })
    expect(section('DUMMY 0 0 0 0 2')).toEqual({
      shape: 'DUMMY',
      dims: [0, 0, 0, 0],
      barrels: 2,
      culvertCode: 0,
    })
    refuses('CIRCULAR 2 0 0 0 0', 'range', 'le nombre de files', '1 à 1000')
    refuses('CIRCULAR 2 0 0 0 1001', 'range', 'le nombre de files')
  })
  test('a culvert has its code', () => {
    expect(section('CIRCULAR 2 0 0 0 1 1')).toMatchObject({ culvertCode: 1 })
    refuses('CIRCULAR 2 0 0 0 1 58', 'range', 'le code de ponceau', '0 à 57')
    refuses('CIRCULAR 2 0 0 0 1 -1', 'range', 'le code de ponceau')
  })
})

describe('shapes from a curve or a profile', () => {
  test('CUSTOM has its height in feet, and its curve as shares of it', () => {
    expect(section('CUSTOM 2 SC 0 0 2')).toEqual({
      shape: 'CUSTOM',
      dims: dims([2 * FT, 0, 0, 0]),
      barrels: 2,
      culvertCode: 0,
      curve: { name: 'SC', x: [0, 0.5, 1], y: [0, 1, 0.2] },
    })
  })
  test.each([
    ['CUSTOM', 'missing', 'la hauteur'],
    ['CUSTOM 0 SC', 'range', 'la hauteur'],
    ['CUSTOM 2', 'missing', 'une courbe'],
    ['CUSTOM 2 SX', 'curve', '« SX »'],
  ])('%s is refused', (words, code, ...says) => {
    refuses(words, code, ...says)
  })
  test.each([
    ['a height below 0', 'XX SHAPE -0.5 0 1 1'],
    ['a width below 0', 'XX SHAPE 0 0 0.5 -1 1 0'],
    ['one point', 'XX SHAPE 1 1'],
  ])('a curve with %s is refused by its own line', (_, curve) => {
    const text = inp({ CURVES: curve, XSECTIONS: 'C1 CUSTOM 2 XX\nC2 CIRCULAR 1' })
    expectRefusal(text, 'curve', 'XX SHAPE', '« XX »', 'hauteurs de 0 à 1')
  })
  test('a curve from 0 of two points and widths of 0 is one', () => {
    const shape = read({ CURVES: 'XX SHAPE 0 0 1 1', XSECTIONS: 'C1 CUSTOM 2 XX\nC2 CIRCULAR 1' })
    expect(shape.network.links[0]).toMatchObject({ section: { curve: { x: [0, 1], y: [0, 1] } } })
  })
  test('IRREGULAR and STREET name a profile of their own section', () => {
    const tables = {
      TRANSECTS: 'NC 0 0 0.03\nX1 T 2 0 4\nGR 1 0 0 2 1 4',
      STREETS: 'S 4 0.15 2 0.015',
    }
    const link = (words: string) =>
      read({ ...tables, XSECTIONS: `C1 ${words}\nC2 CIRCULAR 1` }).network.links[0]
    expect(link('IRREGULAR T')).toMatchObject({
      section: { shape: 'IRREGULAR', dims: [0, 0, 0, 0], barrels: 1, transect: { name: 'T' } },
    })
    expect(link('STREET S')).toMatchObject({
      section: { shape: 'STREET', dims: [0, 0, 0, 0], barrels: 1, transect: { name: 'S' } },
    })
    const refusesProfile = (words: string, code: string, ...says: string[]) =>
      expectRefusal(
        inp({
          ...tables,
          CONDUITS: SMALL.CONDUITS.replace('C1', ' C1'),
          XSECTIONS: `C1 ${words}\nC2 CIRCULAR 1`,
        }),
        code,
        'C1',
        ...says,
      )
    refusesProfile('IRREGULAR S', 'transect', '« C1 »', '« S »', '[TRANSECTS]')
    refusesProfile('STREET T', 'transect', '« C1 »', '« T »', '[STREETS]')
    refusesProfile('STREET', 'missing', 'un profil')
  })
})

describe('figures that make no section', () => {
  test.each([
    'CIRCULAR 0',
    'RECT_CLOSED 2 0',
    'RECT_CLOSED 0 2',
    'RECT_OPEN 2 0',
    'TRIANGULAR 2 0',
    'PARABOLIC 2 0',
    'POWER 2 0 1',
    'POWER 2 1 0',
    'RECT_TRIANGULAR 2 0 1',
    'RECT_TRIANGULAR 2 1 0',
    'RECT_ROUND 2 0 1',
    'MODBASKETHANDLE 2 0 1',
    'FORCE_MAIN 2 0',
    'TRAPEZOIDAL 0 1 1 1',
  ])('%s has a figure of 0', (words) => {
    refuses(words, 'section', '« C1 »', 'une dimension nulle')
  })
  test.each([
    ['TRAPEZOIDAL 2 0 0 0', 'section', 'pas de largeur', 'fond ou des talus'],
    ['FILLED_CIRCULAR 2 2', 'section', 'entièrement comblé', 'dépôt'],
    ['RECT_OPEN 2 3 3', 'section', 'deux parois', '3 ne peuvent'],
    ['CIRCULAR', 'missing', 'la dimension 1'],
    ['CIRCULAR -1', 'range', 'la dimension 1'],
    ['RECT_CLOSED 1 x', 'number', 'la dimension 2'],
    ['TRAPEZOIDAL 1 1 -1', 'range', 'la dimension 3'],
    ['TRAPEZOIDAL 1 1 1 1e7', 'range', 'la dimension 4', '0 à 1000000'],
    ['ROND 1', 'keyword', 'la forme', 'DUMMY, CIRCULAR'],
  ])('%s is refused', (words, code, ...says) => {
    refuses(words, code, ...says)
  })
  test('a pipe filled nearly to its crown is one', () => {
    expect(section('FILLED_CIRCULAR 2 1.99').dims[1]).toBeCloseTo(1.99 * FT, 9)
  })
})

test('water stands under the sky in open sections', () => {
  const open = ['RECT_OPEN', 'TRAPEZOIDAL', 'TRIANGULAR', 'PARABOLIC', 'POWER', 'IRREGULAR', 'STREET']
  expect(open.filter(isOpen)).toEqual(open)
  expect(['CIRCULAR', 'RECT_CLOSED', 'RECT_TRIANGULAR', 'CUSTOM', 'DUMMY'].filter(isOpen)).toEqual([])
})
