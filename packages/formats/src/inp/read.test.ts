import { FormatError } from '@radx/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusal } from '../testing/refusal.ts'
import { readInp } from './read.ts'
import { withSection, writeInp } from './write.ts'

const BASE = `[TITLE]
Un petit réseau
[OPTIONS]
FLOW_UNITS LPS
START_DATE 06/04/2024
END_DATE 06/04/2024
END_TIME 02:30
ROUTING_STEP 0:00:05
INERTIAL_DAMPING NONE
[JUNCTIONS]
;;nom radier prof
J1 10.0 2 0 0 0
J2 9.8 2.1
[OUTFALLS]
O1 9.5 FREE NO
[STORAGE]
B1 9 4 0.5 FUNCTIONAL 100 0.5 20
[CONDUITS]
C1 J1 J2 40 0.013 0 0.1 0 0
C2 J2 O1 60 0.013 0 0
[PUMPS]
P1 B1 J1 PC ON 1 0.5
[XSECTIONS]
C1 CIRCULAR 0.4 0 0 0 1
C2 RECT_CLOSED 0.5 0.8 0 0 2
[CURVES]
PC PUMP4 0 0
PC 2 50
[TIMESERIES]
T1 0:00 0 0:30 10
T1 1.0 0
[PATTERNS]
H1 HOURLY 1 1 1 1 1 1 2 2 2 2 2 2
H1 1 1 1 1 1 1 1 1 1 1 1 1
[INFLOWS]
J1 FLOW T1 FLOW 1 2 3 H1
[DWF]
J2 FLOW 1.5 "H1"
[COORDINATES]
J1 100 200
[VERTICES]
C1 110 210
[SUBCATCHMENTS]
S1 R J1 1 50 10 1 0
`
const change = (from: string | RegExp, to: string) => {
  const text = BASE.replace(from, to)
  if (text === BASE) throw new Error(`nothing to replace: ${from}`)
  return text
}
const refused = (text: string | Uint8Array) => refusal(() => readInp(text, { file: 'essai.inp' }))

describe('what is read', () => {
  test('units, sections, inflows and places come out in SI', () => {
    const { network, units, warnings } = readInp(BASE, { file: 'essai.inp' })
    expect(network.title).toEqual(['Un petit réseau'])
    expect(network.nodes.map((n) => n.name)).toEqual(['J1', 'J2', 'O1', 'B1'])
    expect(network.links.map((l) => l.name)).toEqual(['C1', 'C2', 'P1'])
    expect(network.options).toMatchObject({
      durationS: 9000,
      routingStepS: 5,
      inertialDamping: 'NONE',
      flowUnits: 'LPS',
    })
    expect(units.flowFactor).toBe(0.001)
    const [j1, j2] = network.nodes
    expect(j1).toMatchObject({ x: 100, y: 200, invertM: 10, fullDepthM: 2 })
    expect(j1.inflows[0].series?.timesS).toEqual([0, 1800, 3600])
    expect(j1.inflows[0].series?.values).toEqual([0, 0.01, 0])
    expect(j1.inflows[0]).toMatchObject({ scale: 2, baselineM3S: 0.003 })
    expect(j2.inflows[0].baselineM3S).toBeCloseTo(0.0015, 12)
    expect(j1.inflows[0].patterns[0].factors).toHaveLength(24)
    expect(network.links[0]).toMatchObject({ outOffsetM: 0.1, vertices: [[110, 210]] })
    expect(network.links[1]).toMatchObject({
      section: { shape: 'RECT_CLOSED', dims: [0.5, 0.8, 0, 0], barrels: 2 },
    })
    expect(network.links[2]).toMatchObject({ type: 4, startDepthM: 1, stopDepthM: 0.5 })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('[SUBCATCHMENTS] (1)')
  })

  test.each([
    ['CFS', 0.028316846592, 0.3048, 'ft', 'ft3', 7.0556e-6],
    ['GPM', 6.30901964e-5, 0.3048, 'ft', 'ft3', 7.0556e-6],
    ['MGD', 0.0438126364, 0.3048, 'ft', 'ft3', 7.0556e-6],
    ['CMS', 1, 1, 'm', 'm3', 2.7778e-7],
    ['LPS', 0.001, 1, 'm', 'm3', 2.7778e-7],
    ['MLD', 0.0115740741, 1, 'm', 'm3', 2.7778e-7],
  ])('%s', (unit, flow, length, lengthName, volumeName, rate) => {
    const { network, units } = readInp(BASE.replace('FLOW_UNITS LPS', `FLOW_UNITS ${unit}`))
    expect(units).toEqual({
      flow: unit,
      us: length !== 1,
      lengthName,
      volumeName,
      length,
      area: expect.closeTo(length ** 2, 12),
      volume: expect.closeTo(length ** 3, 12),
      flowFactor: expect.closeTo(flow, 9),
      // An inch or a millimetre an hour.
      rate: expect.closeTo(rate, 10),
    })
    expect(units.flowFactor / flow).toBeCloseTo(1, 8)
    expect(network.nodes[0].invertM).toBeCloseTo(10 * length, 9)
    const storage = network.nodes[3]
    if (storage.kind !== 'storage' || storage.shape.type !== 'functional') throw new Error('no storage')
    // 100 d^0.5 + 20 in the file's units.
    const d = 2
    const si = storage.shape.coefficient * (d * length) ** 0.5 + storage.shape.constant
    expect(si / length ** 2).toBeCloseTo(100 * Math.sqrt(2) + 20, 6)
  })

  test('offsets as elevations become heights', () => {
    const text = change('FLOW_UNITS LPS', 'FLOW_UNITS LPS\nLINK_OFFSETS ELEVATION').replace(
      'C1 J1 J2 40 0.013 0 0.1 0 0\nC2 J2 O1 60 0.013 0 0',
      'C1 J1 J2 40 0.013 10.25 * 0 0\nC2 J2 O1 60 0.013 9.8 9.5',
    )
    const { network } = readInp(text)
    expect(network.links[0]).toMatchObject({ outOffsetM: 0 })
    expect(network.links[0]).toHaveProperty('inOffsetM', 0.25)
  })

  test('dates in series count from the start, and series files are read through the caller', () => {
    const dated = change('T1 0:00 0 0:30 10\nT1 1.0 0', 'T1 06/04/2024 0:30 5\nT1 06/05/2024 0:00 7')
    expect(readInp(dated).network.nodes[0].inflows[0].series?.timesS).toEqual([1800, 86400])
    const filed = change('T1 0:00 0 0:30 10\nT1 1.0 0', 'T1 FILE "debit 1.dat"')
    const { network } = readInp(filed, {
      readFile: (name) => (name === 'debit 1.dat' ? '; vu\n0:00 1\n1:00 2\n' : null),
    })
    expect(network.nodes[0].inflows[0].series?.values).toEqual([0.001, 0.002])
    expect(refused(filed).message).toContain('debit 1.dat')
  })

  test('named storage shapes have their areas', () => {
    const area = (words: string, depth: number) => {
      const { network } = readInp(change('FUNCTIONAL 100 0.5 20', words))
      const node = network.nodes[3]
      if (node.kind !== 'storage' || node.shape.type !== 'quadratic') throw new Error('no shape')
      return node.shape.a0 + node.shape.a1 * depth + node.shape.a2 * depth ** 2
    }
    expect(area('CYLINDRICAL 4 2 0', 3)).toBeCloseTo(2 * Math.PI, 9)
    expect(area('PYRAMIDAL 4 2 1', 3)).toBeCloseTo(10 * 8, 9)
    // Ellipse of axes 4 and 2 whose sides open by 1 along the long axis.
    expect(area('CONICAL 4 2 1', 2)).toBeCloseTo((Math.PI / 4) * 8 * 4, 9)
    expect(area('PARABOLIC 4 2 5', 5)).toBeCloseTo((Math.PI / 4) * 8, 9)
  })

  test('rules, their variables and formulas are read', () => {
    const rules = `[CONTROLS]
VARIABLE HAUT = NODE J2 DEPTH
EXPRESSION E1 = 2 * (HAUT + 1) ^ 2 / 4 - -1
RULE R1
IF NODE B1 DEPTH > 1.5
AND SIMULATION TIME >= 0:30
OR E1 > 3
THEN PUMP P1 STATUS = OFF
ELSE PUMP P1 SETTING = 0.5
PRIORITY 2
`
    const [rule] = readInp(BASE + rules).network.rules
    expect(rule.priority).toBe(2)
    expect(rule.premises.map((p) => p.join)).toEqual(['if', 'and', 'or'])
    expect(rule.premises[1].right).toEqual({ type: 'value', value: 1800 })
    expect(rule.thenActions).toEqual([{ link: 2, setting: { type: 'value', value: 0 } }])
    expect(refused(`${BASE}[CONTROLS]\nRULE R\nIF GAGE G INTENSITY > 1\n`).message).toContain('GAGE')
    expect(refused(`${BASE}[CONTROLS]\nEXPRESSION E = 2 * (3\n`).code).toBe('inp.rule')
    expect(refused(`${BASE}[CONTROLS]\nRULE R\nTHEN PUMP P1 STATUS = ON\n`).code).toBe('inp.rule')
  })

  test('windows line ends, old encodings and short section names are taken', () => {
    const { network } = readInp(new TextEncoder().encode(BASE.replaceAll('\n', '\r\n')))
    expect(network.nodes).toHaveLength(4)
    const latin = Uint8Array.from(BASE.replace('Un petit réseau', 'r\xe9seau'), (c) => c.charCodeAt(0))
    expect(readInp(latin).network.title).toEqual(['réseau'])
    expect(readInp(change('[JUNCTIONS]', '[JUNC]')).network.nodes).toHaveLength(4)
  })

  test('a document is written as it was read, with a section replaced', () => {
    const { document, network } = readInp(BASE)
    const again = readInp(writeInp(document))
    expect(again.network).toEqual(network)
    expect(writeInp(document)).toContain(';;nom radier prof')
    const changed = withSection(document, 'INFLOWS', [['J2', 'FLOW', '', 'FLOW', 1, 1, 4]])
    const other = readInp(writeInp(changed)).network
    expect(other.nodes[0].inflows).toHaveLength(0)
    expect(other.nodes[1].inflows[0].baselineM3S).toBeCloseTo(0.004, 12)
  })
})

describe('what is refused, by name, with line and remedy', () => {
  test.each([
    ['a link from a node to itself', change('C1 J1 J2', 'C1 J1 J1'), 'inp.selfLink', 'C1'],
    ['a missing cross-section', change('C2 RECT_CLOSED 0.5 0.8 0 0 2\n', ''), 'inp.noSection', 'C2'],
    ['a pipe of no length', change('C1 J1 J2 40', 'C1 J1 J2 0'), 'inp.length', 'C1'],
    ['no outfall', change('O1 9.5 FREE NO', '').replaceAll('O1', 'B1'), 'inp.noOutfall', 'exutoire'],
    ['an unknown node', change('C1 J1 J2', 'C1 J1 J9'), 'inp.node', 'J9'],
    ['a name twice', change('J2 9.8 2.1', 'J1 9.8 2.1'), 'inp.duplicate', 'J1'],
    ['a word for a number', change('J1 10.0', 'J1 dix'), 'inp.number', 'dix'],
    ['an unknown shape', change('CIRCULAR 0.4', 'ROND 0.4'), 'inp.keyword', 'ROND'],
    ['a shape of no size', change('CIRCULAR 0.4', 'CIRCULAR 0'), 'inp.section', 'C1'],
    ['a negative depth', change('J1 10.0 2', 'J1 10.0 -2'), 'inp.range', 'J1'],
    ['an unknown option', change('INERTIAL_DAMPING NONE', 'FOO 1'), 'inp.option', 'FOO'],
    [
      'a time that ends before it starts',
      change('END_DATE 06/04/2024', 'END_DATE 06/03/2024'),
      'inp.period',
      'START_DATE',
    ],
    ['an unknown section', `${BASE}[FOO]\n1`, 'inp.section', 'FOO'],
    ['two pipes into an outfall', change('C1 J1 J2', 'C1 J1 O1'), 'inp.outfallLinks', 'O1'],
    ['a missing curve', change('P1 B1 J1 PC', 'P1 B1 J1 PX'), 'inp.curve', 'PX'],
    ['a curve that turns back', change('PC 2 50', 'PC -2 50'), 'inp.curve', 'PC'],
    ['text before any section', `rien\n${BASE}`, 'inp.section', 'ligne 1'],
    ['an empty file', '', 'inp.empty', 'ligne 1'],
  ])('%s', (_, text, code, word) => {
    const error = refused(text)
    expect(error.code).toBe(code)
    expect(error.message).toContain(word)
    expect(error.message).toMatch(/^essai\.inp, ligne \d+ : /)
    expect(error.message.length).toBeGreaterThan(40)
  })

  test('binary files and huge ones', () => {
    expect(refused(Uint8Array.from([91, 65, 0, 1])).code).toBe('inp.binary')
    expect(refused(new Uint8Array(129 * 1024 * 1024)).code).toBe('inp.size')
    expect(refused('[OPTIONS]\n'.padEnd(100_000, 'x')).code).toBe('inp.line')
  })
})

describe('names', () => {
  test('of series, curves, patterns and profiles are found in any case, as nodes and links are', () => {
    const text = BASE.replace('P1 B1 J1 PC', 'P1 b1 j1 pc')
    expect(readInp(text).network).toEqual(readInp(BASE).network)
  })
  test('may stand for curves of two kinds, of which each device takes its own', () => {
    const text = `${BASE}[CURVES]\nPC STORAGE 0 10 5 20\nPC 6 30\n[STORAGE]\nB9 1 6 0 TABULAR PC\n`
    const { network, warnings } = readInp(text, { file: 'essai.inp' })
    expect(network.nodes.find((node) => node.name === 'B9')).toMatchObject({
      shape: { table: { x: [0, 5, 6], y: [10, 20, 30] } },
    })
    expect(network.links.find((link) => link.name === 'P1')).toEqual(
      readInp(BASE).network.links.find((link) => link.name === 'P1'),
    )
    expect(warnings.join()).toContain('la courbe « PC » existe aussi comme')
  })
  test('of curves of another kind are taken with a warning where EPA SWMM takes them', () => {
    const text = `${BASE}[STORAGE]\nB9 1 6 0 TABULAR PC\n`
    expect(readInp(text, { file: 'essai.inp' }).warnings.join()).toContain('« B9 » la prend comme STORAGE')
  })
})

describe('sections', () => {
  const file = (sections: string) => readInp(BASE + sections, { file: 'essai.inp' })
  const HYDROLOGY = [
    ...['TEMPERATURE', 'ADJUSTMENTS', 'RAINGAGES', 'SUBAREAS', 'INFILTRATION', 'LID_CONTROLS', 'LID_USAGE'],
    ...['AQUIFERS', 'GROUNDWATER', 'GWF', 'SNOWPACKS', 'HYDROGRAPHS', 'RDII', 'POLLUTANTS', 'LANDUSES'],
    ...['COVERAGES', 'LOADINGS', 'BUILDUP', 'WASHOFF', 'TREATMENT', 'INLETS', 'EVAPORATION'],
  ]
  test('about rain, runoff and quality are read past, and counted where they hold something', () => {
    const sections = HYDROLOGY.map((name) => `[${name}]\nx 0\ny 0\n`).join('')
    expect(file(`${sections}[SUBCATCHMENTS]\n`).warnings).toEqual([
      `essai.inp : ${HYDROLOGY.length + 1} section(s) d'hydrologie ou de qualité laissée(s) de côté : [SUBCATCHMENTS] (1), ${HYDROLOGY.map((name) => `[${name}] (2)`).join(', ')}.`,
    ])
    const none = readInp(BASE.replace(/\[SUBCATCHMENTS\].*/s, '[RAINGAGES]\n;rien\n'))
    expect(none.warnings).toEqual([])
  })
  test('for drawings and reports are read past in silence', () => {
    const names = ['REPORT', 'TAGS', 'MAP', 'POLYGONS', 'SYMBOLS', 'LABELS', 'BACKDROP', 'PROFILES']
    expect(file(names.map((name) => `[${name}]\nx\n`).join('')).warnings).toHaveLength(1)
  })
  test('may be called by their beginning, of four letters or more', () => {
    const text = BASE.replace('[OPTIONS]', '[OPTI]')
      .replace('[OUTFALLS]', '[outf]')
      .replace('[CONDUITS]', '[Conduit]')
    expect(readInp(text).network).toEqual(readInp(BASE).network)
    expect(readInp(writeInp(readInp(text).document)).network).toEqual(readInp(BASE).network)
    const short = refused(`${BASE}[JUN]\n`)
    expect(short.message).toContain('[JUN]')
    expect(refused(`${BASE}[JUNCTIONSX]\n`).code).toBe('inp.section')
    expect(refused(`${BASE}[]\n1`).code).toBe('inp.section')
  })
  test('that are not known are refused by at most 40 of their letters', () => {
    const error = refused(`${BASE}[${'X'.repeat(60)}]\n`)
    expect(error).toMatchObject({ code: 'inp.section', details: { line: BASE.split('\n').length } })
    expect(error.message).toContain(`[${'X'.repeat(40)}]`)
    expect(error.message).toContain('SWMM 5.2')
  })
  test('that come twice go on', () => {
    const text = BASE.replace('J2 9.8 2.1', '[TITLE]\nsuite\n   \n[JUNCTIONS]\nJ2 9.8 2.1')
    expect(readInp(text).network.nodes).toHaveLength(4)
    expect(readInp(text).network.title).toEqual(['Un petit réseau', 'suite'])
  })
  test('of files that SWMM would write, or rain that it would read, change nothing', () => {
    const { network } = file('[FILES]\nSAVE HOTSTART a.hsf\nuse rainfall pluie.dat\nSAVE OUTFLOWS o.txt\n')
    expect(network).toEqual(readInp(BASE).network)
  })
  const last = BASE.split('\n').length + 1
  test.each([
    ['[FILES]\nuse inflows i.txt', '« i.txt » (INFLOWS)', 'manque au calcul'],
    ['[FILES]\nUSE', '(?)', 'manque au calcul'],
    ['[FILES]\nUSE HOTSTART a.hsf', '« a.hsf » (HOTSTART)', 'hauteurs et débits initiaux'],
    ['[EVENTS]\n01/01/2004 0:00', '[EVENTS]', 'toute la période'],
    ['[INLET_USAGE]\nC1 I1 J1', '1 avaloir(s)', 'laissé(s) de côté'],
  ])('%s is left out, loudly, with its line', (text, ...words) => {
    const [, warning] = file(text).warnings
    expect(warning).toContain(`essai.inp, ligne ${last} : `)
    for (const word of words) expect(warning).toContain(word)
  })
  test('empty ones of these are no matter', () => {
    expect(file('[EVENTS]\n[INLET_USAGE]\n;x\n[FILES]\n').network.nodes).toHaveLength(4)
  })
  test('a file without a name is called so', () => {
    expect(() => readInp('')).toThrow('réseau.inp, ligne 1 : ')
  })
})

describe('any input', () => {
  test('random bytes are refused, never worse', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(refused(bytes).message).toContain('essai.inp, ligne')
      }),
      { numRuns: 500 },
    )
  })

  test('random sections and words are read or refused', () => {
    const word = fc.constantFrom(
      'J1',
      'C1',
      'O1',
      '0',
      '-1',
      '1e9',
      'NaN',
      '*',
      '"',
      'CIRCULAR',
      'FILE',
      'CURVE',
      'é',
      '0:00',
      '[X',
      'IF',
    )
    const line = fc.array(word, { maxLength: 9 }).map((words) => words.join(' '))
    const name = fc.constantFrom(
      'OPTIONS',
      'JUNCTIONS',
      'OUTFALLS',
      'STORAGE',
      'CONDUITS',
      'PUMPS',
      'XSECTIONS',
      'CURVES',
      'TIMESERIES',
      'CONTROLS',
      'TRANSECTS',
      'STREETS',
      'INFLOWS',
      'DWF',
      'PATTERNS',
      'LOSSES',
      'WEIRS',
      'ORIFICES',
      'OUTLETS',
      'DIVIDERS',
      'EVAPORATION',
      'FILES',
      'VERTICES',
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, fc.array(line, { maxLength: 5 })), { maxLength: 6 }),
        (sections) => {
          const text = BASE + sections.map(([title, lines]) => `[${title}]\n${lines.join('\n')}\n`).join('')
          try {
            readInp(text)
          } catch (error) {
            expect(error).toBeInstanceOf(FormatError)
          }
        },
      ),
      { numRuns: 1500 },
    )
  })

  test('a long file takes time in proportion to its length', () => {
    const big = (n: number) => {
      const nodes = Array.from({ length: n }, (_, i) => `J${i} ${100 - i * 0.001} 3 0 0 0`).join('\n')
      const links = Array.from(
        { length: n },
        (_, i) => `C${i} J${i} ${i === n - 1 ? 'O' : `J${i + 1}`} 50 0.013 0 0`,
      ).join('\n')
      const sections = Array.from({ length: n }, (_, i) => `C${i} CIRCULAR 0.5`).join('\n')
      return `[OPTIONS]\nEND_TIME 1:00\nFLOW_UNITS CMS\n[JUNCTIONS]\n${nodes}\n[OUTFALLS]\nO 0 FREE NO\n[CONDUITS]\n${links}\n[XSECTIONS]\n${sections}\n`
    }
    expect(readInp(big(20_000)).network.links).toHaveLength(20_000)
  })
})
