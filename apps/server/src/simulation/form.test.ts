import { SIMULATION_FORM_KEYS } from '@radx/contracts'
import { designStorm } from '@radx/rainfall/storms/design-choice'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import { describe, expect, test } from 'vitest'
import { completeForm, parseForm } from './form.ts'
import { schemeAsked } from './run/scheme.ts'
import { rainKey, runSpecOf } from './run-spec.ts'

const CODE = {
  ...{ id: 'grass', code: 3, title: 'Herbe', color: '#0f0', kh: 0, capsh: 0, soilmd: 0 },
  ...{ nmanningov: 0.1, interceptionclass: 0, desc: '', descFull: '', isSelected: true },
}
const fields = (changes: Record<string, string>): Map<string, string> => {
  const blank: Record<string, string> = Object.fromEntries(SIMULATION_FORM_KEYS.map((key) => [key, '']))
  const flags: [string, string][] = ['barrier', 'bassin', 'greenRoof', 'soilModule', 'drainageModule'].map(
    (key) => [key, 'false'],
  )
  return new Map(
    Object.entries({
      ...blank,
      ...Object.fromEntries(flags),
      title: 'Pluie de dix ans',
      luseUpdates: '[]',
      luseConfigs: JSON.stringify([CODE]),
      rainfallSelection: 'virtual',
      ...changes,
    }),
  )
}
const parsed = (changes: Record<string, string>) => parseForm(completeForm(fields(changes)))

const laws = [{ periodYears: 10, a: 5.9, b: 0.59, fromMin: 6, toMin: 360 }]
const storm = designStorm(
  { name: 'Région I', laws },
  {
    kind: 'chicago',
    periodYears: 10,
    durationMin: 120,
    stepMin: 5,
    peak: 0.4,
    intenseMin: 30,
    intenseYears: 10,
    calmAfter: 60,
  },
)
const minutes = virtualRain(storm.shape, storm.param as never)
const chicago = {
  virtualRainShape: 'chicago',
  virtualParam: JSON.stringify(storm.param),
  virtualData: JSON.stringify(minutes),
  virtualSource: storm.sourceFr,
}

describe('virtual rain of the form', () => {
  test('a Chicago storm is kept with its law, its peak and where it comes from', () => {
    const input = parsed(chicago)
    expect(input).toMatchObject({
      virtualRainShape: 'chicago',
      virtualParam: { a: 5.9, b: 0.59, duration: 120, step: 5, peak: 0.4, calmAfter: 60 },
      virtualSource: 'Région I, 10\u00a0ans',
      simulationDuration: minutes.length / 60,
    })
    expect(runSpecOf(input).rain).toMatchObject({ kind: 'virtual', shape: 'chicago', ratesMmH: minutes })
  })

  test('its minutes have to be those of its law', () => {
    const other = JSON.stringify(minutes.map((rate) => rate * 1.01))
    expect(() => parsed({ ...chicago, virtualData: other })).toThrow('n’est pas celle de ses paramètres')
    expect(() => parsed({ ...chicago, virtualData: '[1]' })).toThrow('n’est pas celle de ses paramètres')
  })

  test('a hyetogram of one’s own is kept as minutes, and known by them', () => {
    const own = (data: number[]) =>
      parsed({
        virtualRainShape: 'series',
        virtualParam: JSON.stringify({ step: 6, iMax: 20, calmAfter: 10 }),
        virtualData: JSON.stringify(data),
        virtualSource: 'pluie.csv',
      })
    const key = (data: number[]) => rainKey(runSpecOf(own(data)).rain, null)
    expect(own([0, 5, 20])).toMatchObject({ virtualRainShape: 'series', virtualData: [0, 5, 20] })
    expect(key([0, 5, 20])).toBe(key([0, 5, 20]))
    expect(key([0, 5, 20])).not.toBe(key([0, 20, 5]))
  })

  test.each<[Record<string, string>, string]>([
    [{ virtualRainShape: 'triple' }, 'simple, double, chicago, uniform, series'],
    [{ ...chicago, virtualParam: '{"a":1}' }, '« virtualParam » est mal formé'],
    [{ ...chicago, virtualData: '[9999]' }, '« virtualData » est mal formé'],
    [{ ...chicago, virtualData: JSON.stringify(new Array(10_081).fill(1)) }, '« virtualData » est mal formé'],
  ])('%# is refused at its field', (changes, message) => {
    expect(() => parsed(changes)).toThrow(message)
  })
})

describe('an ensemble of the form', () => {
  const radar = {
    rainfallSelection: 'radar',
    rainfallStart: '2026-06-04T10:00:00Z',
    rainfallEnd: '2026-06-04T12:00:00Z',
  }
  const choice = { members: 20, alpha: 1.8, c1: 0.1, seed: 7 }
  const asked = (change: Record<string, unknown>, rain: Record<string, string> = radar) =>
    parsed({ ...rain, ensemble: JSON.stringify({ ...choice, ...change }) })

  test('is kept with its rain, and absent otherwise', () => {
    expect(asked({}).ensemble).toEqual(choice)
    expect(runSpecOf(asked({}, { rainfallSelection: 'ev7' })).ensemble).toEqual(choice)
    expect(parsed(radar).ensemble).toBeUndefined()
    expect(runSpecOf(parsed(radar)).ensemble).toBeNull()
  })

  test.each<[Record<string, unknown>, RegExp]>([
    [{ members: 1 }, /de 2 à 50/],
    [{ members: 2.5 }, /entier, de 2 à 50/],
    [{ alpha: 1.02 }, /0,05 au moins de 1/],
    [{ alpha: 2.1 }, /alpha est de 0,5 à 2/],
    [{ c1: 0 }, /C1 est de 0,001 à 0,5/],
    [{ c1: null }, /C1 est de/],
    [{ seed: -1 }, /graine est un nombre entier/],
  ])('what cannot be is refused by name (%o)', (change, message) => {
    expect(() => asked(change)).toThrow(message)
  })

  test('virtual rain and more than a day are refused', () => {
    expect(() => asked({}, chicago)).toThrow('seule une pluie de radar')
    expect(() => asked({}, { ...radar, rainfallEnd: '2026-06-05T11:00:00Z' })).toThrow('24 h au plus')
  })
})

describe('equations of the surface', () => {
  test('are left to the computation unless the form says which; runs of before had local inertia', () => {
    const asked = (equations?: string) =>
      schemeAsked(
        runSpecOf(parsed({ ...chicago, ...(equations !== undefined && { equations }) })).options.equations,
      )
    expect(asked()).toEqual({ scheme: 'auto' })
    expect(asked('inertial')).toEqual({ scheme: 'inertial' })
    expect(asked('full-1')).toEqual({ scheme: 'full', order: 1 })
    expect(asked('full-2')).toEqual({ scheme: 'full', order: 2 })
    expect(() => asked('full-3')).toThrow('Les équations de la surface sont auto, inertial, full-1, full-2.')
    const { equations: _none, ...before } = parsed(chicago)
    expect(schemeAsked(runSpecOf(before).options.equations)).toEqual({ scheme: 'inertial' })
  })
})
