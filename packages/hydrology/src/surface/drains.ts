import { GRAVITY } from '@radx/contracts/constants'
import type { Stateful, StateVisitor } from '../state/state.ts'

/** An opening through which a cell gives water to an outlet, such as a gully to a junction of the sewer. */
export interface Drain {
  /** row * ncols + col, row 0 north. */
  cell: number
  /** Number of the outlet; several drains may share one. */
  outlet: number
  /** Ground of the cell, m. */
  crestM: number
  /** Factor of h^(3/2) while the head at the outlet stays under the crest; see `drainFlow`. */
  freeWeir: number
  /** Factor of h sqrt(2 g drop) above it, while the opening is not full. */
  submergedWeir: number
  /** Factor of sqrt(2 g drop) from the depth `fullM` on. */
  orifice: number
  fullM: number
}

/** A drain never quite empties its cell (q ~ h^1.5): what is thinner stays on it, m. */
export const FILM_M = 1e-5

/**
 * Flow out of a cell, m3/s, >= 0: a free weir while the head stays under the crest; above it a submerged weir, or an
 * orifice once the water is deep enough to fill the opening. 0 when the head stands above the water.
 */
export function drainFlow(drain: Omit<Drain, 'cell' | 'outlet'>, depthM: number, headM: number): number {
  const { crestM, freeWeir, submergedWeir, orifice, fullM } = drain
  if (headM <= crestM) return freeWeir * depthM * Math.sqrt(depthM)
  const drop = crestM + depthM - headM
  if (drop <= 0) return 0
  const speed = Math.sqrt(2 * GRAVITY * drop)
  return depthM < fullM ? submergedWeir * depthM * speed : orifice * speed
}

/** A drain of a padded cell, as kernels know it. */
export interface PlacedDrain extends Drain {
  index: number
}

/** What a kernel shares about its drains. */
export interface DrainState {
  /** Read by the kernel: head at each outlet, m. */
  headsM: Float64Array
  /** Written by the kernel: what each drain took in the last part of a step, m of its cell. */
  takenM: Float64Array
}

/** What the drains of a surface take, by outlet. */
export class Drained implements Stateful {
  /** Head at each outlet, m, as the drains see it; kept up to date by the caller. */
  readonly headsM: Float64Array
  /** Taken for each outlet since the caller last set them to 0, m3. */
  readonly volumesM3: Float64Array
  /** Taken since the start, m3. */
  totalM3 = 0
  private readonly takenM: Float64Array
  private readonly outlets: Int32Array
  private readonly areaM2: number

  /** @param drains in the order of the kernel's */
  constructor(drains: readonly Drain[], { headsM, takenM }: DrainState, areaM2: number) {
    this.headsM = headsM
    this.volumesM3 = new Float64Array(headsM.length)
    this.takenM = takenM
    this.outlets = Int32Array.from(drains, ({ outlet }) => outlet)
    this.areaM2 = areaM2
  }

  visit(state: StateVisitor): void {
    this.totalM3 = state.number('totalM3', this.totalM3)
    state.array('headsM', this.headsM)
    state.array('volumesM3', this.volumesM3)
    state.scratch(this.takenM)
  }

  /** Adds up what the last part of a step took. @returns `sumM` less all of it, m of a cell */
  collect(sumM: number): number {
    const { takenM, outlets, volumesM3, areaM2 } = this
    let sum = sumM
    let total = this.totalM3
    for (let k = 0; k < takenM.length; k++) {
      const taken = takenM[k]
      if (taken === 0) continue
      sum -= taken
      const volume = taken * areaM2
      volumesM3[outlets[k]] += volume
      total += volume
    }
    this.totalM3 = total
    return sum
  }
}
