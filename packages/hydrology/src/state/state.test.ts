import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Simulation } from '../simulation.ts'
import { cloudburst, createEngine, type EngineChoice, townMeasures } from '../testing/engines.ts'
import { fullScheme, reference, sewerWasm, simd, threaded } from '../testing/kernels.ts'
import { restoreState, type SavedState, saveState } from './state.ts'

const MINUTES = 16
const wasm = { wasm: sewerWasm() }
const plain = { soil: true, started: false, rain: cloudburst(false) }

const ENGINES: [string, EngineChoice][] = [
  ['local inertia, compiled, with a sewer', { ...plain, kernel: simd(), sewer: wasm }],
  ['local inertia, reference, with a sewer in TypeScript', { ...plain, kernel: reference, sewer: {} }],
  [
    'local inertia, by cell, without sewer',
    { ...plain, kernel: simd(), sewer: 'none', rain: cloudburst(true) },
  ],
  [
    'local inertia, no soil, water at the start and boundaries',
    { ...plain, kernel: simd(), sewer: wasm, soil: false, started: true },
  ],
  ['full equations, order 1, compiled, with a sewer', { ...plain, kernel: fullScheme(1), sewer: wasm }],
  [
    'full equations, order 2, compiled, boundaries',
    { ...plain, kernel: fullScheme(2), sewer: 'none', started: true },
  ],
  [
    'local inertia, compiled, measures that drain into the sewer',
    { ...plain, kernel: simd(), sewer: wasm, measures: townMeasures() },
  ],
  [
    'full equations, order 1, measures without a sewer, rain by cell',
    {
      ...{ ...plain, kernel: fullScheme(1), sewer: 'none', rain: cloudburst(true) },
      measures: townMeasures(),
    },
  ],
  [
    'full equations, order 2, reference',
    { ...plain, kernel: fullScheme(2, 'reference'), sewer: {}, rain: cloudburst(true) },
  ],
]

const take = (engine: Simulation) => saveState((state) => engine.visit(state))
const put = (engine: Simulation, saved: SavedState) => restoreState((state) => engine.visit(state), saved)

/** Every bit of a state by name: signs of zeros and NaN count. */
function bits({ numbers, sections }: SavedState): Record<string, string> {
  const text = (values: ArrayBufferView) =>
    Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64')
  return Object.fromEntries([
    ...Array.from(numbers, ([name, value]) => [name, text(Float64Array.of(value))]),
    ...sections.map(({ name, values }) => [name, text(values)]),
  ])
}

/** Advances by minutes to `toMin`, and answers the state at each. */
function follow(engine: Simulation, fromMin: number, toMin: number): SavedState[] {
  const states = []
  for (let minute = fromMin + 1; minute <= toMin; minute++) {
    engine.advance(60 * minute)
    engine.takeMeans()
    states.push(take(engine))
  }
  return states
}

const make = (choice: EngineChoice) => createEngine(choice)

const slow = ({ kernel }: EngineChoice) => kernel.kernel === 'reference' || kernel.order === 2

describe.each(ENGINES)('a state of an engine: %s', (_, choice) => {
  const whole = make(choice)
  const states = [take(whole), ...follow(whole, 0, MINUTES)]
  whole.surface.dispose()

  test('cut at any minute, into one that was never used: every bit is as if it had never been cut', () => {
    // The references take their time.
    const cuts = Array.from(states.keys()).filter((minute) => !slow(choice) || minute % 6 === 0)
    for (const minute of cuts) {
      const engine = make(choice)
      put(engine, states[minute])
      expect(bits(take(engine))).toEqual(bits(states[minute]))
      for (const [k, state] of follow(engine, minute, MINUTES).entries())
        expect(bits(state)).toEqual(bits(states[minute + 1 + k]))
      engine.surface.dispose()
    }
  })

  test('into one that has seen another storm, again and again: nothing of that is left', () => {
    let rain = cloudburst(false, 900)
    const engine = make({ ...choice, rain: { ...rain, rateMS: (piece) => rain.rateMS(piece) } })
    engine.advance(60 * 15)
    rain = choice.rain
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: MINUTES }), { minLength: 1, maxLength: 3 }), (cuts) => {
        for (const minute of cuts) {
          put(engine, states[minute])
          const to = Math.min(MINUTES, minute + 2)
          for (const [k, state] of follow(engine, minute, to).entries())
            expect(bits(state)).toEqual(bits(states[minute + 1 + k]))
        }
      }),
      { numRuns: 4, examples: [[[0, 12, 9]]] },
    )
    engine.surface.dispose()
  })
})

test('a state saved on two threads goes on on one, and the other way round', () => {
  const choice: EngineChoice = { ...plain, kernel: simd(), sewer: wasm, measures: townMeasures() }
  const engines = [threaded(2), simd()].map((kernel) => make({ ...choice, kernel }))
  const states = engines.map((engine) => follow(engine, 0, 8)[7])
  expect(bits(states[0])).toEqual(bits(states[1]))
  for (const [k, engine] of engines.entries()) {
    put(engine, states[1 - k])
    engine.advance(60 * MINUTES)
  }
  expect(bits(take(engines[0]))).toEqual(bits(take(engines[1])))
  for (const engine of engines) engine.surface.dispose()
})

test('the state of another engine is refused, and nothing of it is taken', () => {
  const one = make(ENGINES[0][1])
  const before = bits(take(one))
  for (const [, choice] of ENGINES.slice(2)) {
    const other = make(choice)
    other.advance(300)
    expect(() => put(one, take(other))).toThrow(expect.objectContaining({ code: 'state.layout' }))
    expect(bits(take(one))).toEqual(before)
    other.surface.dispose()
  }
  one.surface.dispose()
})

test('the storm of these tests does what a state must hold: steps in parts, full pipes, water that comes back, rules', () => {
  const engine = make(ENGINES[0][1])
  engine.advance(60 * 12)
  const { sewer, coupling, surface } = engine
  expect(surface.stableStepS()).toBeGreaterThan(2 * surface.waveStepS())
  expect(coupling!.takenM3).toBeGreaterThan(1)
  expect(coupling!.givenBackM3).toBeGreaterThan(1)
  expect(sewer!.depths[0]).toBeGreaterThan(0.3)
  const { numbers, sections } = take(engine)
  expect(numbers.get('sewer.controls.nextS')).toBeGreaterThan(0)
  const holds = (name: string) =>
    sections.find((section) => section.name === name)!.values.filter((x) => x !== 0)
  for (const name of ['wantHalves', 'wantQuarters', 'rowSpeed', 'rowSpread', 'qx', 'infiltrated', 'maxSpeed'])
    expect(holds(`surface.kernel.${name}`).length, name).toBeGreaterThan(5)
  for (const name of [
    'reaches.holdsFrom',
    'reaches.holdsTo',
    'reaches.areaMid',
    'controls.errors0',
    'devices.flow',
  ])
    expect(holds(`sewer.${name}`).length, name).toBeGreaterThan(0)
  engine.surface.dispose()
})
