import type { Stateful, StateVisitor } from '../state/state.ts'
import type { DeepCells } from './deep-cells.ts'
import type { Surface } from './surface.ts'

/** Depths from which water arrives, and for how long it stands, m. */
export const DURATION_DEPTHS_M = [0.05, 0.2, 0.5] as const

/**
 * Hazard rating d (v + 0.5) + DF of Defra and the Environment Agency (FD2320/TR2, 2005), with the debris factor of urban
 * land: none up to 25 cm, else 1.
 */
export function defraRating(depthM: number, speedMS: number): number {
  return depthM * (speedMS + 0.5) + (depthM > 0.25 || speedMS > 2 ? 1 : 0)
}

/** Classes of that rating: 0 dry, 1 low (below 0.75), 2 for some (1.25), 3 for most (2.5), 4 for all. */
export function defraClass(rating: number): number {
  if (rating <= 0) return 0
  if (rating < 0.75) return 1
  if (rating < 1.25) return 2
  return rating < 2.5 ? 3 : 4
}

/** Speeds that part slow, middling and fast water, m/s: usual in French risk plans. */
const MIDDLING_MS = 0.2
const FAST_MS = 0.5
/** Rows: depth up to 0.5, 1, 2 m and more; columns: slow, middling, fast. */
const PPRI = [
  [1, 2, 3],
  [2, 2, 3],
  [3, 3, 4],
  [4, 4, 4],
] as const

/**
 * Class of the French grid of depth and speed (order of 5 July 2019 on flood risk plans): 1 low, 2 middling, 3 high, 4 very
 * high; 0 dry.
 */
export function ppriClass(depthM: number, speedMS: number): number {
  if (depthM <= 0) return 0
  const row = depthM <= 0.5 ? 0 : depthM <= 1 ? 1 : depthM <= 2 ? 2 : 3
  return PPRI[row][speedMS < MIDDLING_MS ? 0 : speedMS < FAST_MS ? 1 : 2]
}

/**
 * What water of more than 5 cm means, by cell (`[row * ncols + col]`, row 0 north): when it arrives, s (NaN where it never
 * does), how long it is deeper than each of `DURATION_DEPTHS_M`, s, and the worst class at any moment, of depth and speed
 * then. Times are as fine as the looks taken.
 */
export class HazardMaps implements Stateful {
  readonly arrivalS: Float32Array
  readonly durationsS: Float32Array[]
  readonly defra: Uint8Array
  readonly ppri: Uint8Array
  private lastS = 0
  private readonly deep: DeepCells

  constructor(surface: Surface) {
    const cells = surface.grid.elevationM.length
    this.deep = surface.deepCells(DURATION_DEPTHS_M[0])
    this.arrivalS = new Float32Array(cells).fill(Number.NaN)
    this.durationsS = DURATION_DEPTHS_M.map(() => new Float32Array(cells))
    this.defra = new Uint8Array(cells)
    this.ppri = new Uint8Array(cells)
  }

  visit(state: StateVisitor): void {
    this.lastS = state.number('lastS', this.lastS)
    state.array('arrivalS', this.arrivalS)
    for (const [k, values] of this.durationsS.entries()) state.array(`durationS${k}`, values)
    state.array('defra', this.defra)
    state.array('ppri', this.ppri)
  }

  /**
   * Looks at the surface at `timeS`; what stands now has stood since the last look.
   *
   * @param onWet called with depth, m, and speed, m/s, of every cell under more than 5 cm
   */
  look(timeS: number, onWet?: (depthM: number, speedMS: number) => void): void {
    const lasted = timeS - this.lastS
    this.lastS = timeS
    const { arrivalS, durationsS, defra, ppri, deep } = this
    const [in5cm, in20cm, in50cm] = durationsS
    deep.look()
    const { count, cells, depthM, eastMS, northMS } = deep
    for (let j = 0; j < count; j++) {
      const cell = cells[j]
      const depth = depthM[j]
      if (Number.isNaN(arrivalS[cell])) arrivalS[cell] = timeS
      in5cm[cell] += lasted
      if (depth > DURATION_DEPTHS_M[1]) in20cm[cell] += lasted
      if (depth > DURATION_DEPTHS_M[2]) in50cm[cell] += lasted
      const speed = Math.sqrt(eastMS[j] * eastMS[j] + northMS[j] * northMS[j])
      onWet?.(depth, speed)
      const rated = defraClass(defraRating(depth, speed))
      if (rated > defra[cell]) defra[cell] = rated
      const graded = ppriClass(depth, speed)
      if (graded > ppri[cell]) ppri[cell] = graded
    }
  }
}
