import { greenAmptStep } from '@radx/hydrology/soil/green-ampt'
import { coarsen, flatPlaneWave, macDonald, parseProfile } from '@radx/hydrology/testing/channel-cases'
import { isolatedBuilding } from '@radx/hydrology/testing/isolated-building'
import { fullScheme, reference, simd } from '@radx/hydrology/testing/kernels'
import { merewether } from '@radx/hydrology/testing/merewether'
import { tiltedPlane, tiltedValley } from '@radx/hydrology/testing/plane-cases'
import { describe, expect, test } from 'vitest'
import { hasReferenceData } from './reference-data.ts'
import { buildingData, buildingErrors, merewetherData, surfaceText } from './surface-data.ts'

describe.skipIf(!hasReferenceData())('surface flow against reference data', () => {
  const dry = () => parseProfile(surfaceText('macdonald/mcdo_norain.csv'))
  const wet = () => parseProfile(surfaceText('macdonald/mcdo_rain.csv'))
  const DRY = { inflowM2S: 2, rainMS: 0 }
  const RAIN = { inflowM2S: 1, rainMS: 1e-3 }

  test.each([
    ['reference', reference],
    ['simd', simd()],
  ])(
    'MacDonald channel, %s kernel: level within 0.03 m dry and 0.035 m with rain, on average',
    (_, choice) => {
      expect(macDonald(dry(), choice, DRY).meanAbsoluteM).toBeLessThan(0.03)
      expect(macDonald(wet(), choice, RAIN).meanAbsoluteM).toBeLessThan(0.035)
    },
  )

  test('MacDonald channel: finer grids come closer', () => {
    const errors = [4, 2, 1].map((factor) => macDonald(coarsen(dry(), factor), simd(), DRY).meanAbsoluteM)
    expect(errors[1]).toBeLessThan(errors[0])
    expect(errors[2]).toBeLessThan(errors[1])
  })

  test('dam break against an isolated building: depths as measured within 2 cm, 5 cm beside the wake at G2', () => {
    const data = buildingData()
    const { depthsM, relativeError } = isolatedBuilding(data, 0.1, fullScheme(1), 30, 0.1)
    const bounds = [0.02, 0.05, 0.02, 0.02, 0.02, 0.012]
    for (const [gauge, error] of buildingErrors(depthsM, data.measuredM).entries())
      expect(error).toBeLessThan(bounds[gauge])
    expect(Math.abs(relativeError)).toBeLessThan(1e-12)
  })

  test('Green-Ampt stays within 0.5 % of the saturated trajectory', () => {
    const FOOT = 0.3048
    const kh = (0.43 / 43200) * FOOT
    const c = (1.93 / 12) * FOOT * 0.25
    const rows = surfaceText('grnampt_saturated_reference.csv')
      .trim()
      .split(/\r?\n/)
      .filter((line) => /^\d/.test(line))
      .map((line) => line.split(',').map(Number))
    expect(rows.length).toBeGreaterThan(4)
    for (const [timeS, feet] of rows.slice(1)) {
      const steps = Math.ceil(timeS / 5)
      let F = 0
      for (let k = 0; k < steps; k++) F += greenAmptStep(F, kh, c, timeS / steps)
      expect(Math.abs(F / (feet * FOOT) - 1)).toBeLessThan(0.005)
    }
  })

  test('Merewether 2007 at 2 m: levels within 0.4 m of the observed and of TUFLOW’s at all five points', () => {
    const { levels, relativeError } = merewether(merewetherData(2), simd(), 900)
    expect(levels).toHaveLength(5)
    for (const { oursM, observedM, tuflowM } of levels) {
      expect(Math.abs(oursM - observedM)).toBeLessThan(0.4)
      expect(Math.abs(oursM - tuflowM)).toBeLessThan(0.4)
    }
    expect(Math.abs(relativeError)).toBeLessThan(1e-9)
  })
})

describe('surface flow against analytic solutions', () => {
  test('tilted plane: the hydrograph is within 2 % of the kinematic solution', () => {
    const { largest, peakRatio } = tiltedPlane(simd(), 1.25)
    expect(largest).toBeLessThan(0.02)
    expect(Math.abs(peakRatio - 1)).toBeLessThan(1e-3)
  })

  test('tilted plane: refining the grid converges', () => {
    const means = [10, 5, 2.5, 1.25].map((dx) => tiltedPlane(simd(), dx).mean)
    for (let k = 1; k < means.length; k++) expect(means[k]).toBeLessThan(means[k - 1])
  })

  test('V-catchment: the peak is within 0.1 % on 10 m cells', () => {
    const { kinematic } = tiltedValley(simd(), 10)
    expect(kinematic.mean).toBeLessThan(0.01)
    expect(Math.abs(kinematic.peakRatio - 1)).toBeLessThan(1e-3)
  })

  test('V-catchment: on 2.5 m cells the rise is within 2 % of the kinematic wave, and 0.6 % with pressure', () => {
    // The kink is past at 55 min.
    const { kinematic, diffusive } = tiltedValley(simd(), 2.5, { half: true, endS: 3300 })
    expect(kinematic.largest).toBeLessThan(0.02)
    expect(diffusive.largest).toBeLessThan(0.006)
  })

  test('wave over a flat plane (Hunter 2005): depths to 2 cm on average, the front to one cell', () => {
    const { meanAbsoluteM, frontM, exactFrontM } = flatPlaneWave(simd(), { cellSizeM: 50 })
    expect(meanAbsoluteM).toBeLessThan(0.02)
    expect(Math.abs(frontM - exactFrontM)).toBeLessThanOrEqual(50)
  })
})
