import { greenAmptStep } from '@radx/hydrology/soil/green-ampt'
import type { MacDonaldOptions } from '@radx/hydrology/testing/channel-cases'
import { coarsen, flatPlaneWave, macDonald, parseProfile } from '@radx/hydrology/testing/channel-cases'
import { reference, simd } from '@radx/hydrology/testing/kernels'
import { merewether } from '@radx/hydrology/testing/merewether'
import { stillWater, tiltedPlane, tiltedValley } from '@radx/hydrology/testing/plane-cases'
import { merewetherData, surfaceText } from '../../tests/conformance/surface-data.ts'
import type { ValidationSection } from './section.ts'
import { figure, table } from './section.ts'

const KERNELS = [
  ['reference (f64)', reference],
  ['SIMD (f32 fluxes)', simd()],
] as const

/** Observed order between neighbouring grids, each half as coarse as the one before. */
function orders(errors: number[]): string[] {
  return errors.map((error, k) => (k === 0 ? '' : figure(Math.log2(errors[k - 1] / error), 2)))
}

function still(): string[] {
  const rows = KERNELS.map(([name, choice]) => [
    name,
    figure(stillWater(choice, 3600)),
    name.startsWith('ref') ? '1e-12' : '1e-3',
  ])
  return [
    '### Still water',
    '',
    'Level 1 m over ground between -2 and 2 m with islands, one hour, closed edges. The fast kernel sees depths as',
    'f32: half a unit in the last place of 3 m is 1e-7 m of level, which friction (n = 0.03) turns into less than',
    '1 mm/s.',
    '',
    ...table(['kernel', 'largest speed, m/s', 'bound'], rows),
  ]
}

function macDonaldRows(): string[] {
  const cases: Array<[string, string, MacDonaldOptions, number]> = [
    ['dry', 'macdonald/mcdo_norain.csv', { inflowM2S: 2, rainMS: 0 }, 0.03],
    ['with rain', 'macdonald/mcdo_rain.csv', { inflowM2S: 1, rainMS: 1e-3 }, 0.035],
  ]
  const rows: string[][] = []
  for (const [label, file, options, bound] of cases) {
    const profile = parseProfile(surfaceText(file))
    const errors = [4, 2, 1].map((factor) => macDonald(coarsen(profile, factor), simd(), options))
    const slow = macDonald(profile, reference, options)
    const order = orders(errors.map((error) => error.meanAbsoluteM))
    errors.forEach((error, k) => {
      const size = [20, 10, 5][k]
      rows.push([
        label,
        `${size} m`,
        'SIMD',
        figure(error.meanAbsoluteM),
        figure(error.largestM),
        order[k],
        String(bound),
      ])
    })
    rows.push([
      label,
      '5 m',
      'reference',
      figure(slow.meanAbsoluteM),
      figure(slow.largestM),
      '',
      String(bound),
    ])
  }
  return [
    '### MacDonald channel',
    '',
    'Steady subcritical flow over 1 km, n = 0.033; Froude number close to 1 at both ends. The bound is what Itzi',
    'reaches. What stays on fine grids is not the grid: local inertial equations leave out convective acceleration,',
    'which this case has, so half the bound is out of their reach.',
    '',
    ...table(['case', 'cells', 'kernel', 'mean error, m', 'largest, m', 'order', 'bound, m'], rows),
  ]
}

function planes(): string[] {
  const sizes = [10, 5, 2.5, 1.25]
  const plane = sizes.map((size) => tiltedPlane(simd(), size))
  const planeOrder = orders(plane.map((error) => error.mean))
  const valleySizes = [20, 10, 5, 2.5, 2]
  const valley = valleySizes.map((size) => tiltedValley(simd(), size))
  const percent = (value: number) => `${figure(value * 100)} %`
  const rows = [
    ...plane.map((e, k) => [
      `${sizes[k]} m`,
      percent(e.mean),
      percent(e.largest),
      percent(e.peakRatio - 1),
      planeOrder[k],
    ]),
  ]
  const valleyRows = valley.map(({ kinematic, diffusive }, k) => [
    `${valleySizes[k]} m`,
    percent(kinematic.mean),
    percent(kinematic.largest),
    percent(diffusive.mean),
    percent(diffusive.largest),
    percent(kinematic.peakRatio - 1),
  ])
  return [
    '### Tilted plane and V-catchment',
    '',
    'Hydrograph at the outlet, minute by minute through rise, plateau and recession; differences over the exact peak.',
    '',
    'Plane of 200 m, 2 %, against the kinematic wave in closed form. The largest difference sits at the kink where the',
    'plateau begins, which a finite volume rounds off; it shrinks with the grid.',
    '',
    ...table(['cells', 'mean', 'largest', 'peak', 'order of the mean'], rows),
    'V-catchment of 1,620 m x 1 km, the hillsides in closed form, the channel by a fine scheme: as a kinematic wave, and',
    'as a diffusive wave, which adds the pressure of the water\u2019s own slope. Bound 2 % of the peak against the kinematic',
    'wave, reached on cells of 2 m, and of 2.5 m where half the valley stands for both (as in the tests: 1.96 %): in the',
    'whole one rounding lets the channel sway from side to side by some 0.03 %. What stays there is physics: pressure spreads a wave with q / 2S = 6 m2/s in the',
    'channel and rounds its kink by 1.5 % of the peak, and the kinematic wave has none. What the grid adds is the',
    'diffusion of upwind depths, c dx / 2, that is 4.6 m2/s at 10 m and 0.9 m2/s at 2 m.',
    '',
    ...table(['cells', 'kinematic: mean', 'largest', 'diffusive: mean', 'largest', 'peak'], valleyRows),
  ]
}

function wave(): string[] {
  const rows = [100, 50, 25].map((size) => {
    const e = flatPlaneWave(simd(), { cellSizeM: size })
    return [
      `${size} m`,
      figure(e.meanAbsoluteM),
      figure(e.largestM),
      figure(e.frontM, 5),
      figure(e.exactFrontM, 5),
    ]
  })
  return [
    '### Wave over a flat plane (Hunter et al. 2005)',
    '',
    'u = 1 m/s, n = 0.03, after one hour. The exact solution is that of the full equations; near the front, where the',
    'Froude number passes 1, local inertia converges to a front of its own, some 2 % behind.',
    '',
    ...table(['cells', 'mean error, m', 'largest, m', 'front at, m', 'exact, m'], rows),
  ]
}

function soil(): string[] {
  const FOOT = 0.3048
  const kh = (0.43 / 43200) * FOOT
  const c = (1.93 / 12) * FOOT * 0.25
  const points = surfaceText('grnampt_saturated_reference.csv')
    .trim()
    .split(/\r?\n/)
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(',').map(Number))
    .slice(1)
  const error = (dt: number) =>
    Math.max(
      ...points.map(([timeS, feet]) => {
        const steps = Math.ceil(timeS / dt)
        let F = 0
        for (let k = 0; k < steps; k++) F += greenAmptStep(F, kh, c, timeS / steps)
        return Math.abs(F / (feet * FOOT) - 1)
      }),
    )
  const rows = [1, 5, 30].map((dt) => [`${dt} s`, `${figure(error(dt) * 100)} %`])
  return [
    '### Green-Ampt',
    '',
    'Largest difference from the saturated trajectory over all its points; bound 0.5 %. Steps are never longer than 15 s.',
    '',
    ...table(['step', 'largest difference'], rows),
  ]
}

function merewetherRows(): string[] {
  const lines: string[] = []
  for (const factor of [1, 2]) {
    const { levels, driftM, relativeError } = merewether(merewetherData(factor), simd())
    const rows = levels.map(({ id, oursM, observedM, tuflowM }) => [
      id,
      oursM.toFixed(2),
      observedM.toFixed(2),
      tuflowM.toFixed(2),
      (oursM - observedM).toFixed(2),
      (oursM - tuflowM).toFixed(2),
      (tuflowM - observedM).toFixed(2),
    ])
    lines.push(
      `Cells of ${factor} m (levels move by ${figure(driftM, 2)} m over the last 100 s; balance ${figure(relativeError, 2)}):`,
      '',
      ...table(
        ['point', 'ours, m', 'observed', 'TUFLOW', 'ours - observed', 'ours - TUFLOW', 'TUFLOW - observed'],
        rows,
      ),
    )
  }
  return [
    '### Merewether, June 2007',
    '',
    '19.7 m3/s through a built-up valley, steady; houses stand 3 m above the ground, n = 0.02 on the road, 0.04',
    'elsewhere. Terrain and setting: ANUGA validation; observed levels and TUFLOW: Australian Rainfall and Runoff,',
    'Project 15.',
    '',
    ...lines,
  ]
}

export const section: ValidationSection = {
  title: 'Surface flow and soil',
  order: 1,
  run: () => [...still(), ...macDonaldRows(), ...planes(), ...wave(), ...soil(), ...merewetherRows()],
}
