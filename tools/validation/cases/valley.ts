import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readEsriAscii } from '@radx/formats/esri-ascii'
import { REFERENCE_DATA } from '../../../tests/conformance/reference-data.ts'
import { figure, table } from '../section.ts'
import { type Case, coarser, LARGE_SETUPS, rowOrRefusal, runCase } from './command.ts'

const FACTOR = 5
const HOUR_S = 3600
const POINTS = [
  [235200, 832400],
  [236700, 833800],
  [237800, 835200],
  [239400, 838000],
  [243300, 840300],
  [235700, 832500],
  [237700, 835500],
].map(([x, y], k) => ({ name: String(k + 1), x, y }))

function setting(): Case {
  const packed = readFileSync(join(REFERENCE_DATA, 'surface/ea_test5/ea5-10m.dem.gz'))
  const grid = readEsriAscii(gunzipSync(packed).toString('latin1'), 'ea5-10m.dem')
  const bed = coarser(grid, FACTOR)
  return {
    name: 'EA 5',
    bed,
    manning: 0.04,
    points: POINTS,
    boundaries: [
      {
        name: 'breach',
        kind: 'discharge',
        line: [
          [232595, 830480],
          [232785, 830290],
        ],
        timesS: [0, 300, 600, 1200, 6000, 30 * HOUR_S],
        values: [0, 0, 3000, 3000, 0, 0],
      },
    ],
    endS: 30 * HOUR_S,
    intervalS: 60,
  }
}

/** Flood of a valley after the failure of a dam: test 5 of the Environment Agency (Néelz and Pender 2013). */
export function valley(): string[] {
  const given = setting()
  const rows = LARGE_SETUPS.map(([name, setup]) =>
    rowOrRefusal([name], 8, () => {
      const { points, relativeError } = runCase(given, setup)
      const cells = POINTS.map(({ name: point }) => {
        const { timesS, depthM, levelM, speedMS } = points.get(point)!
        const peak = Math.max(...levelM)
        const first = timesS[depthM.findIndex((depth) => depth > 0.1)] ?? Number.NaN
        return `${peak.toFixed(2)} / ${figure(first / 60, 3)} / ${Math.max(...speedMS).toFixed(1)}`
      })
      return [...cells, figure(Math.abs(relativeError), 2)]
    }),
  )
  return [
    '### Valley (EA 5)',
    '',
    'The Environment Agency’s terrain as means on 50 m, n 0.04, closed, 9.45 million m3 through a breach of 260 m, 30 h. At the seven points:',
    'highest level, m, first 10 cm of water, min, fastest speed, m/s.',
    '',
    ...table(['scheme', ...POINTS.map(({ name }) => name), 'balance'], rows),
  ]
}
