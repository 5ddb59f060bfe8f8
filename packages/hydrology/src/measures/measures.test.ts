import { measureSchema, type StoringMeasure } from '@radx/contracts/measures'
import {
  figuresOf,
  MEASURE_KINDS,
  MEASURE_LIMITS,
  type MeasureFigure,
} from '@radx/contracts/measures-constants'
import type { RunoffModel } from '@radx/contracts/runoff'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { uniformRain } from '../rain/rain.ts'
import { createRunoff } from '../runoff/runoff.ts'
import { Simulation } from '../simulation.ts'
import { saveState } from '../state/state.ts'
import { createSurface } from '../surface/surface.ts'
import { cloudburst, createEngine, siteOf, townMeasures } from '../testing/engines.ts'
import { even } from '../testing/flat.ts'
import { fullScheme, sewerWasm, simd } from '../testing/kernels.ts'
import { SurfaceMeasures } from './measures.ts'

const MM_H = 1e-3 / 3600
const real = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** Measures of any kind with some figures of their own; only those that hold together. */
const measure: fc.Arbitrary<StoringMeasure> = fc
  .constantFrom(...MEASURE_KINDS)
  .chain((kind) => {
    const names = Object.keys(figuresOf({ kind })) as MeasureFigure[]
    const figure = (name: MeasureFigure) => {
      const { min, max } = MEASURE_LIMITS[name]
      // Mostly near what is built, sometimes at a limit.
      const usual = Math.min(max, 2000)
      return fc.option(fc.oneof(real(min, usual), fc.constantFrom(min, max)), { nil: undefined, freq: 1 })
    }
    const figures = Object.fromEntries(names.map((name) => [name, figure(name)]))
    return fc.record(figures).map((given) => ({ kind, ...definedOf(given) }) as StoringMeasure)
  })
  .filter((each) => measureSchema.safeParse(each).success)

const definedOf = (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

const rates = fc.array(fc.oneof(fc.constant(0), real(0, 300)), { minLength: 3, maxLength: 8 })

/** A closed slope of 5 x 6 cells to the south. */
const slope = () => {
  const elevationM = Float64Array.from({ length: 30 }, (_, cell) => 10 - 0.1 * Math.floor(cell / 6))
  return { nrows: 5, ncols: 6, cellSizeM: 10, elevationM }
}

test('whatever is built and falls: all water is somewhere, and none is less than none', () => {
  const sites = fc.tuple(fc.array(measure, { minLength: 1, maxLength: 3 }), fc.boolean())
  fc.assert(
    fc.property(sites, rates, ([kinds, soil], mmH) => {
      const grid = slope()
      const surface = createSurface(grid, even(grid), simd())
      const placed = kinds.map((each, k) => siteOf(each, [8 + 6 * k, 9 + 6 * k], -1, soil))
      const measures = new SurfaceMeasures(surface, placed)
      const simulation = new Simulation({ surface, rain: uniformRain(mmH, 600), measures })
      simulation.advance(600 * mmH.length + 1200)
      const balance = simulation.balance()
      const initialM3 = measures.volumes().reduce((sum, volumes) => sum + volumes.initialM3, 0)
      expect(Math.abs(balance.errorM3)).toBeLessThan(1e-10 * (balance.rainM3 + initialM3) + 1e-10)
      for (const { errorM3, ...volumes } of measures.volumes()) {
        for (const value of Object.values(volumes)) expect(value).toBeGreaterThanOrEqual(-1e-12)
        expect(Math.abs(errorM3)).toBeLessThan(
          1e-10 * (volumes.rainM3 + volumes.inflowM3 + volumes.initialM3) + 1e-10,
        )
      }
      expect(surface.snapshot('depth').every((depth) => depth >= 0)).toBe(true)
      surface.dispose()
    }),
    { numRuns: 120 },
  )
})

/** One measure that has a whole subcatchment, as `radx sewer` computes it. */
function alone(each: StoringMeasure, areaM2: number, mmH: number[]): RunoffModel {
  const { design, ground, initialShare } = siteOf(each, [0])
  const widthM = design.type === 'swale' ? areaM2 / 10 : 10
  return {
    ...{ startEpochS: 0, durationS: 600 * mmH.length, wetStepS: 60, dryStepS: 60, dryDays: 0 },
    gages: [
      {
        ...{ name: 'R', intervalS: 600, startsS: mmH.map((_, k) => 600 * k) },
        rates: mmH.map((rate) => rate * MM_H),
      },
    ],
    evaporation: { type: 'constant', rate: 1e-8 },
    ...{ evaporatesWhenDryOnly: false, recovery: null },
    adjustments: { evaporation: null, rain: null, conductivity: null },
    subcatchments: [
      {
        ...{ name: 'S', gage: 0, outlet: { node: 0 }, areaM2, imperviousShare: 0, widthM: 10, slope: 0.01 },
        ...{ imperviousN: 0.01, perviousN: 0.1, imperviousStoreM: 0, perviousStoreM: 0, bareShare: 0 },
        ...{ routeTo: 'outlet', routedShare: 0 },
        infiltration: {
          type: 'modified-green-ampt',
          ...(ground ?? { suctionM: 0, conductivity: 0, deficit: 0 }),
        },
        measures: [
          {
            ...{ control: 0, count: 1, areaM2, widthM, initialShare, fromImpervious: 0, fromPervious: 0 },
            ...{ toPervious: false, drainTo: null },
          },
        ],
        monthly: { roughness: null, store: null, conductivity: null },
      },
    ],
    controls: [
      {
        ...design,
        storage: design.type === 'green-roof' ? { ...design.storage, depthM: 0 } : design.storage,
      },
    ],
    ...{ unitHydrographs: [], infiltrationInflows: [], returns: [] },
  }
}

describe.each(MEASURE_KINDS.map((kind) => [kind]))('a %s on one cell', (kind) => {
  const share = figuresOf({ kind, share: 1 }).share!
  const each: StoringMeasure = { kind, share, evaporationMmDay: 0.864 }
  const storm = [0, 12, 80, 150, 30, 0, 0, 5, 0]

  test('does what the unit of the sewer’s runoff does under the same rain', () => {
    const areaM2 = 100
    const grid = { nrows: 1, ncols: 3, cellSizeM: 10, elevationM: Float64Array.of(10, Number.NaN, 5) }
    const surface = createSurface(grid, even(grid), simd())
    const measures = new SurfaceMeasures(surface, [siteOf(each, [0], 0)])
    const runoff = createRunoff(alone(each, areaM2, storm), 1)
    let leftM3 = 0
    let drainedM3 = 0
    for (let t = 0; t < 600 * storm.length; t += 60) {
      measures.under(storm[Math.floor(t / 600)] * MM_H)
      measures.step(60, t, (_, volumeM3) => {
        drainedM3 += volumeM3
      })
      // What it gives back leaves, as from a subcatchment.
      leftM3 -= surface.setDepth(0, 0)
      runoff.step(t + 60)
    }
    const [{ storedM3, infiltratedM3, evaporatedM3 }] = measures.volumes()
    const { totals } = runoff.subcatchments[0]
    expect(storedM3).toBeCloseTo(runoff.subcatchments[0].storedM3(), 9)
    expect(infiltratedM3).toBeCloseTo(totals.infiltration, 9)
    expect(evaporatedM3).toBeCloseTo(totals.evaporation, 9)
    expect(leftM3 + drainedM3).toBeCloseTo(totals.runoff, 9)
    surface.dispose()
  })
})

test('no measures, or none on any cell: every bit of surface and sewer is as ever', () => {
  const choice = {
    ...{ kernel: simd(), sewer: { wasm: sewerWasm() }, soil: true, started: false, rain: cloudburst(true) },
  }
  const [without, empty] = [createEngine(choice), createEngine({ ...choice, measures: [] })]
  for (const engine of [without, empty]) engine.advance(960)
  const { sections } = saveState((state) => without.visit(state))
  const others = new Map(
    saveState((state) => empty.visit(state)).sections.map((each) => [each.name, each.values]),
  )
  for (const { name, values } of sections) expect(others.get(name), name).toEqual(values)
  expect(Object.keys(without.balance())).not.toContain('measuresStoredM3')
  for (const engine of [without, empty]) engine.surface.dispose()
})

describe.each([
  ['local inertia', simd()],
  ['full equations', fullScheme(2)],
])('measures of a town, by %s', (_, kernel) => {
  const choice = { kernel, sewer: { wasm: sewerWasm() }, soil: true, started: false, rain: cloudburst(true) }
  const engine = createEngine({ ...choice, measures: townMeasures() })
  engine.advance(960)
  const volumes = engine.measures!.volumes()
  const balance = engine.balance()

  test('hold, infiltrate and drain, and the balance of the run closes with the sewer', () => {
    expect(Math.abs(balance.relativeError)).toBeLessThan(1e-9)
    for (const [k, { rainM3, storedM3, initialM3 }] of volumes.entries()) {
      expect(rainM3, townMeasures()[k].name).toBeGreaterThan(1)
      expect(storedM3, townMeasures()[k].name).toBeGreaterThan(initialM3)
    }
    const drained = volumes.map(({ drainedM3 }) => drainedM3 > 1e-6)
    expect(drained).toEqual([true, true, false, true, true, true, true])
    expect(engine.coupling!.pouredM3).toBeCloseTo(volumes[1].drainedM3 + volumes[3].drainedM3, 9)
    expect(balance.measuresInfiltratedM3).toBeGreaterThan(1)
    expect(balance.measuresEvaporatedM3).toBeGreaterThan(0)
  })

  test('begin with the water of a state of the same measures, and as designed without', () => {
    const saved = saveState((state) => engine.visit(state))
    const again = createEngine({ ...choice, measures: townMeasures() })
    again.begin(saved)
    expect(again.measures!.volumes().map(({ initialM3 }) => initialM3)).toEqual(
      volumes.map(({ storedM3 }) => storedM3),
    )
    const other = createEngine({ ...choice, measures: townMeasures().slice(1) })
    const designed = other.measures!.volumes()
    other.begin(saved)
    expect(other.measures!.volumes()).toEqual(designed)
    const none = createEngine(choice)
    none.begin(saved)
    expect(none.balance().initialM3).toBeGreaterThan(0)
    for (const each of [again, other, none]) each.surface.dispose()
  })
})

test('a cell outside, or two measures on one, are refused with their place', () => {
  const grid = { ...slope(), elevationM: slope().elevationM.map((z, cell) => (cell === 7 ? Number.NaN : z)) }
  const surface = createSurface(grid, even(grid), simd())
  for (const cells of [[7], [8, 8]])
    expect(() => new SurfaceMeasures(surface, [siteOf({ kind: 'basin' }, cells)])).toThrow(
      /ligne 2 .* colonne [23]/,
    )
  surface.dispose()
})
