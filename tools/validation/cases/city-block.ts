import { readEsriAscii } from '@radx/formats/esri-ascii'
import { surfaceText } from '../../../tests/conformance/surface-data.ts'
import { figure, table } from '../section.ts'
import { between, type Case, numberRows, rowOrRefusal, runCase, SETUPS } from './command.ts'

/** Heights in the file that are no ground. */
const OUTSIDE_M = 900
const WALL_M = 0.09
const FALL_M = -0.4
const RAIN = { mmH: 317, forS: 45 }
const END_S = 120

/** Under the lower edge a trough takes what comes; what it holds is the outflow. */
const TROUGH_M = -5
const TROUGH_ROWS = 3

function setting(): Case {
  const text = surfaceText('rain_cea2008/topo.asc')
  const grid = readEsriAscii(text, 'topo.asc')
  const nrows = grid.nrows + TROUGH_ROWS
  const yll = grid.yll - TROUGH_ROWS * grid.cellSize
  const data = new Float64Array(grid.ncols * nrows).fill(Number.NaN)
  grid.data.forEach((z, cell) => {
    data[cell] = z > OUTSIDE_M || z > WALL_M ? Number.NaN : z < FALL_M ? TROUGH_M : z
  })
  data.fill(TROUGH_M, grid.data.length)
  const bed = { ...grid, nrows, yll, data }
  const cells = Array.from({ length: grid.ncols * nrows }, (_, cell) => cell).filter(
    (cell) => data[cell] === TROUGH_M,
  )
  return {
    name: 'Cea 2008',
    bed,
    manning: 0.009,
    points: cells.map((cell) => ({
      name: `t${cell}`,
      x: bed.xll + ((cell % bed.ncols) + 0.5) * bed.cellSize,
      y: bed.yll + (nrows - Math.floor(cell / bed.ncols) - 0.5) * bed.cellSize,
    })),
    rain: { stepS: 5, ratesMmH: new Array<number>(RAIN.forS / 5).fill(RAIN.mmH) },
    endS: END_S,
    intervalS: 1,
  }
}

/** Rain on steep planes of steel (Cea et al. 2008). */
export function cityBlock(): string[] {
  const given = setting()
  const measured = numberRows(surfaceText('rain_cea2008/measured_hydrograph_read_off.csv'))
  const { cellSize } = given.bed
  const rainInTroughM = (t: number) => (Math.min(t, RAIN.forS) * RAIN.mmH) / 3.6e6
  const rows = SETUPS.map(([name, setup]) =>
    rowOrRefusal([name], 5, () => {
      const { points, relativeError } = runCase(given, setup)
      const courses = [...points.values()]
      const { timesS } = courses[0]
      const stored = timesS.map(
        (t, k) => courses.reduce((sum, { depthM }) => sum + depthM[k] - rainInTroughM(t), 0) * cellSize ** 2,
      )
      const flows = stored.slice(1).map((volume, k) => (volume - stored[k]) / (timesS[k + 1] - timesS[k]))
      const middles = timesS.slice(1).map((t, k) => (t + timesS[k]) / 2)
      const at = (t: number) => 1e4 * between(middles, flows, t)
      const half = middles.find((t, k) => t > RAIN.forS && flows[k] < 1.85e-4) ?? Number.NaN
      const error = Math.sqrt(
        measured.reduce((sum, [t, q]) => sum + (at(t) - 1e4 * q) ** 2, 0) / measured.length,
      )
      return [
        figure(at(20), 3),
        figure(at(40), 3),
        figure(half, 3),
        figure(error, 2),
        figure(Math.abs(relativeError), 2),
      ]
    }),
  )
  const read = (t: number) =>
    figure(
      1e4 *
        between(
          measured.map(([at]) => at),
          measured.map(([, q]) => q),
          t,
        ),
      3,
    )
  return [
    '### Rain on a block of steel planes',
    '',
    'About 2 x 2.5 m on cells of 1 cm, 317 mm/h for 45 s, n 0.009 (Cea et al. 2008): outflow at the lower edge after 20 and 40 s, 1e-4 m3/s,',
    'when it has halved, s, and the root mean square difference from the hydrograph read off the figure (which is 9 % short of the rain).',
    '',
    ...table(
      ['scheme', '20 s', '40 s', 'half', 'RMSE', 'balance'],
      [...rows, ['measured', read(20), read(40), '58', '', '']],
    ),
  ]
}
