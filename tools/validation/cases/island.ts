import { GRAVITY } from '@radx/contracts/constants'
import { surfaceText } from '../../../tests/conformance/surface-data.ts'
import { figure, table } from '../section.ts'
import {
  bedOf,
  between,
  centreOf,
  LARGE_SETUPS,
  mean,
  numberRows,
  type Outcome,
  rowOrRefusal,
  runCase,
} from './command.ts'

const DEPTH_M = 0.32
const CENTRE = { x: 12.96, y: 13.8 }
const BASE_M = 3.6
const TOP_M = 1.1
const HEIGHT_M = 0.625
const CELL_M = 0.05
const WET_M = 0.001
/** Waves that come back from the walls reach the island after this. */
const END_S = 16
const CASES = [
  { name: 'A', forcing: 'gauge_forcing_nonlinear_case1.csv' },
  { name: 'B', forcing: 'gauge_forcing_nonlinear_case2.csv' },
  { name: 'C', forcing: 'gauge_forcing_nonlinear_case3.csv' },
]

/** Height of the ground over the floor of the basin, m. */
function ground(x: number, y: number): number {
  const r = Math.hypot(x - CENTRE.x, y - CENTRE.y)
  return Math.min(HEIGHT_M, Math.max(0, ((BASE_M - r) * HEIGHT_M) / (BASE_M - TOP_M)))
}

/** Highest wet ground in each sector of the island, m over still water; sectors are `count`, the first round 0 degrees. */
function runUp({ deepest }: Outcome, bed: Float64Array, count: number): number[] {
  const highest = new Array<number>(count).fill(0)
  for (let cell = 0; cell < bed.length; cell++) {
    if (!(deepest.data[cell] > WET_M) || bed[cell] <= 0) continue
    const [x, y] = centreOf(deepest, cell)
    if (Math.hypot(x - CENTRE.x, y - CENTRE.y) > BASE_M) continue
    // 0 degrees looks away from the paddle, as in the measured tables.
    const turn = Math.atan2(y - CENTRE.y, x - CENTRE.x) / (2 * Math.PI)
    const sector = Math.round(turn * count + count) % count
    highest[sector] = Math.max(highest[sector], bed[cell] + deepest.data[cell])
  }
  return highest
}

/** Solitary waves run up a conical island (Briggs et al. 1995). */
export function conicalIsland(): string[] {
  const bed = bedOf(
    { ncols: 25 / CELL_M, nrows: 30 / CELL_M, xll: 0, yll: 0, cellSize: CELL_M },
    (x, y) => ground(x, y) - DEPTH_M,
  )
  const rows = CASES.flatMap(({ name: wave, forcing }) => {
    const speeds = numberRows(surfaceText(`conical_island/${forcing}`))
    const funwave = numberRows(
      surfaceText(`conical_island/funwave_nondispersive_max_runup_case${wave}.csv`).replaceAll('"', ''),
    )
      .map(([degrees, height]) => [degrees % 360, height])
      .sort((a, b) => a[0] - b[0])
    const sectors = 16
    const reference = Array.from({ length: sectors }, (_, k) =>
      between(
        funwave.map(([degrees]) => degrees),
        funwave.map(([, height]) => height),
        (360 * k) / sectors,
      ),
    )
    const given = {
      name: `island ${wave}`,
      bed,
      manning: 0.01,
      depthM: bed.data.map((z) => Math.max(0, -z)),
      points: [{ name: 'g2', x: 1, y: 15 }],
      boundaries: [
        {
          name: 'paddle',
          kind: 'level',
          line: [
            [0, 0],
            [0, 30],
          ] as Array<[number, number]>,
          timesS: speeds.map(([t]) => t),
          // A wave that runs one way only: u = 2 (sqrt(g h) - sqrt(g h0)).
          values: speeds.map(([, u]) => (u / 2 + Math.sqrt(GRAVITY * DEPTH_M)) ** 2 / GRAVITY - DEPTH_M),
        },
      ],
      endS: END_S,
      intervalS: 1,
    }
    return LARGE_SETUPS.map(([name, setup]) =>
      rowOrRefusal([wave, name], 5, () => {
        const heights = runUp(runCase(given, setup), bed.data, sectors)
        const off = heights.map((height, k) => height - reference[k])
        return [
          figure(1000 * mean(heights), 3),
          figure(1000 * mean(reference), 3),
          figure(1000 * mean(off.map(Math.abs)), 2),
          figure(1000 * heights[sectors / 2], 3),
          figure(1000 * reference[sectors / 2], 3),
        ]
      }),
    )
  })
  return [
    '### Conical island',
    '',
    'Solitary waves of 0.045, 0.096 and 0.18 of the depth (Briggs et al. 1995), cells of 5 cm, n 0.01, forced by the speed of the water as',
    'SWALS has it. Run-up round the island, mm, beside that of FUNWAVE without dispersion on 2.5 cm: mean of 16 directions, mean distance,',
    'and in front (180°).',
    '',
    ...table(['wave', 'scheme', 'mean', 'FUNWAVE', 'distance', 'front', 'FUNWAVE front'], rows),
  ]
}
