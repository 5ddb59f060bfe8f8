import { readEsriAscii } from '@radx/formats/esri-ascii'
import { surfaceText } from '../../../tests/conformance/surface-data.ts'
import { figure, table } from '../section.ts'
import {
  between,
  centreOf,
  numberRows,
  type Outcome,
  rootMeanSquare,
  rowOrRefusal,
  runCase,
  SETUPS,
} from './command.ts'

const GAUGES = [
  { name: 'ch5', x: 4.521, y: 1.196 },
  { name: 'ch7', x: 4.521, y: 1.696 },
  { name: 'ch9', x: 4.521, y: 2.196 },
]
const END_S = 22.5
const WET_M = 0.001
/** The valley with the highest run-up: within so much of it, m. */
const VALLEY = { x: 5.1575, y: 1.88, withinM: 0.1 }

function runUp({ deepest }: Outcome, bed: Float64Array): number {
  let highest = 0
  for (let cell = 0; cell < bed.length; cell++) {
    const [x, y] = centreOf(deepest, cell)
    if (Math.hypot(x - VALLEY.x, y - VALLEY.y) > VALLEY.withinM || !(deepest.data[cell] > WET_M)) continue
    highest = Math.max(highest, bed[cell])
  }
  return highest
}

/** The run-up of 1993 at Okushiri, in a basin at 1:400 (Matsuyama and Tanaka 2001). */
export function monai(): string[] {
  const bed = readEsriAscii(surfaceText('monai_okushiri/bathymetry.asc'), 'bathymetry.asc')
  const wave = numberRows(surfaceText('monai_okushiri/Benchmark_2_input.txt'), /\s+/)
  const measured = numberRows(surfaceText('monai_okushiri/output_ch5-7-9.txt'), /\s+/).filter(
    ([t]) => t <= END_S,
  )
  const given = {
    name: 'Monai',
    bed,
    manning: 0.0025,
    depthM: bed.data.map((z) => Math.max(0, -z)),
    points: GAUGES,
    boundaries: [
      {
        name: 'sea',
        kind: 'level',
        line: [
          [bed.xll, bed.yll],
          [bed.xll, bed.yll + bed.nrows * bed.cellSize],
        ] as Array<[number, number]>,
        timesS: wave.map(([t]) => t),
        values: wave.map(([, level]) => level),
      },
    ],
    endS: END_S,
    intervalS: 0.05,
  }
  const rows = SETUPS.map(([name, setup]) =>
    rowOrRefusal([name], 4, () => {
      const outcome = runCase(given, setup)
      const errors = GAUGES.map(({ name: gauge }, k) => {
        const { timesS, levelM } = outcome.points.get(gauge)!
        const ours = measured.map(([t]) => between(timesS, levelM, t))
        const peak = Math.max(...ours) - Math.max(...measured.map((row) => row[k + 1] / 100))
        const error = rootMeanSquare(ours.map((level, n) => level - measured[n][k + 1] / 100))
        return `${figure(1000 * error, 2)} / ${figure(1000 * peak, 2)}`
      })
      return [...errors, figure(1000 * runUp(outcome, bed.data), 3)]
    }),
  )
  return [
    '### Monai valley',
    '',
    'Run-up at 1:400, cells of 14 mm, n 0.0025, 22.5 s: level at three gauges against that measured, root mean square difference and',
    'difference of the peaks, mm; highest ground under water in the valley, mm (six runs measured 80 to 100).',
    '',
    ...table(['scheme', ...GAUGES.map(({ name }) => name), 'run-up'], rows),
  ]
}
