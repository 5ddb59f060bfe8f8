import type { Layout } from './layout.ts'
import type { Kernel } from './types.ts'
import { slotOf } from './types.ts'

export interface DeepCellsInput {
  layout: Layout
  kernel: Kernel
  /** Cells of the model that are not permanent water, and their padded indices. */
  cells: Int32Array
  indices: Int32Array
  leastM: number
}

/**
 * Finds the cells that hold more water than some depth, again and again. Largest depths lie close together and only grow:
 * cells that never were as deep are passed over by them.
 */
export class DeepCells {
  /** So many of the arrays are filled, in the order of the cells (`[row * ncols + col]`). */
  count = 0
  readonly cells: Int32Array
  readonly depthM: Float64Array
  /** Speed to the east and to the north, m/s; 0 in a film. */
  readonly eastMS: Float64Array
  readonly northMS: Float64Array
  private readonly input: DeepCellsInput
  /** What largest depths are compared with: they may be rounded to f32. */
  private readonly leastEverM: number
  /** Places, in the list of the model's cells, of those that never were as deep and of those that were; both rise. */
  private readonly rest: Int32Array
  private restCount: number
  private readonly ever: Int32Array
  private everCount = 0
  private readonly slots: Int32Array

  constructor(input: DeepCellsInput) {
    const { indices, kernel, leastM } = input
    const { maxDepth } = kernel.fields
    this.input = input
    this.leastEverM = Math.min(leastM, Math.fround(leastM))
    this.rest = Int32Array.from(indices.keys())
    this.restCount = indices.length
    this.ever = new Int32Array(indices.length)
    this.slots = indices.map((i) => slotOf(maxDepth, i))
    this.cells = new Int32Array(indices.length)
    this.depthM = new Float64Array(indices.length)
    this.eastMS = new Float64Array(indices.length)
    this.northMS = new Float64Array(indices.length)
  }

  /** Fills the arrays with the water as it stands now. */
  look(): void {
    this.takeNew()
    if (this.input.kernel.velocity) this.lookAtVelocities()
    else this.lookAtFaces()
  }

  /** Moves cells that have become as deep from one list to the other. */
  private takeNew(): void {
    const { rest, restCount, slots, leastEverM } = this
    const maxDepth = this.input.kernel.fields.maxDepth.values
    let kept = 0
    const found: number[] = []
    for (let j = 0; j < restCount; j++) {
      const k = rest[j]
      if (maxDepth[slots[k]] < leastEverM) rest[kept++] = k
      else found.push(k)
    }
    this.restCount = kept
    if (found.length > 0) this.merge(found)
  }

  private merge(found: readonly number[]): void {
    const { ever } = this
    let old = this.everCount - 1
    let to = this.everCount + found.length - 1
    this.everCount += found.length
    for (let j = found.length - 1; j >= 0; j--) {
      while (old >= 0 && ever[old] > found[j]) ever[to--] = ever[old--]
      ever[to--] = found[j]
    }
  }

  private lookAtFaces(): void {
    const { ever, everCount, cells, depthM, eastMS, northMS } = this
    const { kernel, layout, indices, leastM } = this.input
    const { depth, qx, qy } = kernel.fields
    const { stride } = layout
    const { dryDepthM } = layout.options
    let count = 0
    for (let j = 0; j < everCount; j++) {
      const k = ever[j]
      const i = indices[k]
      const h = depth.values[(i >> 2) * depth.quad + (i & 3)]
      if (!(h > leastM)) continue
      cells[count] = this.input.cells[k]
      depthM[count] = h
      const isFilm = h <= dryDepthM
      eastMS[count] = isFilm ? 0 : sumAt(qx.values, qx.quad, i, i - 1) / (2 * h)
      northMS[count] = isFilm ? 0 : -sumAt(qy.values, qy.quad, i, i - stride) / (2 * h)
      count++
    }
    this.count = count
  }

  private lookAtVelocities(): void {
    const { ever, everCount } = this
    const { kernel, cells, indices, leastM } = this.input
    const { depth } = kernel.fields
    let count = 0
    for (let j = 0; j < everCount; j++) {
      const i = indices[ever[j]]
      const h = depth.values[slotOf(depth, i)]
      if (!(h > leastM)) continue
      const velocity = kernel.velocity!(i)
      this.cells[count] = cells[ever[j]]
      this.depthM[count] = h
      this.eastMS[count] = velocity.eastMS
      this.northMS[count] = -velocity.southMS
      count++
    }
    this.count = count
  }
}

const sumAt = (values: Float32Array | Float64Array, quad: number, i: number, k: number): number =>
  values[(i >> 2) * quad + (i & 3)] + values[(k >> 2) * quad + (k & 3)]
