import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CalibrationParameter, ParameterValue } from '@radx/contracts/calibration'
import { SeededDraws } from '@radx/hydrology/calibration/random'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import type { FitTask } from '../calibration/fit.ts'
import { packRain } from '../calibration/packed-rain.ts'
import { type EventSetup, simulateEvent } from '../calibration/trial.ts'
import { readCatchmentPackage } from '../catchment/catchment-package.ts'

/** Side of the town, m: whole cells of every cell size below. */
const [WIDTH_M, HEIGHT_M] = [320, 200]
const STREET = { from: 90, to: 110 }
const GULLIES_AT_M = [75, 155, 235]

/**
 * A valley with a street along its bottom, gardens on both slopes, houses in them, three gullies and four pipes: the same
 * ground whatever its cell size (5, 10 or 20 m).
 */
export function writeTwinTown(dir: string, cellM: number): string {
  const [ncols, nrows] = [WIDTH_M / cellM, HEIGHT_M / cellM]
  const grid = (value: (x: number, y: number) => number) => {
    const rows = Array.from({ length: nrows }, (_, row) =>
      Array.from({ length: ncols }, (_, col) => value((col + 0.5) * cellM, (row + 0.5) * cellM)).join(' '),
    )
    return `ncols ${ncols}\nnrows ${nrows}\nxllcorner 1000\nyllcorner 2000\ncellsize ${cellM}\nNODATA_value -9999\n${rows.join('\n')}\n`
  }
  const gullyRow = Math.floor(100 / cellM)
  const isGully = (x: number, y: number) =>
    Math.floor(y / cellM) === gullyRow &&
    GULLIES_AT_M.some((at) => Math.floor(at / cellM) === Math.floor(x / cellM))
  const inStreet = (y: number) => y >= STREET.from && y < STREET.to
  const isHouse = (x: number, y: number) => Math.floor(x / 20) % 3 === 1 && Math.floor(y / 20) % 4 === 1
  const files: Record<string, string> = {
    'catchment.json': JSON.stringify({
      id: 'jumeau',
      display: 'Bassin jumeau',
      crs: 'EPSG:2154',
      cellSize: cellM,
      ncols,
      nrows,
      xll: 1000,
      yll: 2000,
    }),
    'elevation.asc': grid((x, y) => {
      const aside = Math.max(0, Math.abs(y - 100) - 10)
      return Number((40 - 0.008 * x + 0.03 * aside).toFixed(4))
    }),
    'luse.asc': grid((x, y) => (isGully(x, y) ? 5 : inStreet(y) ? 2 : isHouse(x, y) ? 4 : 3)),
    'gullies.csv': [
      'gully,row,col,junction',
      ...GULLIES_AT_M.map((at, k) => `G-${k + 1},${gullyRow},${Math.floor(at / cellM)},J-${k + 1}`),
      '',
    ].join('\n'),
    'network.inp': NETWORK,
  }
  mkdirSync(dir, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  return dir
}

const NETWORK = `[OPTIONS]
FLOW_UNITS CMS
FLOW_ROUTING DYNWAVE
LINK_OFFSETS DEPTH
START_DATE 01/01/2026
START_TIME 00:00:00
END_DATE 01/01/2026
END_TIME 06:00:00
ROUTING_STEP 0:00:05

[JUNCTIONS]
;;Name Elevation MaxDepth InitDepth SurDepth Aponded
J-1 37.4 1.9 0 0 0
J-2 37.0 1.7 0 0 0
J-3 36.6 1.5 0 0 0

[OUTFALLS]
OUT-1 36.1 FREE NO

[CONDUITS]
C-1 J-1 J-2 80 0.013 0 0 0 0
C-2 J-2 J-3 80 0.013 0 0 0 0
C-3 J-3 OUT-1 85 0.013 0 0 0 0

[XSECTIONS]
C-1 CIRCULAR 0.6 0 0 0 1
C-2 CIRCULAR 0.6 0 0 0 1
C-3 CIRCULAR 0.6 0 0 0 1

[COORDINATES]
J-1 1075 2100
J-2 1155 2100
J-3 1235 2100
OUT-1 1318 2100
`

/** What the truth has; the town itself has n 0.2, kh 1.8e-6 and a factor of 1. */
export const TWIN_TRUTH: ParameterValue[] = [
  { kind: 'roughness', code: 3, value: 0.13 },
  { kind: 'kh', code: 3, value: 3.2e-6 },
  { kind: 'sewerRoughness', value: 1.35 },
]

export const TWIN_BOUNDS: CalibrationParameter[] = [
  { kind: 'roughness', code: 3, min: 0.05, max: 0.5 },
  { kind: 'kh', code: 3, min: 5e-7, max: 1e-5 },
  { kind: 'sewerRoughness', min: 0.5, max: 2.5 },
]

/** Minutes of storms, mm/h: one with two bursts, a short one, and one that the search does not see. */
const STORMS = [
  {
    name: 'long',
    use: 'calibration',
    rates: virtualRain('double', { t1: 20, t2: 50, t3: 80, iMax: 90, i2: 30, calmAfter: 60 }),
  },
  {
    name: 'court',
    use: 'calibration',
    rates: virtualRain('simple', { d: 30, t: 10, iMax: 120, calmAfter: 60 }),
  },
  {
    name: 'témoin',
    use: 'validation',
    rates: virtualRain('simple', { d: 50, t: 30, iMax: 100, calmAfter: 60 }),
  },
] as const

export interface Twin {
  /** Cell sizes of the truth and of what is fitted, m. */
  truthCellM: number
  cellM: number
  /** Spread of the noise, as a share of each series' largest value. */
  noise: number
  runs: number
  seed: number
  threads: number
}

/**
 * A town whose parameters are known, seen through its sewer: flow of the last pipe and depth of the node before it, each minute, of a run on
 * cells of another size, with noise. Every eighth value is missing.
 */
export async function twinTask(dir: string, twin: Twin): Promise<FitTask> {
  const { truthCellM, cellM, noise, runs, seed, threads } = twin
  const [fine, coarse] = await Promise.all(
    [truthCellM, cellM].map((size) => readCatchmentPackage(writeTwinTown(join(dir, `town-${size}`), size))),
  )
  const draws = new SeededDraws(1000 + seed)
  const events = STORMS.map(({ name, use, rates }): EventSetup => {
    const rain = packRain(uniformRain(rates, 60))
    const timesS = Float64Array.from({ length: rates.length }, (_, k) => (k + 1) * 60)
    const blank = new Float64Array(timesS.length)
    const series: EventSetup['series'] = [
      { name: 'C-3', quantity: 'flow', target: { of: 'link', at: 2 }, timesS, values: blank },
      { name: 'J-2', quantity: 'depth', target: { of: 'node', at: 1 }, timesS, values: blank },
    ]
    const event = {
      name,
      use,
      rain,
      options: { soil: true, drainage: true, soilState: 'wet' as const },
      scheme: 'inertial' as const,
      series,
    }
    const seen = simulateEvent({ ...event, catchment: fine, classes: fine.classes }, TWIN_TRUTH)
    const measured = series.map((one, k) => ({ ...one, values: noisy(seen[k], noise, draws) }))
    return { ...event, catchment: coarse, classes: coarse.classes, series: measured }
  })
  return { parameters: TWIN_BOUNDS, events, objective: 'nse', runs, seed, threads }
}

function noisy(values: Float64Array, share: number, draws: SeededDraws): Float64Array {
  const largest = values.reduce((most, value) => (value > most ? value : most), 0)
  return values.map((value, k) => (k % 8 === 7 ? Number.NaN : value + share * largest * draws.normal()))
}

/** How far each found value lies from the truth, as a share of it. */
export const twinErrors = (values: readonly ParameterValue[]): number[] =>
  TWIN_TRUTH.map(({ value }, k) => values[k].value / value - 1)
