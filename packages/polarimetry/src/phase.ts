/**
 * Differential phase along rays. All fields are `[ray * nbins + bin]`, phases in degrees (two-way), gates in km,
 * NaN is missing. The order of steps is that of Vulpiani et al. (2012), J. Appl. Meteor. Climatol. 51, 405-425.
 */
export interface PhaseOptions {
  nbins: number
  /** Length of a gate. */
  gateKm: number
  /** Gates of the window, odd. */
  window: number
  /** Passes between phase and its slope. @default 2 */
  passes?: number
  /** Degrees a km at or below which, and at or above which, a slope is noise. @default [-2, 20] */
  plausible?: [number, number]
  /** Slope, degrees a km, below which the phase has folded. @default -20 */
  foldSlope?: number
}

export interface PhaseProfile {
  /** Two-way phase from the radar on, 0 at the first gate, degrees. */
  phidp: Float64Array
  /** Degrees a km, one way. */
  kdp: Float64Array
  /** Rays whose phase was folded. */
  folded: number
}

/** Phase within [-180, 180) degrees. */
export function wrapped(degrees: number): number {
  // Remainders of floating numbers are slow, and most phases need none.
  if (degrees >= -180 && degrees < 180) return degrees
  const turned = degrees - 360 * Math.floor((degrees + 180) / 360)
  return turned < 180 ? turned : turned - 360
}

/**
 * Rebuilds phase and its slope from raw phase within [-180, 180].
 * @throws RangeError for a window that is even or below 3 gates
 */
export function phaseProfile(raw: ArrayLike<number>, options: PhaseOptions): PhaseProfile {
  const { nbins, gateKm, window, passes = 2, plausible = [-2, 20], foldSlope = -20 } = options
  if (!(window >= 3 && window % 2 === 1)) throw new RangeError(`window of ${window} gates`)
  const phidp = new Float64Array(raw.length)
  const kdp = new Float64Array(raw.length)
  const measured = new Float64Array(nbins)
  let folded = 0
  for (let start = 0; start + nbins <= raw.length; start += nbins) {
    // A ray without any phase rises nowhere.
    if (!isKnown(raw, start, nbins)) continue
    const phase = phidp.subarray(start, start + nbins)
    const slope = kdp.subarray(start, start + nbins)
    withoutSpecks(raw, start, measured)
    if (addTurn(measured, window, foldSlope * 2 * gateKm)) {
      folded++
      for (let bin = 0; bin < nbins; bin++) if (measured[bin] > 360) measured[bin] = Number.NaN
    }
    slopes(measured, window, slope)
    for (let bin = 0; bin < nbins; bin++) {
      const k = slope[bin] / 2 / gateKm
      slope[bin] = k > plausible[0] && k < plausible[1] ? k : 0
    }
    if (passes === 0) phase.set(measured)
    for (let pass = 0; pass < passes; pass++) {
      integrate(slope, gateKm, phase)
      slopes(phase, window, slope)
      for (let bin = 0; bin < nbins; bin++) slope[bin] = slope[bin] / 2 / gateKm
    }
  }
  return { phidp, kdp, folded }
}

function isKnown(phase: ArrayLike<number>, start: number, nbins: number): boolean {
  for (let k = start; k < start + nbins; k++) if (Number.isFinite(phase[k])) return true
  return false
}

/** Writes the ray at `start` without the values that stand alone among the five around them. */
function withoutSpecks(raw: ArrayLike<number>, start: number, out: Float64Array): void {
  const { length } = out
  let known = 0
  for (let bin = -2; bin < length; bin++) {
    if (bin + 2 < length && Number.isFinite(raw[start + bin + 2])) known++
    if (bin > 2 && Number.isFinite(raw[start + bin - 3])) known--
    if (bin >= 0) out[bin] = known >= 2 ? raw[start + bin] : Number.NaN
  }
}

/** Index of a gate mirrored at the ends of the ray, the end itself not repeated. */
function mirrored(bin: number, nbins: number): number {
  if (nbins === 1) return 0
  const period = 2 * (nbins - 1)
  const k = ((bin % period) + period) % period
  return k < nbins ? k : period - k
}

/**
 * Adds a turn behind the first gate where the phase of a ray falls as only a fold can.
 * @param window gates, odd
 * @param foldSlope degrees a gate below which the phase has folded
 * @returns whether there was a fold; a phase that folds again behind it needs another call
 */
export function addTurn(phase: Float64Array, window: number, foldSlope: number): boolean {
  const { length } = phase
  const half = window >> 1
  let first = -1
  for (let bin = 0; bin < length && first < 0; bin++) {
    const slope = (phase[mirrored(bin + half, length)] - phase[mirrored(bin - half, length)]) / window
    if (slope < foldSlope) first = bin
  }
  if (first < 0) return false
  let highest = Number.NEGATIVE_INFINITY
  for (const value of phase) if (value > highest && value < Number.POSITIVE_INFINITY) highest = value
  for (let bin = first + 1; bin < length; bin++) {
    phase[bin] += 360
    // Within the window the fold may not have come yet.
    if (bin <= first + window && phase[bin] > highest + 180) phase[bin] -= 360
  }
  return true
}

/**
 * Slope a gate by least squares over a window, over its known gates where some are missing; NaN where fewer than
 * half of the window and one are known. Rays are mirrored at their ends.
 */
export function slopeOf(phase: Float64Array, window: number): Float64Array {
  const out = new Float64Array(phase.length)
  slopes(phase, window, out)
  return out
}

/** `slopeOf` into an array that is there. */
function slopes(phase: Float64Array, window: number, out: Float64Array): void {
  const { length } = phase
  const half = window >> 1
  // Sums over the window, which moves by a gate at a time; places are counted from the ray's middle.
  let [n, x, y, xx, xy] = [0, 0, 0, 0, 0]
  const middle = length >> 1
  for (let bin = -window + 1; bin < length; bin++) {
    const ahead = bin + half
    const entering = phase[ahead >= 0 && ahead < length ? ahead : mirrored(ahead, length)]
    if (Number.isFinite(entering)) {
      const place = ahead - middle
      n++
      x += place
      y += entering
      xx += place * place
      xy += place * entering
    }
    if (bin < 0) continue
    out[bin] = n > half ? (n * xy - x * y) / (n * xx - x * x) : Number.NaN
    const behind = bin - half
    const leaving = phase[behind >= 0 ? behind : mirrored(behind, length)]
    if (Number.isFinite(leaving)) {
      const place = behind - middle
      n--
      x -= place
      y -= leaving
      xx -= place * place
      xy -= place * leaving
    }
  }
}

/** Two-way phase of a slope, by trapezia from the first gate. */
function integrate(slope: Float64Array, gateKm: number, out: Float64Array): void {
  out[0] = 0
  for (let bin = 1; bin < slope.length; bin++)
    out[bin] = out[bin - 1] + (slope[bin - 1] + slope[bin]) * gateKm
}

/**
 * Phase of the radar itself: median over rays of the median of each ray's first `gates` known gates.
 * @param at the phase of a gate, where it is not that of `phase` itself
 * @returns NaN where no ray has any
 */
export function systemPhase(
  phase: ArrayLike<number>,
  nbins: number,
  gates = 10,
  at: (k: number) => number = (k) => phase[k],
): number {
  const rays: number[] = []
  for (let start = 0; start + nbins <= phase.length; start += nbins) {
    const first: number[] = []
    for (let bin = 0; bin < nbins && first.length < gates; bin++) {
      const value = at(start + bin)
      if (Number.isFinite(value)) first.push(value)
    }
    if (first.length === gates) rays.push(median(first))
  }
  return median(rays)
}

/**
 * Direction of the phase at the first known gates of all rays, on the circle, degrees within [-180, 180): what
 * `systemPhase` cannot tell where it lies at the fold. NaN where no ray has `gates` of them.
 */
export function roughPhase(phase: ArrayLike<number>, nbins: number, gates = 10): number {
  let [x, y] = [0, 0]
  for (let start = 0; start + nbins <= phase.length; start += nbins) {
    const first: number[] = []
    for (let bin = 0; bin < nbins && first.length < gates; bin++)
      if (Number.isFinite(phase[start + bin])) first.push((phase[start + bin] * Math.PI) / 180)
    if (first.length < gates) continue
    for (const angle of first) {
      x += Math.cos(angle)
      y += Math.sin(angle)
    }
  }
  return x === 0 && y === 0 ? Number.NaN : (Math.atan2(y, x) * 180) / Math.PI
}

/** NaN of nothing. */
export function median(values: readonly number[]): number {
  // Sorting numbers as such is several times as fast as by a function that compares them.
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  return sorted.length === 0
    ? Number.NaN
    : sorted.length % 2 === 1
      ? sorted[middle]
      : (sorted[middle - 1] + sorted[middle]) / 2
}
