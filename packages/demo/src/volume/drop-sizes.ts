import { Draws, wordSeed } from '../noise.ts'
import { DROP_STEP_MM, dropClasses, momentsPerMmH, type RainMoments } from './drops.ts'

/** What of drop sizes, and of rain above the ground, is drawn for a patch. */
export interface Patch {
  /** Median volume diameter against the usual one. */
  size: number
  mu: number
  /** Change of the logarithm of the rate by a km of height: rain grows or dries up on its way down. */
  tilt: number
}

const PATCH_M = 2000
const SIZE_SPREAD = 0.15
const LARGEST_MU = 6
const TILT_SPREAD = 0.15

/** Drop sizes of places: those of patches of 2 km, blended into the next. The same seed gives the same. */
export class DropSizes {
  private readonly seed: number
  private readonly known = new Map<number, Patch>()

  constructor(seed: number) {
    this.seed = wordSeed('drops', seed)
  }

  /** @param eastM from the radar; @param northM likewise */
  at(eastM: number, northM: number, out: Patch): Patch {
    const [x, y] = [eastM / PATCH_M, northM / PATCH_M]
    const [i, j] = [Math.floor(x), Math.floor(y)]
    const [u, w] = [x - i, y - j]
    let [size, mu, tilt] = [0, 0, 0]
    for (let corner = 0; corner < 4; corner++) {
      const [di, dj] = [corner & 1, corner >> 1]
      const share = (di ? u : 1 - u) * (dj ? w : 1 - w)
      const patch = this.patch(i + di, j + dj)
      size += share * patch.size
      mu += share * patch.mu
      tilt += share * patch.tilt
    }
    out.size = Math.exp(size)
    out.mu = mu
    out.tilt = tilt
    return out
  }

  /** Of a corner, the size as its logarithm. */
  private patch(i: number, j: number): Patch {
    const key = (i + 4096) * 8192 + j + 4096
    let found = this.known.get(key)
    if (!found) {
      const draws = new Draws(this.seed, i, j)
      found = {
        size: SIZE_SPREAD * draws.normal(),
        mu: LARGEST_MU * draws.next(),
        tilt: TILT_SPREAD * draws.normal(),
      }
      this.known.set(key, found)
    }
    return found
  }
}

/** Usual median volume diameter of a rate, mm (after Bringi et al. 2003, stratiform and convective rain together). */
const usualD0 = (mmH: number): number => 1.1 * mmH ** 0.14

const D0_STEP = DROP_STEP_MM / 4
const D0_MM = [0.5, 3.2] as const
const MU_STEPS = 2

/** Moments a mm/h by rate and patch, from a table of median diameter and mu. */
export function momentTable(
  frequencyGHz: number,
  celsius: number,
): (mmH: number, patch: Pick<Patch, 'size' | 'mu'>) => RainMoments {
  const drops = dropClasses(frequencyGHz, celsius)
  const table: RainMoments[][] = []
  return (mmH, { size, mu }) => {
    const d0 = Math.min(D0_MM[1], Math.max(D0_MM[0], usualD0(mmH) * size))
    const at = Math.round(d0 / D0_STEP)
    const m = Math.round(mu * MU_STEPS)
    table[at] ??= []
    table[at][m] ??= momentsPerMmH(drops, at * D0_STEP, m / MU_STEPS)
    return table[at][m]
  }
}
