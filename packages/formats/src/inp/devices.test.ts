import { describe, expect, test } from 'vitest'
import { expectRefusal, FT, inp, named, read, US } from '../testing/inp-text.ts'

const ft = (value: number) => expect.closeTo(value * FT, 9)
const cfs = (value: number) => expect.closeTo(value * FT ** 3, 9)
const CURVES =
  'V1 PUMP1 10 1 20 2\nD2 PUMP2 1 1 2 2\nH3 PUMP3 0 2 9 0\nD4 PUMP4 0 0 2 2\nH5 PUMP5 0 2 9 0\nRC RATING 0 0 2 3\nWC WEIR 0 3 1 3.3'
const link = (section: string, line: string, more: Record<string, string> = {}) =>
  named(read({ OPTIONS: US, CURVES, [section]: line, ...more }).network.links, line.split(' ')[0])
const refuses = (section: string, line: string, code: string, ...says: string[]) =>
  expectRefusal(inp({ OPTIONS: US, CURVES, [section]: line }), code, line, ...says)

describe('pumps', () => {
  test.each([
    // By the volume in the wet well, ft3; the others by a depth or a gain of head, ft.
    ['V1', 1, [cfs(10), cfs(20)], [cfs(1), cfs(2)]],
    ['D2', 2, [ft(1), ft(2)], [cfs(1), cfs(2)]],
    ['H3', 3, [0, ft(9)], [cfs(2), 0]],
    ['D4', 4, [0, ft(2)], [0, cfs(2)]],
    ['H5', 5, [0, ft(9)], [cfs(2), 0]],
  ])('%s is of type %i', (name, type, x, y) => {
    expect(link('PUMPS', `P J1 J2 ${name} OFF 3 2`)).toEqual({
      kind: 'pump',
      name: 'P',
      from: 0,
      to: 1,
      vertices: [],
      type,
      curve: { name, x, y },
      initiallyOn: false,
      startDepthM: ft(3),
      stopDepthM: ft(2),
    })
  })
  test('are ideal without a curve, on from the start, without levels', () => {
    for (const line of ['P J1 J2', 'P J1 J2 *', 'P J1 J2 * ON 0 0'])
      expect(link('PUMPS', line)).toMatchObject({
        type: 0,
        curve: null,
        initiallyOn: true,
        startDepthM: 0,
        stopDepthM: 0,
      })
  })
  test.each([
    ['P J1 J2 RC', 'curve', 'RATING', 'PUMP1 ou PUMP2 ou PUMP3 ou PUMP4 ou PUMP5'],
    ['P J1 J2 * MARCHE', 'keyword', "l'état initial", 'ON, OFF'],
    ['P J1 J2 * ON -1', 'range', 'la hauteur de démarrage'],
    ['P J1 J2 * ON 2 -1', 'range', "la hauteur d'arrêt"],
    ['P J1 J2 * ON 2 2', 'pump', '« P »', 'plus haut', 'Inversez'],
    ['P J1 J2 * ON 2 3', 'pump', '« P »'],
    ['P J9 J2', 'node', '« J9 »'],
    ['P J1 J9', 'node', '« J9 »'],
  ])('%s is refused', (line, code, ...says) => {
    refuses('PUMPS', line, code, ...says)
  })
  test('may stop at a level without starting at one', () => {
    expect(link('PUMPS', 'P J1 J2 * ON 0 3')).toMatchObject({ startDepthM: 0, stopDepthM: ft(3) })
  })
})

describe('orifices', () => {
  const XSECTIONS = { '+XSECTIONS': 'O CIRCULAR 1' }
  test('have a level in feet, a coefficient without a unit and a gate that moves in hours', () => {
    expect(link('ORIFICES', 'O J1 J2 SIDE 2 0.65 YES 0.5', XSECTIONS)).toEqual({
      kind: 'orifice',
      name: 'O',
      from: 0,
      to: 1,
      vertices: [],
      orientation: 'side',
      offsetM: ft(2),
      dischargeCoefficient: 0.65,
      flapGate: true,
      openCloseS: 1800,
      section: { shape: 'CIRCULAR', dims: [ft(1), 0, 0, 0], barrels: 1, culvertCode: 0 },
    })
    expect(link('ORIFICES', 'O J1 J2 bottom 0 0.65', XSECTIONS)).toMatchObject({
      orientation: 'bottom',
      offsetM: 0,
      flapGate: false,
      openCloseS: 0,
    })
  })
  test.each([
    ['O J1 J2', 'missing', "l'orientation"],
    ['O J1 J2 DESSUS', 'keyword', "l'orientation", 'SIDE, BOTTOM'],
    ['O J1 J2 SIDE x', 'number', 'un décalage'],
    ['O J1 J2 SIDE 0', 'missing', 'le coefficient'],
    ['O J1 J2 SIDE 0 -1', 'range', 'le coefficient'],
    ['O J1 J2 SIDE 0 1 PEUT', 'keyword', 'le clapet'],
    ['O J1 J2 SIDE 0 1 NO -1', 'range', 'le temps de manœuvre'],
  ])('%s is refused', (line, code, ...says) => {
    refuses('ORIFICES', line, code, ...says)
  })
})

describe('weirs', () => {
  // Coefficients in ft^0.5/s.
  const root = (value: number) => expect.closeTo(value * Math.sqrt(FT), 9)
  test('have coefficients in the units of the file and a road in feet', () => {
    const words = 'W J1 J2 TRANSVERSE 2 3.3 YES 1 2.5 NO 20 GRAVEL WC'
    expect(link('WEIRS', words, { '+XSECTIONS': 'W RECT_OPEN 1 4' })).toEqual({
      kind: 'weir',
      name: 'W',
      from: 0,
      to: 1,
      vertices: [],
      form: 'transverse',
      offsetM: ft(2),
      coefficient: root(3.3),
      flapGate: true,
      endContractions: 1,
      endCoefficient: root(2.5),
      canSurcharge: false,
      roadWidthM: ft(20),
      roadSurface: 'gravel',
      coefficientCurve: { name: 'WC', x: [0, ft(1)], y: [root(3), root(3.3)] },
      section: { shape: 'RECT_OPEN', dims: [ft(1), ft(4), 0, 0], barrels: 1, culvertCode: 0 },
    })
  })
  test.each([
    ['TRANSVERSE', 'transverse', 'RECT_OPEN 1 4'],
    ['sideflow', 'sideflow', 'RECT_OPEN 1 4'],
    ['V-NOTCH', 'vnotch', 'TRIANGULAR 1 2'],
    ['TRAPEZOIDAL', 'trapezoidal', 'TRAPEZOIDAL 1 2 1 1'],
    ['ROADWAY', 'roadway', 'RECT_OPEN 1 4'],
  ])('%s, without gate, contractions, road or curve, and may be surcharged', (word, form, shape) => {
    expect(link('WEIRS', `W J1 J2 ${word} 0 3.3`, { '+XSECTIONS': `W ${shape}` })).toMatchObject({
      form,
      flapGate: false,
      endContractions: 0,
      endCoefficient: 0,
      canSurcharge: true,
      roadWidthM: 0,
      roadSurface: null,
      coefficientCurve: null,
    })
  })
  test('a road is paved or of gravel', () => {
    const surface = (word: string) =>
      link('WEIRS', `W J1 J2 ROADWAY 0 3.3 NO 0 0 YES 20 ${word}`, { '+XSECTIONS': 'W RECT_OPEN 1 4' })
    expect(surface('paved')).toMatchObject({ roadSurface: 'paved' })
    expect(surface('Gravel')).toMatchObject({ roadSurface: 'gravel' })
    expect(surface('*')).toMatchObject({ roadSurface: null })
    expect(surface('PAVED *')).toMatchObject({ coefficientCurve: null })
  })
  test.each([
    ['W J1 J2', 'missing', 'le type de déversoir'],
    ['W J1 J2 ROND', 'keyword', 'TRANSVERSE, SIDEFLOW, V-NOTCH, TRAPEZOIDAL, ROADWAY'],
    ['W J1 J2 TRANSVERSE x', 'number', 'un décalage'],
    ['W J1 J2 TRANSVERSE 0', 'missing', 'le coefficient'],
    ['W J1 J2 TRANSVERSE 0 1 X', 'keyword', 'le clapet'],
    ['W J1 J2 TRANSVERSE 0 1 NO -1', 'range', 'les contractions'],
    ['W J1 J2 TRANSVERSE 0 1 NO 0 -1', 'range', 'le coefficient des bords'],
    ['W J1 J2 TRANSVERSE 0 1 NO 0 0 X', 'keyword', 'la mise en charge'],
    ['W J1 J2 TRANSVERSE 0 1 NO 0 0 YES -1', 'range', 'la largeur de chaussée'],
  ])('%s is refused', (line, code, ...says) => {
    refuses('WEIRS', line, code, ...says)
  })
})

describe('outlets', () => {
  test('by a power of the head: a coefficient in ft and ft3/s', () => {
    const outlet = link('OUTLETS', 'T J1 J2 2 FUNCTIONAL/HEAD 10 0.5 YES')
    expect(outlet).toEqual({
      kind: 'outlet',
      name: 'T',
      from: 0,
      to: 1,
      vertices: [],
      offsetM: ft(2),
      rating: { type: 'functional', coefficient: expect.any(Number), exponent: 0.5 },
      basis: 'head',
      flapGate: true,
    })
    // 10 * 4^0.5 = 20 ft3/s at 4 ft.
    const { rating } = outlet as { rating: { coefficient: number } }
    expect(rating.coefficient * (4 * FT) ** 0.5).toBeCloseTo(20 * FT ** 3, 9)
  })
  test('by a table', () => {
    expect(link('OUTLETS', 'T J1 J2 2 TABULAR/DEPTH RC YES')).toEqual({
      kind: 'outlet',
      name: 'T',
      from: 0,
      to: 1,
      vertices: [],
      offsetM: ft(2),
      rating: { type: 'tabular', table: { name: 'RC', x: [0, ft(2)], y: [0, cfs(3)] } },
      basis: 'depth',
      flapGate: true,
    })
  })
  test.each([
    ['TABULAR RC', 'depth'],
    ['tabular/head RC', 'head'],
    ['FUNCTIONAL 1 1', 'depth'],
    ['FUNCTIONAL/DEPTH 1 1', 'depth'],
  ])('%s counts from the %s, without a gate', (words, basis) => {
    expect(link('OUTLETS', `T J1 J2 0 ${words}`)).toMatchObject({ basis, flapGate: false })
  })
  test.each([
    ['T J1 J2 x', 'number', 'un décalage'],
    ['T J1 J2 0', 'missing', "la loi de l'ouvrage"],
    ['T J1 J2 0 LOI', 'keyword', 'TABULAR, FUNCTIONAL'],
    ['T J1 J2 0 TABULAR RC X', 'keyword', 'le clapet'],
    ['T J1 J2 0 FUNCTIONAL -1 1', 'range', 'le coefficient'],
    ['T J1 J2 0 FUNCTIONAL 1', 'missing', "l'exposant"],
    ['T J1 J2 0 FUNCTIONAL 1 -1', 'range', "l'exposant"],
    ['T J1 J2 0 FUNCTIONAL 1 1 X', 'keyword', 'le clapet'],
  ])('%s is refused', (line, code, ...says) => {
    refuses('OUTLETS', line, code, ...says)
  })
})
