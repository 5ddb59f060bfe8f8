import { DEFAULT_SIMPLE_TRIANGLE, type SimulationInput } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { completeForm, parseForm } from './form.ts'
import { rainKey, rainSelection, runSpecOf } from './run-spec.ts'
import { runFields, virtualRainFields } from './testing/run-form.ts'

const CODES = [
  {
    id: 'grass',
    code: 3,
    title: 'Herbe',
    color: '#00ff00',
    kh: 1e-6,
    capsh: 0.1,
    soilmd: 0.3,
    nmanningov: 0.1,
    interceptionclass: 1,
    desc: '',
    descFull: '',
    isSelected: true,
  },
]

/** What a browser's form becomes on the wire. */
const submitted = (changes: Record<string, string> = {}): SimulationInput => {
  const fields = runFields({ catchmentId: 'melun', luseId: 'own', codes: CODES }, changes)
  return parseForm(completeForm(new Map(Object.entries(fields))))
}

describe('what a run computes', () => {
  test('flags become booleans, heights belong to what is built', () => {
    const spec = runSpecOf(
      submitted({
        soilModule: 'false',
        barrier: 'true',
        barrierHeight: '1.2',
        bassinDepth: '3',
        caseStudyId: 'eogn',
      }),
    )
    expect(spec).toMatchObject({
      title: 'Essai',
      catchment: { id: 'melun', name: 'Melun', caseStudy: 'eogn' },
      landUse: { fileId: 'own', sourceId: 'own', description: '' },
      measures: { barrierM: 1.2, basinM: null, greenRoofs: false },
      options: { soil: false, drainage: true },
    })
    expect(runSpecOf(submitted()).catchment.caseStudy).toBeNull()
  })

  test('each rain has its tag and begins when the form says', () => {
    const event = runSpecOf(submitted())
    expect(event.rain).toEqual({ kind: 'event', event: 'ev7' })
    expect(event.startMs).toBe(Date.parse('2018-01-15T23:00:00Z'))
    const period = { rainfallStart: '2024-05-01T10:00:00Z', rainfallEnd: '2024-05-01T12:00:00Z' }
    const radar = runSpecOf({ ...submitted({ rainfallSelection: 'radar', ...period }), product: 'dpsri' })
    expect(radar.rain).toEqual({
      kind: 'radar',
      product: 'dpsri',
      start: '2024-05-01T10:00:00.000Z',
      end: '2024-05-01T12:00:00.000Z',
    })
    const virtual = runSpecOf(submitted(virtualRainFields(DEFAULT_SIMPLE_TRIANGLE)))
    expect(virtual.rain).toMatchObject({ kind: 'virtual', shape: 'simple', params: DEFAULT_SIMPLE_TRIANGLE })
    expect(virtual.rain.kind === 'virtual' && virtual.rain.ratesMmH).toHaveLength(45)
    expect([event, radar, virtual].map(({ rain }) => rainSelection(rain))).toEqual([
      'ev7',
      'radar',
      'virtual',
    ])
  })

  test('runs are comparable when the same rain fell, in whatever order its parameters are kept', () => {
    const key = (input: SimulationInput) => rainKey(runSpecOf(input).rain, null)
    const input = submitted(virtualRainFields(DEFAULT_SIMPLE_TRIANGLE))
    const turned = Object.fromEntries(Object.entries(DEFAULT_SIMPLE_TRIANGLE).reverse())
    expect(key({ ...input, virtualParam: turned as never })).toBe(key(input))
    expect(key({ ...input, virtualParam: { ...DEFAULT_SIMPLE_TRIANGLE, iMax: 11 } })).not.toBe(key(input))
    expect(key(submitted())).not.toBe(key(input))
  })

  test('measured rain is the same rain only of one product, taken between frames in one way', () => {
    const period = { rainfallSelection: 'radar', product: 'dpsri' } as const
    const of = (changes: object, method: 'raw' | 'moved' | null) =>
      rainKey(runSpecOf({ ...submitted(), ...period, ...changes } as SimulationInput).rain, method)
    expect(of({}, 'moved')).toBe(of({}, 'moved'))
    expect(of({}, 'moved')).not.toBe(of({}, 'raw'))
    expect(of({ product: 'sri' }, 'moved')).not.toBe(of({}, 'moved'))
    // Runs that say nothing took frames as they are.
    expect(of({}, null)).toBe(of({}, 'raw'))
    const event = (method: 'raw' | 'moved') => rainKey({ kind: 'event', event: 'ev7' }, method)
    expect(event('raw')).not.toBe(event('moved'))
  })
})
