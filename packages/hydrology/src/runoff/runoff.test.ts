import type {
  RunoffControl,
  RunoffInfiltration,
  RunoffModel,
  RunoffSubcatchment,
} from '@radx/contracts/runoff'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runoffWasm } from '../testing/kernels.ts'
import { drain } from './drainage.ts'
import { createGage } from './gages.ts'
import { createGround } from './infiltration.ts'
import { shareUntil } from './node-flows.ts'
import { createRunoff } from './runoff.ts'

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const MM_H = 1e-3 / 3600

const infiltration: fc.Arbitrary<RunoffInfiltration> = fc.oneof(
  fc.record({
    type: fc.constantFrom('horton' as const, 'modified-horton' as const),
    maxRate: real(20, 100).map((rate) => rate * MM_H),
    minRate: real(0, 20).map((rate) => rate * MM_H),
    decay: real(0, 8).map((rate) => rate / 3600),
    dryingS: real(0, 10).map((days) => days * 86_400),
    maxVolumeM: fc.constantFrom(0, 0.03),
  }),
  fc.record({
    type: fc.constantFrom('green-ampt' as const, 'modified-green-ampt' as const),
    suctionM: real(0, 0.3),
    conductivity: real(0.1, 50).map((rate) => rate * MM_H),
    deficit: real(0, 0.5),
  }),
  fc.record({
    type: fc.constant('curve-number' as const),
    curveNumber: real(1, 120),
    dryingS: real(0.1, 10).map((days) => days * 86_400),
  }),
)

const subcatchment = (outlet: RunoffSubcatchment['outlet']): fc.Arbitrary<RunoffSubcatchment> =>
  fc.record({
    name: fc.constant('S'),
    gage: fc.constant(0),
    outlet: fc.constant(outlet),
    areaM2: real(10, 1e6),
    imperviousShare: fc.oneof(fc.constantFrom(0, 1), real(0, 1)),
    widthM: real(0, 1000),
    slope: real(0, 0.2),
    imperviousN: fc.oneof(fc.constant(0), real(0.005, 0.05)),
    perviousN: fc.oneof(fc.constant(0), real(0.05, 0.5)),
    imperviousStoreM: real(0, 0.005),
    perviousStoreM: real(0, 0.01),
    bareShare: real(0, 1),
    routeTo: fc.constantFrom('outlet' as const, 'impervious' as const, 'pervious' as const),
    routedShare: real(0, 1),
    infiltration,
    measures: fc.constant([]),
    monthly: fc.constant({ roughness: null, store: null, conductivity: null }),
  })

const model = (subcatchments: RunoffSubcatchment[], rates: number[]): RunoffModel => ({
  startEpochS: 1_717_200_000,
  durationS: 86_400,
  wetStepS: 300,
  dryStepS: 3600,
  dryDays: 0,
  gages: [
    {
      name: 'R',
      intervalS: 600,
      startsS: rates.map((_, k) => k * 900),
      rates: rates.map((rate) => rate * MM_H),
    },
  ],
  evaporation: { type: 'constant', rate: 4e-8 },
  evaporatesWhenDryOnly: false,
  recovery: null,
  adjustments: { evaporation: null, rain: null, conductivity: null },
  subcatchments,
  controls: [],
  unitHydrographs: [],
  infiltrationInflows: [],
  returns: [],
})

const rain = fc.array(fc.oneof(fc.constant(0), real(0, 150)), { minLength: 1, maxLength: 40 })

describe('the water of a subcatchment', () => {
  test('is kept to rounding, whatever ground, rain and routing among them', () => {
    fc.assert(
      fc.property(
        subcatchment({ subcatchment: 1 }),
        subcatchment({ node: 0 }),
        rain,
        (upper, lower, rates) => {
          const run = createRunoff(model([upper, lower], rates), 1)
          const reached = new Float64Array(1)
          for (let t = 0; t < 86_400; t += 450) run.volumesTo(t + 450, reached)
          const { rain: fallen, error, runoff, held } = run.totals()
          expect(Math.abs(error)).toBeLessThan(1e-12 * Math.max(1, fallen))
          // What nodes were given is what left, but for what is settled later.
          expect(Math.abs(reached[0] + held - runoff)).toBeLessThan(1e-9 * Math.max(1, fallen))
          expect(Math.abs(held)).toBeLessThan(0.05 * Math.max(1, fallen))
          for (const { totals, input } of run.subcatchments) {
            expect(totals.evaporation).toBeGreaterThanOrEqual(0)
            expect(totals.infiltration).toBeGreaterThanOrEqual(0)
            expect(totals.infiltration).toBeLessThanOrEqual((totals.rain + totals.runon) * (1 + 1e-12) + 1e-9)
            expect(totals.rain).toBeCloseTo(
              rates.reduce((sum, rate) => sum + rate * MM_H * 600, 0) * input.areaM2,
              6,
            )
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  test('without losses and hollows runs off as it falls in the long run', () => {
    const plane: RunoffSubcatchment = {
      ...fc.sample(subcatchment({ node: 0 }), { seed: 1, numRuns: 1 })[0],
      areaM2: 1e4,
      imperviousShare: 1,
      widthM: 100,
      slope: 0.01,
      imperviousN: 0.015,
      imperviousStoreM: 0,
      bareShare: 0,
    }
    const steady = model([plane], Array(60).fill(36))
    steady.gages[0].intervalS = 900
    steady.evaporation = { type: 'constant', rate: 0 }
    const run = createRunoff(steady, 1)
    while (run.timeS < 20_000) run.step(20_000)
    // 36 mm/h on a hectare.
    expect(run.subcatchments[0].totals.peak).toBeGreaterThan(0.0999)
    expect(run.subcatchments[0].totals.peak).toBeLessThan(0.1 + 1e-9)
  })
})

const monthly = fc.option(fc.array(real(0.2, 2), { minLength: 12, maxLength: 12 }))
/** Barrels on up to all of a subcatchment. */
const measures = fc
  .tuple(fc.boolean(), real(0.1, 1), fc.boolean())
  .map(([has, share, toPervious]) =>
    has ? [{ share, toPervious, fromImpervious: share, fromPervious: 1 - share }] : [],
  )

test('the compiled loops give the reference’s bits, whatever the ground, the calendar and measures', () => {
  const wasm = runoffWasm()
  const one = fc
    .tuple(subcatchment({ node: 0 }), monthly, monthly, measures)
    .map(([input, roughness, store, barrels]) => ({
      ...input,
      monthly: { roughness, store, conductivity: null },
      measures: barrels.map(({ share, ...more }) => ({
        ...{ control: 0, count: 1, areaM2: input.areaM2 * share, widthM: 2, initialShare: 0.3 },
        ...more,
        drainTo: null,
      })),
    }))
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 9 }), rain, (inputs, rates) => {
      inputs.forEach((input, i) => {
        if (i % 3 === 2) input.outlet = { subcatchment: i - 1 }
      })
      const given = { ...model(inputs, rates), controls: [barrel] }
      const [expected, compiled] = [createRunoff(given, 1), createRunoff(given, 1, wasm)]
      const [reached, reachedToo] = [new Float64Array(1), new Float64Array(1)]
      for (let t = 0; t < 86_400; t += 450) {
        expected.volumesTo(t + 450, reached)
        compiled.volumesTo(t + 450, reachedToo)
        expect(reachedToo).toEqual(reached)
      }
      for (const [i, { totals, flow }] of compiled.subcatchments.entries()) {
        expect(totals).toEqual(expected.subcatchments[i].totals)
        expect(flow).toBe(expected.subcatchments[i].flow)
      }
      expect(compiled.totals()).toEqual(expected.totals())
    }),
    { numRuns: 150 },
  )
})

test('a subcatchment that rests between showers does as if it went through every step', () => {
  const one = subcatchment({ node: 0 })
  const showers = fc.array(fc.tuple(real(1, 60), fc.integer({ min: 1, max: 90 })), {
    minLength: 1,
    maxLength: 8,
  })
  const others = fc.tuple(monthly, monthly, fc.boolean())
  fc.assert(
    fc.property(one, one, showers, others, (input, upper, rain, [store, recovery, dryOnly]) => {
      input.monthly.store = store
      // Beside it in a pair: nothing that rests, or measures, which never do.
      const days = 40
      const after = (beside: RunoffSubcatchment) => {
        const given = model([input, beside, { ...upper, outlet: { subcatchment: 0 } }], [])
        const moments = rain.map(([, hours], k) => 3600 * (hours + 100 * k))
        Object.assign(given, { durationS: days * 86_400, recovery, evaporatesWhenDryOnly: dryOnly })
        given.gages[0].startsS = moments
        given.gages[0].rates = rain.map(([mmH]) => mmH * MM_H)
        given.controls = [barrel]
        const run = createRunoff(given, 1)
        const reached = new Float64Array(1)
        for (let t = 0; t < days * 86_400; t += 3600) run.volumesTo(t + 3600, reached)
        return {
          totals: run.subcatchments[0].totals,
          stored: run.subcatchments[0].storedM3(),
          steps: run.steps,
        }
      }
      const dry = { ...input, gage: -1, outlet: null, routeTo: 'outlet' as const }
      const rests = after(dry)
      const goes = after({
        ...dry,
        measures: [
          {
            ...{ control: 0, count: 1, areaM2: 1, widthM: 1, initialShare: 0 },
            ...{ fromImpervious: 0, fromPervious: 0, toPervious: false, drainTo: null },
          },
        ],
      })
      const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * (1 + goes.totals.rain)
      expect(rests.steps).toBe(goes.steps)
      for (const key of ['rain', 'runon', 'evaporation', 'infiltration', 'runoff'] as const)
        expect([key, near(rests.totals[key], goes.totals[key])]).toEqual([key, true])
      expect(near(rests.stored, goes.stored)).toBe(true)
      expect(rests.totals.peak).toBeCloseTo(goes.totals.peak, 9)
    }),
    { numRuns: 100 },
  )
})

const barrel: RunoffControl = {
  name: 'B',
  type: 'barrel',
  surface: { depthM: 0, voidShare: 1, n: 0, slope: 0, sideSlope: 0 },
  pavement: {
    ...{ depthM: 0, voidShare: 0, imperviousShare: 0, conductivity: 0, clogging: 0 },
    ...{ regenerationDays: 0, regenerationShare: 0 },
  },
  soil: {
    ...{ depthM: 0, porosity: 0, fieldCapacity: 0, wiltingPoint: 0 },
    ...{ conductivity: 0, conductivitySlope: 0, suctionM: 0 },
  },
  storage: { depthM: 1, voidShare: 1, seepage: 0, clogging: 0 },
  drain: {
    ...{ coefficient: 1e-5, exponent: 0.5, offsetM: 0, delayS: 3600, openM: 0, closeM: 0 },
    curve: null,
  },
  mat: { depthM: 0, voidShare: 0, n: 0 },
}

test('ground takes no more than there is, whatever the step', () => {
  fc.assert(
    fc.property(
      infiltration,
      fc.array(fc.tuple(real(1, 3600), real(0, 1e-4), real(0, 1e-5), real(0, 0.1)), { maxLength: 60 }),
      (kind, steps) => {
        const ground = createGround(kind)
        for (const [dt, fallen, runon, depth] of steps) {
          const taken = ground.take(dt, fallen, runon, depth)
          expect(taken).toBeGreaterThanOrEqual(0)
          expect(taken).toBeLessThanOrEqual((fallen + runon + depth / dt) * (1 + 1e-9) + 1e-15)
        }
      },
    ),
  )
})

describe('depths', () => {
  test('fall along the closed solution without inflow, and do not depend on how a step is divided', () => {
    expect(drain(0.01, 0, 2, 600)).toBeCloseTo(0.01 / (1 + (2 / 3) * 2 * 0.01 ** (2 / 3) * 600) ** 1.5, 12)
    fc.assert(
      fc.property(real(-0.005, 0.1), real(-1e-6, 5e-5), real(0, 5), (x, inflow, alpha) => {
        const whole = drain(x, inflow, alpha, 300)
        let parts = x
        for (let k = 0; k < 30; k++) parts = drain(parts, inflow, alpha, 10)
        expect(Math.abs(whole - parts)).toBeLessThan(1e-3 * Math.abs(x) + 1e-6 + Math.abs(inflow) * 3)
      }),
    )
  })
})

describe('a gage', () => {
  const gage = () =>
    createGage({ name: 'R', intervalS: 300, startsS: [-600, 600, 900, 3600], rates: [1, 2, 3, 4] })
  test('holds each value for its interval, and no longer', () => {
    const one = gage()
    expect([0, 600, 899.9, 900, 1199, 1200, 3599, 3600, 3899, 3900].map((t) => one.rateAt(t))).toEqual([
      0, 2, 2, 3, 3, 0, 0, 4, 4, 0,
    ])
  })
  test('says when it changes next', () => {
    const one = gage()
    expect([0, 600, 900, 1200, 3600, 3900].map((t) => one.nextChange(t))).toEqual([
      600,
      900,
      1200,
      3600,
      3900,
      Infinity,
    ])
  })
  test('lets an interval end before the next one that overlaps it begins', () => {
    const one = createGage({ name: 'R', intervalS: 600, startsS: [0, 300], rates: [1, 2] })
    expect([0, 300, 599, 600, 899, 900].map((t) => one.rateAt(t))).toEqual([1, 1, 1, 2, 2, 0])
  })
})

test('shares of a step grow from 0 to 1 for any rates at its ends', () => {
  fc.assert(
    fc.property(real(0, 50), real(0, 50), (q0, q1) => {
      let before = 0
      for (let k = 0; k <= 50; k++) {
        const share = shareUntil(k / 50, q0, q1)
        expect(share).toBeGreaterThanOrEqual(before - 1e-12)
        before = share
      }
      expect(before).toBe(1)
    }),
  )
})
