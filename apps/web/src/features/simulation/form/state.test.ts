import { type LuseConfig, SIMULATION_FORM_KEYS, type SimulationInput } from '@radx/contracts/simulation'
import { designStorm } from '@radx/rainfall/storms/design-choice'
import { describe, expect, test } from 'vitest'
import { gapsOf } from './rain/gaps.ts'
import { triangleIssues } from './rain/limits.ts'
import { readOwn } from './rain/own.ts'
import {
  applyDesign,
  applyGauge,
  applyOwn,
  applyPictures,
  applyVirtualRain,
  chooseFurther,
  chooseMode,
  chooseRain,
  ensembleIssues,
  enterForm,
  estimatedHours,
  FIRST_ENSEMBLE,
  type FormState,
  formFields,
  fromSimulation,
  INITIAL_FORM,
  isRainValid,
  isStepValid,
  parseParameter,
  setRadarPeriod,
  stepsOf,
  UNMOVED,
} from './state.ts'

const complete: FormState = {
  ...INITIAL_FORM,
  title: 'Essai',
  catchmentId: 'melun',
  luseIdArr: ['f1'],
  luseIdSource: 'f1',
  luseConfigs: [{ id: 'grass', code: 3 } as LuseConfig],
}

describe('the form', () => {
  test('[SIMFORM-25] its state has every field of the specification', () => {
    expect(Object.keys(INITIAL_FORM)).toEqual(
      expect.arrayContaining(
        'title caseStudyId catchmentId luseConfigs marketItems luseIdArr luseUpdates luseIdSource rainfallSelection rainfallStart rainfallEnd simulationDuration virtualRainShape virtualParam virtualData jobId soilModule drainageModule barrier barrierHeight bassin bassinDepth greenRoof'.split(
          ' ',
        ),
      ),
    )
  })

  test('[SIMFORM-07] [SIMFORM-08] [SIMFORM-27] entry resets and sets the case study, whose introduction comes first', () => {
    expect(enterForm('eogn')).toEqual({ ...INITIAL_FORM, caseStudyId: 'eogn' })
    expect(stepsOf(enterForm('eogn'))).toEqual(['intro', 'modules', 'landUse', 'rain'])
    expect(stepsOf(enterForm(''))).toEqual(['modules', 'landUse', 'rain'])
    expect(isStepValid(enterForm('eogn'), 'intro')).toBe(true)
  })

  test('[SIMFORM-28] [SIMFORM-30] the modules step wants a title', () => {
    expect(isStepValid({ ...complete, title: '  ' }, 'modules')).toBe(false)
    expect(isStepValid(complete, 'modules')).toBe(true)
  })

  test('[SIMFORM-29] the land-use step wants a file and, in edit mode, a saved matrix', () => {
    expect(isStepValid({ ...complete, luseIdArr: [] }, 'landUse')).toBe(false)
    expect(isStepValid(complete, 'landUse')).toBe(true)
    for (const stage of ['codes', 'grid'] as const)
      expect(isStepValid({ ...complete, stage }, 'landUse')).toBe(false)
    expect(isStepValid({ ...complete, stage: 'saved' }, 'landUse')).toBe(true)
  })

  test('[SIMFORM-33] every key is sent, and a missing one is named', () => {
    const fields = formFields(chooseRain(complete, 'ev7'))
    expect(fields.map(([key]) => key)).toEqual([...SIMULATION_FORM_KEYS])
    expect(Object.fromEntries(fields)).toMatchObject({
      luseId: 'f1',
      soilModule: 'true',
      barrier: 'false',
      barrierHeight: '0',
      luseUpdates: '[]',
      virtualParam: '{}',
    })
    expect(() => formFields({ ...chooseRain(complete, 'ev7'), luseIdArr: [] })).toThrow(
      'Key: luseId is not included in reducer',
    )
    expect(() => formFields(complete)).toThrow('Key: rainfallSelection is not included in reducer')
  })
})

describe('rain of the form', () => {
  test('[RAINSRC-14] [RAINSRC-15] [RAINSRC-19] ev7 fills everything and makes the form valid', () => {
    const state = chooseRain(complete, 'ev7')
    expect(state).toMatchObject({
      product: 'dpsri',
      rainfallStart: '2018-01-15T23:00:00Z',
      rainfallEnd: '2018-01-16T05:50:00Z',
      simulationDuration: 6.9,
    })
    expect(isStepValid(state, 'rain')).toBe(true)
  })

  test('[RAINSRC-16] [RAINSRC-20] [RAINSRC-30] radar waits for its end hour; period and duration come from the selection', () => {
    const chosen = chooseRain(chooseRain(complete, 'ev7'), 'radar')
    expect(isStepValid(chosen, 'rain')).toBe(false)
    const set = setRadarPeriod(chosen, 'sri', { s: '2026-05-01T10:00:00Z', e: '2026-05-01T12:30:00Z' })
    expect(isStepValid(set, 'rain')).toBe(true)
    const fields = Object.fromEntries(formFields(set))
    expect(fields).toMatchObject({
      rainfallStart: '2026-05-01T10:00:00Z',
      rainfallEnd: '2026-05-01T12:30:00Z',
      simulationDuration: '2.5',
      product: 'sri',
    })
    expect(isStepValid(setRadarPeriod(set, 'sri', null), 'rain')).toBe(false)
  })

  test('[RAINSRC-17] [RAINSRC-18] [RAINSRC-21] virtual rain counts from its parameters once they are used', () => {
    const chosen = chooseRain(complete, 'virtual')
    expect(isStepValid(chosen, 'rain')).toBe(false)
    const used = applyVirtualRain(chosen)
    expect(used.virtualData).toHaveLength(15 + 10 + 20)
    expect(used.virtualData.slice(0, 15).every((rate) => rate === 0)).toBe(true)
    expect(used).toMatchObject({
      rainfallStart: '2019-12-31T23:00:00Z',
      rainfallEnd: '2019-12-31T23:45:00Z',
      simulationDuration: 0.75,
    })
    expect(isStepValid(used, 'rain')).toBe(true)
  })

  test('[RAINSRC-22] [RAINSRC-23] what is no number is 0, and 0 gives no curve', () => {
    expect(['12', '1,5', '-2', '', 'dix', '1e999', '3 min'].map(parseParameter)).toEqual([
      12, 1.5, -2, 0, 0, 0, 0,
    ])
    const chosen = chooseRain(complete, 'virtual')
    for (const value of [0, Number.NaN, Number.POSITIVE_INFINITY])
      expect(
        applyVirtualRain({
          ...chosen,
          virtualParam: {
            ...chosen.virtualParam,
            simple: { ...chosen.virtualParam.simple, calmAfter: value },
          },
        }),
      ).toMatchObject({ virtualData: [] })
  })

  test('[RAINSRC-29] 7 h are estimated at 0.32 h', () => {
    expect(estimatedHours(7)).toBeCloseTo(0.32, 12)
    expect(estimatedHours(3.5)).toBeCloseTo(0.16, 12)
  })

  test('a new form may start from a run', () => {
    const input = {
      title: 'Double',
      catchmentId: 'melun',
      catchmentDisplay: 'Melun',
      soilModule: 'false',
      drainageModule: 'true',
      rainfallSelection: 'virtual',
      virtualRainShape: 'double',
      virtualParam: { t1: 20, t2: 30, t3: 90, iMax: 40, i2: 5, calmAfter: 10 },
    } as SimulationInput
    const state = fromSimulation(enterForm(''), input)
    expect(state).toMatchObject({ title: 'Double', soilModule: false, virtualRainShape: 'double' })
    expect(state.virtualParam.double.iMax).toBe(40)
    expect(state.virtualData).toHaveLength(15 + 90 + 10)
  })

  test('a storm by return period is stored as a virtual rain and starts a new form again', () => {
    const laws = [{ periodYears: 10, a: 5.9, b: 0.59, fromMin: 6, toMin: 360 }]
    const chosen = chooseMode(chooseRain(complete, 'virtual'), 'design')
    for (const kind of ['chicago', 'desbordes', 'uniform'] as const) {
      const storm = designStorm(
        { name: 'Région I', laws },
        { ...chosen.design, kind, durationMin: 240, peak: 0.5 },
      )
      const used = applyDesign(chosen, storm)
      const fields = Object.fromEntries(formFields(used))
      expect(fields).toMatchObject({ virtualRainShape: storm.shape, virtualSource: 'Région I, 10\u00a0ans' })
      expect(JSON.parse(fields.virtualParam)).toEqual(storm.param)
      const input = {
        ...fields,
        virtualParam: storm.param,
        virtualData: used.virtualData,
        virtualRainShape: storm.shape,
      } as unknown as SimulationInput
      const again = fromSimulation(enterForm(''), input)
      expect(again.virtualData).toEqual(used.virtualData)
      expect(again.virtualMode).toBe('design')
      expect(chooseMode(again, 'typed')).toMatchObject({ virtualData: [], virtualSource: '' })
    }
  })

  test('a hyetogram of one’s own is read, turned into minutes and kept by its file’s name', () => {
    const own = { text: 'minute;mm\n0;1\n6;2,5\n12;0\n', file: 'pluie.csv', unit: null, calmAfter: 10 }
    const rain = readOwn(own)
    expect(rain).toMatchObject({ lines: 3, series: { step: 6, iMax: 25, calmAfter: 10 } })
    const used = applyOwn(chooseMode(chooseRain(complete, 'virtual'), 'own'), rain)
    expect(used.virtualData).toHaveLength(15 + 18 + 10)
    expect(used.virtualData.reduce((sum, rate) => sum + rate / 60, 0)).toBeCloseTo(3.5, 10)
    expect(Object.fromEntries(formFields(used))).toMatchObject({
      virtualRainShape: 'series',
      virtualSource: 'pluie.csv',
    })
  })

  test.each([
    ['0;1\n5;2\n', 'L’unité n’est dite nulle part'],
    ['minute;mm/h\n0;1\n5;-2\n', 'ligne 3 : -2 est impossible'],
    ['minute;mm/h\n0;1\n10;2\n5;2\n', 'ligne 4 : le temps recule'],
    ['minute,mm/h\n0,1,5\n5,2,5\n', 'points-virgules'],
    ['minute;mm/h\n0;0\n5;0\n', 'aucune pluie'],
    [
      `minute;mm/h\n${Array.from({ length: 10_000 }, (_, k) => `${6 * k};1`).join('\n')}`,
      'au plus. Raccourcissez',
    ],
  ])('a hyetogram that cannot be is refused with its line (%#)', (text, message) => {
    expect(() => readOwn({ text, file: '', unit: null, calmAfter: 60 })).toThrow(message)
  })
})

test('triangles that cannot be are told by the field and never drawn', () => {
  const simple = { d: 10, t: 3, iMax: 10, calmAfter: 20 }
  expect(triangleIssues('simple', simple)).toEqual({})
  expect(triangleIssues('simple', { ...simple, t: 11 })).toEqual({
    t: 'la pointe vient avant la fin : t au plus égal à d',
  })
  expect(triangleIssues('simple', { ...simple, d: 3_000_000 })).toEqual({
    d: 'au plus 10\u202f080 min, sept jours',
  })
  expect(triangleIssues('simple', { ...simple, iMax: 3001 }).iMax).toBe('au plus 3\u202f000 mm/h')
  expect(triangleIssues('simple', { ...simple, d: 10_000, calmAfter: 100 }).calmAfter).toContain('ensemble')
  const double = { t1: 30, t2: 100, t3: 240, iMax: 10, i2: 2, calmAfter: 20 }
  expect(triangleIssues('double', double)).toEqual({})
  expect(triangleIssues('double', { ...double, t2: -1 })).toEqual({ t2: 'au moins 0' })
})

test('pasted numbers keep their spaces, signs and decimals', () => {
  expect(['1 234,5', '1\u202f234,5', '−3', '0.123456789', 'x'].map(parseParameter)).toEqual([
    1234.5, 1234.5, -3, 0.123456789, 0,
  ])
})

describe('an ensemble of the form', () => {
  const radar = setRadarPeriod(chooseRain(complete, 'radar'), 'dpsri', {
    s: '2026-06-04T10:00:00Z',
    e: '2026-06-04T12:00:00Z',
  })

  test('goes with measured rain, comes back with a run, and holds what cannot be', () => {
    const asked = { ...radar, ensemble: FIRST_ENSEMBLE }
    expect(JSON.parse(Object.fromEntries(formFields(asked)).ensemble)).toEqual(FIRST_ENSEMBLE)
    expect(Object.fromEntries(formFields(radar)).ensemble).toBeUndefined()
    expect(isRainValid(asked)).toBe(true)
    const wrong = { members: 51, alpha: 1.01, c1: 0, seed: 1.5 }
    expect(ensembleIssues(wrong)).toEqual(['members', 'alpha', 'c1', 'seed'])
    expect(isRainValid({ ...radar, ensemble: wrong })).toBe(false)
    expect(isRainValid({ ...asked, simulationDuration: 25 })).toBe(false)
    const input = { rainfallSelection: 'ev7', ensemble: FIRST_ENSEMBLE } as unknown as SimulationInput
    expect(fromSimulation(enterForm(''), input).ensemble).toEqual(FIRST_ENSEMBLE)
  })
})

describe('rain measured elsewhere', () => {
  const gauge = {
    id: 'toit',
    name: 'Toit',
    start: '2026-06-01T10:00:00Z',
    end: '2026-06-01T10:30:00Z',
    gapsDry: true,
    calmAfter: 60,
  }
  const minutes = [...Array(15).fill(0), ...Array(30).fill(12), ...Array(60).fill(0)]
  const pictures = {
    id: '00000000-0000-4000-8000-000000000001',
    name: 'orage',
    start: '2026-06-01T09:57:30Z',
    end: '2026-06-01T10:12:30Z',
  }
  const inputOf = (state: FormState, more: Partial<SimulationInput>) =>
    ({ ...Object.fromEntries(formFields(state)), ...more }) as unknown as SimulationInput

  test('what a gauge measured is sent by its name, is held until used, and starts a new form again', () => {
    const waiting = chooseFurther(complete, 'gauge')
    expect(isRainValid(waiting)).toBe(false)
    const used = applyGauge(waiting, gauge, minutes)
    expect(isRainValid(used)).toBe(true)
    const fields = Object.fromEntries(formFields(used))
    expect(fields.rainfallSelection).toBe('virtual')
    expect(JSON.parse(fields.gaugeRain)).toEqual(gauge)
    expect(formFields(chooseRain(used, 'virtual')).some(([name]) => name === 'gaugeRain')).toBe(false)
    const again = fromSimulation(enterForm(''), inputOf(used, { gaugeRain: gauge, virtualData: minutes }))
    expect(again).toMatchObject({ further: 'gauge', gaugeRain: gauge, virtualData: minutes })
    expect(again.gaugeChoice).toMatchObject({ id: 'toit', start: gauge.start, gapsDry: true })
  })

  test('pictures of one’s own go alone: without product, move and ensemble of a radar period before', () => {
    const radar = setRadarPeriod(chooseRain(complete, 'radar'), 'dpsri', { s: gauge.start, e: gauge.end })
    const moved = { ...radar, transposition: UNMOVED, ensemble: { ...FIRST_ENSEMBLE, members: 51 } }
    const waiting = chooseFurther(moved, 'pictures')
    expect(isRainValid(waiting)).toBe(false)
    const used = applyPictures(waiting, pictures)
    expect([isRainValid(used), used.simulationDuration]).toEqual([true, 0.25])
    const fields = Object.fromEntries(formFields(used))
    expect(fields).toMatchObject({ rainfallSelection: 'radar', ownRain: pictures.id })
    expect(['product', 'transposition', 'ensemble'].filter((name) => name in fields)).toEqual([])
    const ref = { id: pictures.id, name: pictures.name }
    const again = fromSimulation(
      enterForm(''),
      inputOf(used, { ownRain: ref, rainfallStart: pictures.start, rainfallEnd: pictures.end }),
    )
    expect(again).toMatchObject({ further: 'pictures', ownRain: ref, rainfallStart: pictures.start })
    expect(chooseRain(again, 'radar')).toMatchObject({ further: null, ownRain: null, rainfallStart: '' })
  })

  test('minutes without readings are told as spans', () => {
    expect(gapsOf([null, null, 1, 0, null, 2])).toEqual([
      { start: 0, end: 2 },
      { start: 4, end: 5 },
    ])
    expect(gapsOf([0, 1])).toEqual([])
  })
})

test('a set of fitted parameters is sent once it is chosen, and never taken over from a run', () => {
  const ready = chooseRain(complete, 'ev7')
  const sent = (state: FormState) => Object.fromEntries(formFields(state)).parameterSet
  expect(sent(ready)).toBeUndefined()
  expect(sent({ ...ready, parameterSet: 'jeu' })).toBe('jeu')
  const input = {
    title: 'Avant',
    catchmentId: 'melun',
    catchmentDisplay: 'Melun',
    rainfallSelection: 'ev7',
    parameterSet: { id: 'jeu', name: 'Jeu', values: [] },
  } as unknown as SimulationInput
  expect(sent({ ...fromSimulation(complete, input), luseIdArr: ['f1'] })).toBeUndefined()
})
