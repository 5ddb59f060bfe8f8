import { describe, expect, test } from 'vitest'
import { expectRefusal, FT, inp, named, read, SMALL, US } from '../testing/inp-text.ts'
import { readInp } from './read.ts'

/** Feet to metres, squares, and ft3/s. */
const ft = (value: number) => expect.closeTo(value * FT, 9)
const ft2 = (value: number) => expect.closeTo(value * FT ** 2, 9)
const cfs = (value: number) => expect.closeTo(value * FT ** 3, 12)

const node = (sections: Record<string, string>, name: string) => named(read(sections).network.nodes, name)

describe('junctions', () => {
  const junction = (words: string) => node({ OPTIONS: US, JUNCTIONS: `J1 ${words}\nJ2 9 2` }, 'J1')

  test('have their figures in feet, in this order', () => {
    expect(junction('10 8 0.5 6 100')).toEqual({
      kind: 'junction',
      name: 'J1',
      invertM: ft(10),
      fullDepthM: ft(8),
      initDepthM: ft(0.5),
      surchargeDepthM: ft(6),
      pondedAreaM2: ft2(100),
      inflows: [],
    })
  })
  test('need only an invert, which may be below the datum', () => {
    expect(junction('-3.5')).toMatchObject({
      invertM: ft(-3.5),
      fullDepthM: 0,
      initDepthM: 0,
      surchargeDepthM: 0,
      pondedAreaM2: 0,
    })
  })
  test.each([
    ['x', 'number', 'le radier'],
    ['10 x', 'number', 'la profondeur'],
    ['10 -1', 'range', 'la profondeur'],
    ['10 8 -1', 'range', 'la hauteur initiale'],
    ['10 8 0 -1', 'range', 'la surcharge admise'],
    ['10 8 0 0 -1', 'range', 'la surface de débordement'],
  ])('%s is refused', (words, code, what) => {
    expectRefusal(inp({ JUNCTIONS: `J1 ${words}\nJ2 9 2` }), code, 'J1', what, '« J1 »')
  })
})

describe('dividers are junctions, whose own figures come first', () => {
  const divider = (words: string) => {
    const { network, warnings } = read({
      OPTIONS: US,
      JUNCTIONS: 'J2 9 2',
      DIVIDERS: `J1 10 C1 ${words}`,
    })
    expect(warnings).toEqual([
      'essai.inp, ligne 15 : le répartiteur « J1 » est calculé comme un regard (onde dynamique).',
    ])
    return named(network.nodes, 'J1')
  }
  test.each([
    'OVERFLOW 8 0.5 6 100',
    'CUTOFF 3 8 0.5 6 100',
    'TABULAR DC 8 0.5 6 100',
    'WEIR 1 2 3 8 0.5 6 100',
  ])('%s', (words) => {
    expect(divider(words)).toEqual({
      kind: 'junction',
      name: 'J1',
      invertM: ft(10),
      fullDepthM: ft(8),
      initDepthM: ft(0.5),
      surchargeDepthM: ft(6),
      pondedAreaM2: ft2(100),
      inflows: [],
    })
  })
  test.each([
    ['x C1 OVERFLOW', 'number', 'le radier'],
    ['10 C1', 'missing', 'le type de répartiteur'],
    ['10 C1 AUTRE', 'keyword', 'CUTOFF, OVERFLOW, TABULAR, WEIR'],
    ['10 C1 OVERFLOW -1', 'range', 'la profondeur'],
    ['10 C1 OVERFLOW 1 -1', 'range', 'la hauteur initiale'],
    ['10 C1 OVERFLOW 1 1 -1', 'range', 'la surcharge admise'],
    ['10 C1 OVERFLOW 1 1 1 -1', 'range', 'la surface de débordement'],
  ])('%s is refused', (words, code, what) => {
    expectRefusal(inp({ JUNCTIONS: 'J2 9 2', DIVIDERS: `J1 ${words}` }), code, 'J1', what)
  })
})

describe('outfalls', () => {
  const TABLES = { CURVES: 'TC TIDAL 0 1 12 2', TIMESERIES: 'TS 0 1 2 4' }
  test('a tide in a whole model that does not start at midnight is told', () => {
    const warnings = (start: string) => {
      const period = `START_DATE 01/01/2024\nSTART_TIME ${start}\nEND_DATE 01/02/2024\nEND_TIME 06:00`
      const text = inp({ OPTIONS: `${US}\n${period}`, OUTFALLS: 'O1 8 TIDAL TC NO', ...TABLES })
      return readInp(text, { runoff: true }).warnings
    }
    expect(warnings('13:30')).toEqual([expect.stringMatching(/« O1 » .* 13,5 h de retard sur sa courbe/)])
    expect(warnings('00:00')).toEqual([])
  })

  const outfall = (words: string) => node({ OPTIONS: US, OUTFALLS: `O1 8 ${words}`, ...TABLES }, 'O1')

  test.each([
    ['FREE', 'YES', { type: 'free' }],
    ['NORMAL', 'YES', { type: 'normal' }],
    ['FIXED 9', 'YES', { type: 'fixed', stageM: ft(9) }],
    // The hours of a tide stay hours.
    ['TIDAL TC', 'YES', { type: 'tidal', curve: { name: 'TC', x: [0, 12], y: [ft(1), ft(2)] } }],
    [
      'TIMESERIES TS',
      'YES',
      { type: 'timeseries', series: { name: 'TS', timesS: [0, 7200], values: [ft(1), ft(4)] } },
    ],
  ])('%s %s', (words, gate, boundary) => {
    expect(outfall(`${words} ${gate}`)).toEqual({
      kind: 'outfall',
      name: 'O1',
      invertM: ft(8),
      fullDepthM: 0,
      initDepthM: 0,
      surchargeDepthM: 0,
      pondedAreaM2: 0,
      boundary,
      flapGate: true,
      inflows: [],
    })
    expect(outfall(words)).toMatchObject({ flapGate: false })
  })
  test('whose water goes back to a subcatchment let it go, with a warning', () => {
    const warnings = (words: string) => read({ OUTFALLS: `O1 8 ${words}`, ...TABLES }).warnings
    for (const words of ['FREE NO S1', 'FIXED 9 NO S1'])
      expect(warnings(words)).toEqual([
        "essai.inp, ligne 8 : l'exutoire « O1 » rend ses eaux au bassin versant « S1 » : elles quittent ici le calcul.",
      ])
    for (const words of ['FREE NO', 'FREE NO *', 'FIXED 9 NO']) expect(warnings(words)).toEqual([])
  })
  test.each([
    ['x FREE', 'number', 'le radier'],
    ['8 FIXED', 'missing', 'le niveau'],
    ['8 FIXED x', 'number', 'le niveau'],
    ['8 TIDAL', 'missing', 'une courbe'],
    ['8 TIDAL TX', 'curve', '« TX »', "n'existe pas"],
    ['8 TIMESERIES', 'missing', 'une série'],
    ['8 TIMESERIES TX', 'series', '« O1 »', '« TX »', '[TIMESERIES]'],
    ['8 FIXED 9 PEUT-ÊTRE', 'keyword', 'le clapet'],
  ])('%s is refused', (words, code, ...says) => {
    expectRefusal(inp({ OUTFALLS: `O1 ${words}`, CURVES: 'RC RATING 0 0' }), code, 'O1', ...says)
  })
})

describe('storage', () => {
  const BASIN = { PUMPS: 'P1 B1 J1 *', CURVES: 'SC STORAGE 0 10 2 30\nNC STORAGE 0 10 1 -1\nRC RATING 0 0' }
  const storage = (words: string, more: Record<string, string> = {}) =>
    node({ OPTIONS: US, STORAGE: `B1 9 ${words}`, ...BASIN, ...more }, 'B1')
  const refuses = (words: string, code: string, ...says: string[]) =>
    expectRefusal(inp({ STORAGE: `B1 ${words}`, ...BASIN }), code, 'B1', ...says)

  test('has its figures in feet, and its table in ft and ft2', () => {
    expect(storage('12 3 TABULAR SC 4')).toEqual({
      kind: 'storage',
      name: 'B1',
      invertM: ft(9),
      fullDepthM: ft(12),
      initDepthM: ft(3),
      surchargeDepthM: ft(4),
      pondedAreaM2: 0,
      shape: { type: 'tabular', table: { name: 'SC', x: [0, ft(2)], y: [ft2(10), ft2(30)] } },
      inflows: [],
    })
  })
  test('may have no area at its bottom', () => {
    const CURVES = 'SC STORAGE 0 0 2 30'
    expect(storage('12 3 TABULAR SC', { CURVES })).toMatchObject({ shape: { table: { y: [0, ft2(30)] } } })
  })
  /** Area in ft2 at a depth in ft. */
  const areaAt = (words: string, depthFt: number) => {
    const found = storage(`20 0 ${words}`)
    if (found.kind !== 'storage') throw new Error('no storage')
    const { shape } = found
    const d = depthFt * FT
    if (shape.type === 'quadratic') return (shape.a0 + shape.a1 * d + shape.a2 * d * d) / FT ** 2
    if (shape.type === 'functional')
      return (shape.coefficient * d ** shape.exponent + shape.constant) / FT ** 2
    throw new Error('a table')
  }
  // Formulas of the EPA SWMM 5.2 manual, with the file's feet. L, W the axes, Z run over rise or the height.
  test.each([
    ['FUNCTIONAL 1000 0.5 200', 4, 1000 * 2 + 200],
    ['FUNCTIONAL 1000 0 200', 4, 1200],
    ['CYLINDRICAL 6 4 0', 5, Math.PI * 3 * 2],
    ['CONICAL 6 4 0.5', 5, Math.PI * (3 + 2.5) * (2 + (2.5 * 2) / 3)],
    ['PYRAMIDAL 6 4 0.5', 5, (6 + 5) * (4 + 5)],
    // Half as high as its top, half the area.
    ['PARABOLIC 6 4 10', 5, (Math.PI * 3 * 2) / 2],
    ['PARABOLOID 6 4 10', 10, Math.PI * 3 * 2],
  ])('%s at %f ft is %f ft2', (words, depth, area) => {
    expect(areaAt(words, depth)).toBeCloseTo(area, 8)
  })
  test('bears the surcharge after the figures of its shape', () => {
    expect(storage('12 3 FUNCTIONAL 0 0 100 4')).toMatchObject({ surchargeDepthM: ft(4) })
    expect(storage('12 3 FUNCTIONAL 0 0 100')).toMatchObject({ surchargeDepthM: 0 })
  })
  test.each([
    ['x 4 0 CYLINDRICAL 1 1 1', 'number', 'le radier'],
    ['9 -1 0 CYLINDRICAL 1 1 1', 'range', 'la profondeur'],
    ['9 4 -1 CYLINDRICAL 1 1 1', 'range', 'la hauteur initiale'],
    ['9 4 0 CYLINDRICAL 1 1 1 -1', 'range', 'la surcharge admise'],
    ['9 4 0', 'missing', 'la forme'],
    ['9 4 0 ROND 1 1 1', 'keyword', 'la forme', 'TABULAR, FUNCTIONAL, CYLINDRICAL'],
    ['9 4 0 TABULAR SX', 'curve', '« SX »'],
    ['9 4 0 TABULAR NC', 'range', '« NC »', 'surface négative'],
    ['9 4 0 FUNCTIONAL', 'missing', "l'exposant"],
    ['9 4 0 FUNCTIONAL -1 0 0', 'range', 'le coefficient'],
    ['9 4 0 FUNCTIONAL 1 -1 0', 'range', "l'exposant"],
    ['9 4 0 FUNCTIONAL 1 0 -1', 'range', 'la constante'],
    ['9 4 0 CYLINDRICAL -1 1 0', 'range', 'le premier axe'],
    ['9 4 0 CYLINDRICAL 1 -1 0', 'range', 'le second axe'],
    ['9 4 0 CONICAL 1 1 -1', 'range', 'la pente ou la hauteur'],
    ['9 4 0 CYLINDRICAL 0 1 0', 'range', 'un axe de « B1 » est nul'],
    ['9 4 0 CONICAL 0 1 1', 'range', 'un axe de « B1 » est nul'],
    ['9 4 0 PYRAMIDAL 1 0 1', 'range', 'un axe de « B1 » est nul'],
    ['9 4 0 PARABOLIC 1 1 0', 'range', 'la hauteur de « B1 » est nulle'],
  ])('%s is refused', (words, code, ...says) => {
    refuses(words, code, ...says)
  })

  const shapes = ['TABULAR SC', 'FUNCTIONAL 0 0 100']
  test.each(shapes)(
    '%s that seeps: figures of its bed, and a warning where losses are not computed',
    (shape) => {
      const text = (words: string) => inp({ STORAGE: `B1 9 4 0 ${shape} ${words}`, ...BASIN, OPTIONS: US })
      const warnings = (words: string) => readInp(text(words)).warnings
      const losses = (words: string) =>
        readInp(text(words), { runoff: true }).network.nodes.find((node) => node.kind === 'storage')?.losses
      // A conductivity alone, or suction, conductivity and deficit.
      for (const words of ['0 0 0.5', '0 0 3.5 0.5 0.2'])
        expect(warnings(words)).toEqual([expect.stringContaining('1 bassin(s) sont laissées de côté')])
      for (const words of ['0 0 0', '0 0 3.5 0 0.2']) expect(warnings(words)).toEqual([])
      const conductivity = (0.5 * 0.0254) / 3600
      expect(losses('0 0 0.5')).toEqual({ evaporationShare: 0, conductivity, suctionM: 0, deficit: 0 })
      expect(losses('0 0 3.5 0.5 0.2')).toEqual({
        ...{ evaporationShare: 0, conductivity, deficit: 0.2 },
        suctionM: 3.5 * 0.0254,
      })
      expect(losses('0 0 0')).toBeUndefined()
      expect(readInp(text('0 0 0.5'), { runoff: true }).warnings).toEqual([])
      refuses(`9 4 0 ${shape} 0 0 x`, 'number', 'la conductivité')
      refuses(`9 4 0 ${shape} 0 0 3.5 x 0.2`, 'number', 'la conductivité')
    },
  )
  test.each(shapes)(
    '%s that evaporates: by the file’s evaporation, and a warning where losses are not computed',
    (shape) => {
      const text = (share: string, evaporation: string) =>
        inp({ STORAGE: `B1 9 4 0 ${shape} 0 ${share}`, ...BASIN, EVAPORATION: evaporation })
      const told = (share: string, evaporation: string) =>
        readInp(text(share, evaporation)).warnings.filter((one) =>
          one.includes("l'évaporation et l'infiltration de 1 bassin(s)"),
        )
      for (const evaporation of [
        'CONSTANT 0.1',
        'constant 0.1',
        'MONTHLY 0 0 0 0 0 0.1 0 0 0 0 0 0',
        'TIMESERIES E',
        'TEMPERATURE',
        'FILE',
      ])
        expect(told('0.5', evaporation)).toHaveLength(1)
      for (const evaporation of ['CONSTANT 0', 'DRY_ONLY 1', 'RECOVERY 1', 'CONSTANT 0\nDRY_ONLY YES'])
        expect(told('0.5', evaporation)).toEqual([])
      expect(told('0', 'CONSTANT 0.1')).toEqual([])
      const { climate } = readInp(text('0.5', 'CONSTANT 0.1'), { runoff: true }).network
      expect(climate?.evaporation).toEqual({ type: 'constant', rate: expect.any(Number) })
      expect(readInp(text('0', 'CONSTANT 0.1'), { runoff: true }).network.climate).toBeUndefined()
      expectRefusal(text('x', 'CONSTANT 0.1'), 'number', 'B1', "la part d'évaporation")
    },
  )
})

describe('inflows', () => {
  const TABLES = { TIMESERIES: 'TS 0 2 1 4', PATTERNS: 'P1 HOURLY 1\nP2 DAILY 2\nP3 MONTHLY 3\nP4 WEEKEND 4' }
  const inflows = (sections: Record<string, string>) =>
    read({ OPTIONS: US, ...TABLES, ...sections }).network.nodes.map((one) => one.inflows)
  const refuses = (sections: Record<string, string>, code: string, line: string, ...says: string[]) =>
    expectRefusal(inp({ ...TABLES, ...sections }), code, line, ...says)

  test('direct: series and base in ft3/s, the factor on the series as it is', () => {
    expect(inflows({ INFLOWS: 'J2 flow TS FLOW 1 2.5 3 P1' })).toEqual([
      [],
      [
        {
          series: { name: 'TS', timesS: [0, 3600], values: [cfs(2), cfs(4)] },
          scale: 2.5,
          baselineM3S: cfs(3),
          patterns: [{ name: 'P1', type: 'hourly', factors: [1] }],
        },
      ],
      [],
    ])
  })
  test('direct: a factor of 1, no base and no pattern by default; an empty series is none', () => {
    expect(inflows({ INFLOWS: 'J1 FLOW TS\nJ2 FLOW "" FLOW 1 1 3' }).slice(0, 2)).toEqual([
      [{ series: expect.anything(), scale: 1, baselineM3S: 0, patterns: [] }],
      [{ series: null, scale: 1, baselineM3S: cfs(3), patterns: [] }],
    ])
    expect(inflows({ INFLOWS: 'J1 FLOW' })[0][0].series).toBeNull()
  })
  test('dry weather: the mean in ft3/s and up to four patterns', () => {
    expect(inflows({ DWF: 'J1 FLOW 3 P1 "" P3 P4\nJ2 FLOW 1 * P2' }).slice(0, 2)).toEqual([
      [
        {
          series: null,
          scale: 0,
          baselineM3S: cfs(3),
          patterns: [{ name: 'P1' }, { name: 'P3' }, { name: 'P4' }].map((p) => expect.objectContaining(p)),
        },
      ],
      [expect.objectContaining({ patterns: [expect.objectContaining({ name: 'P2' })] })],
    ])
    expect(inflows({ DWF: 'J1 FLOW 3 P1 P2 P3 P4 PX' })[0][0].patterns).toHaveLength(4)
  })
  test('of a node: of two lines the last, direct before dry weather', () => {
    const [both] = inflows({
      DWF: 'J1 FLOW 3\nJ1 FLOW 4',
      INFLOWS: 'J1 FLOW "" FLOW 1 1 1\nJ1 FLOW "" FLOW 1 1 2',
    })
    expect(both.map((inflow) => inflow.baselineM3S)).toEqual([cfs(2), cfs(4)])
  })
  test('of pollutants are left out and counted', () => {
    const { network, warnings } = read({ INFLOWS: 'J1 TSS TX\nJ1 NH4 TX', DWF: 'J1 TSS 10' })
    expect(network.nodes[0].inflows).toEqual([])
    expect(warnings).toEqual(['essai.inp : 3 apport(s) de polluant laissé(s) de côté (qualité des eaux).'])
    expect(read({ DWF: 'J1 FLOW 10' }).warnings).toEqual([])
  })
  test.each<[Record<string, string>, string, string, ...string[]]>([
    [{ INFLOWS: 'J9 FLOW TS' }, 'node', 'J9', '« J9 »'],
    [{ INFLOWS: 'J1' }, 'missing', 'J1', 'FLOW'],
    [{ INFLOWS: 'J1 FLOW TX' }, 'series', 'J1 FLOW', '« TX »', '[TIMESERIES]'],
    [{ INFLOWS: 'J1 FLOW TS FLOW 1 x' }, 'number', 'J1 FLOW', "le facteur d'échelle"],
    [{ INFLOWS: 'J1 FLOW TS FLOW 1 1 x' }, 'number', 'J1 FLOW', 'le débit de base'],
    [{ INFLOWS: 'J1 FLOW TS FLOW 1 1 1 PX' }, 'pattern', 'J1 FLOW', '« J1 »', '« PX »', '[PATTERNS]'],
    [{ DWF: 'J9 FLOW 1' }, 'node', 'J9', '« J9 »'],
    [{ DWF: 'J1' }, 'missing', 'J1', 'FLOW'],
    [{ DWF: 'J1 FLOW' }, 'missing', 'J1 FLOW', 'le débit moyen'],
    [{ DWF: 'J1 FLOW 1 "" "" "" PX' }, 'pattern', 'J1 FLOW', '« PX »'],
  ])('%j is refused', (sections, code, line, ...says) => {
    // The line of the junction begins alike: it must not be the one that is named.
    refuses({ JUNCTIONS: SMALL.JUNCTIONS.replace('J1', ' J1'), ...sections }, code, line, ...says)
  })
  test('one series read in two units is scaled for each', () => {
    const { nodes } = read({
      OPTIONS: US,
      OUTFALLS: 'O1 8 TIMESERIES TS',
      INFLOWS: 'J1 FLOW TS\nJ2 FLOW TS',
      ...TABLES,
    }).network
    const [j1, j2, o1] = nodes
    expect(o1).toMatchObject({ boundary: { series: { values: [ft(2), ft(4)] } } })
    expect(j1.inflows[0].series?.values).toEqual([cfs(2), cfs(4)])
    // And held once for each.
    expect(j2.inflows[0].series).toBe(j1.inflows[0].series)
  })
})

describe('places on the map', () => {
  test('keep the file’s own coordinates; those of unknown nodes are counted', () => {
    const { network, warnings } = read({ OPTIONS: US, COORDINATES: 'J1 100.5 -200\nX 1 1\nY 1 1\nO1 0 0' })
    expect(network.nodes.map(({ x, y }) => [x, y])).toEqual([
      [100.5, -200],
      [undefined, undefined],
      [0, 0],
    ])
    expect(warnings).toEqual(['essai.inp : 2 position(s) de [COORDINATES] ne désignent aucun nœud.'])
    expect(read({ COORDINATES: 'J1 1 1' }).warnings).toEqual([])
  })
  test('are numbers', () => {
    const sections = (line: string) => inp({ JUNCTIONS: ' J1 10 2\nJ2 9 2', COORDINATES: line })
    expectRefusal(sections('J1 x 1'), 'number', 'J1', 'x de « J1 »')
    expectRefusal(sections('J1 1'), 'missing', 'J1', 'il manque y')
  })
})
