import { HydrologyError } from '@radx/hydrology/errors'
import type { KernelChoice } from '@radx/hydrology/surface/types'
import { channel } from '@radx/hydrology/testing/full-cases'
import { isolatedBuilding } from '@radx/hydrology/testing/isolated-building'
import { fullScheme, simd } from '@radx/hydrology/testing/kernels'
import { merewether } from '@radx/hydrology/testing/merewether'
import { roughSlope, slantedPlane } from '@radx/hydrology/testing/plane-cases'
import { swashes } from '@radx/hydrology/testing/swashes-cases'
import { buildingData, buildingErrors, merewetherData } from '../../tests/conformance/surface-data.ts'
import type { ValidationSection } from './section.ts'
import { figure, table } from './section.ts'

const ORDERS = [1, 2] as const

/** Errors on grids each half as coarse as the one before, and the orders between them. */
function convergence(name: string, cells: number[], error: (cells: number, choice: KernelChoice) => number) {
  return ORDERS.map((order) => {
    const errors = cells.map((count) => error(count, fullScheme(order)))
    const between = errors.slice(1).map((value, k) => figure(Math.log2(errors[k] / value), 2))
    return [name, order, ...errors.map((value) => figure(value)), between.join(', ')]
  })
}

function channels(): string[] {
  const head = ['case', 'order', 'coarse', 'half', 'quarter', 'observed orders']
  return [
    '### Channels with exact solutions',
    '',
    'SWASHES (Delestre et al. 2013). Dam breaks after 6 s on 10 m of 5 mm deep water, onto 1 mm (Stoker) and dry ground',
    '(Ritter), 100 cells and more: L1 error of the depth, m2. Subcritical flow over a bump, 25 m, 50 cells and more: the same.',
    'Manufactured channels of 1 km with friction (MacDonald et al. 1997), 50 cells and more: mean error of the depth, m. Bounds',
    'of the tests: observed order at least 0.7 (Stoker), 0.6 (Ritter); first order 0.9 (bump), 1 and 0.7 (channels); second',
    'order 1.7.',
    '',
    ...table(head, [
      ...convergence('Stoker', [100, 200, 400], (n, choice) => channel.damBreak('stoker', n, choice)),
      ...convergence('Ritter', [100, 200, 400], (n, choice) => channel.damBreak('ritter', n, choice)),
      ...convergence('bump', [50, 100, 200], (n, choice) => channel.bump(n, choice).error),
      ...convergence('subcritical', [50, 100, 200], (n, choice) =>
        channel.manufactured('subcritical', n, choice),
      ),
      ...convergence('supercritical', [50, 100, 200], (n, choice) =>
        channel.manufactured('supercritical', n, choice),
      ),
    ]),
  ]
}

const SCHEMES: Array<[name: string, choice: KernelChoice]> = [
  ['local inertia', simd()],
  ['full, order 1', fullScheme(1)],
  ['full, order 2', fullScheme(2)],
]

/** Rows of a case on grids each half as coarse; a scheme that refuses to go on says so. */
function allSchemes(name: string, cells: number[], error: (cells: number, choice: KernelChoice) => number) {
  return SCHEMES.map(([scheme, choice]) => {
    try {
      const errors = cells.map((count) => error(count, choice))
      const between = errors.slice(1).map((value, k) => figure(Math.log2(errors[k] / value), 2))
      return [name, scheme, ...errors.map((value) => figure(value)), between.join(', ')]
    } catch (failure) {
      if (!(failure instanceof HydrologyError)) throw failure
      return [name, scheme, 'not run: refused', ...new Array<string>(cells.length).fill('')]
    }
  })
}

function furtherChannels(): string[] {
  const cells = [50, 100, 200]
  return [
    '### Turning faster and slower, rain, and water that swings',
    '',
    'Further cases of SWASHES, with both schemes; mean error of the depth, m. Flow over a bump of 25 m that turns faster than its',
    'waves (1.53 m2/s), and slower again in a shock (0.18 m2/s, 0.33 m at the end); manufactured channels of 1 km that do the same,',
    'and with rain on the way (1 mm/s); 50 cells and more. Thacker’s water in a paraboloid, round or with a plane surface, after one',
    'period, 50 x 50 cells and more; shores leave first order and less. Local inertia has no flow faster than its waves, and is told',
    'for comparison. Not here: channels with diffusion (the equations have no viscosity) and Dressler’s dam break (Chézy’s friction).',
    '',
    ...table(
      ['case', 'scheme', 'coarse', 'half', 'quarter', 'observed orders'],
      [
        ...allSchemes('bump, fast', cells, (n, choice) => swashes.bump(1.53, undefined, n, choice)),
        ...allSchemes('bump, shock', cells, (n, choice) => swashes.bump(0.18, 0.33, n, choice)),
        ...swashes.manufacturedNames.flatMap((name) =>
          allSchemes(name, cells, (n, choice) => swashes.manufactured(name, n, choice)),
        ),
        ...(['round', 'plane'] as const).flatMap((shape) =>
          allSchemes(`Thacker, ${shape}`, cells, (n, choice) => swashes.thacker(shape, n, choice).error),
        ),
      ],
    ),
  ]
}

function town(): string[] {
  const rows = ORDERS.map((order) => {
    const { levels, relativeError } = merewether(merewetherData(2), fullScheme(order), 700)
    const rmse = (of: 'oursM' | 'tuflowM') =>
      Math.sqrt(levels.reduce((sum, level) => sum + (level[of] - level.observedM) ** 2, 0) / levels.length)
    return [
      order,
      ...levels.map(({ oursM }) => oursM.toFixed(2)),
      figure(rmse('oursM'), 2),
      figure(relativeError, 2),
    ]
  })
  const { points } = merewetherData(2)
  return [
    '### Merewether with the full equations',
    '',
    'As above, cells of 2 m; levels at the five points, m, and root mean square difference from those observed.',
    '',
    ...table(
      ['order', ...points.map(({ id }) => `point ${id}`), 'RMSE, m', 'balance'],
      [...rows, ['observed', ...points.map(({ observedM }) => observedM.toFixed(2)), '', '']],
    ),
  ]
}

function slopes(): string[] {
  const grounds = [
    { slope: 0.02, manning: 0.1, rough: 0 },
    { slope: 0.02, manning: 0.1, rough: 0.3 },
    { slope: 0.05, manning: 0.3, rough: 0.3 },
    { slope: 0.005, manning: 0.03, rough: 0.3 },
  ]
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const rows = grounds.flatMap((ground) =>
    SCHEMES.map(([name, choice]) => {
      const { depthsM, normalM } = roughSlope(choice, { ...ground, seed: 1 })
      const stored = sum(depthsM.slice(0, normalM.length)) / sum(normalM)
      return [ground.slope, ground.manning, ground.rough, name, `${figure(100 * (stored - 1), 2)} %`]
    }),
  )
  const turned = SCHEMES.map(([name, choice]) => {
    const { speedRatio, offCourse } = slantedPlane(choice, 0.02, 0.01, 0.1)
    return [name, figure(speedRatio), `${((180 / Math.PI) * offCourse).toFixed(1)}°`]
  })
  return [
    '### Rain on rough and on slanted ground',
    '',
    'Slopes of 300 m on cells of 10 m, whose ground lies up to 0.3 of the step between two cells too high or too low, under',
    '50 mm/h: water stored once the flow is steady, over that of Manning’s law from cell to cell. Films of some millimetres are',
    'thinner than the steps; bounds over random grounds 4 % (order 1) and 20 % (order 2). Slanted plane (2 % to the east, 1 % to the south, n 0.1): speed over',
    'Manning’s and how far it is off the line of steepest fall; bounds of the full scheme 2 % and 0.6°.',
    '',
    ...table(['slope', 'n', 'rough', 'scheme', 'stored'], rows),
    ...table(['scheme', 'speed', 'off course'], turned),
  ]
}

function building(): string[] {
  const data = buildingData()
  const rows = SCHEMES.map(([name, choice]) => {
    const { depthsM, relativeError } = isolatedBuilding(data, 0.1, choice, 30, 0.1)
    const errors = buildingErrors(depthsM, data.measuredM).map((error) => figure(1000 * error, 2))
    return [name, ...errors, figure(Math.abs(relativeError), 2)]
  })
  return [
    '### Isolated building (EA 6A)',
    '',
    'Dam break in a flume against a building turned by 64° (Soares-Frazão and Zech 2007; test 6A of the Environment Agency),',
    'cells of 0.1 m: root mean square difference of the depth from that measured, 3 to 30 s, mm, and the balance. Bounds of the',
    'test, first order: 20 mm, 50 mm at G2 (beside the wake), 12 mm at G6 (in the reservoir).',
    '',
    ...table(['scheme', ...data.gauges.map(({ name }) => name), 'balance'], rows),
  ]
}

export const section: ValidationSection = {
  title: 'Full shallow water',
  order: 1.5,
  run: () => [...channels(), ...furtherChannels(), ...slopes(), ...town(), ...building()],
}
