import { FormatError } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { inp } from '../../testing/inp-text.ts'
import { readInp } from '../read.ts'

const CATCHMENT = {
  RAINGAGES: 'R INTENSITY 0:05 1 TIMESERIES T',
  SUBCATCHMENTS: 'S1 R J1 2 50 100 1 0',
  SUBAREAS: 'S1 0.01 0.1 1 5 25 OUTLET',
  INFILTRATION: 'S1 50 5 4 7 0',
  TIMESERIES: 'T 0:00 36 0:05 0 0:10 72',
}
const read = (sections: Record<string, string> = {}, files: Record<string, string> = {}) =>
  readInp(inp({ ...CATCHMENT, ...sections }), {
    file: 'essai.inp',
    runoff: true,
    readFile: (name) => files[name] ?? null,
  })
const model = (sections: Record<string, string> = {}, files?: Record<string, string>) => {
  const { runoff } = read(sections, files)
  if (!runoff) throw new Error('no runoff')
  return runoff
}

describe('rain', () => {
  test('is a rate, a depth an interval or a sum; intervals without rain are left out', () => {
    const gage = (kind: string, values: string) =>
      model({ RAINGAGES: `R ${kind} 0:05 1 TIMESERIES T`, TIMESERIES: `T ${values}` }).gages[0]
    expect(gage('INTENSITY', '0:00 36 0:05 0 0:10 72')).toMatchObject({ intervalS: 300, startsS: [0, 600] })
    expect(gage('INTENSITY', '0:00 36 0:05 0 0:10 72').rates[1]).toBeCloseTo(2e-5, 15)
    expect(gage('VOLUME', '0:00 3').rates[0]).toBeCloseTo(1e-5, 15)
    const sum = gage('CUMULATIVE', '0:00 3 0:05 3 0:10 9')
    expect(sum.startsS).toEqual([0, 600])
    expect(sum.rates[1]).toBeCloseTo(2e-5, 15)
  })
  test('of a file beside the model is that of its station, from the start asked for', () => {
    const file = ';station y m d h m value\nSTA1 2004 1 1 0 0 3\nSTA2 2004 1 1 0 0 9\nSTA1 2004 1 1 0 5 6\n'
    const sections = { RAINGAGES: 'R VOLUME 0:05 1 FILE "rain.dat" STA1 MM' }
    const [gage] = model(sections, { 'rain.dat': file }).gages
    expect(gage.startsS).toEqual([0, 300])
    expect(gage.rates[0]).toBeCloseTo(1e-5, 15)
    // The same figures in inches, and by a unit that is none.
    const inches = model({ RAINGAGES: 'R VOLUME 0:05 1 FILE "rain.dat" STA1 IN' }, { 'rain.dat': file })
    expect(inches.gages[0].rates[0]).toBeCloseTo(2.54e-4, 15)
    expect(() =>
      model({ RAINGAGES: 'R VOLUME 0:05 1 FILE "rain.dat" STA1 CM' }, { 'rain.dat': file }),
    ).toThrow(/essai\.inp, ligne \d+ : « CM » n'est pas reconnu \(l'unité de la pluie de « R »\)/)
    expect(() => model(sections)).toThrow(
      /essai\.inp, ligne \d+ : .*qui n'a pas pu être lu. Placez-le à côté/,
    )
    expect(() => model(sections, { 'rain.dat': '\u0000\u0001 x\n1 2 3\n' })).toThrow(
      /ligne \d+ : .*aucune valeur.*illisible.*station année mois jour heure minute valeur/,
    )
    expect(() => model(sections, { 'rain.dat': 'STA9 2004 1 1 0 0 3' })).toThrow(
      'aucune valeur de la station « STA1 »',
    )
  })
  test('that is finer than the series is told, coarser takes the series’ step', () => {
    const warnings = (interval: string) =>
      read({ RAINGAGES: `R INTENSITY ${interval} 1 TIMESERIES T` }).warnings.join()
    expect(warnings('0:01')).toContain('il ne pleut pas entre les deux')
    expect(warnings('1:00')).toContain('dépasse le pas de sa série (300 s)')
    expect(warnings('0:05')).toBe('')
  })
})

test('subcatchments come out in SI', () => {
  const { subcatchments, wetStepS, dryStepS } = model()
  expect({ wetStepS, dryStepS }).toEqual({ wetStepS: 300, dryStepS: 3600 })
  expect(subcatchments[0]).toMatchObject({
    name: 'S1',
    gage: 0,
    outlet: { node: 0 },
    areaM2: 20_000,
    imperviousShare: 0.5,
    widthM: 100,
    slope: 0.01,
    perviousStoreM: 0.005,
    bareShare: 0.25,
    infiltration: { type: 'horton', decay: 4 / 3600, dryingS: 7 * 86_400 },
  })
})

test('without rain or when it is to be ignored there is no runoff', () => {
  expect(readInp(inp(), { runoff: true }).runoff).toBeNull()
  expect(read({ OPTIONS: 'FLOW_UNITS LPS\nEND_TIME 1:00\nIGNORE_RAINFALL YES' }).runoff).toBeNull()
})

test('a method behind the parameters holds for its subcatchment', () => {
  expect(
    model({ INFILTRATION: 'S1 90 5 0.25 MODIFIED_GREEN_AMPT' }).subcatchments[0].infiltration,
  ).toMatchObject({
    type: 'modified-green-ampt',
    suctionM: 0.09,
    deficit: 0.25,
  })
  const { subcatchments } = model({ INFILTRATION: 'S1 80 0.5 7 0 0 CURVE_NUMBER' })
  expect(subcatchments[0].infiltration).toEqual({ type: 'curve-number', curveNumber: 80, dryingS: 604_800 })
})

const LID = 'L IT\nL SURFACE 10 0 0.1 1 0\nL STORAGE 300 0.75 5 0\nL DRAIN 2 0.5 50 6'

test('measures have void shares, and drains a law in SI', () => {
  const { controls, subcatchments } = model({ LID_CONTROLS: LID, LID_USAGE: 'S1 L 2 100 5 20 40 0 * J2' })
  expect(controls[0]).toMatchObject({ type: 'trench', storage: { depthM: 0.3, voidShare: 0.75 / 1.75 } })
  // 2 mm/h at a head of 1 mm.
  expect(controls[0].drain.coefficient * 0.001 ** 0.5).toBeCloseTo(2e-3 / 3600, 15)
  expect(subcatchments[0].measures[0]).toMatchObject({
    count: 2,
    areaM2: 100,
    fromImpervious: 0.4,
    drainTo: { node: 1 },
  })
})

test.each<[Record<string, string>, string, string]>([
  [{ SUBCATCHMENTS: 'S1 X J1 2 50 100 1 0' }, 'gage', '« X »'],
  [{ SUBCATCHMENTS: 'S1 R X 2 50 100 1 0' }, 'outlet', '« X »'],
  [{ SUBCATCHMENTS: 'S1 R J1 -2 50 100 1 0' }, 'range', 'la surface'],
  [{ SUBAREAS: 'S9 0.01 0.1 1 5 25 OUTLET' }, 'subcatchment', '« S9 »'],
  [{ INFILTRATION: 'S1 5 50 4 7 0' }, 'infiltration', 'infiltration finale'],
  [{ INFILTRATION: 'S1 90 0 0.25 GREEN_AMPT' }, 'infiltration', 'conductivité'],
  [{ RAINGAGES: 'R INTENSITY 0 1 TIMESERIES T' }, 'time', '« 0 »'],
  [{ RAINGAGES: 'R INTENSITY 0:05 1 TIMESERIES X' }, 'series', '« X »'],
  [{ LID_CONTROLS: 'L BC\nL SURFACE 10 0 0 0 0', LID_USAGE: '' }, 'lid', 'SOIL'],
  [{ LID_CONTROLS: LID, LID_USAGE: 'S1 L 1 30000 5 0 0 0' }, 'lidArea', '150 %'],
  [{ LID_CONTROLS: LID, LID_USAGE: 'S1 L 1 10 5 0 60 0\nS1 L 1 10 5 0 60 0' }, 'lidCapture', '100 %'],
  [{ LID_CONTROLS: LID, LID_USAGE: 'S1 M 1 10 5 0 60 0' }, 'lid', '« M »'],
  [{ RDII: 'J1 H 2' }, 'hydrograph', '« H »'],
])('%j is refused with its line', (sections, code, word) => {
  let error: unknown
  try {
    read(sections)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(FormatError)
  expect(error).toMatchObject({ code: `inp.${code}` })
  expect(String(error)).toContain(word)
  expect(String(error)).toMatch(/essai\.inp, ligne \d+ : /)
})

test('water that goes in a circle, and patterns of another length, run with a warning', () => {
  const circle = read({
    SUBCATCHMENTS: 'S1 R S2 2 50 100 1 0\nS2 R S1 2 50 100 1 0',
    SUBAREAS: 'S1 0.01 0.1 1 5 25 OUTLET\nS2 0.01 0.1 1 5 25 OUTLET',
  })
  expect(circle.warnings.join()).toContain("2 bassin(s) versant(s) s'écoulent en rond : S1, S2")
  const nowhere = read({ SUBCATCHMENTS: 'S1 R * 2 50 100 1 0' })
  expect(nowhere.warnings.join()).toMatch(/ligne \d+ : « S1 » n'a pas d'exutoire : son eau quitte le calcul/)
  expect(nowhere.runoff?.subcatchments[0].outlet).toBeNull()
  const alone = read({ SUBCATCHMENTS: 'S1 R S1 2 50 100 1 0' })
  expect(alone.warnings.join()).toMatch(/ligne \d+ : 1 bassin.s. versant.s. s'écoulent vers eux-mêmes : S1/)
  const { runoff, warnings } = read({ PATTERNS: 'P MONTHLY 1 2 3', ADJUSTMENTS: 'DSTORE S1 P' })
  expect(runoff?.subcatchments[0].monthly.store).toEqual([1, 2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1])
  expect(warnings.join()).toContain('3 facteur(s) au lieu de 12')
})

test('unit hydrographs are read in both forms', () => {
  const { unitHydrographs, infiltrationInflows } = model({
    HYDROGRAPHS:
      'H R\nH ALL SHORT 0.1 1 2 0 0 0\nH JUL LONG 0.2 2 3 5 24 1\nG R\nG ALL 0.1 1 2 0.05 2 2 0.02 4 2',
    RDII: 'J1 H 10',
  })
  expect(unitHydrographs[0].months[0][0]).toMatchObject({ share: 0.1, peakS: 3600, baseS: 10_800 })
  expect(unitHydrographs[0].months[6][2]).toMatchObject({ share: 0.2, abstractionM: 0.005, initialM: 0.001 })
  expect(unitHydrographs[1].months[3].map(({ share }) => share)).toEqual([0.1, 0.05, 0.02])
  expect(infiltrationInflows).toEqual([{ node: 0, hydrographs: 0, areaM2: 100_000 }])
})

describe('evaporation', () => {
  const day = (sections: Record<string, string>, files: Record<string, string> = {}) =>
    read(
      { OPTIONS: 'FLOW_UNITS LPS\nSTART_DATE 7/1/2004\nEND_DATE 7/3/2004\nEND_TIME 12:00', ...sections },
      files,
    )
  const climate = ['S 2004 7 1 30 15 5 10', 'S 2004 7 2 * * * *', 'S 2004 7 3 28 16 7 10'].join('\n')
  test('of a climate file is that of each day, by the month’s pan coefficient', () => {
    const { runoff, warnings } = day(
      { EVAPORATION: 'FILE 1 1 1 1 1 1 0.7 1 1 1 1 1', TEMPERATURE: 'FILE "c.dat"' },
      { 'c.dat': climate },
    )
    expect(runoff?.evaporation).toEqual({
      type: 'series',
      timesS: [0, 86_400, 172_800],
      // A day without a value has that of the day before.
      rates: [5, 5, 7].map((mm) => expect.closeTo((mm * 0.7) / 1000 / 86_400, 15)),
    })
    expect(warnings.join()).toBe('')
  })
  test('by temperature is Hargreaves’ of the last days, at the latitude that the file has', () => {
    const { runoff } = day(
      { EVAPORATION: 'TEMPERATURE', TEMPERATURE: 'FILE "c.dat"\nSNOWMELT 0 0.5 0.6 0 48 0' },
      { 'c.dat': climate },
    )
    if (runoff?.evaporation.type !== 'series') throw new Error('no series')
    // FAO's table of extraterrestrial radiation has 41.1 MJ/m2/day at 48° N in July.
    const first = ((0.0023 * 41.1) / (2.5 - 0.002361 * 22.5)) * Math.sqrt(15) * (22.5 + 17.8)
    expect(runoff.evaporation.rates[0] * 86_400_000).toBeCloseTo(first, 0)
    expect(runoff.evaporation.rates[1]).toBeLessThan(runoff.evaporation.rates[0])
  })
  test('that has no file, or no day in it, is none and told', () => {
    const told = (files: Record<string, string>, temperature = 'FILE "c.dat"') => {
      const { runoff, warnings } = day({ EVAPORATION: 'FILE', TEMPERATURE: temperature }, files)
      expect(runoff?.evaporation).toEqual({ type: 'constant', rate: 0 })
      return warnings.join()
    }
    expect(told({})).toContain("« c.dat » n'a pas pu être lu")
    expect(told({ 'c.dat': 'S 1999 7 1 30 15 5 10' })).toContain('aucun jour de la période')
    expect(told({}, 'TIMESERIES T')).toContain('ne nomme aucun fichier de climat')
  })
})

test('an outfall may lead onto a subcatchment', () => {
  expect(model({ OUTFALLS: 'O1 8 FREE NO S1' }).returns).toEqual([{ node: 2, subcatchment: 0 }])
  expect(read({ OUTFALLS: 'O1 8 FREE NO S7' }).warnings.join()).toContain("« S7 », qui n'existe pas")
})
