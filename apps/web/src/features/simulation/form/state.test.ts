import { type LuseConfig, SIMULATION_FORM_KEYS, type SimulationInput } from '@radx/contracts/simulation'
import { describe, expect, test } from 'vitest'
import {
  applyVirtualRain,
  chooseRain,
  enterForm,
  estimatedHours,
  type FormState,
  formFields,
  fromSimulation,
  INITIAL_FORM,
  isStepValid,
  parseParameter,
  setRadarPeriod,
  stepsOf,
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
})
