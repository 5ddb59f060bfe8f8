import type { Profile } from './profiles.ts'

/** Heights above the instrument between which snow melts, m. */
export interface MeltingLayer {
  bottomM: number
  topM: number
}

/** Below is rain, above is snow: what both fall at, at least and at most, and how much they differ, m/s. */
const RAIN_MS = 3.5
const SNOW_MS = 2.8
const LEAST_DROP_MS = 1.5
/** Means are taken this far below and above, but not nearer than a part of it, m, and of so many gates at least. */
const REACH_M = 450
const NEAR_M = 100
const LEAST_GATES = 3
/** The bright band is that much brighter than the snow above and the rain below, dB. */
const LEAST_BRIGHT_DB = 2
const LEAST_ABOVE_RAIN_DB = 0.5
/** Share of the change in speed at which the layer begins and ends. */
const EDGE = 0.25

/**
 * The melting layer of a profile, from the speed at which particles fall and from reflectivity: snow falls slowly,
 * rain fast, and in between wet flakes are bright. null where the profile shows none (convection, no rain, a layer
 * at the ground or above the column, no fall speeds).
 */
export function meltingLayer({
  heightsM,
  values: { VEL, Ze },
}: Pick<Profile, 'heightsM' | 'values'>): MeltingLayer | null {
  return VEL && Ze ? meltingLookOf(heightsM).layer(VEL, Ze) : null
}

const looks = new WeakMap<readonly number[], MeltingLook>()

/** What looks for the layer in profiles with these gates; the same for the same array. */
export function meltingLookOf(heightsM: readonly number[]): MeltingLook {
  let look = looks.get(heightsM)
  if (!look) {
    look = new MeltingLook(heightsM)
    looks.set(heightsM, look)
  }
  return look
}

/** Where speeds drop from rain's to snow's, and the means of both, m/s. */
interface Drop {
  gate: number
  rain: number
  snow: number
}

/** Looks for the melting layer in profiles of the same gates: what hangs on their heights alone is found once. */
class MeltingLook {
  private readonly heightsM: Float64Array
  /** Gates whose means are those below and above each gate, and below a bright band. */
  private readonly rainBelow: Ranges
  private readonly snowAbove: Ranges
  private readonly farBelow: Ranges
  private readonly fall: Sums
  private readonly bright: Sums

  constructor(heightsM: readonly number[]) {
    this.heightsM = Float64Array.from(heightsM)
    this.rainBelow = rangesAt(heightsM, -REACH_M, -NEAR_M)
    this.snowAbove = rangesAt(heightsM, NEAR_M, REACH_M)
    this.farBelow = rangesAt(heightsM, -REACH_M - NEAR_M, -2 * NEAR_M)
    this.fall = sumsOf(heightsM.length)
    this.bright = sumsOf(heightsM.length)
  }

  /** @param at where the profile begins in both, its lowest gate */
  layer(fall: Float32Array, bright: Float32Array, at = 0): MeltingLayer | null {
    // Most profiles need no more than this look.
    if (!this.hasBoth(fall, at)) return null
    const drop = this.dropOf(fall, at)
    if (drop === null) return null
    const { heightsM } = this
    const heightM = heightsM[drop.gate]
    let peak = Number.NEGATIVE_INFINITY
    let peakAt = 0
    for (let k = 0; k < heightsM.length; k++)
      if (Math.abs(heightsM[k] - heightM) <= REACH_M && bright[at + k] > peak) {
        peak = bright[at + k]
        peakAt = k
      }
    sum(this.bright, bright, at)
    const above = meanOf(this.bright, this.snowAbove, drop.gate)
    const below = meanOf(this.bright, this.farBelow, drop.gate)
    if (!(peak - above >= LEAST_BRIGHT_DB && peak - below >= LEAST_ABOVE_RAIN_DB)) return null
    const layer = this.edgesOf(fall, at, drop)
    // Flakes that fall like rain already may still be bright.
    const isBright = (k: number) =>
      bright[at + k] - below >= Math.max(LEAST_ABOVE_RAIN_DB, EDGE * (peak - below))
    for (let k = peakAt; k >= 0 && heightM - heightsM[k] <= REACH_M && isBright(k); k--)
      layer.bottomM = Math.min(layer.bottomM, heightsM[k])
    if (layer.bottomM === heightM) layer.bottomM = heightM - NEAR_M
    if (layer.topM === heightM) layer.topM = heightM + NEAR_M
    return { bottomM: Math.round(layer.bottomM), topM: Math.round(layer.topM) }
  }

  private hasBoth(fall: Float32Array, at: number): boolean {
    let slowest = Number.POSITIVE_INFINITY
    let fastest = Number.NEGATIVE_INFINITY
    for (let k = at; k < at + this.heightsM.length; k++) {
      const speed = fall[k]
      if (speed < slowest) slowest = speed
      if (speed > fastest) fastest = speed
    }
    return fastest >= RAIN_MS && slowest <= SNOW_MS
  }

  private dropOf(fall: Float32Array, at: number): Drop | null {
    const { rainBelow, snowAbove } = this
    sum(this.fall, fall, at)
    let best: Drop | null = null
    let most = LEAST_DROP_MS
    for (let gate = 0; gate < this.heightsM.length; gate++) {
      const rain = meanOf(this.fall, rainBelow, gate)
      if (!(rain >= RAIN_MS)) continue
      const snow = meanOf(this.fall, snowAbove, gate)
      if (!(snow <= SNOW_MS && (best === null ? rain - snow >= most : rain - snow > most))) continue
      most = rain - snow
      best = { gate, rain, snow }
    }
    return best
  }

  /** Where speeds have gone from rain's and come near to snow's; the middle of the drop where they never do. */
  private edgesOf(fall: Float32Array, at: number, { gate, rain, snow }: Drop): MeltingLayer {
    const { heightsM } = this
    const heightM = heightsM[gate]
    let bottomM = heightM
    let topM = heightM
    for (let k = 0; k < heightsM.length; k++) {
      const speed = fall[at + k]
      if (heightsM[k] > heightM - REACH_M && heightsM[k] < heightM && speed >= rain - EDGE * (rain - snow))
        bottomM = heightsM[k]
      if (topM === heightM && heightsM[k] > heightM && speed <= snow + EDGE * (rain - snow))
        topM = heightsM[k]
    }
    return { bottomM, topM }
  }
}

/** Gates `from[k]` to `to[k] - 1` for gate k. */
interface Ranges {
  from: Int32Array
  to: Int32Array
}

/** Gates between two heights around each gate, m; both may be the gate's own. */
function rangesAt(heightsM: readonly number[], fromM: number, toM: number): Ranges {
  const below = (heightM: number): number => {
    let [low, high] = [0, heightsM.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (heightsM[middle] < heightM) low = middle + 1
      else high = middle
    }
    return low
  }
  const reached = (heightM: number): number => {
    const end = below(heightM)
    return end < heightsM.length && heightsM[end] === heightM ? end + 1 : end
  }
  return {
    from: Int32Array.from(heightsM, (heightM) => below(heightM + fromM)),
    to: Int32Array.from(heightsM, (heightM) => reached(heightM + toM)),
  }
}

/** Sums and counts of what was seen below each gate, and at last of all. */
interface Sums {
  sums: Float64Array
  counts: Uint16Array
}

const sumsOf = (gates: number): Sums => ({
  sums: new Float64Array(gates + 1),
  counts: new Uint16Array(gates + 1),
})

function sum({ sums, counts }: Sums, values: Float32Array, at: number): void {
  let all = 0
  let seen = 0
  for (let k = 1; k < sums.length; k++) {
    const value = values[at + k - 1]
    if (!Number.isNaN(value)) {
      all += value
      seen++
    }
    sums[k] = all
    counts[k] = seen
  }
}

/** Mean over the range of a gate; NaN of fewer than three that were seen. */
function meanOf({ sums, counts }: Sums, { from, to }: Ranges, gate: number): number {
  const count = counts[to[gate]] - counts[from[gate]]
  return count < LEAST_GATES ? Number.NaN : (sums[to[gate]] - sums[from[gate]]) / count
}
