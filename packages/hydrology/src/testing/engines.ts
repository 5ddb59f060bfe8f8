import type { SewerNetwork } from '@radx/contracts'
import type { StoringMeasure } from '@radx/contracts/measures'
import type { Gully } from '../coupling/coupling.ts'
import { measureSite } from '../measures/design.ts'
import { type MeasureSite, SurfaceMeasures } from '../measures/measures.ts'
import { type Rain, uniformRain } from '../rain/rain.ts'
import { createSewer } from '../sewer/solver.ts'
import { conduit, junction, network, outfall, section, steady, tank } from '../sewer/testing/build.ts'
import { orifice, pump } from '../sewer/testing/devices.ts'
import { clock, node, rule, set, when } from '../sewer/testing/rules.ts'
import { Simulation } from '../simulation.ts'
import type { Boundary } from '../surface/boundaries.ts'
import { createSurface } from '../surface/surface.ts'
import type { KernelChoice, SurfaceParams } from '../surface/types.ts'
import { smallTown } from './town.ts'

const ROWS = 22
const COLS = 32

/** A line of pipes too narrow for the storm, a tank behind a gate, a pump, a flow of its own, rules and a controller. */
export function devicesNetwork(): SewerNetwork {
  const pipe = (size: number) => section('CIRCULAR', size)
  const net = network(
    [
      junction('A', 49, { fullDepthM: 1.2, inflows: [steady(0.06)] }),
      junction('B', 48.4, { fullDepthM: 1 }),
      tank('T', 46, 6),
      junction('P', 45, { initDepthM: 0.3 }),
      outfall('O', 44.5, { flapGate: true }),
      outfall('S', 47.9),
    ],
    [
      conduit('AB', 0, 1, 250, pipe(0.2)),
      conduit('BT', 1, 2, 40, pipe(0.12), { outOffsetM: 1 }),
      orifice({ name: 'G', from: 2, to: 3 }),
      pump({ name: 'U', from: 3, to: 4, startDepthM: 0.25, stopDepthM: 0.1 }),
      conduit('BS', 1, 5, 30, pipe(0.1), { inOffsetM: 0.4 }),
      conduit('PO', 3, 4, 60, pipe(0.25), { inOffsetM: 0.3 }),
    ],
    { ruleStepS: 20, surchargeMethod: 'EXTRAN' },
  )
  const pid = { type: 'pid', kp: -0.4, ki: 5, kd: 0.1 } as const
  net.rules = [
    rule([when(node(2, 'DEPTH'), '>', 0.05)], [{ link: 2, setting: pid }], { name: 'C' }),
    rule([when(clock('TIME'), '>', 500)], [set(4, 0)], { name: 'D', elseActions: [set(4, 1)] }),
  ]
  return net
}

/** A cloudburst from minute 3 to 10 of 16, piece by piece, by cell where `byCell`. */
export function cloudburst(byCell: boolean, mmH = 400): Rain {
  const rates = Array.from({ length: 16 }, (_, k) => (k >= 3 && k < 10 ? mmH * (1 + Math.sin(k)) : 0))
  const even = uniformRain(rates, 60)
  if (!byCell) return even
  const cells = new Float64Array(ROWS * COLS)
  return {
    ...even,
    rateMS(piece) {
      const rate = even.rateMS(piece) as number
      return rate === 0 ? 0 : cells.map((_, cell) => rate * (cell % 7 === 0 ? 0 : 1 + Math.cos(cell * 0.1)))
    },
  }
}

export interface EngineChoice {
  kernel: KernelChoice
  /** No sewer, or one with these inner loops. */
  sewer: 'none' | { wasm?: BufferSource }
  soil: boolean
  /** Water at the start, and a boundary through which it comes and one where a level holds. */
  started: boolean
  rain: Rain
  /** A measure of each kind in the streets and beside them. */
  measures?: readonly MeasureSite[]
}

/** A measure on cells, with a drain to a node or onto the surface. */
export function siteOf(measure: StoringMeasure, cells: number[], node = -1, soil = true): MeasureSite {
  return measureSite(measure, { name: measure.kind, cells, soil, node })
}

/** One of each kind on the town's hillside. */
export const townMeasures = (): MeasureSite[] => [
  siteOf({ kind: 'green-roof', evaporationMmDay: 5 }, [9 * COLS + 11, 9 * COLS + 12]),
  siteOf({ kind: 'rain-garden', storageMm: 200, drainMmH: 40 }, [12 * COLS + 9, 13 * COLS + 9], 0),
  siteOf({ kind: 'swale' }, [14 * COLS + 20, 15 * COLS + 20]),
  siteOf({ kind: 'trench', drainMmH: 20, drainOffsetMm: 100 }, [16 * COLS + 4], 1),
  siteOf({ kind: 'pavement', drainMmH: 30 }, [5 * COLS + 14, 5 * COLS + 15, 5 * COLS + 16]),
  siteOf({ kind: 'basin', storageMm: 300, evaporationMmDay: 5 }, [17 * COLS + 12, 17 * COLS + 13]),
  siteOf({ kind: 'barrel', drainDelayH: 0.02 }, [10 * COLS + 5]),
]

const river: Boundary[] = [
  {
    name: 'in',
    kind: 'discharge',
    series: { timesS: [0, 900], values: [0.2, 0.6] },
    faces: [],
    cells: [14 * COLS + 7, 15 * COLS + 7],
  },
  {
    name: 'out',
    kind: 'level',
    series: { timesS: [0], values: [58] },
    faces: [{ cell: 18 * COLS + COLS - 1, side: 0 }],
    cells: [],
  },
]

/** A small town with all that an engine can have. */
export function createEngine({ kernel, sewer, soil, started, rain, ...more }: EngineChoice): Simulation {
  const { grid, params } = smallTown(ROWS, COLS)
  const chosen: SurfaceParams = soil ? params : { ...params, soil: undefined }
  const surface = createSurface(grid, chosen, kernel, started ? { halvings: 0 } : {})
  if (started) {
    surface.setInitial(grid.elevationM.map((_, cell) => (cell % 11 === 0 ? 0.2 : 0)))
    surface.setBoundaries(river)
  }
  const measures = more.measures && new SurfaceMeasures(surface, more.measures)
  if (sewer === 'none') return new Simulation({ surface, rain, measures })
  const net = devicesNetwork()
  const street = (row: number, col: number, junctionName: string): Gully => ({
    name: `${row}-${col}`,
    cell: row * COLS + col,
    junction: junctionName,
    widthM: 2,
  })
  const gullies = [street(5, 9, 'A'), street(5, 22, 'B'), street(17, 22, 'B'), street(17, 7, 'A')]
  const nodeCells = Int32Array.of(5 * COLS + 9, 5 * COLS + 22, 6 * COLS + 20, -1, -1, -1)
  const made = createSewer(net, { coupled: true, ...sewer })
  return new Simulation({
    surface,
    rain,
    measures,
    sewer: { sewer: made, coupling: { gullies, nodeCells, takes: true } },
  })
}
