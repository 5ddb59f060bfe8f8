import { describe, expect, test } from 'vitest'
import { expectRefusal, FT, inp, named, read, US } from '../testing/inp-text.ts'
import { readInp } from './read.ts'

/** The curve of a pump between J1 and J2 (PUMP3: head m against m3/s in a file of m3/s). */
const CMS = 'FLOW_UNITS CMS\nEND_TIME 1:00'
function pumpCurve(lines: string) {
  const link = named(read({ OPTIONS: CMS, CURVES: lines, PUMPS: 'P1 J1 J2 PC' }).network.links, 'P1')
  return link.kind === 'pump' ? link : null
}
const refusesCurve = (lines: string, code: string, line: string | number, ...words: string[]) =>
  expectRefusal(inp({ CURVES: lines, PUMPS: 'P1 J1 J2 PC' }), code, line, ...words)

describe('curves', () => {
  test('go on over lines, with or without their kind again', () => {
    for (const lines of ['PC PUMP3 0 9 1 8\nPC 2 7', 'PC pump3\nPC 0 9\nPC PUMP3 1 8 2 7'])
      expect(pumpCurve(lines)?.curve).toEqual({ name: 'PC', x: [0, 1, 2], y: [9, 8, 7] })
  })
  test.each([1, 2, 3, 4, 5])('PUMP%i makes a pump of that type', (type) => {
    expect(pumpCurve(`PC PUMP${type} 0 1 2 3`)?.type).toBe(type)
  })
  test('without a kind, with half a pair or with x that does not grow are refused', () => {
    refusesCurve('PC 0 1', 'curve', 'PC 0', '« PC »', 'STORAGE, PUMP1')
    refusesCurve('PC', 'curve', 'PC', '« PC »', 'sans type')
    refusesCurve('PC PUMP3 0 1\nPC 2', 'curve', 'PC 2', '« PC »', 'impair')
    refusesCurve('PC PUMP3 0 1 0 2', 'curve', 'PC PUMP3', '« PC »', 'ne croissent pas')
    refusesCurve('PC PUMP3 1 1\nPC 0.5 2', 'curve', 'PC 0.5', 'ne croissent pas')
  })
  test('of an unknown kind, or with a word for a number, are refused', () => {
    refusesCurve('PC POMPE 0 1', 'keyword', 'PC POMPE', 'le type de courbe', 'STORAGE, SHAPE', 'WEIR')
    refusesCurve('PC PUMP3 0 1\nPC -x 2', 'number', 'PC -x', '« -x »', 'x de « PC »')
    refusesCurve('PC PUMP3 0 deux', 'number', 'PC PUMP3', 'y de « PC »')
  })
  test('that are wanted and are missing, empty or of another kind are refused', () => {
    refusesCurve('PX PUMP3 0 1', 'curve', 'P1', '« P1 »', '« PC »', "n'existe pas", '[CURVES]')
    refusesCurve('PC PUMP3', 'curve', 'PC PUMP3', '« PC » est vide')
    refusesCurve(
      'PC RATING 0 1',
      'curve',
      'P1',
      'de type RATING',
      'PUMP1 ou PUMP2 ou PUMP3 ou PUMP4 ou PUMP5',
    )
  })
  test.each(['STORAGE', 'SHAPE', 'DIVERSION', 'TIDAL', 'RATING', 'CONTROL', 'WEIR'])(
    '%s is a kind',
    (kind) => {
      expect(read({ CURVES: `X ${kind} 0 1` }).network.links).toHaveLength(2)
    },
  )
})

describe('time series', () => {
  const OPTIONS = 'FLOW_UNITS CMS\nSTART_DATE 06/04/2024\nSTART_TIME 6:00\nEND_DATE 06/05/2024'
  const series = (lines: string, files: Record<string, string> = {}) => {
    const text = inp({ OPTIONS, TIMESERIES: lines, INFLOWS: 'J1 FLOW T1' })
    return readInp(text, { readFile: (name) => files[name] ?? null }).network.nodes[0].inflows[0].series
  }
  const refuses = (lines: string, code: string, line: string, ...words: string[]) =>
    expectRefusal(inp({ OPTIONS, TIMESERIES: lines, INFLOWS: 'J1 FLOW T1' }), code, line, ...words)

  test('without a date count from the start of the simulation, in hours or h:mm', () => {
    expect(series('T1 0 1 0.5 2 1:15 3\nT1 2:00:30 -4')).toEqual({
      name: 'T1',
      timesS: [0, 1800, 4500, 7230],
      values: [1, 2, 3, -4],
    })
  })
  test('with dates count from the same start; a date holds until the next', () => {
    const times = series('T1 06/04/2024 5:00 1 7:00 2\nT1 8:30 3 06/05/2024 0:00 4')?.timesS
    expect(times).toEqual([-3600, 3600, 9000, 64800])
  })
  test('keep their dates apart', () => {
    expect(series('T2 06/05/2024 0:00 9\nT1 0:00 1')?.timesS).toEqual([0])
  })
  test('take the last value of a moment that comes twice', () => {
    expect(series('T1 0 1 1 2 1 3 2 4')).toMatchObject({ timesS: [0, 3600, 7200], values: [1, 3, 4] })
  })
  test('that go back are refused', () => {
    refuses('T1 0 1 1 2\nT1 0:59 3', 'series', 'T1 0:59', '« T1 »', 'revient en arrière', 'Rangez')
  })
  test.each([
    ['T1 0:00', '« 0:00 »'],
    ['T1 0:00 x', '« 0:00 x »'],
    ['T1 x 1', '« x 1 »'],
    ['T1 06/04/2024', 'illisible'],
    ['T1 0 1e999', '« 0 1e999 »'],
    ['T1 06/04/2024 x 1', '« x 1 »'],
  ])('%s is no time and value', (line, quoted) => {
    refuses(line, 'series', line, '« T1 »', quoted)
  })
  test('the couple that cannot be read is quoted alone', () => {
    refuses('T1 0 1 1:00 x 2 3', 'series', 'T1 0', 'illisible : « 1:00 x »', 'h:mm')
  })

  test('may stand in a file, whose comments and blank lines are read past', () => {
    const files = { 'débit 1.dat': ';heure débit\r\n0:00, 1\r\n\r\n06/04/2024\t7:00 2 ; fin\r\n' }
    expect(series('T1 FILE "débit 1.dat"', files)).toMatchObject({ timesS: [0, 3600], values: [1, 2] })
    expect(series('T1 file "débit 1.dat"', files)?.values).toEqual([1, 2])
  })
  test('whose file is missing or damaged are refused by name, the latter with its own line', () => {
    refuses('T1 FILE a.dat', 'seriesFile', 'T1 FILE', '« T1 »', '« a.dat »', '[TIMESERIES]')
    refuses('T1 FILE', 'missing', 'T1 FILE', 'un nom de fichier')
    const damaged = (text: string) => () => series('T1 FILE a.dat', { 'a.dat': text })
    expect(damaged('0 1\n1 x')).toThrow('(a.dat, ligne 2) : « 1 x »')
    expect(damaged('1 1\n\n0 2')).toThrow('revient en arrière (a.dat, ligne 3)')
  })
})

describe('patterns', () => {
  const pattern = (lines: string) =>
    read({ PATTERNS: lines, DWF: 'J1 FLOW 1 P' }).network.nodes[0].inflows[0].patterns[0]
  const refuses = (lines: string, code: string, line: string, ...words: string[]) =>
    expectRefusal(inp({ PATTERNS: lines, DWF: 'J1 FLOW 1 P' }), code, line, ...words)

  test.each(['MONTHLY', 'DAILY', 'HOURLY', 'WEEKEND'])('%s, over lines with or without the kind', (kind) => {
    const type = kind.toLowerCase()
    expect(pattern(`P ${kind} 1 2\nP 3 .5`)).toEqual({ name: 'P', type, factors: [1, 2, 3, 0.5] })
    expect(pattern(`P ${kind} 1 2\nP ${kind} 3`)).toEqual({ name: 'P', type, factors: [1, 2, 3] })
  })
  test.each([
    ['MONTHLY', 12, 'les autres valent 1'],
    ['DAILY', 7, 'les autres valent 1'],
    ['HOURLY', 24, 'les autres valent 1'],
    ['WEEKEND', 24, 'ceux de trop ne servent pas'],
  ])('%s of another length than %i is told with its line', (kind, whole, rest) => {
    const warnings = (n: number) =>
      read({ PATTERNS: `P ${kind} ${'2 '.repeat(n)}`, DWF: 'J1 FLOW 1 P' }).warnings
    expect(warnings(whole)).toEqual([])
    const n = rest.startsWith('ceux') ? whole + 1 : 3
    expect(warnings(n)).toEqual([
      expect.stringMatching(
        new RegExp(`ligne \\d+ : le profil « P » a ${n} .* au lieu de ${whole} : ${rest}`),
      ),
    ])
  })
  test('may go on with a number that has an exponent', () => {
    expect(pattern('P DAILY 1\nP 2e0 3').factors).toEqual([1, 2, 3])
  })
  test('without a kind, of an unknown one or with a word for a factor are refused', () => {
    refuses('P', 'missing', 'P', 'le type de profil')
    refuses('P 1 2', 'keyword', 'P 1', 'le type de profil', 'MONTHLY, DAILY, HOURLY, WEEKEND')
    refuses('P DAILY 1 x', 'number', 'P DAILY', '« x »', 'un facteur')
  })
})

describe('profiles of channels', () => {
  const IRREGULAR = { XSECTIONS: 'C1 IRREGULAR T\nC2 CIRCULAR 0.5' }
  const profile = (lines: string, OPTIONS = US) => {
    const link = named(read({ OPTIONS, TRANSECTS: lines, ...IRREGULAR }).network.links, 'C1')
    return link.kind === 'conduit' ? link : null
  }
  const refuses = (lines: string, code: string, line: string, ...words: string[]) =>
    expectRefusal(inp({ TRANSECTS: lines, ...IRREGULAR }), code, line, ...words)
  const feet = (values: number[]) => values.map((value) => expect.closeTo(value * FT, 9))
  const POINTS = 'GR 10 0 8 3 8 7\nGR 10 10'

  test('have stations and levels in metres, banks, roughness and the ratio of lengths', () => {
    const link = profile(`NC 0.05 0.06 0.03\nX1 T 4 2 8 0 0 1.5 2 1\n${POINTS}`)
    // Distances twice as wide, levels 1 ft higher.
    expect(link?.section.transect).toEqual({
      name: 'T',
      stationsM: feet([0, 6, 14, 20]),
      elevationsM: feet([11, 9, 9, 11]),
      leftBankM: expect.closeTo(4 * FT, 9),
      rightBankM: expect.closeTo(16 * FT, 9),
      nLeft: 0.05,
      nRight: 0.06,
      nChannel: 0.03,
      lengthFactor: 1.5,
    })
    expect(link?.roughness).toBe(0.03)
  })
  test('factors of 0 or left out are 1, an added level left out is 0', () => {
    for (const head of ['X1 T 4 2 8 0 0 0 0 0', 'X1 T 4 2 8'])
      expect(profile(`NC 0 0 0.03\n${head}\n${POINTS}`)?.section.transect).toMatchObject({
        stationsM: feet([0, 3, 7, 10]),
        elevationsM: feet([10, 8, 8, 10]),
        lengthFactor: 1,
      })
  })
  test('banks left out are at 0', () => {
    expect(profile(`NC 0 0 0.03\nX1 T 4\n${POINTS}`)?.section.transect).toMatchObject({
      leftBankM: 0,
      rightBankM: 0,
    })
  })
  test('a roughness of 0 stays as it was, and at first is that of the channel', () => {
    const lines = `NC 0 0.07 0.03\nX1 A 4 2 8\n${POINTS}\nNC 0.1 0 0.04\nX1 T 4 2 8\n${POINTS}`
    expect(profile(lines)?.section.transect).toMatchObject({ nLeft: 0.1, nRight: 0.07, nChannel: 0.04 })
    expect(profile(lines.replace('X1 A', 'X1 T').replace(/\nNC 0.1.*/s, ''))?.section.transect).toMatchObject(
      {
        nLeft: 0.03,
        nRight: 0.07,
        nChannel: 0.03,
      },
    )
    expect(
      profile(`NC 0.1 0.2 0.03\nX1 A 4 2 8\n${POINTS}\nNC 0 0 0\nX1 T 4 2 8\n${POINTS}`)?.section.transect,
    ).toMatchObject({ nLeft: 0.1, nRight: 0.2, nChannel: 0.03 })
  })
  test('keywords in small letters are taken, and a station may repeat for a wall', () => {
    const lines = 'nc 0 0 0.03\nx1 T 4 0 4\ngr 2 0 0 0 0 4 2 4'
    expect(profile(lines)?.section.transect?.stationsM).toEqual(feet([0, 0, 4, 4]))
  })

  test.each([
    ['GR 1 2', 'transect', 'GR 1', 'sans X1'],
    ['NC 0 0 0.03\nXX 1', 'transect', 'XX 1', '« XX »', 'ni NC, ni X1, ni GR'],
    [`X1 T 4 2 8\n${POINTS}`, 'transect', 'X1 T', '« T »', 'rugosité', 'NC'],
    ['NC 0 0 0.03\nX1 T 4 2 8\nGR 1 2 3', 'transect', 'GR 1', 'impair', 'altitude distance'],
    ['NC 0 0 0.03\nX1 T 4 2 8\nGR 1 2 0 3\nGR 1 2.9', 'transect', 'GR 1 2.9', '« T »', 'décroissent'],
    ['NC 0 0 0.03\nX1 T 4 2 8\nGR 1 2 1 3', 'transect', '[TRANSECTS]', '« T »', 'profondeur'],
    ['NC 0 0 0.03\nX1 T 4 2 8\nGR 1 2', 'transect', '[TRANSECTS]', 'au moins deux points'],
    [`NC 0 0 0.03\nX1 T 4 9 8\n${POINTS}`, 'transect', '[TRANSECTS]', 'rives'],
    ['NC 0 0', 'missing', 'NC 0', 'la rugosité'],
    ['NC x 0 0.03', 'number', 'NC x', 'la rugosité'],
    ['NC 0 x 0.03', 'number', 'NC 0', 'la rugosité'],
    ['NC -0.1 0 0.03', 'range', 'NC -0.1', 'la rugosité'],
    ['NC 0 11 0.03', 'range', 'NC 0 11', '0 à 10'],
    ['NC 0 0 -1', 'range', 'NC 0 0 -1', 'la rugosité'],
    ['NC 0 0 0.03\nX1', 'missing', 'X1', 'un nom'],
    ['NC 0 0 0.03\nX1 T 4 x 8', 'number', 'X1 T', 'la rive gauche'],
    ['NC 0 0 0.03\nX1 T 4 2 x', 'number', 'X1 T', 'la rive droite'],
    ['NC 0 0 0.03\nX1 T 4 2 8 0 0 x', 'number', 'X1 T', 'le rapport des longueurs'],
    ['NC 0 0 0.03\nX1 T 4 2 8 0 0 0 x', 'number', 'X1 T', 'le facteur des distances'],
    ['NC 0 0 0.03\nX1 T 4 2 8 0 0 0 0 x', 'number', 'X1 T', "l'altitude ajoutée"],
    ['NC 0 0 0.03\nX1 T 4 2 8\nGR x 0', 'number', 'GR x', 'une altitude'],
    ['NC 0 0 0.03\nX1 T 4 2 8\nGR 1 x', 'number', 'GR 1', 'une distance'],
  ])('%s is refused', (lines, code, line, ...words) => {
    refuses(lines, code, line, ...words)
  })
  test('a level bank to bank is fine', () => {
    expect(profile(`NC 0 0 0.03\nX1 T 4 5 5\n${POINTS}`)?.section.transect).toMatchObject({
      leftBankM: expect.closeTo(5 * FT, 9),
    })
  })
})

describe('streets', () => {
  const STREET = { XSECTIONS: 'C1 STREET S\nC2 CIRCULAR 0.5' }
  const street = (line: string, OPTIONS?: string) => {
    const link = named(
      read({ ...(OPTIONS ? { OPTIONS } : {}), STREETS: line, ...STREET }).network.links,
      'C1',
    )
    if (link.kind !== 'conduit' || !link.section.transect) throw new Error('no street')
    const { stationsM, elevationsM, ...rest } = link.section.transect
    return { points: stationsM.map((x, k) => [+x.toFixed(6), +elevationsM[k].toFixed(6)]), ...rest }
  }
  const refuses = (line: string, code: string, ...words: string[]) =>
    expectRefusal(inp({ STREETS: line, ...STREET }), code, line, ...words)

  test('two-sided with a gutter and a backing', () => {
    // Half of 4 m, kerb 0.15 m over a gutter 0.5 m wide and 0.05 m deep, 2 %, n 0.015; backing 2 m of 1 %, n 0.02.
    expect(street('S 4 0.15 2 0.015 0.05 0.5 2 2 1 0.02')).toEqual({
      name: 'S',
      points: [
        [0, 0.22],
        [2, 0.2],
        [2, 0],
        [2.5, 0.05],
        [6, 0.12],
        [9.5, 0.05],
        [10, 0],
        [10, 0.2],
        [12, 0.22],
      ],
      leftBankM: 2,
      rightBankM: 10,
      nLeft: 0.02,
      nRight: 0.02,
      nChannel: 0.015,
      lengthFactor: 1,
    })
  })
  test('one-sided without gutter or backing ends in a wall as high as the kerb', () => {
    expect(street('S 4 0.15 2 0.015 0 0 1')).toMatchObject({
      points: [
        [0, 0.15],
        [0, 0.15],
        [0, 0],
        [4, 0.08],
        [4, 0.15],
      ],
      leftBankM: 0,
      rightBankM: 4,
      nLeft: 0.015,
    })
  })
  test('a crown as high as the kerb needs no wall', () => {
    expect(street('S 4 0.1 2.5 0.015 0 0 1').points).toHaveLength(4)
    expect(street('S 4 0.08 2.5 0.015 0 0 1').points).toHaveLength(4)
  })
  test('two-sided, a crown higher than the kerb needs no wall either', () => {
    expect(street('S 4 0.05 2 0.015').points).toHaveLength(7)
  })
  test('is two-sided without gutter and backing by default', () => {
    expect(street('S 4 0.15 2 0.015')).toEqual(street('S 4 0.15 2 0.015 0 0 2 0'))
    expect(street('S 4 0.15 2 0.015').points).toHaveLength(7)
  })
  test('has its lengths in feet in a file of US units, slopes in per cent', () => {
    const us = street('S 40 0.5 4 0.016 0.1667 2 2 10 3 0.02', US)
    expect(us.points[0]).toEqual([0, +((0.5 + 0.1667 + 10 * 0.03) * FT).toFixed(6)])
    expect(us.points[3]).toEqual([+(12 * FT).toFixed(6), +(0.1667 * FT).toFixed(6)])
    expect(us.points[4]).toEqual([+(50 * FT).toFixed(6), +((0.1667 + 38 * 0.04) * FT).toFixed(6)])
    expect(us.leftBankM).toBeCloseTo(10 * FT, 9)
  })
  test.each([
    ['S', 'missing', 'la demi-largeur'],
    ['S 0 0.15 2 0.015', 'range', 'la demi-largeur'],
    ['S 4 0 2 0.015', 'range', 'la hauteur de bordure'],
    ['S 4 0.15 0 0.015', 'range', 'la pente'],
    ['S 4 0.15 2 0', 'range', 'la rugosité'],
    ['S 4 0.15 2 0.015 -1', 'range', 'le caniveau'],
    ['S 4 0.15 2 0.015 0 -1', 'range', 'la largeur du caniveau'],
    ['S 4 0.15 2 0.015 0 0 3', 'range', 'le nombre de côtés'],
    ['S 4 0.15 2 0.015 0 0 0', 'range', 'le nombre de côtés'],
    ['S 4 0.15 2 0.015 0 0 2 -1', 'range', "la largeur d'accotement"],
    ['S 4 0.15 2 0.015 0 0 2 1', 'missing', "la pente d'accotement"],
    ['S 4 0.15 2 0.015 0 0 2 1 1', 'missing', "la rugosité d'accotement"],
  ])('%s is refused', (line, code, what) => {
    refuses(line, code, what, '« S »')
  })
})
