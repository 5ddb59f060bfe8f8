import type { RadarMoment, RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BANDS, tuningOf } from './bands.ts'
import { beamBlockage, blockageLoss, partialBlockage } from './blockage.ts'
import { sweepSteps } from './chain.ts'
import { CLASSES, classify } from './classes.ts'
import { clutterMaps, findClutter } from './clutter.ts'
import { METHODS } from './estimate.ts'
import { meltingLayerFromTemperature, meltingLayerFromVelocity, meltingLayerOf } from './melting.ts'
import { attenuationWithoutPhase } from './no-phase.ts'
import { wrapped } from './phase.ts'
import { rainOfVolume } from './rain-chain.ts'

const NRAYS = 12
const NBINS = 300
const X = tuningOf(0.032)!

const moment = (unit: string, value: (ray: number, bin: number) => number): RadarMoment => ({
  unit,
  values: Float32Array.from({ length: NRAYS * NBINS }, (_, k) => value(Math.floor(k / NBINS), k % NBINS)),
})

function sweepOf(moments: Record<string, RadarMoment>, elevationDeg = 1): RadarSweep {
  return {
    datetime: '2024-05-01T12:00:00Z',
    elevationDeg,
    nrays: NRAYS,
    nbins: NBINS,
    azimuthDeg: Float64Array.from({ length: NRAYS }, (_, ray) => ray * 30),
    rangeStartM: 0,
    rangeStepM: 100,
    moments,
  }
}

/** A storm of 45 dBZ from 5 to 10 km in rain of 25 dBZ, whose phase rises by 3 degrees a km in it. */
const storm = (system = 20): Record<string, RadarMoment> => {
  const inside = (bin: number): boolean => bin >= 50 && bin < 100
  const taken = (bin: number): number => 0.28 * 6 * Math.min(5, Math.max(0, (bin - 50) / 10))
  return {
    DBZH: moment('dBZ', (_, bin) => (inside(bin) ? 45 : 25) - taken(bin) + 0.2 * Math.sin(bin * 3)),
    RHOHV: moment('1', () => 0.99),
    ZDR: moment('dB', () => 0.4),
    PHIDP: moment('deg', (_, bin) =>
      wrapped(system + 6 * Math.min(5, Math.max(0, (bin - 50) / 10)) + 1.5 * Math.sin(bin * 7)),
    ),
  }
}

const volumeOf = (...sweeps: RadarSweep[]): RadarVolume => ({
  format: 'odim',
  site: { name: 'x', lat: 48, lon: 2, altitudeM: 100 },
  wavelengthM: 0.032,
  sweeps,
  notes: [],
})

const meanOf = (values: ArrayLike<number>): number => {
  const known = Array.from(values).filter(Number.isFinite)
  return known.reduce((sum, value) => sum + value, 0) / known.length
}

describe('rain of a volume', () => {
  test('behind a storm rain is put back; by phase it is surer than by reflectivity alone', () => {
    const { PHIDP, ...without } = storm()
    const byPhase = rainOfVolume(volumeOf(sweepOf(storm())), { tuning: X }).sweeps[0]
    const byZ = rainOfVolume(volumeOf(sweepOf(without)), { tuning: X }).sweeps[0]
    expect(PHIDP).toBeDefined()
    expect([byPhase.piaBy, byZ.piaBy]).toEqual(['phase', 'modified-kraemer'])
    const far = 200
    expect(byPhase.pia[far]).toBeGreaterThan(5)
    expect(byPhase.dbz[far]).toBeGreaterThan(21)
    expect(byPhase.dbz[far]).toBeLessThan(28)
    expect(byZ.pia[far]).toBeGreaterThan(2)
    expect(byPhase.quality[far]).toBeGreaterThan(byZ.quality[far])
    expect(byPhase.quality[far]).toBeLessThan(byPhase.quality[30])
    expect(METHODS[byPhase.method[70] - 1].name).toMatch(/^R\((A|KDP)\)$/)
  })

  test('the phase of the radar may lie anywhere, also at the fold', () => {
    const usual = sweepSteps(sweepOf(storm(20)), X)
    fc.assert(
      fc.property(fc.integer({ min: -180, max: 179 }), (system) => {
        const steps = sweepSteps(sweepOf(storm(system)), X)
        expect(Math.abs(wrapped(steps.systemPhaseDeg - system))).toBeLessThan(2)
        expect(meanOf(steps.zphiFixed!.pia)).toBeCloseTo(meanOf(usual.zphiFixed!.pia), 3)
        expect(Math.abs(meanOf(steps.profile!.kdp) - meanOf(usual.profile!.kdp))).toBeLessThan(0.01)
      }),
      { numRuns: 40 },
    )
  })

  test('whatever moments a sweep has, rain is a number of 0 and more or missing, and quality lies within 0 and 1', () => {
    const names = ['DBZH', 'TH', 'ZDR', 'PHIDP', 'RHOHV', 'KDP', 'VRADH'] as const
    const value = fc.oneof(
      { arbitrary: fc.double({ min: -400, max: 400, noNaN: true }), weight: 6 },
      fc.constantFrom(Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0),
    )
    fc.assert(
      fc.property(
        fc.subarray([...names]),
        fc.array(value, { minLength: 7, maxLength: 40 }),
        fc.constantFrom(null, X),
        (chosen, values, tuning) => {
          const moments = Object.fromEntries(
            chosen.map((name, i) => [
              name,
              moment('', (ray, bin) => values[(ray * 5 + bin * (i + 1)) % values.length]),
            ]),
          )
          const made = rainOfVolume(volumeOf(sweepOf(moments)), { tuning }).sweeps[0]
          expect(made.rate.every((rate) => Number.isNaN(rate) || (rate >= 0 && Number.isFinite(rate)))).toBe(
            true,
          )
          expect(
            made.quality.every((q, k) => Number.isNaN(q) === Number.isNaN(made.rate[k]) && !(q < 0 || q > 1)),
          ).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('clutter', () => {
  const rough = (ray: number, bin: number): number => 35 + 12 * Math.sin(ray * 91 + bin * 53)
  const inside = (bin: number): boolean => bin >= 100 && bin < 110

  test('is found in rain by texture, correlation and phase, and filled by its neighbours with low quality', () => {
    const base = storm()
    const made = rainOfVolume(
      volumeOf(
        sweepOf({
          DBZH: moment('dBZ', (ray, bin) => (inside(bin) ? rough(ray, bin) : 25)),
          RHOHV: moment('1', (_, bin) => (inside(bin) ? 0.5 : 0.99)),
          PHIDP: moment('deg', (ray, bin) => (inside(bin) ? 170 * Math.sin(ray * 17 + bin * 31) : 20)),
          ZDR: base.ZDR,
        }),
      ),
      { tuning: X },
    ).sweeps[0]
    for (let bin = 102; bin < 108; bin++) expect(made.clutter.isLeftOut[bin], `${bin}`).toBe(1)
    expect(made.clutter.isLeftOut.slice(0, 95).some(Boolean)).toBe(false)
    const [edge, clear] = [101, 80]
    expect(METHODS[made.method[edge] - 1].name).toBe('filled')
    expect(made.rate[edge]).toBeCloseTo(made.rate[clear], 1)
    expect(made.quality[edge]).toBeLessThan(0.5 * made.quality[clear])
  })

  test('an echo that stands alone is speckle; the circle closes', () => {
    const lone = moment('dBZ', (ray, bin) =>
      (ray === 4 && bin === 50) || (bin < 3 && (ray === 0 || ray === NRAYS - 1))
        ? 20
        : Number.NEGATIVE_INFINITY,
    )
    const { isLeftOut, speckles } = findClutter(sweepOf({ DBZH: lone }))
    expect([speckles, isLeftOut[4 * NBINS + 50], isLeftOut[1]]).toEqual([1, 1, 0])
  })

  test('what had an echo on dry days is clutter though it looks like rain', () => {
    const still = moment('dBZ', (_, bin) => (inside(bin) ? 30 : Number.NEGATIVE_INFINITY))
    const [map] = clutterMaps([sweepOf({ DBZH: still }), sweepOf({ DBZH: still })])
    const rain = sweepOf({ DBZH: moment('dBZ', () => 30), RHOHV: moment('1', () => 0.99) })
    expect(findClutter(rain).gates).toBe(0)
    expect(findClutter(rain, map).isLeftOut[105]).toBe(1)
    expect(findClutter(rain, map).isLeftOut[90]).toBe(0)
    expect(findClutter(rain, { ...map, nrays: 3 }).gates).toBe(0)
  })
})

describe('hydrometeors', () => {
  const classOf = (dbz: number, zdr: number, kdp: number, rho: number, t: number): string => {
    const code = classify({ dbz: [dbz], zdr: [zdr], kdp: [kdp], rho: [rho], temperature: () => t })[0]
    return code === 0 ? '' : CLASSES[code - 1].short
  }

  test.each([
    [20, 0.4, 0, 0.9, 15, 'LR'],
    [42, 1.5, 2, 0.9, 15, 'MR'],
    [52, 2.5, 8, 0.85, 15, 'HR'],
    [60, 0, -1, 0.7, 10, 'HL'],
    [15, 0.5, 0.3, 0.92, -15, 'DS'],
  ])('%f dBZ, ZDR %f, KDP %f, RHOHV %f at %f degrees is %s', (z, zdr, kdp, rho, t, expected) => {
    expect(classOf(z, zdr, kdp, rho, t)).toBe(expected)
  })

  test('nothing is nothing, and snow is never found in warm air', () => {
    expect(classOf(Number.NaN, 0, 0, 1, 10)).toBe('')
    for (let z = 5; z < 50; z++) expect(['DS', 'WS', 'HC', 'VC']).not.toContain(classOf(z, 0.6, 0.3, 0.9, 20))
  })
})

describe('melting layer', () => {
  test('is found by the dip of correlation with height', () => {
    const elevations = [5, 8, 12, 20, 30]
    const sweeps = elevations.map((elevation) => {
      const height = (bin: number): number => (bin + 0.5) * 100 * Math.sin((elevation * Math.PI) / 180)
      return sweepOf(
        {
          DBZH: moment('dBZ', () => 25),
          RHOHV: moment('1', (_, bin) => (height(bin) > 1600 && height(bin) < 2100 ? 0.9 : 0.99)),
        },
        elevation,
      )
    })
    const layer = meltingLayerOf(sweeps, 100)!
    expect(Math.abs(layer.bottomM - 1700)).toBeLessThanOrEqual(150)
    expect(Math.abs(layer.topM - 2200)).toBeLessThanOrEqual(150)
    expect(meltingLayerOf(sweeps.slice(0, 0), 100)).toBeNull()
    expect(
      meltingLayerOf([sweepOf({ DBZH: moment('dBZ', () => 25), RHOHV: moment('1', () => 0.99) }, 12)], 0),
    ).toBeNull()
  })

  test('follows from a thermometer, and from what a micro rain radar sees fall', () => {
    expect(meltingLayerFromTemperature(13, 100)).toMatchObject({ topM: 2100, bottomM: 1600 })
    const heights = Array.from({ length: 60 }, (_, k) => 100 + 50 * k)
    const velocity = heights.map((h) => (h < 1500 ? 6 : h > 1900 ? 1.5 : 6 - (4.5 * (h - 1500)) / 400))
    const layer = meltingLayerFromVelocity(heights, velocity)!
    expect(layer.bottomM).toBeGreaterThan(1500)
    expect(layer.topM).toBeLessThan(1900)
    expect(layer.bottomM).toBeLessThan(layer.topM)
    expect(
      meltingLayerFromVelocity(
        heights,
        heights.map(() => 6),
      ),
    ).toBeNull()
    expect(
      meltingLayerFromVelocity(
        heights,
        heights.map(() => Number.NaN),
      ),
    ).toBeNull()
  })
})

test('ground hides half of a beam at its middle, and all that lies behind', () => {
  expect([partialBlockage(-10, 10), partialBlockage(0, 10), partialBlockage(10, 10)]).toEqual([0, 0.5, 1])
  const ground = Float64Array.from({ length: 20 }, (_, bin) => (bin === 5 ? 100 + 0.03 : 0))
  const beam = { altitudeM: 100, elevationDeg: 0, widthDeg: 1 }
  const hidden = beamBlockage(ground, { nbins: 20, rangeStartM: 0, rangeStepM: 100 }, beam)
  expect(hidden[4]).toBe(0)
  expect(hidden[5]).toBeCloseTo(0.5, 2)
  expect(hidden[19]).toBe(hidden[5])
  expect(blockageLoss(0.5)).toBeCloseTo(3.01, 2)
  expect(blockageLoss(0.8)).toBeNaN()
})

test.each(BANDS.map((band) => [band.name, band] as const))(
  'without phase, band %s: attenuation grows outwards and keeps its bounds',
  (_, band) => {
    const z = Float64Array.from({ length: 2 * NBINS }, (__, k) =>
      k % NBINS > 40 && k % NBINS < 120 ? 48 : 20,
    )
    const pia = attenuationWithoutPhase(z, NBINS, 0.1, band)
    for (let bin = 1; bin < NBINS; bin++) expect(pia[bin]).toBeGreaterThanOrEqual(pia[bin - 1])
    expect(pia[NBINS - 1]).toBeLessThanOrEqual(20)
    expect(pia[NBINS - 1] > 0.5).toBe(band.name !== 'S')
  },
)
