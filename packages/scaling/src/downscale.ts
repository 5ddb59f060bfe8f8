import type { MultifractalParameters } from './cascade.ts'
import { extremalLevy, stepAmplitude } from './levy.ts'
import { seededRandom } from './random.ts'

/** Rain on a coarse grid at even times. */
export interface CoarseRain {
  nrows: number
  ncols: number
  /** mm/h, `[time][row * ncols + col]`, row 0 north; NaN = missing, 0 = no rain. */
  rateMmH: readonly Float32Array[]
}

export interface Downscaling extends MultifractalParameters {
  /** Steps of ratio 2 in space: 3 takes cells of 250 m to 31 m. */
  spaceSteps: number
  /** Steps of ratio 2 in time, not more than in space: 2 takes one frame to four. */
  timeSteps: number
  seed: number
}

/**
 * One member of an ensemble of fine rain that a universal multifractal cascade makes of coarse rain.
 *
 * The cascade is blunt (after Gires et al. 2020): the draws of each step lie on a lattice that is moved at random,
 * and each cell takes the weighted sum of the draws around it, the weights scaled so that their alpha-th powers sum
 * to 1. Such a sum of extremal stable variables is one of the same law, so that every cell keeps the statistics
 * of a discrete cascade and no 2 x 2 seams are fixed in place. Halvings of time are spread over the steps of space:
 * three of space and two of time are the anisotropy of space-time rain, 8 to 8^(2/3) (exponent 1/3). What one step
 * draws is held over the times that it does not part.
 * Each coarse cell's fine cells are then scaled so that their mean is exactly the coarse rate, but for rounding.
 *
 * @returns mm/h, `[fine time][fine row * fine ncols + fine col]`; missing cells stay missing, dry ones dry
 * @throws RangeError for more steps in time than in space, or parameters outside their range
 */
export function downscale(rain: CoarseRain, options: Downscaling): Float32Array[] {
  const { spaceSteps, timeSteps } = options
  if (!(spaceSteps >= 1 && spaceSteps <= 6 && timeSteps >= 0 && timeSteps <= spaceSteps))
    throw new RangeError(`${spaceSteps} steps in space and ${timeSteps} in time`)
  if (!(options.c1 > 0)) throw new RangeError(`C1 is ${options.c1}`)
  const fine: FineGrid = {
    nrows: rain.nrows * 2 ** spaceSteps,
    ncols: rain.ncols * 2 ** spaceSteps,
    times: rain.rateMmH.length * 2 ** timeSteps,
  }
  const logs = Array.from({ length: fine.times }, () => new Float32Array(fine.nrows * fine.ncols))
  addGenerator(logs, fine, options)
  rain.rateMmH.forEach((rates, t) => {
    conserve(rates, rain, logs.slice(t * 2 ** timeSteps, (t + 1) * 2 ** timeSteps), 2 ** spaceSteps)
  })
  return logs
}

interface FineGrid {
  nrows: number
  ncols: number
  times: number
}

/** Adds the generators of all steps to `logs`. */
function addGenerator(logs: Float32Array[], { nrows, ncols, times }: FineGrid, options: Downscaling): void {
  const { alpha, c1, spaceSteps, timeSteps, seed } = options
  const random = seededRandom(seed)
  const draw = extremalLevy(alpha, random)
  const amplitude = stepAmplitude(alpha, c1)
  for (let step = 1; step <= spaceSteps; step++) {
    const cell = 2 ** (spaceSteps - step)
    const held = 2 ** Math.max(0, timeSteps - Math.ceil((step * timeSteps) / spaceSteps))
    for (let from = 0; from < times; from += held) {
      const rows = place(nrows, cell, random.uniform(), alpha)
      const cols = place(ncols, cell, random.uniform(), alpha)
      const lattice = new Float64Array(rows.nodes * cols.nodes)
      for (let i = 0; i < lattice.length; i++) lattice[i] = amplitude * draw()
      addLayer(logs[from], lattice, rows, cols)
      for (let t = from + 1; t < from + held; t++) addLayer(logs[t], lattice, rows, cols)
    }
  }
}

/** Where each fine row (or column) lies between the nodes of a moved lattice. */
interface Placement {
  nodes: number
  /** Node before each fine cell. */
  node: Int32Array
  /** Weight of that node and of the next; their alpha-th powers sum to 1. */
  before: Float64Array
  after: Float64Array
}

function place(count: number, cell: number, shift: number, alpha: number): Placement {
  const node = new Int32Array(count)
  const before = new Float64Array(count)
  const after = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const at = (i + 0.5) / cell + shift
    node[i] = Math.floor(at)
    const w = at - node[i]
    // Cells of the lattice are flat over their inner half and blend over the outer one.
    const blend = Math.min(1, Math.max(0, 2 * w - 0.5))
    const norm = ((1 - blend) ** alpha + blend ** alpha) ** (1 / alpha)
    before[i] = (1 - blend) / norm
    after[i] = blend / norm
  }
  return { nodes: node[count - 1] + 2, node, before, after }
}

/** Adds to each fine cell the weighted draws of the four nodes around it. */
function addLayer(out: Float32Array, lattice: Float64Array, rows: Placement, cols: Placement): void {
  const { node, before, after } = cols
  let k = 0
  for (let row = 0; row < rows.node.length; row++) {
    const upper = rows.node[row] * cols.nodes
    const lower = upper + cols.nodes
    const [ofUpper, ofLower] = [rows.before[row], rows.after[row]]
    for (let col = 0; col < node.length; col++) {
      const at = node[col]
      out[k++] +=
        ofUpper * (before[col] * lattice[upper + at] + after[col] * lattice[upper + at + 1]) +
        ofLower * (before[col] * lattice[lower + at] + after[col] * lattice[lower + at + 1])
    }
  }
}

/** Turns generators into rates whose mean over each coarse cell is the coarse rate. */
function conserve(
  rates: Float32Array,
  { nrows, ncols }: CoarseRain,
  logs: Float32Array[],
  ratio: number,
): void {
  const fineCols = ncols * ratio
  for (let row = 0; row < nrows; row++) {
    for (let col = 0; col < ncols; col++) {
      const rate = rates[row * ncols + col]
      const block = { start: row * ratio * fineCols + col * ratio, ratio, fineCols }
      if (rate > 0) spreadRate(rate, logs, block)
      else
        for (const values of logs)
          for (let r = 0; r < ratio; r++) {
            const from = block.start + r * fineCols
            values.fill(rate, from, from + ratio)
          }
    }
  }
}

/** Fine cells of one coarse cell: `ratio` lines of as many cells, the first at `start`. */
interface Block {
  start: number
  ratio: number
  fineCols: number
}

function spreadRate(rate: number, logs: Float32Array[], { start, ratio, fineCols }: Block): void {
  const end = start + ratio * fineCols
  let largest = Number.NEGATIVE_INFINITY
  for (const values of logs)
    for (let from = start; from < end; from += fineCols)
      for (let i = from; i < from + ratio; i++) if (values[i] > largest) largest = values[i]
  let sum = 0
  for (const values of logs)
    for (let from = start; from < end; from += fineCols)
      for (let i = from; i < from + ratio; i++) {
        values[i] = Math.exp(values[i] - largest)
        sum += values[i]
      }
  const scale = (rate * ratio * ratio * logs.length) / sum
  for (const values of logs)
    for (let from = start; from < end; from += fineCols)
      for (let i = from; i < from + ratio; i++) values[i] *= scale
}
