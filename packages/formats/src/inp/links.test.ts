import { describe, expect, test } from 'vitest'
import { expectRefusal, FT, inp, named, read, US } from '../testing/inp-text.ts'

const ft = (value: number) => expect.closeTo(value * FT, 9)
const link = (sections: Record<string, string>, name = 'C1') => named(read(sections).network.links, name)
const ELEVATION = { OPTIONS: `${US}\nLINK_OFFSETS ELEVATION` }
const CONDUITS = (words: string) => ({ CONDUITS: `C1 ${words}\nC2 J2 O1 60 0.013 0 0` })

describe('conduits', () => {
  test('have lengths, offsets and flows in the units of the file', () => {
    expect(
      link({
        OPTIONS: US,
        ...CONDUITS('J1 J2 400 0.013 0.5 0.25 2 9'),
        XSECTIONS: 'C1 CIRCULAR 2\nC2 CIRCULAR 1',
      }),
    ).toEqual({
      kind: 'conduit',
      name: 'C1',
      from: 0,
      to: 1,
      vertices: [],
      lengthM: ft(400),
      roughness: 0.013,
      inOffsetM: ft(0.5),
      outOffsetM: ft(0.25),
      initFlowM3S: expect.closeTo(2 * FT ** 3, 12),
      maxFlowM3S: expect.closeTo(9 * FT ** 3, 12),
      section: { shape: 'CIRCULAR', dims: [ft(2), 0, 0, 0], barrels: 1, culvertCode: 0 },
      lossInlet: 0,
      lossOutlet: 0,
      lossAverage: 0,
      flapGate: false,
      seepageMS: 0,
    })
  })
  test('lie on the inverts, are empty and without limit by default', () => {
    expect(link(CONDUITS('J1 J2 400 0.013'))).toMatchObject({
      inOffsetM: 0,
      outOffsetM: 0,
      initFlowM3S: 0,
      maxFlowM3S: 0,
    })
  })
  test.each([
    ['J1 J2 x 0.013', 'number', 'la longueur'],
    ['J1 J2 0 0.013', 'length', 'longueur nulle', '« C1 »'],
    ['J1 J2 -1 0.013', 'length', '« C1 »'],
    ['J1 J2 40', 'missing', 'la rugosité'],
    ['J1 J2 40 0', 'roughness', '« C1 »', 'rugosité nulle', 'Manning'],
    ['J1 J2 40 -0.01', 'roughness', '« C1 »'],
    ['J1 J2 40 0.013 x', 'number', 'un décalage'],
    ['J1 J2 40 0.013 0 x', 'number', 'un décalage'],
    ['J1 J2 40 0.013 0 0 x', 'number', 'le débit initial'],
    ['J1 J2 40 0.013 0 0 0 -1', 'range', 'le débit maximal'],
    ['J1 J1 40 0.013', 'selfLink', '« C1 »', '« J1 » à lui-même'],
  ])('%s is refused', (words, code, ...says) => {
    expectRefusal(inp(CONDUITS(words)), code, 'C1', ...says)
  })
  test('a name is unique over all kinds of links', () => {
    const text = inp({ PUMPS: 'C2 J1 O1 *' })
    expectRefusal(text, 'duplicate', 'C2 J1 O1', '« C2 »', 'nom unique')
  })
})

describe('offsets', () => {
  test('below an invert come up to it, with a warning beyond what the file rounds', () => {
    const below = (inches: number) => read({ OPTIONS: US, ...CONDUITS(`J1 J2 40 0.013 0 ${-inches}`) })
    expect(below(0.0009).warnings).toEqual([])
    expect(below(0.0011).warnings).toEqual([
      'essai.inp, ligne 10 : « C1 » passe sous le radier de « J2 » : il y est ramené.',
    ])
    expect(below(5).network.links[0]).toMatchObject({ outOffsetM: 0 })
  })
  test('as elevations count from the invert of their own end', () => {
    expect(link({ ...ELEVATION, ...CONDUITS('J1 J2 40 0.013 10.5 9.25') })).toMatchObject({
      inOffsetM: ft(0.5),
      outOffsetM: ft(0.25),
    })
  })
  test('with a star lie on the invert', () => {
    for (const OPTIONS of [US, ELEVATION.OPTIONS]) {
      const stars = 'C1 J1 J2 40 0.013 * *\nC2 J2 O1 60 0.013 * *'
      const { network, warnings } = read({ OPTIONS, CONDUITS: stars })
      expect(network.links[0]).toMatchObject({ inOffsetM: 0, outOffsetM: 0 })
      // It is not a level of 0, far below the invert.
      expect(warnings).toEqual([])
    }
  })
  test.each([
    ['ORIFICES', 'X J1 J2 SIDE 10.5 0.65', 'X CIRCULAR 0.3'],
    ['WEIRS', 'X J1 J2 TRANSVERSE 10.5 3.3', 'X RECT_OPEN 1 1'],
    ['OUTLETS', 'X J1 J2 10.5 FUNCTIONAL 1 0.5', ''],
  ])('of %s count from the upper node', (name, line, section) => {
    const sections = { [name]: line, '+XSECTIONS': section }
    expect(link({ ...ELEVATION, ...sections }, 'X')).toMatchObject({ offsetM: ft(0.5) })
    expect(link({ OPTIONS: US, ...sections }, 'X')).toMatchObject({ offsetM: ft(10.5) })
    const star = { [name]: line.replace('10.5', '*'), '+XSECTIONS': section }
    expect(link({ ...ELEVATION, ...star }, 'X')).toMatchObject({ offsetM: 0 })
  })
  test('of pumps are none, also as elevations', () => {
    const { network, warnings } = read({ ...ELEVATION, PUMPS: 'P J1 J2 *' })
    expect(named(network.links, 'P')).not.toHaveProperty('offsetM')
    expect(warnings.join()).not.toContain('« P »')
  })
})

describe('sections and losses by the name of the link', () => {
  test('a profile brings the roughness of its channel', () => {
    const TRANSECTS = 'NC 0 0 0.03\nX1 T 2 0 4\nGR 1 0 0 2 1 4'
    expect(link({ TRANSECTS, XSECTIONS: 'C1 IRREGULAR T\nC2 CIRCULAR 1' })).toMatchObject({ roughness: 0.03 })
    expect(link({ TRANSECTS, XSECTIONS: 'C1 IRREGULAR T\nC2 CIRCULAR 1' }, 'C2')).toMatchObject({
      roughness: 0.013,
    })
  })
  test('losses, a gate and seepage in inches or millimetres an hour', () => {
    const LOSSES = { LOSSES: 'C1 0.5 1 0.2 YES 36' }
    expect(link({ OPTIONS: US, ...LOSSES })).toMatchObject({
      lossInlet: 0.5,
      lossOutlet: 1,
      lossAverage: 0.2,
      flapGate: true,
      seepageMS: expect.closeTo(0.000254, 12),
    })
    expect(link(LOSSES)).toMatchObject({ seepageMS: expect.closeTo(1e-5, 12) })
    expect(link({ LOSSES: 'C1 0 0 0' })).toMatchObject({ flapGate: false, seepageMS: 0 })
  })
  test('those of what has none are read past', () => {
    const pump = { PUMPS: 'P J1 J2 *', '+XSECTIONS': 'P CIRCULAR 1', LOSSES: 'P 1 1 1' }
    expect(link(pump, 'P')).not.toHaveProperty('section')
    expect(link(pump, 'P')).not.toHaveProperty('lossInlet')
  })
  test.each<[Record<string, string>, string, string, ...string[]]>([
    [{ '+XSECTIONS': 'X CIRCULAR 1' }, 'link', 'X CIRC', '[XSECTIONS]', '« X »'],
    [{ LOSSES: 'X 0 0 0' }, 'link', 'X 0', '[LOSSES]', '« X »'],
    [{ LOSSES: 'C2 -1 0 0' }, 'range', 'C2 -1', "la perte à l'entrée"],
    [{ LOSSES: 'C2 0 -1 0' }, 'range', 'C2 0', 'la perte à la sortie'],
    [{ LOSSES: 'C2 0 0' }, 'missing', 'C2 0', 'la perte moyenne'],
    [{ LOSSES: 'C2 0 0 0 OUI' }, 'keyword', 'C2 0', 'le clapet'],
    [{ LOSSES: 'C2 0 0 0 NO -1' }, 'range', 'C2 0', "l'infiltration"],
    [{ VERTICES: 'C2 x 1' }, 'number', 'C2 x', 'x de « C2 »'],
    [{ VERTICES: 'C2 1' }, 'missing', 'C2 1', 'il manque y'],
  ])('%j is refused', (sections, code, line, ...says) => {
    expectRefusal(inp(sections), code, line, ...says)
  })
  test('bends keep their order; those of unknown links are read past', () => {
    const { network } = read({ OPTIONS: US, VERTICES: 'C2 1 2\nX 0 0\nc2 3 4' })
    expect(network.links.map((one) => one.vertices)).toEqual([
      [],
      [
        [1, 2],
        [3, 4],
      ],
    ])
  })
})

describe('what a link must have', () => {
  test('a section, unless it is a pump or an outlet', () => {
    const says = ['« C2 »', "n'a pas de section", '[XSECTIONS]']
    expectRefusal(inp({ XSECTIONS: 'C1 CIRCULAR 1' }), 'noSection', 'C2', ...says)
    expectRefusal(inp({ ORIFICES: 'X J1 J2 SIDE 0 0.65' }), 'noSection', 'X J1', '« X »')
    expect(read({ PUMPS: 'P J1 J2 *', OUTLETS: 'T J1 J2 0 FUNCTIONAL 1 1' }).network.links).toHaveLength(4)
  })
  test.each([
    [
      'ORIFICES',
      'SIDE 0 0.65',
      ['CIRCULAR 1', 'RECT_CLOSED 1 1'],
      'RECT_OPEN 1 1',
      'CIRCULAR ou RECT_CLOSED',
    ],
    ['ORIFICES', 'BOTTOM 0 0.65', ['CIRCULAR 1', 'RECT_CLOSED 1 1'], 'EGG 1', 'CIRCULAR ou RECT_CLOSED'],
    ['WEIRS', 'TRANSVERSE 0 3.3', ['RECT_OPEN 1 1'], 'RECT_CLOSED 1 1', 'RECT_OPEN'],
    ['WEIRS', 'SIDEFLOW 0 3.3', ['RECT_OPEN 1 1'], 'CIRCULAR 1', 'RECT_OPEN'],
    ['WEIRS', 'ROADWAY 0 3.3', ['RECT_OPEN 1 1'], 'TRIANGULAR 1 1', 'RECT_OPEN'],
    ['WEIRS', 'V-NOTCH 0 3.3', ['TRIANGULAR 1 1'], 'RECT_OPEN 1 1', 'TRIANGULAR'],
    ['WEIRS', 'TRAPEZOIDAL 0 3.3', ['TRAPEZOIDAL 1 1 1 1'], 'RECT_OPEN 1 1', 'TRAPEZOIDAL'],
  ])('%s %s of a shape that it can have', (name, words, good, bad, says) => {
    const sections = (shape: string) => ({ [name]: `X J1 J2 ${words}`, '+XSECTIONS': `X ${shape}` })
    for (const shape of good) expect(link(sections(shape), 'X')).toMatchObject({ name: 'X' })
    const text = inp(sections(bad))
    expectRefusal(text, 'section', 'X J1', '« X »', `section ${bad.split(' ')[0]}`, `${says}.`)
  })
  test('a dummy needs no roughness, but cannot empty a storage', () => {
    const XSECTIONS = 'C1 DUMMY 0 0 0 0\nC2 CIRCULAR 1'
    expect(link({ ...CONDUITS('J1 J2 40 0'), XSECTIONS })).toMatchObject({ section: { shape: 'DUMMY' } })
    const STORAGE = { JUNCTIONS: 'J2 9 2', STORAGE: 'J1 10 2 0 CYLINDRICAL 1 1 0' }
    expectRefusal(inp({ ...STORAGE, XSECTIONS }), 'dummy', 'C1', '« J1 »', 'DUMMY', '« C1 »')
    expect(read(STORAGE).network.links).toHaveLength(2)
  })
  test('evaporation of an open channel is left out with a warning', () => {
    const XSECTIONS = 'C1 TRAPEZOIDAL 1 1 1 1\nC2 CIRCULAR 1'
    const EVAPORATION = 'CONSTANT 1'
    const told = (sections: Record<string, string>) =>
      read(sections).warnings.filter((text) => text.includes('évaporation'))
    expect(told({ XSECTIONS, EVAPORATION })).toEqual([
      "essai.inp : l'évaporation de 1 canal ou canaux ouverts est laissée de côté.",
    ])
    expect(told({ XSECTIONS, EVAPORATION: 'CONSTANT 0' })).toEqual([])
    expect(told({ EVAPORATION })).toEqual([])
    // A weir is no channel.
    const WEIR = { WEIRS: 'X J1 J2 TRANSVERSE 0 3.3', '+XSECTIONS': 'X RECT_OPEN 1 1' }
    expect(told({ ...WEIR, EVAPORATION })).toEqual([])
  })
})
