import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type EsriGrid, readEsriAscii } from '@radx/formats/esri-ascii'
import type { Scheme } from '@radx/hydrology/surface/types'

const RADX = resolve(import.meta.dirname, '../../../apps/server/bin/radx.js')

export interface Setup {
  scheme: Scheme
  order: 1 | 2
}

/** What each benchmark is computed with. */
export const SETUPS: ReadonlyArray<[name: string, setup: Setup]> = [
  ['local inertia', { scheme: 'inertial', order: 1 }],
  ['full, order 1', { scheme: 'full', order: 1 }],
  ['full, order 2', { scheme: 'full', order: 2 }],
]

/** Large ones are left to what `--scheme auto` takes: the second order would be at them for hours. */
export const LARGE_SETUPS = SETUPS.slice(0, 2)

export interface Boundary {
  name: string
  kind: string
  /** Of the model's edge or across it, in the coordinates of the grid, m. */
  line: Array<[x: number, y: number]>
  timesS?: number[]
  values?: number[]
}

/** A benchmark as a package without sewer and soil. */
export interface Case {
  name: string
  /** Bed, m, row 0 north, NaN outside. */
  bed: Omit<EsriGrid, 'noData'>
  manning: number
  /** Depth at the start, m; dry without it. */
  depthM?: Float64Array
  points: Array<{ name: string; x: number; y: number }>
  boundaries?: Boundary[]
  /** Rain, mm/h, over steps of `stepS`; none by default. */
  rain?: { stepS: number; ratesMmH: number[] }
  endS: number
  intervalS: number
}

export interface PointCourse {
  timesS: number[]
  depthM: number[]
  levelM: number[]
  speedMS: number[]
}

export interface Outcome {
  points: ReadonlyMap<string, PointCourse>
  /** Largest depth, m. */
  deepest: EsriGrid
  /** Error of the balance over the water. */
  relativeError: number
  steps: number
}

/** Raised where the command refuses to compute a case, with what it said. */
export class Refused extends Error {
  constructor(told: string) {
    super(told.trim().split('\n').pop())
    this.name = 'Refused'
  }
}

/** A row of a table with what a scheme makes of a case, or that it refused to. */
export function rowOrRefusal(head: string[], columns: number, row: () => string[]): string[] {
  try {
    return [...head, ...row()]
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    console.error(`${head.join(', ')} : ${error.message}`)
    return [...head, 'not run: refused', ...new Array<string>(columns - 1).fill('')]
  }
}

/** Writes the package, and runs `radx simulate` on it as a user would. */
export function runCase(given: Case, { scheme, order }: Setup): Outcome {
  const root = mkdtempSync(join(tmpdir(), 'radx-benchmark-'))
  try {
    const folder = join(root, 'package')
    const out = join(root, 'out')
    mkdirSync(folder)
    for (const [name, text] of Object.entries(filesOf(given))) writeFileSync(join(folder, name), text)
    const options = ['--scheme', scheme, '--interval', String(given.intervalS), '--modules', 'none']
    if (scheme === 'full') options.push('--order', String(order))
    options.push('--rain', join(folder, 'rain.csv'), '--out', out)
    const { status, stderr } = spawnSync(process.execPath, [RADX, 'simulate', folder, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
    if (status !== 0) throw new Refused(stderr)
    const text = (name: string) => readFileSync(join(out, name), 'utf8')
    return {
      points: readPoints(text('points-series.csv')),
      deepest: readEsriAscii(text('max_waterdepth_10m.txt'), 'max_waterdepth_10m.txt'),
      relativeError: JSON.parse(text('balance.json')).relativeError,
      steps: JSON.parse(text('run.json')).steps,
    }
  } finally {
    rmSync(root, { recursive: true })
  }
}

function filesOf(given: Case): Record<string, string> {
  const { bed, manning, depthM, points, boundaries = [], endS } = given
  const { ncols, nrows, xll, yll, cellSize } = bed
  const rain = given.rain ?? { stepS: endS / 2, ratesMmH: [0, 0] }
  const times = Array.from({ length: Math.round(endS / rain.stepS) }, (_, k) => 1000 * k * rain.stepS)
  const files: Record<string, string> = {
    'catchment.json': JSON.stringify({
      id: 'benchmark',
      display: given.name,
      crs: 'EPSG:2154',
      cellSize,
      ncols,
      nrows,
      xll,
      yll,
      edges: 'closed',
    }),
    'elevation.asc': asciiGrid(bed, bed.data),
    'luse.asc': asciiGrid(
      bed,
      bed.data.map((z) => (Number.isNaN(z) ? Number.NaN : 2)),
    ),
    'parameters.json': JSON.stringify({
      2: { n: manning, khMS: 0, capshM: 0, soilmd: 0, interceptionM: 0 },
    }),
    'points.csv': `name,x,y\n${points.map(({ name, x, y }) => `${name},${x},${y}\n`).join('')}`,
    'rain.csv': `date,mm/h\n${times.map((ms, k) => `${new Date(ms).toISOString()},${rain.ratesMmH[k] ?? 0}\n`).join('')}`,
  }
  if (depthM) files['initial-depth.asc'] = asciiGrid(bed, depthM)
  if (boundaries.length > 0) {
    files['boundaries.geojson'] = JSON.stringify({
      type: 'FeatureCollection',
      features: boundaries.map(({ name, kind, line }) => ({
        type: 'Feature',
        properties: { name, kind },
        geometry: { type: 'LineString', coordinates: line },
      })),
    })
    const rows = boundaries.flatMap(({ name, timesS = [], values = [] }) =>
      timesS.map((timeS, k) => `${name},${timeS},${values[k]}\n`),
    )
    files['boundaries.csv'] = `name,time_s,value\n${rows.join('')}`
  }
  return files
}

function asciiGrid({ ncols, nrows, xll, yll, cellSize }: Case['bed'], data: Float64Array): string {
  const rows = Array.from({ length: nrows }, (_, row) =>
    Array.from(data.subarray(row * ncols, (row + 1) * ncols), (value) =>
      Number.isNaN(value) ? '-9999' : String(value),
    ).join(' '),
  )
  const head = `ncols ${ncols}\nnrows ${nrows}\nxllcorner ${xll}\nyllcorner ${yll}\ncellsize ${cellSize}\nNODATA_value -9999\n`
  return `${head}${rows.join('\n')}\n`
}

function readPoints(text: string): Map<string, PointCourse> {
  const courses = new Map<string, PointCourse>()
  for (const line of text.trimEnd().split('\n').slice(1)) {
    const [time, name, ...values] = line.split(',')
    const course = courses.get(name) ?? { timesS: [], depthM: [], levelM: [], speedMS: [] }
    courses.set(name, course)
    const [depthM, levelM, speedMS] = values.map(Number)
    course.timesS.push(Number(time))
    course.depthM.push(depthM)
    course.levelM.push(levelM)
    course.speedMS.push(speedMS)
  }
  return courses
}

/** Centre of a cell, m. */
export function centreOf(
  { ncols, nrows, xll, yll, cellSize }: Case['bed'],
  cell: number,
): [x: number, y: number] {
  const row = Math.floor(cell / ncols)
  return [xll + ((cell % ncols) + 0.5) * cellSize, yll + (nrows - row - 0.5) * cellSize]
}

/** A bed by its formula at the centres of cells. */
export function bedOf(grid: Omit<Case['bed'], 'data'>, z: (x: number, y: number) => number): Case['bed'] {
  const bed = { ...grid, data: new Float64Array(grid.ncols * grid.nrows) }
  for (let cell = 0; cell < bed.data.length; cell++) bed.data[cell] = z(...centreOf(bed, cell))
  return bed
}

/** Means of `factor` x `factor` cells, without those that have no value; rows and columns that are left over go. */
export function coarser(grid: Case['bed'], factor: number): Case['bed'] {
  const ncols = Math.floor(grid.ncols / factor)
  const nrows = Math.floor(grid.nrows / factor)
  const data = new Float64Array(nrows * ncols)
  for (let cell = 0; cell < data.length; cell++) {
    const [row, col] = [Math.floor(cell / ncols) * factor, (cell % ncols) * factor]
    let [sum, count] = [0, 0]
    for (let r = row; r < row + factor; r++)
      for (let c = col; c < col + factor; c++) {
        const value = grid.data[r * grid.ncols + c]
        if (Number.isNaN(value)) continue
        sum += value
        count++
      }
    data[cell] = count === 0 ? Number.NaN : sum / count
  }
  const yll = grid.yll + (grid.nrows - nrows * factor) * grid.cellSize
  return { ncols, nrows, xll: grid.xll, yll, cellSize: grid.cellSize * factor, data }
}

export const rootMeanSquare = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length)

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** A value between the rows of a table, linear. */
export function between(x: readonly number[], y: readonly number[], at: number): number {
  let k = 0
  while (k < x.length - 2 && x[k + 1] < at) k++
  const share = Math.min(1, Math.max(0, (at - x[k]) / (x[k + 1] - x[k])))
  return y[k] + share * (y[k + 1] - y[k])
}

/** Rows of numbers of a text whose columns `separator` parts; lines that begin otherwise are left out. */
export const numberRows = (text: string, separator: string | RegExp = ','): number[][] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /^[-+.\d]/.test(line))
    .map((line) => line.split(separator).map((cell) => (cell === '' ? Number.NaN : Number(cell))))
